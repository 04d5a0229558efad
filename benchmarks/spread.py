"""Measure the spread of a lesson's claims over 25 trainings, for the bounds in its tests.

    python -m benchmarks.spread 07_rnn_and_lstm

The trainings are five seeds times five nudges. For each of ``CLAIMS`` in
tests/lessons/test_NN_*.py the mean, standard deviation, minimum and maximum are printed, to be
copied next to the bound. TOO NEAR marks a bound within six standard deviations of the mean. A seed
is added to the seed of every model and training. A nudge multiplies the initial weights by
1 + 1e-6 x, where x is normal, to imitate another processor's rounding.
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

from book.build import ROOT

sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tests" / "helpers")]
SEEDS, NUDGES = range(5), range(5)
APART = 1000  # distance between seeds, because a lesson may use several


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


def claims_of(name):
    """Return the claims that a lesson's tests make on its trained models."""
    return runpy.run_path(str(ROOT / "tests" / "lessons" / f"test_{name}.py"))["CLAIMS"]


def one(name, seed, nudge):
    """Run a lesson with another seed and nudge; print the value of each claim."""
    from conftest import nudge_models
    from executed import execute, notebooks_in

    if nudge:
        nudge_models(nudge)
    if seed:
        reseed(APART * seed)
    claims = claims_of(name)
    with tempfile.TemporaryDirectory() as folder:
        names = execute(name, notebooks_in(pathlib.Path(folder))).names
        print(json.dumps({claim.says: float(claim.value(names)) for claim in claims}))


def values(name, seed, nudge):
    """Call `one` in a new process; return its values by claim."""
    command = [sys.executable, "-m", "benchmarks.spread", name, "--one", str(seed), str(nudge)]
    return json.loads(subprocess.check_output(command, cwd=ROOT))


def main():
    """Run all trainings of a lesson, two at a time; print a line per claim."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("lesson", help="such as 07_rnn_and_lstm")
    parser.add_argument("--one", nargs=2, type=int, metavar=("SEED", "NUDGE"))
    given = parser.parse_args()
    if given.one:
        return one(given.lesson, *given.one)
    every = [(seed, nudge) for seed in SEEDS for nudge in NUDGES]
    work = (delayed(values)(given.lesson, *each) for each in tqdm(every))
    found = Parallel(2, prefer="threads")(work)
    for claim in claims_of(given.lesson):
        all_values = np.array([each[claim.says] for each in found])
        mean, sd = all_values.mean(), all_values.std(ddof=1)
        near = min(mean - claim.above, claim.below - mean) < 6 * sd
        print(
            f"mean={mean:.3g}, sd={sd:.2g}  ({all_values.min():.3g} to {all_values.max():.3g}; "
            f"bounds {claim.above:g}, {claim.below:g}{'; TOO NEAR' if near else ''})  {claim.says}"
        )


if __name__ == "__main__":
    main()
