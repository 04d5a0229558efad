"""The course's worked project: a cell of one's own, from its equations to its row in a table.

    python -m benchmarks.experiments.leaky [--json benchmarks/results/leaky.json]

The leaky RNN keeps a share of its output at each word: y(t) = (1 - a) y(t-1) + a tanh(z(t)), with
z(t) = W l(t) + W_rec y(t-1) + b and a fixed. On the way back y(t-1) gets (1 - a) dy(t) straight
from the sum, beside what comes through W_rec: half an LSTM's way back, without a gate.

It is trained on the sample beside an RNN and an LSTM of as many cells, all three by the defaults of
`lstm_edu.train`, three trainings each, and evaluated by the sample's judgments. Told: nDCG@10 of
each, the difference to each of the two others with a 95 % interval of queries and trainings
together (`claims_asked.told`), on all queries and on those whose word order decides; and how much
of an error is left eleven words back before training.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

import lstm_edu
from lstm_edu.cells.cell import Recurrent
from lstm_edu.text import batch as batches


class State(NamedTuple):
    """After a word: y, (n_cells,)."""

    y: np.ndarray


@dataclass(frozen=True)
class Leaky(Recurrent):
    """A leaky RNN: of the share ``a`` of each output that is new, the rest is kept."""

    n_cells: int = 96
    a: float = 0.5

    def shapes(self, n_trigrams):
        """Names and shapes of the weights as they are kept."""
        m = self.n_cells
        return {"W": (n_trigrams, m), "Wrec": (m, m), "b": (m,)}

    def params(self, weights):
        """The weights by the paper's names and orientation, as views."""
        return {name: w.T for name, w in weights.items()}

    def step(self, params, l, y):
        """One word, as it is printed."""
        new = np.tanh(params["W"] @ l + params["Wrec"] @ y + params["b"])
        return State((1 - self.a) * y + self.a * new)

    def step_of_many(self, xp, params, l, y):
        """The same for a row each, with autograd's NumPy or another."""
        new = xp.tanh(l @ params["W"].T + y @ params["Wrec"].T + params["b"])
        return ((1 - self.a) * y + self.a * new,)

    def outputs(self, weights, batch):
        """y(t) of every token, time by time."""
        y = (batch.Wh @ weights["W"] + weights["b"])[batch.token]
        for now, before in batches.in_time(batch):
            y_before = y[before] if before else 0 * y[now]
            new = np.tanh(y[now] + y_before @ weights["Wrec"])
            y[now] = (1 - self.a) * y_before + self.a * new
        return State(y)

    def errors(self, weights, batch, tape, dy, truncate=None, at_words=None):
        """The error of z(t) at every word, from the last to the first."""
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
        """The gradient of the weights from dz."""
        later, before = batches.after_first(batch)
        dz = dz["y"]
        return {
            "W": batches.input_gradient(batch, [dz]),
            "Wrec": tape.y[before].T @ dz[later],
            "b": dz.sum(axis=0),
        }


CELLS = {"Leaky": Leaky(96), "RNN": lstm_edu.RNN(96), "LSTM": lstm_edu.LSTM(96)}


def left(cell, seed, n_words=12):
    """How long dy(1) is, relative to dy(T), for random words and a random error."""
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


def main():
    """Train, evaluate and compare."""
    from . import experiment as harness
    from .claims_asked import ORDER, told
    from .open_questions import JUDGMENTS, PAIRS, at_10, new

    args = harness.parser(__doc__).parse_args()
    by_cell = {}
    for name, cell in CELLS.items():
        by_cell[name] = []
        for seed in range(3):
            model = new(cell, seed)
            lstm_edu.train(model, PAIRS, seed=seed, progress=False)
            by_cell[name].append(at_10(model, JUDGMENTS))
            print(name, seed, f"{np.mean(by_cell[name][-1]):.4f}", flush=True)
    found = {name: {"nDCG@10": told(values)} for name, values in by_cell.items()}
    for other in ("RNN", "LSTM"):
        lead = np.subtract(by_cell["Leaky"], by_cell[other])
        found["Leaky"][f"above {other}"] = told(lead)
        found["Leaky"][f"above {other}, order decides"] = told(lead[:, ORDER])
    for name in ("Leaky", "RNN"):
        shares = [left(CELLS[name], seed) for seed in range(20)]
        found[name]["left 11 words back"] = round(float(np.median(shares)), 4)
    harness.write(args.json, {"date": harness.today(), "cells": found})


if __name__ == "__main__":
    main()
