"""Tests of every exercise's cells, and of its check on right, wrong and mutated answers."""

import linecache
import re
import string
import tomllib

import exercise_mutants
import nbformat
import pytest
import solutions
from checks_message import refused
from conftest import HELPERS, ROOT
from exercise_mutants import likely, tried_here
from solutions import SOURCES, every_notebook, mark

from lstm_course import checks, copies
from lstm_course.engine import slips
from lstm_course.engine.sandbox import client

OUTPUTS = [
    check.outputs[0].text for book in SOURCES.values() for *_, check in solutions.exercises_of(book)
]
BY_CHECK = {re.search(r"check_\w+", e[3])[0]: e for e in exercise_mutants.exercises()}
TABLES = {k: check for k, check in vars(checks).items() if hasattr(check, "slips")}
TESTS = [TABLES.pop(name) for name in list(TABLES) if name.startswith("check_test_")]
ROWS = [(name, row) for name, check in TABLES.items() for row in check.slips]
TABLE = tomllib.loads((HELPERS / "answers.toml").read_text(encoding="utf-8"))
ANSWERS = [(check, answer) for check, answers in TABLE.items() for answer in answers]


@pytest.fixture(autouse=True)
def in_place_alone(request, monkeypatch):
    """Forget hints given by earlier tests, and run answers without the worker.

    Mutants are tried in the worker first, because they may hang or exhaust memory.
    """
    slips.HINTED.clear()
    if "mutants" not in request.keywords:
        monkeypatch.setattr(client, "ending", lambda *_: None)


@pytest.fixture
def limited_memory():
    """Limit the mutants' address space to 8 GiB, which allows about 5 GiB of data."""
    resource = pytest.importorskip("resource", reason="this system can't limit a process's memory")
    limits = resource.getrlimit(resource.RLIMIT_AS)
    client.stop()  # a worker inherits the limits of the process that starts it
    resource.setrlimit(resource.RLIMIT_AS, (8 << 30, limits[1]))
    yield
    client.stop()
    resource.setrlimit(resource.RLIMIT_AS, limits)


def skip_if_package_is_missing(check):
    if lacks := exercise_mutants.missing(check):
        pytest.skip(f"{check} needs {lacks}, which is not installed")


@pytest.mark.parametrize("check, output", [*zip(BY_CHECK, OUTPUTS, strict=True)], ids=BY_CHECK)
def test_check_passes_solution_and_refuses_stub(check, output):
    skip_if_package_is_missing(check)
    exercise = BY_CHECK[check]
    assert tried_here(exercise, exercise[2]) == ("alive", output)
    state, said = tried_here(exercise, copies.student_source(exercise[2]))
    parts = [re.search(rf"(?m)^  {part} +\S", said) for part in ("given", "came", "expected")]
    assert state == "killed"
    assert "not written yet" in said or all(parts) and "no common mistake" not in likely(said)


@pytest.mark.parametrize("check, row", ROWS, ids=[f"{name}: {row[0]}"[:70] for name, row in ROWS])
def test_check_explains_each_known_mistake(check, row, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)  # checks must work from any folder
    skip_if_package_is_missing(check)
    text, *places = row
    solution = TABLES[check].solution
    source = slips.changed(solution, *places)
    # register the source, so that messages can quote the line with the error
    linecache.cache["a slip"] = (len(source), None, source.splitlines(True), "a slip")
    names = solution.__globals__ | {"__name__": "__main__"}  # as in a notebook
    exec(compile(source, "a slip", "exec"), names)
    said = refused(TABLES[check], names[solution.__name__])
    if check in slips.HINTED:  # for a planted bug, the check names the cause only the second time
        assert text not in said and "Run this cell again" in likely(said)
        said = refused(TABLES[check], names[solution.__name__])
        assert refused(TABLES[check], names[solution.__name__]) == said
    assert likely(said) == text


@pytest.mark.parametrize(
    "check, answer", ANSWERS, ids=[f"{check}: {answer[0]}"[:70] for check, answer in ANSWERS]
)
def test_check_explains_wrong_answers_that_match_no_known_mistake(check, answer):
    exercise, (reason, *places) = BY_CHECK[check], answer
    skip_if_package_is_missing(check)
    source = re.sub(r"(?ms)^ *### BEGIN STUB\n.*?^ *### END STUB$", "", exercise[2])
    if len(places) == 1:
        source = places.pop()
    for old, new in zip(places[::2], places[1::2]):
        assert source.count(old) == 1, old
        source = source.replace(old, new)
    state, said = tried_here(exercise, source)
    if check in slips.HINTED and not likely(said).startswith(reason):
        state, said = tried_here(exercise, source)  # the second time, the check names the cause
    assert state == "killed" and likely(said).startswith(reason), said


