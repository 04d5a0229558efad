"""What lesson 06's open questions ask one to train, and more of lesson 05b's races: lesson 05b and
06's worked answers read the figures.

    python -m benchmarks.experiments.training_questions [--json FILE]

An LSTM of 32 cells on the first pairs of the sample, and all else as in `settings.py`.
B, clipping by the epoch: the cost of each of eight epochs on 4,000 pairs. C, an update after every
pair: the cost of two epochs on 500 pairs, and the processor time of an epoch relative to that with
256 pairs an update. D, gamma with the length of the steps taken out, and E, the step size that
suits mu = 0 and mu = 0.9: nDCG@10 on a tenth of the queries, held out, after eight epochs on 3,000
and on 4,000 pairs, three seeds. Races: the last cost with the exact and with the printed gradient,
as in lesson 05b, its three seeds and four times three more.
"""

import json
import os
import time

import numpy as np

import lstm_edu
from lstm_edu.gradients.minibatch import minibatch_gradient
from lstm_edu.training import minibatches, nesterov

from . import experiment as harness
from .settings import BASE, SAMPLE

PAIRS = lstm_edu.read_pairs(os.path.join(SAMPLE, "train_pairs.tsv"))
HASHING = lstm_edu.LetterTrigrams.fit(text for pair in PAIRS for text in pair)
NEVER = 1e9
CLIPPING = {
    "in all epochs": lambda epoch: 100.0,
    "but in the first": lambda epoch: 100.0 if epoch else NEVER,
    "in the first only": lambda epoch: NEVER if epoch else 100.0,
    "in none": lambda epoch: NEVER,
}
ONE_BY_ONE = ((0.0016, 100.0), (0.0016, 4.0), (0.0016, 100 / 256), (0.0001, 100.0))
GAMMA = {
    "base": {},
    "gamma 40": {"gamma": 40.0},
    "gamma 40, steps as long": {"gamma": 40.0, "step_size": 0.0004, "clip": 400.0},
}
STEPS = {0.0: (0.001, 0.002, 0.004, 0.008, 0.016), 0.9: (0.0002, 0.0004, 0.0008, 0.0016, 0.0032)}
RACES = {
    "small first weights": (lstm_edu.LSTM(32), 0.05),
    "larger, with all gates": (lstm_edu.LSTM(32, True, "full"), 0.2),
}
SEEDS = [1000 * shift + seed for shift in range(5) for seed in range(3)]


def algorithm_1(pairs, epochs, threshold, step_size=0.0016, size=256, mu=0.9):
    """The lesson's loop; ``threshold`` is a function of the epoch. Costs, and seconds an epoch."""
    model = lstm_edu.DualEncoder(lstm_edu.LSTM(32), HASHING, 0, tied=False)
    log, sides = minibatches.from_pairs(pairs, HASHING), (model.query, model.document)
    velocity = [{name: np.zeros_like(w) for name, w in side.weights.items()} for side in sides]
    costs, begin = [], time.process_time()
    for epoch in range(epochs):
        rng, cost = np.random.default_rng([0, 1, epoch]), 0.0
        for batch in minibatches.of_epoch(log, np.arange(len(pairs)), size, 4, rng):
            for side, v in zip(sides, velocity, strict=True):
                nesterov.look_ahead(side.weights, v, mu)
            losses, gradient = minibatch_gradient(sides, batch, 10.0)
            for side, v, g, texts in zip(sides, velocity, gradient, batch[:2], strict=True):
                nesterov.clip(g, threshold(epoch))
                nesterov.correct(side.weights, v, g, step_size, texts.touched)
            cost += losses.sum()
        costs.append(round(float(cost) / len(pairs), 3))
    return costs, (time.process_time() - begin) / epochs


def held_out(pairs, changed, seeds=3):
    """nDCG@10 of the held-out queries after eight epochs, by seed."""
    ends = []
    for seed in range(seeds):
        model = lstm_edu.DualEncoder(lstm_edu.LSTM(32), HASHING, seed, tied=False)
        settings = BASE | changed | {"epochs": 8, "seed": seed, "held_out": 0.1}
        history = lstm_edu.train(model, pairs, progress=False, **settings)
        ends.append(round(history["held_out"][-1], 4))
    return ends


def race(cell, scale, seed, method):
    """Return the last cost of a race of lesson 05b."""
    model = lstm_edu.DualEncoder(cell, HASHING, seed, scale=scale, tied=False)
    settings = BASE | {"method": method, "batch_size": 128, "epochs": 8, "seed": seed}
    return round(lstm_edu.train(model, PAIRS[:500], progress=False, **settings)["cost"][-1], 4)


def one_by_one(pairs):
    """C: what becomes of the cost with an update after every pair."""
    costs, seconds = algorithm_1(pairs, 2, lambda epoch: 100.0)
    found = [{"size": 256, "step_size": 0.0016, "clip": 100.0, "cost": costs, "time": 1.0}]
    for step_size, clip in ONE_BY_ONE:
        costs, longer = algorithm_1(pairs, 2, lambda epoch, clip=clip: clip, step_size, size=1)
        found.append({"size": 1, "step_size": step_size, "clip": clip, "cost": costs})
        found[-1]["time"] = round(longer / seconds)
    return found


def main():
    parser = harness.parser(__doc__)
    args = parser.parse_args()
    found = {"date": harness.today()}
    found["command"] = "python -m benchmarks.experiments.training_questions"
    found["E"] = [
        {"momentum": mu, "step_size": step, "ndcg": held_out(PAIRS[:4000], changed)}
        for mu, steps in STEPS.items()
        for step in steps
        for changed in [{"momentum": mu, "step_size": step}]
    ]
    found["D"] = {name: held_out(PAIRS[:3000], changed) for name, changed in GAMMA.items()}
    found["B"] = {
        name: algorithm_1(PAIRS[:4000], 8, threshold)[0] for name, threshold in CLIPPING.items()
    }
    found["C"] = one_by_one(PAIRS[:500])
    found["races"] = {
        start: {m: [race(*how, seed, m) for seed in SEEDS] for m in ("bptt", "printed")}
        for start, how in RACES.items()
    }
    for question in (*"BCDE", "races"):
        print(question, json.dumps(found[question]))
    harness.write(args.json, found)


if __name__ == "__main__":
    main()
