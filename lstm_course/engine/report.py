"""Core of every check: call the student's function, compare its answer, format the message.

The message shows the input, the answer, the expected value and a likely reason. `forms` defines
the accepted forms of an answer, and `sandbox` runs the function.
"""

import copy
import functools
import inspect
import linecache
import os
import re
import traceback
from collections.abc import Mapping

import numpy as np

from lstm_edu._util.files import MissingError

from . import record
from .forms import alike, as_array, in_form, kind, leaf_alike, leaves, listed, other_form, written
from .mistakes import common
from .sandbox import runner
from .sandbox.worker import MEMORY, Refused
from .shown import cut, message, short, side_by_side

LIBRARIES = *runner.PACKAGES, os.path.dirname(os.__file__), os.path.dirname(np.__path__[0])
UNNAMED = "no common mistake gives this: compare your lines with the equation, one by one"


class Wrong(AssertionError):
    """A wrong answer; a notebook shows only the message, without a traceback."""

    is_named = True  # whether the message names a known mistake
    slip = None  # the known mistake, in the course's words
    kind = "no mistake was named"  # for `record`, if no mistake is known; "" isn't recorded

    def _render_traceback_(self, *_):
        return str(self).split("\n")


class Unwritten(Wrong):
    """An answer that isn't written yet."""

    kind = ""


class Failed(Wrong):
    """An answer whose code raised an error."""

    kind = "the code raised an error"


class Unread(Wrong):
    """An answer that made the check itself fail."""


class Late(Wrong):
    """An answer that was stopped because it took too much time or memory."""

    kind = "the code was stopped"


class Slip(str):
    """The text of a known mistake, which contains nothing of a student's code."""


class Stopped(KeyboardInterrupt):
    """A check that the user interrupted."""

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


