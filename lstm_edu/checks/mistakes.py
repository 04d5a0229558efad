"""Mistakes that show in any exercise, whatever is asked for."""

import numpy as np

from .forms import as_array, kind, leaf_alike, off


def common(got, expected, given, tolerance):
    """The likely reason why a part of an answer is not what is expected: a list of one, or none."""
    g, e = as_array(got, expected), as_array(expected)
    if got is None:
        return ["this part is None: was it computed, and returned?"]
    if g is None or e is None:
        return [] if kind(got) == kind(expected) else [f"return {kind(expected)}, not {kind(got)}"]
    told = _form(g, e, tolerance) or _value(got, g, e, given, tolerance)
    return [told] if told else []


def _form(g, e, tolerance):
    """What is wrong with shape and type."""
    if g.shape != e.shape:
        if g.ndim == 2 and g.T.shape == e.shape and not off(g.T, e, tolerance).any():
            return "transposed: rows and columns are exchanged"
        if g.size == e.size and not off(g.ravel(), e.ravel(), tolerance).any():
            return f"the right numbers in shape {g.shape}, and should be in {e.shape}"
        return f"the shape is {g.shape}, and should be {e.shape}"
    if g.dtype.kind != e.dtype.kind and {g.dtype.kind, e.dtype.kind} & set("bc"):
        return f"the elements are {g.dtype}, and should be {e.dtype}"
    return None


def _value(got, g, e, given, tolerance):
    """What is wrong with the numbers, in the order in which one would look."""
    with np.errstate(all="ignore"):
        if np.isnan(g).any() and not np.isnan(e).any():
            return (
                "NaN is not a number: 0/0, inf - inf, or the root or logarithm of a negative number"
            )
        if not np.isfinite(g).all() and np.isfinite(e).all():
            return "infinite: a division by 0, or an exp of a large number"
        for name, value in given.items():
            array = as_array(value)
            if array is not None and array.size > 1 and leaf_alike(got, array, tolerance):
                return (
                    f"this is {name} as it was given: "
                    f"is the result assigned, and returned, or {name}?"
                )
        if g.size and not g.any():
            return "all of it is 0: is the result written into the array that is returned?"
        if e.dtype.kind == "b":
            return "True and False are exchanged" if (g == ~e).all() else None
        if not off(-g, e, tolerance).any():
            return "the sign: this is minus what was expected"
        if g.ndim == 2 and g.shape[0] == g.shape[1] and not off(g.T, e, tolerance).any():
            return "transposed: rows and columns are exchanged"
        if g.dtype == "float32" and not off(g, e, 1e-3).any():
            return "float32 was used on the way, float64 was given"
        return _of_many(g, e, tolerance) or _rounded(g, e, tolerance)


def _of_many(g, e, tolerance):
    """What shows in several numbers."""
    if g.size < 2:
        return None
    factor = np.median((g / e)[e != 0]) if e.any() else np.nan
    if np.isfinite(factor) and factor and not off(g / factor, e, tolerance).any():
        return f"every element is {factor:.6g} times what was expected"
    if not off(np.sort(g, None), np.sort(e, None), tolerance).any():
        return "the right numbers, in another order"
    if not off(g, np.abs(e), tolerance).any():
        return "the signs are lost: these are absolute values"
    if g.ndim == 1 and not off(g, np.cumsum(e), tolerance).any():
        return "each holds those before it as well: these are running sums"
    return _shifted(g, e, tolerance) or _on_one_side(g, e, tolerance)


def _shifted(g, e, tolerance):
    if e.ndim and len(e) > 3 and np.ptp(e) > 0:
        for by, text in ((1, "later"), (-1, "earlier")):
            if not off(g, np.roll(e, by, 0), tolerance)[1:-1].any():
                return f"off by one: each stands one place {text} than it should"
    return None


def _on_one_side(g, e, tolerance):
    """Where only the first, or only the last, of several is wrong."""
    if not e.ndim:
        return None
    rows = off(g, e, tolerance).reshape(len(g), -1).any(axis=1)
    if len(rows) > 2 and rows.sum() == 1:
        for at, text in ((0, "first"), (-1, "last")):
            if rows[at]:
                return f"all but the {text} are right: what is different there?"
    return None


def _rounded(g, e, tolerance):
    whole = g == np.rint(g)
    if whole.all() and (e != np.rint(e)).any():
        if not off(g, np.trunc(e), tolerance).any():
            return (
                "cut to whole numbers: int(…), // or an array of int loses what follows the point"
            )
        if not off(g, np.rint(e), tolerance).any():
            return "rounded to whole numbers"
    if (e == np.rint(e)).all() and g.size and (np.abs(g - e) == 1).any():
        if (g - e == 1).all():
            return "one too many: where does the counting begin, and where does it end?"
        if (e - g == 1).all():
            return "one too few: where does the counting begin, and where does it end?"
    return None
