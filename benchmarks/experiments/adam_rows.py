"""Compare dense Adam with Adam that updates only the rows of W that a minibatch uses.

    python -m benchmarks.experiments.adam_rows [--seeds 3] [--epochs 15] [--json FILE]

`lstm_edu.training.adam` doesn't change unused rows; dense Adam changes all rows in every
update. An LSTM of 32 cells is trained on the sample with three step sizes, in the settings of
`lstm_edu.train` (all other titles of the minibatch as negatives) and in the paper's. Both kinds of
Adam start from the same weights and see the same minibatches. The figures are nDCG@10 on held-out
queries, a tenth of the training queries, after every epoch, and the distance between the final
weights divided by the distance that dense Adam has moved them.
"""

from unittest import mock

import numpy as np

import lstm_edu
from lstm_edu.training.adam import Adam
from lstm_edu.training.settings import OPTIMIZERS

from . import experiment

PAPER = {name: lstm_edu.PAPER[name] for name in ("n_negatives", "gamma", "clip", "average")}
SETTINGS = {"all of the minibatch": {}, "the paper's": PAPER}
STEPS = 0.001, 0.002, 0.004
CELL = lstm_edu.LSTM(32)


class DenseAdam(Adam):
    """Dense Adam, which updates every row of W, with gradient 0 for rows not in the minibatch."""

    def move(self, at, gradient, rows, map_=map):
        """Update the weights with a dense gradient, which is 0 in rows not in the minibatch."""
        whole = np.zeros_like(self.weights["W"])
        whole[rows] = gradient["W"]
        super().move(self.weights, gradient | {"W": whole}, np.arange(len(whole)), map_)


def distances(one, other):
    """Return the distances between two models' weights, one per side, as a (2,) array."""
    sides = (one.query, other.query), (one.document, other.document)
    squares = [
        [((w - b.weights[name]) ** 2).sum() for name, w in a.weights.items()] for a, b in sides
    ]
    return np.sqrt(np.sum(squares, axis=1))


def measure(setting, step_size, epochs, seed):
    """Train with both kinds of Adam; return nDCG@10 per epoch and the models' distance."""
    pairs = experiment.data().pairs
    how = SETTINGS[setting] | {"step_size": step_size, "epochs": epochs, "held_out": 0.1}
    lazy, lazy_history = experiment.trained(CELL, pairs, seed, **how)
    with mock.patch.dict(OPTIMIZERS, adam=DenseAdam):
        dense, dense_history = experiment.trained(CELL, pairs, seed, **how)
    moved = distances(dense, experiment.new(CELL, pairs, seed))
    return {
        "rows wait": np.round(lazy_history["held_out"], 4).tolist(),
        "rows move on": np.round(dense_history["held_out"], 4).tolist(),
        "weights apart": (distances(lazy, dense) / moved).round(4).tolist(),
    }


if __name__ == "__main__":
    args = experiment.options(__doc__, seeds=3, epochs=15)
    how = {(name, step): (name, step, args.epochs) for name in SETTINGS for step in STEPS}
    found = experiment.by_row(measure, how, range(args.seeds))
    rows = [
        {"setting": name, "step_size": step, "runs": runs} for (name, step), runs in found.items()
    ]
    figures = {"cell": "LSTM(32)", "epochs": args.epochs, "seeds": args.seeds}
    experiment.write(args.json, figures | {"rows": rows})
