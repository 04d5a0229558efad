"""Code that the benchmarks share: options, data, training, tasks in processes, stored figures.

A task is one call of an experiment's function. Its result is cached in build/experiments until the
figures are stored, so that an interrupted experiment can continue; delete the cache to begin again.
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
from lstm_tools.table_iv.search import SEARCHES

ROOT = pathlib.Path(__file__).resolve().parents[2]
RESULTS = ROOT / "benchmarks" / "results"
SETS = "sample", "msrd", "onet"
ROOM, NAME = pathlib.Path(sys.argv[0]).parent.name, pathlib.Path(sys.argv[0]).stem


class Data(NamedTuple):
    """A click log and its judged queries, in a folder."""

    folder: pathlib.Path
    pairs: list
    judgments: list


def options(doc, sets=(), **defaults):
    """Parse the command line: data sets, an option per default, and ``--json``."""
    parser = argparse.ArgumentParser(
        description=doc, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--json", metavar="FILE", help="store the figures with the date")
    if sets:
        parser.add_argument("sets", nargs="*", default=sets, help="of " + ", ".join(sets))
    for name, default in defaults.items():
        parser.add_argument(f"--{name}", type=type(default), default=default)
    return parser.parse_args()


@cache
def data(name="sample"):
    """Read a data set; all but the sample are in the folder that LSTM_EDU_DATA names."""
    folder = lstm_edu.sample()
    if name != "sample":
        folder = pathlib.Path(os.environ["LSTM_EDU_DATA"], name)
    pairs = lstm_edu.read_pairs(folder / "train_pairs.tsv")
    return Data(folder, pairs, lstm_edu.read_judgments(folder / "judgments.tsv"))


def split(name, seed):
    """Hold out a tenth of a log's queries; return the other pairs, and the hard searches."""
    return held_out.searches(data(name).pairs, most=SEARCHES, seed=seed)


def new(cell, pairs, seed=0, kind=lstm_edu.DualEncoder, **start):
    """Make an untrained model for the trigrams of a log."""
    hashing = lstm_edu.LetterTrigrams.fit(text for pair in pairs for text in pair)
    return kind(cell, hashing, seed=seed, **start)


def trained(cell, pairs, seed=0, tied=True, scale=0.05, **settings):
    """Train a dual encoder; return the model and its history."""
    model = new(cell, pairs, seed, tied=tied, scale=scale)
    return model, lstm_edu.train(model, pairs, seed=seed, progress=False, **settings)


def at_10(model, judgments):
    """Compute nDCG@10 per query."""
    return ndcg_by_query(model, judgments, (10,))[:, 0]


def run(function, tasks, jobs=2):
    """Call a function with each task, a tuple of arguments; return the results, read from JSON."""
    saved = ROOT / "build" / "experiments" / f"{NAME}.{function.__name__}.json"
    saved.parent.mkdir(parents=True, exist_ok=True)
    done = json.loads(saved.read_text(encoding="utf-8")) if saved.exists() else {}
    missing = {repr(task): task for task in tasks if repr(task) not in done}
    with ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("spawn")) as pool:
        pending = {pool.submit(function, *task): key for key, task in missing.items()}
        for future in as_completed(pending):
            done[pending[future]] = json.loads(json.dumps(future.result()))
            files.write_text(saved, json.dumps(done))
            print(pending[future], flush=True)
    return [done[repr(task)] for task in tasks]


def over_queries(values):
    """Summarise values per query: mean and 95 % bootstrap interval."""
    return rounded(zip(("mean", "low", "high"), interval(values, n_draws=10_000)))


def over_trainings(values):
    """Summarise values per training and query: mean, 95 % interval and each training's mean.

    The variance over the queries is added to that over the trainings. Student's t has one degree of
    freedom less than there are trainings.
    """
    values = np.asarray(values, float)
    of_seeds, of_queries = values.mean(axis=1), values.mean(axis=0)
    variance = sum(means.var(ddof=1) / len(means) for means in (of_seeds, of_queries))
    mean, half = of_seeds.mean(), stats.t.ppf(0.975, len(of_seeds) - 1) * np.sqrt(variance)
    numbers = rounded({"mean": mean, "low": mean - half, "high": mean + half})
    return numbers | {"by_seed": of_seeds.round(4).tolist(), "queries": len(of_queries)}


def rounded(numbers, digits=4):
    """Round the numbers of a dictionary."""
    return {name: round(float(number), digits) for name, number in dict(numbers).items()}


def stored(name):
    """Read a file of benchmarks/results/."""
    return json.loads((RESULTS / f"{name}.json").read_text(encoding="utf-8"))


def show(figures):
    """Format figures as JSON, with each innermost list on one line."""
    flat = re.compile(r"\[[^][{}]*\]")
    return flat.sub(lambda found: " ".join(found[0].split()), json.dumps(figures, indent=1))


def write(path, figures):
    """Print the figures with date and command; if there is a path, store them, too."""
    command = " ".join([f"python -m benchmarks.{ROOM}.{NAME}", *sys.argv[1:]])
    text = show({"date": datetime.date.today().isoformat(), "command": command} | figures)
    print(text)
    if path:
        files.write_text(path, text + "\n")
        for saved in (ROOT / "build" / "experiments").glob(f"{NAME}.*.json"):
            saved.unlink()
