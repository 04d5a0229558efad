"""Checks of notebook 11: counting operations, and how many machines are worth having.

The first input of each check is one at which every mistake that it knows gives another answer.
"""

import numpy as np

from ..engine.minimize import hold
from ..engine.report import passed


def check_recurrent_flops(recurrent_flops):
    """``recurrent_flops(lengths, m, g)``, held against a count product by product."""
    # gates; in the end sentences of one word, a single sentence, a single cell
    for seed, g in enumerate([4, 3, 1, 2, 3, 4, 3, 4]):
        rng = np.random.default_rng(seed)
        lengths = rng.integers(1, 9, 7 + seed)
        m = int(rng.integers(5, 20))
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
                "a single machine: the more share the work, the less time a B / K takes",
                (1, by_messages(1)),
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
                ("what the first machine does alone, b B, is missing", lambda K: model(K) - b * B),
                ("what all machines do, a B / K, is missing", lambda K: model(K) - a * B / K),
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
