"""Calls to the student's function, and the messages if it fails, is stopped or changes its input.

`sandbox` runs the function.
"""

import copy
import functools
import inspect
import linecache
import os
import re
import traceback

import numpy as np

from lstm_edu._util.files import MissingError

from . import record
from .forms import alike, leaves
from .report import Wrong
from .sandbox import runner
from .sandbox.worker import MEMORY, Refused
from .shown import cut, message, short, side_by_side

LIBRARIES = *runner.PACKAGES, os.path.dirname(os.__file__), os.path.dirname(np.__path__[0])


class Unwritten(Wrong):
    """Raised for an answer that isn't written yet."""

    kind = ""


class Failed(Wrong):
    """Raised for an answer whose code raised an error."""

    kind = "the code raised an error"


class Unread(Wrong):
    """Raised when the check itself fails."""


class Late(Wrong):
    """Raised for an answer that was stopped, as when it took too much time or memory."""

    kind = "the code was stopped"


class Stopped(KeyboardInterrupt):
    """Raised when the user interrupts a check."""

    _render_traceback_ = Wrong._render_traceback_


def judged(check):
    """Wrap a check so that every failure is shown as a message, without a traceback."""

    @functools.wraps(check)
    def judge(*functions, **named):
        name, last[:2] = check.__name__, ({}, "")
        try:
            inspect.signature(check).bind(*functions, **named)
        except TypeError:
            raise Wrong(f"{name}: give the check your function: checks.{name}(…)") from None
        try:
            with runner.of_check(name):
                check(*functions, **named)
            record.note(check)
        except KeyboardInterrupt:
            raise Stopped(f"{name}: stopped by hand") from None
        except Wrong as wrong:
            record.note(check, wrong)
            raise
        except MissingError as error:  # the check itself lacks a file or package
            raise Wrong(str(error)) from None
        except Exception as error:
            if not last[1]:  # the check failed before it ran an answer
                raise Unread(f"{name} fails here, whatever the answer ({_said(error)})") from error
            reason = "compare its form with what the function's first lines say that it returns"
            first = f"{name}: your answer could not be read ({_said(error)})."
            raise Unread(message(first, *last, [reason])) from error

    return judge


STOPPED = {  # per reason for stopping an answer: the message's result and likely cause
    "too long": (
        "nothing within {0:.3g} seconds of processor time",
        "does it end, and try no more than it has to?",
    ),
    "late": (
        "nothing within {1:.3g} seconds on the clock",
        "does it end, and wait for nothing that does not come, such as a lock that it holds?",
    ),
    "memory": (
        f"more than {MEMORY >> 30} GB in memory",
        "what does it make that grows, or is far too large?",
    ),
    "crashed": (
        "the end of Python itself",
        "native code that it calls fails, or it calls itself too deeply.",
    ),
    "interrupt": ("a KeyboardInterrupt", "only a person at the keyboard should raise one."),
}
ENDS = "end a function by `return`: this would end Python"
ASKS = "nobody replies in a check: use the function's arguments alone"
REFUSALS = dict.fromkeys(("input", "getpass", "breakpoint", "set_trace", "sys.stdin"), ASKS)
REFUSALS["get_ipython"] = "lines with `!` or `%` work in cells, not in answers"
WRITE_IT = "this is what the exercise asks you to write: do it in lines of your own"
IN_PLACE = "a line like `{0} += …` or `{0}[…] = …` writes into the caller's array: "
IN_PLACE += "make a new one, or copy it first"
# the last call's input and answer, and the text of the message's line "expected"
last = [{}, "", "what the task asks for"]


def passed(check, n, what="random inputs"):
    """Print that a check passed on ``n`` inputs, or ``n`` of the items that ``what`` names."""
    print(f"{check}: passed on {n} {what}")


