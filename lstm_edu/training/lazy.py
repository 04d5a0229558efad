"""The momentum update (6) where a minibatch touches few rows of W.

What it buys: it is exact, at a cost that does not grow with the other rows. Held equal to the plain
update, `lstm_edu.training.algorithm_1`, by tests/edu/test_lazy.py.

A row without a gradient coasts on its momentum. From update s, when it was last touched, to update
k its velocity, its position and, where one is kept, its average over the updates,
m_k = a_k m_{k-1} + (1 - a_k) w_k, are

    v_k = P v_s
    w_k = w_s + S v_s
    m_k = A m_s + B w_s + C v_s

with numbers that depend on s and k alone. While mu is constant, P = mu^(k-s) and
S = mu (1 - P) / (1 - mu). For any schedule one more update takes

    P to mu P,   S to S + P,   A to a A,   B to a B + (1 - a),   C to a C + (1 - a) S

so a table of them for every s, moved on by a few short vector operations an update, brings any row
up to date when it is touched.
"""

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from . import nesterov

BLOCK = 256  # rows brought up to date at a time, so that what is in work stays in the cache
PART = 2048  # rows that a thread takes at a time


@dataclass
class Coasting:
    """What the untouched rows of one side have missed.

    Attributes
    ----------
    k : int
        Updates done.
    since : (n_rows,) of int
        The update after which each row was last up to date.
    P, S, A, B, C : (n_updates + 1,)
        From the state after update s to now.
    sparse : set of str
        The names of the weights that have these rows.
    """

    k: int
    since: np.ndarray
    P: np.ndarray
    S: np.ndarray
    A: np.ndarray
    B: np.ndarray
    C: np.ndarray
    sparse: Collection


def start(n_rows, n_updates, sparse=frozenset({"W"})):
    """Begin with all rows up to date, and ``n_updates`` to come."""
    P, S, A, B, C = np.zeros((5, n_updates + 1))
    P[0] = A[0] = 1
    return Coasting(0, np.zeros(n_rows, np.int32), P, S, A, B, C, sparse)


def look_ahead(coasting, weights, velocity, mu, rows, map_=map):
    """The first half of an update, as `nesterov.look_ahead`; of each W for ``rows`` alone.

    Parameters
    ----------
    map_ : function
        A ``map`` over threads, for whom there are parts of the rows.

    Returns
    -------
    dict of arrays
        Where (6) takes the gradient: as ``weights``, of each W the given rows, (n_rows, width).
    """
    _move_on_ahead(coasting, mu)
    nesterov.look_ahead(dense(coasting, weights), velocity, mu)
    since, ahead = coasting.since[rows], dict(weights)
    for name in coasting.sparse:
        w, v = weights[name], velocity[name]
        S = column(coasting.S, since, w.dtype)
        moved = ahead[name] = np.empty((len(rows), w.shape[1]), w.dtype)

        def move(block):
            # rows are in range; "clip" does not look, and is quicker
            w.take(rows[block], axis=0, out=moved[block], mode="clip")
            moved[block] += S[block] * v.take(rows[block], axis=0, mode="clip")

        each_block(move, len(rows), map_)
    return ahead


def correct(coasting, weights, velocity, mean, ahead, gradient, step_size, keep, rows, map_=map):
    """The second half, as `nesterov.correct` and `nesterov.average`; of each W for ``rows`` alone.

    Parameters
    ----------
    mean : dict of arrays, or None
        The average, where one is kept.
    ahead, gradient : dict of arrays
        What `look_ahead` gave, and the gradient there.
    keep : float
        The share of the average that is kept.
    map_ : function
        As there.
    """
    nesterov.correct(dense(coasting, weights), velocity, dense(coasting, gradient), step_size, None)
    if mean is not None:
        nesterov.average(dense(coasting, mean), weights, keep)
    since, tables = coasting.since[rows], (coasting.P, coasting.A, coasting.B, coasting.C)
    for name in coasting.sparse:
        P, A, B, C = (column(table, since, weights[name].dtype) for table in tables)

        def move(block):
            now, g = rows[block], step_size * gradient[name][block]
            v, w = velocity[name].take(now, axis=0, mode="clip"), ahead[name][block] - g
            if mean is not None:
                m = A[block] * mean[name][now] + B[block] * weights[name][now] + C[block] * v
                mean[name][now] = keep * m + (1 - keep) * w
            v *= P[block]
            v -= g
            velocity[name][now], weights[name][now] = v, w

        each_block(move, len(rows), map_)
    move_on_mean(coasting, keep)
    coasting.since[rows] = coasting.k


def bring_up_to_date(coasting, weights, velocity, mean, map_=map):
    """Bring all rows that have waited up to date, between two updates."""
    waiting = np.flatnonzero(coasting.since < coasting.k)
    tables = coasting.P, coasting.S, coasting.A, coasting.B, coasting.C
    for name in coasting.sparse:

        def move(block):
            now = waiting[block]
            v, w = velocity[name][now], weights[name][now]
            P, S, A, B, C = (column(table, coasting.since[now], w.dtype) for table in tables)
            if mean is not None:
                mean[name][now] = A * mean[name][now] + B * w + C * v
            weights[name][now], velocity[name][now] = w + S * v, P * v

        each_block(move, len(waiting), map_)
    coasting.since[waiting] = coasting.k


def _move_on_ahead(coasting, mu):
    """Half an update more, for every s: P to mu P, S to S + P."""
    until = slice(coasting.k + 1)
    coasting.P[until] *= mu
    coasting.S[until] += coasting.P[until]


def move_on_mean(coasting, a):
    """The other half: A to a A, B to a B + (1 - a), C to a C + (1 - a) S; and a new s."""
    until = slice(coasting.k + 1)
    coasting.A[until] *= a
    coasting.B[until] = a * coasting.B[until] + (1 - a)
    coasting.C[until] = a * coasting.C[until] + (1 - a) * coasting.S[until]
    coasting.k += 1
    coasting.P[coasting.k] = coasting.A[coasting.k] = 1


def dense(coasting, weights):
    """Return the weights without the sparse ones."""
    return {name: w for name, w in weights.items() if name not in coasting.sparse}


def column(table, since, dtype):
    """What a table has for each row, beside the rows."""
    return table[since].astype(dtype)[:, None]


def each_block(move, n, map_):
    """Call ``move`` for every block of n rows; a thread takes several in a row."""

    def move_part(of_part):
        for first in range(of_part, min(of_part + PART, n), BLOCK):
            move(slice(first, min(first + BLOCK, n)))

    list(map_(move_part, range(0, n, PART)))
