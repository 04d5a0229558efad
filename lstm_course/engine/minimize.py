"""Search for a simpler input on which an answer is wrong, to show when no known mistake fits."""

import copy
import functools

import numpy as np

from .calling import call
from .forms import alike, as_array, leaves, written
from .report import Wrong, compare
from .shown import by_hand


def check_answer(label, function, given, expected, reasons=(), simpler=(), of=None, **how):
    """Raise `Wrong`, with a likely reason, unless a function returns the expected value.

    Parameters
    ----------
    label : str
    function : callable
    given : dict
    expected, reasons, **how
        As for `compare`.
    simpler : sequence of (text, given, expected), or function that returns it
        Simpler inputs, the simplest first. If no reason fits, the message shows the first of them
        on which the answer is wrong, instead of the full input, with its text as the reason. A
        function is called only if no reason fits.
    of : function, optional
        Returns the expected value for an input's values, passed in order. If it is given and no
        reason fits, the answer is tried with parts of the input set to 0.

    Raises
    ------
    Wrong
    """
    hold = functools.partial(compare, label, **how)
    got = call(label, function, given)
    try:
        hold(got, expected, given, reasons)
    except Wrong as wrong:
        if wrong.is_named:
            raise
        for text, less, right in simpler() if callable(simpler) else simpler:
            answer = call(label, function, less)
            hold(answer, right, given if less is given else by_hand(less), text)
        if of:
            _check_with_zeros(label, function, given, got, of, hold)
        raise


def _check_with_zeros(label, function, given, got, of, hold):
    """Set parts of the input to 0, and raise `Wrong` if that shows where the answer is wrong.

    If setting one part to 0 makes the answer right, name that part. Otherwise set parts to 0, one
    after the other, as long as the answer stays wrong, and show the resulting input.
    """
    parts, zeros, last = _parts(given), [], None
    tolerance = hold.keywords.get("tolerance", 1e-9)
    alone = {part: _tried(label, function, given, of, [part]) for part in parts}
    right = [part for part in parts if _is_right(alone[part], tolerance)]
    if right:
        text = f"right where {_named(right[:3], 'or')} is 0: look at how you use it"
        hold(got, of(*given.values()), given, text)
    for part in parts:
        tried = _tried(label, function, given, of, [*zeros, part])
        if tried and not alike(*tried[1:], tolerance):
            zeros, last = [*zeros, part], tried
    if last:
        simple, answer, wanted = last
        others = [part for part in parts if part not in zeros]
        where = f"all but {_named(others, 'and')} is 0" if others else "all is 0"
        if len(others) > 3:
            where = f"{_named(zeros[:4], 'and')} {'is' if len(zeros) == 1 else 'are'} 0"
        text = f"already wrong where {where}: there it can be followed by hand"
        hold(answer, wanted, by_hand(simple), text)


def _parts(given):
    """List the float inputs as (name, None), and the float values of dicts as (name, key)."""
    found = []
    for name, value in given.items():
        for key, part in value.items() if isinstance(value, dict) else [(None, value)]:
            array = as_array(part)
            if array is not None and array.dtype.kind == "f":
                found.append((name, key))
    return found


def _named(parts, word):
    """Join the names of inputs for a message, as in "`a`, `b` and `c`"."""
    shown = [key if str(key).isidentifier() else f"{name}[{written(key)}]" for name, key in parts]
    names = [f"`{name if key is None else text}`" for (name, key), text in zip(parts, shown)]
    return f" {word} ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _tried(label, function, given, of, zeros):
    """Set parts of the input to 0, and return the new input, its answer and its expected value.

    Return None if the answer raises an error or the expected value is not finite.
    """
    simple = copy.deepcopy(given)
    for name, key in zeros:
        values, at = (simple, name) if key is None else (simple[name], key)
        values[at] = np.zeros(np.shape(values[at])) if np.ndim(values[at]) else 0.0
    with np.errstate(all="ignore"):
        try:
            answer, wanted = call(label, function, simple), of(*simple.values())
        except Wrong:
            return None
    finite = all(np.isfinite(as_array(part)).all() for part in leaves(wanted).values())
    return (simple, answer, wanted) if finite else None


def _is_right(tried, tolerance):
    """Return whether an answer is right and its expected value isn't all 0."""
    if tried is None:
        return False
    _, answer, wanted = tried
    any_left = any(np.any(part) for part in leaves(wanted).values())
    return any_left and alike(answer, wanted, tolerance)
