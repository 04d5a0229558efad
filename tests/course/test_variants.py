"""An exam's variant is proven as its lesson's exercises are, and its copies hold no solution."""

import json

import nbformat
import pytest
from exercise_mutants import likely
from processes import python

from lstm_course import checks, copies
from lstm_course.engine import slips
from lstm_course.exercises import variants
from lstm_edu import InputError

NUMBERS = range(12)


def answer(source, solution):
    """As a student's: of a notebook, not of the package."""
    names = solution.__globals__ | {"__name__": "__main__"}
    exec(compile(source, "a cell", "exec"), names)
    return names[solution.__name__]


@pytest.mark.parametrize("number", NUMBERS)
def test_right_passes_and_each_slip_is_told_by_name(number, capsys):
    for each in variants.exercises(number, vars(checks)):
        solution, lessons = each.check.solution, getattr(checks, f"check_{each.name}")
        each.check(answer("".join(slips.source(solution)), solution))
        assert f"check_{each.name}: passed on " in capsys.readouterr().out
        for text, *places in each.check.slips:
            source = slips.changed(solution, *places)
            with pytest.raises(checks.Wrong) as caught:
                each.check(answer(source, solution))
            assert likely(str(caught.value)) == text
        assert each.check.slips or each.name == "cosine"
        source = "".join(slips.source(lessons.solution))
        with pytest.raises(checks.Wrong, match="(?s)this is what the lesson asks for, and not the"):
            each.check(answer(source, lessons.solution))
        with pytest.raises(checks.Wrong, match="of the package"):
            each.check(solution)
        assert "{" not in each.task.replace("\\mathbf", "").split("$")[0]


def test_each_term_is_another_exercise():
    """All terms of all exercises are met by those variants, and each has its own text."""
    met = {}
    for number in NUMBERS:
        for each in variants.exercises(number, vars(checks)):
            met.setdefault(each.name, set()).add(each.task.split("**")[1])
    assert {name: len(asked["terms"]) for name, asked in variants.TABLE.items()} == {
        name: len(terms) for name, terms in met.items()
    }


def test_inputs_and_names_change_with_the_number_alone():
    first, again, other = (variants.exercises(n, vars(checks)) for n in (3, 3, 4))
    assert [each[:2] for each in first] == [each[:2] for each in again]
    assert [each.task for each in first] != [each.task for each in other]
    drawn = lambda some: repr([each.check.inputs() for each in some if each.name != "update"])
    assert drawn(first) == drawn(again) != drawn(other)


def test_an_exam_is_written_without_its_solutions(tmp_path, monkeypatch):
    copy, solutions = copies.make_variant(7, tmp_path)
    for path in (copy, solutions):
        nbformat.validate(nbformat.read(path, 4))
    cells = json.loads(copy.read_text(encoding="utf-8"))["cells"]
    text = copy.read_text(encoding="utf-8")
    assert "SOLUTION" not in text and text.count("raise NotImplementedError()") == 11
    assert "solutions" not in text
    graded = [cell for cell in cells if cell["metadata"].get("nbgrader", {}).get("grade")]
    assert len(graded) == len(variants.TABLE) == 11
    copy.write_text(text + " ", encoding="utf-8")
    with pytest.raises(InputError, match="variant_7: exercises.ipynb: may hold answers, .*; --ag"):
        copies.make_variant(7, tmp_path)
    assert copies.make_variant(7, tmp_path, again=True) == [copy, solutions]
    assert len(list(copy.parent.iterdir())) == 3 and copy.read_text(encoding="utf-8") == text
    monkeypatch.chdir(tmp_path)
    names, source = {"__name__": "__main__"}, solutions.read_text(encoding="utf-8")
    for cell in json.loads(source)["cells"]:
        if cell["cell_type"] == "code":
            exec("".join(cell["source"]), names)


@pytest.mark.parametrize("given", [[], ["-1"], ["1_0"], ["\u0663"], ["9" * 5000]])
def test_a_number_that_is_none_is_refused(given, tmp_path):
    done = python("-m", "lstm_course.copies", "--variant", *given, cwd=tmp_path)
    said = "--variant: give a whole number, as in --variant 7\n"
    assert done.returncode == 2 and done.stderr == said
