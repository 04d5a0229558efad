"""Exercises for lesson 05a: the LSTM's backward pass at one word, (E1)-(E9)."""

import numpy as np

from lstm_edu.cells.lstm import LSTM

from ..engine import slips
from ..engine.drawn import random_text


def _word_inputs(cell, back, rng):
    """Make one input per word of three texts, last word first, keyed as in "word 5 of 9"."""
    found = {}
    for T in (2, 5, 9):
        p, L, states, v = random_text(rng, T, cell)
        y, c, dy, later = states["y"], states["c"], v * (100 if T == 9 else 1), np.zeros(len(v))
        used = {name: w for name, w in p.items() if name.startswith(("Wrec", "Wp"))}
        for t in range(T, 0, -1):
            z = {k: p["W" + k] @ L[t - 1] + p["Wrec" + k] @ y[t - 1] + p["b" + k] for k in "1234"}
            for k in z:
                z[k] = z[k] + p.get("Wp" + k, 0) * c[t if k == "1" else t - 1]
            given = {"p": used, "z": z, "c": c[t], "c_before": c[t - 1], "dy": dy, "later": later}
            found[f"word {t} of {T}" + ", the last" * (t == T)] = given
            *_, dy, later = back(**given)
    return found


@slips.check(
    "At {}, (dz, dy(t-1), what goes to c(t-1))",
    lambda: _word_inputs(LSTM(4, True), back_one_word, np.random.default_rng(51)),
    parts=True,
    planted=("(E1) to (E7)", (4,)),
    name="three_bugs",
)
def back_one_word(p, z, c, c_before, dy, later):
    """Backpropagate the errors at word t to its gates and to word t-1.

    Returns
    -------
    dz : dict of (m,)
        The errors of the sums inside the gates, keyed by gate number.
    dy : (m,)
        The error of y(t-1).
    later : (m,)
        The part of c(t-1)'s error that comes from word t.
    """
    yg, h = np.tanh(z["4"]), np.tanh(c)
    o, f, i = (0.5 * (np.tanh(0.5 * z[k]) + 1) for k in "123")
    do = dy * h
    dc = later + dy * o * (1 - h**2)
    dz = {
        "1": do * o * (1 - o),
        "2": dc * c_before * f * (1 - f),
        "3": dc * yg * i * (1 - i),
        "4": dc * i * (1 - yg**2),
    }
    later = f * dc
    dy = sum(p["Wrec" + k].T @ dz[k] for k in "1234")
    return dz, dy, later


@slips.check(
    "At {}, (dz, dWp, dy(t-1), what goes to c(t-1))",
    lambda: _word_inputs(LSTM(4, True, "diagonal"), back_with_peepholes, np.random.default_rng(54)),
    parts=True,
    name="peepholes_back",
)
def back_with_peepholes(p, z, c, c_before, dy, later):
    """Backpropagate the errors at word t to its gates and to word t-1.

    Returns
    -------
    dz : dict of (m,)
        The errors of the sums inside the gates, keyed by gate number.
    dWp : dict of (m,)
        The gradient of the peepholes at word t, keyed by name.
    dy : (m,)
        The error of y(t-1).
    later : (m,)
        The part of c(t-1)'s error that comes from word t.
    """
    o, f, i = (0.5 * (np.tanh(0.5 * z[k]) + 1) for k in "123")
    yg, h = np.tanh(z["4"]), np.tanh(c)
    dz = {"1": dy * h * o * (1 - o)}  # (E1), (E2)
    dc = later + dy * o * (1 - h**2) + p["Wp1"] * dz["1"]  # (E3)
    dz["2"] = dc * c_before * f * (1 - f)  # (E4), (E5)
    dz["3"] = dc * yg * i * (1 - i)
    dz["4"] = dc * i * (1 - yg**2)
    dWp = {"Wp1": dz["1"] * c, "Wp2": dz["2"] * c_before, "Wp3": dz["3"] * c_before}  # (E9)
    dy = sum(p["Wrec" + k].T @ dz[k] for k in "1234")  # (E7)
    later = f * dc + p["Wp2"] * dz["2"] + p["Wp3"] * dz["3"]  # (E6)
    return dz, dWp, dy, later
