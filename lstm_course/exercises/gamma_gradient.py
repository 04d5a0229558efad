"""Exercise for lesson 03: the derivative of the cost (5) with respect to gamma."""

import numpy as np

from ..engine import slips
from . import cost_gradient
from .cosine_and_cost import SIMPLER

# copies, because the sandbox refuses every call to a solution, even from the solution below
cost, alpha = cost_gradient.cost, slips.slipped(cost_gradient.alpha)


def _gammas():
    rng = np.random.default_rng(34)
    sizes = (2, 3), (3, 4), (1, 1), (4, 6)
    drawn = [{"delta": rng.uniform(-1, 1, s), "gamma": rng.uniform(2, 6)} for s in sizes]
    # small differences, and exponentials that float64 can just represent
    return [*drawn, {"delta": np.array([[0.05, 0.06], [-2.0, -1.99]]), "gamma": 300.0}]


@slips.check("dl/dgamma", _gammas, simpler=SIMPLER)
def gamma_gradient(delta, gamma):
    """Return dl_r / dgamma for each pair r.

    Parameters
    ----------
    delta : (N, n)
        The differences of cosines.
    gamma : float

    Returns
    -------
    (N,)
    """
    return (alpha(delta, gamma) / gamma * delta).sum(axis=1)
