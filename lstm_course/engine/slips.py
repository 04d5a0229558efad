"""An exercise: its solution, its inputs, and a table of slips, each of them a changed solution.

A row of the table: what the student is told, what stands in the body of the solution, and what the
slip puts in its place (and both again, where it changes several places). So a slip is written once,
and the value that it gives is what the changed solution gives.
"""

import ast
import copy
import functools
import inspect
import itertools
import pathlib
import textwrap
import tomllib
import warnings
from contextlib import suppress

import numpy as np

from .minimize import hold
from .report import Wrong, call, left, passed
from .sandbox import runner
from .shown import message


def table(file):
    """Read the table of slips beside a file of exercises: exercise's name to its rows."""
    return tomllib.loads(pathlib.Path(file).with_suffix(".toml").read_text(encoding="utf-8"))


def check(
    what,
    solution,
    inputs,
    slips,
    simpler=None,
    others=None,
    parts=False,
    then=None,
    name=None,
    around=None,
    **how,
):
    """Make the check of an exercise, named ``check_`` and what the solution is called.

    Parameters
    ----------
    what : str
        What is asked for, such as "y(t)"; begins the message. {} is the name of an input.
    solution : function
        The same as in the notebook of solutions.
    inputs : function
        Returns a list of what is given: dicts by the names of the solution's arguments. Or a dict
        of these, by the names of the inputs.
    slips : list of rows
    simpler : function of given, optional
        Returns the simpler inputs of `hold`, (text, given) each.
    others : function of given, optional
        Returns (text, value) of mistakes that are no changed solution.
    parts : bool
        Whether an answer that no mistake gives is tried where parts of the input are 0.
    then : function of the student's function, optional
        What else that is held against; returns on how many inputs.
    around : function of a function, optional
        Wraps the student's function, the solution and the slips; the wrapper is what is called.
    **how
        As for `hold`.
    """
    around = around or (lambda function: function)

    def checked(function):
        right = functools.partial(answer, around(solution))
        tried = around(function) if callable(function) else function
        every = inputs()
        for at, given in every.items() if isinstance(every, dict) else enumerate(every):

            def mistakes(given=given):
                told = reasons(solution, slips, given, around)
                return told + (others(given) if others else [])

            def stages(given=given):
                of_less = simpler(given) if simpler else []
                return [(text, less, right(less)) for text, less in of_less]

            of = (lambda *values: solution(*copy.deepcopy(values))) if parts else None
            asked = what.format(at)
            hold(asked, tried, given, right(given), mistakes, stages, of=of, **how)
        passed(checked.__name__, len(every) + (then(function) if then else 0))

    checked.__name__ = checked.__qualname__ = f"check_{name or solution.__name__}"
    checked.__doc__, checked.inputs = solution.__doc__, inputs
    checked.again = functools.partial(check, what, parts=parts, name=name, **how)  # of a variant
    return with_table(checked, solution, slips)


def with_table(checked, solution, slips):
    """Attach solution and table to a check, where the tests find them."""
    runner.SOLUTIONS.add(solution.__code__)
    checked.solution, checked.slips = solution, slips
    return checked


def check_test(solution, right, slips):
    """Make the check of an exercise that asks for a test, to tell a right function from others.

    Parameters
    ----------
    solution : function of a function
        Raises where that is wrong.
    right : function
    slips : list of rows
        Of `right`; a text says of which kind one is, no more.
    """
    what = solution.__name__

    def checked(test):
        call(what, test, {"a right function": right})
        by = [text for text, *places in slips if _passes(what, test, slipped(right, *places))]
        if by:
            first = f"{what}: {len(by)} of {len(slips)} wrong functions pass."
            came, expected = "no error", "an AssertionError"
            raise Wrong(message(first, {}, came, expected, [f"one that gets by: {by[0]}"]))
        print(f"{checked.__name__}: passed on 1 right function and {len(slips)} wrong ones")

    checked.__name__ = checked.__qualname__ = f"check_{what}"
    checked.__doc__, checked.right = solution.__doc__, right
    return with_table(checked, solution, slips)


def _passes(what, test, function):
    try:
        call(what, test, {"a wrong function": function})
    except Wrong:
        return False
    return True


def answer(solution, given):
    """Return what a solution gives on a copy of what is given."""
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the mean of nothing, and the like
        return solution(*copy.deepcopy(list(given.values())))


def reasons(solution, slips, given, around=lambda function: function):
    """Return (text, value) of each slip on this input; one that fails there gives nothing."""
    told = []
    for text, *places in slips:
        with suppress(Exception):
            told.append((text, answer(around(slipped(solution, *places)), given)))
    return told


def left_together(solution, groups, given, against, around=lambda function: function):
    """(text, value) where two or more planted bugs are left, of each group of rows at most one.

    ``against`` is what a student who has found none of them is sent to.
    """
    told = []
    for bugs in itertools.product(*([None, *group] for group in groups)):
        bugs = [bug for bug in bugs if bug]
        if len(bugs) > 1:
            places = [place for _, *places in bugs for place in places]
            value = answer(around(slipped(solution, *places)), given)
            told.append((left([text for text, *_ in bugs], against), value))
    return told


@functools.cache
def slipped(solution, *places):
    """Return the solution with pieces of its body exchanged: old, new, old, new and so on."""
    names = dict(solution.__globals__)
    exec(compile(changed(solution, *places), "a slip", "exec"), names)
    return names[solution.__name__]


def changed(solution, *places):
    """Return the source of `slipped`."""
    head, body = source(solution)
    for old, new in zip(places[::2], places[1::2], strict=True):
        if body.count(old) != 1:
            n, name = body.count(old), solution.__name__
            raise ValueError(
                f"{old!r} stands {n} times in the body of {name} in lstm_course/exercises, and "
                "should once: a row quotes the .py, not the notebook"
            )
        body = body.replace(old, new)
    return head + body


@functools.cache
def source(solution):
    """Split a function's source after its docstring."""
    lines = textwrap.dedent(inspect.getsource(solution)).splitlines(True)
    n = ast.parse("".join(lines)).body[0].body[0].end_lineno
    return "".join(lines[:n]), "".join(lines[n:])