@pytest.mark.parametrize("check", TESTS, ids=lambda check: check.__name__)
def test_check_describes_bug_that_students_test_fails_to_detect(check):
    written = check.solution
    for text, *places in check.slips:
        wrong = slips.slipped(check.right, *places)

        def misses_one(function, wrong=wrong):
            if function is not wrong:
                written(function)

        assert likely(refused(check, misses_one)) == f"one that gets by: {text}"
    with pytest.raises(checks.Wrong, match=f"{len(check.slips)} of {len(check.slips)} wrong"):
        check(lambda function: None)


@pytest.mark.soak
@pytest.mark.mutants
@pytest.mark.parametrize("check", [name for name in BY_CHECK if "check_test_" not in name])
def test_only_equivalent_mutants_pass(check, tried, check_tally, share, limited_memory):
    """Skip the checks of tests that students write, because a mutated test may still be good."""
    skip_if_package_is_missing(check)
    number_tried, lost = exercise_mutants.lost(BY_CHECK[check], tried, share)
    number = BY_CHECK[check][0]
    check_tally(f"mutants of exercise {number} given to its check", number_tried, lost)


COUNTS = dict(enumerate("Three Four Five Six Seven Eight Nine Ten".split(), start=3))
HEAD = r"(?s)## (\d+)\. .+?\n\n\*(\d+) minutes · level [123] of 3 · (?:core|optional)\*\n\n.+"
HINT = r"(?s)<details><summary>Hint</summary>\n\n.+\n\n</details>"


@every_notebook
def test_exercises_have_four_cells_and_notebooks_state_their_number_and_time(name):
    notebook, number, total = SOURCES[name], name.split("_")[0], 0
    for k, task, hint, answer, check in solutions.exercises_of(notebook):
        at, minutes = map(int, re.fullmatch(HEAD, task.source).groups())
        total += minutes
        assert at == k and re.fullmatch(HINT, hint.source)
        assert re.fullmatch(rf"{number}-{k}-[a-z0-9-]+", mark(answer)["grade_id"])
        assert mark(answer)["solution"] and not mark(answer)["grade"]
        about = {"grade_id": f"{number}-{k}-check", "points": max(1, round(minutes / 5))}
        assert mark(check).items() >= {**about, "grade": True, "locked": True}.items()
        assert re.fullmatch(rf"{solutions.CHECK}checks\.check_\w+\(.+\)", check.source)
    lesson = nbformat.read(ROOT / "notebooks" / f"{name}.ipynb", 4)
    assert f"{total} minutes in all" in notebook.cells[0].source, total
    n = COUNTS[len(solutions.exercises_of(notebook))]
    assert any(f"{n} that check themselves" in cell.source for cell in lesson.cells), n


LESSONS = sorted((ROOT / "notebooks").glob("[0-9]*.ipynb"))
ASKING = [page for page in LESSONS if "To think about" in page.read_text(encoding="utf-8")]
FOLDED = r"<details><summary>Answer</summary>\n\n.+?\n\n</details>"


@pytest.mark.parametrize("page", ASKING, ids=lambda page: page.stem)
def test_every_question_of_lesson_has_worked_answer(page):
    """Lesson 00 has no notebook of solutions, so its answers are folded into the lesson."""
    below = (markdown(nbformat.read(page, 4).cells) + "\n- **end**").partition("To think about")[2]
    asked = dict(re.findall(r"(?ms)^- \*\*([A-Z])\*\* (.+?)(?=\n- \*\*)", below))
    if page.stem in SOURCES:
        worked = markdown(solutions.answers_of(SOURCES[page.stem].cells))
        answers = re.findall(r"(?ms)^### ([A-Z])\b(.+?)(?=^### |\Z)", worked)
    else:
        answers = [(k, "".join(re.findall(f"(?s){FOLDED}", asked[k]))) for k in asked]
    assert [k for k, _ in answers] == list(asked) == list(string.ascii_uppercase[: len(asked)])
    assert asked and all(len(text.split()) >= 20 for _, text in answers)


def markdown(cells):
    return "\n\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
