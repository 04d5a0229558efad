"""Cells of every class, one of the tests' own among them."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pytest
from conftest import (
    CELLS,
    NETWORKS,
    cell_name,
    sample,
)

from lstm_edu import Attention, Bidirectional
from lstm_edu.cells.cell import Recurrent, check_sizes
from lstm_edu.text import batch as batches


class State(NamedTuple):
    y: np.ndarray


@dataclass(frozen=True)
class Leaky(Recurrent):
    """A cell of one's own: y(t) = y(t-1) / 2 + tanh(W l + W_rec y(t-1) + b) / 2."""

    n_cells: int = 8

    def __post_init__(self):
        check_sizes(self, "n_cells")

    def shapes(self, n_trigrams):
        m = self.n_cells
        return {"W": (n_trigrams, m), "Wrec": (m, m), "b": (m,)}

    def params(self, weights):
        return {name: w.T for name, w in weights.items()}

    def step(self, params, l, y):
        new = np.tanh(params["W"] @ l + params["Wrec"] @ y + params["b"])
        return State(0.5 * y + 0.5 * new)

    def step_of_many(self, xp, params, l, y):
        new = xp.tanh(l @ params["W"].T + y @ params["Wrec"].T + params["b"])
        return (0.5 * y + 0.5 * new,)

    def outputs(self, weights, batch):
        y = (batch.Wh @ weights["W"] + weights["b"])[batch.token]
        for now, before in batches.in_time(batch):
            y_before = y[before] if before else 0 * y[now]
            y[now] = 0.5 * y_before + 0.5 * np.tanh(y[now] + y_before @ weights["Wrec"])
        return State(y)

    def errors(self, weights, batch, tape, dy, truncate=None, at_words=None):
        dy, dz = dy.copy(), np.zeros_like(tape.y)
        for rows, now, before in batches.back_in_time(batch, truncate):
            if at_words is not None:
                dy[rows] += at_words[now]
            new = 2 * tape.y[now] - (tape.y[before] if before else 0)
            dz[now] = 0.5 * (1 - new * new) * dy[rows]
            dy[rows] = 0.5 * dy[rows] + dz[now] @ weights["Wrec"].T
        return {"y": dz}

    def gradient(self, weights, batch, tape, dz):
        later, before = batches.after_first(batch)
        dz = dz["y"]
        return {
            "W": batches.input_gradient(batch, [dz]),
            "Wrec": tape.y[before].T @ dz[later],
            "b": dz.sum(axis=0),
        }


OWN = [Leaky(3), Bidirectional(Leaky(2)), Attention(Leaky(2)), Attention(Bidirectional(Leaky(2)))]
ALL = [*CELLS, *NETWORKS, *OWN]
# every class, alone and within each that goes around another; make soak has every variant
KINDS = [
    *CELLS[:2],
    *CELLS[7:9],
    *CELLS[11:13],
    CELLS[15],
    NETWORKS[0],
    NETWORKS[2],
    NETWORKS[-1],
    OWN[0],
    OWN[3],
]
every_cell = pytest.mark.parametrize("cell", sample(ALL, KINDS), ids=cell_name)
recurrent = pytest.mark.parametrize("cell", [*CELLS, *OWN], ids=cell_name)
