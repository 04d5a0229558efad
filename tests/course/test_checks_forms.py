"""What passes a check: what is right, in whatever form and to rounding, and nothing else."""

import re

import numpy as np
import pytest
import scipy.sparse
from checks_message import GIVEN, Y, message

from lstm_course.engine.report import hold_against

NUMBERS = np.array([]), np.array([1, np.nan, np.inf]), np.array([1 + 2j]), np.array([True, False])


@pytest.mark.parametrize("right", [Y, *NUMBERS, None, [], ("a", 1.0), [Y, Y[:2]]], ids=str)
def test_what_is_right_passes(right):
    assert hold_against("it", right, right, GIVEN) is None


def test_what_is_right_to_rounding_passes_and_what_is_not_does_not():
    assert hold_against("it", Y * (1 + 1e-12), Y, GIVEN) is None
    assert hold_against("it", np.array([1.0, 1e-14]), np.array([1.0, 0]), GIVEN) is None
    # a list, whole numbers
    assert hold_against("it", [1, 2], np.array([1.0, 2.0]), GIVEN) is None
    for k in np.ndindex(Y.shape):  # every element counts
        nearly = Y.copy()
        nearly[k] *= 1 + 1e-6
        assert "it is wrong" in message("it", nearly, Y, GIVEN)


GENERATED = {"a": 1.0, "b": 2.0, "c": 3.0}


@pytest.mark.parametrize(
    "got, right",
    [
        ([[1.0, -2.0, 0.5], [0.25, 3.0, -1.0], [2, 4, 7]], Y),
        (list(map(tuple, Y)), Y),
        (Y.astype(object), Y),
        (Y.astype(">f8"), Y),
        (Y.astype(np.longdouble), Y),
        (np.ma.masked_array(Y), Y),
        (scipy.sparse.csr_array(Y), Y),
        ((1, 2, 3), np.array([1.0, 2, 3])),
        (GENERATED.values(), np.array([1.0, 2, 3])),
        ((k for k in (1.0, 2.0)), np.array([1.0, 2])),
        (range(3), [0, 1, 2]),
        (np.arange(3), [0, 1, 2]),
        ((0, 1, 2), [0, 1, 2]),
        ([], np.zeros(0)),
        (np.array([1.0, 2.0, 3.0]), (1.0, 2.0, 3.0)),
        ([1, np.float32(2)], (1.0, 2.0)),
        ([Y, Y[0]], (Y, Y[0])),
        (np.stack([Y, Y]), (Y, Y)),
        ([Y.tolist(), {"W": Y.tolist()}], (Y, {"W": Y})),
        (np.array(["a", "b"]), ["a", "b"]),
        (("a", "b"), ["a", "b"]),
        (GENERATED.keys(), ["a", "b", "c"]),
        ([np.str_("a"), "b"], ["a", "b"]),
        (np.str_("a"), "a"),
        (np.array("a"), "a"),
        (np.float64(2), 2),
        (np.int8(2), 2.0),
        (np.array(2), 2),
        (np.True_, True),
        ({"W": Y, "b": Y[0], "more": 1}, {"W": Y, "b": Y[0]}),
        ({np.str_("W"): Y.tolist()}, {"W": Y}),
    ],
)
def test_the_form_of_what_is_right_does_not_matter(got, right):
    assert hold_against("it", got, right, GIVEN) is None


@pytest.mark.parametrize(
    "got, right",
    [
        ({1.0, 2.0}, np.array([1.0, 2.0])),
        ([1.0], 1.0),
        (1, True),
        (Y + 0j, Y),
        ("ab", ["a", "b"]),
        (["a"], "a"),
        ("2", 2),
        ({"w": Y}, {"W": Y}),
        ((Y, Y, Y), (Y, Y)),
        (iter([1.0]), np.array([1.0, 2.0])),
        ([[1.0, 2.0], [3.0]], np.array([[1.0, 2.0], [3.0, 4.0]])),
    ],
)
def test_what_says_something_else_is_refused_and_never_as_what_was_asked_for(got, right):
    told = message("it", got, right, GIVEN)
    returned = re.search("return (.*), not (.*)", told)
    assert not returned or returned[1] != returned[2]
