"""nDCG@10 on the course's logs, cut to the size of another log.

An LSTM of 96 cells by the defaults of `lstm_edu.train`, measured by log_size.py in benchmarks/.
"""

import numpy as np

PAIRS = 1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000
# by log: its number of pairs; nDCG@10 on held-out and on judged queries at each of `PAIRS` up to it
MEASURED = {
    "sample": (
        1_000_000,
        [0.586, 0.580, 0.666, 0.736, 0.750, 0.755, 0.747],
        [0.702, 0.778, 0.863, 0.908, 0.906, 0.926, 0.943],
    ),
    "msrd": (
        43_648,
        [0.510, 0.574, 0.631, 0.801, 0.877],
        [0.856, 0.869, 0.880, 0.884, 0.890],
    ),
    "onet": (
        49_514,
        [0.333, 0.377, 0.485, 0.626, 0.687],
        [0.638, 0.686, 0.753, 0.811, 0.830],
    ),
}


def standing(n_pairs, held_out):
    """Compare the nDCG@10 of a log on held-out queries with the course's logs, in one line."""
    like, more = [], []
    for name, (largest, *measured) in MEASURED.items():
        if PAIRS[0] <= n_pairs <= largest:
            at, held_out_at, judged_at = np.log([n_pairs, 3 * n_pairs]), *measured
            sizes = np.log([*PAIRS[: len(held_out_at) - 1], largest])
            like.append(f"{np.interp(at[0], sizes, held_out_at):.2f} ({name})")
            if 3 * n_pairs <= largest:
                gain = np.diff(np.interp(at, sizes, judged_at))[0]
                more.append(f"{100 * gain:+.1f} points ({name})")
    said = f"held-out nDCG@10 {held_out:.2f} of a log of {n_pairs:,} pairs; "
    if not like:
        return said + "the course has no log of that size"
    said += f"on the course's logs, cut to that size, {', '.join(like)}"
    if more:
        said += f"; on judged queries, a log of thrice the size {', '.join(more)}"
    return said
