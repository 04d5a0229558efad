"""Checks of notebook 11: rows that coast, and their mean.

The first input of each check is one at which every mistake that it knows gives another answer.
"""

from itertools import product

import numpy as np

from lstm_edu.training import nesterov

from ..engine.minimize import hold
from ..engine.report import left, passed

EARLY = "(d) takes the new P: first P <- mu P, then S <- S + P"
HERE = (
    "the row is up to date after update k + 1, as updates are counted from 1: "
    "since is one too small"
)
FIRST = "w needs the velocity as it was after update s, and here it has been changed before"


def check_lazy_updates(lazy_updates):
    """``lazy_updates(w, v, batches, mus, epsilon)``, mended, held against the dense update."""
    for seed in range(8):
        rng = np.random.default_rng(seed)
        n, mus, epsilon = 6, rng.uniform(0.5, 0.99, 8 + seed % 5), 0.1
        w, v = rng.standard_normal((2, n, 3))
        touched = rng.random((len(mus), n)) < 0.4
        # no row, all rows, one twice running, one never, one in the first update alone
        if seed == 5:
            touched[:5] = [[1, 0, 0, 0, 1, 0], [0] * 6, [1] * 6, [1, 0, 0, 1, 0, 0], [0] * 6]
            touched[:, 5], touched[1:, 4] = False, False
        if seed == 6:  # a momentum of 0 ends what was before
            mus[[2, 5]] = 0
        if seed == 7:  # no update at all
            mus, touched = mus[:0], touched[:0]
        # in any order
        batches = [
            (rows, rng.standard_normal((len(rows), 3)))
            for rows in (rng.permutation(np.flatnonzero(row)) for row in touched)
        ]
        given = {"w": w, "v": v, "batches": batches, "mus": mus, "epsilon": epsilon}
        problem = tuple(given.values())
        reasons = [
            (
                left([EARLY * early, HERE * here, FIRST * first], "(b) and (d)"),
                _with_bugs(*problem, early, here, first),
            )
            for early, here, first in list(product([False, True], repeat=3))[1:]
        ]
        reasons += [
            (
                "the rows that wait at the end must be brought up to date as well",
                _with_bugs(*problem, at_end=False),
            )
        ]
        reasons += [
            (
                "v has to wait as well: multiply it by P in the end, where w gets S times v",
                (_densely(*problem)[0], _with_bugs(*problem, at_end=False)[1]),
            ),
        ]
        simpler = [
            (text, easy, _densely(*easy.values()))
            for text, easy in (
                (
                    "with no update it is wrong already: w and v as they were",
                    given | {"batches": [], "mus": mus[:0]},
                ),
                (
                    "with one update of no row it is wrong already: "
                    "every row coasts, w by mu v, and v is mu v",
                    given | {"batches": [(np.zeros(0, int), np.zeros((0, 3)))], "mus": mus[:1]},
                ),
                (
                    "with one update of all rows it is wrong already: "
                    "w moves by mu v - epsilon g, and that is the new v",
                    given | {"batches": [(np.arange(n), w + v)], "mus": mus[:1]},
                ),
                (
                    "with a single update it is right, and not with two of the same rows: "
                    "which P and S does a row take that is up to date?",
                    given | {"batches": [(np.arange(n), w + v)] * 2, "mus": mus[:2]},
                ),
                (
                    "where all rows are touched at once it is right: "
                    "what happens to a row that waits, and is touched then?",
                    given,
                ),
            )
            if len(easy["mus"]) == len(easy["batches"])
        ]
        hold("w, v", lazy_updates, given, _densely(*problem), reasons, simpler, show=_counted)
    passed("check_lazy_updates", 8)


def _counted(given):
    """`lazy_updates`' input, with the touched rows of each update in the place of gradients."""
    rows = ", ".join(str(rows.tolist()) for rows, _ in given["batches"])
    return given | {"batches": f"{len(given['batches'])} updates, of the rows {rows or 'none'}"}


def _densely(w, v, batches, mus, epsilon):
    """Every row moved in every update."""
    weights, velocity = {"W": w.copy()}, {"W": v.copy()}
    for mu, (rows, slope) in zip(mus, batches):
        nesterov.look_ahead(weights, velocity, mu)
        nesterov.correct(weights, velocity, {"W": slope.copy()}, epsilon, rows)
    return weights["W"], velocity["W"]


