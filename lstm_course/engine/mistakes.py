"""Detection of common mistakes in a wrong answer, such as None, a wrong shape or a wrong type."""

import numpy as np

from .forms import all_texts, as_array, kind, leaf_alike, off
from .relations import relation


def common(got, expected, given, tolerance):
    """Return a list with the likely reason why a part of an answer is wrong, or an empty list."""
    g, e = as_array(got, expected), as_array(expected)
    if got is None:
        return ["this part is None: was it computed, and returned?"]
    if g is None or e is None:
        if kind(got) != kind(expected) and not all_texts(got, expected):
            return [f"return {kind(expected)}, not {kind(got)}"]
        reason = _of_texts(got, expected) if all_texts(got, expected) else None
    else:
        reason = _form(g, e, tolerance) or _value(got, g, e, given, tolerance)
    return [reason] if reason else []


def _of_texts(got, expected):
    """Describe how the answer's list of strings differs from the expected one."""
    if not got:
        return "the list is empty"
    for of, other, text in ((expected, got, "is missing"), (got, expected, "is one too many")):
        for at, rest in (("first", of[1:]), ("last", of[:-1])):
            if of and rest == other:
                return f"the {at} {text}"
    if sorted(got) == sorted(expected):
        return "the right texts, in another order"
    if set(got) == set(expected):
        often = "more often" if len(got) > len(expected) else "less often"
        return f"the right texts, but some come {often} than they should"
    long = set(map(len, expected))
    if len(got) == len(expected) and len(long) == 1 and set(map(len, got)) != long:
        return f"as many texts as there should be, but each should have {long.pop()} letters"
    missing = [text for text in expected if text not in got]
    besides = [text for text in got if text not in expected]
    if missing and besides:
        return f"{missing[0]!r} is missing, and {besides[0]!r} should not be there"
    return f"{missing[0]!r} is missing" if missing else f"{besides[0]!r} should not be there"


def _form(g, e, tolerance):
    """Describe how an answer's shape or type differs from the expected one, or return None."""

    def same(a, b):
        return a.shape == b.shape and not off(a, b, tolerance).any()

    if g.ndim == 2 and same(g.T, e):
        return "transposed: rows and columns are exchanged"
    if g.shape != e.shape:
        if g.size == e.size and same(g.ravel(), e.ravel()):
            return f"the right numbers in shape {g.shape}, and should be in {e.shape}"
        shapes = f"the shape is {g.shape}, and should be {e.shape}"
        for axis in range(g.ndim):
            if same(g.sum(axis), e):
                return f"{shapes}: a sum over axis {axis} is missing"
            if same(g.mean(axis), e):
                return f"{shapes}: a mean over axis {axis} is missing"
        for axis in (*range(e.ndim), None):
            if same(g, e.sum(axis)) or same(g, e.mean(axis)):
                along = "all of it" if axis is None else f"axis {axis}"
                return f"{shapes}: {along} is added up, and should be kept"
        if g.ndim == 2 and same(np.diag(g), e):
            return f"{shapes}: its diagonal is expected"
        for at, rest in (("first", slice(1, None)), ("last", slice(-1))):
            if e.ndim and same(g, e[rest]):
                return f"{shapes}: the {at} is missing, the others are right"
            if g.ndim and same(g[rest], e):
                return f"{shapes}: the {at} is one too many, the others are right"
        return shapes
    if g.dtype.kind != e.dtype.kind and {g.dtype.kind, e.dtype.kind} & set("bc"):
        return f"the elements are {g.dtype}, and should be {e.dtype}"
    return None


def _value(got, g, e, given, tolerance):
    """Describe how an answer's numbers differ from the expected ones, or return None.

    The most obvious mistakes come first.
    """
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
        if g.size and np.abs(g).max() <= 1e-12 * np.abs(e).max(initial=0):  # 0 up to rounding
            return "all of it is 0: is the result written into the array that is returned?"
        if e.dtype.kind == "b":
            return "True and False are exchanged" if (g == ~e).all() else None
        if not off(-g, e, tolerance).any():
            return "the sign: this is minus what was expected"
        if g.dtype == "float32" and not off(g, e, 1e-3).any():
            return "float32 was used on the way, float64 was given"
        return _rounded(g, e, tolerance) or relation(g, e, given, tolerance)


def _rounded(g, e, tolerance):
    whole = g == np.rint(g)
    if whole.all() and (e != np.rint(e)).any():
        if not off(g, np.trunc(e), tolerance).any():
            return "cut to whole numbers: int(…), // or an array of int drops the fraction"
        if not off(g, np.rint(e), tolerance).any():
            return "rounded to whole numbers"
    if (e == np.rint(e)).all() and g.size and (np.abs(g - e) == 1).any():
        if (g - e == 1).all():
            return "one too many: where does the counting begin, and where does it end?"
        if (e - g == 1).all():
            return "one too few: where does the counting begin, and where does it end?"
    return None
