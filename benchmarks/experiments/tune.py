"""Vary the defaults that `lstm_edu.train` had up to version 0.2, chosen from these results.

    python -m benchmarks.experiments.tune sample msrd onet [--epochs 15] [--json FILE]

A tenth of each log's queries is held out, and their clicked titles are ranked among the training
titles; no judgments are used. Each row changes one of those defaults or paper settings. The
figure is nDCG@10 after the last epoch, not the best, so that nothing is chosen twice. There is one
seed.
"""

import lstm_edu

from . import experiment
from .curves import PAPER

UNTIL_0_2 = {"optimizer": "nesterov", "step_size": 0.002, "tied": False}
VARIATIONS = [
    {},
    PAPER,
    PAPER | {"step_size": 1e-4},
    PAPER | {"step_size": 4e-4},
    {"scale": 0.02},
    {"scale": 0.1},
    {"gamma": 5.0},
    {"gamma": 20.0},
    {"step_size": 0.001},
    {"step_size": 0.004},
    {"average": None},
    {"clip": 30.0},
    {"n_negatives": 4},
    {"epochs": 30},
]


def held_out(changed, epochs, name):
    """Train with changed settings; return held-out nDCG@10 after the last epoch."""
    how = {"epochs": epochs, "held_out": 0.1} | UNTIL_0_2 | changed
    try:
        _, history = experiment.trained(lstm_edu.LSTM(96), experiment.data(name).pairs, **how)
    except lstm_edu.InputError as error:  # the cost overflows because the step is too large
        return {"error": str(error)}
    return {"nDCG@10": round(history["held_out"][-1], 4)}


if __name__ == "__main__":
    args = experiment.options(__doc__, experiment.SETS, epochs=15)
    rows = {k: (changed, args.epochs) for k, changed in enumerate(VARIATIONS)}
    found = experiment.by_row(held_out, rows, args.sets)
    folders = [experiment.data(name).folder.name for name in args.sets]
    rows = [
        {"changed": changed, "held out": dict(zip(folders, found[k]))}
        for k, changed in enumerate(VARIATIONS)
    ]
    experiment.write(args.json, {"epochs": args.epochs, "rows": rows})