def _with_bugs(w, v, batches, mus, epsilon, early=False, here=False, first=False, at_end=True):
    """The lazy update with some of its bugs; arguments that are not `lazy_updates`' say which."""
    w, v, since = w.copy(), v.copy(), np.zeros(len(w), int)
    P, S = np.zeros((2, len(mus) + 1))
    P[0] = 1
    for k, (mu, (rows, slope)) in enumerate(zip(mus, batches)):
        S[: k + 1] += P[: k + 1] * (1 if early else mu)
        P[: k + 1] *= mu
        now_P, now_S = P[since[rows], None], S[since[rows], None]
        moved = now_P * v[rows] - epsilon * slope
        w[rows] += now_S * (moved if first else v[rows]) - epsilon * slope
        v[rows] = moved
        P[k + 1] = 1
        since[rows] = k if here else k + 1
    return (w + S[since, None] * v, v * P[since, None]) if at_end else (w, v)


def check_mean_table(mean_table):
    """``mean_table(mus, keeps)``: A, B, C, held against the dense update and average.

    These are applied to three rows of one number.
    """
    # in the end no update, one, and a mean and a momentum that keep nothing, or all
    for seed, n in enumerate([4, 5, 6, 7, 8, 0, 1, 5]):
        rng = np.random.default_rng(seed)
        mus, keeps = rng.uniform(0.3, 0.99, n), rng.uniform(0.2, 0.95, n)
        if seed == 7:
            mus[1], keeps[[2, 3]] = 0, [0, 1]
        mean, w, v = ({"b": row} for row in np.eye(3))
        for mu, keep in zip(mus, keeps):
            nesterov.look_ahead(w, v, mu)
            nesterov.average(mean, w, keep)
        given = {"mus": mus, "keeps": keeps}
        expected = tuple(map(float, mean["b"]))
        once = _mean_table(mus[-1:], keeps[-1:])
        hold(
            "A, B, C",
            mean_table,
            given,
            expected,
            [
                (
                    "C takes the new S: the mean is of the weights after the update",
                    _mean_table(mus, keeps, old_S=True),
                ),
                (
                    "S takes the new P: first P <- mu P, then S <- S + P",
                    _mean_table(mus, keeps, old_P=True),
                ),
                (
                    "what was kept before is kept again with the share a: "
                    "B <- a B + …, C <- a C + …",
                    _mean_table(mus, keeps, forgets=True),
                ),
                (
                    "a and 1 - a are exchanged: a is the share of the old mean",
                    _mean_table(mus, 1 - keeps),
                ),
                (
                    "w(k) holds v as well: C adds up (1 - a) S",
                    (float(np.prod(keeps)), 1 - float(np.prod(keeps)), 0.0),
                ),
                (
                    "m(k) = a m(k-1) + (1 - a) w(k): the new weights have the share 1 - a",
                    _mean_table(mus, keeps, whole=True),
                ),
                (
                    "C takes S, how far v has moved w, not P",
                    _mean_table(mus, keeps, of="P"),
                ),
                (
                    "C takes S: the velocity moves w at every update, by all of S so far",
                    _mean_table(mus, keeps, of="mu"),
                ),
                (
                    "B + 1 - a is divided out over the updates: B <- a B + 1 - a",
                    (expected[0], float(np.sum(1 - keeps)), expected[2]),
                ),
                ("the last mean alone: A, B and C go on from update to update", once),
                ("A is the product of all a", (float(keeps[-1]) if n else 1.0, *expected[1:])),
                ("the three are in another order: A, B, C", expected[::-1]),
                (
                    "the three are in another order: A, B, C",
                    (expected[1], expected[0], expected[2]),
                ),
                ("of m, w and v each: A belongs to m, B to w, C to v", expected[1:] + expected[:1]),
            ],
            [
                (
                    "with no update it is wrong already: 1, 0, 0",
                    {"mus": mus[:0], "keeps": keeps[:0]},
                    (1.0, 0.0, 0.0),
                ),
                (
                    "with one update it is wrong already: m = a m + (1 - a) (w + mu v)",
                    {"mus": np.array([0.5]), "keeps": np.array([0.8])},
                    (0.8, 0.2, 0.1),
                ),
                (
                    "with one update it is right: at the next one all of A, B and C is multiplied "
                    "by a, and w + S v comes in with 1 - a",
                    given,
                    expected,
                ),
            ],
        )
    passed("check_mean_table", 8)


def _mean_table(mus, keeps, old_S=False, old_P=False, forgets=False, whole=False, of="S"):
    """A, B and C by their recursions, with some mistakes."""
    P, S, A, B, C = 1.0, 0.0, 1.0, 0.0, 0.0
    for mu, a in zip(mus, keeps):
        before = S
        S += P if old_P else mu * P
        P *= mu
        new, kept = (1 if whole else 1 - a), (1 if forgets else a)
        moved = {"S": before if old_S else S, "P": P, "mu": mu}[of]
        A, B, C = a * A, kept * B + new, kept * C + new * moved
    return float(A), float(B), float(C)
