"""Exercises for lesson 04: the RNN's gradient, Eq. (9)-(13), also for a mean embedding."""

import numpy as np

from lstm_edu.cells.rnn import RNN

from ..engine import slips
from ..engine.drawn import random_text


def _errors_of_a_word():
    rng = np.random.default_rng(40)
    for m, size in ((2, 1), (3, 1e-4), (5, 100)):
        y = np.tanh(rng.normal(size=m))
        yield {"Wrec": rng.normal(size=(m, m)), "y": y, "delta": size * rng.normal(size=m)}


@slips.check("delta(t-1)", _errors_of_a_word, parts=True)
def send_back(Wrec, y, delta):
    """Return delta(t-1), given y(t-1) and delta(t), by Eq. (10).

    Returns
    -------
    (m,)
    """
    return (1 - y) * (1 + y) * (Wrec.T @ delta)


def _errors_of_texts():
    rng = np.random.default_rng(41)
    for T, m in {3: 4, 6: 1, 9: 4}.items():  # maps n_words to n_cells
        params, L, states, v = random_text(rng, T, RNN(m))
        y, L[0, 0] = states["y"], 2  # a trigram occurs twice in the first word
        delta = np.zeros_like(y)
        delta[T] = (1 - y[T] ** 2) * v
        for t in range(T - 1, 0, -1):
            delta[t] = send_back(params["Wrec"], y[t], delta[t + 1])
        yield {"delta": delta, "y": y, "L": L}


@slips.check("the gradient", _errors_of_texts, parts=True)
def weights_gradient(delta, y, L):
    """Return the gradient with respect to W, Wrec and b, Eq. (9), (13).

    Parameters
    ----------
    delta, y : (T + 1, m)
        Row t belongs to word t.
    L : (T, n_trigrams)

    Returns
    -------
    dict of arrays
    """
    delta = delta[1:]
    return {"W": delta.T @ L, "Wrec": delta.T @ y[:-1], "b": delta.sum(axis=0)}


def _means():
    rng = np.random.default_rng(44)
    for T in (2, 4, 8):
        params, _, states, v = random_text(rng, T, RNN(4))
        yield {"Wrec": params["Wrec"], "y": states["y"], "v": v}


@slips.check("delta", _means, parts=True, name="mean_embedding")
def send_back_mean(Wrec, y, v):
    """Return delta(t) in row t, if the embedding is the mean of all y(t).

    Parameters
    ----------
    Wrec : (m, m)
    y : (T + 1, m)
        y(0), y(1), ..., y(T).
    v : (m,)
        The error of the embedding.

    Returns
    -------
    (T + 1, m)
    """
    T = len(y) - 1
    delta = np.zeros_like(y)
    dy = v / T
    for t in range(T, 0, -1):
        delta[t] = (1 - y[t]) * (1 + y[t]) * dy
        dy = v / T + Wrec.T @ delta[t]
    return delta
