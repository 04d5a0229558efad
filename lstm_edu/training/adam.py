"""Adam, which the paper does not use: every weight has its step size.

Kingma and Ba, "Adam: A Method for Stochastic Optimization", ICLR 2015. It keeps two
averages per weight, m of its gradient g and v of g², both 0 at first. Update k = 1, 2, … is

    m = beta1 m + (1 - beta1) g
    v = beta2 v + (1 - beta2) g²
    w = w - epsilon m̂ / (sqrt(v̂) + tiny),    m̂ = m / (1 - beta1^k),    v̂ = v / (1 - beta2^k)

g is taken at w, without look-ahead. m̂ and v̂ correct the bias of the start at 0. epsilon is the
step size as in (6): a weight moves by about epsilon per update, however long its gradient is. The
constant that keeps the denominator above 0, Kingma and Ba's epsilon, is ``TINY`` here.

A row of W that update k does not touch waits:

    m_k = m_{k-1},    v_k = v_{k-1},    w_k = w_{k-1}

Dense Adam takes the row's gradient as 0 instead, and moves the row by the remaining m:

    m_k = beta1 m_{k-1},    v_k = beta2 v_{k-1}
    w_k = w_{k-1} - epsilon m̂_k / (sqrt(v̂_k) + tiny)

Unlike (6), see `nesterov.Lazy`, dense Adam has no exact lazy form: j updates after s it divides
beta1^j m_s by sqrt(beta2^j v_s) + tiny. Because of ``tiny`` the sum over j depends on v_s, so no
table by s and k alone can contain it. (Without ``tiny`` the sum would be m_s / sqrt(v_s) times a
number that depends on s and k.) benchmarks/experiments/adam_rows.py measures the difference between
lazy and dense Adam.
"""

import numpy as np

from .nesterov import Lazy

BETA1, BETA2 = 0.9, 0.999  # the shares of m and v that each update keeps
TINY = 1e-8  # added to the root, not under it: large enough for float32, too


def correct(weights, m, v, gradient, step_size, k, touched):
    """Take update ``k`` = 1, 2, … in place; ``gradient`` has only the rows ``touched`` of W."""
    # correct the bias in the two scalars instead of in every element
    root = (1 - BETA2**k) ** 0.5
    step, tiny = step_size * root / (1 - BETA1**k), TINY * root
    for name, g in gradient.items():
        rows = slice(None) if g.shape == weights[name].shape else touched
        m[name][rows] *= BETA1
        m[name][rows] += (1 - BETA1) * g
        v[name][rows] *= BETA2
        v[name][rows] += (1 - BETA2) * g**2
        weights[name][rows] -= step * m[name][rows] / (np.sqrt(v[name][rows]) + tiny)


class Adam(Lazy):
    """One side in training by Adam; rows that wait stay, only their average moves."""

    names = "m", "v"

    def update(self, weights, state, gradient):
        """Take update k; see `Lazy.update`."""
        m, v = state
        correct(weights, m, v, gradient, self.settings.step_size, self.k + 1, None)
