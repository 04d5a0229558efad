"""Describe this machine, and compare five measured numbers with stored ranges.

    python course.py about    # train on the sample (a minute)
    python -m benchmarks.about --json benchmarks/results/about.json    # store ranges (ten minutes)

Processors round differently, so the same seed may lead to different weights. The ranges come from
ten training runs, two per OpenBLAS kernel, with initial weights nudged by `tests/helpers/nudge`. A
range extends six standard deviations to either side of the mean. For seconds it extends from the
smallest to the largest value, and for the gradient's error from 0 to `TOLERANCE`. Numbers outside
their ranges are reported, except seconds. Only a wrong gradient makes the exit status 1, because no
processor's rounding explains it.
"""

import importlib.metadata
import json
import os
import platform
import subprocess
import sys
import time

import numpy as np

import lstm_edu
from book.build import ROOT, stored
from lstm_edu.gradients.check import TOLERANCE

from .experiments import experiment

KERNELS = "Prescott", "Nehalem", "Sandybridge", "Haswell", "SkylakeX"
NUDGES = 2  # number of training runs per BLAS kernel
NUMBERS = {  # maps a quantity's name to (description, format)
    "gradient": ("a gradient's error, against complex steps", ".0e"),
    "untrained": ("nDCG@10 of the untrained model", ".4f"),
    "cost": ("cost of the first epoch", ".4f"),
    "ndcg": ("nDCG@10 of a model trained with the defaults", ".4f"),
    "seconds": ("processor seconds of this training", ".0f"),
}


def machine():
    """Return a dict of this machine's package versions, system, processor and BLAS."""
    names = "numpy", "scipy", "autograd", "lstm_edu"
    about = {"Python": platform.python_version()}
    about |= {name: importlib.metadata.version(name) for name in names}
    about |= {"system": platform.platform(), "processor": f"{processor()}, {os.cpu_count()} cores"}
    about["NumPy's SIMD"] = " ".join(np.show_config("dicts")["SIMD Extensions"].get("found", []))
    return about | {"BLAS": experiment.blas() or "none that threadpoolctl knows"}


def processor():
    """Return the processor's name, which Linux gives in /proc/cpuinfo."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            return next(line.split(":")[1].strip() for line in file if "model name" in line)
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def gradient_error():
    """Check a small model's gradient with complex steps; return its largest relative error."""
    texts = ["a cheap hotel in shanghai", "shanghai hotels", "how to bake bread", "bread"]
    hashing = lstm_edu.LetterTrigrams.fit(texts)
    cell = lstm_edu.LSTM(3, forget_gate=True, peepholes="full")
    model = lstm_edu.DualEncoder(cell, hashing, seed=0, dtype="float64", scale=1.0, tied=False)
    clicks = texts[::2], texts[1::2], [texts[3:], texts[:1]]
    return lstm_edu.check_gradient(model, *clicks, verbose=False).error


def measure():
    """Measure the quantities that `NUMBERS` describes; return a dict keyed by name."""
    _, pairs, judgments = experiment.data()
    untrained, began = experiment.new(lstm_edu.LSTM(96), pairs), time.process_time()
    model, history = experiment.trained(lstm_edu.LSTM(96), pairs)
    return {
        "gradient": gradient_error(),
        "untrained": experiment.at_10(untrained, judgments).mean(),
        "cost": history["cost"][0],
        "ndcg": experiment.at_10(model, judgments).mean(),
        "seconds": time.process_time() - began,
    }


def training(nudge):
    """Run `measure` in a new process; ``nudge`` selects the weight noise and the BLAS kernel."""
    nudging = str(ROOT / "tests" / "helpers" / "nudge")
    variables = {
        "OPENBLAS_CORETYPE": KERNELS[nudge % len(KERNELS)],
        "OPENBLAS_NUM_THREADS": "1",
        "LSTM_EDU_NUDGE": str(nudge),
        "PYTHONPATH": os.pathsep.join(filter(None, [nudging, os.environ.get("PYTHONPATH")])),
    }
    command = [sys.executable, "-m", "benchmarks.about", "--one", "yes"]
    return json.loads(subprocess.check_output(command, cwd=ROOT, env=os.environ | variables))


def stored_range(trainings, name):
    """Return the mean of a quantity over the training runs, and the two ends of its range."""
    values = np.array([training[name] for training in trainings])
    mean, reach = values.mean(), 6 * values.std(ddof=1)
    if name == "gradient":
        return mean, 0, TOLERANCE
    if name == "seconds":  # not widened, because a slow processor isn't an error
        return mean, values.min(), values.max()
    return mean, mean - reach, mean + reach


def comparison(found, trainings):
    """Return the lines of a table of the numbers, and messages about numbers out of range."""
    lines, outside = [f"{'':50}{'here':>8}{'stored':>10}   range"], []
    for name, (description, form) in NUMBERS.items():
        numbers = found[name], *stored_range(trainings, name)
        here, mean, low, high = (format(number, form) for number in numbers)
        lines.append(f"{description:50}{here:>8}{mean:>10}   {low} to {high}")
        # compare rounded values, because a range may be narrower than the printed digits
        if name != "seconds" and not float(low) <= float(here) <= float(high):
            outside.append(f"Outside of its range: {description}, {here}.")
    return lines, outside


def log_row(about, found):
    """Return this machine's row for the reproduction log, book/pages/reproductions.md."""
    parts = [f"{name} {about[name]}" for name in ("lstm_edu", "Python", "numpy")]
    parts = [", ".join(parts), about["system"], about["processor"], about["BLAS"]]
    numbers = [format(found[name], form) for name, (_, form) in NUMBERS.items()]
    row = [time.strftime("%Y-%m-%d"), *parts, *numbers]
    return "| " + " | ".join(part.replace("|", "/") for part in row) + " | |"


def main():
    """Compare this machine with the stored ranges, or store new ones; return the exit status."""
    args = experiment.options(__doc__, one="")
    if args.json:
        tasks = [(nudge,) for nudge in range(NUDGES * len(KERNELS))]
        trainings = experiment.run(training, tasks, jobs=1)
        return experiment.write(args.json, {"machine": machine(), "trainings": trainings})
    if args.one:
        return print(json.dumps({"BLAS": experiment.blas(), **measure()}))
    about = machine()
    for name, value in about.items():
        print(f"{name:13} {value}")
    print("\nFive numbers of the sample; their training takes about a minute ...", flush=True)
    found = measure()
    lines, outside = comparison(found, stored("about")["trainings"])
    print("\n".join(lines + (outside or ["All are within their range."])))
    print(f"\nThe row for book/pages/reproductions.md:\n{log_row(about, found)}")
    return int(not found["gradient"] < TOLERANCE)  # NaN also counts as wrong


if __name__ == "__main__":
    sys.exit(main())
