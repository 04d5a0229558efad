"""DSSM (Huang et al. 2013): a text as the bag of its letter trigrams, and two layers of tanh."""

from dataclasses import dataclass

import numpy as np

from ..text.batch import input_gradient, sentence
from .bag import sums
from .cell import Cell


@dataclass(frozen=True)
class DSSM(Cell):
    """A feed-forward network over a text's letter trigrams.

    With l(t) the letter trigrams of word t: ``h = tanh(W sum_t l(t) + b)``,
    ``y = tanh(W2 h + b2)``. Word order does not matter.

    Parameters
    ----------
    n_hidden, n_outputs : int
        Table IV has 288 and 96.
    """

    n_hidden: int = 288
    n_outputs: int = 96

    @property
    def size(self):
        """Length of the embedding."""
        return self.n_outputs

    def shapes(self, n_trigrams):
        """Return the names and shapes of the weights as stored."""
        n, m = self.n_hidden, self.n_outputs
        return {"W": (n_trigrams, n), "b": (n,), "W2": (n, m), "b2": (m,)}

    def params(self, weights):
        """Return the weights with one row per output, as views."""
        return {name: weights[name].T for name in ("W", "b", "W2", "b2")}

    def read_many(self, xp, params, L):
        """Compute the embeddings; see `Cell.read_many`."""
        p = params(0)
        h = xp.tanh(sum(l @ p["W"].T for l in L) + p["b"])
        return [xp.tanh(h @ p["W2"].T + p["b2"])]

    def forward(self, weights, batch):
        """Embed a batch; see `Cell.forward`."""
        h = np.tanh(sums(weights["W"], batch) + weights["b"])
        y = np.tanh(h @ weights["W2"] + weights["b2"])
        y[batch.lengths == 0] = 0
        return y, (h, y)

    def backward(self, weights, batch, tape, dy, truncate=None, errors=None, at_words=None):
        """Go back through both layers; see `Cell.backward`.

        Arguments after ``dy`` are for recurrent cells.
        """
        h, y = tape
        dz2 = dy * (1 - y) * (1 + y) * (batch.lengths > 0)[:, None]
        dz1 = dz2 @ weights["W2"].T * (1 - h) * (1 + h)
        return {
            "W": input_gradient(batch, [dz1[sentence(batch)]]),
            "b": dz1.sum(axis=0),
            "W2": h.T @ dz2,
            "b2": dz2.sum(axis=0),
        }
