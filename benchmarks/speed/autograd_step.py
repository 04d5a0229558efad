"""A training step with the gradient by autograd, the package's own (`lstm_edu.gradients.autodiff`):
(1)-(5) as a reader of the paper would write them.
"""

from types import SimpleNamespace

import numpy as np

from lstm_edu.cells.lstm import NUMBERS
from lstm_edu.gradients import autodiff
from lstm_edu.gradients.relevance import COSINE
from lstm_edu.training import nesterov
from lstm_edu.training.nesterov import Nesterov


class Training:
    """Weights and velocities that start as a model's, and Algorithm 1 on them, for one minibatch.

    Parameters
    ----------
    model : DualEncoder
        Of LSTMs.
    texts : tuple
        The minibatch: queries, clicked, unclicked.
    settings : dict
        As `lstm_edu.training.loop`'s.
    n_updates : int
    rows : (n,) of int, optional
        The trigrams that occur in it: only these rows of W are given to autograd, and the update is
        lazy. Without, all are, and it is dense.
    """

    def __init__(self, model, texts, settings, n_updates, rows=None):
        self.cell, self.texts, self.rows = model.cell, texts, rows
        self.settings, self.n_updates, self.k = settings, n_updates, 0
        self.weights = [
            {name: w.copy() for name, w in side.weights.items()}
            for side in (model.query, model.document)
        ]
        how = None, SimpleNamespace(**settings), n_updates
        self.sides = [Nesterov(side, *how) for side in self.weights]

        # which trigrams the words have is looked up once, and so in no step that is timed
        known = {}

        def operator(words, dtype):
            if tuple(words) not in known:
                Wh = model.hashing.operator(words, dtype)
                known[tuple(words)] = Wh if rows is None else Wh[:, rows]
            return known[tuple(words)]

        self.dtype = model.dtype
        self.hashing = SimpleNamespace(operator=operator, words=model.hashing.words)

    def cost_and_gradient(self, weights):
        """The summed cost, and its gradient for both sides, as the weights are kept."""
        sides = [SimpleNamespace(params=self.cell.params(side)) for side in weights]
        query, document = sides
        own = {"cell": self.cell, "hashing": self.hashing, "relevance": COSINE, "dtype": self.dtype}
        model = SimpleNamespace(query=query, document=document, **own)
        cost, gradient = autodiff.cost_and_gradient(model, *self.texts, self.settings["gamma"])

        def side_by_side(g, name):
            return np.concatenate([g[f"{name}{NUMBERS[k]}"].T for k in self.cell.columns], axis=-1)

        return cost, [
            {name: side_by_side(g, name) for name in side} for g, side in zip(gradient, weights)
        ]

    def step(self):
        """Look ahead, gradient, clip, correct."""
        mu = nesterov.momentum(self.settings["momentum"], self.k, self.n_updates)
        self.k += 1
        if self.rows is not None:
            ahead = [side.ahead(self.rows) for side in self.sides]
        else:
            ahead = self.weights
            for side in self.sides:
                nesterov.look_ahead(side.weights, side.state["velocity"], mu)
        step, gradient = self.settings["step_size"], self.cost_and_gradient(ahead)[1]
        for side, at, g in zip(self.sides, ahead, gradient):
            nesterov.clip(g, self.settings["clip"])
            if self.rows is not None:
                side.move(at, g, self.rows)
            else:
                nesterov.correct(side.weights, side.state["velocity"], g, step, slice(None))
