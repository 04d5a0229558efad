"""Exercises for lesson 11: lazy updates of rows without gradients, and of their running mean.

On the first input of an exercise, every known mistake gives a different result, so that the check's
message names the mistake that was made.
"""

import numpy as np

from ..engine import slips


def _updates():
    for seed in range(8):
        rng = np.random.default_rng(seed)
        n, mus, epsilon = 6, rng.uniform(0.5, 0.99, 8 + seed % 5), 0.1
        w, v = rng.standard_normal((2, n, 3))
        touched = rng.random((len(mus), n)) < 0.4
        # some updates touch no row or all rows; one row is never touched
        if seed == 5:
            touched[:5] = [[1, 0, 0, 0, 1, 0], [0] * 6, [1] * 6, [1, 0, 0, 1, 0, 0], [0] * 6]
            touched[:, 5], touched[1:, 4] = False, False
        if seed == 6:  # with momentum 0, all rows stop
            mus[[2, 5]] = 0
        if seed == 7:  # no updates
            mus, touched = mus[:0], touched[:0]
        # each batch has the touched rows, in random order, and their gradients
        batches = [
            (rows, rng.standard_normal((len(rows), 3)))
            for rows in (rng.permutation(np.flatnonzero(row)) for row in touched)
        ]
        yield {"w": w, "v": v, "batches": batches, "mus": mus, "epsilon": epsilon}


@slips.check("w, v", _updates, planted=("(C2) and (C4)", (1, 1, 1)))
def lazy_updates(w, v, batches, mus, epsilon):
    """Return weights and velocities of all rows after all updates."""
    w, v, since = w.copy(), v.copy(), np.zeros(len(w), int)
    P, S = np.ones(len(mus) + 1), np.zeros(len(mus) + 1)
    for k, (mu, (rows, g)) in enumerate(zip(mus, batches)):
        P[: k + 1] *= mu
        S[: k + 1] += P[: k + 1]
        s = since[rows]
        w[rows] += S[s, None] * v[rows] - epsilon * g
        v[rows] = P[s, None] * v[rows] - epsilon * g
        since[rows] = k + 1
    w += S[since, None] * v
    v *= P[since, None]
    return w, v


def _shares():
    # the last three: no update; one update; a momentum of 0, and keeps of 0 and 1
    for seed, n in enumerate([4, 5, 6, 7, 8, 0, 1, 5]):
        rng = np.random.default_rng(seed)
        mus, keeps = rng.uniform(0.3, 0.99, n), rng.uniform(0.2, 0.95, n)
        if seed == 7:
            mus[1], keeps[[2, 3]] = 0, [0, 1]
        yield {"mus": mus, "keeps": keeps}


@slips.check("A, B, C", _shares)
def mean_table(mus, keeps):
    """Return A, B and C for a row that these updates don't touch.

    Its running mean becomes A mean + B w + C v.
    """
    P, S = 1.0, 0.0
    A, B, C = 1.0, 0.0, 0.0
    for mu, a in zip(mus, keeps):
        P = mu * P
        S = S + P
        A, B, C = a * A, a * B + 1 - a, a * C + (1 - a) * S
    return A, B, C
