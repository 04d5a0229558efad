"""Exercises for lesson 05b: errors and forward derivatives of the paper's appendix, (14)-(112)."""

import itertools

import numpy as np

from lstm_edu.cells.lstm import LSTM

from ..engine import slips
from ..engine.drawn import random_text


def _last_words():
    rng = np.random.default_rng(55)
    for T in (2, 5, 9):
        p, _, states, v = random_text(rng, T, LSTM(4, True))
        o, f, i, yg, c = (states[name][T] for name in ("o", "f", "i", "yg", "c"))
        h = np.tanh(c)
        errors = {"delta_1": o * (1 - o) * h * v, "delta": (1 - h**2) * o * v}
        b_f, b_i, b_g = states["c"][T - 1] * f * (1 - f), yg * i * (1 - i), i * (1 - yg**2)
        Wrec = {k: p["Wrec" + k] for k in "4321"}  # in reverse order, so that answers must use keys
        yield errors | {"b_f": b_f, "b_i": b_i, "b_g": b_g, "Wrec": Wrec}


def _factors_exchanged(given):
    text = "the factors change places: b_f is gate 2's, b_i gate 3's, b_g gate 4's"
    names = "b_f", "b_i", "b_g"
    return [
        (text, sent_back(**given | {name: given[other] for name, other in zip(names, others)}))
        for others in itertools.product(names, repeat=3)
        if others != names
    ]


@slips.check("dy(T-1)", _last_words, others=_factors_exchanged, parts=True)
def sent_back(delta_1, delta, b_f, b_i, b_g, Wrec):
    """Return dy(T-1) from the appendix's errors at the last word, (E7).

    Returns
    -------
    (m,)
    """
    dz = {"1": delta_1, "2": b_f * delta, "3": b_i * delta, "4": b_g * delta}
    return sum(Wrec[k].T @ dz[k] for k in dz)


def _texts():
    rng, given = np.random.default_rng(53), []
    for T in (2, 5, 9):
        _, _, states, v = random_text(rng, T, LSTM(4, True))
        gates = {name: states[name] for name in ("f", "i", "yg")}
        given.append(gates | {"o": states["o"][-1], "c": states["c"][-1], "v": v})
    shut = given[1] | {"f": given[1]["f"].copy(), "v": 100 * given[1]["v"]}
    shut["f"][3, 0] = 0  # a closed forget gate, and a large error
    return [*given, shut]


@slips.check("dR/db3", _texts, parts=True, name="appendix_recursion")
def gradient_of_b3(f, i, yg, o, c, v):
    """Return dR/db3 from the last word's error, Eq. (22), (27), (28).

    Returns
    -------
    (m,)
    """
    dc_db3 = np.zeros(len(v))
    for t in range(1, len(f)):
        dc_db3 = f[t] * dc_db3 + yg[t] * i[t] * (1 - i[t])  # (28)
    h = np.tanh(c)
    return (1 - h) * (1 + h) * o * v * dc_db3  # (22), (27)


def _words():
    rng, found = np.random.default_rng(56), {}
    for T, m in {3: 3, 5: 4, 9: 2}.items():  # maps numbers of words to numbers of cells
        p, _, states, _ = random_text(rng, T, LSTM(m, True))
        dc, dy = np.zeros((2, m, m))
        for t in range(1, T + 1):
            given = {"Wrec": {k: p["Wrec" + k] for k in "1234"}}
            given |= {name: states[name][t] for name in ("o", "f", "i", "yg", "c")}
            given |= {"c_before": states["c"][t - 1], "dc_before": dc, "dy_before": dy}
            found[f"word {t} of {T}"] = given
            dc, dy = carried_forward(**given)
    return found


@slips.check("dc(t)/db1 at {0}, dy(t)/db1 at {0}", _words, parts=True)
def carried_forward(Wrec, o, f, i, yg, c, c_before, dc_before, dy_before):
    """Return dc(t)/db1 and dy(t)/db1, given the derivatives at word t-1.

    Returns
    -------
    dc, dy : (m, m)
        One row per cell.
    """
    h = np.tanh(c)
    dz = {k: Wrec[k] @ dy_before for k in "1234"}
    dz["1"] = dz["1"] + np.eye(len(c))
    dc = (
        f[:, None] * dc_before  # (E10)
        + (c_before * f * (1 - f))[:, None] * dz["2"]
        + (yg * i * (1 - i))[:, None] * dz["3"]
        + (i * (1 - yg**2))[:, None] * dz["4"]
    )
    direct = (o * (1 - o) * h)[:, None] * dz["1"]
    called_zero = (o * (1 - h**2))[:, None] * dc  # the part that (72) calls zero
    return dc, direct + called_zero
