"""Tests of lstm_course.lessons.rnn_parts: autograd's derivatives of an RNN's cost."""

import re

import numpy as np
import pytest
from conftest import unit_model

from lstm_course.lessons.rnn_parts import Parts, by_the_appendix, last_word, own_rows
from lstm_edu import RNN, cost_and_gradient

TEXTS = {"Q": "abc a", "D+": "cab b a", "D1": "ba", "D2": "a cc ab b"}
MODEL = unit_model(RNN(3))
PARTS = Parts(MODEL, TEXTS)


def test_cost_and_gradient_match_lstm_edu():
    query, clicked, *unclicked = TEXTS.values()
    l, gradient = cost_and_gradient(MODEL, [query], [clicked], [unclicked], gamma=10.0)
    of_l = PARTS.derivative("l")
    assert PARTS.values()["l"][0] == pytest.approx(l, abs=1e-12)
    for side, arrays in gradient.items():
        for name, expected in arrays.items():
            np.testing.assert_allclose(of_l[side][name], expected, atol=1e-12)


PLACES = [("z", "Q"), ("Wrec", "D+"), ("y", "D1"), *((name, None) for name in "abcR")]


@pytest.mark.parametrize("entry, text", [*PLACES, ("Delta", None)])
def test_derivatives_match_central_differences_of_the_cost(entry, text):
    found, h = PARTS.derivative("l")[entry], 1e-6
    found = found if text is None else found[text]
    for index in list(np.ndindex(np.shape(found)))[:: max(1, np.size(found) // 5)]:
        costs = []
        for step in (h, -h):
            zeros = np.zeros(np.shape(found))
            zeros[index] = step
            moved = zeros if text is None else PARTS.x[entry] | {text: zeros}
            costs.append(PARTS.values(**{entry: moved})["l"][0])
        expected = (costs[0] - costs[1]) / (2 * h)
        assert found[index] == pytest.approx(expected, rel=1e-6, abs=1e-7)
    assert np.abs(found).max() > 1e-4


def test_corrected_appendix_matches_autograd():
    found = by_the_appendix(PARTS)
    named = {int(n) for name in found for n in re.findall(r"^\((\d+)\)", name)}
    assert named == {45, *range(48, 63), 64, 65}
    for name, (value, expected) in found.items():
        assert np.shape(value) == np.shape(expected), name
        np.testing.assert_allclose(value, expected, atol=1e-12, err_msg=name)
        assert np.abs(expected).max() > 1e-6, name
    # at the last word, Eq. (57) is (53) + (55) for the query and (53) + (56) for a document
    for side, part in (("Q", "(55)"), ("D", "(56)")):
        total = found[f"(53), {side}"][0] + found[part][0]
        np.testing.assert_allclose(found[f"(57), last word, {side}"][0], total, atol=1e-12)


def test_last_word_derivative_of_each_cell_is_zero_outside_its_row_of_wrec():
    derivative = last_word(PARTS)
    assert np.count_nonzero(derivative) == np.count_nonzero(own_rows(derivative)) == 9
