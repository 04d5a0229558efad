"""One line for many comparisons."""

import numpy as np
import pytest
from refusal import refused

from lstm_course.lessons.agree import agree

ERRORS = {"dy": np.array([[1.0, -2.0]]), "dc": np.array([3.0])}


def test_it_says_how_many_agree_and_opens_to_each():
    said = agree("errors", ERRORS, {name: value + 1e-14 for name, value in ERRORS.items()})
    assert repr(said) == "2 errors: equal to 1e-12"
    assert said._repr_html_().startswith(f"<details><summary>{said!r}</summary>")


@pytest.mark.parametrize("wrong", [3.1, np.nan])
def test_it_names_what_differs(wrong):
    said = agree("errors", ERRORS | {"dc": np.array([wrong])}, ERRORS)
    assert repr(said) == "1 of 2 errors DIFFER: dc"
    assert "dc         (1,)       DIFFERS" in said._repr_html_()


def test_nothing_is_left_out_and_nothing_is_broadcast():
    with refused("errors: not in both: dc"):
        agree("errors", {"dy": ERRORS["dy"]}, ERRORS)
