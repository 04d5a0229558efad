"""Exercises for lesson 05a: the error of the cell state, (E3), and an LSTM with coupled gates."""

import numpy as np

from lstm_edu.cells.lstm import sigmoid

from ..engine import slips


def _errors_of_a_word():
    rng = np.random.default_rng(50)
    for m, size in ((2, 1), (3, 1), (5, 6)):
        dy, from_later, c, z = size * rng.normal(size=(4, m))
        Wp1, o = rng.normal(size=(m, m)), sigmoid(z)
        dz1 = dy * np.tanh(c) * o * (1 - o)
        yield {"dy": dy, "dz1": dz1, "from_later": from_later, "o": o, "c": c, "Wp1": Wp1}


@slips.check("dc(t)", _errors_of_a_word, parts=True)
def error_of_c(dy, dz1, from_later, o, c, Wp1):
    """Return dc(t), the cell state's error over all paths, (E3).

    Returns
    -------
    (m,)
    """
    h = np.tanh(c)
    return from_later + dy * o * (1 - h * h) + Wp1.T @ dz1


def _coupled_words():
    rng = np.random.default_rng(52)
    for m in (3, 1, 5):
        dc, c_before, z3, z4 = rng.normal(size=(4, m))
        yield {"dc": dc, "c_before": c_before, "i": sigmoid(z3), "yg": np.tanh(z4)}


@slips.check("dz3, dz4, what goes to c(t-1)", _coupled_words, parts=True, name="coupled_gates")
def coupled_back(dc, c_before, i, yg):
    """Backpropagate dc through c = (1 - i) * c_before + i * yg.

    Returns
    -------
    dz3, dz4 : (m,)
    later : (m,)
        The part of c(t-1)'s error that comes from word t.
    """
    dz3 = dc * (yg - c_before) * i * (1 - i)
    dz4 = dc * i * (1 - yg**2)
    return dz3, dz4, (1 - i) * dc
