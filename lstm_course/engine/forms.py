"""Conversion of answers to the expected form, because checks compare values, not containers.

`in_form` converts an answer if the expected value is

- an array, and the answer is a list or tuple of numbers (nested or not), a dict view, or a
  sparse matrix. Integers count as floats, but Booleans and complex numbers don't. Shapes must
  agree.
- a number, and the answer is a Python or NumPy number, or a zero-dimensional array.
- a string, and the answer is a Python or NumPy string.
- a list or a tuple, and the answer is a list, a tuple or an array of the same length, or an
  ordered iterable, such as a view of a dict or a generator.
- a dict, and the answer is a mapping with the expected keys. Other keys are ignored.
"""

import json
from collections.abc import Iterator, KeysView, Mapping, ValuesView

import numpy as np

NUMBERS = np.ndarray, np.generic, int, float, complex, list, tuple


def in_form(got, expected):
    """Convert an answer to the expected form, or return it unchanged if that is impossible.

    Parameters
    ----------
    got : object
    expected : number, array, str, None, or tuples, lists and dicts of them

    Returns
    -------
    object
    """
    if isinstance(got, (KeysView, ValuesView, Iterator, range)):
        got = list(got)
    if isinstance(expected, dict):
        if isinstance(got, Mapping) and expected.keys() <= got.keys():
            return {key: in_form(got[key], part) for key, part in expected.items()}
        return got
    if isinstance(expected, (tuple, list)):
        return _in_sequence(got, expected)
    if isinstance(expected, str):
        text = got[()] if isinstance(got, np.ndarray) and got.ndim == 0 else got
        return str(text) if isinstance(text, str) else got
    numbers = as_array(got, expected)
    if numbers is None or as_array(expected) is None:
        return got
    if isinstance(got, tuple) and numbers.shape != np.shape(expected):
        return got  # not converted, so that the message calls it a tuple
    return numbers[()] if numbers.ndim == 0 and not isinstance(expected, np.ndarray) else numbers


def _in_sequence(got, expected):
    if isinstance(got, np.ndarray) and got.ndim:
        got = list(got)
    if not isinstance(got, (tuple, list)):
        return got
    sequence = tuple if isinstance(expected, tuple) else list
    if len(got) == len(expected):
        return sequence(map(in_form, got, expected))
    return sequence(in_form(part, "") if isinstance(part, str) else part for part in got)


def as_array(value, like=None):
    """Convert a value to an array of numbers, or return None if that is impossible.

    An empty list is an array of numbers only if ``like`` is an array.
    """
    value = value.toarray() if hasattr(value, "toarray") else value
    if not isinstance(value, NUMBERS) and not hasattr(value, "__array__"):
        return None
    if isinstance(value, np.ma.MaskedArray) and np.ma.is_masked(value):
        return None  # masked elements have no value
    try:
        array = np.asarray(value)
        if array.dtype == object and array.size:
            array = np.array(array.tolist())
    except (ValueError, TypeError, OverflowError):  # for example, a ragged list
        return None
    empty = not isinstance(value, np.ndarray) and not array.size
    if array.dtype.kind not in "bifcu" or empty and not isinstance(like, np.ndarray):
        return None
    return array


def leaves(value, place=""):
    """Flatten nested tuples, lists and dicts into a dict of values keyed by path, such as "[0]".

    A list of numbers isn't flattened, because it counts as an array.
    """
    if isinstance(value, dict):
        parts = ((f"[{written(key)}]", part) for key, part in value.items())
    elif (
        isinstance(value, (tuple, list))
        and any(isinstance(part, (tuple, list, dict, np.ndarray)) for part in value)
        or isinstance(value, tuple)
    ):
        parts = ((f"[{k}]", part) for k, part in enumerate(value))
    else:
        return {place: value}
    return {where: leaf for key, part in parts for where, leaf in leaves(part, place + key).items()}


