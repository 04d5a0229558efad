"""Variants for exams: their checks pass the solution and name each slip."""

import pytest
from conftest import sample
from exercise_mutants import likely

from lstm_course import checks
from lstm_course.engine import slips
from lstm_course.engine.sandbox import client
from lstm_course.exercises import variants

NUMBERS = range(12)


def answer(source, solution):
    """Define a solution as a notebook's cell does, outside the package."""
    names = solution.__globals__ | {"__name__": "__main__"}
    exec(compile(source, "a cell", "exec"), names)
    return names[solution.__name__]


def said(check, function):
    with pytest.raises(checks.Wrong) as caught:
        check(function)
    return str(caught.value)


@pytest.mark.parametrize("number", sample(NUMBERS, [0]))
def test_check_passes_solution_and_names_each_slip(number, capsys, monkeypatch):
    monkeypatch.setattr(client, "ending", lambda *_: None)  # none of these hangs
    for each in variants.exercises(number):
        solution, lesson = each.check.solution, getattr(checks, f"check_{each.name}").solution
        each.check(answer("".join(slips.source(solution)), solution))
        assert f"check_{each.name}: passed on " in capsys.readouterr().out
        for text, *places in each.check.slips:
            source = slips.changed(solution, *places)
            assert likely(said(each.check, answer(source, solution))) == text
        of_lesson = answer("".join(slips.source(lesson)), lesson)
        assert "this is what the lesson asks for, and not the" in said(each.check, of_lesson)
        assert "of the package" in said(each.check, solution)
        assert "{" not in each.task.replace("\\mathbf", "").split("$")[0]


def test_only_the_number_changes_inputs_and_names():
    first, again, other = (variants.exercises(n) for n in (3, 3, 4))
    assert [each[:2] for each in first] == [each[:2] for each in again]
    assert [each.task for each in first] != [each.task for each in other]
    inputs = lambda made: repr([each.check.inputs() for each in made if each.name != "update"])
    assert inputs(first) == inputs(again) != inputs(other)
