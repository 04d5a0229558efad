"""Exercises for lesson 08: the input that a gate lets in, and a forward pass with a fixed gate."""

import numpy as np

from lstm_edu.cells.lstm import LSTM, sigmoid

from ..engine import slips
from ..engine.drawn import lstm_by_names


def _read_by_an_lstm():
    # the sizes are (n_words, n_cells)
    given = []
    sizes = (3, 4), (4, 4), (5, 4), (6, 4), (7, 4), (1, 4), (3, 1)
    for seed, (n_words, n_cells) in enumerate(sizes):
        rng = np.random.default_rng(seed)
        params, L = lstm_by_names("134", rng, n_cells), rng.standard_normal((n_words, 6))
        states = LSTM(n_cells).read(params, L)
        given.append({k: np.array([getattr(state, k) for state in states]) for k in ("i", "yg")})
    i = given[3]["i"].copy()
    i[:, ::2] = [[0.0005, 0.0]]  # the gates of every other cell are closed or nearly closed
    return [*given, given[3] | {"i": i}]


@slips.check("what is let in", _read_by_an_lstm)
def let_in(i, yg):
    """Return the mean of |i(t) yg(t)| over the cells, for each word.

    Parameters
    ----------
    i, yg : (n_words, n_cells)

    Returns
    -------
    (n_words,)
    """
    return np.abs(i * yg).mean(axis=1)


def _texts_and_gates():
    for seed in range(7):
        rng = np.random.default_rng(seed)
        params, L = lstm_by_names("134", rng), rng.standard_normal((3 + seed, 6))
        gate = rng.uniform(0.1, 0.9, 4)
        L[2] *= seed != 4  # a word without known trigrams
        if seed == 5:  # a single word, with one closed and one open gate
            L, gate[:2] = L[:1], [0, 1]
        yield {"params": params, "L": L, "gate": gate}


@slips.check("y(T)", _texts_and_gates)
def read_with_gate(params, L, gate):
    """Return y after the last word, with the input gate fixed.

    Returns
    -------
    (n_cells,)
    """
    y, c = np.zeros(len(gate)), np.zeros(len(gate))
    for l in L:
        yg = np.tanh(params["W4"] @ l + params["Wrec4"] @ y + params["b4"])
        c = c + gate * yg
        o = sigmoid(params["W1"] @ l + params["Wrec1"] @ y + params["b1"])
        y = o * np.tanh(c)
    return y
