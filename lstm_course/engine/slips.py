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
import re
import textwrap
import tomllib
import warnings
from contextlib import suppress

import numpy as np

from .minimize import hold
from .report import Wrong, call, left, passed
from .sandbox import runner
from .shown import message

CHECKS = {}  # by name, those of the lessons
TRANSPOSED = "transposed, and should not be; or should be, and is not"


@functools.cache
def table(file):
    """Read the table of slips beside a file of exercises: exercise's name to its rows.

    What is told of several slips stands in one row, with a list for each: here they are apart.
    """
    text = pathlib.Path(file).with_suffix(".toml").read_text(encoding="utf-8")
    return {
        name: [each for row in rows for each in _apart(row)] if isinstance(rows, list) else rows
        for name, rows in tomllib.loads(text).items()
    }


def _apart(row):
    return [[row[0], *each] for each in row[1:]] if isinstance(row[1], list) else [row]


def rows(solution):
    """The rows of a solution."""
    return table(inspect.getsourcefile(solution)).get(solution.__name__, [])


def check(what, inputs, name=None, simpler=None, planted=None, **how):
    """Make the check of an exercise, as a decorator of its solution, the same as in the notebook.

    It is named ``check_`` and what the solution is called.

    Parameters
    ----------
    what, inputs, **how
        As for `made`.
    name : str, optional
        Of the check, if it is not the solution's.
    simpler : list of (text, changes), optional
        Those of the table, under ``simpler``, if None.
    planted : (str, sequence of int), optional
        Where the student mends code: what one who has found none of its bugs is sent to, and how
        many of the table's first rows each bug has.
    """

    def registered(solution):
        slips, names = rows(solution), table(inspect.getsourcefile(solution)).get("simpler", {})
        less = names.get(solution.__name__, ()) if simpler is None else simpler
        if planted:
            around = how.get("around", as_it_is)
            how["others"] = lambda given: left_together(solution, *planted, given, around)
        register(made(what, solution, inputs, slips, name, simpler=less, **how))
        return solution

    return registered


def register(checked):
    """Keep a check for `lstm_course.checks`, and return it."""
    CHECKS[checked.__name__] = checked
    return checked


def as_it_is(function):
    """Return a function that nothing is wrapped around."""
    return function


def made(
    what,
    solution,
    inputs,
    slips,
    name=None,
    simpler=(),
    others=None,
    of_answer=None,
    parts=False,
    then=None,
    around=as_it_is,
    **how,
):
    """Make a check.

    Parameters
    ----------
    what : str
        What is asked for, such as "y(t)"; begins the message. {} is the name of an input.
    solution : function
    inputs : function
        Yields what is given: dicts by the names of the solution's arguments. Or returns a dict of
        these, by the names of the inputs.
    slips : list of rows
    name : str, optional
    simpler : list of (text, changes)
        What is said of simpler inputs, the simplest first; and how such an input is made of one
        that is given, as keyword arguments: ``"y=y[:1], n=1"``.
    others : function of given, optional
        Returns (text, value) of mistakes that are no changed solution.
    of_answer : function of what came, what was expected and given, optional
        The same, of mistakes that show in what came.
    parts : bool
        Whether an answer that no mistake gives is tried where parts of the input are 0.
    then : function of the student's function, optional
        What else that is held against; returns on how many inputs.
    around : function of a function
        Wraps the student's function, the solution and the slips; the wrapper is what is called.
    **how
        As for `hold`.
    """

    def every():
        found = inputs()
        return found if isinstance(found, dict) else dict(enumerate(found))

    def checked(function):
        right = functools.partial(answer, around(solution))
        tried = around(function) if callable(function) else function
        given_at = every()
        for at, given in given_at.items():

            def mistakes(given=given):
                told = reasons(solution, slips, given, around) + (others(given) if others else [])
                told += of_weights(around(solution), given)
                if of_answer:
                    told += of_answer(call(what, tried, given), right(given), given)
                return told

            def stages(given=given):
                for text, changes in simpler:
                    one = given | eval(f"dict({changes})", solution.__globals__ | given)
                    yield text, one, right(one)

            of = (lambda *values: solution(*copy.deepcopy(values))) if parts else None
            asked = what.format(at)
            hold(asked, tried, given, right(given), mistakes, stages, of=of, **how)
        passed(checked.__name__, len(given_at) + (then(function) if then else 0))

    checked.__name__ = checked.__qualname__ = f"check_{name or solution.__name__}"
    checked.__doc__, checked.inputs = solution.__doc__, lambda: list(every().values())
    checked.again = functools.partial(made, what, parts=parts, **how)  # of a variant
    return with_table(checked, solution, slips)


def with_table(checked, solution, slips):
    """Attach solution and table to a check, where the tests find them."""
    runner.SOLUTIONS.add(solution.__code__)
    checked.solution, checked.slips = solution, slips
    return checked


def check_test(right):
    """Make the check of an exercise that asks for a test, to tell a right function from others.

    A decorator of the solution, which raises where the function that it is given is wrong. The
    table has the slips of ``right``; a text says of which kind one is, no more.
    """

    def registered(solution):
        register(_made_of_test(solution, right))
        return solution

    return registered


def _made_of_test(solution, right):
    what, slips = solution.__name__, table(inspect.getsourcefile(solution))[right.__name__]

    def checked(test):
        answer(solution, {"a right function": right})
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
    """Return what a solution gives on a copy of what is given; how long it takes counts."""
    with np.errstate(all="ignore"), warnings.catch_warnings(), runner.timed():
        warnings.simplefilter("ignore")  # of the mean of nothing, and the like
        return solution(*copy.deepcopy(list(given.values())))


def reasons(solution, slips, given, around=as_it_is):
    """Return (text, value) of each slip on this input; one that fails there gives nothing."""
    told = []
    for text, *places in slips:
        with suppress(Exception):
            told.append((text, answer(around(slipped(solution, *places)), given)))
    return told


def of_weights(solution, given):
    """Return (text, value) of weights that are left out, or transposed: of each, and of a kind."""
    told = []
    for argument, weights in given.items():
        if isinstance(weights, dict) and any(getattr(w, "ndim", 0) == 2 for w in weights.values()):
            for what, names in _kinds(argument, weights).items():
                for made, text in ((np.zeros_like, "missing"), (np.transpose, TRANSPOSED)):
                    changed = weights | {name: made(weights[name]) for name in names}
                    with suppress(Exception):
                        value = answer(solution, given | {argument: changed})
                        told.append((f"{what} {text}", value))
    return told


def _kinds(argument, weights):
    """The names of each of some weights, and of all of a kind: ``"all Wrec are"``."""
    kinds = {f"{name if name.isidentifier() else argument + name} is": [name] for name in weights}
    for name in weights:
        kind = re.sub("[0-9zrg]$", "", name) or argument
        kinds.setdefault(f"all {kind} are", []).append(name)
    return kinds


def left_together(solution, against, sizes, given, around=as_it_is):
    """(text, value) where two or more planted bugs are left; parameters as of `check`'s planted."""
    told, slips = [], iter(rows(solution))
    for bugs in itertools.product(*([None, *itertools.islice(slips, n)] for n in sizes)):
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
    """Split a function's source, without decorators, after its docstring."""
    lines = textwrap.dedent(inspect.getsource(solution)).splitlines(True)
    function = ast.parse("".join(lines)).body[0]
    n = function.body[0].end_lineno
    return "".join(lines[function.lineno - 1 : n]), "".join(lines[n:])
