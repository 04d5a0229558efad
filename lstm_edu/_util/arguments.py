"""Check the arguments of public functions.

Each function takes an argument's name and value. It returns the value as a plain Python or NumPy
type, or raises InputError in one form, ``name: value; must be …``. A NumPy scalar becomes Python's
number, so that it can't overflow like an int8 and JSON can store it. ``allow`` lists words, or
None, that are accepted as well. Functions that only the package calls do not check arguments.
"""

import math
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any, NoReturn

import numpy as np

from .files import InputError

LONGEST = 60  # maximum number of characters of a value that a message shows
# largest allowed integer: exact as a float, and sums of a few fit in an int64
LARGEST = 2**53
SEEDS = 2**128 - 1  # largest seed to pass to NumPy
LIBRARIES_SEEDS = 2**32 - 1  # largest seed that scikit-learn and gensim accept
NUMBERS = int, float, np.integer, np.floating
NO_NUMBERS = bool, np.timedelta64  # rejected, although they are subclasses of number types


def refuse(name, value, allowed) -> NoReturn:
    """Raise InputError with the argument's name, its value and the allowed values."""
    raise InputError(f"{name}: {shown(value)}; must be {allowed}") from None


def shown(value):
    """Format a value for a message, in one short line with control characters escaped."""
    try:
        # maxsplit saves time; the text is truncated below
        said = " ".join(repr(value).split(maxsplit=LONGEST))
    except Exception:  # ValueError for a huge integer, anything for a user's class
        said = f"a {type(value).__name__}"
    said = said if len(said) <= LONGEST else said[: LONGEST - 1] + "…"
    return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in said)


# ---- one value


def integer(name, value, low=0, high=LARGEST, allow=()) -> Any:
    """Check that a value is a whole number from ``low`` to ``high``, and return it as int."""
    if _is_one_of(value, allow):
        return _plain(value)
    is_whole = isinstance(value, (int, np.integer)) and not isinstance(value, NO_NUMBERS)
    if not is_whole or not low <= int(value) <= high:
        least = f" from {low}" if low > -LARGEST else ""
        most = f", at most {high}" if is_whole and int(value) > high else ""
        refuse(name, value, _or(allow, f"a whole number{least}{most}"))
    return int(value)


def seed(value, high=SEEDS) -> int:
    """Check a random seed, and return it as int."""
    return integer("seed", value, 0, high)


def number(
    name, value, low: float = 0, high=sys.float_info.max, above=False, below=False, allow=()
) -> Any:
    """Check that a number is in a range, and return it as float.

    ``above`` excludes ``low`` from the range, ``below`` excludes ``high``.
    """
    if _is_one_of(value, allow):
        return _plain(value)
    x = math.nan
    if isinstance(value, NUMBERS) and not isinstance(value, NO_NUMBERS):
        with suppress(OverflowError):  # raised for integers such as 10**400
            x = float(value)
    if not (low < x if above else low <= x) or not (x < high if below else x <= high):
        bound = "" if low == -sys.float_info.max else f" {'above' if above else 'from'} {low:g}"
        if high < sys.float_info.max:
            bound += f"{', at most' if above else ' to below' if below else ' to'} {high:g}"
        refuse(name, value, _or(allow, "a number" + bound))
    return x


def choice(name, value, allow) -> Any:
    """Check that a value is in ``allow``, which lists strings and possibly None, True and False."""
    if not _is_one_of(value, allow):
        refuse(name, value, _or([*allow][:-1], repr([*allow][-1])))
    return _plain(value)


def boolean(name, value, allow=()) -> Any:
    """Check that a value is True or False."""
    return choice(name, value, [*allow, True, False])


def float_type(name, value) -> np.dtype:
    """Convert a name, NumPy class or dtype to the dtype float32 or float64; reject others."""
    for known in (np.float32, np.float64):
        is_named = isinstance(value, (str, np.dtype)) and value == known.__name__
        if is_named or value is known:
            return np.dtype(known)
    return refuse(name, value, "'float32' or 'float64'")


def text(name, value) -> str:
    """Check that a value is a str."""
    return _plain(instance(name, value, str, "a text"))


def path(name, value, allow=()) -> Any:
    """Check that a value can name a file or folder, and return it as str."""
    if _is_one_of(value, allow):
        return value
    found = os.fspath(value) if isinstance(value, os.PathLike) else value
    if isinstance(found, str) and found and not any(ord(c) < 32 or ord(c) == 127 for c in found):
        with suppress(UnicodeEncodeError):  # raised for a lone surrogate
            os.fsencode(found)
            return _plain(found)
    return refuse(name, value, _or(allow, "the name of a file or folder"))


def function(name, value, allow=()):
    """Check that a value is callable."""
    is_one = callable(value) or _is_one_of(value, allow)
    return value if is_one else refuse(name, value, _or(allow, "a function"))


def instance(name, value, kind, allowed) -> Any:
    """Check that a value is an instance of ``kind``; ``allowed`` describes it in the message."""
    if not isinstance(value, kind):
        refuse(name, value, allowed)
    return value


def model(value):
    """Check that a value has a model's attributes, because lower layers cannot import the class."""
    attributes = "cell", "hashing", "query", "document"
    if isinstance(value, type) or not all(hasattr(value, each) for each in attributes):
        refuse("model", value, "a lstm_edu.DualEncoder")
    return value


def ranker(name, value):
    """Check that an object has a ``score`` or ``scores`` method, like a model or a baseline."""
    able = (callable(getattr(value, each, None)) for each in ("score", "scores"))
    if isinstance(value, type) or not any(able):
        refuse(name, value, "a model, with score(query, titles)")
    return value


