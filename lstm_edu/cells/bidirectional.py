"""A cell that reads a text in both directions and concatenates the two embeddings.

The model in the last row of Table IV uses such a cell.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from .._util import arguments
from ..text.batch import backwards, mirror
from .cell import Cell, Recurrent

DIRECTIONS = "forward", "backward"


class Tape(NamedTuple):
    """The tapes of both directions, and the result of `lstm_edu.text.batch.mirror`."""

    forward: Any
    backward: Any
    mirrored: np.ndarray

    @property
    def y(self):
        """The concatenated outputs of both directions at every word: (n_tokens, 2 n_cells)."""
        return np.hstack([self.forward.y, self.backward.y[self.mirrored]])


@dataclass(frozen=True)
class Bidirectional(Cell):
    """A recurrent cell that reads in both directions, with separate weights.

    Parameters
    ----------
    cell : Recurrent
        The cell to use in each direction. The names of the two directions' weights start with
        ``forward.`` and ``backward.``.
    """

    cell: Recurrent

    def __post_init__(self):
        word_by_word = "a cell that reads word by word, such as LSTM(96)"
        arguments.instance("cell", self.cell, Recurrent, word_by_word)
        sparse = frozenset(f"{way}.{name}" for way in DIRECTIONS for name in self.cell.sparse)
        self._borrow(self.cell, directions=2, sparse=sparse)

    @property
    def size(self):
        """The length of the embedding."""
        return 2 * self.cell.size

    def shapes(self, n_trigrams):
        """Return the shape of each stored weight, keyed by name."""
        return _joined(self.cell.shapes(n_trigrams) for _ in DIRECTIONS)

    def params(self, weights):
        """Return views of the weights with the paper's names and orientation."""
        return _joined(self.cell.params(part(weights, way)) for way in DIRECTIONS)

    def read(self, params, L, state=None):
        """Run both directions over a sentence from zero states; ``state`` is ignored.

        Returns
        -------
        list of State, one per word
            The states of both directions, concatenated, in the order of the text. The embedding is
            the forward half of the last output and the backward half of the first.
        """
        forward = self.cell.read(part(params, "forward"), L)
        backward = self.cell.read(part(params, "backward"), L[::-1])[::-1]
        return [type(f)(*map(_concatenate, f, b)) for f, b in zip(forward, backward)]

    def read_many(self, xp, params, L):
        """Compute the outputs of both directions, concatenated; see `Cell.read_many`."""

        def read(way, turned):
            return self.cell.read_many(xp, lambda left: part(params(left), way), turned)

        forward, backward = map(read, DIRECTIONS, (L, L[::-1]))
        return [xp.concatenate(both, axis=1) for both in zip(forward, backward[::-1])]

    def embedding(self, xp, params, y):
        """Return each direction's output at the word that it reads last; see `Cell.embedding`."""
        m = self.cell.size
        return xp.concatenate([y[-1][:, :m], y[0][:, m:]], axis=1)

    def forward(self, weights, batch):
        """Compute the (N, 2 n_cells) embeddings and the tapes of both directions."""
        (y, forward), (y_back, backward) = (
            self.cell.forward(part(weights, way), turned)
            for way, turned in zip(DIRECTIONS, (batch, backwards(batch)))
        )
        return np.hstack([y, y_back]), Tape(forward, backward, mirror(batch))

    def backward(self, weights, batch, tape, dy, truncate=None, errors=None, at_words=None):
        """Run the cell's backward pass in both directions; see `Cell.backward`.

        ``truncate`` counts from the word that each direction reads last.
        """
        dy, halves = np.hsplit(dy, 2), (None, None)
        if at_words is not None:
            forward, backward = np.hsplit(at_words, 2)
            halves = forward, backward[tape.mirrored]
        turned = batch, backwards(batch)
        return _joined(
            self.cell.backward(part(weights, way), texts, read, half, truncate, errors, words)
            for way, texts, read, half, words in zip(DIRECTIONS, turned, tape, dy, halves)
        )


def part(weights, way):
    """Return the weights of one direction, with the prefix removed from their names."""
    prefix = way + "."
    return {name.removeprefix(prefix): w for name, w in weights.items() if name.startswith(prefix)}


def _joined(parts):
    return {f"{way}.{name}": w for way, ws in zip(DIRECTIONS, parts) for name, w in ws.items()}


def _concatenate(f, b):
    return np.concatenate([f, b], axis=-1)
