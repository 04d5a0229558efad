"""CLSM (Shen et al. 2014): a convolution over words, max pooling, and a tanh layer."""

from dataclasses import dataclass

import numpy as np

from .._util import arguments
from ..text.batch import in_time
from .dssm import TwoLayers


@dataclass(frozen=True)
class CLSM(TwoLayers):
    """A convolutional network over a text's words.

    ``h(t) = tanh(W [l(t-k), ..., l(t+k)] + b)`` for a window of 2 k + 1 words, where l(t) are the
    letter-trigram counts of word t, zero outside the text; ``v = max_t h(t)`` for each unit;
    ``y = tanh(W2 v + b2)``.

    Parameters
    ----------
    window : int
        The number of words in a window, which must be odd. Table IV uses 1, 3 and 5.
    n_hidden, n_outputs : int
        The numbers of hidden units and of outputs. Table IV uses 288 and 96.
    """

    window: int = 3
    n_hidden: int = 288
    n_outputs: int = 96

    def __post_init__(self):
        super().__post_init__()
        if self.window % 2 == 0:
            arguments.refuse("window", self.window, "an odd number")

    @property
    def places(self):
        """The positions of a window's words, relative to its middle word."""
        return range(-(self.window // 2), self.window // 2 + 1)

    def pool_plain(self, xp, Wl):
        """Compute each unit's maximum over all windows; see `TwoLayers.pool_plain`."""
        n, z = self.n_hidden, []
        for t in range(len(Wl)):
            inside = [(k, t + place) for k, place in enumerate(self.places)]
            z.append(sum(Wl[s][:, k * n : (k + 1) * n] for k, s in inside if 0 <= s < len(Wl)))
        return xp.max(xp.stack(z), axis=0)

    def pool(self, W, batch):
        """Compute each unit's maximum over all windows; see `TwoLayers.pool`."""
        P = batch.Wh @ W
        z = np.zeros((len(batch.token), self.n_hidden), P.dtype)
        for k, place in enumerate(self.places):
            Pk = np.ascontiguousarray(P[:, k * self.n_hidden : (k + 1) * self.n_hidden])
            for here, there in neighbours(batch, place):
                z[here] += Pk[batch.token[there]]
        largest = np.full((len(batch.order), self.n_hidden), -np.inf, P.dtype)
        for now, _ in in_time(batch):
            so_far = largest[: now.stop - now.start]
            np.maximum(so_far, z[now], out=so_far)
        return largest, (z, largest)

    def pool_back(self, batch, tape, dz):
        """Pass each unit's error to its first maximal window; see `TwoLayers.pool_back`."""
        z, largest = tape
        dwindows, waiting = np.zeros_like(z), np.ones(dz.shape, bool)
        for now, _ in in_time(batch):
            n_t = now.stop - now.start
            hit = (z[now] == largest[:n_t]) & waiting[:n_t]
            dwindows[now] = dz[:n_t] * hit
            waiting[:n_t] &= ~hit
        dP = [np.zeros_like(z) for _ in self.places]
        for dPk, place in zip(dP, self.places):
            for here, there in neighbours(batch, place):
                dPk[there] = dwindows[here]
        return dP


def neighbours(batch, place):
    """Yield, for each time, the tokens that have a neighbour ``place`` positions later.

    Yields
    ------
    here, there : slice
        These tokens, and their neighbours. A negative ``place`` means earlier positions.
    """
    starts, n = batch.offsets, np.diff(batch.offsets)
    for t in range(max(0, -place), min(len(n), len(n) - place)):
        n_pairs = min(n[t], n[t + place])
        here, there = starts[t], starts[t + place]
        yield slice(here, here + n_pairs), slice(there, there + n_pairs)
