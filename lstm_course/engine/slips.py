"""Builder of an exercise's check from its solution, inputs, and a table of mistakes (slips).

A slip is a mistake that students make, written as a change to the solution. Its row in the table
has the text for the student, a piece of the solution's body, and its replacement, with one such
pair for each place that the slip changes. The slip's result is computed by running the changed
solution.
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
from contextlib import suppress

import numpy as np

from .calling import Late, call, passed
from .forms import written
from .minimize import check_answer
from .report import Wrong
from .sandbox import runner
from .shown import LIKELY, message

CHECKS = {}  # the lessons' checks, keyed by name
HINTED = {}  # the planted bug that each check found last, keyed by the check's name
ONE_OF_THEM = " bugs are left, one of them: "
TRANSPOSED = "transposed, and should not be; or should be, and is not"


@functools.cache
def table(file):
    """Read the table of mistakes (.toml) of an exercise file, as rows keyed by solution name.

    A row that gives one text for several mistakes is split into one row per mistake.
    """
    text = pathlib.Path(file).with_suffix(".toml").read_text(encoding="utf-8")
    return {
        name: [each for row in rows for each in _apart(row)] if isinstance(rows, list) else rows
        for name, rows in tomllib.loads(text).items()
    }


def _apart(row):
    return [[row[0], *each] for each in row[1:]] if isinstance(row[1], list) else [row]


def rows(solution):
    """Return a solution's rows in the table of mistakes."""
    return table(inspect.getsourcefile(solution)).get(solution.__name__, [])


def check(label, inputs, name=None, simpler=None, planted=None, **how):
    """Return a decorator that builds and registers an exercise's check from its solution.

    The solution has the name of the student's function in the notebook. By default, the check is
    named after it: the check of ``let_in`` is ``check_let_in``.

    Parameters
    ----------
    label, inputs, **how
        As for `made`.
    name : str, optional
        The check's name after ``check_``, if it differs from the solution's.
    simpler : list of (text, changes), optional
        As for `made`. The default is the solution's entry under ``simpler`` in the table.
    planted : (str, sequence of int), optional
        For an exercise that plants bugs in given code. The str names the formulas or algorithm to
        compare the code with, such as "(E1) to (E7)". The bugs' rows come first in the table, and
        the ints are the numbers of rows that describe the same bug. The check names a bug's cause
        only when it is called again with the bug still there.
    """

    def registered(solution):
        slips, names = rows(solution), table(inspect.getsourcefile(solution)).get("simpler", {})
        less = names.get(solution.__name__, ()) if simpler is None else simpler
        if planted:
            around = how.get("around", as_it_is)
            how["others"] = lambda given: left_together(solution, *planted, given, around)
        checked = made(label, solution, inputs, slips, name, simpler=less, **how)
        register(in_two_steps(checked, *planted) if planted else checked)
        return solution

    return registered


def in_two_steps(checked, against, sizes):
    """Wrap a check for planted bugs so that it explains a bug only when it finds it again."""
    causes = tuple(text for text, *_ in checked.slips[: sum(sizes)])

    @functools.wraps(checked)
    def in_steps(function):
        try:
            checked(function)
        except Wrong as wrong:
            said, _, reason = str(wrong).rpartition(LIKELY)
            number, _, cause = reason.rpartition(ONE_OF_THEM)
            if cause not in causes or HINTED.get(checked.__name__) == cause:
                raise
            HINTED[checked.__name__] = cause
            text = f"{number} bugs are left: " if number else ""
            text += f"compare the lines with {against}, one by one. Run this cell again for a hint"
            raise Wrong(said + LIKELY + text) from None

    return in_steps


def register(checked):
    """Add a check to `lstm_course.checks`, and return it."""
    CHECKS[checked.__name__] = checked
    return checked


def as_it_is(function):
    """Return a function unchanged, as the default for ``around``."""
    return function


