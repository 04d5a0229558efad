"""Exercise for lesson 05a: all derivatives of a plain LSTM, from its forward pass alone."""

import numpy as np

from lstm_edu.cells.lstm import LSTM, sigmoid

from ..engine import slips
from ..engine.drawn import random_text


def _texts():
    rng = np.random.default_rng(57)
    for T, m in ((3, 4), (1, 3), (9, 4), (2, 1)):
        p, L, _, v = random_text(rng, T, LSTM(m))
        L[-1, :2] = 2, 1  # the last word has trigrams, one of them twice
        yield {"p": p, "l": np.vstack([0 * L[:1], L]), "v": v * (100 if T == 9 else 1)}


@slips.check("d", _texts, parts=True)
def all_gradients(p, l, v):
    """Return the derivatives of v · y(T), keyed by name.

    The names of each word's quantities are "y(3)", "o(3)", … The parameters
    are "Wrec1", "W1", "b1", …
    """
    T, m = len(l) - 1, len(v)
    y, c, o, i, yg = (np.zeros((T + 1, m)) for _ in range(5))
    for t in range(1, T + 1):
        z1, z3, z4 = (p["W" + k] @ l[t] + p["Wrec" + k] @ y[t - 1] + p["b" + k] for k in "134")
        o[t], i[t], yg[t] = sigmoid(z1), sigmoid(z3), np.tanh(z4)
        c[t] = c[t - 1] + i[t] * yg[t]
        y[t] = o[t] * np.tanh(c[t])

    d, dy, later = {}, v, np.zeros(m)
    gradient = {w + k: np.zeros_like(p[w + k]) for w in ("Wrec", "W", "b") for k in "134"}
    for t in range(T, 0, -1):
        h = np.tanh(c[t])
        do = dy * h
        dz = {"1": do * o[t] * (1 - o[t])}
        dc = later + dy * o[t] * (1 - h**2)
        di, dyg = dc * yg[t], dc * i[t]
        dz["3"] = di * i[t] * (1 - i[t])
        dz["4"] = dyg * (1 - yg[t] ** 2)
        errors = {"y": dy, "o": do, "z1": dz["1"], "c": dc}
        errors |= {"i": di, "yg": dyg, "z3": dz["3"], "z4": dz["4"]}
        d |= {f"{name}({t})": error for name, error in errors.items()}
        for k in dz:
            gradient["Wrec" + k] += np.outer(dz[k], y[t - 1])
            gradient["W" + k] += np.outer(dz[k], l[t])
            gradient["b" + k] += dz[k]
        later = dc
        dy = sum(p["Wrec" + k].T @ dz[k] for k in dz)
    return d | gradient
