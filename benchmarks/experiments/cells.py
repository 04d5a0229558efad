"""Count parameters and measure seconds per epoch for each Adam-trained row of Table IV.

    python -m benchmarks.experiments.cells [--json FILE]

Each row is trained on the sample for three epochs with the settings of `lstm_edu.train`; the figure
is the median. Seconds are processor time, summed over all threads, which other programs change
little.
"""

import time

import numpy as np

import lstm_edu
from lstm_tools.table_iv.trained import TRAINED

from . import experiment

EPOCHS = 3


def measure(row):
    """Count the parameters of a row of Table IV, and time its training epochs."""
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
