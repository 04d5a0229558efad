"""Exercises on the gradient of the RNN, Eq. (9)-(13), and on an embedding that is a mean.

What is expected comes from autograd.
"""

import autograd.numpy as anp
import numpy as np
from autograd import grad

from lstm_edu.cells.rnn import RNN

from ..engine.by_autograd import by_autograd
from ..engine.drawn import random_text
from ..engine.minimize import hold
from ..engine.report import passed

CELL = RNN(4)


def check_send_back(send_back):
    """The error of the word before, Eq. (10).

    Parameters
    ----------
    send_back : function of Wrec (m, m), y (m,), delta (m,)
        y(t-1) and delta(t); returns delta(t-1), (m,).

    Raises
    ------
    Wrong
    """
    rng, sizes = np.random.default_rng(40), [2, 3, 5]
    for m in sizes:
        z = rng.normal(size=m)
        given = {"Wrec": rng.normal(size=(m, m)), "y": np.tanh(z), "delta": rng.normal(size=m)}
        Wrec, y, delta = given.values()
        back, slope = Wrec.T @ delta, (1 - y) * (1 + y)
        reasons = [
            (
                "Wrec is not transposed: errors go from the sums back to the outputs",
                slope * (Wrec @ delta),
            ),
            ("the derivative of tanh is missing", back),
            (
                "y is tanh(z) already: its derivative is 1 - y², without another tanh",
                (1 - np.tanh(y) ** 2) * back,
            ),
            ("y (1 - y) is the derivative of a sigmoid; here it is tanh", y * (1 - y) * back),
            ("(1 - y)² is not (1 - y)(1 + y)", (1 - y) ** 2 * back),
            (
                "tanh is passed after Wrec on the way back: "
                "its derivative multiplies Wrec^T delta, not delta",
                Wrec.T @ (slope * delta),
            ),
            (
                "Wrec^T is a matrix, and `*` multiplies element by element: use @",
                slope * Wrec.T * delta,
            ),
            ("delta has to go through Wrec^T first", slope * delta),
            ("the derivative of tanh is 1 - y², not 1 + y²", (1 + y**2) * back),
            ("the derivative of tanh is 1 - y², not 1 - y", (1 - y) * back),
            ("the derivative of tanh is 1 - y², not 1 + y", (1 + y) * back),
            ("the derivative of tanh is 1 - y²; this is y² - 1", -slope * back),
            ("the slope multiplies Wrec^T delta, and is not added to it", slope + back),
            (
                "Wrec is not transposed, and the derivative of tanh is missing",
                Wrec @ delta,
            ),
        ]
        expected = grad(lambda z: delta @ (Wrec @ anp.tanh(z)))(z)
        hold("delta(t-1)", send_back, given, expected, reasons, of=_sent_back)
    passed("check_send_back", len(sizes))


def check_weights_gradient(weights_gradient):
    """From the errors of all words to the gradient of W, Wrec and b, Eq. (9), (13).

    Parameters
    ----------
    weights_gradient : function of delta (T + 1, m), y (T + 1, m), L (T, n_trigrams)
        Returns a dict with W (m, n_trigrams), Wrec (m, m), b (m,).

    Raises
    ------
    Wrong
    """
    rng, lengths = np.random.default_rng(41), [3, 6, 9]
    for T in lengths:
        params, L, states, v = random_text(rng, T, CELL)
        y = states["y"]
        expected, errors = by_autograd(CELL, params, L, v)
        delta = errors["z"]
        given = {"delta": delta, "y": y, "L": L}
        last = {"W": np.outer(delta[-1], L[-1]), "Wrec": np.outer(delta[-1], y[-2]), "b": delta[-1]}
        reasons = [
            (
                "row t of y is y(t), and the word t met y(t-1): the rows are off by one",
                {"W": None, "Wrec": delta.T @ y, "b": None},
            ),
            (
                "row t of delta is delta(t), and row t - 1 of L is l(t): the rows are off by one",
                {"W": delta[:-1].T @ L, "Wrec": None, "b": None},
            ),
            *(
                (
                    f"the last word alone: the words add up, as {name} is used at each of them",
                    dict.fromkeys(last) | {name: value},
                )
                for name, value in last.items()
            ),
            *(
                (
                    f"the words add up in {name}; this is their mean",
                    dict.fromkeys(last) | {name: expected[name] / T},
                )
                for name in last
            ),
            (
                "column times row: delta(t) y(t-1)^T, not y(t-1) delta(t)^T",
                {"W": None, "Wrec": expected["Wrec"].T, "b": None},
            ),
        ]
        hold("the gradient", weights_gradient, given, expected, reasons, of=_of_weights)
    passed("check_weights_gradient", len(lengths))


