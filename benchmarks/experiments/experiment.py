"""What the benchmarks share: their options, the date, and figures, written and read again."""

import argparse
import datetime
import json
import os
import pathlib

import lstm_edu
from lstm_edu._util import files

ROOT = pathlib.Path(__file__).resolve().parents[2]
RESULTS = ROOT / "benchmarks" / "results"


def parser(doc, **how):
    """The options of a benchmark, with ``--json``; ``how`` says more of that."""
    made = argparse.ArgumentParser(
        description=doc, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    told = {"metavar": "FILE", "help": "write the figures there, dated, as well"}
    made.add_argument("--json", **told | how)
    return made


def folder_of(name):
    """Where a set lies: in the folder that LSTM_EDU_DATA names, but for the sample."""
    if name == "sample":
        return lstm_edu.sample()
    return os.path.join(os.environ["LSTM_EDU_DATA"], name)


def today():
    """The date of the figures."""
    return datetime.date.today().isoformat()


def stored(path, otherwise):
    """The figures of an earlier run, to go on from; ``otherwise`` where there are none."""
    if not path or not os.path.exists(path):
        return otherwise
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def write(path, figures, indent=1):
    """Write the figures, whole or not at all; nothing where no path is given."""
    if path:
        files.write_text(path, json.dumps(figures, indent=indent) + "\n")
