"""Exercises of notebook 11: counting operations, and how many machines are worth having."""

import numpy as np

from ..engine import slips

SLIPS = slips.table(__file__)


def recurrent_flops(lengths, m, g):
    """Floating-point operations of the products with Wrec in one step."""
    return 6 * int((lengths - 1).sum()) * g * m * m


def _batches():
    given = []
    # gates; in the end sentences of one word, a single sentence, a single cell
    for seed, g in enumerate([4, 3, 1, 2, 3, 4, 3, 4]):
        rng = np.random.default_rng(seed)
        lengths, m = rng.integers(1, 9, 7 + seed), int(rng.integers(5, 20))
        lengths = {5: np.ones(3, int), 6: lengths[:1] + 3}.get(seed, lengths)
        given.append({"lengths": lengths, "m": 1 if seed == 7 else m, "g": g})
    return given


def _a_sentence(given):
    return [
        (
            "for a single sentence of one word it is wrong already: "
            "nothing stands before the word, so 0",
            given | {"lengths": np.array([1])},
        ),
        (
            "for a sentence of two words, one cell and one gate it is wrong already: "
            "three products, each a multiplication and an addition, so 6",
            {"lengths": np.array([2]), "m": 1, "g": 1},
        ),
        (
            "for a sentence of two words it is wrong: 6 for each weight, and g gates "
            "have m x m weights each",
            given | {"lengths": np.array([2])},
        ),
        (
            "for a single sentence of two words it is right: "
            "add up over the sentences how many of their words follow another",
            given,
        ),
    ]


check_recurrent_flops = slips.check(
    "flops", recurrent_flops, _batches, SLIPS["recurrent_flops"], simpler=_a_sentence
)


def best_machines(most, B, a, b, bytes_each_way, bandwidth):
    """How many of the machines to use, and an update's seconds with them."""
    seconds = []
    for K in range(1, most + 1):
        sent = 2 * (K - 1) * bytes_each_way(B / K)
        seconds.append(a * B / K + b * B + sent / bandwidth)
    K = int(np.argmin(seconds)) + 1
    return K, seconds[K - 1]


def _clusters():
    given = []
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

        def bytes_each_way(pairs, rate=rate):
            return rate * pairs**0.5

        given.append({"most": most, "B": B, "a": a, "b": b})
        given[-1] |= {"bytes_each_way": bytes_each_way, "bandwidth": bandwidth}
    return given


def _without_network(given):
    return [
        (
            "with a single machine it is wrong already: a B + b B, and nothing is sent",
            given | {"most": 1},
        ),
        (
            "with a network that takes no time it is wrong already: "
            "the more machines, the quicker, a B / K + b B",
            given | {"bandwidth": 1e30},
        ),
        (
            "with a network that takes no time it is right: "
            "K - 1 machines get their bytes, and send as many back, through one cable",
            given,
        ),
    ]


check_best_machines = slips.check(
    "K, seconds", best_machines, _clusters, SLIPS["best_machines"], simpler=_without_network
)
