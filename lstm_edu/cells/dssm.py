"""DSSM (Huang et al. 2013): a text as the bag of its letter trigrams, and two layers of tanh."""

from dataclasses import dataclass

import numpy as np

from ..text.batch import input_gradient, sentence
from .bag import sums
from .cell import Cell


class TwoLayers(Cell):
    """The base of DSSM and CLSM: ``v = tanh(z + b)``, ``y = tanh(W2 v + b2)``.

    A subclass defines how z, of ``n_hidden`` numbers, is pooled from the products of a text's words
    with W: `pool_plain`, `pool` and `pool_back`.

    Attributes
    ----------
    window : int
        The number of words in a product with W.
    """

    n_hidden: int
    n_outputs: int
    window = 1

    @property
    def size(self):
        """Length of the embedding."""
        return self.n_outputs

    def shapes(self, n_trigrams):
        """Return the names and shapes of the weights as stored; W's columns go by place."""
        n, m = self.n_hidden, self.n_outputs
        return {"W": (n_trigrams, self.window * n), "b": (n,), "W2": (n, m), "b2": (m,)}

    def params(self, weights):
        """Return the weights with one row per output, as views."""
        return {name: weights[name].T for name in ("W", "b", "W2", "b2")}

    def pool_plain(self, xp, Wl):
        """Compute z, (N, n_hidden), from the product with W of each text's first word, second, …"""
        raise NotImplementedError

    def pool(self, W, batch):
        """Compute z of a batch, (N, n_hidden), and the tape for `pool_back`."""
        raise NotImplementedError

    def pool_back(self, batch, tape, dz):
        """Return the gradient of each token's W l(t) from that of z, one array per place."""
        raise NotImplementedError

    def read_many(self, xp, params, L):
        """Compute the embeddings; see `Cell.read_many`."""
        p = params(0)
        v = xp.tanh(self.pool_plain(xp, [l @ p["W"].T for l in L]) + p["b"])
        return [xp.tanh(v @ p["W2"].T + p["b2"])]

    def forward(self, weights, batch):
        """Embed a batch; see `Cell.forward`."""
        z, pooled = self.pool(weights["W"], batch)
        v = np.tanh(z + weights["b"])
        y = np.tanh(v @ weights["W2"] + weights["b2"])
        y[batch.lengths == 0] = 0
        return y, (pooled, v, y)

    def backward(self, weights, batch, tape, dy, truncate=None, errors=None, at_words=None):
        """Go back through both layers; see `Cell.backward`.

        Arguments after ``dy`` are for recurrent cells.
        """
        pooled, v, y = tape
        dz2 = dy * (1 - y) * (1 + y) * (batch.lengths > 0)[:, None]
        dz = dz2 @ weights["W2"].T * (1 - v) * (1 + v)
        return {
            "W": input_gradient(batch, self.pool_back(batch, pooled, dz)),
            "b": dz.sum(axis=0),
            "W2": v.T @ dz2,
            "b2": dz2.sum(axis=0),
        }


@dataclass(frozen=True)
class DSSM(TwoLayers):
    """A feed-forward network over a text's letter trigrams.

    With l(t) the letter trigrams of word t: ``v = tanh(W sum_t l(t) + b)``,
    ``y = tanh(W2 v + b2)``. Word order does not matter.

    Parameters
    ----------
    n_hidden, n_outputs : int
        Table IV has 288 and 96.
    """

    n_hidden: int = 288
    n_outputs: int = 96

    def pool_plain(self, xp, Wl):
        """Sum over the words; see `TwoLayers.pool_plain`."""
        return sum(Wl)

    def pool(self, W, batch):
        """Sum over the words; see `TwoLayers.pool`."""
        return sums(W, batch), None

    def pool_back(self, batch, tape, dz):
        """Give every word the error of its text; see `TwoLayers.pool_back`."""
        return [dz[sentence(batch)]]
