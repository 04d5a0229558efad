"""Exercise for lesson 04: a gradient with complex steps."""

import autograd.numpy as anp
import numpy as np

from lstm_edu.cells.rnn import RNN

from ..engine import slips
from ..engine.drawn import random_text

LOST, UNDIVIDED, AS_COMPLEX, FEW_DIGITS = slips.table(__file__)["as_it_came"]


def _functions_and_points():
    rng = np.random.default_rng(43)
    params, L, _, v = random_text(rng, 4, RNN(4))
    A, B = rng.normal(size=(3, 5)), rng.normal(size=(2, 3, 2))

    def sum_of_tanh(w):
        return anp.sum(anp.tanh(A @ w))

    def log_of_squares(w):
        return anp.log(1 + anp.sum(w**2))

    def rnn_of_Wrec(w):
        y = np.zeros(4)
        for l in L:
            y = anp.tanh(params["W"] @ l + w @ y + params["b"])
        return v @ y

    return [
        {"f": sum_of_tanh, "w": rng.normal(size=5)},
        {"f": log_of_squares, "w": rng.normal(size=(2, 3))},
        {"f": rnn_of_Wrec, "w": params["Wrec"]},
        {"f": lambda w: anp.sum(w**2 + 3 * w), "w": np.array([0.0, 1.0])},
        {"f": lambda w: anp.sum(w**2 * B), "w": rng.normal(size=B.shape)},
    ]


def _as_it_came(came, expected, _):
    """Return a list with the mistake that an answer's accuracy reveals, or an empty list."""
    if np.all(np.abs(came) < 1e-20):  # the answer is 0, or not divided by h
        return [(UNDIVIDED if np.any(came) else LOST, np.zeros(expected.shape))]
    near = np.shape(came) == expected.shape
    if near and np.allclose(np.real(came), expected, rtol=1e-3, atol=1e-5):
        return [(AS_COMPLEX if np.iscomplexobj(came) else FEW_DIGITS, came)]
    return []


@slips.check("the gradient", _functions_and_points, of_answer=_as_it_came, tolerance=1e-11)
def complex_step(f, w):
    """Return the gradient of f at w, which has the shape of w."""
    h = 1e-30
    gradient = np.zeros(w.shape)
    for index in np.ndindex(w.shape):
        moved = w.astype(complex)
        moved[index] += 1j * h
        gradient[index] = f(moved).imag / h
    return gradient
