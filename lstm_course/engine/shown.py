"""Formatting of values for messages, one line each."""

import re
import reprlib

import numpy as np

from .forms import all_texts, as_array, leaves, off, written

LONGEST, IN_FULL = 150, 24  # maximum number of characters, and of array elements to show in full
LIKELY = "\n  likely    "
_SHORT = reprlib.Repr()
_SHORT.maxlist = _SHORT.maxtuple = _SHORT.maxset = _SHORT.maxdict = 30
_SHORT.maxstring = _SHORT.maxother = _SHORT.maxlong = LONGEST


def short(value):
    """Format a value on one line: small arrays in full, large ones by shape and first elements.

    A list that contains arrays is shown by its first and last elements and its length.
    """
    value = value._asdict() if hasattr(value, "_asdict") else value
    if isinstance(value, dict):
        parts = (
            f"{written(name)}: {short(part) if np.ndim(part) == 0 else shape(part)}"
            for name, part in list(value.items())[:30]
        )
        return cut("{" + ", ".join(parts) + "}", 200)
    if isinstance(value, tuple):
        return cut("(" + ", ".join(map(short, value[:30])) + ")", 3 * LONGEST)
    if callable(value) and hasattr(value, "__name__"):
        return value.__name__
    array = as_array(value)
    if isinstance(value, list) and array is None and _has_arrays(value):
        return _ends(value)
    plain = array is not None and array.dtype.kind not in "fc"
    if array is None or plain and (array.ndim == 0 or isinstance(value, list)):
        try:
            return cut(_SHORT.repr(value.tolist() if isinstance(value, np.ndarray) else value))
        except Exception:  # raised for an int of thousands of digits, for example
            return f"something of type {type(value).__name__}"
    if array.ndim == 0:
        return f"{array[()]:.6g}"
    if array.size > IN_FULL and not array.any():
        return f"all 0 {shape(array)}"
    with np.errstate(all="ignore"):
        plain = 1e-2 < np.abs(array).max(initial=0) < 1e4
        look = dict(precision=4, threshold=IN_FULL, edgeitems=2, linewidth=10_000, suppress=plain)
        with np.printoptions(**look):
            text = " ".join(str(array).split()).replace("[ ", "[").replace(" ]", "]")
    return f"{cut(text, 9 * IN_FULL)} {shape(array)}"


def _ends(value):
    """Format a list's first and last element, and its length."""
    ends = " … ".join(map(short, value[:: max(1, len(value) - 1)]))
    return cut(f"[{ends}], {len(value)} in all", 3 * LONGEST)


def _has_arrays(value):
    return any(isinstance(part, np.ndarray) for part in leaves(value).values())


def cut(text, longest=LONGEST):
    """Join a text's lines into one, and cut it to at most ``longest`` characters."""
    text = re.sub(r"\s*\n\s*", " ", text[: 4 * longest].strip())
    return text if len(text) < longest else f"{text[: longest - 3]}…"


def shape(value):
    """Format the shape of an array, or the length of another container."""
    array = as_array(value)
    found = (len(value),) if array is None else array.shape
    return "(" + ", ".join(map(str, found)) + ")"


def message(first, given, came, expected, reasons):
    """Format a message: first line, input, answer, expected value and likely reason."""
    lines = [first, *(f"  given     {name} = {short(value)}" for name, value in given.items())]
    lines += [f"  came      {came}", f"  expected  {expected}"]
    return "\n".join(lines) + "".join(LIKELY + reason for reason in reasons)


def side_by_side(got, expected, tolerance):
    """Format an answer and the expected value so that the two texts differ.

    Both texts also show the first wrong element if the array has nine or more elements, or if the
    short forms look alike.
    """
    g, e, texts = as_array(got), as_array(expected), (short(got), short(expected))
    if g is None or e is None:
        return _texts_apart(got, expected, texts)
    if g.shape != e.shape or not (apart := off(g, e, tolerance)).any():
        return texts
    first = tuple(int(k) for k in np.argwhere(apart)[0])
    alike, pair = _digits(g[first], e[first])
    if not first:
        return pair if alike else texts
    # compare only wrong elements, because right ones may also look different, such as -0 and 0
    if apart.size < 9 and short(np.where(apart, g, e)) != texts[1]:
        return texts
    came, wanted = (f"{text}, at {list(first)} {number}" for text, number in zip(texts, pair))
    return came, f"{wanted}; {apart.sum()} of {apart.size} elements differ"


def _digits(g, e):
    """Return whether two numbers agree to six digits, and two texts that show how they differ."""
    pairs = [(str(g), str(e))]
    if {g.dtype.kind, e.dtype.kind} <= set("fiu"):
        pairs = [(f"{g:.{n}g}", f"{e:.{n}g}") for n in (6, 9, 12, 17)] + pairs
    return len(set(pairs[0])) == 1, next(pair for pair in pairs if pair[0] != pair[1])


def _texts_apart(got, expected, shown):
    """Return the short forms of two strings or lists, with a difference if the forms look alike."""
    both = [got, expected]
    if not (all_texts(*both) or all(isinstance(value, str) for value in both)):
        return shown
    k = next((k for k, (g, e) in enumerate(zip(*both)) if g != e), min(map(len, both)))
    n = 20 if isinstance(got, str) else 1
    parts = [value[k : k + n] for value in both]
    if shown[0] != shown[1] and str([part[:1] for part in parts]).isascii():
        return shown
    return tuple(f"{text}, from [{k}] {cut(ascii(part))}" for text, part in zip(shown, parts))


def by_hand(given):
    """Split an input's dicts and lists into arrays, with one entry for all arrays of zeros."""
    shown = {}
    for name, value in given.items():
        value = value._asdict() if hasattr(value, "_asdict") else value
        parts = leaves(value, name)
        if not all(isinstance(part, np.ndarray) for part in parts.values()):
            parts = {name: value}
        shown |= {place: part for place, part in parts.items() if place == name or np.any(part)}
        left = shown.keys() & parts.keys()
        if len(left) < len(parts):
            shown[f"all {'else ' if left else ''}in {name}"] = 0
    return shown
