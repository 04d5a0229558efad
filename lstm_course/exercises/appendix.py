"""Exercises on the appendix, (14)-(112): what it sends back and carries forward, and drops.

What is expected comes from autograd and from complex steps, through the package's step.
"""

import itertools

import numpy as np

from lstm_edu.cells.lstm import LSTM
from lstm_edu.gradients.check import state_derivatives

from ..engine.by_autograd import by_autograd
from ..engine.drawn import random_text
from ..engine.minimize import hold
from ..engine.report import passed

CELL = LSTM(4, True)


def check_sent_back(sent_back):
    """The error of y(T-1) from the appendix's errors at the last word, where these are right.

    Parameters
    ----------
    sent_back : function of delta_1, delta, b_f, b_i, b_g (each (m,)), Wrec
        ``delta`` is that of gates 2, 3 and 4, and ``Wrec`` a dict of (m, m) by the gate's number.
        Returns dy(T-1), (m,), as (E7) has it.

    Raises
    ------
    Wrong
    """
    rng, lengths = np.random.default_rng(55), [2, 5, 9]
    for T in lengths:
        p, L, states, v = random_text(rng, T, CELL)
        o, f, i, yg, c = (states[name][T] for name in ("o", "f", "i", "yg", "c"))
        c_before, h = states["c"][T - 1], np.tanh(c)
        given = {
            "delta_1": o * (1 - o) * h * v,
            "delta": (1 - h**2) * o * v,
            "b_f": c_before * f * (1 - f),
            "b_i": yg * i * (1 - i),
            "b_g": i * (1 - yg**2),
            "Wrec": {k: p["Wrec" + k] for k in "1234"},
        }
        reasons = [(text, sent(**given)) for text, sent in SENT]
        expected = by_autograd(CELL, p, L, v)[1]["y"][T - 1]
        hold("dy(T-1)", sent_back, given, expected, reasons, of=_sent())
    passed("check_sent_back", len(lengths))


def _sent(factors="fig", gates="1234", transposed=True, first=None, other=None):
    """A function that sends back what the gates named send, each with the factor at its place.

    " " is no factor; ``first`` and ``other`` make dz_1, and what takes the place of delta.
    """

    def sent(delta_1, delta, b_f, b_i, b_g, Wrec):
        b = {"f": b_f, "i": b_i, "g": b_g, " ": 1}
        dz = {"1": delta_1 if first is None else first(delta_1, delta)}
        dc = delta if other is None else other(delta_1, delta)
        dz |= {k: b[name] * dc for k, name in zip("234", factors)}
        return sum((Wrec[k].T if transposed else Wrec[k]) @ dz[k] for k in gates)

    return sent


SENT = [
    ("this is (44) as printed: b_f, b_i and b_g are missing, dz_k is b ∘ delta", _sent("   ")),
    ("dc is missing: dz_k is b ∘ delta, for the gates 2, 3 and 4", _sent(other=lambda d, e: 1)),
    ("for the gates 2, 3 and 4 it is delta, the error of c(t)", _sent(other=lambda d, e: d)),
    ("errors go back through the transposed matrices", _sent(transposed=False)),
    (
        "delta_1 is dz_1 already, an error at the sum: no factor belongs to it",
        _sent(first=lambda d, e: d * e),
    ),
    ("the output gate's error at its sum is delta_1, not delta", _sent(first=lambda d, e: e)),
    *(
        (f"the share of gate {k} is missing: every gate saw y(T-1)", _sent(gates=gates))
        for k, gates in zip("1234", ("234", "134", "124", "123"))
    ),
    *(
        (f"this is what gate {k} sends alone; (E7) adds up all four", _sent(gates=k))
        for k in "1234"
    ),
    *(
        ("the factors change places: b_f is gate 2's, b_i gate 3's, b_g gate 4's", _sent(places))
        for places in map("".join, itertools.product("fig", repeat=3))
        if places != "fig"
    ),
    *(
        (f"the factor of gate {k} is missing: dz_{k} is b ∘ delta", _sent(factors))
        for k, factors in zip("234", (" ig", "f g", "fi "))
    ),
]


