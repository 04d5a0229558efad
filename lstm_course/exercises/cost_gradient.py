"""Exercises for lesson 03: the derivatives (8) of the cost of clicks, and a hinge loss."""

import numpy as np

from ..engine import slips
from . import cosine_and_cost
from .cosine_and_cost import ANY_GAMMA, differences

# a copy, because the sandbox refuses every call to a solution, even from `alpha` below
cost = slips.slipped(cosine_and_cost.cost)


@slips.check("alpha", lambda: differences(32), then=lambda _: -1, **ANY_GAMMA)
def alpha(delta, gamma):
    """Return dl_r / dDelta_{r,j}, Eq. (8), without overflow for any gamma.

    Parameters
    ----------
    delta : (N, n)
        The differences of cosines.
    gamma : float

    Returns
    -------
    (N, n)
    """
    return -gamma * np.exp(-gamma * delta - cost(delta, gamma)[:, None])


def _margins():
    rng, sizes = np.random.default_rng(33), {0.25: (3, 4), 0.5: (2, 6), 0.0: (4, 1)}
    usual = [{"delta": rng.uniform(-1, 1, s), "margin": m} for m, s in sizes.items()]
    return [*usual, {"delta": np.array([[-0.7, 0.2, 0.5 - 1e-6, 0.5 + 1e-6]]), "margin": 0.5}]


@slips.check("l, dl/dDelta", _margins)
def hinge(delta, margin):
    """Return the hinge loss of each pair, and its derivatives.

    Parameters
    ----------
    delta : (N, n)
        The differences of cosines.
    margin : float

    Returns
    -------
    l : (N,)
    dl : (N, n)
        The derivative with respect to each difference of cosines.
    """
    l = np.maximum(0, margin - delta).sum(axis=1)
    dl = np.where(delta < margin, -1.0, 0.0)
    return l, dl
