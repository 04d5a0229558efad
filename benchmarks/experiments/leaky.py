"""Implement and evaluate a new cell, the leaky RNN, as the course's worked project.

    python -m benchmarks.experiments.leaky [--json FILE]

The leaky RNN retains a share of its output at each word: y(t) = (1 - a) y(t-1) + a tanh(z(t)), with
z(t) = W l(t) + W_rec y(t-1) + b and a constant a. In the backward pass y(t-1) gets (1 - a) dy(t)
directly, as in an LSTM but without a gate, and a second error through W_rec.

The leaky RNN, an RNN and an LSTM with the same number of cells are trained on the sample, three
times each, with the defaults of `lstm_edu.train`. The figures are nDCG@10 on the judged queries and
the leads over the RNN and the LSTM, on all queries and on the queries whose word order decides,
with 95 % intervals over queries and runs. The last figure is the share of an error that remains
eleven words back, before training.
"""

from dataclasses import dataclass

import numpy as np

import lstm_edu
from lstm_edu.cells.cell import Output, Recurrent
from lstm_edu.text import batch as batches

from . import experiment


@dataclass(frozen=True)
class Leaky(Recurrent):
    """A leaky RNN, where ``a`` is the weight of tanh(z(t)) in y(t)."""

    n_cells: int = 96
    a: float = 0.5

    def step(self, params, l, y, xp=np):
        """Compute the state after one word, for one sentence or a batch (one row per sentence)."""
        new = xp.tanh(l @ params["W"].T + y @ params["Wrec"].T + params["b"])
        return Output((1 - self.a) * y + self.a * new)

    def outputs(self, weights, batch):
        """Compute y(t) for all words of a batch, one position at a time."""
        y = (batch.Wh @ weights["W"] + weights["b"])[batch.token]
        for now, before in batches.in_time(batch):
            y_before = y[before] if before else 0 * y[now]
            new = np.tanh(y[now] + y_before @ weights["Wrec"])
            y[now] = (1 - self.a) * y_before + self.a * new
        return Output(y)

    def errors(self, weights, batch, tape, dy, truncate=None, at_words=None):
        """Backpropagate dy; return the error of z(t) at every word."""
        dy, dz = dy.copy(), np.zeros_like(tape.y)
        for rows, now, before in batches.back_in_time(batch, truncate):
            if at_words is not None:
                dy[rows] += at_words[now]
            y_before = tape.y[before] if before else 0
            new = (tape.y[now] - (1 - self.a) * y_before) / self.a
            dz[now] = self.a * (1 - new * new) * dy[rows]
            dy[rows] = (1 - self.a) * dy[rows] + dz[now] @ weights["Wrec"].T
        return {"y": dz}


CELLS = {"Leaky": Leaky(96), "RNN": lstm_edu.RNN(96), "LSTM": lstm_edu.LSTM(96)}


def left(cell, seed, n_words=12):
    """Return the ratio of the norms of dy(1) and dy(T) for random words and a random error."""
    rng, m = np.random.default_rng(seed), cell.n_cells
    weights = {
        "W": 0.05 * rng.standard_normal((200, m)),
        "Wrec": 0.05 * rng.standard_normal((m, m)),
    }
    params = cell.params(weights | {"b": np.zeros(m)})
    a, y, dy = getattr(cell, "a", 1), [np.zeros(m)], rng.standard_normal(m)
    first = np.linalg.norm(dy)
    for l in rng.random((n_words, 200)) < 0.03:
        y.append(cell.step(params, 1.0 * l, y[-1]).y)
    for t in range(n_words, 1, -1):
        new = (y[t] - (1 - a) * y[t - 1]) / a
        dy = (1 - a) * dy + params["Wrec"].T @ (a * (1 - new**2) * dy)
    return float(np.linalg.norm(dy) / first)


def trained(name, seed):
    """Train a cell on the sample with default settings; return nDCG@10 per judged query."""
    _, pairs, judgments = experiment.data()
    model, _ = experiment.trained(CELLS[name], pairs, seed, tied=False)
    return experiment.at_10(model, judgments).tolist()


if __name__ == "__main__":
    args = experiment.options(__doc__, seeds=3)
    runs = experiment.by_row(trained, {name: (name,) for name in CELLS}, range(args.seeds))
    ndcg = {name: np.array(values) for name, values in runs.items()}
    summary, order = experiment.over_trainings, experiment.kinds()["order decides"]
    found = {name: {"nDCG@10": summary(values)} for name, values in ndcg.items()}
    for other in ("RNN", "LSTM"):
        lead = ndcg["Leaky"] - ndcg[other]
        found["Leaky"][f"above {other}"] = summary(lead)
        found["Leaky"][f"above {other}, order decides"] = summary(lead[:, order])
    for name in ("Leaky", "RNN"):
        shares = [left(CELLS[name], seed) for seed in range(20)]
        found[name]["left 11 words back"] = round(float(np.median(shares)), 4)
    experiment.write(args.json, {"cells": found})