def made(
    label,
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
    """Build a check from a solution, inputs and known mistakes.

    Parameters
    ----------
    label : str
        Name of the result, such as "y(t)", where {} stands for the input's name. The message
        begins with it.
    solution : function
    inputs : function
        Returns the inputs, each a dict of the solution's arguments, as an iterable or as a dict
        keyed by the inputs' names.
    slips : list of rows
        The known mistakes, as `rows` returns them.
    name : str, optional
        As for `check`.
    simpler : list of (text, changes)
        Simpler inputs, the simplest first. ``text`` is the reason shown if the answer is wrong on
        such an input, and ``changes`` are its arguments that differ from those of the full input,
        as in ``"y=y[:1], n=1"``.
    others : function of given, optional
        Returns (text, value) pairs for mistakes that cannot be written as slips.
    of_answer : function of (answer, expected value, input), optional
        Returns (text, value) pairs for mistakes that can be recognised only from the answer.
    parts : bool
        Whether to rerun a wrong answer with parts of its input set to 0 if no mistake fits.
    then : function, optional
        Checks the student's function on further inputs, and returns their number.
    around : function
        Wraps the student's function, the solution and the slips before each is called.
    **how
        As for `check_answer`.
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
                found = reasons(solution, slips, given, around) + (others(given) if others else [])
                found += of_weights(around(solution), given)
                if of_answer:
                    found += of_answer(call(label, tried, given), right(given), given)
                return found

            def stages(given=given):
                for text, changes in simpler:
                    more = eval(f"dict({changes})", solution.__globals__ | given)
                    one = given | more if more else given
                    yield text, one, right(one)

            of = (lambda *values: solution(*copy.deepcopy(values))) if parts else None
            asked = label.format(at)
            check_answer(asked, tried, given, right(given), mistakes, stages, of=of, **how)
        passed(checked.__name__, len(given_at) + (then(function) if then else 0))

    checked.__name__ = checked.__qualname__ = f"check_{name or solution.__name__}"
    checked.__doc__, checked.inputs = solution.__doc__, lambda: list(every().values())
    # builds the same check for a variant of the solution
    checked.again = functools.partial(made, label, parts=parts, **how)
    return with_table(checked, solution, slips)


def with_table(checked, solution, slips):
    """Attach the solution and its mistakes to a check. Answers must not call the solution."""
    runner.SOLUTIONS.add(solution.__code__)
    checked.solution, checked.slips = solution, slips
    return checked


def check_test(right):
    """Return a decorator like `check`, for an exercise that asks students to write a test.

    The solution is a test that passes on the function ``right``, and fails on each slip of
    ``right`` in the table. A slip's text only names the kind of mistake, for the message.
    """

    def registered(solution):
        register(_made_of_test(solution, right))
        return solution

    return registered


def _made_of_test(solution, right):
    label, slips = solution.__name__, table(inspect.getsourcefile(solution))[right.__name__]

    def checked(test):
        answer(solution, {"a right function": right})
        call(label, test, {"a right function": right})
        by = [text for text, *places in slips if _passes(label, test, slipped(right, *places))]
        if by:
            first = f"{label}: {len(by)} of {len(slips)} wrong functions pass."
            came, expected = "no error", "an AssertionError"
            raise Wrong(message(first, {}, came, expected, [f"one that gets by: {by[0]}"]))
        print(f"{checked.__name__}: passed on 1 right function and {len(slips)} wrong ones")

    checked.__name__ = checked.__qualname__ = f"check_{label}"
    checked.__doc__, checked.right = solution.__doc__, right
    return with_table(checked, solution, slips)


def _passes(label, test, function):
    try:
        call(label, test, {"a wrong function": function})
    except Late:
        raise
    except Wrong:
        return False
    return True


def answer(solution, given):
    """Run a solution on a copy of an input, and measure its time to set the limit for answers."""
    with runner.quiet(), runner.timed():  # silence warnings such as "Mean of empty slice"
        return solution(*copy.deepcopy(list(given.values())))


def reasons(solution, slips, given, around=as_it_is):
    """Return (text, result) pairs of the mistakes that run without an error on an input."""
    found = []
    for text, *places in slips:
        with suppress(Exception):
            found.append((text, answer(around(slipped(solution, *places)), given)))
    return found


def of_weights(solution, given):
    """Return (text, result) pairs for mistakes that leave out weights or transpose them.

    The arrays are set to 0 or transposed one at a time, and then together for each kind, such as
    Wrec.
    """
    found = []
    for argument, weights in given.items():
        if isinstance(weights, dict) and any(map(_is_square, weights.values())):
            for label, names in _kinds(argument, weights).items():
                for made, text in ((np.zeros_like, "missing"), (np.transpose, TRANSPOSED)):
                    changed = weights | {name: made(weights[name]) for name in names}
                    with suppress(Exception):
                        value = answer(solution, given | {argument: changed})
                        found.append((f"{label} {text}", value))
    return found


def _is_square(weight):
    """Return whether a value is a square matrix, like a cell's recurrent weights."""
    return getattr(weight, "ndim", 0) == 2 and len(weight) == len(weight.T)


def _kinds(argument, weights):
    """Map a label, such as "Wrec1 is" or "all Wrec are", to the names of the weights it covers."""
    kinds = {
        f"{name if name.isidentifier() else f'{argument}[{written(name)}]'} is": [name]
        for name in weights
    }
    for name in weights:
        kind = re.sub("[0-9zrg]$", "", name) or argument
        kinds.setdefault(f"all {kind} are", []).append(name)
    return kinds


def left_together(solution, against, sizes, given, around=as_it_is):
    """Return (text, result) of each answer in which two or more planted bugs are left.

    ``sizes`` has the number of rows per bug. ``against`` names what the text of the answer with all
    bugs compares the lines with.
    """
    found, slips = [], iter(rows(solution))
    for bugs in itertools.product(*([None, *itertools.islice(slips, n)] for n in sizes)):
        bugs = [bug for bug in bugs if bug]
        if len(bugs) > 1:
            text = f"{len(bugs)}{ONE_OF_THEM}{bugs[0][0]}"
            if len(bugs) == len(sizes):  # all planted bugs are left, so don't hint at the first
                text = f"all three bugs are left: compare the lines with {against}, one by one"
            places = [place for _, *places in bugs for place in places]
            found.append((text, answer(around(slipped(solution, *places)), given)))
    return found


@functools.cache
def slipped(solution, *places):
    """Return the solution as a function with pieces of its body replaced.

    ``places`` alternates between a piece of the body and its replacement.
    """
    names = dict(solution.__globals__)
    exec(compile(changed(solution, *places), "a slip", "exec"), names)
    return names[solution.__name__]


def changed(solution, *places):
    """Return the solution's source with pieces of its body replaced, as in `slipped`."""
    head, body = source(solution)
    for old, new in zip(places[::2], places[1::2], strict=True):
        if body.count(old) != 1:
            n, name = body.count(old), solution.__name__
            raise ValueError(
                f"{old!r} occurs {n} times in the body of {name} in lstm_course/exercises, but "
                "should occur once: a row quotes the .py, not the notebook"
            )
        body = body.replace(old, new)
    return head + body


@functools.cache
def source(solution):
    """Split a function's source, without decorators, into head (with docstring) and body."""
    lines = textwrap.dedent(inspect.getsource(solution)).splitlines(True)
    function = ast.parse("".join(lines)).body[0]
    n = function.body[0].end_lineno
    return "".join(lines[function.lineno - 1 : n]), "".join(lines[n:])
