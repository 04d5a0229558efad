"""DSSM (Huang et al. 2013): a text as the bag of its letter trigrams, through two layers of tanh."""

from dataclasses import dataclass

import numpy as np

from ..text import sentences
from .rnn import State, check_sizes


@dataclass(frozen=True)
class DSSM:
    """A feed-forward network over a text's letter trigrams; a cell like the others, so trained and compared as they are.

    With l(t) the letter trigrams of word t: ``h = tanh(W sum_t l(t) + b)``, ``y = tanh(W2 h + b2)``. The order of words does not enter.

    Parameters
    ----------
    n_hidden, n_outputs : int
        Table IV has 288 and 96.
    """

    n_hidden: int = 288
    n_outputs: int = 96

    def __post_init__(self):
        check_sizes(self, "n_hidden", "n_outputs")

    @property
    def size(self):
        """Length of the embedding."""
        return self.n_outputs

    def shapes(self, n_trigrams):
        """Names and shapes of the weights as they are kept."""
        return {
            "W": (n_trigrams, self.n_hidden),
            "b": (self.n_hidden,),
            "W2": (self.n_hidden, self.n_outputs),
            "b2": (self.n_outputs,),
        }

    def params(self, weights):
        """The weights with one row an output, as views."""
        return {"W": weights["W"].T, "b": weights["b"], "W2": weights["W2"].T, "b2": weights["b2"]}

    def read(self, params, L, state=None):
        """The embedding of the text up to each word: a list of State. Nothing is carried on, so ``state`` is not used."""
        h = np.tanh(np.cumsum(L, axis=0) @ params["W"].T + params["b"])
        return [State(y) for y in np.tanh(h @ params["W2"].T + params["b2"])]

    def forward(self, weights, batch):
        """Embeddings of a batch, (N, n_outputs), in its order, and what `backward` needs."""
        P = batch.Wh @ weights["W"]
        total = np.zeros((len(batch.order), self.n_hidden), P.dtype)
        for t in range(len(batch.offsets) - 1):
            now = slice(batch.offsets[t], batch.offsets[t + 1])
            total[: now.stop - now.start] += P[batch.token[now]]
        h = np.tanh(total + weights["b"])
        y = np.tanh(h @ weights["W2"] + weights["b2"])
        y[batch.lengths == 0] = 0
        return y, (h, y)

    def backward(self, weights, batch, tape, dy, truncate=None, errors=None):
        """From the error of the embeddings to the gradient of the weights; of W only the rows ``batch.touched``.

        ``truncate`` and ``errors`` belong to recurrent cells and are not used.
        """
        h, y = tape
        dz2 = dy * (1 - y) * (1 + y) * (batch.lengths > 0)[:, None]
        dz1 = dz2 @ weights["W2"].T * (1 - h) * (1 + h)
        return {
            "W": sentences.input_gradient(batch, [dz1[sentences.sentence(batch)]]),
            "b": dz1.sum(axis=0),
            "W2": h.T @ dz2,
            "b2": dz2.sum(axis=0),
        }
