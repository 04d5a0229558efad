"""Everything that reads a text: the RNN (1), the LSTM (2), GRU, DSSM, CLSM, and both directions.

Lessons 02, 04 and 05. `cell.py` says what a cell must have; a new one is one file. Uses: text.
"""

from .bidirectional import Bidirectional
from .clsm import CLSM
from .dssm import DSSM
from .gru import GRU
from .lstm import LSTM
from .rnn import RNN

CELLS = RNN, LSTM, GRU, Bidirectional, DSSM, CLSM
