"""Exercise for lesson 03: the derivative of the cost (5) with respect to gamma."""

import numpy as np

from ..engine import slips
from . import cost_gradient
from .cosine_and_cost import SIMPLER

# copies for the deliberate mistakes, because no answer may call the solutions themselves
cost, alpha = cost_gradient.cost, slips.slipped(cost_gradient.alpha)


def _gammas():
    rng = np.random.default_rng(34)
    sizes = (2, 3), (3, 4), (1, 1), (4, 6)
    drawn = [{"delta": rng.uniform(-1, 1, s), "gamma": rng.uniform(2, 6)} for s in sizes]
    # small differences, and exponents that float64 just represents
    return [*drawn, {"delta": np.array([[0.05, 0.06], [-2.0, -1.99]]), "gamma": 300.0}]


@slips.check("dl/dgamma", _gammas, simpler=SIMPLER)
def gamma_gradient(delta, gamma):
    """Return dl_r / dgamma, (N,), from the differences of cosines (N, n)."""
    return (alpha(delta, gamma) / gamma * delta).sum(axis=1)
