"""Exercises on a word of the LSTM's backward pass, (E1)-(E9) of notebook 05a.

What is expected comes from autograd.
"""

import itertools

import numpy as np

from lstm_edu.cells.lstm import LSTM, sigmoid

from ..engine.by_autograd import by_autograd
from ..engine.drawn import random_text
from ..engine.minimize import hold
from ..engine.report import call, hold_against, passed

CELL, PEEPHOLED = LSTM(4, True), LSTM(4, True, "diagonal")


def check_three_bugs(back_one_word):
    """One word of the backward pass without peepholes, from the last word to the first.

    Each derivative is judged by itself.

    Parameters
    ----------
    back_one_word : function of p, z (by the gate's number), c, c_before, dy, later (each (m,))
        ``later`` is what word t + 1 sent to c(t). Returns dz by the gate's number, dy(t-1), and
        what goes to c(t-1).

    Raises
    ------
    Wrong
        It names the derivative and the word.
    """
    rng, lengths = np.random.default_rng(51), [2, 5, 9]
    for T in lengths:
        p, L, states, v = random_text(rng, T, CELL)
        _, errors = by_autograd(CELL, p, L, v)
        for t, given, expected in _words_back(p, L, states, errors):
            _hold_form("(dz, dy(t-1), what goes to c(t-1))", back_one_word, given, expected)
            broken = [
                (BUGS[bugs[0]], *_back(bugs, **given))
                for n in range(1, 4)
                for bugs in itertools.combinations(BUGS, n)
            ]
            at = f"At word {t} of {T}, " + ("the last, " if t == T else "")
            for k, name in enumerate(("dz", "dy(t-1)", "what goes to c(t-1)")):
                reasons = [(text, parts[k]) for text, *parts in broken]
                _hold_part(at + name, back_one_word, k, given, expected[k], reasons, _back_plainly)
    passed("check_three_bugs", sum(lengths))


BUGS = {
    "doubled": (
        "o, f and i are not what the forward pass had: "
        "0.5 (tanh(x) + 1) is a sigmoid, but not of x. Try it at x = 1"
    ),
    "twice": "o (1 - o) is multiplied in twice",
    "overwritten": "this needs dy(t), and when it is computed dy is dy(t-1) already",
    "not carried": "what goes to c(t-1) is f times the error of c(t)",
    "one way": "the error of c(t) has two parts: from y(t), and from word t + 1",
    "not transposed": "errors go back through the transposed matrices",
    "no derivative": "the derivative of the output gate's sigmoid, o (1 - o), is missing",
}


def _back(bugs, p, z, c, c_before, dy, later):
    """One word of the backward pass, with some of BUGS and PEEPHOLES.

    Returns dz, dy(t-1), and what goes to c(t-1).
    """
    o, f, i = (sigmoid(z[k] * (2 if "doubled" in bugs else 1)) for k in "123")
    yg, h = np.tanh(z["4"]), np.tanh(c)
    Wp = {k: p.get("Wp" + k, np.zeros(len(c))) for k in "123" if f"no {k}" not in bugs}
    power = 2 if "twice" in bugs else 0 if "no derivative" in bugs else 1
    dz = {"1": dy * h * (o * (1 - o)) ** power}
    dc = (0 if "one way" in bugs else later) + dy * o * (1 - h**2) + Wp.get("1", 0) * dz["1"]
    dz |= {"2": dc * c_before * f * (1 - f), "3": dc * yg * i * (1 - i), "4": dc * i * (1 - yg**2)}
    dy = sum((p["Wrec" + k] if "not transposed" in bugs else p["Wrec" + k].T) @ dz[k] for k in dz)
    if "overwritten" in bugs:
        dc = later + dy * o * (1 - h**2)
    seen = sum(Wp[k] * dz[k] for k in "23" if k in Wp)
    if "not carried" in bugs:
        return dz, dy, dc
    return dz, dy, f * (dc + seen) if "carried" in bugs else f * dc + seen


