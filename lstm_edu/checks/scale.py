"""Checks of notebook 11: counting operations, rows and their mean that coast, and machines.

Of machines it is asked how many are worth having. The first seed of each check is one at which
every mistake that it knows gives another answer, so that the right one is named.
"""

from itertools import product

import numpy as np

from ..training import nesterov
from .report import call, hold_against, left, passed

EARLY = "(d) takes the new P: first P <- mu P, then S <- S + P"
HERE = (
    "the row is up to date after update k + 1, as updates are counted from 1: "
    "since is one too small"
)
FIRST = "w needs the velocity as it was after update s, and here it has been changed before"


def check_recurrent_flops(recurrent_flops):
    """``recurrent_flops(lengths, m, g)``, held against a count product by product."""
    for seed in range(5):
        rng = np.random.default_rng(seed)
        lengths = rng.integers(1, 9, 6 + seed)
        m, g = int(rng.integers(3, 20)), (4, 3, 1, 2, 3)[seed]
        given = {"lengths": lengths, "m": m, "g": g}
        # sentences that have a word at t, and one before it
        n = [int((lengths > t).sum()) for t in range(1, lengths.max())]
        expected = sum(3 * 2 * n_t * m * (g * m) for n_t in n)
        words, R = int(lengths.sum()), int((lengths - 1).sum())
        hold_against(
            "flops",
            call("flops", recurrent_flops, given),
            expected,
            given,
            [
                (
                    "the first word of a sentence has nothing before it to be multiplied",
                    6 * words * g * m * m,
                ),
                (
                    "a multiplication and an addition for each weight: 2 flops, not 1",
                    3 * R * g * m * m,
                ),
                (
                    "this is the forward pass alone; "
                    "errors and the gradient of Wrec are products of the same size",
                    2 * R * g * m * m,
                ),
                (
                    "this is forward and back; the gradient of Wrec is the third product",
                    4 * R * g * m * m,
                ),
                (
                    "a sentence that has ended is not computed any more: "
                    "count the words, not the longest sentence for all",
                    6 * len(lengths) * int(lengths.max() - 1) * g * m * m,
                ),
                ("each of the g gates has its own m x m weights", 6 * R * m * m),
                ("each gate's Wrec has m x m weights, not m", 6 * R * g * m),
            ],
        )
    passed("check_recurrent_flops", 5)


def check_lazy_updates(lazy_updates):
    """``lazy_updates(w, v, batches, mus, epsilon)``, mended, held against the dense update."""
    for seed in range(5):
        rng = np.random.default_rng(seed)
        n, mus, epsilon = 6, rng.uniform(0.5, 0.99, 8 + seed), 0.1
        w, v = rng.standard_normal((2, n, 3))
        batches = []
        for _ in mus:
            rows = np.flatnonzero(rng.random(n) < 0.4)
            batches.append((rows, rng.standard_normal((len(rows), 3))))
        weights, velocity = {"W": w.copy()}, {"W": v.copy()}
        for mu, (rows, slope) in zip(mus, batches):
            nesterov.look_ahead(weights, velocity, mu)
            nesterov.correct(weights, velocity, {"W": slope.copy()}, epsilon, rows)
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
        hold_against(
            "w, v", call("w, v", lazy_updates, given), (weights["W"], velocity["W"]), given, reasons
        )
    passed("check_lazy_updates", 5)


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
    for seed in range(5):
        rng = np.random.default_rng(seed)
        mus, keeps = rng.uniform(0.3, 0.99, 4 + seed), rng.uniform(0.2, 0.95, 4 + seed)
        mean, w, v = ({"b": row} for row in np.eye(3))
        for mu, keep in zip(mus, keeps):
            nesterov.look_ahead(w, v, mu)
            nesterov.average(mean, w, keep)
        given = {"mus": mus, "keeps": keeps}
        hold_against(
            "A, B, C",
            call("A, B, C", mean_table, given),
            tuple(map(float, mean["b"])),
            given,
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
            ],
        )
    passed("check_mean_table", 5)


def _mean_table(mus, keeps, old_S=False, old_P=False, forgets=False, whole=False):
    """A, B and C by their recursions, with some mistakes."""
    P, S, A, B, C = 1.0, 0.0, 1.0, 0.0, 0.0
    for mu, a in zip(mus, keeps):
        before = S
        S += P if old_P else mu * P
        P *= mu
        new, kept = (1 if whole else 1 - a), (1 if forgets else a)
        A, B, C = a * A, kept * B + new, kept * C + new * (before if old_S else S)
    return float(A), float(B), float(C)


def check_best_machines(best_machines):
    """``best_machines(most, B, a, b, bytes_each_way, bandwidth)``, held against a sum.

    The sum goes through an update message by message.
    """
    for seed in range(5):
        rng = np.random.default_rng(seed)
        B, a, b = int(2 ** rng.integers(9, 13)), rng.uniform(1e-4, 3e-4), rng.uniform(1e-6, 1e-5)
        rate, bandwidth, most = rng.uniform(3e4, 6e4), rng.uniform(1e8, 2e8), 16

        def bytes_each_way(pairs):
            return rate * pairs**0.5

        def by_messages(K):
            # all work at their parts at the same time; the first is then alone
            busy = a * B / K + b * B
            for _ in range(1, K):  # machine 0 has its rows already
                busy += bytes_each_way(B / K) / bandwidth  # its rows come …
                busy += bytes_each_way(B / K) / bandwidth  # … and their gradient goes back
            return busy

        def best(seconds):
            times = [seconds(K) for K in range(1, most + 1)]
            return int(np.argmin(times)) + 1, min(times)

        def model(K, machines=lambda K: K - 1, ways=2, part=lambda K: B / K, shared=False):
            return (
                a * B / K
                + b * B / (K if shared else 1)
                + ways * machines(K) * bytes_each_way(part(K)) / bandwidth
            )

        given = {
            "most": most,
            "B": B,
            "a": a,
            "b": b,
            "bytes_each_way": bytes_each_way,
            "bandwidth": bandwidth,
        }
        reasons = [
            (text, best(lambda K: model(K, **wrong)))
            for text, wrong in (
                (
                    "the first machine has its rows already: K - 1 machines get theirs",
                    {"machines": lambda K: K},
                ),
                ("the rows come, and their gradient goes back: twice the bytes", {"ways": 1}),
                (
                    "a machine needs the rows of its own part alone: bytes_each_way(B / K)",
                    {"part": lambda K: B},
                ),
                (
                    "b is what the first machine does alone: it is not divided by K",
                    {"shared": True},
                ),
                (
                    "all messages pass through one cable: K - 1 times the bytes",
                    {"machines": lambda K: K > 1},
                ),
                ("without the network more machines are always quicker", {"ways": 0}),
            )
        ]
        few, seconds = best(by_messages)
        reasons += [
            (
                "this is the time on all machines that there are; look for the least",
                (most, by_messages(most)),
            ),
            (
                "the number of machines is one more than "
                "its place in a list that begins with K = 1",
                (few - 1, seconds),
            ),
            ("the time of an update is asked for as well", (few, None)),
        ]
        hold_against(
            "K, seconds", call("K, seconds", best_machines, given), (few, seconds), given, reasons
        )
    passed("check_best_machines", 5)
