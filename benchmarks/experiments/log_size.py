"""How many clicked pairs are enough: BM25, a bag of letter trigrams and an LSTM of 96 cells, by
the size of the log.

    python -m benchmarks.experiments.log_size FOLDER [--json benchmarks/results/log_size.json]
        [--figure book/static/log_size.png]

Three logs: that of the sample's generator, up to 1,000,000 pairs (its first 20,000 are the sample),
and random parts of msrd and onet, which lie in the folder that LSTM_EDU_DATA names. A tenth of each
log's queries is held out, and all is trained by the defaults of `lstm_edu.train`, but for the bag's
step of .004, the sample's choice: three times up to 100,000 pairs, once beyond. Told are nDCG@10 on
the judged queries, the same at every size, that on the held-out ones, and how far the LSTM is above
the other two: with the 95 % interval, of queries and trainings together. FOLDER keeps what is
finished: a run that was stopped goes on.
"""

import json
import multiprocessing
import os
import time
from concurrent.futures import ProcessPoolExecutor, as_completed

import numpy as np

import lstm_edu
from lstm_course.lessons import claims
from lstm_course.plots.style import COLOURS, band, style, subplots
from lstm_course.sample import synthetic
from lstm_edu._util.files import write_text
from lstm_edu.cells import Bag
from lstm_edu.ranking.ndcg import ndcg_by_query
from lstm_tools.table_iv.bm25 import BM25

from . import experiment as harness

SIZES = 1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000
REAL = "msrd", "onet"
CELLS = {"lstm": (lambda: lstm_edu.LSTM(96), 0.002), "bag": (lambda: Bag(300), 0.004)}
SYSTEMS = *CELLS, "bm25"
LOOKS = {"lstm": ("LSTM", "LSTM"), "bag": ("bag", "trigrams"), "bm25": ("BM25", "words")}


def write_log(path, name):
    """Write a log, in an order of which every beginning is a smaller log."""
    if name == "sample":
        pairs = synthetic.generate(0, SIZES[-1]).pairs
    else:
        pairs = lstm_edu.read_pairs(os.path.join(harness.folder_of(name), "train_pairs.tsv"))
        pairs = [pairs[k] for k in np.random.default_rng(0).permutation(len(pairs))]
    write_text(path, "".join(f"{query}\t{title}\n" for query, title in pairs))


def ranked(log, name, size, system, seed):
    """nDCG@10 by judged query, that on held-out queries, and the seconds of training."""
    judged = lstm_edu.read_judgments(os.path.join(harness.folder_of(name), "judgments.tsv"))
    pairs, started, held_out = lstm_edu.read_pairs(log)[:size], time.perf_counter(), None
    if system == "bm25":
        model = BM25().fit(pairs)
    else:
        cell, step_size = CELLS[system]
        hashing = lstm_edu.LetterTrigrams.fit(text for pair in pairs for text in pair)
        model = lstm_edu.DualEncoder(cell(), hashing, seed)
        how = {"step_size": step_size, "held_out": 0.1, "seed": seed, "progress": False}
        held_out = round(max(lstm_edu.train(model, pairs, **how)["held_out"]), 4)  # that is kept
    seconds = round(time.perf_counter() - started, 1)
    by_query = [round(float(value), 4) for value in ndcg_by_query(model, judged, (10,))[:, 0]]
    return {"by_query": by_query, "held_out": held_out, "seconds": seconds}


def together(runs):
    """One system at one size: the runs of all seeds, as `claims.difference` takes a row."""
    by_query = np.array([run["by_query"] for run in runs], float)
    held_out = [run["held_out"] for run in runs if run["held_out"] is not None]
    return {
        "by_query": by_query.mean(axis=0),
        "by_seed": np.nanmean(by_query, axis=1).tolist(),
        "held_out": held_out,
        "seconds": [run["seconds"] for run in runs],
    }


