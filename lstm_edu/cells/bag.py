"""A linear bag of letter trigrams, a baseline without a neural network."""

from dataclasses import dataclass

import numpy as np

from ..text.batch import in_time, input_gradient, sentence
from .cell import Cell


@dataclass(frozen=True)
class Bag(Cell):
    """A cell with a linear embedding, ``y = sum_t W l(t)``. It is not in the paper.

    l(t) are the letter-trigram counts of word t. Word order does not matter.

    Parameters
    ----------
    n_outputs : int
        Length of the embedding.
    """

    n_outputs: int = 300

    @property
    def size(self):
        """The length of the embedding."""
        return self.n_outputs

    def shapes(self, n_trigrams):
        """Return the shape of each stored weight, keyed by name."""
        return {"W": (n_trigrams, self.n_outputs)}

    def params(self, weights):
        """Return views of the weights with one row per output."""
        return {"W": weights["W"].T}

    def read_many(self, xp, params, L):
        """Compute the embeddings of texts of equal length; see `Cell.read_many`."""
        return [sum(l @ params(0)["W"].T for l in L)]

    def forward(self, weights, batch):
        """Return the embeddings of a batch, and None, because `backward` needs no tape."""
        return sums(weights["W"], batch), None

    def backward(self, weights, batch, tape, dy, truncate=None, errors=None, at_words=None):
        """Compute the gradient of W; see `Cell.backward`.

        The error of W l(t) at each word is the error of its text's embedding. The arguments after
        ``dy`` are ignored, because they are for recurrent cells.
        """
        return {"W": input_gradient(batch, [dy[sentence(batch)]])}


def sums(W, batch):
    """Sum W l(t) over each text's words; return an (N, width) array in the batch's order.

    ``W`` has one row per trigram.
    """
    P = batch.Wh @ W
    total = np.zeros((len(batch.order), W.shape[1]), P.dtype)
    for now, _ in in_time(batch):
        total[: now.stop - now.start] += P[batch.token[now]]
    return total
