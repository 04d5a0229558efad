"""Test parameters for aligned encoders: every kind of cell, with and without the embedding."""

import pytest
from conftest import HASHING, cell_name, sample

from lstm_edu import GRU, LSTM, RNN, AlignedEncoder, Attention, Bidirectional

CELLS = [RNN(3), GRU(2), LSTM(3, True, "full"), Bidirectional(LSTM(2, True, "diagonal"))]
CELLS += [Attention(LSTM(2)), Attention(Bidirectional(RNN(2)))]
every_cell = pytest.mark.parametrize("cell", CELLS, ids=cell_name)
embedding_on_and_off = pytest.mark.parametrize("with_embedding", [False, True])
# `make test` tries all cells with the embedding, which adds a second path for the error, and two
# cells without it; `make soak` tries the rest.
every_cell_and_embedding = pytest.mark.parametrize(
    "cell, with_embedding",
    sample(
        [(cell, with_embedding) for cell in CELLS for with_embedding in (False, True)],
        [(CELLS[0], False), (CELLS[5], False), *((cell, True) for cell in CELLS)],
    ),
    ids=str,
)
PAIRS = [("ab ba", "abc"), ("a b c", "cab"), ("cc", "ac b"), ("ab ba", "b c")] * 4


def unit(cell, with_embedding=False, dtype="float64"):
    return AlignedEncoder(cell, HASHING, 0, dtype, 1.0, tied=False, with_embedding=with_embedding)
