"""Exercise on what gamma does to the cost of clicks: the derivative of (5) by it."""

import numpy as np

from ..engine import slips
from . import cost_gradient
from .cosine_and_cost import SIMPLER

# a copy: a slip calls the student's own
cost, alpha = cost_gradient.cost, slips.slipped(cost_gradient.alpha)


def _gammas():
    rng = np.random.default_rng(34)
    sizes = (2, 3), (3, 4), (1, 1), (4, 6)
    drawn = [{"delta": rng.uniform(-1, 1, s), "gamma": rng.uniform(2, 6)} for s in sizes]
    # small shares, and large exponents that float64 still holds
    return [*drawn, {"delta": np.array([[0.05, 0.06], [-2.0, -1.99]]), "gamma": 300.0}]


@slips.check("dl/dgamma", _gammas, simpler=SIMPLER)
def gamma_gradient(delta, gamma):
    """dl_r / dgamma, (N,), from the differences of cosines (N, n)."""
    return (alpha(delta, gamma) / gamma * delta).sum(axis=1)
