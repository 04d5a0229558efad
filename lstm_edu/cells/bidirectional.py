"""Two cells, one reading left to right and one right to left; their embeddings are joined (Table IV, last row)."""

from dataclasses import dataclass

import numpy as np

from ..files import InputError
from ..text import sentences
from .lstm import LSTM
from .rnn import RNN

DIRECTIONS = "forward", "backward"


@dataclass(frozen=True)
class Bidirectional:
    """A cell in both reading directions, each with weights of its own.

    Parameters
    ----------
    cell : LSTM or RNN
        ``n_cells`` in each direction. Names of weights are prefixed ``forward.`` and ``backward.``.
    """

    cell: LSTM | RNN

    def __post_init__(self):
        if not isinstance(self.cell, (LSTM, RNN)):
            raise InputError(f"cell: {self.cell!r:.60}; must be an LSTM or an RNN")

    @property
    def size(self):
        """Length of the embedding."""
        return 2 * self.cell.size

    def shapes(self, n_trigrams):
        """Names and shapes of the weights as they are kept."""
        return _joined({direction: self.cell.shapes(n_trigrams) for direction in DIRECTIONS})

    def params(self, weights):
        """The weights by the paper's names and orientation, as views."""
        return _joined(
            {direction: self.cell.params(part(weights, direction)) for direction in DIRECTIONS}
        )

    def read(self, params, L):
        """Run both cells over a sentence.

        Returns
        -------
        list of State, one a word
            In the order of the text, cells of both directions joined. The embedding is the forward
            half of the last and the backward half of the first.
        """
        forward = self.cell.read(part(params, "forward"), L)
        backward = self.cell.read(part(params, "backward"), L[::-1])[::-1]
        return [type(f)(*map(_concatenate, f, b)) for f, b in zip(forward, backward)]

    def forward(self, weights, batch):
        """Embeddings of a batch, (N, 2 n_cells), and the tapes of both directions."""
        tapes = [
            self.cell.forward(part(weights, direction), turned)
            for direction, turned in zip(DIRECTIONS, _both_ways(batch))
        ]
        return np.hstack([y for y, _ in tapes]), [tape for _, tape in tapes]

    def backward(self, weights, batch, tapes, dy, truncate=None, errors=None):
        """As the cell's; with ``truncate``, each direction counts from the word it reads last."""
        return _joined(
            {
                direction: self.cell.backward(
                    part(weights, direction), turned, tape, half, truncate, errors
                )
                for direction, turned, tape, half in zip(
                    DIRECTIONS, _both_ways(batch), tapes, np.hsplit(dy, 2)
                )
            }
        )


def part(weights, direction):
    """One direction's weights, without the prefix."""
    return {
        name.removeprefix(direction + "."): w
        for name, w in weights.items()
        if name.startswith(direction + ".")
    }


def _joined(parts):
    return {
        f"{direction}.{name}": w
        for direction, weights in parts.items()
        for name, w in weights.items()
    }


def _both_ways(batch):
    return batch, sentences.backwards(batch)


def _concatenate(f, b):
    return np.concatenate([f, b], axis=-1)
