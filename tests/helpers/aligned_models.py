"""Models of aligned words over cells of every kind."""

import pytest
from conftest import HASHING, cell_name, sample

from lstm_edu import GRU, LSTM, RNN, AlignedEncoder, Attention, Bidirectional

CELLS = [RNN(3), GRU(2), LSTM(3, True, "full"), Bidirectional(LSTM(2, True, "diagonal"))]
CELLS += [Attention(LSTM(2)), Attention(Bidirectional(RNN(2)))]
every_cell = pytest.mark.parametrize("cell", CELLS, ids=cell_name)
alone_and_with_the_embedding = pytest.mark.parametrize("both", [False, True])
# with the embedding errors arrive at the words, too: of the others one in each direction, and
# make soak has the rest
every_cell_and_both = pytest.mark.parametrize(
    "cell, both",
    sample(
        [(cell, both) for cell in CELLS for both in (False, True)],
        [(CELLS[0], False), (CELLS[5], False), *((cell, True) for cell in CELLS)],
    ),
    ids=str,
)
PAIRS = [("ab ba", "abc"), ("a b c", "cab"), ("cc", "ac b"), ("ab ba", "b c")] * 4


def unit(cell, both=False, dtype="float64"):
    return AlignedEncoder(cell, HASHING, 0, dtype, 1.0, tied=False, with_embedding=both)
