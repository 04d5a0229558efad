"""Typical held-out nDCG@10 for the size of a log, measured on parts of the course's logs.

The model is an LSTM of 96 cells with the defaults of `lstm_edu.train`; log_size.py in benchmarks/
made the measurements.
"""

import pathlib
import tomllib

import numpy as np

PAIRS = 1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000
TABLE = pathlib.Path(__file__).with_suffix(".toml")  # nDCG@10 for each log and number of pairs


def standing(n_pairs, held_out):
    """Describe in one line how a log's held-out nDCG@10 compares with logs of the same size."""
    like = []
    for name, log in tomllib.loads(TABLE.read_text(encoding="utf-8")).items():
        if PAIRS[0] <= n_pairs <= log["pairs"]:
            sizes = np.log([*PAIRS[: len(log["held_out"]) - 1], log["pairs"]])
            like.append(f"{np.interp(np.log(n_pairs), sizes, log['held_out']):.2f} ({name})")
    said = f"held-out nDCG@10 {held_out:.2f} of a log of {n_pairs:,} pairs; "
    if not like:
        return said + "the course has no log of that size"
    return said + f"on the course's logs, cut to that size, {', '.join(like)}"
