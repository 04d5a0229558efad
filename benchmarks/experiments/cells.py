"""Measure the costs of each row by Adam: parameters, and the processor's seconds per epoch.

    python -m benchmarks.experiments.cells [--json FILE]

Each row is trained on the sample's log by the defaults of `lstm_edu.train` for three epochs, and
the median is stored. The processor's seconds are the sum over all threads; other programs change
them little.
"""

import time

import numpy as np

import lstm_edu
from lstm_tools.table_iv.trained import TRAINED

from . import experiment

EPOCHS = 3


def measure(row):
    """Return the number of parameters, and the seconds per epoch."""
    pairs = experiment.data().pairs
    model, times = TRAINED[row].model(pairs, 0), [time.process_time()]
    lstm_edu.train(
        model,
        pairs,
        progress=False,
        callback=lambda model, history: times.append(time.process_time()),
        **TRAINED[row].settings(epochs=EPOCHS),
    )
    return {"parameters": model.n_parameters, "seconds": round(float(np.median(np.diff(times))), 2)}


if __name__ == "__main__":
    args = experiment.options(__doc__)
    rows = [name for name, row in TRAINED.items() if row.n == "batch"]
    experiment.write(args.json, {"rows": {row: measure(row) for row in rows}})
