"""Functions shared by all experiments: options, data, training, cached runs and summaries.

`run` caches each result in build/experiments until `write` stores the figures, so that an
interrupted experiment can continue. Delete that folder to start over.
"""

import argparse
import datetime
import json
import multiprocessing
import os
import pathlib
import re
import sys
from functools import cache
from typing import NamedTuple

import numpy as np
import threadpoolctl
from scipy import stats

import lstm_edu
from book.build import ROOT
from lstm_course.sample.query_metadata import read_needs
from lstm_edu._util import files
from lstm_edu.ranking.ndcg import ndcg_by_query
from lstm_edu.ranking.statistics import interval
from lstm_tools.table_iv import held_out
from lstm_tools.table_iv.search import SEARCHES

SETS = "sample", "msrd", "onet"
ENDS = "mean", "low", "high"
CACHE = ROOT / "build" / "experiments"
NAME = pathlib.Path(sys.argv[0]).stem  # name of the running script


class Data(NamedTuple):
    """A click log, its judged queries, and the folder that holds their files."""

    folder: pathlib.Path
    pairs: list
    judgments: list


def options(doc, sets=(), **defaults):
    """Parse the command line: data set names, ``--json FILE``, and one option per default."""
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
    """Read the sample, or another data set from the folder that LSTM_EDU_DATA names."""
    folder = lstm_edu.sample()
    if name != "sample":
        folder = pathlib.Path(os.environ["LSTM_EDU_DATA"], name)
    pairs = lstm_edu.read_pairs(folder / "train_pairs.tsv")
    return Data(folder, pairs, lstm_edu.read_judgments(folder / "judgments.tsv"))


@cache
def needs():
    """Read the metadata of the sample's judged queries, which models never see."""
    folder, _, judgments = data()
    return read_needs(folder / "needs.tsv", judgments)


@cache
def kinds():
    """Map each kind of query to an (n_queries,) Boolean mask of the sample's judged queries."""
    order = np.array([need.order_decides for need in needs()])
    length = np.array([len(judged.query.split()) for judged in data().judgments])
    return {
        "all queries": length > 0,
        "1 to 3 words": length <= 3,
        "4 or 5 words": (length == 4) | (length == 5),
        "6 words or more": length > 5,
        "order decides": order,
        "order does not": ~order,
        "6 words or more, order does not": (length > 5) & ~order,
    }


def split(name, seed):
    """Hold out a tenth of a log's queries; return the remaining pairs and held-out searches."""
    return held_out.searches(data(name).pairs, most=SEARCHES, seed=seed)


def hashing_of(pairs):
    """Return the letter trigrams of a log."""
    return lstm_edu.LetterTrigrams.fit(text for pair in pairs for text in pair)


def new(cell, pairs, seed=0, kind=lstm_edu.DualEncoder, **start):
    """Create an untrained model whose vocabulary is the letter trigrams of a log."""
    return kind(cell, hashing_of(pairs), seed=seed, **start)


def trained(cell, pairs, seed=0, tied=True, scale=0.05, **settings):
    """Train a dual encoder on a log; return the model and its history."""
    model = new(cell, pairs, seed, tied=tied, scale=scale)
    return model, lstm_edu.train(model, pairs, seed=seed, progress=False, **settings)


def at_10(model, judgments=None):
    """Return an (n_queries,) array of nDCG@10, by default for the sample's judged queries."""
    return ndcg_by_query(model, judgments or data().judgments, (10,))[:, 0]


def run(function, tasks, jobs=2):
    """Call a function with each task's arguments in worker processes; cache and return results."""
    from concurrent.futures import ProcessPoolExecutor, as_completed  # browsers have no processes

    saved = CACHE / f"{NAME}.{function.__name__}.json"
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


def by_row(function, rows, seeds, jobs=2):
    """Call a function with each row's arguments and each seed; return a list of results per row."""
    tasks = [(*row, seed) for row in rows.values() for seed in seeds]
    results = iter(run(function, tasks, jobs))
    return {name: [next(results) for _ in seeds] for name in rows}


def over_queries(values):
    """Return the mean over queries, and its 95 % bootstrap interval, as a dict keyed by `ENDS`."""
    return rounded(zip(ENDS, interval(values, n_draws=10_000)))


def over_trainings(values):
    """Summarise an (n_runs, n_queries) array: mean, 95 % interval, mean of each training run.

    Queries without a value (NaN) in any run are left out. The interval uses Student's t with n_runs
    - 1 degrees of freedom.
    """
    values = np.array(values, float)
    values = values[:, ~np.isnan(values).any(axis=0)]
    of_seeds, of_queries = values.mean(axis=1), values.mean(axis=0)
    numbers = mean_and_ends(of_queries, of_seeds, stats.t.ppf(0.975, len(of_seeds) - 1))
    return numbers | {"by_seed": of_seeds.round(4).tolist(), "queries": len(of_queries)}


def mean_and_ends(of_queries, of_trainings, quantile=1.96):
    """Return a mean and its 95 % interval, with the variances over queries and training runs added.

    Parameters
    ----------
    of_queries : (n_queries,)
        The mean of each query.
    of_trainings : (n_runs,)
        The mean of each training run.
    """
    variance = sum(means.var(ddof=1) / len(means) for means in (of_queries, of_trainings))
    mean, half = of_queries.mean(), quantile * np.sqrt(variance)
    return rounded(zip(ENDS, (mean, mean - half, mean + half)))


def row_of(ndcg):
    """Turn an (n_runs, n_queries) array of nDCG into a row for `lstm_course.lessons.claims`."""
    ndcg = np.array(ndcg, float)
    return {"by_query": ndcg.mean(axis=0), "by_seed": np.nanmean(ndcg, axis=1).tolist()}


def rounded(numbers, digits=4):
    """Round the numbers in a dictionary or in (name, number) pairs."""
    return {name: round(float(number), digits) for name, number in dict(numbers).items()}


def points(lead):
    """Round the mean and the interval of a `claims.Difference`, which are in points."""
    return rounded(zip(ENDS, lead[:3]), 2)


def blas():
    """Name the BLAS libraries in use with their versions and kernels.

    If OpenBLAS doesn't recognise the processor, it may not use the fastest kernel.
    """
    found = [
        f"{library['internal_api']} {library['version']} {library.get('architecture', '')}".strip()
        for library in threadpoolctl.threadpool_info()
        if library["user_api"] == "blas"
    ]
    return ", ".join(sorted(set(found)))


def write(path, figures):
    """Print the figures as JSON, with date and command.

    If a path is given, also write them to it, and delete the cached results of `run`.
    """
    command = " ".join(["python -m", sys.modules["__main__"].__spec__.name, *sys.argv[1:]])
    figures = {"date": datetime.date.today().isoformat(), "command": command} | figures
    innermost = re.compile(r"\[[^][{}]*\]")  # write each innermost list on one line
    text = innermost.sub(lambda found: " ".join(found[0].split()), json.dumps(figures, indent=1))
    print(text)
    if path:
        files.write_text(path, text + "\n")
        for saved in CACHE.glob(f"{NAME}.*.json"):
            saved.unlink()
