"""Tests of `agree`, which compares two dicts of arrays and summarises the result in one line."""

import numpy as np
import pytest
from refusal import refused

from lstm_course.lessons.agree import agree

ERRORS = {"dy": np.array([[1.0, -2.0]]), "dc": np.array([3.0])}


def test_agree_counts_equal_arrays_and_lists_them_when_unfolded():
    said = agree("errors", ERRORS, {name: value + 1e-14 for name, value in ERRORS.items()})
    assert repr(said) == "2 errors: equal to 1e-12"
    assert said._repr_html_().startswith(f"<details><summary>{said!r}</summary>")


@pytest.mark.parametrize("wrong", [3.1, np.nan])
def test_agree_lists_arrays_that_differ(wrong):
    said = agree("errors", ERRORS | {"dc": np.array([wrong])}, ERRORS)
    assert repr(said) == "1 of 2 errors DIFFER: dc"
    assert "dc         (1,)       DIFFERS" in said._repr_html_()


def test_agree_refuses_dicts_with_different_keys():
    with refused("errors: not in both: dc"):
        agree("errors", {"dy": ERRORS["dy"]}, ERRORS)
