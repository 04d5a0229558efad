"""Train the models of lesson 06 that take too long for a lesson, and repeat lesson 05b's races.

    python -m benchmarks.experiments.training_questions [--json FILE]

Lessons 05b and 06, and 06's worked answers, read the figures. An LSTM of 32 cells is trained on the
first pairs of the sample, except for overfitting with the other settings of `settings.py`.

- B, clipping in some epochs only: the cost of each of eight epochs on 4,000 pairs.
- C, an update after every pair: the cost of two epochs on 500 pairs, and the processor time per
  epoch relative to that with 256 pairs per update.
- D, gamma without its effect on the length of steps, on 3,000 pairs, and E, the best step size for
  mu = 0 and mu = 0.9, on 4,000: nDCG@10 on held-out queries, a tenth of all, after eight epochs,
  with three seeds.
- Overfitting: cost and held-out nDCG@10 of each of forty epochs on 1,000 pairs with the defaults of
  `lstm_edu.train`, but a fifth of the queries held out and no average; five seeds.
- Races: the last cost with the exact and with the printed gradient, as in lesson 05b, with its
  three seeds and twelve more.
"""

import time
from types import SimpleNamespace

import numpy as np

import lstm_edu
from lstm_edu.training import algorithm_1, minibatches

from . import experiment
from .settings import BASE

CELL, NEVER = lstm_edu.LSTM(32), 1e9
CLIPPING = {  # clipping thresholds: first epoch, later epochs
    "in all epochs": (100.0, 100.0),
    "but in the first": (NEVER, 100.0),
    "in the first only": (100.0, NEVER),
    "in none": (NEVER, NEVER),
}
# (pairs per update, step size, clipping threshold)
ONE_BY_ONE = (256, 0.0016, 100.0), (1, 0.0016, 100.0), (1, 0.0016, 4.0)
ONE_BY_ONE += (1, 0.0016, 100 / 256), (1, 0.0001, 100.0)
GAMMA = {
    "base": {},
    "gamma 40": {"gamma": 40.0},
    "gamma 40, steps as long": {"gamma": 40.0, "step_size": 0.0004, "clip": 400.0},
}
STEPS = {0.0: (0.001, 0.002, 0.004, 0.008, 0.016), 0.9: (0.0002, 0.0004, 0.0008, 0.0016, 0.0032)}
RACES = {
    "small first weights": (CELL, 0.05),
    "larger, with all gates": (lstm_edu.LSTM(32, True, "full"), 0.2),
}
SEEDS = [1000 * shift + seed for shift in range(5) for seed in range(3)]


def train(cell, n_pairs, seed, scale=0.05, **settings):
    """Train on the first pairs with the vocabulary of all pairs; return the history."""
    pairs = experiment.data().pairs
    model = experiment.new(cell, pairs, seed, scale=scale, tied=False)
    settings = BASE | {"epochs": 8, "seed": seed, "progress": False} | settings
    return lstm_edu.train(model, pairs[:n_pairs], **settings)


def held_out(n_pairs, changed, seed):
    """Train for eight epochs; return the final nDCG@10 on the held-out queries."""
    return round(train(CELL, n_pairs, seed, held_out=0.1, **changed)["held_out"][-1], 4)


def race(cell, scale, method, seed):
    """Train as in lesson 05b's races; return the cost of the last epoch."""
    history = train(cell, 500, seed, scale, method=method, batch_size=128)
    return round(history["cost"][-1], 4)


def overfit(n_pairs, seed):
    """Train with Adam until the ranking gets worse; return cost and held-out nDCG@10 per epoch."""
    pairs = experiment.data().pairs
    model = experiment.new(CELL, pairs, seed)
    settings = {"epochs": 40, "held_out": 0.2, "average": None, "seed": seed, "progress": False}
    history = lstm_edu.train(model, pairs[:n_pairs], **settings)
    return {name: np.round(history[name], 4).tolist() for name in ("cost", "held_out")}


def by_lesson(n_pairs, thresholds, size=256, step_size=0.0016):
    """Train with the loop of lesson 06, with one clipping threshold per epoch.

    Returns
    -------
    costs : list of float
        The cost per pair in each epoch.
    seconds : float
        The processor's seconds per epoch.
    """
    pairs = experiment.data().pairs
    model = experiment.new(CELL, pairs, tied=False)
    log = minibatches.from_pairs(pairs[:n_pairs], model.hashing)
    sides = model.query, model.document
    velocity = [{name: np.zeros_like(w) for name, w in side.weights.items()} for side in sides]
    costs, begin = [], time.process_time()
    for epoch, threshold in enumerate(thresholds):
        rng = np.random.default_rng([0, 1, epoch])
        batches = minibatches.of_epoch(log, np.arange(n_pairs), size, 4, rng)
        how = SimpleNamespace(**BASE | {"step_size": step_size, "clip": threshold})
        costs.append(sum(algorithm_1.epoch(sides, velocity, None, batches, 0, 1, how)) / n_pairs)
    return np.round(costs, 3).tolist(), (time.process_time() - begin) / len(thresholds)


def one_by_one(size, step_size, clip):
    """Train two epochs with minibatches of `size` pairs; return costs, and seconds per epoch."""
    return by_lesson(500, [clip] * 2, size, step_size)


if __name__ == "__main__":
    args = experiment.options(__doc__)
    steps = [{"momentum": mu, "step_size": step} for mu in STEPS for step in STEPS[mu]]
    rows = {k: (4000, changed) for k, changed in enumerate(steps)}
    rows |= {name: (3000, changed) for name, changed in GAMMA.items()}
    ndcg = experiment.by_row(held_out, rows, range(3))
    tasks = [(4000, [first] + [later] * 7) for first, later in CLIPPING.values()]
    clipped = dict(zip(CLIPPING, experiment.run(by_lesson, tasks)))
    times = experiment.run(one_by_one, ONE_BY_ONE, jobs=1)
    overfitted = experiment.run(overfit, [(1000, seed) for seed in range(5)])
    methods = "bptt", "printed"
    rows = {(start, method): (*RACES[start], method) for start in RACES for method in methods}
    ends = experiment.by_row(race, rows, SEEDS)
    found = {
        "E": [changed | {"ndcg": ndcg[k]} for k, changed in enumerate(steps)],
        "D": {name: ndcg[name] for name in GAMMA},
        "B": {name: costs for name, (costs, _) in clipped.items()},
        "C": [
            dict(zip(("size", "step_size", "clip"), how))
            | {"cost": costs, "time": round(seconds / times[0][1])}
            for how, (costs, seconds) in zip(ONE_BY_ONE, times)
        ],
        "overfitting": {"pairs": 1000, "runs": overfitted},
        "races": {start: {method: ends[start, method] for method in methods} for start in RACES},
    }
    experiment.write(args.json, found)
