"""Short forms of values for a message, one line each."""

import reprlib

import numpy as np

from .forms import as_array, off

LONGEST = 150
_SHORT = reprlib.Repr()
_SHORT.maxlist = _SHORT.maxtuple = _SHORT.maxset = _SHORT.maxdict = 30
_SHORT.maxstring = _SHORT.maxother = _SHORT.maxlong = LONGEST


def short(value):
    """Show a value in a line: small arrays in full, large ones by shape and first elements."""
    if isinstance(value, dict):
        parts = (
            f"{name}: {short(part) if np.ndim(part) == 0 else shape(part)}"
            for name, part in list(value.items())[:30]
        )
        return cut("{" + ", ".join(parts) + "}", 200)
    if isinstance(value, tuple):
        return cut("(" + ", ".join(map(short, value[:30])) + ")", 3 * LONGEST)
    if callable(value) and hasattr(value, "__name__"):
        return value.__name__  # a function or class
    array = as_array(value)
    plain = array is not None and array.dtype.kind not in "fc"
    if array is None or plain and (array.ndim == 0 or isinstance(value, list)):
        try:
            return cut(_SHORT.repr(value))
        except Exception:  # for example an int with thousands of digits
            return f"something of type {type(value).__name__}"
    if array.ndim == 0:
        return f"{array[()]:.6g}"
    with np.errstate(all="ignore"):
        plain = 1e-2 < np.abs(array).max(initial=0) < 1e4
        look = dict(precision=4, threshold=12, edgeitems=2, linewidth=10_000, suppress=plain)
        with np.printoptions(**look):
            text = " ".join(str(array).split()).replace("[ ", "[").replace(" ]", "]")
    return f"{cut(text)} {shape(array)}"


def cut(text, longest=LONGEST):
    """Cut a text to one line of at most ``longest`` characters."""
    text = " ".join(text[: 4 * longest].split())
    return text if len(text) < longest else f"{text[: longest - 3]}…"


def shape(value):
    """Format the shape of an array; anything else counts as an array of its length."""
    array = as_array(value)
    found = (len(value),) if array is None else array.shape
    return "(" + ", ".join(map(str, found)) + ")"


def message(first, given, came, expected, reasons):
    """Format a message: its first line, then given, came, expected and likely."""
    lines = [first, *(f"  given     {name} = {short(value)}" for name, value in given.items())]
    lines += [f"  came      {came}", f"  expected  {expected}"]
    return "\n".join(lines + [f"  likely    {reason}" for reason in reasons])


def side_by_side(got, expected, tolerance):
    """Format an answer and the expected value.

    For a large array, or if both texts are the same, add the first element that differs.
    """
    g, e, texts = as_array(got), as_array(expected), (short(got), short(expected))
    apart = None if g is None or e is None or g.shape != e.shape else off(g, e, tolerance)
    if apart is None or not apart.any() or apart.size < 9 and texts[0] != texts[1]:
        return texts
    first = tuple(int(k) for k in np.argwhere(apart)[0])
    pair = [f"{value[first]:.6g}" for value in (g, e)]
    if pair[0] == pair[1]:
        pair = [f"{value[first]:.15g}" for value in (g, e)]
    where = f", at [{', '.join(map(str, first))}] " if first else ", that is "
    came, wanted = (text + where + number for text, number in zip(texts, pair))
    return came, f"{wanted}; {apart.sum()} of {apart.size} elements differ"