STOPPED = {  # for each reason to stop an answer: the message's result and likely cause
    "too long": (
        "nothing within {0:.3g} seconds of processor time",
        "does it end, and try no more than it has to?",
    ),
    "late": (
        "nothing within {1:.3g} seconds on the clock",
        "does it wait for what does not come: a long `sleep`, a lock that it holds already?",
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
# input and answer of the last call, and the message's "expected"
last = [{}, "", "what the task asks for"]


def passed(check, n, what="random inputs"):
    """Print that a check passed on ``n`` inputs, or on parts of one."""
    print(f"{check}: passed on {n} {what}")


def call(label, function, given, changes=()):
    """Call the student's function on copies of its arguments.

    Parameters
    ----------
    label : str
        Name of the result, such as "y(t)"; begins the message.
    function : callable
    given : dict
        Name to value, in the order of the function's arguments.
    changes : sequence of str
        Names of the arguments that the function may change in place.

    Returns
    -------
    object
        The function's result.

    Raises
    ------
    Wrong
        The function is not written yet, raised an error, took too long, called the package's
        version, or changed its arguments.
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
    except (Refused, SystemExit) as error:
        name = error.args[0] if isinstance(error, Refused) else "sys.exit"
        reason, at = REFUSALS.get(name, ENDS), _at(error)
        reason += f". It was at {at}" if at else ""
        raise wrong(f": your function calls `{name}`.", "no answer", "an answer", reason) from None
    except NotImplementedError:
        todo = "Put your code in the place of `raise NotImplementedError()`, and run its cell."
        raise Unwritten(f"{label}: not written yet. {todo}") from None
    except runner.Ended as error:
        (came, reason), at = STOPPED[error.args[0]], _at(error)
        reason += f" It was at {at}" if at else ""
        less = "an answer" if error.args[0] in ("crashed", "interrupt") else "an answer in far less"
        came = came.format(runner.seconds(), error.args[2])
        raise wrong(": your function was stopped.", came, less, reason, Late) from None
    except runner.Forbidden as error:
        first = f": your function calls `{error}` of the package."
        raise wrong(first, "the package's answer", "your own", WRITE_IT) from None
    except BaseException as error:  # such as GeneratorExit
        reason = _where(function, given, error)
        said = ": your code raised an error.", _said(error), "no error", reason
        raise wrong(*said, Failed) from error
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


def compare(label, got, expected, given, reasons=(), tolerance=1e-9, first=()):
    """Raise `Wrong`, with a likely reason, unless an answer equals the expected value.

    Parameters
    ----------
    label : str
        Name of the result, such as "y(t)", or "y(t), c(t)" for a pair; begins the message.
    got, expected : number, array, text, or tuples, lists and dicts of them
    given : dict
        Name to value of the input.
    reasons : sequence of (text, value)
        Likely mistakes and their results. The text whose value equals the answer becomes the
        likely reason. A value may cover a part of the answer: it then has None for the other
        parts. A function that returns the pairs is called only if they are needed.
    tolerance : float
        Largest difference of an element, relative to it or to a thousandth of its array's largest.
    first : str or tuple of str
        Names of the parts to compare first, because the others are computed from them.

    Raises
    ------
    Wrong
    """
    with runner.quiet():
        difference = _difference(label, got, expected, given, reasons, tolerance, first)
    if difference:
        wrong = Wrong(message(*difference))
        wrong.is_named = difference[-1] != [UNNAMED]
        wrong.slip = next((text for text in difference[-1] if isinstance(text, Slip)), None)
        raise wrong


def _difference(label, came, expected, given, reasons, tolerance, names):
    """Return the arguments of `message` for the first difference, or None if there is none."""
    got = in_form(came, expected)
    if got is None and expected is not None:
        reason = "did you forget to `return` it? Or was None there first, and never replaced?"
        return f"{label} is None.", given, "None", short(expected), [reason]
    known = functools.cache(reasons) if callable(reasons) else lambda: reasons
    apart = other_form(got, expected)
    if apart:
        place, g, e = apart
        likely = _fitting(came, expected, known(), tolerance)
        likely = likely or [_missing(g if place else came, e, place)]
        first = f"{_named(label, place)} has the wrong form."
        return first, given, short(g), short(e), likely
    parts, wanted = leaves(got), leaves(expected)
    for place in sorted(wanted, key=lambda place: not _named(label, place).startswith(names)):
        g, e = parts.get(place), wanted[place]
        if leaf_alike(g, e, tolerance):
            continue
        of_part = [(text, leaves(value).get(place)) for text, value in known()]
        likely = _fitting(came, expected, known(), tolerance) or _fitting(g, e, of_part, tolerance)
        bare = re.sub(r"^At .*, (?=\()", "", label)  # the message's first line names the word
        likely = likely or _exchanged(bare, place, parts, wanted) or common(g, e, given, tolerance)
        likely = likely or _others_right(bare, place, parts, wanted)
        shown = side_by_side(g, e, tolerance)
        return f"{_named(label, place)} is wrong.", given, *shown, likely
    return None


def _exchanged(label, place, parts, wanted):
    """Return a list with the reason if this part has another part's expected value."""
    got = as_array(parts.get(place))
    if got is None or got.size < 2 or not np.any(got):
        return []
    return [
        f"this is what {_named(label, other)} should be: have two of them changed places?"
        for other, e in wanted.items()
        if other != place and leaf_alike(got, e, 1e-9)
    ][:1]


def _others_right(label, place, parts, wanted):
    """Return a list with a reason that names the other parts if they are right, else `UNNAMED`."""
    right = [
        _named(label, other)
        for other, e in wanted.items()
        if other != place and leaf_alike(parts.get(other), e, 1e-9)
    ]
    if not right:
        return [UNNAMED]
    names = ", ".join(right[:4]) + (" and others are" if len(right) > 4 else "")
    names += " is" if len(right) == 1 else " are" if len(right) < 5 else ""
    return [f"{names} right: look at the lines that make {_named(label, place)} alone"]


def _named(label, place):
    """Return the name of an answer's part: from the label if it lists all parts, else its index."""
    at_word, parts = re.fullmatch(r"(At .*, (?=\())?(.*)", label).groups("")
    bare = parts[1:-1] if re.fullmatch(r"\(.*\)", parts) else parts
    names, at = re.split(r", (?![^(]*\))", bare), re.match(r"\[(\d)\]", place)
    if at and 1 < len(names) > int(at[1]):
        return at_word + names[int(at[1])] + place[at.end() :]
    return (label.removeprefix("the ") if place else label) + place


def _missing(got, expected, place):
    """Describe how an answer's form, or its part's at `place`, differs from the expected form."""
    verb = "make it" if place else "return"
    if isinstance(got, Mapping) and isinstance(expected, dict):
        missing = [key for key in expected if key not in got]
        more = [key for key in got if key not in expected]
        if missing and {str(key) for key in missing} <= {str(key) for key in more}:
            key = next(key for key in more if str(key) == str(missing[0]))
            types = type(missing[0]).__name__, type(key).__name__
            return f"the key {written(missing[0])} should be of type {types[0]}, not {types[1]}"
        text = f"{listed(missing)} {'is' if len(missing) == 1 else 'are'} missing"
        text += (
            f", and {listed(more)} {'is' if len(more) == 1 else 'are'} not expected" if more else ""
        )
        return f"{text}: {verb} {kind(expected)}"
    if kind(got) == kind(expected):
        return "its parts have the wrong form"
    return f"{verb} {kind(expected)}, not {kind(got)}"


def _fitting(got, expected, reasons, tolerance):
    """Return a list with the text of the first known mistake whose value equals the answer."""
    near, known = max(tolerance, 1e-9), [(text, v) for text, v in reasons if v is not None]
    fitting = [(text, value) for text, value in known if alike(got, value, near)]
    return [Slip(text) for text, value in fitting if not alike(value, expected, tolerance)][:1]


def _said(error):
    """Format an exception in one line."""
    try:
        return cut(f"{type(error).__name__}: {error}")
    except Exception:  # formatting the message failed
        return type(error).__name__


def _where(function, given, error):
    """Return advice on where to look for the cause of an error, or None."""
    at = _at(error)
    if at:
        return f"look at your line: {at}"
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
