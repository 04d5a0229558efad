"""The course's worked project: a new cell, from its equations to its row in a table.

    python -m benchmarks.experiments.leaky [--json FILE]

The leaky RNN keeps a share of its output at each word: y(t) = (1 - a) y(t-1) + a tanh(z(t)), with
z(t) = W l(t) + W_rec y(t-1) + b and a fixed. In the backward pass y(t-1) gets (1 - a) dy(t)
directly from the sum, and another error through W_rec, much as in an LSTM, but without a gate.

We train it on the sample, and an RNN and an LSTM with the same number of cells, three times each
with the defaults of `lstm_edu.train`, and evaluate them by the sample's judgments. The figures are
nDCG@10 and the leads over the RNN and the LSTM, with 95 % intervals over queries and trainings
(`experiment.over_trainings`), on all queries and on those where word order decides; and the share
of an error that is left eleven words back before training.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

import lstm_edu
from lstm_edu.cells.cell import Recurrent
from lstm_edu.text import batch as batches

from . import experiment
from .open_questions import kinds


class State(NamedTuple):
    """The state after a word: y, (n_cells,)."""

    y: np.ndarray


@dataclass(frozen=True)
class Leaky(Recurrent):
    """A leaky RNN: the share ``a`` of each output is new, the rest is kept."""

    n_cells: int = 96
    a: float = 0.5

    def shapes(self, n_trigrams):
        """Return names and shapes of the stored weights."""
        m = self.n_cells
        return {"W": (n_trigrams, m), "Wrec": (m, m), "b": (m,)}

    def params(self, weights):
        """Return views of the weights with the paper's names and orientation."""
        return {name: w.T for name, w in weights.items()}

    def step(self, params, l, y):
        """Read one word by the formula above."""
        new = np.tanh(params["W"] @ l + params["Wrec"] @ y + params["b"])
        return State((1 - self.a) * y + self.a * new)

    def step_of_many(self, xp, params, l, y):
        """Read one word of many sentences, a row each, with autograd's NumPy or another."""
        new = xp.tanh(l @ params["W"].T + y @ params["Wrec"].T + params["b"])
        return ((1 - self.a) * y + self.a * new,)

    def outputs(self, weights, batch):
        """Compute y(t) of every token, time by time."""
        y = (batch.Wh @ weights["W"] + weights["b"])[batch.token]
        for now, before in batches.in_time(batch):
            y_before = y[before] if before else 0 * y[now]
            new = np.tanh(y[now] + y_before @ weights["Wrec"])
            y[now] = (1 - self.a) * y_before + self.a * new
        return State(y)

    def errors(self, weights, batch, tape, dy, truncate=None, at_words=None):
        """Compute the error of z(t) at every word, from the last to the first."""
        dy, dz = dy.copy(), np.zeros_like(tape.y)
        for rows, now, before in batches.back_in_time(batch, truncate):
            if at_words is not None:
                dy[rows] += at_words[now]
            y_before = tape.y[before] if before else 0
            new = (tape.y[now] - (1 - self.a) * y_before) / self.a
            dz[now] = self.a * (1 - new * new) * dy[rows]
            dy[rows] = (1 - self.a) * dy[rows] + dz[now] @ weights["Wrec"].T
        return {"y": dz}

    def gradient(self, weights, batch, tape, dz):
        """Compute the gradient of the weights from dz."""
        later, before = batches.after_first(batch)
        dz = dz["y"]
        return {
            "W": batches.input_gradient(batch, [dz]),
            "Wrec": tape.y[before].T @ dz[later],
            "b": dz.sum(axis=0),
        }


CELLS = {"Leaky": Leaky(96), "RNN": lstm_edu.RNN(96), "LSTM": lstm_edu.LSTM(96)}


def left(cell, seed, n_words=12):
    """Return the length of dy(1) relative to dy(T), for random words and a random error."""
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
    """Train a cell on the sample by the defaults; return nDCG@10 per judged query."""
    _, pairs, judgments = experiment.data()
    model, _ = experiment.trained(CELLS[name], pairs, seed, tied=False)
    return experiment.at_10(model, judgments).tolist()


def main():
    """Train, evaluate and compare."""
    args = experiment.options(__doc__, seeds=3)
    tasks = [(name, seed) for name in CELLS for seed in range(args.seeds)]
    runs = np.split(np.array(experiment.run(trained, tasks)), len(CELLS))
    ndcg, summary = dict(zip(CELLS, runs)), experiment.over_trainings
    found = {name: {"nDCG@10": summary(values)} for name, values in ndcg.items()}
    for other in ("RNN", "LSTM"):
        lead = ndcg["Leaky"] - ndcg[other]
        found["Leaky"][f"above {other}"] = summary(lead)
        found["Leaky"][f"above {other}, order decides"] = summary(lead[:, kinds()["order decides"]])
    for name in ("Leaky", "RNN"):
        shares = [left(CELLS[name], seed) for seed in range(20)]
        found[name]["left 11 words back"] = round(float(np.median(shares)), 4)
    experiment.write(args.json, {"cells": found})


if __name__ == "__main__":
    main()
