"""Measure the spread of 25 trainings of a lesson, for the bounds in its tests.

    python benchmarks/spread.py 07_rnn_and_lstm

The trainings are five seeds times five nudges. For each of ``CLAIMS`` in
tests/lessons/test_NN_*.py the mean, standard deviation, minimum and maximum are printed, to be
copied next to the bound. TOO NEAR marks a bound within six standard deviations of the mean. A seed
is added to every model's and training's seed; a nudge multiplies the first weights by 1 + 1e-6 of a
normal, to imitate another processor's rounding.
"""

import argparse
import json
import pathlib
import runpy
import subprocess
import sys
import tempfile

import numpy as np
from joblib import Parallel, delayed
from tqdm import tqdm

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests"), str(ROOT / "tests" / "helpers")]
SEEDS, NUDGES = range(5), range(5)
APART = 1000  # between seeds, as a lesson may itself train with several


def reseed(by):
    """Add a number to the seed of every model and training."""
    import lstm_edu
    from lstm_edu.models.encoder import Encoder

    start, train = Encoder.__init__, lstm_edu.train

    def other_start(model, cell, hashing, seed=0, *how, **named):
        start(model, cell, hashing, seed + by, *how, **named)

    def other_train(*given, seed=0, **how):
        return train(*given, seed=seed + by, **how)

    Encoder.__init__, lstm_edu.train = other_start, other_train


def one(name, seed, nudge):
    """Print the value of each claim in one training."""
    from conftest import nudge_models
    from executed import execute, notebooks_in

    if nudge:
        nudge_models(nudge)
    if seed:
        reseed(APART * seed)
    claims = runpy.run_path(str(ROOT / "tests" / "lessons" / f"test_{name}.py"))["CLAIMS"]
    with tempfile.TemporaryDirectory() as folder:
        names = execute(name, notebooks_in(pathlib.Path(folder))).names
        print(json.dumps({claim.says: float(claim.value(names)) for claim in claims}))


def values(name, seed, nudge):
    """Call `one` in a new process, and return its values."""
    command = [sys.executable, __file__, name, "--one", str(seed), str(nudge)]
    return json.loads(subprocess.run(command, check=True, capture_output=True).stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("lesson", help="such as 07_rnn_and_lstm")
    parser.add_argument("--one", nargs=2, type=int, metavar=("SEED", "NUDGE"))
    given = parser.parse_args()
    if given.one:
        return one(given.lesson, *given.one)
    every = [(seed, nudge) for seed in SEEDS for nudge in NUDGES]
    work = (delayed(values)(given.lesson, *each) for each in tqdm(every))
    found = Parallel(2, prefer="threads")(work)
    claims = runpy.run_path(str(ROOT / "tests" / "lessons" / f"test_{given.lesson}.py"))["CLAIMS"]
    for claim in claims:
        all_values = np.array([each[claim.says] for each in found])
        mean, sd = all_values.mean(), all_values.std(ddof=1)
        near = min(mean - claim.above, claim.below - mean) < 6 * sd
        print(
            f"mean={mean:.3g}, sd={sd:.2g}  ({all_values.min():.3g} to {all_values.max():.3g}; "
            f"bounds {claim.above:g}, {claim.below:g}{'; TOO NEAR' if near else ''})  {claim.says}"
        )


if __name__ == "__main__":
    main()
