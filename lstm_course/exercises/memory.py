"""Exercises for lesson 07: dc(T)/dc(t) through forget gates, and dc(t)/dc(t-1) over all paths."""

import numpy as np

from lstm_edu.cells.lstm import LSTM

from ..engine import slips
from ..engine.drawn import lstm_by_names
from ..engine.minimize import check_answer


def _forget_gates():
    given = []
    for seed in range(8):
        rng = np.random.default_rng(seed)
        # the last two have a single word, and as many words as cells
        n_words = 5 + seed if seed < 5 else (6, 1, 4)[seed - 5]
        params, L = lstm_by_names("1234", rng, recurrent=0), rng.standard_normal((n_words, 6))
        if seed == 5:  # a closed gate, an open one, and one that alternates
            params["b2"] += [-2000, 0, 2000, 0]
            params["W2"][1] = [1e6, 0, 0, 0, 0, 0]
        with np.errstate(over="ignore"):  # the exponential of a closed gate overflows
            given.append({"f": np.array([state.f for state in LSTM(4, True).read(params, L)])})
    return [*given, {"f": np.full((300, 1), 0.05)}, {"f": np.zeros((30, 1))}]  # long texts


def _nearly_shut(function):
    given, text = {"f": np.array([[0.5], [1e-13]])}, "a gate that is nearly shut is not yet 0"
    check_answer(WHAT, function, given, np.array([[1e-13], [1.0]]), text, tolerance=1e-15)
    return 1


WHAT = "dc(T)/dc(t)"


@slips.check(WHAT, _forget_gates, then=_nearly_shut)
def memory_path(f):
    """Return dc(T)/dc(t) through the forget gates alone, for each t.

    Returns
    -------
    (n_words, n_cells)
    """
    found = np.ones_like(f)
    for t in range(len(f) - 2, -1, -1):
        found[t] = f[t + 1] * found[t + 1]
    return found


def _two_words():
    for seed, m in enumerate([4, 4, 4, 4, 4, 1, 3]):
        rng = np.random.default_rng(seed)
        params, L = lstm_by_names("1234", rng, m, 1.0), rng.standard_normal((4, 6))
        before, now = LSTM(m, True).read(params, L)[-2:]
        yield {"params": params, "before": before, "now": now}


@slips.check("dc(t)/dc(t-1)", _two_words)
def dc_dc(params, before, now):
    """Return dc(t)/dc(t-1) over all paths.

    Returns
    -------
    (n_cells, n_cells)
        Rows belong to c(t), columns to c(t-1).
    """
    dy = before.o * (1 - np.tanh(before.c) ** 2)  # dy(t-1)/dc(t-1)
    by_f = (before.c * now.f * (1 - now.f))[:, None] * params["Wrec2"]
    by_i = (now.yg * now.i * (1 - now.i))[:, None] * params["Wrec3"]
    by_yg = (now.i * (1 - now.yg**2))[:, None] * params["Wrec4"]
    return np.diag(now.f) + (by_f + by_i + by_yg) * dy