def check_peepholes_back(back_with_peepholes):
    """One word of the backward pass with diagonal peepholes, from the last word to the first.

    Parameters
    ----------
    back_with_peepholes : function of p, z (by the gate's number), c, c_before, dy, later
        As for `check_three_bugs`, with Wp1, Wp2, Wp3 in p, each (m,), as are the last four.
        Returns dz, the word's part of the gradients of Wp1, Wp2, Wp3, dy(t-1), and what goes to
        c(t-1).

    Raises
    ------
    Wrong
    """
    rng, lengths = np.random.default_rng(54), [2, 5, 9]
    names = "Wp1", "Wp2", "Wp3"
    for T in lengths:
        p, L, states, v = random_text(rng, T, PEEPHOLED)
        _, errors = by_autograd(PEEPHOLED, p, L, v)
        for t, given, expected in _words_back(p, L, states, errors):
            right = {name: errors[name][t] for name in names}
            expected = expected[0], right, *expected[1:]
            names_of_parts = "dz", "dWp", "dy(t-1)", "what goes to c(t-1)"
            _hold_form(f"({', '.join(names_of_parts)})", back_with_peepholes, given, expected)
            broken = [(text, *_back(bugs, **given)) for bugs, text in PEEPHOLES.items()]
            broken += [(text, *_back((bug,), **given)) for bug, text in BUGS.items()]
            old, new = given["c_before"], given["c"]
            swapped = {
                name: expected[0][name[-1]] * (old if name == "Wp1" else new) for name in names
            }
            full = {
                name: np.outer(expected[0][name[-1]], new if name == "Wp1" else old)
                for name in names
            }
            weights = [
                (text, dict.fromkeys(names) | {name: value[name]})
                for text, value in (
                    (
                        "the output gate saw c(t), the forget gate and the input gate c(t-1)",
                        swapped,
                    ),
                    (
                        "a diagonal peephole keeps the diagonal of the outer product alone: (m,)",
                        full,
                    ),
                    (
                        "this is dz alone: the peephole multiplied a cell state",
                        {name: expected[0][name[-1]] for name in names},
                    ),
                )
                for name in names
            ]
            at = f"At word {t} of {T}, " + ("the last, " if t == T else "")
            by_part = [[(text, parts[k]) for text, *parts in broken] for k in range(3)]
            by_part.insert(1, weights)
            for k, (name, reasons) in enumerate(zip(names_of_parts, by_part)):
                part = at + name, back_with_peepholes, k, given, expected[k], reasons
                _hold_part(*part, _back_through_peepholes)
    passed("check_peepholes_back", sum(lengths))


PEEPHOLES = {
    ("no 1",): (
        "dc(t) was not complete when dz2, dz3 and dz4 used it: "
        "o(t) saw c(t), so that Wp1 ∘ dz1 is a part of it"
    ),
    ("no 2", "no 3"): "f(t) and i(t) saw c(t-1): Wp2 ∘ dz2 + Wp3 ∘ dz3 is missing",
    ("no 2",): "f(t) saw c(t-1): Wp2 ∘ dz2 is missing",
    ("no 3",): "i(t) saw c(t-1): Wp3 ∘ dz3 is missing",
    ("carried",): "only dc(t) is carried by f: the peepholes lead to c(t-1) directly",
}


def _hold_form(what, function, given, expected):
    """Hold the form against that of what is expected: a tuple of as many parts."""
    got = call(what, function, given)
    if not isinstance(got, tuple) or len(got) != len(expected):
        hold_against(what, got, expected, given)


def _hold_part(what, function, k, given, expected, reasons, of):
    """Hold one of the parts that a function returns against what is expected of it."""

    def part(*arguments):
        return function(*arguments)[k]

    hold(what, part, given, expected, reasons, of=lambda *arguments: of(*arguments)[k])


def _back_plainly(*given):
    return _back((), *given)


def _back_through_peepholes(p, z, c, c_before, dy, later):
    dz, *back = _back((), p, z, c, c_before, dy, later)
    return dz, {"Wp1": dz["1"] * c, "Wp2": dz["2"] * c_before, "Wp3": dz["3"] * c_before}, *back


def _words_back(p, L, states, errors):
    """From the last word to the first: its number, what a function is given, what is expected.

    Expected are dz, dy(t-1) and the error sent to c(t-1).
    """
    y, c = states["y"], states["c"]
    for t in range(len(L), 0, -1):
        z = {k: p["W" + k] @ L[t - 1] + p["Wrec" + k] @ y[t - 1] + p["b" + k] for k in "1234"}
        for k in "123":
            z[k] = z[k] + p.get("Wp" + k, 0) * c[t if k == "1" else t - 1]
        used = {name: w for name, w in p.items() if name.startswith(("Wrec", "Wp"))}
        given = {
            "p": used,
            "z": z,
            "c": c[t],
            "c_before": c[t - 1],
            "dy": errors["y"][t],
            "later": errors["c"][t],
        }
        dz = {k: errors["z" + k][t] for k in "1234"}
        yield t, given, (dz, errors["y"][t - 1], errors["c"][t - 1])
