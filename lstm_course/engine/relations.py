"""Search for relations between an answer's numbers, the expected numbers and the input.

A relation is named only if all elements satisfy it. The inputs are random float64 numbers, so
coincidences are unlikely.
"""

import itertools

import numpy as np

from .forms import as_array, leaves, off

SMALL = 1e-3


def relation(g, e, given, tolerance):
    """Describe how array ``g`` (the answer) relates to ``e`` (expected), or return None."""

    def same(a, b):
        return np.isfinite(a).all() and not off(a, b, tolerance).any()

    if not (np.isfinite(g).all() and np.isfinite(e).all()) or "c" in (g.dtype.kind, e.dtype.kind):
        return None
    if np.abs(e).max(initial=0) < SMALL:  # otherwise every small answer would match some relation
        return None
    with np.errstate(all="ignore"):
        found = None if g.size < 2 else _of_several(g, e, given, same)
        found = found or _of_given(g, e, given, same) or _mapped(g, e, same) or _nearly(g, e)
        return found or (_in_places(g, e, same) or _by_rows(g, e, same) if e.ndim else None)


def _of_several(g, e, given, same):
    """Find a relation that needs two or more elements: a common factor or term, order or signs."""
    factor = np.median((g / e)[e != 0]) if e.any() else np.nan
    if np.isfinite(factor) and factor and f"{factor:.6g}" != "1" and same(g / factor, e):
        scalars = [name for name, value in _numbers(given, e) if same(value * e, g)]
        of = f" ({scalars[0]})" if scalars else ""
        return f"every element is {factor:.6g}{of} times what was expected"
    more = (g - e).flat[0]  # rounding would lose the expected values next to a huge constant
    if np.ptp(e) and abs(more) < 1e6 * np.abs(e).max() and same(g, e + more):
        return f"every element is the expected value {more:+.6g}: right up to a constant"
    for axis in range(e.ndim):
        if e.shape[axis] > 1 and same(np.flip(g, axis), e):
            return "the right numbers, in reverse order" + f", along axis {axis}" * (e.ndim > 1)
    if same(np.sort(g, None), np.sort(e, None)):
        return "the right numbers, in another order"
    if same(g, np.abs(e)):
        return "the signs are lost: these are absolute values"
    if same(np.abs(g), np.abs(e)):
        return f"right except for the sign of {int((g * e < 0).sum())} of {e.size} elements"
    if g.ndim == 1 and same(g, np.cumsum(e)):
        return "each element includes all before it: these are running sums"
    if same(g, np.maximum(e, 0)):
        return "0 where it should be negative: is something cut off?"
    return _shifted(g, e, same)


def _shifted(g, e, same):
    if e.ndim and len(e) > 3 and np.ptp(e) > 0:
        for by, text in ((1, "later"), (-1, "earlier")):
            if same(g[1:-1], np.roll(e, by, 0)[1:-1]):
                return f"off by one: each element is one place {text} than it should be"
    return None


SHAPED = {  # expressions of an input that formulas often contain
    "{}": lambda a: a,
    "1 - {}": lambda a: 1 - a,
    "1 + {}": lambda a: 1 + a,
    "{}²": lambda a: a * a,
    "1 - {}²": lambda a: 1 - a * a,
    "{0} (1 - {0})": lambda a: a * (1 - a),
    "tanh({})": np.tanh,
    "1 - tanh({})²": lambda a: 1 - np.tanh(a) ** 2,
}


