"""CLSM (Shen et al. 2014): a convolution over windows of words, the largest value of each unit, and a layer of tanh."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ..files import InputError
from ..text import sentences
from .rnn import State, check_sizes


@dataclass(frozen=True)
class CLSM:
    """A convolutional network over a text's words; a cell like the others, so trained and compared as they are.

    With l(t) the letter trigrams of word t, zero outside of the text: ``h(t) = tanh(W [l(t-k), ..., l(t+k)] + b)`` for a window of
    2 k + 1 words, ``v = max_t h(t)`` unit by unit, ``y = tanh(W2 v + b2)``.

    Parameters
    ----------
    window : int
        Words, an odd number; Table IV has 1, 3 and 5.
    n_hidden, n_outputs : int
        Table IV has 288 and 96.
    """

    window: int = 3
    n_hidden: int = 288
    n_outputs: int = 96

    def __post_init__(self):
        check_sizes(self, "window", "n_hidden", "n_outputs")
        if self.window % 2 == 0:
            raise InputError(f"window: {self.window}; must be an odd number")

    @property
    def size(self):
        """Length of the embedding."""
        return self.n_outputs

    @property
    def places(self):
        """Where the words of a window stand, relative to its middle."""
        return range(-(self.window // 2), self.window // 2 + 1)

    def shapes(self, n_trigrams):
        """Names and shapes of the weights as they are kept; W has the places of the window side by side."""
        return {
            "W": (n_trigrams, self.window * self.n_hidden),
            "b": (self.n_hidden,),
            "W2": (self.n_hidden, self.n_outputs),
            "b2": (self.n_outputs,),
        }

    def params(self, weights):
        """The weights with one row an output, as views."""
        return {"W": weights["W"].T, "b": weights["b"], "W2": weights["W2"].T, "b2": weights["b2"]}

    def read(self, params, L, state=None):
        """The embedding of the text up to each word: a list of State. Nothing is carried on, so ``state`` is not used."""
        k, blank = self.window // 2, np.zeros((self.window // 2, L.shape[1]))
        W = np.split(params["W"], self.window)
        states = []
        for n in range(1, len(L) + 1):
            padded = np.vstack([blank, L[:n], blank])
            Z = sum(padded[place + k : place + k + n] @ W[place + k].T for place in self.places)
            v = np.tanh(Z + params["b"]).max(axis=0)
            states.append(State(np.tanh(params["W2"] @ v + params["b2"])))
        return states

    def forward(self, weights, batch):
        """Embeddings of a batch, (N, n_outputs), in its order, and what `backward` needs."""
        P = batch.Wh @ weights["W"]
        Z = np.zeros((len(batch.token), self.n_hidden), P.dtype)
        for k, place in enumerate(self.places):
            Pk = np.ascontiguousarray(P[:, k * self.n_hidden : (k + 1) * self.n_hidden])
            for here, there in _neighbours(batch, place):
                Z[here] += Pk[batch.token[there]]
        largest = np.full((len(batch.order), self.n_hidden), -np.inf, P.dtype)
        for start, end in pairwise(batch.offsets):
            np.maximum(largest[: end - start], Z[start:end], out=largest[: end - start])
        v = np.tanh(largest + weights["b"])
        y = np.tanh(v @ weights["W2"] + weights["b2"])
        y[batch.lengths == 0] = 0
        return y, (Z, largest, v, y)

    def backward(self, weights, batch, tape, dy, truncate=None, errors=None):
        """From the error of the embeddings to the gradient of the weights; of W only the rows ``batch.touched``.

        ``truncate`` and ``errors`` belong to recurrent cells and are not used.
        """
        Z, largest, v, y = tape
        dz2 = dy * (1 - y) * (1 + y) * (batch.lengths > 0)[:, None]
        dz1 = dz2 @ weights["W2"].T * (1 - v) * (1 + v)
        dZ, open_ = np.zeros_like(Z), np.ones(dz1.shape, bool)
        for start, end in pairwise(
            batch.offsets
        ):  # only the first window with the largest value sees the error
            hit = (Z[start:end] == largest[: end - start]) & open_[: end - start]
            np.multiply(dz1[: end - start], hit, out=dZ[start:end])
            open_[: end - start] &= ~hit
        dP = []
        for place in self.places:
            dP.append(np.zeros_like(dZ))
            for here, there in _neighbours(batch, place):
                dP[-1][there] = dZ[here]
        return {
            "W": sentences.input_gradient(batch, dP),
            "b": dz1.sum(axis=0),
            "W2": v.T @ dz2,
            "b2": dz2.sum(axis=0),
        }


def _neighbours(batch, place):
    """For each time, the tokens whose text has a word ``place`` words on, and those words' tokens, as two slices."""
    n = np.diff(batch.offsets)
    for t in range(max(0, -place), min(len(n), len(n) - place)):
        both = min(n[t], n[t + place])
        yield (
            slice(batch.offsets[t], batch.offsets[t] + both),
            slice(batch.offsets[t + place], batch.offsets[t + place] + both),
        )
