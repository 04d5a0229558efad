"""Comparison of an answer with the expected value, and the message that names a likely mistake.

The message shows the input, the answer, the expected value and a likely reason. `forms` defines
the accepted forms of an answer.
"""

import functools
import re
from collections.abc import Mapping

import numpy as np

from .forms import alike, as_array, in_form, kind, leaf_alike, leaves, listed, other_form, written
from .mistakes import common
from .sandbox import runner
from .shown import message, short, side_by_side

UNNAMED = "no common mistake gives this: compare your lines with the equation, one by one"


class Wrong(AssertionError):
    """Raised for a wrong answer. A notebook shows only its message, without a traceback."""

    is_named = True  # whether the message names a known mistake
    slip = None  # the known mistake, in the course's words
    kind = "no mistake was named"  # recorded if no known mistake fits; "" adds no line

    def _render_traceback_(self, *_):
        return str(self).split("\n")


class Slip(str):
    """The course's text for a known mistake, which contains none of the student's code."""


def compare(label, got, expected, given, reasons=(), tolerance=1e-9, first=()):
    """Raise `Wrong`, with a likely reason, unless an answer equals the expected value.

    Parameters
    ----------
    label : str
        Name of the result, such as "y(t)", or "y(t), c(t)" for a pair. The message begins with it.
    got, expected : number, array, str, or tuples, lists and dicts of them
    given : dict
        The input: values keyed by name.
    reasons : sequence of (text, value), function that returns one, or str
        Likely mistakes and their results. The text whose value equals the answer becomes the
        likely reason. A value that covers only a part of the answer has None for the other
        parts. A function is called only if the answer is wrong. A str is the reason for every
        wrong answer.
    tolerance : float
        Largest allowed difference of an element, relative to the largest of three numbers: the
        expected absolute value, a thousandth of the largest one in the array, and 0.001.
    first : str or tuple of str
        Names of the parts to compare first, because the others are computed from them.

    Raises
    ------
    Wrong
    """
    reasons = [(reasons, got)] if isinstance(reasons, str) else reasons
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
        # drop "At word …", which the message's first line already has
        bare = re.sub(r"^At .*, (?=\()", "", label)
        likely = likely or _exchanged(bare, place, parts, wanted) or common(g, e, given, tolerance)
        likely = likely or _others_right(bare, place, parts, wanted)
        shown = side_by_side(g, e, tolerance)
        return f"{_named(label, place)} is wrong.", given, *shown, likely
    return None


def _exchanged(label, place, parts, wanted):
    """Return a list with the reason if this part equals another part's expected value, or []."""
    got = as_array(parts.get(place))
    if got is None or got.size < 2 or not np.any(got):
        return []
    return [
        f"this is what {_named(label, other)} should be: have two of them changed places?"
        for other, e in wanted.items()
        if other != place and leaf_alike(got, e, 1e-9)
    ][:1]


def _others_right(label, place, parts, wanted):
    """Return a list with one reason: the names of the parts that are right, or `UNNAMED`."""
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
    """Return the name of an answer's part: its name in the label, or the label and an index."""
    at_word, parts = re.fullmatch(r"(At .*, (?=\())?(.*)", label).groups("")
    bare = parts[1:-1] if re.fullmatch(r"\(.*\)", parts) else parts
    names, at = re.split(r", (?![^(]*\))", bare), re.match(r"\[(\d)\]", place)
    if at and 1 < len(names) > int(at[1]):
        return at_word + names[int(at[1])] + place[at.end() :]
    return (label.removeprefix("the ") if place else label) + place


def _missing(got, expected, place):
    """Describe how an answer, or its part at ``place``, differs from the expected form."""
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
