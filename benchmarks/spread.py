"""Measure the spread of a lesson's claims over 25 training runs, to set its tests' bounds.

    python -m benchmarks.spread 07_rnn_and_lstm

The training runs combine five seeds with five nudges. For each of ``CLAIMS`` in
tests/lessons/test_NN_*.py the mean and standard deviation are stored in
benchmarks/results/spread.json, where the tests of the lesson read them. A seed is added to the seed
of every model and training. A nudge multiplies the initial weights by 1 + 1e-6 x, where x is
normal, to imitate another processor's rounding.
"""

import argparse
import datetime
import json
import multiprocessing
import pathlib
import runpy
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor

import numpy as np
from tqdm import tqdm

from book.build import RESULTS, ROOT, stored, write

sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tests" / "helpers")]
SEEDS, NUDGES = range(5), range(5)
APART = 1000  # far apart, because a lesson may use several consecutive seeds


def reseed(by):
    """Add a number to every seed used to create or train a model."""
    import lstm_edu
    from lstm_edu.models.encoder import Encoder

    start, train = Encoder.__init__, lstm_edu.train

    def other_start(model, cell, hashing, seed=0, *how, **named):
        start(model, cell, hashing, seed + by, *how, **named)

    def other_train(*given, seed=0, **how):
        return train(*given, seed=seed + by, **how)

    Encoder.__init__, lstm_edu.train = other_start, other_train


def one(name, seed, nudge):
    """Run a lesson with another seed and perturbed weights; return the value behind each claim.

    This changes functions of the package, so each call needs a separate process.
    """
    from conftest import nudge_models
    from executed import execute, notebooks_in

    if nudge:
        nudge_models(nudge)
    if seed:
        reseed(APART * seed)
    claims = runpy.run_path(str(ROOT / "tests" / "lessons" / f"test_{name}.py"))["CLAIMS"]
    with tempfile.TemporaryDirectory() as folder:
        names = execute(name, notebooks_in(pathlib.Path(folder))).names
        return {says: float(claim.value(names)) for says, claim in claims.items()}


def spread(found):
    """Return each claim's mean and standard deviation; ``found`` has one dict per training run."""
    claims = {}
    for says in found[0]:
        values = [training[says] for training in found]
        mean, sd = np.mean(values), np.std(values, ddof=1)
        claims[says] = {"mean": float(f"{mean:.3g}"), "sd": float(f"{sd:.2g}")}
    return {"date": f"{datetime.date.today()}", "trainings": len(found), "claims": claims}


def main():
    """Run all training runs of a lesson, two at a time; store the spread of each claim."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("lesson", help="such as 07_rnn_and_lstm")
    lesson = parser.parse_args().lesson
    every = zip(*((lesson, seed, nudge) for seed in SEEDS for nudge in NUDGES))
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(2, mp_context=spawn, max_tasks_per_child=1) as pool:
        found = list(tqdm(pool.map(one, *every), total=len(SEEDS) * len(NUDGES)))
    spreads = stored("spread") | {lesson: spread(found)}
    write(RESULTS / "spread.json", json.dumps(spreads, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
