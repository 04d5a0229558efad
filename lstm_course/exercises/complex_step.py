"""Exercise on judging a gradient, by complex steps."""

import autograd.numpy as anp
import numpy as np

from lstm_edu.cells.rnn import RNN

from ..engine import slips
from ..engine.drawn import random_text
from ..engine.minimize import hold
from ..engine.report import call, passed

ROWS = slips.table(__file__)["complex_step"]
LOST = (
    "a real array cannot hold 1j * h, so that it was lost: "
    "w.astype(complex) makes an array that can"
)
AS_COMPLEX = "right, but as a complex number: a derivative is the imaginary part, divided by h"
FEW_DIGITS = (
    "right to a few digits only: something is subtracted on the way, and the digits that agree "
    "are lost. A complex step takes one value of f, with 1j * h added"
)
SIMPLER = [
    ("of the sum of all elements it is wrong already: 1 for each", anp.sum),
    ("of the sum of squares it is wrong already: 2 w", lambda w: anp.sum(w**2)),
]


def complex_step(f, w):
    """The gradient of f at w, of the shape of w."""
    h = 1e-30
    gradient = np.zeros(w.shape)
    for index in np.ndindex(w.shape):
        moved = w.astype(complex)
        moved[index] += 1j * h
        gradient[index] = f(moved).imag / h
    return gradient


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


def _as_it_came(came, expected):
    """Mistakes that show in how near an answer is, not in its value."""
    if not np.any(came):
        return [(LOST, np.zeros(expected.shape))]
    near = np.shape(came) == expected.shape
    if near and np.allclose(np.real(came), expected, rtol=1e-3, atol=1e-5):
        return [(AS_COMPLEX if np.iscomplexobj(came) else FEW_DIGITS, came)]
    return []


def check_complex_step(function):
    """The gradient of any function by complex steps."""
    for given in (every := _functions_and_points()):
        expected = complex_step(**given)

        def mistakes(given=given, expected=expected):
            came = call("the gradient", function, given)
            return _as_it_came(came, expected) + slips.reasons(complex_step, ROWS, given)

        w = given["w"]
        simpler = [(text, {"f": f, "w": w}, complex_step(f, w)) for text, f in SIMPLER]
        simpler.append(("of the sum of squares it is right", given, expected))
        hold("the gradient", function, given, expected, mistakes, simpler, tolerance=1e-11)
    passed("check_complex_step", len(every))


slips.with_table(check_complex_step, complex_step, ROWS)
