"""Exercises on what moves the cost of clicks: its derivatives (8), and a hinge."""

import numpy as np

from ..engine import slips
from . import cosine_and_cost
from .cosine_and_cost import ANY_GAMMA, differences

cost = slips.slipped(cosine_and_cost.cost)  # a copy: a slip calls the student's own


def alpha(delta, gamma):
    """dl_r / dDelta_{r,j}, (N, n), from the differences of cosines (N, n),
    Eq. (8); for any gamma."""
    return -gamma * np.exp(-gamma * delta - cost(delta, gamma)[:, None])


check_alpha = slips.check("alpha", alpha, lambda: differences(32), **ANY_GAMMA)


def hinge(delta, margin):
    """The hinge loss of every pair, (N,), and its derivative
    by each difference of cosines, (N, n)."""
    l = np.maximum(0, margin - delta).sum(axis=1)
    dl = np.where(delta < margin, -1.0, 0.0)
    return l, dl


def _margins():
    rng = np.random.default_rng(33)
    sizes = (3, 4), (2, 6), (1, 4), (4, 1)
    return [{"delta": rng.uniform(-1, 1, s), "margin": rng.uniform(0.2, 0.6)} for s in sizes]


check_hinge = slips.check("(l, dl/dDelta)", hinge, _margins)
