"""A bag of letter trigrams and one matrix, without a network: the baseline for all cells."""

from dataclasses import dataclass

import numpy as np

from ..text.batch import in_time, input_gradient, sentence
from .cell import Cell


@dataclass(frozen=True)
class Bag(Cell):
    """The sum of its words' vectors, past the paper: ``y = sum_t W l(t)``.

    l(t) are the letter trigrams of word t. Word order does not matter, and
    the embedding is linear in the counts.

    Parameters
    ----------
    n_outputs : int
        Length of the embedding.
    """

    n_outputs: int = 300

    @property
    def size(self):
        """Length of the embedding."""
        return self.n_outputs

    def shapes(self, n_trigrams):
        """Return the names and shapes of the weights as stored."""
        return {"W": (n_trigrams, self.n_outputs)}

    def params(self, weights):
        """Return the weights with one row per output, as views."""
        return {"W": weights["W"].T}

    def read_many(self, xp, params, L):
        """Compute the embeddings; see `Cell.read_many`."""
        return [sum(l @ params(0)["W"].T for l in L)]

    def forward(self, weights, batch):
        """Embed a batch; `backward` needs no tape."""
        return sums(weights["W"], batch), None

    def backward(self, weights, batch, tape, dy, truncate=None, errors=None, at_words=None):
        """Give every word the error of its text; see `Cell.backward`.

        Arguments after ``dy`` are for recurrent cells.
        """
        return {"W": input_gradient(batch, [dy[sentence(batch)]])}


def sums(W, batch):
    """Sum W l(t) over each text's words, (N, width); ``W`` has one row per trigram."""
    P = batch.Wh @ W
    total = np.zeros((len(batch.order), W.shape[1]), P.dtype)
    for now, _ in in_time(batch):
        total[: now.stop - now.start] += P[batch.token[now]]
    return total
