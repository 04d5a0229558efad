"""Each solution gives what another implementation has, on what its check draws."""

import autograd.numpy as anp
import numpy as np
import pytest
from autograd import grad
from by_autograd import by_autograd

from lstm_course.engine.drawn import random_text
from lstm_course.exercises import complex_step, rnn_gradient, truncated
from lstm_edu.cells.rnn import RNN

close = np.testing.assert_allclose
RNN_TEXTS = [random_text(np.random.default_rng(T), T, RNN(4)) for T in (1, 2, 5)]


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
