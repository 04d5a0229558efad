"""The optimizer Adam, which adapts the step size of each weight. The paper does not use it.

Kingma and Ba, "Adam: A Method for Stochastic Optimization", ICLR 2015. It keeps two
averages per weight, m of its gradient g and v of g², which start at 0. Update k = 1, 2, … is

    m = beta1 m + (1 - beta1) g
    v = beta2 v + (1 - beta2) g²
    w = w - epsilon m̂ / (sqrt(v̂) + tiny),    m̂ = m / (1 - beta1^k),    v̂ = v / (1 - beta2^k)

g is taken at w, without look-ahead. m̂ and v̂ correct the bias from starting at 0. epsilon is the
step size, as in (6): a weight moves by about epsilon per update, whatever the size of its gradient.
The constant that keeps the denominator above 0, Kingma and Ba's epsilon, is called ``TINY`` here.

A row of W that update k does not touch stays unchanged:

    m_k = m_{k-1},    v_k = v_{k-1},    w_k = w_{k-1}

Dense Adam would use a gradient of 0 for this row and still move it by the remaining m:

    m_k = beta1 m_{k-1},    v_k = beta2 v_{k-1}
    w_k = w_{k-1} - epsilon m̂_k / (sqrt(v̂_k) + tiny)

Unlike (6), see `nesterov.Lazy`, dense Adam has no exact lazy form. If update s was the last to
touch a row, then j updates later dense Adam divides beta1^j m_s by sqrt(beta2^j v_s) + tiny.
Because of ``tiny``, the sum over j depends on v_s, so it cannot be tabulated by s and k. (Without
``tiny`` the sum would be m_s / sqrt(v_s) times a number that depends on s and k.)
benchmarks/README.md compares models trained with lazy and with dense Adam.
"""

import numpy as np

from .nesterov import Lazy

BETA1, BETA2 = 0.9, 0.999  # decay rates of m and v
TINY = 1e-8  # added outside the square root, so it doesn't vanish in float32


def correct(weights, m, v, gradient, step_size, k, touched):
    """Apply update ``k`` = 1, 2, … in place.

    A gradient with fewer rows than its weight has only the ``touched`` rows.
    """
    # apply the bias correction to two scalars rather than to every element
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
    """The weights and Adam state of one side (query or document).

    For rows of W that a minibatch does not touch, only the running average changes.
    """

    names = "m", "v"

    def update(self, weights, state, gradient):
        """Apply Adam's update to the given arrays; see `Lazy.update`."""
        m, v = state
        correct(weights, m, v, gradient, self.settings.step_size, self.k + 1, None)
