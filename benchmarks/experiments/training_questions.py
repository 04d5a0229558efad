"""Overfit an LSTM for lesson 06, and repeat lesson 05b's races between two gradients.

    python -m benchmarks.experiments.training_questions [--json FILE]

An LSTM of 32 cells is trained on the first pairs of the sample.

- Overfitting, for lesson 06: cost and held-out nDCG@10 after each of forty epochs on 1,000 pairs,
  with the defaults of `lstm_edu.train`, but with a fifth of the queries held out, without averaged
  weights, and with five seeds.
- Races: the cost of the last epoch with the exact gradient and with the gradient printed in the
  paper, as in lesson 05b, with the lesson's three seeds and twelve others.
"""

import numpy as np

import lstm_edu

from . import experiment
from .settings import BASE

METHODS = "bptt", "printed"
RACES = {  # maps a name to the cell and the scale of the initial weights
    "small first weights": (lstm_edu.LSTM(32), 0.05),
    "larger, with all gates": (lstm_edu.LSTM(32, True, "full"), 0.2),
}
SEEDS = [1000 * shift + seed for shift in range(5) for seed in range(3)]


def train(cell, n_pairs, seed, start, settings):
    """Train on the first pairs with the vocabulary of all pairs; return the history."""
    pairs = experiment.data().pairs
    model = experiment.new(cell, pairs, seed, **start)
    return lstm_edu.train(model, pairs[:n_pairs], seed=seed, progress=False, **settings)


def race(cell, scale, method, seed):
    """Train as in lesson 05b's races; return the cost of the last epoch."""
    settings = BASE | {"epochs": 8, "method": method, "batch_size": 128}
    history = train(cell, 500, seed, {"scale": scale, "tied": False}, settings)
    return round(history["cost"][-1], 4)


def overfit(n_pairs, seed):
    """Train with Adam for forty epochs; return cost and held-out nDCG@10 per epoch."""
    settings = {"epochs": 40, "held_out": 0.2, "average": None}
    history = train(lstm_edu.LSTM(32), n_pairs, seed, {}, settings)
    return {name: np.round(history[name], 4).tolist() for name in ("cost", "held_out")}


if __name__ == "__main__":
    args = experiment.options(__doc__)
    overfitted = experiment.run(overfit, [(1000, seed) for seed in range(5)])
    rows = {(start, method): (*RACES[start], method) for start in RACES for method in METHODS}
    ends = experiment.by_row(race, rows, SEEDS)
    races = {start: {method: ends[start, method] for method in METHODS} for start in RACES}
    figures = {"overfitting": {"pairs": 1000, "runs": overfitted}, "races": races}
    experiment.write(args.json, figures)