def call(label, function, given, changes=()):
    """Call the student's function on copies of its arguments.

    Parameters
    ----------
    label : str
        Name of the result, such as "y(t)". The message begins with it.
    function : callable
    given : dict
        The arguments, keyed by name, in the function's order.
    changes : sequence of str
        Names of the arguments that the function may change in place.

    Returns
    -------
    object
        The function's result.

    Raises
    ------
    Wrong
        The function is not written yet, raised an error, was stopped, called the package's
        version or a refused function, or changed its arguments.
    """
    if not callable(function):
        first = f"{label}: give the check your function, not what it returns."
        raise Wrong(f"{first}\n  came      {short(function)}")
    copies = copy.deepcopy(given)

    def wrong(first, came, expected, reason, kind=Wrong):
        return kind(message(f"{label}{first}", given, came, expected, [reason] if reason else []))

    try:
        got = runner.run(function, copies.values())
    except (Wrong, KeyboardInterrupt):
        raise
    except NotImplementedError:
        todo = "Put your code in the place of `raise NotImplementedError()`, and run its cell."
        raise Unwritten(f"{label}: not written yet. {todo}") from None
    except BaseException as error:  # such as GeneratorExit
        raise wrong(*_of_error(error, function, given)) from error
    for name, value in given.items():
        for place, now, before in _changed(name, copies[name], value):
            if name not in changes:
                first, reason = f": {place} was changed in place.", IN_PLACE.format(name)
                raise wrong(first, f"{place} = {now}", f"as given, {before}", reason)
    try:
        last[:2] = given, short(got)
    except RecursionError:
        reason = "which line puts the whole answer into one of its parts?"
        raise wrong(
            " contains itself.", "a dict or list inside itself", "its parts", reason
        ) from None
    return got


def _of_error(error, function, given):
    """Return a message's first line, result, expected result and reason, and the class to raise."""
    at = _at(error)
    if isinstance(error, Refused | SystemExit):
        name = error.args[0] if isinstance(error, Refused) else "sys.exit"
        reason = REFUSALS.get(name, ENDS) + (f". It was at {at}" if at else "")
        return f": your function calls `{name}`.", "no answer", "an answer", reason, Wrong
    if isinstance(error, runner.Ended):
        came, reason = STOPPED[error.args[0]]
        came = came.format(runner.seconds(), error.args[2])
        reason += f" It was at {at}" if at else ""
        less = "an answer" if error.args[0] in ("crashed", "interrupt") else "an answer in far less"
        return ": your function was stopped.", came, less, reason, Late
    if isinstance(error, runner.Forbidden):
        first = f": your function calls `{error}` of the package."
        return first, "the package's answer", "your own", WRITE_IT, Wrong
    reason = f"look at your line: {at}" if at else _of_arguments(function, given)
    return ": your code raised an error.", _said(error), "no error", reason, Failed


def refuse_overflow(label, function, given, reason):
    """Raise `Wrong` if a function with a correct result overflows in an intermediate step."""

    def careful(*arguments):
        with np.errstate(over="raise"):
            return function(*arguments)

    try:
        runner.run(careful, copy.deepcopy(given).values())
    except FloatingPointError as error:
        first = f"{label} is right, but a number overflows on the way."
        reason += f". Look at your line: {_at(error)}"
        raise Wrong(message(first, given, str(error), "no overflow", [reason])) from None


def _changed(name, now, before):
    """Yield (place, value now, value before) for each part of an argument that was changed."""
    parts, wanted = leaves(now, name), leaves(before, name)
    if parts.keys() != wanted.keys():
        parts, wanted = {name: now}, {name: before}
    for place, part in wanted.items():
        if not (alike(parts[place], part, 0) and alike(part, parts[place], 0)):
            yield place, *side_by_side(parts[place], part, 0)


def _said(error):
    """Format an exception on one line."""
    try:
        return cut(f"{type(error).__name__}: {error}")
    except Exception:  # formatting the message failed
        return type(error).__name__


def _of_arguments(function, given):
    """Return a reason that lists the arguments if the signature rejects them, else None."""
    try:
        inspect.signature(function).bind(*given)
    except TypeError:
        return f"it is called with {', '.join(given)}, in this order: let it take these"
    except ValueError:  # native functions may have no signature
        pass


def _at(error):
    """Return the source line that raised an error in the student's code, in backquotes, or None."""
    places = [(frame.filename, frame.lineno) for frame in traceback.extract_tb(error.__traceback__)]
    if isinstance(error, runner.Ended):
        places += reversed(re.findall(r'File "(.+)", line (\d+)', error.args[1]))
    places = [place for place in places if not place[0].startswith(LIBRARIES)]
    lines = list(filter(None, (linecache.getline(name, int(n)).strip() for name, n in places)))
    return f"`{cut(lines[-1])}`" if lines else None  # no source line, as in native code
