"""What the benchmarks share: options, data, a training, tasks in two processes, stored figures.

A task is one call of an experiment's function. What it returns is kept in build/experiments until
the figures are stored, so that an experiment that was stopped goes on; delete it there to begin
again.
"""

import argparse
import datetime
import json
import multiprocessing
import os
import pathlib
import re
import sys
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import cache
from typing import NamedTuple

import numpy as np
from scipy import stats

import lstm_edu
from lstm_edu._util import files
from lstm_edu.ranking.ndcg import ndcg_by_query
from lstm_edu.ranking.statistics import interval
from lstm_tools.table_iv import held_out

ROOT = pathlib.Path(__file__).resolve().parents[2]
RESULTS = ROOT / "benchmarks" / "results"
SETS = "sample", "msrd", "onet"
SEARCHES = 1500  # held out, at most
ROOM, NAME = pathlib.Path(sys.argv[0]).parent.name, pathlib.Path(sys.argv[0]).stem


class Data(NamedTuple):
    """A click log and its judged queries, in a folder."""

    folder: pathlib.Path
    pairs: list
    judgments: list


def options(doc, sets=(), **defaults):
    """Parse the command line: sets of data, an option per default, and ``--json``."""
    parser = argparse.ArgumentParser(
        description=doc, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--json", metavar="FILE", help="write the figures there, dated")
    if sets:
        parser.add_argument("sets", nargs="*", default=sets, help="of " + ", ".join(sets))
    for name, default in defaults.items():
        parser.add_argument(f"--{name}", type=type(default), default=default)
    return parser.parse_args()


@cache
def data(name="sample"):
    """Read a set; all but the sample are in the folder that LSTM_EDU_DATA names."""
    folder = lstm_edu.sample()
    if name != "sample":
        folder = pathlib.Path(os.environ["LSTM_EDU_DATA"], name)
    pairs = lstm_edu.read_pairs(folder / "train_pairs.tsv")
    return Data(folder, pairs, lstm_edu.read_judgments(folder / "judgments.tsv"))


def split(name, seed):
    """Hold out a tenth of a log's queries as hard searches: the pairs that stay, the searches."""
    return held_out.searches(data(name).pairs, most=SEARCHES, seed=seed)


def new(cell, pairs, seed=0, kind=lstm_edu.DualEncoder, **start):
    """Make an untrained model for the trigrams of a log."""
    hashing = lstm_edu.LetterTrigrams.fit(text for pair in pairs for text in pair)
    return kind(cell, hashing, seed=seed, **start)


def trained(cell, pairs, seed=0, tied=True, scale=0.05, **settings):
    """Train a dual encoder; return it and its history."""
    model = new(cell, pairs, seed, tied=tied, scale=scale)
    return model, lstm_edu.train(model, pairs, seed=seed, progress=False, **settings)


def at_10(model, judgments):
    """Compute nDCG@10 per query."""
    return ndcg_by_query(model, judgments, (10,))[:, 0]


def run(function, tasks, jobs=2):
    """Return what a function makes of each task, a tuple of arguments; as JSON would have it."""
    kept = ROOT / "build" / "experiments" / f"{NAME}.{function.__name__}.json"
    kept.parent.mkdir(parents=True, exist_ok=True)
    done = json.loads(kept.read_text(encoding="utf-8")) if kept.exists() else {}
    missing = {repr(task): task for task in tasks if repr(task) not in done}
    with ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("spawn")) as pool:
        pending = {pool.submit(function, *task): key for key, task in missing.items()}
        for future in as_completed(pending):
            done[pending[future]] = json.loads(json.dumps(future.result()))
            files.write_text(kept, json.dumps(done))
            print(pending[future], flush=True)
    return [done[repr(task)] for task in tasks]


def over_queries(values):
    """Summarise values per query: mean and 95 % bootstrap interval."""
    return rounded(zip(("mean", "low", "high"), interval(values, n_draws=10_000)))


def over_trainings(values):
    """Summarise values per training and query: mean, 95 % interval and each training's mean.

    The variance is that over the queries and that over the trainings together; Student's t has one
    degree of freedom less than there are trainings.
    """
    values = np.asarray(values, float)
    of_seeds, of_queries = values.mean(axis=1), values.mean(axis=0)
    variance = sum(own.var(ddof=1) / len(own) for own in (of_seeds, of_queries))
    mean, half = of_seeds.mean(), stats.t.ppf(0.975, len(of_seeds) - 1) * np.sqrt(variance)
    numbers = rounded({"mean": mean, "low": mean - half, "high": mean + half})
    return numbers | {"by_seed": of_seeds.round(4).tolist(), "queries": len(of_queries)}


def rounded(numbers, digits=4):
    """Round numbers by name."""
    return {name: round(float(number), digits) for name, number in dict(numbers).items()}


def stored(name):
    """Read stored results."""
    return json.loads((RESULTS / f"{name}.json").read_text(encoding="utf-8"))


def show(figures):
    """Write figures as JSON, the innermost lists on one line each."""
    flat = re.compile(r"\[[^][{}]*\]")
    return flat.sub(lambda found: " ".join(found[0].split()), json.dumps(figures, indent=1))


def write(path, figures):
    """Print the figures; with a path, store them with date and command, too."""
    command = " ".join([f"python -m benchmarks.{ROOM}.{NAME}", *sys.argv[1:]])
    text = show({"date": datetime.date.today().isoformat(), "command": command} | figures)
    print(text)
    if path:
        files.write_text(path, text + "\n")
        for kept in (ROOT / "build" / "experiments").glob(f"{NAME}.*.json"):
            kept.unlink()
