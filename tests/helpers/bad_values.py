"""Values that are bad for most parameters, and which are bad for a parameter by its good value."""

import enum

import numpy as np
import scipy.sparse


class Whole(int):
    """A whole number, yet not Python's own."""


class Text(str):
    """A text, yet not Python's own."""


class Loud:
    """Whose repr is long and would colour a terminal."""

    def __repr__(self):
        return "\x1b[31m\n\u2028" + "loud " * 100_000


class Mute:
    """Whose repr fails."""

    def __repr__(self):
        raise RuntimeError("no repr")


class Size(enum.IntEnum):
    """An enumeration's numbers are whole."""

    SMALL = 3


BAD = [
    *(None, True, False, 0, -1, 2, 2.5, -0.5, 1e300, 10**400, 10**5000, float("nan"), float("inf")),
    *(1j, np.longdouble("1e4000"), "nonsense", "", "a\0b", "a\nb", "\ud800", b"ab", object()),
    *([], [None], [5], [b"ab"], ["ab", None], [[]], [[None]], [["ab", 5]], ["ab"], [("ab",)], [-1]),
    *([{"ab", "ba"}], [Loud()], Loud(), Mute(), {}, {"q1": None}, {"q1": {"d1": "1"}}),
    *(np.array(3), np.full((2, 2), np.nan), np.full((2, 2), 1j), np.full((2, 2), None)),
    *(scipy.sparse.csr_array(np.eye(2)), np.zeros((2, 2, 2)), np.zeros((2, 7))),
]
LISTS = list, tuple, np.ndarray
LIKE = {bool: bool, int: int, float: (int, float, np.longdouble), str: str, dict: dict}
LIKE |= dict.fromkeys(LISTS, LISTS)


def must_be_refused(value, good):
    """Tell whether a value is of another kind than a good one, or of no kind at all."""
    if type(good) not in LIKE:
        return type(value) in (object, Loud, Mute, complex)
    if type(good) in (int, float) and (isinstance(value, bool) or value in (-1, -0.5)):
        return True
    if type(good) is type(value) is int and value == 0 != good:
        return True
    if not isinstance(value, LIKE[type(good)]):
        return True
    texts = isinstance(good, list) and good and isinstance(good[0], str)
    return bool(texts and [one for one in value if not isinstance(one, str)])