def told(rows, others):
    """The systems of one log at one size, and the LSTM against the others, in points.

    The variance between trainings is that of all sizes together: ``others`` has those of the rest.
    """
    of_all = rows | others
    of_trainings, means, above = claims.between_trainings(of_all) / 100**2, {}, {}
    for system, row in rows.items():
        by_query = row["by_query"][~np.isnan(row["by_query"])]
        variance = np.var(by_query, ddof=1) / len(by_query)
        if system in CELLS:
            variance += of_trainings / len(row["by_seed"])
        means[system] = {
            "nDCG@10": round(float(by_query.mean()), 4),
            "half": round(1.96 * float(variance) ** 0.5, 4),
            "held_out": round(float(np.mean(row["held_out"])), 4) if row["held_out"] else None,
            "seconds": row["seconds"],
        }
    for other in ("bag", "bm25"):
        found = claims.difference(of_all, "lstm", other)
        above[other] = {key: round(getattr(found, key), 2) for key in ("mean", "low", "high")}
    return means | {"lstm above": above}


def summary(path, name):
    """What is told of a log, by size, from the files of its runs."""
    runs = {}
    for (_, log, size, system, _), own in path.items():
        if log == name:
            with open(own, encoding="utf-8") as file:
                runs.setdefault((size, system), []).append(json.load(file))
    rows = {key: together(some) for key, some in runs.items()}
    sizes = sorted({size for size, _ in rows})
    trained = {(size, system): row for (size, system), row in rows.items() if system in CELLS}
    return {
        size: told(
            {system: rows[size, system] for system in SYSTEMS},
            {key: row for key, row in trained.items() if key[0] != size},
        )
        for size in sizes
    }


@style()
def drawn(logs):
    """How well each system ranks by the size of the log, with intervals, a panel a log."""
    figure, axes = subplots(1, len(logs), figsize=(9, 3.2), sharey=True, squeeze=False)
    for axis, (title, by_size) in zip(axes[0], logs.items()):
        sizes = list(map(int, by_size))
        for system, (name, role) in LOOKS.items():
            of_size = [of[system] for of in by_size.values()]
            mean, half = (np.array([of[key] for of in of_size]) for key in ("nDCG@10", "half"))
            look = {"marker": "o", "markersize": 4, "label": name}
            band(axis, sizes, mean - half, mean, mean + half, COLOURS[role], **look)
        axis.set(xscale="log", title=title)
        axis.grid()
    axes[0, 0].set_ylabel("nDCG@10 on judged queries")
    axes[0, len(logs) // 2].legend(loc="lower right")
    figure.supxlabel("clicked pairs in the log", fontsize=10)
    return figure


def main():
    parser = harness.parser(__doc__)
    parser.add_argument("folder", metavar="FOLDER")
    parser.add_argument("--figure", metavar="FILE")
    args = parser.parse_args()
    os.makedirs(args.folder, exist_ok=True)
    tasks = []
    for name in ("sample", *REAL):
        log = os.path.join(args.folder, f"{name}.tsv")
        if not os.path.exists(log):
            write_log(log, name)
        n_pairs = len(lstm_edu.read_pairs(log))
        sizes = [*(size for size in SIZES if size < n_pairs), n_pairs]
        tasks += [
            (log, name, size, system, seed)
            for size in sizes
            for system in SYSTEMS
            for seed in range(3 if system in CELLS and size <= 100_000 else 1)
        ]
    path = {
        task: os.path.join(args.folder, "_".join(map(str, task[1:])) + ".json") for task in tasks
    }
    tasks.sort(key=lambda task: (-task[2], task[3] != "lstm"))  # the longest first
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
        missing = {
            pool.submit(ranked, *task): task for task in tasks if not os.path.exists(path[task])
        }
        for future in as_completed(missing):
            task, run = missing[future], future.result()
            write_text(path[task], json.dumps(run))
            print(*task[1:], f"{np.nanmean(run['by_query']):.4f}", run["held_out"], flush=True)
    figures = {name: summary(path, name) for name in ("sample", *REAL)}
    print(json.dumps(figures, indent=1))
    if args.figure:
        drawn(figures).savefig(args.figure, metadata={"Software": None})
    command = "python -m benchmarks.experiments.log_size FOLDER"
    harness.write(args.json, {"date": harness.today(), "command": command, "logs": figures})


if __name__ == "__main__":
    main()
