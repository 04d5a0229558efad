"""Nesterov's momentum as Eq. (6) has it, its schedule, and the clipping of Algorithm 1.

(6) takes the gradient at the point that the momentum alone would reach. So an update has two
halves, `look_ahead` before the gradient and `correct` after it, and only the second is of the size
of what the minibatch touched::

    velocity = mu velocity;  weights += velocity          # at Lambda + mu dLambda
    velocity -= step g;      weights -= step g            # g taken there
"""

import numpy as np


def momentum(mu, k, n_updates):
    """Return mu of update ``k`` = 0 … ``n_updates`` - 1.

    Parameters
    ----------
    mu : float or "schedule"
        A constant, or the paper's: 0.9 in the first and last 2 % of all updates, 0.995 between.
    """
    if mu != "schedule":
        return mu
    return 0.995 if 0.02 * n_updates <= k < 0.98 * n_updates else 0.9


def look_ahead(weights, velocity, mu):
    """Move the weights along the momentum, to where (6) takes the gradient."""
    for name, w in weights.items():
        velocity[name] *= mu
        w += velocity[name]


def correct(weights, velocity, gradient, step_size, touched):
    """Take the step down the gradient, given for the rows ``touched`` of sparse weights."""
    for name, g in gradient.items():
        g *= step_size
        rows = slice(None) if g.shape == weights[name].shape else touched
        velocity[name][rows] -= g
        weights[name][rows] -= g


def clip(gradient, threshold):
    """Scale one side's gradient, in place, to the norm ``threshold`` if it is above (Algorithm 1).

    Returns
    -------
    float
        The norm it had.
    """
    norm = float(np.sqrt(sum(np.vdot(g, g).astype(float) for g in gradient.values())))
    if norm > threshold:
        for g in gradient.values():
            g *= threshold / norm
    return norm


def average(mean, weights, keep):
    """Move the mean of the weights towards them, in place; the share ``keep`` of it stays."""
    for name, m in mean.items():
        m *= keep
        m += (1 - keep) * weights[name]
