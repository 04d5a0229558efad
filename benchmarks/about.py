"""This machine, and five numbers of the sample beside the range that they had elsewhere.

    python course.py about    # a training of the sample, a minute
    python -m benchmarks.about --json benchmarks/results/about.json    # the range, ten minutes

Processors round in other places, so the same seed may end in other weights. The range is that of
ten trainings, two by each kernel of OpenBLAS that the processor can, their first weights nudged as
`tests/helpers/nudge` does: six standard deviations to either side of the mean, for seconds the
least and the most. A number outside of it is named; only a wrong gradient is an error, for no
processor's rounding explains that.
"""

import importlib.metadata
import json
import os
import platform
import subprocess
import sys
import time

import numpy as np
import threadpoolctl

import lstm_edu
from lstm_edu.gradients.check import TOLERANCE

from .experiments import experiment

KERNELS = "Prescott", "Nehalem", "Sandybridge", "Haswell", "SkylakeX"
NUDGES = 2  # by each
NUMBERS = {  # each with its form
    "gradient": ("a gradient's error, by hand against complex steps", ".0e"),
    "untrained": ("nDCG@10 of the untrained model", ".4f"),
    "cost": ("cost of the first epoch", ".4f"),
    "ndcg": ("nDCG@10 of the model by the defaults of train", ".4f"),
    "seconds": ("seconds of its training, of the processor's time", ".0f"),
}


def machine():
    """Return what may differ between machines, by its name."""
    names = "numpy", "scipy", "autograd", "lstm_edu"
    about = {"Python": platform.python_version()}
    about |= {name: importlib.metadata.version(name) for name in names}
    about |= {"system": platform.platform(), "processor": f"{processor()}, {os.cpu_count()} cores"}
    about["NumPy's SIMD"] = " ".join(np.show_config("dicts")["SIMD Extensions"].get("found", []))
    about["BLAS"], about["kernel"] = blas()
    return about


def processor():
    """Return the processor's name, which Linux has in a file."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            return next(line.split(":")[1].strip() for line in file if "model name" in line)
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def blas():
    """Return NumPy's BLAS, and its kernel."""
    for found in threadpoolctl.threadpool_info():
        if found["user_api"] == "blas":
            return f"{found['internal_api']} {found['version']}", found.get("architecture", "?")
    return "none that threadpoolctl knows", "?"


def gradient_error():
    """Return the error of a small gradient's worst element."""
    texts = ["a cheap hotel in shanghai", "shanghai hotels", "how to bake bread", "bread"]
    hashing = lstm_edu.LetterTrigrams.fit(texts)
    cell = lstm_edu.LSTM(3, forget_gate=True, peepholes="full")
    model = lstm_edu.DualEncoder(cell, hashing, seed=0, dtype="float64", scale=1.0, tied=False)
    clicks = texts[::2], texts[1::2], [texts[3:], texts[:1]]
    return lstm_edu.check_gradient(model, *clicks, verbose=False).error


def measure():
    """Return the five numbers."""
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
    """Return the numbers by one kernel and nudge, from a process of its own."""
    nudging = str(experiment.ROOT / "tests" / "helpers" / "nudge")
    variables = {
        "OPENBLAS_CORETYPE": KERNELS[nudge % len(KERNELS)],
        "OPENBLAS_NUM_THREADS": "1",
        "LSTM_EDU_NUDGE": str(nudge),
        "PYTHONPATH": os.pathsep.join(filter(None, [nudging, os.environ.get("PYTHONPATH")])),
    }
    command = [sys.executable, "-m", "benchmarks.about", "--one", "yes"]
    environment = os.environ | variables
    return json.loads(subprocess.check_output(command, cwd=experiment.ROOT, env=environment))


def stored_range(trainings, name):
    """Return a number's mean, and what it should be within."""
    values = np.array([training[name] for training in trainings])
    mean, reach = values.mean(), 6 * values.std(ddof=1)
    if name == "gradient":
        return mean, 0, TOLERANCE["complex"]
    if name == "seconds":  # which tell processors apart, not right from wrong
        return mean, values.min(), values.max()
    return mean, mean - reach, mean + reach


def comparison(found, stored):
    """Return the lines of a table of the numbers, and a line for each outside of its range."""
    lines, outside = [f"{'':50}{'here':>8}{'stored':>10}   range"], []
    for name, (what, form) in NUMBERS.items():
        numbers = found[name], *stored_range(stored["trainings"], name)
        here, mean, low, high = (format(number, form) for number in numbers)
        lines.append(f"{what:50}{here:>8}{mean:>10}   {low} to {high}")
        # as printed: rounding may move what no training has moved
        if name != "seconds" and not float(low) <= float(here) <= float(high):
            outside.append(f"Outside of its range: {what}, {here}.")
    return lines, outside


def main():
    args = experiment.options(__doc__, one="")
    if args.json:
        tasks = [(nudge,) for nudge in range(NUDGES * len(KERNELS))]
        trainings = experiment.run(training, tasks, jobs=1)
        return experiment.write(args.json, {"machine": machine(), "trainings": trainings})
    if args.one:
        return print(json.dumps({"kernel": blas()[1], **measure()}))
    for name, value in machine().items():
        print(f"{name:13} {value}")
    print("\nFive numbers of the sample; their training takes about a minute ...", flush=True)
    found = measure()
    lines, outside = comparison(found, experiment.stored("about"))
    print("\n".join(lines + (outside or ["All are within their range."])))
    return int(not found["gradient"] < TOLERANCE["complex"])  # NaN, too, is wrong


if __name__ == "__main__":
    sys.exit(main())
