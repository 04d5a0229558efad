"""Checks of notebook 11: counting operations, rows and their mean that coast, and machines.

Of machines it is asked how many are worth having. The first seed of each check is one at which
every mistake that it knows gives another answer, so that the right one is named.
"""

from itertools import product

import numpy as np

from ..training import nesterov
from .report import left, passed
from .stages import hold

EARLY = "(d) takes the new P: first P <- mu P, then S <- S + P"
HERE = (
    "the row is up to date after update k + 1, as updates are counted from 1: "
    "since is one too small"
)
FIRST = "w needs the velocity as it was after update s, and here it has been changed before"


def check_recurrent_flops(recurrent_flops):
    """``recurrent_flops(lengths, m, g)``, held against a count product by product."""
    # gates; in the end sentences of one word, a single sentence, a single cell
    for seed, g in enumerate([4, 3, 1, 2, 3, 4, 3, 4]):
        rng = np.random.default_rng(seed)
        lengths = rng.integers(1, 9, 6 + seed)
        m = int(rng.integers(3, 20))
        lengths = {5: np.ones(3, int), 6: lengths[:1] + 3}.get(seed, lengths)
        m = 1 if seed == 7 else m
        given = {"lengths": lengths, "m": m, "g": g}
        # sentences that have a word at t, and one before it
        n = [int((lengths > t).sum()) for t in range(1, lengths.max())]
        expected = sum(3 * 2 * n_t * m * (g * m) for n_t in n)
        words, R = int(lengths.sum()), int((lengths - 1).sum())
        hold(
            "flops",
            recurrent_flops,
            given,
            expected,
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
                (
                    "of the whole batch one word follows none; of each sentence one does",
                    6 * (words - 1) * g * m * m,
                ),
                ("the longest sentence alone; add up all", 6 * int(lengths.max() - 1) * g * m * m),
                ("the mean of the sentences; add them up", 6 * R / len(lengths) * g * m * m),
                ("one flop too many for each number: 2 for each weight", 12 * R * g * m * m),
                (
                    "m numbers are multiplied by g m columns: m twice, g once",
                    6 * R * (g * m) ** 2,
                ),
            ],
            [
                (
                    "for a single sentence of one word it is wrong already: "
                    "nothing stands before the word, so 0",
                    {"lengths": np.array([1]), "m": m, "g": g},
                    0,
                ),
                (
                    "for a sentence of two words, one cell and one gate it is wrong already: "
                    "three products, each a multiplication and an addition, so 6",
                    {"lengths": np.array([2]), "m": 1, "g": 1},
                    6,
                ),
                (
                    "for a sentence of two words it is wrong: 6 for each weight, and g gates "
                    "have m x m weights each",
                    {"lengths": np.array([2]), "m": m, "g": g},
                    6 * g * m * m,
                ),
                (
                    "for a single sentence of two words it is right: "
                    "add up over the sentences how many of their words follow another",
                    given,
                    expected,
                ),
            ],
        )
    passed("check_recurrent_flops", 8)


def check_lazy_updates(lazy_updates):
    """``lazy_updates(w, v, batches, mus, epsilon)``, mended, held against the dense update."""
    for seed in range(8):
        rng = np.random.default_rng(seed)
        n, mus, epsilon = 6, rng.uniform(0.5, 0.99, 8 + seed % 5), 0.1
        w, v = rng.standard_normal((2, n, 3))
        touched = rng.random((len(mus), n)) < 0.4
        if (
            seed == 5
        ):  # nothing, all rows, a row twice in a row, a row never, one in the first alone
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


def check_best_machines(best_machines):
    """``best_machines(most, B, a, b, bytes_each_way, bandwidth)``, held against a sum.

    The sum goes through an update message by message.
    """
    for seed in range(9):
        rng = np.random.default_rng(seed)
        B, a, b = int(2 ** rng.integers(9, 13)), rng.uniform(1e-4, 3e-4), rng.uniform(1e-6, 1e-5)
        rate, bandwidth, most = rng.uniform(3e4, 6e4), rng.uniform(1e8, 2e8), 16
        if seed == 5:  # so slow a network that one machine is best
            bandwidth /= 1e3
        if seed == 6:  # so quick a one that all are, and more were better still
            bandwidth, most = bandwidth * 1e3, 7
        if seed == 7:  # one machine
            most = 1
        if seed == 8:  # parts that are no whole number of pairs
            B = 1001

        def bytes_each_way(pairs):
            return rate * pairs**0.5

        def by_messages(K):
            # all work at their parts at the same time; the first is then alone
            busy = a * B / K + b * B
            for _ in range(1, K):  # machine 0 has its rows already
                busy += bytes_each_way(B / K) / bandwidth  # its rows come …
                busy += bytes_each_way(B / K) / bandwidth  # … and their gradient goes back
            return busy

        def best(seconds, machines=range(1, most + 1)):
            return min(((K, seconds(K)) for K in machines), key=lambda each: each[1], default=None)

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
            ("all machines may be used, `most` as well", best(by_messages, range(1, most))),
            ("one machine may be best: begin with K = 1", best(by_messages, range(2, most + 1))),
            ("no more than `most` machines are there", best(by_messages, range(1, most + 2))),
            (
                "the number of machines is one more than "
                "its place in a list that begins with K = 1",
                (few - 1, by_messages(few - 1) if few > 1 else seconds),
            ),
            (
                "the one that takes most: look for the least",
                max(((K, by_messages(K)) for K in range(1, most + 1)), key=lambda each: each[1]),
            ),
            ("the seconds come second: K, seconds", (seconds, few)),
            ("seconds of an update, not of a pair", (few, seconds / B)),
            (
                "a part may be no whole number of pairs: B / K, not B // K",
                best(lambda K: model(K, part=lambda K: B // K)),
            ),
        ]
        reasons += [
            (text, best(seconds_of))
            for text, seconds_of in (
                (
                    "what each machine does is a B / K: it is divided by K",
                    lambda K: model(K) + a * B * (1 - 1 / K),
                ),
                ("what the first machine does alone, b B, is missing", lambda K: model(K) - b * B),
                ("what all machines do, a B / K, is missing", lambda K: model(K) - a * B / K),
                (
                    "bytes by bytes a second are seconds: divide by the bandwidth",
                    lambda K: model(K, ways=0) + 2 * (K - 1) * bytes_each_way(B / K) * bandwidth,
                ),
                (
                    "bytes by bytes a second are seconds: divide by the bandwidth",
                    lambda K: model(K, ways=0) + 2 * (K - 1) * bytes_each_way(B / K),
                ),
                (
                    "a machine's part of the pairs is B / K",
                    lambda K: model(K, part=lambda K: B * K),
                ),
                ("K - 1 machines, not K + 1", lambda K: model(K, machines=lambda K: K + 1)),
            )
        ]
        simpler = [
            (
                "with a single machine it is wrong already: a B + b B, and nothing is sent",
                given | {"most": 1},
                (1, a * B + b * B),
            ),
            (
                "with a network that takes no time it is wrong already: "
                "the more machines, the quicker, a B / K + b B",
                given | {"bandwidth": 1e30},
                (most, a * B / most + b * B),
            ),
            (
                "with a network that takes no time it is right: "
                "K - 1 machines get their bytes, and send as many back, through one cable",
                given,
                (few, seconds),
            ),
        ]
        hold("K, seconds", best_machines, given, (few, seconds), reasons, simpler)
    passed("check_best_machines", 9)
