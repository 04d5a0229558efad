"""What every check says: which input, what came, what was expected, and a likely reason."""

import copy
import re
import traceback

import numpy as np


class Wrong(AssertionError):
    """An answer that is not right. A notebook shows its message alone, without a traceback."""

    def _render_traceback_(self, *_):
        return str(self).split("\n")


def passed(check, n):
    """Print the one line of a check that found nothing wrong on ``n`` random inputs."""
    print(f"{check}: passed on {n} random inputs")


def call(what, function, given, changes=()):
    """The student's function, called on copies of what is given.

    Parameters
    ----------
    what : str
        What is asked for, such as "y(t)"; begins the message.
    function : callable
    given : dict
        Name to value, in the order of the function's arguments.
    changes : sequence of str
        Names of the arguments that the function may change in place.

    Returns
    -------
    What the function returns.

    Raises
    ------
    Wrong
        The function is not written yet, raised an error, or changed what it was given.
    """
    if not callable(function):
        raise Wrong(
            f"{what}: give the check your function, not what it returns.\n"
            f"  came      {short(function)}"
        )
    copies = copy.deepcopy(given)
    try:
        with np.errstate(all="ignore"):  # a NaN is found, and explained, by `hold_against`
            got = function(*copies.values())
    except Wrong:
        raise
    except NotImplementedError:
        raise Wrong(
            f"{what}: not written yet. "
            "Put your code in the place of `raise NotImplementedError()`, and run its cell."
        ) from None
    except Exception as error:
        came, at = f"{type(error).__name__}: {error}", _line(function, error)
        raise Wrong(
            _message(
                f"{what}: your code raised an error.",
                given,
                came,
                "no error",
                [f"look at your line: {at}"] if at else [],
            )
        ) from error
    for name, value in given.items():
        if name not in changes and not _alike(copies[name], value, 0):
            reason = (
                f"a line like `{name} += …` or `{name}[…] = …` writes into the caller's array: "
                "make a new one, or copy it first"
            )
            raise Wrong(
                _message(
                    f"{what}: {name} was changed in place.",
                    given,
                    f"{name} = {short(copies[name])}",
                    f"{name} as it was",
                    [reason],
                )
            )
    return got


def hold_against(what, got, expected, given, reasons=(), tolerance=1e-9):
    """Nothing, if what came is what was expected.

    Parameters
    ----------
    what : str
        What is asked for, such as "y(t)", or "y(t), c(t)" for a tuple of two; begins the message.
    got, expected : number, array, text, or tuples, lists and dicts of them
    given : dict
        Name to value of the input.
    reasons : sequence of (text, value)
        What a likely mistake would have given; a value that is what came makes its text the likely
        reason. A value may be a part of the answer: as expected, with None in the place of what the
        mistake says nothing about.
    tolerance : float
        Largest difference of an element, relative to it or to a thousandth of its array's largest.

    Raises
    ------
    Wrong
    """
    leaves, wanted = _leaves(got), _leaves(expected)
    if got is None and expected is not None:
        raise Wrong(
            _message(
                f"{what} is None.",
                given,
                "None",
                short(expected),
                ["did you forget to `return` it?"],
            )
        )
    if leaves.keys() != wanted.keys():
        reason = f"return {_kind(expected)}, not {_kind(got)}"
        raise Wrong(
            _message(
                f"{what} has not the form asked for.",
                given,
                short(got),
                short(expected),
                _fitting(got, reasons, tolerance) or [reason],
            )
        )
    for place, e in wanted.items():
        g = leaves[place]
        if _alike(g, e, tolerance):
            continue
        told = _fitting(got, reasons, tolerance) or _fitting(
            g, [(text, _leaves(value).get(place)) for text, value in reasons], tolerance
        )
        told = (
            told
            or _common(g, e, given, tolerance)
            or ["no common mistake gives this: hold your lines against the equation, one by one"]
        )
        came, wanted_here = _side_by_side(g, e, tolerance)
        raise Wrong(_message(f"{_named(what, place)} is wrong.", given, came, wanted_here, told))


def left(bugs, against):
    """What a student is told of three planted bugs; of those that are found the text is empty.

    Never of more than one that is left, so that there is something to find.
    """
    bugs = [bug for bug in bugs if bug]
    if len(bugs) == 3:
        return f"all three bugs are left: hold the lines against {against}, one by one"
    return bugs[0] if len(bugs) == 1 else f"{len(bugs)} bugs are left, one of them: {bugs[0]}"


