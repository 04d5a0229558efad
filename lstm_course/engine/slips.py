"""The check of an exercise, from its solution, its inputs, and a table of slips.

A slip is a changed solution. Its row has the text for the student, a piece of the solution's body,
and the piece that the slip puts in its place (both again, where it changes several places). The
value of a slip is computed from the changed solution, and so is never written down.
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
from .report import Wrong, call, passed
from .sandbox import runner
from .shown import message

CHECKS = {}  # the lessons' checks, by name
TRANSPOSED = "transposed, and should not be; or should be, and is not"


@functools.cache
def table(file):
    """Read the table beside a file of exercises: the rows of each solution, by its name.

    A row with one text for several slips has a list for each; it becomes a row for each.
    """
    text = pathlib.Path(file).with_suffix(".toml").read_text(encoding="utf-8")
    return {
        name: [each for row in rows for each in _apart(row)] if isinstance(rows, list) else rows
        for name, rows in tomllib.loads(text).items()
    }


def _apart(row):
    return [[row[0], *each] for each in row[1:]] if isinstance(row[1], list) else [row]


def rows(solution):
    """Return the rows of a solution's slips."""
    return table(inspect.getsourcefile(solution)).get(solution.__name__, [])


def check(what, inputs, name=None, simpler=None, planted=None, **how):
    """Make and register the check of an exercise, as a decorator of its solution.

    The solution is the notebook's, and the check is named after it: ``check_let_in``.

    Parameters
    ----------
    what, inputs, **how
        As for `made`.
    name : str, optional
        The check's name after ``check_``, where it is not the solution's.
    simpler : list of (text, changes), optional
        By default those of the table, under ``simpler``.
    planted : (str, sequence of int), optional
        For an exercise that mends code: the formulas that name its bugs, for a student who has
        found none, and how many of the table's first rows belong to each bug.
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
    """Register a check for `lstm_course.checks`, and return it."""
    CHECKS[checked.__name__] = checked
    return checked


def as_it_is(function):
    """Return a function unchanged: the default wrapper."""
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
        The result's name, such as "y(t)", with which a message begins. {} is an input's name.
    solution : function
    inputs : function
        Yields the inputs, each a dict by the names of the solution's arguments; or returns a dict
        of them, by their own names.
    slips : list of rows
    name : str, optional
    simpler : list of (text, changes)
        Simpler inputs, the simplest first: the text if the answer is wrong there already, and the
        arguments that differ from a given input's, as in ``"y=y[:1], n=1"``.
    others : function of given, optional
        Returns (text, value) of further mistakes, which no changed solution makes.
    of_answer : function of the answer, the expected one and the input, optional
        Returns (text, value) of mistakes that are recognised by the answer.
    parts : bool
        Whether to try an answer without a known mistake on inputs with parts set to 0.
    then : function of the student's function, optional
        Checks it further, and returns on how many inputs.
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
    """Attach solution and table to a check, for the tests, and forbid answers to call it."""
    runner.SOLUTIONS.add(solution.__code__)
    checked.solution, checked.slips = solution, slips
    return checked


def check_test(right):
    """Make and register the check of an exercise that asks for a test, as `check` does.

    The solution is a test that passes ``right`` and fails each of its slips in the table, whose
    texts only say of which kind a slip is.
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
    """Run a solution on a copy of an input, and let its time set that of the answers."""
    with np.errstate(all="ignore"), warnings.catch_warnings(), runner.timed():
        warnings.simplefilter("ignore")  # of the mean of nothing, and the like
        return solution(*copy.deepcopy(list(given.values())))


def reasons(solution, slips, given, around=as_it_is):
    """Return (text, value) of each slip on an input, leaving out those that raise an error."""
    told = []
    for text, *places in slips:
        with suppress(Exception):
            told.append((text, answer(around(slipped(solution, *places)), given)))
    return told


def of_weights(solution, given):
    """Return (text, value) for each weight, and each kind of weights, left out or transposed."""
    told = []
    for argument, weights in given.items():
        if isinstance(weights, dict) and any(map(_is_square, weights.values())):
            for what, names in _kinds(argument, weights).items():
                for made, text in ((np.zeros_like, "missing"), (np.transpose, TRANSPOSED)):
                    changed = weights | {name: made(weights[name]) for name in names}
                    with suppress(Exception):
                        value = answer(solution, given | {argument: changed})
                        told.append((f"{what} {text}", value))
    return told


def _is_square(weight):
    """Tell whether a value is a square matrix, as only a cell's recurrent weights are."""
    return getattr(weight, "ndim", 0) == 2 and len(weight) == len(weight.T)


def _kinds(argument, weights):
    """Group names of weights under ``"Wrec1 is"``, each alone, and under ``"all Wrec are"``."""
    kinds = {f"{name if name.isidentifier() else argument + name} is": [name] for name in weights}
    for name in weights:
        kind = re.sub("[0-9zrg]$", "", name) or argument
        kinds.setdefault(f"all {kind} are", []).append(name)
    return kinds


def left_together(solution, against, sizes, given, around=as_it_is):
    """Return (text, value) for every two or more planted bugs; as `check`'s ``planted``."""
    told, slips = [], iter(rows(solution))
    for bugs in itertools.product(*([None, *itertools.islice(slips, n)] for n in sizes)):
        bugs = [bug for bug in bugs if bug]
        if len(bugs) > 1:
            text = f"{len(bugs)} bugs are left, one of them: {bugs[0][0]}"
            if len(bugs) == len(sizes):  # name none, so that there is something to find
                text = f"all three bugs are left: hold the lines against {against}, one by one"
            places = [place for _, *places in bugs for place in places]
            told.append((text, answer(around(slipped(solution, *places)), given)))
    return told


@functools.cache
def slipped(solution, *places):
    """Return the solution with pieces of its body replaced: old, new, old, new, and so on."""
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
