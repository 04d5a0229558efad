"""Exercises for lesson 06: one update by Eq. (6), and the largest stable step."""

import numpy as np

from ..engine import slips


def _points():
    for seed, shape in enumerate([(6,), (6,), (6,), (6,), (6,), (3, 2)]):
        rng = np.random.default_rng(seed)
        A, Lambda, change = rng.standard_normal((6, 6)), *rng.standard_normal((2, *shape))
        A *= 100 if seed == 4 else 1  # a cost with large gradients

        def gradient_at(point, A=A):
            return (A @ np.tanh(point).ravel()).reshape(point.shape)

        one = {"Lambda": Lambda, "change": change, "gradient_at": gradient_at}

        yield one | {"mu": rng.uniform(0.5, 0.95), "epsilon": rng.uniform(0.05, 0.5)}


@slips.check("Lambda, change", _points, first="change")
def update(Lambda, change, gradient_at, mu, epsilon):
    """Return Lambda and change after one update by Eq. (6)."""
    change = mu * change - epsilon * gradient_at(Lambda + mu * change)
    return Lambda + change, change


def _curvatures():
    drawn = [np.random.default_rng(seed).uniform([0.5, 0.3], [50, 0.95]) for seed in range(6)]
    drawn[5][1] = 0
    return [{"curvature": float(h), "mu": float(mu)} for h, mu in drawn]


@slips.check("the largest epsilon", _curvatures, tolerance=1e-8)
def largest_step(curvature, mu):
    """Return the epsilon below which (6) converges on L = curvature w^2 / 2."""
    # the characteristic equation z^2 = a ((1 + mu) z - mu), with a = 1 - epsilon curvature, has the
    # root z = -1 if a = -1 / (1 + 2 mu)
    return (1 + 1 / (1 + 2 * mu)) / curvature
