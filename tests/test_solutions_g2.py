"""Each solution gives what another implementation has, on what its check draws."""

import autograd.numpy as anp
import numpy as np
import pytest
from autograd import grad
from by_autograd import by_autograd

from lstm_course.engine.drawn import random_text
from lstm_course.exercises import complex_step, lstm_back, lstm_gradient, rnn_gradient, truncated
from lstm_edu.cells import lstm
from lstm_edu.cells.lstm import LSTM
from lstm_edu.cells.rnn import RNN

close = np.testing.assert_allclose
RNN_TEXTS = [random_text(np.random.default_rng(T), T, RNN(4)) for T in (1, 2, 5)]


def sigmoid(x):
    """The package's, which autograd can differentiate."""
    return lstm.sigmoid(x, anp)


@pytest.mark.parametrize("given", rnn_gradient._errors_of_a_word())
def test_send_back(given):
    Wrec, y, delta = given.values()
    expected = grad(lambda z: delta @ (Wrec @ anp.tanh(z)))(np.arctanh(y))
    close(rnn_gradient.send_back(*given.values()), expected, rtol=1e-9)


@pytest.mark.parametrize("params, L, states, v", RNN_TEXTS)
def test_weights_gradient(params, L, states, v):
    expected, errors = by_autograd(RNN(4), params, L, v)
    found = rnn_gradient.weights_gradient(errors["z"], states["y"], L)
    for name in expected:
        close(found[name], expected[name], rtol=1e-9)


@pytest.mark.parametrize("params, L, states, v", RNN_TEXTS)
def test_mean_embedding(params, L, states, v):
    expected = by_autograd(RNN(4), params, L, v, mean=True)[1]["z"]
    found = rnn_gradient.send_back_mean(params["Wrec"], states["y"], v)
    close(found, expected, rtol=1e-9, atol=1e-15)


@pytest.mark.parametrize("given", truncated._texts_and_steps())
def test_truncated_gradient(given):
    params, L, _, v, truncate = given.values()
    expected, _ = by_autograd(RNN(4), params, L, v, truncate)
    found = truncated.truncated_gradient(*given.values())
    for name in expected:
        close(found[name], expected[name], rtol=1e-9)


@pytest.mark.parametrize("given", complex_step._functions_and_points())
def test_complex_step(given):
    close(complex_step.complex_step(**given), grad(given["f"])(given["w"]), rtol=1e-12)


@pytest.mark.parametrize(
    "cell, back",
    [
        (LSTM(4, True), lstm_back.back_one_word),
        (LSTM(4, True, "diagonal"), lstm_back.back_with_peepholes),
    ],
)
def test_a_word_of_the_lstm_back(cell, back):
    words = lstm_back._words_back(cell, back, np.random.default_rng(0))
    rng = np.random.default_rng(0)  # the same texts again
    for T in (2, 5, 9):
        p, L, _, v = random_text(rng, T, cell)
        _, errors = by_autograd(cell, p, L, v)
        for t in range(T, 0, -1):
            given = words[f"word {t} of {T}" + ", the last" * (t == T)]
            dz, *dWp, dy, later = back(**given)
            found = {"z" + k: dz[k] for k in dz} | dict(*dWp)
            for name, value in found.items():
                close(value, errors[name][t], rtol=1e-9, atol=1e-12)
            close(dy, errors["y"][t - 1], rtol=1e-9, atol=1e-12)
            close(later, errors["c"][t - 1], rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("given", lstm_gradient._errors_of_a_word())
def test_error_of_c(given):
    dy, _, from_later, o, c, Wp1 = given.values()
    z = np.log(o / (1 - o))
    expected = grad(lambda new: dy @ (sigmoid(z + Wp1 @ (new - c)) * anp.tanh(new)))(c)
    close(lstm_gradient.error_of_c(**given), from_later + expected, rtol=1e-9)


@pytest.mark.parametrize("given", lstm_gradient._coupled_words())
def test_coupled_back(given):
    dc, c_before, i, yg = given.values()
    expected = grad(
        lambda z3, z4, c: dc @ ((1 - sigmoid(z3)) * c + sigmoid(z3) * anp.tanh(z4)), (0, 1, 2)
    )(np.log(i / (1 - i)), np.arctanh(yg), c_before)
    for found, part in zip(lstm_gradient.coupled_back(**given), expected):
        close(found, part, rtol=1e-9)