def _of_given(g, e, given, same):
    """Find a factor or a term, computed from an input, that is missing, extra or exchanged."""
    numbers = dict(_numbers(given, e))
    every = itertools.product(numbers.items(), SHAPED.items())
    known = [(shape.format(name), made(value)) for (name, value), (shape, made) in every]
    # exclude extreme values: factors near 0, for example, make any two products nearly equal
    known = [(name, a) for name, a in known if SMALL < np.abs(a).min() and np.abs(a).max() < 1e6]
    for name, a in known:
        if same(g * a, e):
            return f"a factor {name} is missing: times {name} this is what was expected"
        if same(g, e * a):
            return f"this is what was expected, times {name}: a factor too many"
        if same(g + a, e):
            return f"{name} is missing in the sum: with it this is what was expected"
        if same(g - a, e):
            return f"this is what was expected, and {name} added to it"
        if same(g - 2 * a, e):
            return f"the sign of {name}: it is subtracted, and here it is added"
        if same(g + 2 * a, e):
            return f"the sign of {name}: it is added, and here it is subtracted"
    plain = [(name, a) for name, a in known if "²" not in name and "tanh" not in name]
    for (name, a), (other, b) in itertools.permutations(plain, 2):
        if same(g * a, e * b):
            return f"the factor {other} instead of {name}"
        if {name, other} <= numbers.keys() and same(g + a, e + b):
            return f"{other} is in the sum instead of {name}"
    return None


def _numbers(given, e):
    """Yield the name and value of each float input that could be a factor or a term in an answer.

    Skip inputs with zeros, with values that aren't finite, or with only whole numbers. Also skip
    arrays that are constant or differ from ``e`` in shape.
    """
    for name, value in given.items():
        for place, part in leaves(value).items():
            array = as_array(part)
            if array is None or array.dtype.kind != "f" or not np.isfinite(array).all():
                continue
            several = array.shape == e.shape and (array.size < 2 or np.ptp(array) > 0)
            if array.all() and (array % 1).any() and (several or array.ndim == 0):
                yield name + place, array


def _mapped(g, e, same):
    """Find a function, such as tanh, that is applied once too often or is missing."""
    for text, value in (
        ("this is the square of what was expected", e * e),
        ("this is the root of what was expected", np.sqrt(e)),
        ("this is 1 divided by what was expected", 1 / e),
        ("this is 1 minus what was expected", 1 - e),
        ("this is exp of what was expected: its logarithm is missing", np.exp(e)),
        ("this is the logarithm of what was expected", np.log(e)),
        ("this is tanh of what was expected: once too often", np.tanh(e)),
        ("the tanh is missing: tanh of this is what was expected", np.arctanh(e)),
    ):
        if same(g, value) and not same(value, np.full(e.shape, value.flat[0])):
            return text
    return None


def _by_rows(g, e, same):
    """Describe a matrix whose rows or columns are each right up to a factor, or return None."""
    if e.ndim == 2 and min(e.shape) > 1:
        for axis, name in ((1, "row"), (0, "column")):
            ge, ee = (np.sum(part, axis=axis, keepdims=True) for part in (g * e, e * e))
            scale = ge / ee
            if scale.all() and (e != 0).sum(axis).min() > 1 and same(g / scale, e):
                return f"each {name} is right up to a factor"
    return None


def _nearly(g, e):
    if e.any() and np.abs(g - e).max() < 1e-4 * np.abs(e).max():
        text = "nearly right: is a number rounded on the way, a small one added, "
        return text + "or a difference taken for a derivative?"
    return None


def _in_places(g, e, same):
    """Describe which elements are wrong, such as all those where 0 is expected, or return None."""
    if g.any() and same(g[g != 0], e[g != 0]):
        return "each element is right or 0: a condition, a loop or a `return` too early?"
    wrong = np.array([not same(*pair) for pair in zip(g, e)])
    n = len(wrong)
    if n > 2 and wrong.sum() == 1:
        for at, text in ((0, "first"), (-1, "last")):
            if wrong[at]:
                return f"all but the {text} are right: what is different there?"
    first = int(wrong.argmax())
    if n > 3 and 1 < first and wrong[first:].all():
        return f"the first {first} are right, and none after them: what changes there?"
    last = n - int(wrong[::-1].argmax())
    if n > 3 and last < n - 1 and wrong[:last].all():
        return f"the last {n - last} are right, and none before them: what changes there?"
    if not same(g[e != 0], e[e != 0]) or not (e == 0).any():
        return None
    return "right where it is not 0, but not 0 everywhere it should be"
