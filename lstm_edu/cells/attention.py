"""Attention: the embedding is a weighted mean of a cell's outputs at all words.

For the output y(t) of a cell that reads word by word, in one direction or both,

    s(t) = u^T y(t),    a(t) = exp s(t) / sum_t' exp s(t'),    y = sum_t a(t) y(t)

Every word therefore receives an error. With e = dL/dy, the error of the embedding,

    dL/ds(t) = a(t) e^T (y(t) - y)
    dL/dy(t) = a(t) e + dL/ds(t) u
    dL/du    = sum_t dL/ds(t) y(t)

The errors dL/dy(t) then go back through the cell, where errors from later words are added.

``truncate`` counts from the text's last word, as in other cells, and not from each word that
receives an error. A word followed by more than ``truncate`` words is read and scored with constant
weights: it contributes to the embedding, but not to the gradient of the cell's weights or
of u. In a bidirectional cell, ``truncate`` counts in each direction from the word read last, and
applies to that direction's half of y(t) and of u.
"""

from collections import namedtuple
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from .._util import arguments
from ..text.batch import sentence, sums, time
from .bidirectional import Bidirectional
from .cell import Cell, Recurrent


class Tape(NamedTuple):
    """The intermediate results of the forward pass that the backward pass needs.

    Attributes
    ----------
    cell
        The tape of the inner cell.
    y : (n_tokens, size)
        The inner cell's output at every word.
    a : (n_tokens,)
        The attention weight of every word.
    embedding : (N, size)
    """

    cell: Any
    y: np.ndarray
    a: np.ndarray
    embedding: np.ndarray


@dataclass(frozen=True)
class Attention(Cell):
    """A cell whose embedding is the attention-weighted mean of its outputs at all words.

    Parameters
    ----------
    cell : Cell
        A cell that reads word by word, in one direction or both. The weights of Attention
        are this cell's weights and ``u``.
    """

    cell: Recurrent | Bidirectional

    def __post_init__(self):
        word_by_word = "a cell that reads word by word, such as LSTM(96), without attention"
        is_read = isinstance(self.cell, Cell) and self.cell.recurrent
        if not is_read or "u" in self.cell.shapes(1):
            arguments.refuse("cell", self.cell, word_by_word)
        self._borrow(
            self.cell,
            states=self.cell.states | {"a": "attention a(t)"},
            gates=(*self.cell.gates, "a"),
            drawn=(*self.cell.drawn, "a"),
            printed=None,
        )

    @property
    def size(self):
        """The length of the embedding."""
        return self.cell.size

    def shapes(self, n_trigrams):
        """Return the shape of each stored weight, keyed by name."""
        return self.cell.shapes(n_trigrams) | {"u": (self.size,)}

    def params(self, weights):
        """Return views of the weights with the paper's names and orientation."""
        return self.cell.params(weights) | {"u": weights["u"]}

    def read(self, params, L, state=None):
        """Return the states of the inner cell and a(t) at every word; see `Cell.read`."""
        states = self.cell.read(params, L, state)
        if not states:
            return []
        a = _softmax(np, np.array([state.y @ params["u"] for state in states]))
        State = namedtuple("State", [*states[0]._fields, "a"])
        return [State(*state, a_t) for state, a_t in zip(states, a)]

    def read_many(self, xp, params, L):
        """Compute the outputs of the inner cell; see `Cell.read_many`."""
        return self.cell.read_many(xp, params, L)

    def embedding(self, xp, params, y):
        """Compute sum_t a(t) y(t); see `Cell.embedding`."""
        n, m = len(y), self.size // self.directions

        def u(t):
            left = n - 1 - t, t  # number of words that each direction has yet to read
            parts = [params(left[k])["u"][k * m : (k + 1) * m] for k in range(self.directions)]
            return xp.concatenate(parts)

        y = xp.stack(y)
        s = xp.sum(y * xp.stack([u(t)[None] for t in range(n)]), axis=2)
        return xp.sum(_softmax(xp, s)[:, :, None] * y, axis=0)

    def forward(self, weights, batch):
        """Return sum_t a(t) y(t) for each text, and the tape; see `Cell.forward`."""
        (_, tape), text = self.cell.forward(weights, batch), sentence(batch)
        y, N = tape.y, len(batch.order)  # a bidirectional tape.y is concatenated on each access
        s = y @ weights["u"]
        largest = np.full(N, -np.inf, s.dtype)
        np.maximum.at(largest, text, s)
        e, of_text = np.exp(s - largest[text]), sums(text, N, s.dtype)
        a = e / (of_text @ e)[text]
        embedding = of_text @ (a[:, None] * y)
        return embedding, Tape(tape, y, a, embedding)

    def backward(self, weights, batch, tape, dy, truncate=None, errors=None, at_words=None):
        """Backpropagate through the softmax, then through the cell; see `Cell.backward`."""
        text = sentence(batch)
        e = dy[text]  # for each word, the error of its text's embedding
        ds = tape.a * ((tape.y - tape.embedding[text]) * e).sum(axis=1)
        dwords = tape.a[:, None] * e + ds[:, None] * weights["u"]
        if at_words is not None:
            dwords += at_words
        y = tape.y
        if truncate is not None:
            y = np.where(self._is_near(time(batch), batch.lengths[text], truncate), y, 0)
        # pass zeros in place of dy, because dwords already includes the last output's error
        none = np.zeros_like(dy)
        back = self.cell.backward(weights, batch, tape.cell, none, truncate, errors, dwords)
        return back | {"u": ds @ y}

    def _is_near(self, t, length, truncate):
        """Return a (…, size) mask of the entries of y(t) that truncated backpropagation reaches.

        At most ``truncate`` words follow such an entry in its reading direction.
        """
        after, before = np.broadcast_arrays(length - 1 - t, t)
        near = np.stack([after, before][: self.directions], axis=-1) <= truncate
        return np.repeat(near, self.size // self.directions, axis=-1)


def _softmax(xp, s):
    e = xp.exp(s - xp.max(s, axis=0, keepdims=True))
    return e / xp.sum(e, axis=0)
