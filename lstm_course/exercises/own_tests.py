"""Exercises of 04, 06 and 10a that ask for a test: it passes what is right, and nothing else."""

import numpy as np

from lstm_edu.cells import RNN

from ..engine import slips
from .complex_step import _by_complex as complex_step

SLIPS = slips.table(__file__)


def gradient(params, L, v):
    """The gradient of v · y(T) by W, Wrec and b, as a dict, (9)-(13)."""
    y = [np.zeros(len(v))]
    for l in L:
        y.append(np.tanh(params["W"] @ l + params["Wrec"] @ y[-1] + params["b"]))
    found = {name: np.zeros_like(w) for name, w in params.items()}
    dy = v
    for t in range(len(L), 0, -1):
        delta = (1 - y[t]) * (1 + y[t]) * dy
        found["W"] += np.outer(delta, L[t - 1])
        found["Wrec"] += np.outer(delta, y[t - 1])
        found["b"] += delta
        dy = params["Wrec"].T @ delta
    return found


def test_gradient(gradient):
    """Raise an AssertionError if gradient(params, L, v) is not right."""
    rng = np.random.default_rng(0)
    for T in (1, 3, 15):
        params = {"W": rng.normal(size=(4, 5)),
                  "Wrec": rng.normal(size=(4, 4)), "b": rng.normal(size=4)}
        L, v = rng.integers(0, 3, (T, 5)) * 1.0, rng.normal(size=4)
        given = {name: w.copy() for name, w in params.items()}
        found = gradient(given, L, v)
        for name, w in params.items():
            def f(w):
                return v @ RNN(4).read(params | {name: w}, L)[-1].y

            assert np.array_equal(given[name], w)
            np.testing.assert_allclose(found[name], complex_step(f, w), 1e-9, 1e-12)


check_test_gradient = slips.check_test(test_gradient, gradient, SLIPS["gradient"])
