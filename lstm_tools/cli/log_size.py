"""Where a log stands: how well the course's own logs ranked, cut to as many pairs.

An LSTM of 96 cells by the defaults of `lstm_edu.train` (benchmarks/experiments/log_size.py).
"""

import numpy as np

# by log, by pairs: nDCG@10 on held-out queries, and on judged ones
MEASURED = {
    "sample": {
        1_000: (0.586, 0.702),
        3_000: (0.580, 0.778),
        10_000: (0.666, 0.863),
        30_000: (0.736, 0.908),
        100_000: (0.750, 0.906),
        300_000: (0.755, 0.926),
        1_000_000: (0.747, 0.943),
    },
    "msrd": {
        1_000: (0.510, 0.856),
        3_000: (0.574, 0.869),
        10_000: (0.631, 0.880),
        30_000: (0.801, 0.884),
        43_648: (0.877, 0.890),
    },
    "onet": {
        1_000: (0.333, 0.638),
        3_000: (0.377, 0.686),
        10_000: (0.485, 0.753),
        30_000: (0.626, 0.811),
        49_514: (0.687, 0.830),
    },
}


def standing(n_pairs, held_out):
    """Say in a line how a log of so many pairs compares, by its nDCG@10 on held-out queries."""
    like, more = [], []
    for name, by_size in MEASURED.items():
        if min(by_size) <= n_pairs <= max(by_size):
            like.append(f"{_at(n_pairs, by_size)[0]:.2f} ({name})")
        if min(by_size) <= n_pairs and 3 * n_pairs <= max(by_size):
            gain = _at(3 * n_pairs, by_size)[1] - _at(n_pairs, by_size)[1]
            more.append(f"{100 * gain:+.1f} points ({name})")
    said = f"held-out nDCG@10 {held_out:.2f} of a log of {n_pairs:,} pairs; "
    if not like:
        return said + "the course has no log of that size"
    said += f"on the course's logs, cut to that size, {', '.join(like)}"
    if more:
        said += f"; on judged queries, a log of thrice the size {', '.join(more)}"
    return said


def _at(n_pairs, by_size):
    """Both numbers at a size between those that were measured."""
    sizes = np.log(list(by_size))
    return [np.interp(np.log(n_pairs), sizes, values) for values in zip(*by_size.values())]
