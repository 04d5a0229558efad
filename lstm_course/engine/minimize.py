"""Where an answer begins to be wrong, if no mistake that a check knows gives what came."""

import copy

import numpy as np

from .forms import alike, as_array, leaves
from .report import Wrong, call, hold_against


def hold(
    what, function, given, expected, reasons=(), simpler=(), tolerance=1e-9, show=dict, of=None
):
    """Raise `Wrong`, with a likely reason, unless the student's function gives what is expected.

    Parameters
    ----------
    what : str
    function : callable
    given : dict
    expected, reasons, tolerance
        As for `hold_against`.
    simpler : function of nothing, or sequence of (text, given, expected)
        Simpler inputs, the simplest first. Where no reason fits, the first that is wrong is shown
        in the place of the full input, with its text as the reason. A function that returns them
        is called only where they are needed.
    show : function of given
        Returns what the message shows of an input.
    of : function of what is given, in its order
        Returns what is expected. With it, an answer that no reason fits is tried where parts of the
        input are 0.

    Raises
    ------
    Wrong
    """
    got = call(what, function, given)
    try:
        hold_against(what, got, expected, show(given), reasons, tolerance)
    except Wrong as wrong:
        if wrong.is_named:
            raise
        for text, less, right in simpler() if callable(simpler) else simpler:
            answer = call(what, function, less)
            hold_against(what, answer, right, show(less), [(text, answer)], tolerance)
        if of:
            _hold_where_parts_are_0(what, function, given, got, of, tolerance, show)
        raise


def _hold_where_parts_are_0(what, function, given, got, of, tolerance, show):
    """Raise what can be said of a wrong answer by parts of the input that are 0.

    Either it is right where one of them is: then that one is named. Or it is wrong still where
    several are: then this input is shown, with as many as there can be one after the other.
    """
    parts, zeros, last = _parts(given), [], None
    alone = {part: _tried(what, function, given, of, [part]) for part in parts}
    right = [part for part in parts if _is_told(alone[part], tolerance)]
    if right:
        text = f"right where {_named(right[:3], 'or')} is 0: look at what you do with it"
        told = [(text, got)]
        hold_against(what, got, of(*given.values()), show(given), told, tolerance)
    for part in parts:
        tried = _tried(what, function, given, of, [*zeros, part])
        if tried and not alike(*tried[1:], tolerance):
            zeros, last = [*zeros, part], tried
    if last:
        simple, answer, wanted = last
        others = [part for part in parts if part not in zeros]
        where = f"all but {_named(others, 'and')} is 0" if others else "all is 0"
        if len(others) > 3:
            where = f"{_named(zeros[:4], 'and')} {'is' if len(zeros) == 1 else 'are'} 0"
        told = [(f"wrong already where {where}: there it can be followed by hand", answer)]
        hold_against(what, answer, wanted, show(simple), told, tolerance)


def _parts(given):
    """The names of what is given as numbers that are not whole, (name, None) or (name, key)."""
    found = []
    for name, value in given.items():
        for key, part in value.items() if isinstance(value, dict) else [(None, value)]:
            array = as_array(part)
            if array is not None and array.dtype.kind == "f":
                found.append((name, key))
    return found


def _named(parts, word):
    """The parts by their names: `a`, `b` and `c`."""
    shown = [str(key) if str(key).isidentifier() else f"{name}[{key}]" for name, key in parts]
    shown = [name if key is None else own for (name, key), own in zip(parts, shown)]
    names = [f"`{name}`" for name in shown]
    return f" {word} ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _tried(what, function, given, of, zeros):
    """The input with these parts 0, what came and what was expected; None where there is none."""
    simple = copy.deepcopy(given)
    for name, key in zeros:
        holder, at = (simple, name) if key is None else (simple[name], key)
        holder[at] = 0.0 * np.asarray(holder[at]) if np.ndim(holder[at]) else 0.0
    with np.errstate(all="ignore"):
        try:
            answer, wanted = call(what, function, simple), of(*simple.values())
        except Wrong:
            return None
    finite = all(np.isfinite(as_array(part)).all() for part in leaves(wanted).values())
    return (simple, answer, wanted) if finite else None


def _is_told(tried, tolerance):
    """Whether an answer is right, where what is expected is not 0 anyway."""
    if tried is None:
        return False
    _, answer, wanted = tried
    any_left = any(np.any(part) for part in leaves(wanted).values())
    return any_left and alike(answer, wanted, tolerance)