def short(value):
    """A value in a line: small arrays in full, of large ones the shape and the first elements."""
    if isinstance(value, dict):
        parts = (
            f"{name}: {short(part) if np.ndim(part) == 0 else _shape(part)}"
            for name, part in value.items()
        )
        text = "{" + ", ".join(parts) + "}"
        return text if len(text) < 200 else f"{text[:197]}…"
    if isinstance(value, tuple):
        return "(" + ", ".join(map(short, value)) + ")"
    if callable(value) and hasattr(value, "__name__"):
        return value.__name__  # of a function
    array = _array(value)
    if (
        array is None
        or array.ndim == 0
        and array.dtype.kind not in "fc"
        or isinstance(value, list)
        and array.dtype.kind not in "fc"
    ):
        text = " ".join(repr(value).split())
        return text if len(text) < 150 else f"{text[:147]}…"
    if array.ndim == 0:
        return f"{array[()]:.6g}"
    with np.printoptions(
        precision=4,
        threshold=12,
        edgeitems=2,
        linewidth=10_000,
        suppress=1e-2 < np.abs(array).max(initial=0) < 1e4,
    ):
        text = " ".join(str(array).split()).replace("[ ", "[").replace(" ]", "]")
    return f"{text if len(text) < 150 else text[:147] + '…'} {_shape(array)}"


def _message(first, given, came, expected, reasons):
    lines = [
        first,
        *(f"  given     {name} = {short(value)}" for name, value in given.items()),
        f"  came      {came}",
        f"  expected  {expected}",
    ]
    return "\n".join(lines + [f"  likely    {reason}" for reason in reasons])


def _named(what, place):
    """The part at this place, by its own name if what was asked for names each part of a tuple."""
    names, at = what.split(", "), re.match(r"\[(\d)\]", place)
    return (
        names[int(at[1])] + place[at.end() :]
        if at and len(names) > int(at[1]) and len(names) > 1
        else what + place
    )


def _leaves(value, place=""):
    """Where, and what, the parts of nested tuples, lists and dicts are.

    A list of numbers is one part, an array.
    """
    if isinstance(value, dict):
        parts = ((f"[{key!r}]", part) for key, part in value.items())
    elif (
        isinstance(value, (tuple, list))
        and any(isinstance(part, (tuple, list, dict, np.ndarray)) for part in value)
        or isinstance(value, tuple)
    ):
        parts = ((f"[{k}]", part) for k, part in enumerate(value))
    else:
        return {place: value}
    return {
        where: leaf for key, part in parts for where, leaf in _leaves(part, place + key).items()
    }


def _array(value):
    """A value as an array of numbers, or None if it is none."""
    value = value.toarray() if hasattr(value, "toarray") else value
    if not isinstance(value, (np.ndarray, np.generic, int, float, complex, list)):
        return None
    try:
        array = np.asarray(value)
    except ValueError:  # a ragged list
        return None
    return (
        array
        if array.dtype.kind in "bifcu" and (array.size or not isinstance(value, list))
        else None
    )


def _alike(got, expected, tolerance):
    """Whether two values agree, all of their parts."""
    got, expected = _leaves(got), _leaves(expected)
    return got.keys() == expected.keys() and all(
        _leaf_alike(got[place], expected[place], tolerance) for place in expected
    )


def _leaf_alike(got, expected, tolerance):
    g, e = _array(got), _array(expected)
    if g is None or e is None:
        if type(got) is not type(expected):
            return False
        plain = isinstance(expected, (str, bytes, type(None), list, set))
        # other objects, as models, pass
        return (
            np.array_equal(got, expected)
            if isinstance(expected, np.ndarray)
            else not plain or got == expected
        )
    if g.shape != e.shape or any((g.dtype.kind == kind) != (e.dtype.kind == kind) for kind in "bc"):
        return False
    return not _off(g, e, tolerance).any()


def _off(g, e, tolerance):
    """Which elements differ."""
    if g.dtype.kind not in "fciu" or e.dtype.kind not in "fciu":
        return g != e
    with np.errstate(all="ignore"):
        size = np.abs(np.where(np.isfinite(e), e, 0))
        near = np.abs(g - e) <= tolerance * np.maximum(size, max(size.max(initial=0) / 1000, 1e-3))
    return ~(near | (g == e) | (np.isnan(g) & np.isnan(e)))


