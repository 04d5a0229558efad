"""Exercises of notebook 02: the sigmoid, and how fast a gate of it forgets."""

import numpy as np

from ..engine import slips

SLIPS = slips.table(__file__)


def sigma(x):
    """1 / (1 + exp(-x)), element by element."""
    return 0.5 * (1 + np.tanh(0.5 * x))


def _numbers():
    given = []
    for seed, edge in enumerate([0, 40, -40, 1000, -1000]):
        given.append({"x": np.append(np.random.default_rng(seed).normal(scale=3, size=5), edge)})
    return given


def _of_one_number(_):
    return [
        (f"it is wrong already at {text}", {"x": np.array([x])})
        for text, x in (
            ("0, where it is 1/2", 0.0),
            ("a large x, where it is 1", 100.0),
            ("a large -x, where it is 0", -100.0),
            ("log 3, where it is 3/4", np.log(3)),
        )
    ]


check_sigmoid = slips.check(
    "sigma(x)", sigma, _numbers, SLIPS["sigma"], simpler=_of_one_number, name="sigmoid"
)


def forget_bias(share, n_words):
    """The b2 that leaves this share of the first word's part in c
    after n_words words."""
    f = share ** (1 / (n_words - 1))  # c(n) holds f^(n-1) i(1) yg(1)
    return np.log(f / (1 - f))  # f = sigma(b2), solved for b2


def _shares():
    return [
        {"share": float(rng.uniform(0.05, 0.95)), "n_words": int(rng.integers(2, 13))}
        for rng in map(np.random.default_rng, range(5))
    ] + [{"share": 0.99999, "n_words": 2}, {"share": 1e-6, "n_words": 2}]


def _halves(_):
    return [
        (
            "of a gate that is open by half, b2 is 0: sigma(0) = 1/2",
            {"share": 0.5, "n_words": 2},
        ),
        (
            "3/4 after the next word: b2 is log 3, as sigma(log 3) = 3/4",
            {"share": 0.75, "n_words": 2},
        ),
        (
            "1/4 after two words more: half at each of them, so b2 is 0",
            {"share": 0.25, "n_words": 3},
        ),
    ]


check_forget_bias = slips.check(
    "b2", forget_bias, _shares, SLIPS["forget_bias"], simpler=_halves, tolerance=1e-8
)