def other_form(got, expected, place=""):
    """Return the first difference in form as (place, answer's part, expected part), or None.

    Containers, their lengths and their keys are part of the form, but the shapes of arrays aren't.
    """
    if isinstance(expected, dict):
        if not isinstance(got, dict) or got.keys() != expected.keys():
            return place, got, expected
        parts = [(f"[{written(key)}]", got[key], part) for key, part in expected.items()]
    elif isinstance(expected, tuple) or isinstance(expected, list) and len(leaves(expected)) > 1:
        sequence = tuple if isinstance(expected, tuple) else list
        if not isinstance(got, sequence) or len(got) != len(expected):
            return place, got, expected
        parts = [(f"[{k}]", *pair) for k, pair in enumerate(zip(got, expected))]
    else:
        apart = got is not None and leaves(got).keys() != {""}
        return (place, got, expected) if apart else None
    found = (other_form(g, e, place + at) for at, g, e in parts)
    return next((where for where in found if where), None)


def alike(got, expected, tolerance):
    """Return whether two values, such as nested dicts of arrays, agree within the tolerance."""
    # convert ``expected``, too, because a list may contain arrays of another library
    got, expected = leaves(in_form(got, expected)), leaves(in_form(expected, expected))
    return got.keys() == expected.keys() and all(
        leaf_alike(got[place], expected[place], tolerance) for place in expected
    )


def leaf_alike(got, expected, tolerance):
    """Return whether two leaves, such as arrays, numbers or strings, agree within the tolerance."""
    g, e = as_array(got, expected), as_array(expected)
    if g is None or e is None:
        if type(got) is not type(expected):
            return False
        if isinstance(expected, np.ndarray):
            return np.array_equal(got, expected)
        # objects of other types, such as models, are not compared
        plain = isinstance(expected, (str, bytes, type(None), list, set))
        return not plain or got == expected
    if g.shape != e.shape or any((g.dtype.kind == kind) != (e.dtype.kind == kind) for kind in "bc"):
        return False
    return not off(g, e, tolerance).any()


def off(g, e, tolerance):
    """Return a mask of the elements that differ by more than the tolerance (see `compare`)."""
    if g.dtype.kind not in "fciu" or e.dtype.kind not in "fciu":
        return g != e
    with np.errstate(all="ignore"):
        size = np.abs(np.where(np.isfinite(e), e, 0))
        near = np.abs(g - e) <= tolerance * np.maximum(size, max(size.max(initial=0) / 1000, 1e-3))
    return ~(near | (g == e) | (np.isnan(g) & np.isnan(e)))


def all_texts(*values):
    """Return whether all values are lists of strings."""
    return all(
        isinstance(value, list) and all(isinstance(part, str) for part in value) for value in values
    )


def written(key):
    """Format a dict key as code, with strings in double quotes."""
    return json.dumps(key, ensure_ascii=False) if isinstance(key, str) else str(key)


def listed(keys):
    """Join up to eight keys of a dict, as in "W", "b"."""
    names = list(map(written, keys))
    return ", ".join(names[:8] + ["…"] * (len(names) > 8))


def kind(value):
    """Describe a value's type and size, as in "a tuple of 2" or "an array of shape (3,)"."""
    if isinstance(value, tuple):
        return f"a tuple of {len(value)}"
    if isinstance(value, dict):
        return f"a dict with {listed(value)}"
    if isinstance(value, str):
        return "a text"
    array = as_array(value)
    if isinstance(value, list) and array is None:
        texts = value and all(isinstance(part, str) for part in value)
        return f"a list of {len(value)}" + (" texts" if texts else "")
    if array is None and isinstance(value, np.ma.MaskedArray):
        return "an array with masked elements"
    if array is None and isinstance(value, np.ndarray):
        elements = {"U": "texts", "S": "texts", "M": "dates", "m": "times", "V": "records"}
        return f"an array of {elements.get(value.dtype.kind, 'objects')}, no numbers"
    if array is None:
        return "None" if value is None else f"a {type(value).__name__}"
    return "one number" if array.ndim == 0 else f"an array of shape {array.shape}"
