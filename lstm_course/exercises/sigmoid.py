"""Exercises for lesson 02: the sigmoid, and the bias of a forget gate."""

import numpy as np

from ..engine import slips
from ..engine.calling import refuse_overflow


def _numbers():
    for seed, edge in enumerate([40, -40, 1000, -1000]):
        yield {"x": np.append(np.random.default_rng(seed).normal(scale=3, size=5), edge)}
    for x in [[-1.0, 0.5, 2.0], [3.0, -4.0, 0.1]], [0, 1, 2]:  # a matrix, and an array of integers
        yield {"x": np.array(x)}


def _of_large_numbers(function):
    reason = "exp(1000) is larger than any float64: keep to tanh, which never overflows"
    refuse_overflow("sigma(x)", function, {"x": np.array([1000.0, -1000.0])}, reason)
    return 0


@slips.check("sigma(x)", _numbers, name="sigmoid", then=_of_large_numbers)
def sigma(x):
    """Return 1 / (1 + exp(-x)), element by element."""
    return 0.5 * (1 + np.tanh(0.5 * x))


def _shares():
    return [
        {"share": float(rng.uniform(0.05, 0.95)), "n_words": int(rng.integers(2, 13))}
        for rng in map(np.random.default_rng, range(5))
    ] + [{"share": 0.99999, "n_words": 2}, {"share": 1e-6, "n_words": 2}]


@slips.check("b2", _shares, tolerance=1e-8)
def forget_bias(share, n_words):
    """Return the b2 with which c(n_words) retains this share of i(1) yg(1)."""
    f = share ** (1 / (n_words - 1))  # c(n) holds f^(n-1) i(1) yg(1)
    return np.log(f / (1 - f))  # f = sigma(b2), solved for b2
