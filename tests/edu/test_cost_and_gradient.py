"""What cost_and_gradient takes and gives: arguments, the gradient's names and shapes, no NaN."""

import numpy as np
import pytest
from conftest import CELLS, clicks, unit_model, worst_difference
from refusal import refused

import lstm_edu
from lstm_edu import LSTM, RNN, cost_and_gradient
from lstm_edu.gradients import minibatch as gradients


def test_lists_must_fit():
    model = unit_model(RNN(2))
    with refused("of lengths 2, 1, 1"):
        cost_and_gradient(model, ["a", "b"], ["a"], [["b"]])
    with refused("same number of titles"):
        cost_and_gradient(model, ["a", "b"], ["a", "b"], [["b"], ["c", "a"]])
    with refused("float64 only"):
        lstm_edu.check_gradient(unit_model(RNN(2), dtype="float32"), ["a"], ["b"], [["c"]])


def test_the_gradients_arrays_come_in_one_order():
    """A norm sums over them, and must not depend on how Python hashes their names."""
    for cell in CELLS:
        model = unit_model(cell)
        examples = gradients.examples_of(model, *clicks(1))
        _, found = gradients.minibatch_gradient((model.query, model.document), examples, 1.0)
        assert list(found[0]) == list(found[1]) == list(model.query.weights)


def test_texts_without_words_or_trigrams_have_no_gradient_and_no_nan():
    model = unit_model(LSTM(3))
    for text in ("", "zzz"):
        for w in (*model.query.weights.values(), *model.document.weights.values()):
            w[...] = 0 if w.ndim == 1 else w  # no biases: an unknown word leaves y at 0
        with (
            pytest.warns(UserWarning, match="zero, their cosine is taken as 0"),
            pytest.warns(match="no letter trigram"),
        ):
            total, gradient = cost_and_gradient(model, [text], ["ab"], [["ba"]], method="bptt")
        assert total == pytest.approx(np.log(2))
        assert all((g == 0).all() for g in gradient["query"].values())
        with pytest.warns(UserWarning, match="zero, their cosine is taken as 0"):
            given = model, [text], ["ab"], [["ba"]]
            by_autograd = cost_and_gradient(*given, method="autograd")[1]
            assert worst_difference(by_autograd, gradient) == 0
