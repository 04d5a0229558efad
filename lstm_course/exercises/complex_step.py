"""Exercise on judging a gradient, by complex steps. What is expected comes from autograd."""

import autograd.numpy as anp
import numpy as np
from autograd import grad

from lstm_edu.cells.rnn import RNN

from ..engine.by_autograd import outputs
from ..engine.drawn import random_text
from ..engine.minimize import hold
from ..engine.report import call, passed

CELL = RNN(4)


def check_complex_step(complex_step):
    """The gradient of any function by complex steps.

    Parameters
    ----------
    complex_step : function of f, w
        f takes an array of the shape of w to one number; returns the gradient, of the shape of w.

    Raises
    ------
    Wrong
    """
    rng = np.random.default_rng(43)
    params, L, _, v = random_text(rng, 4, CELL)
    A = rng.normal(size=(3, 5))

    def sum_of_tanh(w):
        return anp.sum(anp.tanh(A @ w))

    def log_of_squares(w):
        return anp.log(1 + anp.sum(w**2))

    def rnn_of_Wrec(w):
        return v @ outputs(CELL, params | {"Wrec": w}, L, {"y": np.zeros((5, 4))}, {})[-1]

    inputs = [
        (sum_of_tanh, rng.normal(size=5)),
        (log_of_squares, rng.normal(size=(2, 3))),
        (rnn_of_Wrec, params["Wrec"]),
    ]
    for f, w in inputs:
        given = {"f": f, "w": w}
        expected = grad(f)(w)
        got = call("the gradient", complex_step, given)
        close = np.shape(got) == w.shape and np.allclose(
            np.real(got), expected, rtol=1e-3, atol=1e-5
        )
        reasons = [
            (
                "right, but as a complex number: a derivative is the imaginary part, divided by h",
                got if np.iscomplexobj(got) and close else None,
            ),
            (
                "right to a few digits only: "
                "something is subtracted on the way, and the digits that agree are lost. "
                "A complex step takes one value of f, with 1j * h added",
                got if close else None,
            ),
            (
                "the elements before it are still moved: start from w again for each element",
                np.cumsum(expected).reshape(w.shape),
            ),
            (
                "this is the real part, divided by h: the derivative is in the imaginary part",
                np.full(w.shape, f(w) / 1e-30),
            ),
            ("divide by h", expected * 1e-30 if np.any(got) else None),
            (
                "a real array cannot hold 1j * h, so that it was lost: "
                "w.astype(complex) makes an array that can",
                np.zeros(w.shape),
            ),
            ("all elements were moved at once: one after the other", expected.sum()),
            (
                "all elements were moved at once: one after the other",
                np.full(w.shape, expected.sum()),
            ),
        ]
        simpler = [
            (text, {"f": simple, "w": w}, grad(simple)(w))
            for text, simple in (
                ("of the sum of all elements it is wrong already: 1 for each", anp.sum),
                ("of the sum of squares it is wrong already: 2 w", lambda w: anp.sum(w**2)),
                ("of the sum of squares it is right", f),
            )
        ]
        hold("the gradient", complex_step, given, expected, reasons, simpler, tolerance=1e-11)
    passed("check_complex_step", len(inputs))


def _by_complex(f, w):
    gradient = np.zeros(w.shape)
    for index in np.ndindex(w.shape):
        moved = w.astype(complex)
        moved[index] += 1j * 1e-30
        gradient[index] = f(moved).imag / 1e-30
    return gradient
