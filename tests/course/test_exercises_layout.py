"""How exercises are laid out: four cells each, every question answered."""

import re
import string

import nbformat
import pytest
from conftest import ROOT
from solutions import (
    CHECK,
    SOURCES,
    answers_of,
    before_answers,
    every_notebook,
    exercises_of,
    mark,
    regions,
)

LESSONS = sorted((ROOT / "notebooks").glob("[0-9]*.ipynb"))


@pytest.mark.parametrize("number", [page.stem.split("_")[0] for page in LESSONS[1:]])
def test_each_lesson_has_three_exercises_or_more(number):
    names = [name for name in SOURCES if name.startswith(f"{number}_")]
    assert len(names) == 1 and (ROOT / "notebooks" / f"{names[0]}.ipynb").exists()
    assert len(exercises_of(SOURCES[names[0]])) >= 3


COUNTS = dict(enumerate("Three Four Five Six Seven Eight Nine Ten".split(), start=3))
HEAD = r"(?s)## (\d+)\. .+?\n\n\*(\d+) minutes · level ([123]) of 3 · (core|optional)\*\n\n.+"


@every_notebook
def test_each_exercise_has_its_four_cells(name):
    notebook, number, total = SOURCES[name], name.split("_")[0], 0
    nbformat.validate(notebook)
    for k, task, hint, answer, check in exercises_of(notebook):
        head = re.fullmatch(HEAD, task.source)
        assert head and int(head[1]) == k, task.source
        minutes, total = int(head[2]), total + int(head[2])
        assert task.cell_type == hint.cell_type == "markdown"
        folded = r"(?s)<details><summary>Hint</summary>\n\n.+\n\n</details>"
        assert re.fullmatch(folded, hint.source)
        assert re.fullmatch(rf"{number}-{k}-[a-z0-9-]+", mark(answer)["grade_id"])
        same = {"schema_version": 3, "task": False}
        own = {"grade": False, "solution": True, "locked": False, **same}
        assert mark(answer) == {**own, "grade_id": mark(answer)["grade_id"]}
        graded = {"grade": True, "solution": False, "locked": True, **same}
        points = max(1, round(minutes / 5))
        assert mark(check) == {**graded, "grade_id": f"{number}-{k}-check", "points": points}
        assert regions(nbformat.from_dict({"cells": [answer]}))
        assert re.fullmatch(rf"{CHECK}checks\.check_\w+\(.+\)", check.source)
        (output,) = check.outputs
        called = re.search("check_.+?(?=[(])", check.source)[0]
        assert output.text.startswith(f"{called}: passed on ")
    opening = notebook.cells[0].source
    lesson = nbformat.read(ROOT / "notebooks" / f"{name}.ipynb", 4)
    title = lesson.cells[0].source.split("\n")[0]
    assert opening.split("\n")[0] == title.replace("# ", "# Exercises: ", 1)
    assert f"(../{name}.ipynb)" in opening and f"{total} minutes in all" in opening, total
    n = COUNTS[len(exercises_of(notebook))]
    listed = next(cell.source for cell in lesson.cells if "that check themselves" in cell.source)
    assert f"{n} that check themselves" in listed, n
    assert re.findall(r"(\w+) exercises on", opening) in ([], [n]), n
    graded = [c for c in notebook.cells if mark(c).get("grade") or mark(c).get("solution")]
    assert len(graded) == 2 * len(exercises_of(notebook))
    assert not any(mark(cell).get("locked") for cell in notebook.cells if cell not in graded)


ASKING = [page for page in LESSONS if "To think about" in page.read_text(encoding="utf-8")]
FOLDED = r"<details><summary>Answer</summary>\n\n.+?\n\n</details>"


@pytest.mark.parametrize("page", ASKING, ids=lambda page: page.stem)
def test_every_question_of_a_lesson_is_answered(page):
    """By a section of the solutions each; 00 has none, there it is folded below the question."""
    below = (markdown(nbformat.read(page, 4).cells) + "\n- **end**").partition("To think about")[2]
    asked = dict(re.findall(r"(?ms)^- \*\*([A-Z])\*\* (.+?)(?=\n- \*\*)", below))
    if page.stem in SOURCES:
        worked = markdown(answers_of(SOURCES[page.stem].cells))
        answers = re.findall(r"(?ms)^### ([A-Z])\b(.+?)(?=^### |\Z)", worked)
    else:
        answers = [(k, "".join(re.findall(f"(?s){FOLDED}", asked[k]))) for k in asked]
    assert [k for k, _ in answers] == list(asked) == list(string.ascii_uppercase[: len(asked)])
    assert asked and all(len(text.split()) >= 20 for _, text in answers)


def markdown(cells):
    return "\n\n".join(cell.source for cell in cells if cell.cell_type == "markdown")


@every_notebook
def test_what_an_exercise_asks_besides_has_its_answer_folded(name):
    for cell in before_answers(SOURCES[name].cells):
        if cell.cell_type == "markdown":
            for below in re.split(r"\*To think about\.?\*", cell.source)[1:]:
                assert re.search(f"(?s){FOLDED}", below), cell.id
