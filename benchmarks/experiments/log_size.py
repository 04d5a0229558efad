"""Rank with BM25, a bag of letter trigrams and an LSTM of 96 cells, on logs of several sizes.

    python -m benchmarks.experiments.log_size [--json FILE] [--figure book/static/log_size.png]

The logs are up to 1,000,000 pairs from the sample's generator (the first 20,000 are the sample),
and random parts of msrd and onet. A tenth of each log's queries is held out. All training uses the
defaults of `lstm_edu.train`, except for the bag's step of .004, which was chosen on the sample, and
is repeated three times on logs of up to 100,000 pairs. The figures are nDCG@10 on the judged
queries, which are the same for all sizes, and on the held-out queries, and the LSTM's leads over
the bag and BM25, with 95 % intervals over queries and runs.
"""

from functools import cache

import numpy as np

import lstm_edu
from lstm_course.lessons import claims
from lstm_course.plots.style import COLOURS, band, style, subplots
from lstm_course.sample import synthetic
from lstm_edu.cells import Bag
from lstm_tools.table_iv.bm25 import BM25

from . import experiment

SIZES = 1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000
SEEDS = range(3)  # for logs of up to 100,000 pairs; larger logs use only seed 0
CELLS = {"lstm": (lstm_edu.LSTM(96), 0.002), "bag": (Bag(300), 0.004)}
LOOKS = {"lstm": ("LSTM", "LSTM"), "bag": ("bag", "trigrams"), "bm25": ("BM25", "words")}


@cache
def log(name):
    """Read a log, ordered so that its first pairs can serve as a smaller log."""
    if name == "sample":
        return synthetic.generate(0, SIZES[-1]).pairs
    pairs = experiment.data(name).pairs
    return [pairs[k] for k in np.random.default_rng(0).permutation(len(pairs))]


def ranked(name, size, system, seed):
    """Train a system; return nDCG@10 per judged query, and held-out nDCG@10."""
    pairs, held_out = log(name)[:size], None
    if system == "bm25":
        model = BM25().fit(pairs)
    else:
        cell, step_size = CELLS[system]
        how = {"step_size": step_size, "held_out": 0.1}
        model, history = experiment.trained(cell, pairs, seed, **how)
        held_out = round(max(history["held_out"]), 4)  # `train` returns this epoch's weights
    ndcg = experiment.at_10(model, experiment.data(name).judgments)
    return {"by_query": ndcg.round(4).tolist(), "held_out": held_out}


def row(runs):
    """Turn the results of `ranked` for one size and system into a row for `claims`."""
    held_out = [run["held_out"] for run in runs]
    mean = None if None in held_out else round(float(np.mean(held_out)), 4)
    return experiment.row_of([run["by_query"] for run in runs]) | {"held_out": mean}


def summary(row, of_trainings):
    """Summarise a row: its means, and half of the 95 % interval of nDCG@10."""
    by_query = row["by_query"][~np.isnan(row["by_query"])]
    variance = np.var(by_query, ddof=1) / len(by_query) + of_trainings / len(row["by_seed"])
    numbers = {"nDCG@10": by_query.mean(), "half": 1.96 * variance**0.5}
    return experiment.rounded(numbers) | {"held_out": row["held_out"]}


def measure(name, most):
    """Rank with the three systems on one log at each size.

    The variance between training runs is pooled over all sizes.
    """
    n_pairs = min(most, len(log(name)))
    sizes = [*(size for size in SIZES if size < n_pairs), n_pairs]
    tasks = {
        (size, system): [
            (name, size, system, seed)
            for seed in (SEEDS if system in CELLS and size <= 100_000 else [0])
        ]
        for size in reversed(sizes)
        for system in LOOKS
    }
    results = iter(experiment.run(ranked, sum(tasks.values(), [])))
    rows = {key: row([next(results) for _ in of_key]) for key, of_key in tasks.items()}
    trained = {key: of_key for key, of_key in rows.items() if key[1] in CELLS}
    variance, found = claims.between_trainings(trained) / 100**2, {}
    for size in sizes:
        here = {system: rows[size, system] for system in LOOKS}
        others = {key: of_key for key, of_key in trained.items() if key[0] != size}
        found[size] = {
            system: summary(of_system, variance if system in CELLS else 0)
            for system, of_system in here.items()
        }
        found[size]["lstm above"] = {
            other: experiment.points(claims.difference(here | others, "lstm", other))
            for other in ("bag", "bm25")
        }
    return found


@style()
def drawn(logs):
    """Plot each system's nDCG@10 against log size, with intervals and one panel per log."""
    figure, axes = subplots(1, len(logs), figsize=(9, 3.2), sharey=True, squeeze=False)
    for axis, (title, by_size) in zip(axes[0], logs.items()):
        for system, (name, role) in LOOKS.items():
            of_size = [of[system] for of in by_size.values()]
            mean, half = (np.array([of[key] for of in of_size]) for key in ("nDCG@10", "half"))
            look = {"marker": "o", "markersize": 4, "label": name}
            band(axis, [*by_size], mean - half, mean, mean + half, COLOURS[role], **look)
        axis.set(xscale="log", title=title)
        axis.grid()
    axes[0, 0].set_ylabel("nDCG@10 on judged queries")
    axes[0, len(logs) // 2].legend(loc="lower right")
    figure.supxlabel("clicked pairs in the log", fontsize=10)
    return figure


if __name__ == "__main__":
    args = experiment.options(__doc__, experiment.SETS, figure="", most=SIZES[-1])
    figures = {name: measure(name, args.most) for name in args.sets}
    if args.figure:
        drawn(figures).savefig(args.figure, metadata={"Software": None})
    experiment.write(args.json, {"logs": figures})
