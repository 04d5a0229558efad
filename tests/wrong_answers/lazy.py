"""Wrong answers for the checks of `lstm_course/exercises/lazy.py`."""

import numpy as np
from wrong_answers._replaced import replaced, said


def _lazy(
    w, v, batches, mus, epsilon, early=False, here=False, first=False, at_end=True, in_place=False
):
    w, v = (w, v) if in_place else (w.copy(), v.copy())
    since, P, S = np.zeros(len(w), int), np.zeros(len(mus) + 1), np.zeros(len(mus) + 1)
    P[0] = 1
    for k, (mu, (rows, slope)) in enumerate(zip(mus, batches)):
        old = P[: k + 1].copy()
        P[: k + 1] *= mu
        S[: k + 1] += old if early else P[: k + 1]
        s = since[rows]
        if first:
            v[rows] = P[s, None] * v[rows] - epsilon * slope
            w[rows] += S[s, None] * v[rows] - epsilon * slope
        else:
            w[rows] += S[s, None] * v[rows] - epsilon * slope
            v[rows] = P[s, None] * v[rows] - epsilon * slope
        P[k + 1] = 1
        since[rows] = k if here else k + 1
    if at_end:
        w += S[since, None] * v
        v *= P[since, None]
    return w, v


LAZY = """
def lazy_updates(w, v, batches, mus, epsilon):
    w, v, since = w.copy(), v.copy(), np.zeros(len(w), int)
    P, S = np.ones(len(mus) + 1), np.zeros(len(mus) + 1)
    for k, (mu, (rows, g)) in enumerate(zip(mus, batches)):
        P[:k + 1] *= mu
        S[:k + 1] += P[:k + 1]
        s = since[rows]
        w[rows] += S[s, None] * v[rows] - epsilon * g
        v[rows] = P[s, None] * v[rows] - epsilon * g
        since[rows] = k + 1
    w += S[since, None] * v
    v *= P[since, None]
    return w, v
"""


def _table(
    mus,
    keeps,
    C_of=lambda a, C, before, S: a * C + (1 - a) * S,
    B_of=lambda a, B: a * B + 1 - a,
    old_P=False,
):
    P, S, A, B, C = 1.0, 0.0, 1.0, 0.0, 0.0
    for mu, a in zip(mus, keeps):
        before, old = S, P
        P = mu * P
        S = S + (old if old_P else P)
        A, B, C = a * A, B_of(a, B), C_of(a, C, before, S)
    return A, B, C


def without_velocity(mus, keeps):
    """As if rows stood still."""
    A = float(np.prod(keeps))
    return A, 1 - A, 0.0


def adds_all_of_w(mus, keeps):
    """1 for 1 - a."""
    return _table(mus, keeps, C_of=lambda a, C, before, S: a * C + S, B_of=lambda a, B: a * B + 1)


MEAN_TABLE = """
def mean_table(mus, keeps):
    P, S = 1.0, 0.0
    A, B, C = 1.0, 0.0, 0.0
    for mu, a in zip(mus, keeps):
        P = mu * P
        S = S + P
        A, B, C = a * A, a * B + 1 - a, a * C + (1 - a) * S
    return A, B, C
"""


WRONG = {
    "check_lazy_updates": [
        *said(
            (
                "S before P.",
                lambda w, v, batches, mus, epsilon: _lazy(w, v, batches, mus, epsilon, early=True),
            ),
            (
                "since is one too small.",
                lambda w, v, batches, mus, epsilon: _lazy(w, v, batches, mus, epsilon, here=True),
            ),
            (
                "w takes the new velocity.",
                lambda w, v, batches, mus, epsilon: _lazy(w, v, batches, mus, epsilon, first=True),
            ),
            (
                "One of three mended.",
                lambda w, v, batches, mus, epsilon: _lazy(
                    w, v, batches, mus, epsilon, early=True, first=True
                ),
            ),
            (
                "Nothing is brought up to date at the end.",
                lambda w, v, batches, mus, epsilon: _lazy(
                    w, v, batches, mus, epsilon, at_end=False
                ),
            ),
            (
                "The caller's arrays are changed.",
                lambda w, v, batches, mus, epsilon: _lazy(
                    w, v, batches, mus, epsilon, in_place=True
                ),
            ),
            (
                "Forgets w.",
                lambda w, v, batches, mus, epsilon: _lazy(w, v, batches, mus, epsilon)[1],
            ),
        ),
        *replaced(
            LAZY,
            ("P[:k + 1] *= mu", "P *= mu"),
            ("S[:k + 1] += P[:k + 1]", "S[:k + 1] = P[:k + 1]"),
            ("S[:k + 1] += P[:k + 1]", "S[:k] += P[:k]"),
            ("P[:k + 1] *= mu", "P[:k] *= mu"),
            ("since[rows] = k + 1", "since[rows] += 1"),
            ("since[rows] = k + 1", "since[:] = k + 1"),
            ("since[rows] = k + 1", "pass"),
            ("P[s, None] * v[rows] - epsilon * g", "v[rows] - epsilon * g"),
            ("P[s, None] * v[rows] - epsilon * g", "mu * v[rows] - epsilon * g"),
            ("S[s, None] * v[rows] - epsilon * g", "S[s, None] * v[rows]"),
            ("S[s, None] * v[rows] - epsilon * g", "S[s, None] * v[rows] + epsilon * g"),
            ("S[s, None] * v[rows] - epsilon * g", "P[s, None] * v[rows] - epsilon * g"),
            ("S[s, None] * v[rows] - epsilon * g", "S[s, None] * (v[rows] - epsilon * g)"),
            ("    w += S[since, None] * v\n", ""),
            ("    v *= P[since, None]\n", ""),
            (
                "    w += S[since, None] * v\n    v *= P[since, None]\n",
                "    v *= P[since, None]\n    w += S[since, None] * v\n",
            ),
        ),
    ],
    "check_mean_table": [
        *said(
            (
                "C takes S from before the update.",
                lambda mus, keeps: _table(
                    mus, keeps, C_of=lambda a, C, before, S: a * C + (1 - a) * before
                ),
            ),
            ("S before P.", lambda mus, keeps: _table(mus, keeps, old_P=True)),
            (
                "B and C are not multiplied by a.",
                lambda mus, keeps: _table(
                    mus,
                    keeps,
                    C_of=lambda a, C, before, S: C + (1 - a) * S,
                    B_of=lambda a, B: B + 1 - a,
                ),
            ),
            ("a for 1 - a.", lambda mus, keeps: _table(mus, [1 - a for a in keeps])),
        ),
        without_velocity,
        adds_all_of_w,
        *replaced(
            MEAN_TABLE,
            ("A, B, C = a * A, a * B + 1 - a, a", "a * A, a * B + 1 - a, a"),
            ("a * B + 1 - a", "B + 1 - a"),
            ("a * B + 1 - a", "a * B + (1 - a) * A"),
            ("(1 - a) * S", "(1 - a) * P"),
            ("(1 - a) * S", "(1 - a) * mu"),
            ("(1 - a) * S", "S"),
            ("a * C + (1 - a) * S", "a * (C + (1 - a) * S)"),
            ("a * C + (1 - a) * S", "a * C - (1 - a) * S"),
            ("A, B, C = a * A", "A, B, C = A + a"),
            ("A, B, C = a * A", "A, B, C = a"),
            ("return A, B, C", "return C, B, A"),
            ("        A, B, C = a", "        B, C, A = a"),
        ),
    ],
}
