"""A one-layer Transformer, written as a cell with the interface of `lstm_edu.cells.cell`.

For a text of T words, whose word t has the letter-trigram counts l(t), it computes the following
matrices, which have one row per word, and the embedding y:

    x = W l(t) + p(t)                           a word, and its position
    q = Wq x,  k = Wk x,  v = Wv x              split among the heads
    A = softmax(q k^T / sqrt d)                 d: the number of columns per head
    h = norm(x + Wo A v)                        every word attends to every word
    r = norm(h + W2 relu(W1 h + b1) + b2)       every word by itself
    y = mean of r over the words                the embedding

`norm` is layer normalisation. Its gain is stored as the difference from 1, because a model
initialises all weights near 0. Without positions there is no p(t), and the embedding ignores the
words' order. Lesson 17 derives the backward pass.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from lstm_edu._util import arguments
from lstm_edu.cells.cell import Cell
from lstm_edu.text.batch import input_gradient, sentence, sums, time

PLACES = 32  # number of learned positions; later words share the last position
EPSILON = 1e-5  # keeps the division by the standard deviation finite, as in PyTorch
FORBIDDEN = -1e9  # score of padding, whose attention weight is then exactly 0


class State(NamedTuple):
    """The embedding y of the text up to a word, and the word's attention a, averaged over heads."""

    y: np.ndarray
    a: np.ndarray


class Tape(NamedTuple):
    """The intermediate results that the backward pass needs.

    Arrays have one row per token, except ``q``, ``k``, ``v`` and ``A``, which are indexed by text
    and head: (N, n_heads, T, ...). ``backs`` has the backward passes of the two normalisations.
    """

    x: np.ndarray
    q: np.ndarray
    k: np.ndarray
    v: np.ndarray
    A: np.ndarray
    mixed: np.ndarray
    h: np.ndarray
    u: np.ndarray
    backs: tuple