def check_appendix_recursion(gradient_of_b3):
    """The appendix's gradient of b3 from the last word's error, (22), (27), (28) with tau = 0.

    From that error alone. What is expected is the exact gradient of a network in which y(t-1) is
    held fixed: what the derivation takes as constant.

    Parameters
    ----------
    gradient_of_b3 : function of f, i, yg, o, c, v
        f, i and yg are (T + 1, m), row t of word t; o and c are those of the last word, (m,); v is
        (m,). Returns dR/db3, (m,).

    Raises
    ------
    Wrong
    """
    rng, lengths = np.random.default_rng(53), [2, 5, 9]
    for T in lengths:
        p, L, states, v = random_text(rng, T, CELL)
        f, i, yg = (states[name] for name in ("f", "i", "yg"))
        given = {"f": f, "i": i, "yg": yg, "o": states["o"][-1], "c": states["c"][-1], "v": v}
        h = np.tanh(given["c"])
        expected = by_autograd(CELL, p, L, v, fixed=True)[0]["b3"]
        delta, factor = (1 - h) * (1 + h) * given["o"] * v, yg * i * (1 - i)
        exact = by_autograd(CELL, p, L, v)[0]["b3"]

        def carried(f, factor):
            dc = 0
            for t in range(1, T + 1):
                dc = f[t] * dc + factor[t]
            return delta * dc

        backwards = 0
        for t in range(T, 0, -1):
            backwards = f[t] * backwards + factor[t]
        reasons = [
            (
                "the loop runs backwards: dc/db3 is carried on from the first word to the last",
                delta * backwards,
            ),
            (
                "the last word is missing: the loop goes up to t = T",
                (carried(f, factor) - delta * factor[T]) / f[T],
            ),
            ("the parts of the words are added, each without f", delta * factor.sum(axis=0)),
            (
                "tanh(c) is in delta as 1 - tanh(c)², not as c",
                carried(f, factor) / (1 - h**2) * (1 - given["c"] ** 2),
            ),
            ("v is missing in delta, Eq. (22)", carried(f, factor) / v),
            (
                "the last word alone: (28) carries dc/db3 from the first word to the last",
                delta * factor[-1],
            ),
            (
                "f is missing: the cell state of the word before is carried on by f(t)",
                carried(np.ones_like(f), factor),
            ),
            (
                "f(t), not f(t-1): the gate of the word that reads",
                carried(np.vstack([f[:1], f[:-1]]), factor),
            ),
            ("this is b_g of (38), the factor for b4", carried(f, i * (1 - yg**2))),
            ("b_i has the sigmoid's derivative, i (1 - i)", carried(f, yg * i)),
            ("b_i is yg i (1 - i), Eq. (22)", carried(f, i * (1 - i))),
            (
                "this is dc(T)/db3; the error of c(T), delta of (22), multiplies it",
                carried(f, factor) / delta,
            ),
            ("1 - tanh(c)² is missing in delta, Eq. (22)", carried(f, factor) / (1 - h**2)),
            ("the output gate is missing in delta, Eq. (22)", carried(f, factor) / given["o"]),
            ("this is the exact gradient; asked for is what the appendix prints", exact),
        ]
        hold("dR/db3", gradient_of_b3, given, expected, reasons, of=_recursion)
    passed("check_appendix_recursion", len(lengths))


def check_carried_forward(carried_forward):
    """Everything that c(t) and y(t) owe to b1, carried from word to word: nothing called zero.

    Parameters
    ----------
    carried_forward : function of Wrec, o, f, i, yg, c, c_before, dc_before, dy_before
        ``Wrec`` is a dict of (m, m) by the gate's number; states are (m,); the last two are the
        derivatives of c(t-1) and y(t-1), (m, m), a row for each cell. Returns those of c(t), y(t).

    Raises
    ------
    Wrong
        It names the word.
    """
    rng, sizes = np.random.default_rng(56), {3: 3, 5: 4, 9: 2}  # cells, by the number of words
    for T, m in sizes.items():
        p, L, states, _ = random_text(rng, T, LSTM(m, True))
        moves = state_derivatives(LSTM(m, True), p, L, "b1")
        start = np.zeros((1, m, m))
        dc, dy = (np.concatenate([start, moves[name]]) for name in "cy")
        for t in range(1, T + 1):
            given = {"Wrec": {k: p["Wrec" + k] for k in "1234"}}
            given |= {name: states[name][t] for name in ("o", "f", "i", "yg", "c")}
            given |= {
                "c_before": states["c"][t - 1],
                "dc_before": dc[t - 1],
                "dy_before": dy[t - 1],
            }
            reasons = [(text, _carried(slip, **given)) for slip, text in CARRIED.items()]
            reasons += [("the order: what is asked for is dc first, then dy", (dy[t], dc[t]))]
            what = ", ".join(f"{name}(t)/db1 at word {t} of {T}" for name in ("dc", "dy"))
            hold(what, carried_forward, given, (dc[t], dy[t]), reasons, of=_carried_exactly)
    passed("check_carried_forward", sum(sizes))


