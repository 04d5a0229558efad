"""Exercises for lesson 11: floating-point operations in a step, and the best number of machines."""

import numpy as np

from ..engine import slips


def _batches():
    # numbers of gates; the last three inputs have one-word sentences, one sentence, and one cell
    for seed, g in enumerate([4, 3, 1, 2, 3, 4, 3, 4]):
        rng = np.random.default_rng(seed)
        lengths, m = rng.integers(1, 9, 7 + seed), int(rng.integers(5, 20))
        lengths = {5: np.ones(3, int), 6: lengths[:1] + 3}.get(seed, lengths)
        yield {"lengths": lengths, "m": 1 if seed == 7 else m, "g": g}


@slips.check("flops", _batches)
def recurrent_flops(lengths, m, g):
    """Count the floating-point operations with Wrec in one training step."""
    return 6 * int((lengths - 1).sum()) * g * m * m


def _clusters():
    for seed in range(10):
        rng = np.random.default_rng(seed)
        B, a, b = int(2 ** rng.integers(9, 13)), rng.uniform(1e-4, 3e-4), rng.uniform(1e-6, 1e-5)
        rate, bandwidth, most = rng.uniform(3e4, 6e4), rng.uniform(1e8, 2e8), 20
        if seed == 5:  # slow network: one machine is best
            bandwidth /= 1e3
        if seed == 6:  # fast network: all machines are best, even with few pairs
            B, bandwidth, most = 3, bandwidth * 1e3, 7
        if seed == 7:  # only one machine available
            most = 1
        if seed == 8:  # batch not divisible by the number of machines
            B = 1001
        if seed == 9:  # fast small messages: the time rises with K and then falls
            B, bandwidth = 1024, bandwidth / 3

        def bytes_each_way(pairs, rate=rate, small=100 * (seed == 9)):
            return rate * pairs**0.5 * (0.2 if pairs < small else 1)

        one = {"most": most, "B": B, "a": a, "b": b}

        yield one | {"bytes_each_way": bytes_each_way, "bandwidth": bandwidth}


@slips.check("K, seconds", _clusters)
def best_machines(most, B, a, b, bytes_each_way, bandwidth):
    """Return the fastest number of machines, and the seconds per update."""
    seconds = []
    for K in range(1, most + 1):
        sent = 2 * (K - 1) * bytes_each_way(B / K)
        seconds.append(a * B / K + b * B + sent / bandwidth)
    K = int(np.argmin(seconds)) + 1
    return K, seconds[K - 1]
