"""Adam with rows of W that wait while no minibatch touches them, against dense Adam.

    python -m benchmarks.experiments.adam_rows [--seeds 3] [--epochs 15] [--json FILE]

`lstm_edu.training.adam` lets untouched rows wait; dense Adam moves all rows in every update. We
train an LSTM of 32 cells on the sample, with `lstm_edu.train`'s setting (all of the minibatch as
negatives) and with the paper's setting except for the optimizer, with three step sizes. Both kinds
of Adam begin with the same weights and see the same minibatches. The figures are nDCG@10 on a tenth
of the training queries, held out, after every epoch, and the distance between the final weights
divided by the distance that dense Adam has moved them.
"""

import numpy as np

import lstm_edu
from lstm_edu._util.threads import one_blas_thread
from lstm_edu.gradients.minibatch import minibatch_gradient
from lstm_edu.models.encoder import Side
from lstm_edu.training import adam, held_out, minibatches, nesterov

from . import experiment

NAMES = "n_negatives", "gamma", "clip", "average"
SETTINGS = {
    "all of the minibatch": dict(zip(NAMES, ("batch", 10.0, 100.0, 0.998))),
    "the paper's": {name: lstm_edu.PAPER[name] for name in NAMES},
}
STEPS = 0.001, 0.002, 0.004
BATCH_SIZE, HELD_OUT = 256, 0.1


def train(model, pairs, move_on, epochs, seed, step_size, n_negatives, gamma, clip, average):
    """Train by Adam in its plain form.

    Without ``move_on`` only the order of sums differs from `lstm_edu.train`.

    Parameters
    ----------
    move_on : bool
        Whether an untouched row has a gradient of 0 and moves, or waits.

    Returns
    -------
    list of float
        nDCG@10 on the held-out queries after each epoch.
    """
    log = minibatches.from_pairs(pairs, model.hashing)
    kept, held = held_out.split(log, HELD_OUT, seed)
    means = model.query.weights, model.document.weights
    sides = [Side(model.cell, {name: w.copy() for name, w in mean.items()}) for mean in means]
    m, v = ([{name: 0 * w for name, w in mean.items()} for mean in means] for _ in range(2))
    k, found = 0, []
    for epoch in range(epochs):
        rng = np.random.default_rng([seed, 1, epoch])
        for examples in minibatches.of_epoch(log, kept, BATCH_SIZE, n_negatives, rng):
            with one_blas_thread():
                _, gradient = minibatch_gradient(sides, examples, gamma)
            for n, (g, side) in enumerate(zip(gradient, sides)):
                nesterov.clip(g, clip)
                rows = examples[n].touched
                if move_on:
                    g, rows = in_all_rows(g, rows, side.weights), slice(None)
                adam.correct(side.weights, m[n], v[n], g, step_size, k + 1, rows)
                nesterov.average(means[n], side.weights, min(average or 0, k / (k + 1)))
            k += 1
        found.append(held_out.ndcg(model, log, *held))
    return found


def in_all_rows(gradient, rows, weights):
    """Extend a gradient of the touched rows of W to all rows."""
    whole = {name: np.zeros_like(w) for name, w in weights.items()}
    for name, g in gradient.items():
        whole[name][... if g.shape == whole[name].shape else rows] = g
    return whole


def apart(one, other, start):
    """Return, per side, the distance of two models' weights over that of the other from start."""

    def distance(a, b):
        pairs = ((w, b.weights[name]) for name, w in a.weights.items())
        return np.sqrt(sum(((one - other) ** 2).sum() for one, other in pairs))

    sides = zip(*((model.query, model.document) for model in (one, other, start)))
    return [distance(a, b) / distance(b, c) for a, b, c in sides]


def measure(setting, step_size, seed, epochs):
    """Train by both kinds of Adam from one seed."""
    pairs = experiment.data().pairs
    cell = lstm_edu.LSTM(32)
    start, waiting, moving = (experiment.new(cell, pairs, seed) for _ in range(3))
    how = SETTINGS[setting] | {"epochs": epochs, "seed": seed}
    how |= {"step_size": step_size}
    found = {
        "rows wait": train(waiting, pairs, False, **how),
        "rows move on": train(moving, pairs, True, **how),
        "weights apart": apart(waiting, moving, start),
    }
    return {name: np.round(values, 4).tolist() for name, values in found.items()}


def main():
    args = experiment.options(__doc__, seeds=3, epochs=15)
    how = [(setting, step) for setting in SETTINGS for step in STEPS]
    seeds = range(args.seeds)
    tasks = [(setting, step, seed, args.epochs) for setting, step in how for seed in seeds]
    runs = iter(experiment.run(measure, tasks))
    rows = [
        {"setting": name, "step_size": step, "runs": [next(runs) for _ in seeds]}
        for name, step in how
    ]
    figures = {"cell": "LSTM(32)", "epochs": args.epochs, "seeds": args.seeds}
    experiment.write(args.json, figures | {"rows": rows})


if __name__ == "__main__":
    main()
