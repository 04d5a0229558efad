"""Vary the defaults of `lstm_edu.train` until 0.2, which were chosen by these figures.

    python -m benchmarks.experiments.tune sample msrd onet [--epochs 15] [--json FILE]

A tenth of each log's queries is held out, and their clicked titles are ranked among the training
titles; no judgment is read. Each row changes one of those defaults, or of the paper's settings. The
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


def held_out(name, changed, epochs):
    """Train; return nDCG@10 on the held-out queries after the last epoch, and seconds per epoch."""
    settings = {"epochs": epochs, "held_out": 0.1} | UNTIL_0_2 | changed
    try:
        _, history = experiment.trained(lstm_edu.LSTM(96), experiment.data(name).pairs, **settings)
    except lstm_edu.InputError as error:  # the step is so large that the cost overflows
        return {"error": str(error)}
    seconds = sum(history["seconds"]) / len(history["seconds"])
    return {"nDCG@10": round(history["held_out"][-1], 4), "seconds an epoch": round(seconds, 2)}


def main():
    args = experiment.options(__doc__, experiment.SETS, epochs=15)
    tasks = [(name, changed, args.epochs) for changed in VARIATIONS for name in args.sets]
    found = iter(experiment.run(held_out, tasks))
    folders = [experiment.data(name).folder.name for name in args.sets]
    rows = [
        {"changed": changed, "held out": {folder: next(found) for folder in folders}}
        for changed in VARIATIONS
    ]
    experiment.write(args.json, {"epochs": args.epochs, "rows": rows})


if __name__ == "__main__":
    main()
