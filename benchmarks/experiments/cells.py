"""What each row by Adam costs: its parameters, and the processor's seconds for an epoch.

    python -m benchmarks.experiments.cells [--json benchmarks/results/cells.json]

Each row is trained on the sample's log by the defaults of `lstm_edu.train` for three epochs; told
is the median. Seconds are the processor's, of all threads together, which other work beside it
changes little.
"""

import time

import numpy as np

import lstm_edu
from lstm_tools.table_iv.trained import TRAINED

from . import experiment as harness

EPOCHS = 3


def measure(row, pairs):
    """Parameters, and seconds for an epoch."""
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
    options = harness.parser(__doc__).parse_args()
    pairs = lstm_edu.read_pairs(lstm_edu.sample() / "train_pairs.tsv")
    rows = [name for name, row in TRAINED.items() if row.n == "batch"]
    figures = {"date": harness.today(), "rows": {row: measure(row, pairs) for row in rows}}
    harness.write(options.json, figures)
    print(*figures["rows"].items(), sep="\n")
