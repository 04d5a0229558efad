"""Tests of variants of the exercises: their checks, and how they depend on the variant's number."""

import re

import pytest
from checks_message import refused
from conftest import sample
from exercise_mutants import likely

from lstm_course import checks
from lstm_course.engine import slips
from lstm_course.engine.sandbox import client
from lstm_course.exercises import variants

NUMBERS = range(12)


def answer(source, solution):
    """Run source code as a notebook cell, and return the function that has the solution's name."""
    names = solution.__globals__ | {"__name__": "__main__"}
    exec(compile(source, "a cell", "exec"), names)
    return names[solution.__name__]


@pytest.mark.parametrize("number", sample(NUMBERS, [0]))
def test_check_passes_only_variants_solution_and_explains_other_answers(
    number, capsys, monkeypatch
):
    monkeypatch.setattr(client, "ending", lambda *_: None)  # use no worker, as no answer hangs
    for check in variants.exercises(number):
        solution, lesson = check.solution, getattr(checks, check.__name__).solution
        check(answer("".join(slips.source(solution)), solution))
        assert f"{check.__name__}: passed on " in capsys.readouterr().out
        for text, *places in check.slips:
            source = slips.changed(solution, *places)
            assert likely(refused(check, answer(source, solution))) == text
        of_lesson = answer("".join(slips.source(lesson)), lesson)
        assert "this is what the lesson asks for, and not the" in refused(check, of_lesson)
        assert "of the package" in refused(check, solution)
        # no placeholder is left in the task
        assert not re.search(r"{[a-z]", re.sub(r"\$.+?\$", "", check.task))


def test_variant_depends_only_on_its_number():
    made = [variants.exercises.__wrapped__(number) for number in (3, 3, 4)]
    first, again, other = ([(check.__name__, check.task) for check in one] for one in made)
    assert first == again != other
    first, again, other = (repr([check.inputs() for check in one[:6]]) for one in made)
    assert first == again != other
