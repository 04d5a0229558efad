"""CLSM (Shen et al. 2014): windows of words, the largest value of each unit, a layer of tanh."""

from dataclasses import dataclass

import numpy as np

from .._util import arguments
from ..text.batch import in_time, input_gradient
from .cell import Cell


@dataclass(frozen=True)
class CLSM(Cell):
    """A convolutional network over a text's words.

    With l(t) the letter trigrams of word t, zero outside of the text:
    ``h(t) = tanh(W [l(t-k), ..., l(t+k)] + b)`` for a window of 2 k + 1 words,
    ``v = max_t h(t)`` unit by unit, ``y = tanh(W2 v + b2)``.

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
        super().__post_init__()
        if self.window % 2 == 0:
            arguments.refuse("window", self.window, "an odd number")

    @property
    def size(self):
        """Length of the embedding."""
        return self.n_outputs

    @property
    def places(self):
        """The places of a window's words, relative to its middle."""
        return range(-(self.window // 2), self.window // 2 + 1)

    def shapes(self, n_trigrams):
        """Return the names and shapes of the weights as stored; W's columns go by place."""
        n, m = self.n_hidden, self.n_outputs
        return {"W": (n_trigrams, self.window * n), "b": (n,), "W2": (n, m), "b2": (m,)}

    def params(self, weights):
        """Return the weights with one row per output, as views."""
        return {name: weights[name].T for name in ("W", "b", "W2", "b2")}

    def read_many(self, xp, params, L):
        """Compute the embeddings; see `Cell.read_many`."""
        p, n, h = params(0), self.n_hidden, []
        Wl = [l @ p["W"].T for l in L]
        for t in range(len(L)):
            inside = [(k, t + place) for k, place in enumerate(self.places)]
            z = sum(Wl[s][:, k * n : (k + 1) * n] for k, s in inside if 0 <= s < len(L))
            h.append(xp.tanh(z + p["b"]))
        return [xp.tanh(xp.max(xp.stack(h), axis=0) @ p["W2"].T + p["b2"])]

    def forward(self, weights, batch):
        """Embed a batch; see `Cell.forward`."""
        P = batch.Wh @ weights["W"]
        z = np.zeros((len(batch.token), self.n_hidden), P.dtype)
        for k, place in enumerate(self.places):
            Pk = np.ascontiguousarray(P[:, k * self.n_hidden : (k + 1) * self.n_hidden])
            for here, there in neighbours(batch, place):
                z[here] += Pk[batch.token[there]]
        largest = np.full((len(batch.order), self.n_hidden), -np.inf, P.dtype)
        for now, _ in in_time(batch):
            so_far = largest[: now.stop - now.start]
            np.maximum(so_far, z[now], out=so_far)
        v = np.tanh(largest + weights["b"])
        y = np.tanh(v @ weights["W2"] + weights["b2"])
        y[batch.lengths == 0] = 0
        return y, (z, largest, v, y)

    def backward(self, weights, batch, tape, dy, truncate=None, errors=None, at_words=None):
        """Go back through both layers; see `Cell.backward`.

        Arguments after ``dy`` are for recurrent cells.
        """
        z, largest, v, y = tape
        dz2 = dy * (1 - y) * (1 + y) * (batch.lengths > 0)[:, None]
        dz1 = dz2 @ weights["W2"].T * (1 - v) * (1 + v)
        dz, waiting = np.zeros_like(z), np.ones(dz1.shape, bool)
        for now, _ in in_time(batch):  # only the first window with the largest value gets the error
            n_t = now.stop - now.start
            hit = (z[now] == largest[:n_t]) & waiting[:n_t]
            dz[now] = dz1[:n_t] * hit
            waiting[:n_t] &= ~hit
        dP = [np.zeros_like(dz) for _ in self.places]
        for dPk, place in zip(dP, self.places):
            for here, there in neighbours(batch, place):
                dPk[there] = dz[here]
        return {
            "W": input_gradient(batch, dP),
            "b": dz1.sum(axis=0),
            "W2": v.T @ dz2,
            "b2": dz2.sum(axis=0),
        }


def neighbours(batch, place):
    """Yield, per time, the tokens with another word ``place`` words later, and these words.

    Yields
    ------
    here, there : slice
    """
    starts, n = batch.offsets, np.diff(batch.offsets)
    for t in range(max(0, -place), min(len(n), len(n) - place)):
        n_pairs = min(n[t], n[t + place])
        here, there = starts[t], starts[t + place]
        yield slice(here, here + n_pairs), slice(there, there + n_pairs)