def _recursion(f, i, yg, o, c, v):
    dc = 0
    for t in range(1, len(f)):
        dc = f[t] * dc + yg[t] * i[t] * (1 - i[t])
    return (1 - np.tanh(c) ** 2) * o * v * dc


def _carried_exactly(*given):
    return _carried("", *given)


CARRIED = {
    "called zero": "this is (72) as printed: c(t) moves with b1, too, through y(t-1)",
    "as (85)": "of (E10) this is the first term alone: f, i and y_g saw y(t-1), which moves",
    "no direct": "b1 itself is missing: beside Wrec_1 dy(t-1), dz_1 moves with its own element",
    "direct alone": "z_1 saw y(t-1): Wrec_1 dy(t-1) is missing in dz_1",
    "no z2": "the forget gate saw y(t-1): c(t-1) ∘ f (1 - f) ∘ dz_2 is missing in dc",
    "no z3": "the input gate saw y(t-1): y_g ∘ i (1 - i) ∘ dz_3 is missing in dc",
    "no z4": "y_g saw y(t-1): i ∘ (1 - y_g²) ∘ dz_4 is missing in dc",
    "not carried": "f ∘ dc(t-1) is missing: the cell state is carried on",
    "not by f": "the cell state is carried on by f: f ∘ dc(t-1)",
    "transposed": "this goes forward: Wrec as it stands, not its transpose",
    "other side": "Wrec multiplies from the left: each column of dy(t-1) is a derivative of y(t-1)",
    "alike": "each gate's sum saw y(t-1) through its own Wrec",
    "no slope of f": "the slope of the forget gate's sigmoid, f (1 - f), is missing: see (96)",
    "no slope of i": "the slope of the input gate's sigmoid, i (1 - i), is missing: see (86)",
    "no slope of yg": "the slope of y_g's tanh, 1 - y_g², is missing: see (106)",
    "slope of a sigmoid": "y_g is a tanh: its slope is 1 - y_g², see (106)",
    "new c": "the forget gate multiplies the old cell state: b_f is c(t-1) ∘ f (1 - f), see (96)",
    "columns": "a gate's factor is a cell's own and multiplies its row: a[:, None] * matrix",
    "everywhere": "b1 is the bias of the output gate alone",
    "all elements": "an element of b1 moves its own cell's sum alone: np.eye, not 1 everywhere",
    "c for h": "h is tanh(c): y = o ∘ tanh(c)",
    "no slope of h": "the slope of tanh at c, 1 - h², is missing in dy",
    "no slope of o": "the slope of the sigmoid, o (1 - o), is missing in dy",
    "no o": "dy has o ∘ (1 - h²) ∘ dc: the output gate is missing",
    "old dc": "y(t) is made of c(t): dc of this word, not of the word before",
}


def _carried(slip, Wrec, o, f, i, yg, c, c_before, dc_before, dy_before):
    """What is asked for, with one of CARRIED."""

    def times(a, matrix):
        return a * matrix if slip == "columns" else a[:, None] * matrix

    h, own = c if slip == "c for h" else np.tanh(c), np.eye(len(c))
    used = {k: Wrec["1"] if slip == "alike" else Wrec[k] for k in Wrec}
    if slip == "transposed":
        used = {k: w.T for k, w in used.items()}
    dz = {k: dy_before @ w if slip == "other side" else w @ dy_before for k, w in used.items()}
    direct = 0 if slip == "no direct" else np.ones_like(own) if slip == "all elements" else own
    dz["1"] = direct + (0 if slip == "direct alone" else dz["1"])
    for k in "234":
        gone = slip in ("as (85)", f"no z{k}")
        dz[k] = 0 * own if gone else dz[k] + (own if slip == "everywhere" else 0)
    b = {"2": c_before * f * (1 - f), "3": yg * i * (1 - i), "4": i * (1 - yg**2)}
    b |= {
        "no slope of f": {"2": c_before * f},
        "no slope of i": {"3": yg * i},
        "no slope of yg": {"4": i},
        "slope of a sigmoid": {"4": i * yg * (1 - yg)},
        "new c": {"2": c * f * (1 - f)},
    }.get(slip, {})
    dc = sum(times(b[k], dz[k]) for k in b)
    if slip != "not carried":
        dc = dc + (dc_before if slip == "not by f" else times(f, dc_before))
    dc_in_y = {"called zero": 0 * own, "old dc": dc_before}.get(slip, dc)
    slope_o = 1 if slip == "no slope of o" else o * (1 - o)
    slope_h = 1 if slip == "no slope of h" else 1 - h**2
    dy = times(slope_o * h, dz["1"]) + times((1 if slip == "no o" else o) * slope_h, dc_in_y)
    return dc, dy