@dataclass(frozen=True)
class Transformer(Cell):
    """A one-layer Transformer, whose embedding is the mean of its outputs.

    Parameters
    ----------
    n_cells : int
        Length of the embedding and of each word's vector. It must be a multiple of ``n_heads``.
    n_heads : int
    n_hidden : int
        Width of the feed-forward part.
    positions : bool
        Whether to add a learned vector for each word's position.
    """

    n_cells: int = 96
    n_heads: int = 4
    n_hidden: int = 192
    positions: bool = True

    states = {"y": "embedding y(t)", "a": "attention a(t)"}
    gates, drawn = ("a",), ("y", "a")

    def __post_init__(self):
        super().__post_init__()
        object.__setattr__(self, "positions", arguments.boolean("positions", self.positions))
        if self.n_cells % self.n_heads:
            arguments.refuse("n_heads", self.n_heads, f"a divisor of n_cells, {self.n_cells}")

    @property
    def size(self):
        """The length of the embedding."""
        return self.n_cells

    def shapes(self, n_trigrams):
        """Return the shape of each stored weight, keyed by name."""
        m, n = self.n_cells, self.n_hidden
        shapes = {"W": (n_trigrams, m)} | ({"P": (PLACES, m)} if self.positions else {})
        shapes |= dict.fromkeys(("Wq", "Wk", "Wv", "Wo"), (m, m))
        shapes |= {"W1": (m, n), "b1": (n,), "W2": (n, m), "b2": (m,)}
        return shapes | dict.fromkeys(("gain1", "shift1", "gain2", "shift2"), (m,))

    def params(self, weights):
        """Return transposed views of the weights, with one row per output."""
        return {name: w.T for name, w in weights.items()}

    # ---- in plain form, for texts of equal length

    def read_many(self, xp, params, L):
        """Compute the embeddings of texts of equal length; see `Cell.read_many`."""
        return [xp.mean(self.layer(xp, params(0), L)[0], axis=1)]

    def layer(self, xp, p, L):
        """Compute r of texts of equal length, (N, T, n_cells), and A, (N, n_heads, T, T)."""
        x = xp.stack([l @ p["W"].T for l in L], axis=1)
        if self.positions:
            x = x + xp.stack([p["P"].T[min(t, PLACES - 1)] for t in range(len(L))])
        N, T, m = x.shape

        def by_head(z):
            return xp.swapaxes(z.reshape(N, T, self.n_heads, m // self.n_heads), 1, 2)

        q, k, v = (by_head(x @ p[name].T) for name in ("Wq", "Wk", "Wv"))
        A = softmax(xp, q @ xp.swapaxes(k, 2, 3) / np.sqrt(m // self.n_heads))
        h = x + xp.swapaxes(A @ v, 1, 2).reshape(N, T, m) @ p["Wo"].T
        h = norm(xp, h, p["gain1"], p["shift1"])
        r = h + xp.maximum(h @ p["W1"].T + p["b1"], 0) @ p["W2"].T + p["b2"]
        return norm(xp, r, p["gain2"], p["shift2"]), A

    def read(self, params, L, state=None):
        """Read one text; return a `State` for each word."""
        A = self.layer(np, params, list(L[:, None]))[1][0].mean(axis=0) if len(L) else []
        return [State(output.y, a) for output, a in zip(super().read(params, L), A)]

    # ---- for training

    def forward(self, weights, batch):
        """Compute the embeddings of a batch, and the tape; see `Cell.forward`."""
        w = weights
        x = (batch.Wh @ w["W"])[batch.token]
        if self.positions:
            x += w["P"][places(batch)]
        q, k, v = (self.padded(batch, x @ w[name]) for name in ("Wq", "Wk", "Wv"))
        is_padding = np.arange(q.shape[2]) >= batch.lengths[:, None]
        scores = q @ k.swapaxes(2, 3) / np.sqrt(q.shape[3], dtype=q.dtype)
        A = softmax(np, np.where(is_padding[:, None, None], q.dtype.type(FORBIDDEN), scores))
        mixed = self.flat(batch, A @ v)
        h, back1 = normalise(x + mixed @ w["Wo"], w["gain1"], w["shift1"])
        u = np.maximum(h @ w["W1"] + w["b1"], 0)
        r, back2 = normalise(h + u @ w["W2"] + w["b2"], w["gain2"], w["shift2"])
        y = sums(sentence(batch), len(batch.order), r.dtype) @ r
        y /= np.maximum(batch.lengths, 1)[:, None].astype(r.dtype)
        return y, Tape(x, q, k, v, A, mixed, h, u, (back1, back2))

    def backward(self, weights, batch, tape, dy, truncate=None, errors=None, at_words=None):
        """Backpropagate dy, and return the gradient of all weights; see `Cell.backward`.

        The arguments after ``dy`` are ignored, because they are for recurrent cells.
        """
        w, g, text, (back1, back2) = weights, {}, sentence(batch), tape.backs
        dr = dy[text] / batch.lengths[text, None].astype(dy.dtype)
        dr, g["gain2"], g["shift2"] = back2(dr)
        g["W2"], g["b2"] = tape.u.T @ dr, dr.sum(axis=0)
        dz = (dr @ w["W2"].T) * (tape.u > 0)
        g["W1"], g["b1"] = tape.h.T @ dz, dz.sum(axis=0)
        dx, g["gain1"], g["shift1"] = back1(dr + dz @ w["W1"].T)
        g["Wo"] = tape.mixed.T @ dx
        dm = self.padded(batch, dx @ w["Wo"].T)
        dA, dv = dm @ tape.v.swapaxes(2, 3), tape.A.swapaxes(2, 3) @ dm
        dS = tape.A * (dA - (dA * tape.A).sum(axis=3, keepdims=True))
        dS /= np.sqrt(dm.shape[3], dtype=dm.dtype)
        for name, error in zip("qkv", (dS @ tape.k, dS.swapaxes(2, 3) @ tape.q, dv)):
            error = self.flat(batch, error)
            g[f"W{name}"] = tape.x.T @ error
            dx += error @ w[f"W{name}"].T
        if self.positions:
            g["P"] = np.zeros_like(w["P"])
            np.add.at(g["P"], places(batch), dx)
        return g | {"W": input_gradient(batch, [dx])}

    def padded(self, batch, z):
        """Reshape one row per token to (N, n_heads, T, d), padding the shorter texts with 0."""
        T, d = batch.lengths.max(initial=1), self.n_cells // self.n_heads
        by_text = np.zeros((len(batch.order), T, self.n_heads, d), z.dtype)
        by_text[sentence(batch), time(batch)] = z.reshape(-1, self.n_heads, d)
        return by_text.swapaxes(1, 2)

    def flat(self, batch, by_text):
        """Undo `padded`: return one row per token, (n_tokens, n_cells)."""
        z = by_text.swapaxes(1, 2)[sentence(batch), time(batch)]
        return z.reshape(-1, self.n_cells)


def places(batch):
    """Return each token's position, limited to the last learned position."""
    return np.minimum(time(batch), PLACES - 1)


def softmax(xp, S):
    """Compute exp S / sum exp S along the last axis."""
    e = xp.exp(S - xp.max(S, axis=-1, keepdims=True))
    return e / xp.sum(e, axis=-1, keepdims=True)


def norm(xp, x, gain, shift):
    """Compute layer normalisation along the last axis."""
    c = x - xp.mean(x, axis=-1, keepdims=True)
    return c / xp.sqrt(xp.mean(c * c, axis=-1, keepdims=True) + EPSILON) * (1 + gain) + shift


def normalise(x, gain, shift):
    """Apply layer normalisation to each row; return the result and a function, the backward pass.

    The backward pass takes the error of the result, and returns the errors of x, gain and shift.
    """
    c = x - x.mean(axis=1, keepdims=True)
    s = np.sqrt((c * c).mean(axis=1, keepdims=True) + x.dtype.type(EPSILON))
    unit = c / s

    def back(dn):
        du = dn * (1 + gain)
        along = (du * unit).mean(axis=1, keepdims=True)
        dx = (du - du.mean(axis=1, keepdims=True) - unit * along) / s
        return dx, (dn * unit).sum(axis=0), dn.sum(axis=0)

    return unit * (1 + gain) + shift, back