def _fitting(got, reasons, tolerance):
    """The texts of the mistakes that give what came."""
    return [
        text
        for text, value in reasons
        if value is not None and _alike(got, value, max(tolerance, 1e-9))
    ][:1]


def _common(got, expected, given, tolerance):
    """Mistakes that show in any exercise."""
    g, e = _array(got), _array(expected)
    if got is None:
        return ["this part is None: was it computed, and returned?"]
    if g is None or e is None:
        return (
            [f"return {_kind(expected)}, not {_kind(got)}"]
            if type(got) is not type(expected) or (g is None) != (e is None)
            else []
        )
    if g.shape != e.shape:
        turned = g.ndim == 2 and g.T.shape == e.shape and not _off(g.T, e, tolerance).any()
        return [
            "transposed: rows and columns are exchanged"
            if turned
            else f"the shape is {g.shape}, and should be {e.shape}"
        ]
    if g.dtype.kind != e.dtype.kind and {g.dtype.kind, e.dtype.kind} & set("bc"):
        return [f"the elements are {g.dtype}, and should be {e.dtype}"]
    if np.isnan(g).any() and not np.isnan(e).any():
        return [
            "NaN is not a number: 0/0, inf - inf, or the root or logarithm of a negative number"
        ]
    if not np.isfinite(g).all() and np.isfinite(e).all():
        return ["infinite: a division by 0, or an exp of a large number"]
    for name, value in given.items():
        if np.size(value) > 1 and _leaf_alike(got, value, tolerance):
            return [f"this is {name} as it was given: is the result returned, or {name}?"]
    if g.size and not g.any():
        return ["all of it is 0: is the result written into the array that is returned?"]
    if e.dtype.kind == "b":
        return ["True and False are exchanged"] if (g == ~e).all() else []
    if not _off(-g, e, tolerance).any():
        return ["the sign: this is minus what was expected"]
    if g.ndim == 2 and g.shape[0] == g.shape[1] and not _off(g.T, e, tolerance).any():
        return ["transposed: rows and columns are exchanged"]
    if g.dtype == "float32" and not _off(g, e, 1e-3).any():
        return ["float32 was used on the way, float64 was given"]
    with np.errstate(all="ignore"):
        factor = np.median(g / e)
    if g.size > 1 and np.isfinite(factor) and not _off(g / factor, e, tolerance).any():
        return [f"every element is {factor:.6g} times what was expected"]
    if g.size > 1 and not _off(np.sort(g, None), np.sort(e, None), tolerance).any():
        return ["the right numbers, in another order"]
    return []


def _side_by_side(got, expected, tolerance):
    """What came and what was expected, as text.

    Of a large array, or where the texts would be the same, also where they first differ.
    """
    g, e, texts = _array(got), _array(expected), (short(got), short(expected))
    off = None if g is None or e is None or g.shape != e.shape else _off(g, e, tolerance)
    if off is None or not off.any() or off.size < 9 and texts[0] != texts[1]:
        return texts
    first = tuple(int(k) for k in np.argwhere(off)[0])
    pair = [f"{value[first]:.6g}" for value in (g, e)]
    if pair[0] == pair[1]:
        pair = [f"{value[first]:.15g}" for value in (g, e)]
    where = f", at [{', '.join(map(str, first))}] " if first else ", that is "
    came, wanted = (text + where + number for text, number in zip(texts, pair))
    return came, f"{wanted}; {off.sum()} of {off.size} elements differ"


def _kind(value):
    """What a value is, in words."""
    if isinstance(value, tuple):
        return f"a tuple of {len(value)}"
    if isinstance(value, dict):
        return "a dict with " + ", ".join(map(repr, value))
    if isinstance(value, str):
        return "a text"
    array = None if isinstance(value, list) else _array(value)
    if array is None and isinstance(value, np.ndarray):
        return "an array of objects that are no numbers"
    if array is None:
        return f"a {type(value).__name__}"
    return "one number" if array.ndim == 0 else f"an array of shape {array.shape}"


def _shape(value):
    return "(" + ", ".join(map(str, np.shape(value))) + ")"


def _line(function, error):
    """The student's line that raised the error."""
    file = getattr(getattr(function, "__code__", None), "co_filename", None)
    lines = [
        frame.line
        for frame in traceback.extract_tb(error.__traceback__)
        if frame.filename == file and frame.line
    ]
    return f"`{lines[-1]}`" if lines else None
