"""A bag of letter trigrams and one matrix, without any network: what the others have to beat."""

from dataclasses import dataclass

import numpy as np

from ..text.batch import in_time, input_gradient, sentence
from .cell import Cell, check_sizes, words_at
from .rnn import State


@dataclass(frozen=True)
class Bag(Cell):
    """The sum of its words' vectors, past the paper: ``y = sum_t W l(t)``.

    With l(t) the letter trigrams of word t. The order of words does not enter, and nothing bends.

    Parameters
    ----------
    n_outputs : int
        Length of the embedding.
    """

    n_outputs: int = 300

    def __post_init__(self):
        check_sizes(self, "n_outputs")

    @property
    def size(self):
        """Length of the embedding."""
        return self.n_outputs

    def shapes(self, n_trigrams):
        """Names and shapes of the weights as they are kept."""
        return {"W": (n_trigrams, self.n_outputs)}

    def params(self, weights):
        """The weights with one row an output, as views."""
        return {"W": weights["W"].T}

    def read(self, params, L, state=None):
        """The embedding of the text up to each word; ``state`` is not used, nothing is carried."""
        return [State(y) for y in np.cumsum(L, axis=0) @ params["W"].T]

    def embed_many(self, xp, params, texts, counts, truncate=None, constant=None):
        """The embeddings, in what autograd can differentiate."""
        return sums_of_many(xp, params["W"], texts, counts)

    def forward(self, weights, batch):
        """Embeddings of a batch, (N, n_outputs), in its order; `backward` needs no more."""
        return sums(weights["W"], batch), None

    def backward(self, weights, batch, tape, dy, truncate=None, errors=None, at_words=None):
        """From the error of the embeddings to the gradient of W: each word has all of it.

        What comes after ``dy`` belongs to recurrent cells and is not used.
        """
        return {"W": input_gradient(batch, [dy[sentence(batch)]])}


def sums(W, batch):
    """The sum of each text's words, (N, width), with a row of ``W`` a trigram."""
    P = batch.Wh @ W
    total = np.zeros((len(batch.order), W.shape[1]), P.dtype)
    for now, _ in in_time(batch):
        total[: now.stop - now.start] += P[batch.token[now]]
    return total


def sums_of_many(xp, W, texts, counts):
    """`sums` in what autograd can differentiate, with a column of ``W`` a trigram."""
    lengths = np.array([len(text) for text in texts])
    total = xp.zeros((len(texts), W.shape[0]))
    for t in range(max(lengths)):
        l = counts(words_at(texts, t))
        total = total + xp.where((t < lengths)[:, None], l @ W.T, 0.0)
    return total
