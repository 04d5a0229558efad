"""CLSM (Shen et al. 2014): a convolution over windows of words, the largest value of each unit, and a layer of tanh."""
from dataclasses import dataclass

import numpy as np

from .. import sentences
from ..files import InputError
from ..rnn import State, check_sizes


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
        return {"W": (n_trigrams, self.window * self.n_hidden), "b": (self.n_hidden,), "W2": (self.n_hidden, self.n_outputs), "b2": (self.n_outputs,)}

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
            Z = sum(padded[place + k:place + k + n] @ W[place + k].T for place in self.places)
            v = np.tanh(Z + params["b"]).max(axis=0)
            states.append(State(np.tanh(params["W2"] @ v + params["b2"])))
        return states

    def forward(self, weights, batch):
        """Embeddings of a batch, (N, n_outputs), in its order, and what `backward` needs."""
        P = batch.Wh @ weights["W"]
        Z = np.zeros((len(batch.token), self.n_hidden), P.dtype)
        for k, place in enumerate(self.places):
            here, there = _neighbours(batch, place)
            Z[here] += P[batch.token[there], k * self.n_hidden:(k + 1) * self.n_hidden]
        N = len(batch.order)
        largest, at = np.full((N, self.n_hidden), -np.inf, P.dtype), np.zeros((N, self.n_hidden), np.int64)
        for t in range(len(batch.offsets) - 1):
            now = slice(batch.offsets[t], batch.offsets[t + 1])
            n_t = now.stop - now.start
            larger = Z[now] > largest[:n_t]
            np.copyto(largest[:n_t], Z[now], where=larger)
            np.copyto(at[:n_t], np.arange(now.start, now.stop)[:, None], where=larger)
        v = np.tanh(largest + weights["b"])
        y = np.tanh(v @ weights["W2"] + weights["b2"])
        y[batch.lengths == 0] = 0
        return y, (at, v, y)

    def backward(self, weights, batch, tape, dy, truncate=None, errors=None):
        """From the error of the embeddings to the gradient of the weights; of W only the rows ``batch.touched``.

        ``truncate`` and ``errors`` belong to recurrent cells and are not used.
        """
        at, v, y = tape
        some = (batch.lengths > 0)[:, None]
        dz2 = dy * (1 - y) * (1 + y) * some
        dz1 = dz2 @ weights["W2"].T * (1 - v) * (1 + v)
        dZ = np.zeros((len(batch.token), self.n_hidden), dz1.dtype)
        unit = np.broadcast_to(np.arange(self.n_hidden), at.shape)
        dZ[at[some[:, 0]], unit[some[:, 0]]] = dz1[some[:, 0]]                # only the window with the largest value sees the error
        dP = []
        for place in self.places:
            here, there = _neighbours(batch, place)
            dP.append(np.zeros_like(dZ))
            dP[-1][there] = dZ[here]
        return {"W": sentences.input_gradient(batch, dP), "b": dz1.sum(axis=0), "W2": v.T @ dz2, "b2": dz2.sum(axis=0)}


def _neighbours(batch, place):
    """The tokens that have a word ``place`` words on in their text, and those words' tokens."""
    s, t = sentences.sentence(batch), sentences.time(batch) + place
    here = np.flatnonzero((t >= 0) & (t < batch.lengths[s]))
    return here, batch.offsets[t[here]] + s[here]