# ---- many values


def each(name, values, of) -> Iterator:
    """Return an iterator over an iterable; reject a str or a dict."""
    if not isinstance(values, (str, bytes, bytearray, Mapping)):
        with suppress(TypeError):
            return iter(values)
    return refuse(name, values, f"a list of {of}")


def each_text(name, values):
    """Yield strings one by one after checking each, without storing them."""
    for k, value in enumerate(each(name, values, "texts")):
        yield value if type(value) is str else text(f"{name}[{k}]", value)


def texts(name, values) -> list[str]:
    """Check strings, and return them as a list; reject a set, because it has no order."""
    if isinstance(values, (set, frozenset)):
        refuse(name, values, "a list of texts")
    return list(each_text(name, values))


def lists_of_texts(name, values) -> list[list[str]]:
    """Check a sequence of sequences of strings, and return it as a list of lists."""
    return [texts(f"{name}[{k}]", v) for k, v in enumerate(each(name, values, "lists of texts"))]


def same_number(**lists):
    """Raise InputError unless the lists have equal lengths."""
    if len({len(each) for each in lists.values()}) > 1:
        lengths = ", ".join(str(len(each)) for each in lists.values())
        raise InputError(f"{', '.join(lists)}: of lengths {lengths}; must be equal")


def searches(queries, titles):
    """Check queries and each query's titles; return a list of str and a list of lists of str."""
    queries, titles = texts("queries", queries), lists_of_texts("titles", titles)
    same_number(queries=queries, titles=titles)
    return queries, titles


def each_pair(values, least=1):
    """Yield clicked pairs (query, title); raise InputError if there are fewer than ``least``."""
    n = 0
    for n, pair in enumerate(each("pairs", values, "(query, title)"), start=1):
        is_pair = isinstance(pair, (tuple, list, np.ndarray)) and len(pair) == 2
        if not is_pair or not all(isinstance(each, str) for each in pair):
            refuse(f"pairs[{n - 1}]", pair, "a (query, title) of two texts")
        yield _plain(pair[0]), _plain(pair[1])
    if n < least:
        raise InputError("pairs: none; must be at least one (query, title)")


def pairs(values, least=1):
    """Check clicked pairs (query, title), and return them as a list."""
    return list(each_pair(values, least))


def array(name, value, *axes, finite=True) -> np.ndarray:
    """Convert a value to a float array; if axes are named, require one dimension per axis."""
    return _array(name, value, "iuf", axes, "finite numbers" if finite else "numbers", finite)


def wholes(name, value, *axes, low=0, high=LARGEST):
    """Convert a value to an int64 array; reject fractions and numbers out of range."""
    said = f"whole numbers from {low}" + (f" to {high}" if high < LARGEST else "")
    found = _array(name, value, "iuf", axes, said, finite=True)
    if not ((found >= low) & (found <= high) & (found == np.floor(found))).all():
        refuse(name, value, _shaped(said, axes))
    return found.astype(np.int64)


def flags(name, value, *axes):
    """Convert a value to an array of bool."""
    return _array(name, value, "b", axes, "True or False each", finite=False)


def vectors(**given):
    """Return the values as a list of (n, size) arrays, which must have the same size.

    A single vector becomes an array of one row.
    """
    found = {k: np.atleast_2d(array(k, value, finite=False)) for k, value in given.items()}
    if {y.ndim for y in found.values()} != {2} or len({y.shape[1] for y in found.values()}) > 1:
        shapes = ", ".join(str(y.shape) for y in found.values())
        raise InputError(f"{', '.join(given)}: of shapes {shapes}; must be (n, size), of one size")
    for name, y in found.items():
        check_lengths(name, y)
    return [*found.values()]


def check_lengths(name, y):
    """Raise InputError unless every vector's squared length is finite."""
    with np.errstate(over="ignore", invalid="ignore"):
        if not np.isfinite(np.einsum("nm,nm->n", y, y)).all():
            refuse(name, y, "finite numbers, and their squares too")


def _array(name, value, kinds, axes, allowed, finite):
    try:
        found = np.asarray(None if isinstance(value, bytearray) else value)
    except Exception:  # raised for a ragged list, or by a class's __array__
        found = np.asarray(None)
    if not found.size and kinds == "b":  # np.asarray([]) has dtype float64
        found = found.astype(bool)
    fits = found.dtype.kind in kinds and (not axes or found.ndim == len(axes))
    if fits and (found.dtype.kind in "iu" or found.dtype.itemsize > 8):
        with np.errstate(over="ignore"):
            found = found.astype(np.float64)
    if not fits or finite and not np.isfinite(found).all():
        refuse(name, value, _shaped(allowed, axes))
    return found


def _shaped(numbers, axes):
    return f"{numbers}, ({', '.join(axes)}{',' * (len(axes) == 1)})" if axes else numbers


# ---- helpers of the checks above


def _is_one_of(value, allow):
    """Return whether a value is None, True, False or a str, and is listed in ``allow``."""
    return (value is None or isinstance(value, (str, bool, np.bool_))) and value in allow


def _plain(value) -> Any:
    """Convert a str subclass or NumPy bool to the built-in type; return other values unchanged."""
    if isinstance(value, np.bool_):
        return bool(value)
    return str.__str__(value) if isinstance(value, str) else value


def _or(allow, allowed):
    return f"{', '.join(map(repr, allow))} or {allowed}" if allow else allowed
