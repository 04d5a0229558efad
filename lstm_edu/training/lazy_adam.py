"""Adam where a minibatch touches few rows of W: the cost does not grow with the other rows.

Those wait, as `lstm_edu.training.adam` has it. Only their average over the updates, where one is
kept, moves on, to a_k of itself and 1 - a_k of w. After the updates s + 1 to k it is

    A average + B w,    A = a_{s+1} ... a_k,    B = 1 - A

by the tables of `lstm_edu.training.lazy`, which has the same two halves of an update for (6). Held
equal to the plain form by tests/edu/test_lazy.py.
"""

import numpy as np

from . import adam, nesterov
from .lazy import column, dense, each_block, move_on_mean


def look_ahead(coasting, weights, m, v, rows, map_=map):
    """Where Adam takes the gradient, which is where the weights are; of each W the given ``rows``.

    Arguments and what is returned as `lstm_edu.training.lazy.look_ahead`'s, but m and v for the
    velocity.
    """
    at = dict(weights)
    for name in coasting.sparse:
        w = weights[name]
        own = at[name] = np.empty((len(rows), w.shape[1]), w.dtype)

        def take(block):
            w.take(rows[block], axis=0, out=own[block], mode="clip")

        each_block(take, len(rows), map_)
    return at


def correct(coasting, weights, m, v, mean, at, gradient, step_size, keep, rows, k, map_=map):
    """Update k = 1, 2, …, as `adam.correct` and `nesterov.average`; of each W for ``rows`` alone.

    Arguments as `lstm_edu.training.lazy.correct`'s, but m and v for the velocity, and k.
    """
    adam.correct(dense(coasting, weights), m, v, dense(coasting, gradient), step_size, k, None)
    if mean is not None:
        nesterov.average(dense(coasting, mean), weights, keep)
    # m / (1 - beta1^k) and v / (1 - beta2^k), by two numbers instead of by every element
    root = (1 - adam.BETA2**k) ** 0.5
    step, tiny = step_size * root / (1 - adam.BETA1**k), adam.TINY * root
    since = coasting.since[rows]
    for name in coasting.sparse:
        A, B = (column(table, since, weights[name].dtype) for table in (coasting.A, coasting.B))

        def move(block):
            now, w, g = rows[block], at[name][block], gradient[name][block]
            m_now, v_now = (of[name].take(now, axis=0, mode="clip") for of in (m, v))
            before = None if mean is None else A[block] * mean[name][now] + B[block] * w
            m_now *= adam.BETA1
            m_now += (1 - adam.BETA1) * g
            v_now *= adam.BETA2
            v_now += (1 - adam.BETA2) * g * g
            w -= step * m_now / (np.sqrt(v_now) + tiny)
            m[name][now], v[name][now], weights[name][now] = m_now, v_now, w
            if mean is not None:
                mean[name][now] = keep * before + (1 - keep) * w

        each_block(move, len(rows), map_)
    move_on_mean(coasting, keep)
    coasting.since[rows] = coasting.k


def bring_up_to_date(coasting, weights, m, v, mean, map_=map):
    """The average of all rows that have waited, between two updates; nothing else of them moves."""
    waiting = np.flatnonzero(coasting.since < coasting.k)
    for name in coasting.sparse if mean else ():

        def move(block):
            now = waiting[block]
            since, dtype = coasting.since[now], mean[name].dtype
            A, B = (column(table, since, dtype) for table in (coasting.A, coasting.B))
            mean[name][now] = A * mean[name][now] + B * weights[name][now]

        each_block(move, len(waiting), map_)
    coasting.since[waiting] = coasting.k