def check_mean_embedding(send_back_mean):
    """The errors of all words if the embedding is the mean of all outputs.

    Parameters
    ----------
    send_back_mean : function of Wrec (m, m), y (T + 1, m), v (m,)
        v is the error of the mean of y(1) … y(T); returns delta, (T + 1, m), its first row zero.

    Raises
    ------
    Wrong
    """
    rng, lengths = np.random.default_rng(44), [2, 4, 8]
    for T in lengths:
        params, L, states, v = random_text(rng, T, CELL)
        y = states["y"]
        given = {"Wrec": params["Wrec"], "y": y, "v": v}
        expected = by_autograd(CELL, params, L, v, mean=True)[1]["z"]
        reasons = [
            (
                "this is the error for the last output alone: "
                "every output has an arrow to the mean",
                by_autograd(CELL, params, L, v)[1]["z"],
            ),
            ("the same without the mean's 1/T", T * expected),
            (
                "the last output alone, with 1/T: every output has an arrow to the mean",
                by_autograd(CELL, params, L, v / T)[1]["z"],
            ),
            ("the mean is over T outputs: y(0) is not one of them", expected * T / (T + 1)),
            (
                "the arrow to the mean alone: each output also moves the next word, through Wrec",
                _sent(given, v / T, recur=False),
            ),
            (
                "v / T is an error of y(t), and has to pass tanh as well: "
                "add it before the derivative is multiplied",
                _sent(given, v / T, inside=False),
            ),
            (
                "Wrec is not transposed: errors go from the sums back to the outputs",
                _sent({**given, "Wrec": params["Wrec"].T}, v / T),
            ),
            (
                "the derivative of tanh is missing",
                _sent(given, v / T, steep=True),
            ),
            (
                "the loop runs from the first word: delta(t) needs delta(t+1), so go back",
                _sent(given, v / T, recur=False),
            ),
            (
                "the last word is missing: range(T, 0, -1) begins at it",
                np.where(np.arange(T + 1)[:, None] == T, 0, expected),
            ),
            (
                "the first word is missing: the loop goes down to t = 1",
                np.where(np.arange(T + 1)[:, None] == 1, 0, expected),
            ),
            (
                "1/T is the mean's and multiplies v, not what comes back through Wrec",
                _sent(given, v / T, recur=1 / T),
            ),
        ]
        hold("delta", send_back_mean, given, expected, reasons, of=_of_mean)
    passed("check_mean_embedding", len(lengths))


def _sent_back(Wrec, y, delta):
    return (1 - y) * (1 + y) * (Wrec.T @ delta)


def _of_weights(delta, y, L):
    return {"W": delta[1:].T @ L, "Wrec": delta[1:].T @ y[:-1], "b": delta[1:].sum(axis=0)}


def _of_mean(Wrec, y, v):
    return _sent({"Wrec": Wrec, "y": y}, v / (len(y) - 1))


def _sent(given, v, recur=True, inside=True, steep=False):
    """What mistakes in the errors for the mean of the outputs give."""
    Wrec, y, delta = given["Wrec"], given["y"], np.zeros_like(given["y"])
    for t in range(len(y) - 1, 0, -1):
        later = recur * Wrec.T @ delta[t + 1] if t < len(y) - 1 else np.zeros(len(v))
        slope = 1 if steep else 1 - y[t] ** 2
        delta[t] = slope * (v + later) if inside else v + slope * later
    return delta
