"""This machine, and five numbers of the sample beside the range that they had elsewhere.

    python course.py about    # a training of the sample, a minute
    python benchmarks/about.py --json benchmarks/results/about.json    # the range, ten minutes

Processors round in other places, so the same seed may end in other weights. The range is that of
ten trainings, two by each kernel of OpenBLAS that the processor can, their first weights nudged as
`tests/helpers/nudge` does: six standard deviations to either side of the mean, for seconds the
least and the most. A number outside of it is named; only a wrong gradient is an error, for no
processor's rounding explains that.
"""

import argparse
import datetime
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
from lstm_edu._util import files
from lstm_edu.gradients.check import TOLERANCE

HERE = os.path.dirname(os.path.abspath(__file__))
STORED = os.path.join(HERE, "results", "about.json")
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
    sample = lstm_edu.sample()
    pairs = lstm_edu.read_pairs(sample / "train_pairs.tsv")
    judgments = lstm_edu.read_judgments(sample / "judgments.tsv")
    hashing = lstm_edu.LetterTrigrams.fit(text for pair in pairs for text in pair)
    model = lstm_edu.DualEncoder(lstm_edu.LSTM(96), hashing, seed=0)
    numbers = {"gradient": gradient_error(), "untrained": ndcg(model, judgments)}
    began = time.process_time()
    history = lstm_edu.train(model, pairs, seed=0, progress=False)
    seconds = time.process_time() - began
    return numbers | {
        "cost": history["cost"][0],
        "ndcg": ndcg(model, judgments),
        "seconds": seconds,
    }


def ndcg(model, judgments):
    """Return the mean nDCG@10."""
    return lstm_edu.evaluate(model, judgments)["nDCG@10"]


def store(path):
    """Measure by each kernel and nudge, in processes of their own; go on from what is stored."""
    command = [sys.executable, os.path.abspath(__file__), "--one"]
    nudging = os.path.join(os.path.dirname(HERE), "tests", "helpers", "nudge")
    paths = os.pathsep.join(filter(None, [nudging, os.environ.get("PYTHONPATH")]))
    figures = read(path) if os.path.exists(path) else {"trainings": []}
    for nudge in range(len(figures["trainings"]), NUDGES * len(KERNELS)):
        variables = {
            "OPENBLAS_CORETYPE": KERNELS[nudge % len(KERNELS)],
            "OPENBLAS_NUM_THREADS": "1",
            "LSTM_EDU_NUDGE": str(nudge),
            "PYTHONPATH": paths,
        }
        said = subprocess.check_output(command, env=os.environ | variables)
        figures["trainings"].append(json.loads(said))
        print(figures["trainings"][-1], flush=True)
        figures |= {"date": datetime.date.today().isoformat(), "machine": machine()}
        files.write_text(path, json.dumps(figures, indent=1) + "\n")


def read(path):
    """Return stored figures."""
    with open(path, encoding="utf-8") as file:
        return json.load(file)


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
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--json", metavar="FILE", help="store the range there, ten trainings")
    parser.add_argument("--one", action="store_true", help="print the numbers as JSON")
    options = parser.parse_args()
    if options.json:
        return store(options.json)
    if options.one:
        return print(json.dumps({"kernel": blas()[1], **measure()}))
    for name, value in machine().items():
        print(f"{name:13} {value}")
    print("\nFive numbers of the sample; their training takes about a minute ...", flush=True)
    found = measure()
    lines, outside = comparison(found, read(STORED))
    print("\n".join(lines + (outside or ["All are within their range."])))
    return int(not found["gradient"] < TOLERANCE["complex"])  # NaN, too, is wrong


if __name__ == "__main__":
    sys.exit(main())
