"""Checks of notebook 02: the sigmoid, and how fast a gate of it forgets."""

import numpy as np
from scipy.optimize import brentq
from scipy.special import expit, logit

from lstm_edu.cells.lstm import LSTM

from ..engine.drawn import params_of
from ..engine.minimize import hold
from ..engine.report import passed


def check_sigmoid(function):
    """The sigmoid, held against SciPy's.

    Parameters
    ----------
    function : function of x, an array
        Returns 1 / (1 + exp(-x)), element by element.

    Raises
    ------
    Wrong
    """
    for seed in range(5):
        rng = np.random.default_rng(seed)
        x = np.append(rng.normal(scale=3, size=5), [0, 40, -40, 1000, -1000][seed])
        given = {"x": x}
        with np.errstate(all="ignore"):
            mistakes = [
                ("this is sigma(2x): the identity has tanh of x/2", expit(2 * x)),
                ("this is sigma(4x): tanh is of x/2, not of 2x", expit(4 * x)),
                ("this is sigma(x/2)", expit(x / 2)),
                ("this falls: the exponent is -x", expit(-x)),
                ("this runs from -1 to 1: shift it, then halve it", np.tanh(x / 2)),
                ("this runs from -1 to 1: shift it, then halve it", np.tanh(x)),
                (
                    "this runs from 0.5 to 1.5: halve all of 1 + tanh, the 1 as well",
                    1 + 0.5 * np.tanh(x / 2),
                ),
                ("exp(x) overflows for a large x; tanh does not", np.exp(x) / (1 + np.exp(x))),
                ("this is the derivative, sigma (1 - sigma)", expit(x) * expit(-x)),
                ("exp(-x) overflows for a large -x; tanh does not", 1 / (1 + np.exp(-x))),
                ("this runs from 0 to 2: halve it", 1 + np.tanh(x / 2)),
                ("shift tanh by 1 upwards, then halve it", 0.5 * (np.tanh(x / 2) - 1)),
                ("the 1 is missing: this runs from -0.5 to 0.5", 0.5 * np.tanh(x / 2)),
                ("this is the sigmoid's inverse or its like: exp alone", np.exp(-x)),
            ]
        hold("sigma(x)", function, given, expit(x), mistakes, SIMPLER)
    passed("check_sigmoid", 5)


def check_forget_bias(function):
    """How fast a cell forgets, held against a bias that is found by trying.

    `lstm.step` reads sentences with that bias.

    Parameters
    ----------
    function : function of share, between 0 and 1, and n_words, from 2
        Returns the b2 with which that share of what the first word put into c is left after the
        last, if nothing else moves the gate.

    Raises
    ------
    Wrong
    """
    for seed in range(5):
        rng = np.random.default_rng(seed)
        given = {"share": float(rng.uniform(0.05, 0.95)), "n_words": int(rng.integers(2, 13))}
        share, n = given.values()
        expected = brentq(lambda b2: _share_left(b2, n) - share, -50, 50, xtol=1e-12)
        kept = share ** (1 / (n - 1))
        with np.errstate(all="ignore"):
            mistakes = [
                ("this is f(t) itself; b2 is what sigma turns into f(t)", kept),
                (
                    "the first word passes the forget gate n_words - 1 times, not n_words times",
                    logit(share ** (1 / n)),
                ),
                ("the sign: a larger bias keeps more", -logit(kept)),
                (
                    "f is the root, not the power: f ** (n_words - 1) is the share",
                    logit(share ** (n - 1)),
                ),
                (
                    "the share falls by a factor at each word; "
                    "it is not divided by the number of words",
                    logit(share / (n - 1)),
                ),
                ("this share would be left after each single word", logit(share)),
                ("sigma has to be inverted, not to be applied", expit(kept)),
                ("this is log f: the inverse of sigma is log(f / (1 - f))", np.log(kept)),
                ("the exponent is 1 / (n_words - 1), in brackets", logit(share / n)),
                ("f / (1 - f), not (1 - f) / f", np.log((1 - kept) / kept)),
                ("this is f / (1 - f): its logarithm is b2", kept / (1 - kept)),
                ("b2 is the natural logarithm, np.log", np.log2(kept / (1 - kept))),
                ("b2 is the natural logarithm, np.log", np.log10(kept / (1 - kept))),
                (
                    "the first word passes the forget gate n_words - 1 times, not n_words + 1",
                    logit(share ** (1 / (n + 1))),
                ),
                ("1 - f under the line, not 1 + f", np.log(kept / (1 + kept))),
                (
                    "what is kept falls by a factor, not what is lost",
                    logit(1 - (1 - share) ** (1 / (n - 1))),
                ),
            ]
        hold("b2", function, given, expected, mistakes, HALVES, tolerance=1e-8)
    passed("check_forget_bias", 5)


SIMPLER = [
    (f"it is wrong already at {text}", {"x": np.array([x])}, np.array([value]))
    for text, x, value in (
        ("0, where it is 1/2", 0.0, 0.5),
        ("a large x, where it is 1", 100.0, 1.0),
        ("a large -x, where it is 0", -100.0, 0.0),
        ("log 3, where it is 3/4", np.log(3), 0.75),
    )
]
HALVES = [
    ("of a gate that is open by half, b2 is 0: sigma(0) = 1/2", {"share": 0.5, "n_words": 2}, 0.0),
    (
        "3/4 after the next word: b2 is log 3, as sigma(log 3) = 3/4",
        {"share": 0.75, "n_words": 2},
        float(np.log(3)),
    ),
    (
        "1/4 after two words more: half at each of them, so b2 is 0",
        {"share": 0.25, "n_words": 3},
        0.0,
    ),
]


def _share_left(b2, n):
    """What is left in c of the first word after n words, as a share.

    The cell's gates see the words alone, and f not even them.
    """
    rng, cell = np.random.default_rng(0), LSTM(1, forget_gate=True)
    params = params_of(cell, rng)
    params |= {name: 0 * params[name] for name in ("Wrec1", "Wrec2", "Wrec3", "Wrec4", "W2")} | {
        "b2": np.array([b2])
    }
    L = rng.integers(0, 3, (n, 5)) * 1.0
    whole, without = cell.read(params, L), cell.read(params, L[1:])
    return float(whole[-1].c[0] - without[-1].c[0]) / float(whole[0].c[0])
