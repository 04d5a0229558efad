"""DSSM (Huang et al. 2013): two tanh layers over a text's bag of letter trigrams."""

from dataclasses import dataclass

import numpy as np

from ..text.batch import input_gradient, sentence
from .bag import sums
from .cell import Cell


class TwoLayers(Cell):
    """Base class of DSSM and CLSM: ``v = tanh(z + b)``, ``y = tanh(W2 v + b2)``.

    A subclass defines how the products W l(t) of all words are pooled into the vector z of length
    ``n_hidden``: in `pool_plain`, `pool` and `pool_back`.

    Attributes
    ----------
    window : int
        The number of words that W spans.
    """

    n_hidden: int
    n_outputs: int
    window = 1

    @property
    def size(self):
        """The length of the embedding."""
        return self.n_outputs

    def shapes(self, n_trigrams):
        """Return the shape of each stored weight; W has n_hidden columns per word of the window."""
        n, m = self.n_hidden, self.n_outputs
        return {"W": (n_trigrams, self.window * n), "b": (n,), "W2": (n, m), "b2": (m,)}

    def params(self, weights):
        """Return views of the weights with one row per output."""
        return {name: weights[name].T for name in ("W", "b", "W2", "b2")}

    def pool_plain(self, xp, Wl):
        """Compute the (N, n_hidden) array z from ``Wl``, the list of W l(t) for each word t."""
        raise NotImplementedError

    def pool(self, W, batch):
        """Compute the (N, n_hidden) array z of a batch, and the tape that `pool_back` needs."""
        raise NotImplementedError

    def pool_back(self, batch, tape, dz):
        """Compute the error of W l(t) at every token from ``dz``, the error of z.

        Return a list with one array per word of the window.
        """
        raise NotImplementedError

    def read_many(self, xp, params, L):
        """Compute the embeddings of texts of equal length; see `Cell.read_many`."""
        p = params(0)
        v = xp.tanh(self.pool_plain(xp, [l @ p["W"].T for l in L]) + p["b"])
        return [xp.tanh(v @ p["W2"].T + p["b2"])]

    def forward(self, weights, batch):
        """Compute the embeddings of a batch; see `Cell.forward`."""
        z, pooled = self.pool(weights["W"], batch)
        v = np.tanh(z + weights["b"])
        y = np.tanh(v @ weights["W2"] + weights["b2"])
        y[batch.lengths == 0] = 0
        return y, (pooled, v, y)

    def backward(self, weights, batch, tape, dy, truncate=None, errors=None, at_words=None):
        """Backpropagate through both layers; see `Cell.backward`.

        The arguments after ``dy`` are ignored, because they are for recurrent cells.
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

    ``v = tanh(W sum_t l(t) + b)``, ``y = tanh(W2 v + b2)``, where l(t) are the letter-trigram
    counts of word t. Word order does not matter.

    Parameters
    ----------
    n_hidden, n_outputs : int
        The numbers of hidden units and of outputs. Table IV uses 288 and 96.
    """

    n_hidden: int = 288
    n_outputs: int = 96

    def pool_plain(self, xp, Wl):
        """Sum W l(t) over the words; see `TwoLayers.pool_plain`."""
        return sum(Wl)

    def pool(self, W, batch):
        """Sum W l(t) over the words; see `TwoLayers.pool`."""
        return sums(W, batch), None

    def pool_back(self, batch, tape, dz):
        """Return the error of z at every word of its text; see `TwoLayers.pool_back`."""
        return [dz[sentence(batch)]]
