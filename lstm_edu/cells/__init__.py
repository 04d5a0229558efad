"""The cells, which embed texts: RNN, LSTM, GRU, DSSM, CLSM, bag, bidirectional and attention.

Lessons 02, 04, 05a and 12. `cell.py` defines the interface; adding a cell takes one file.
"""

from .attention import Attention
from .bag import Bag
from .bidirectional import Bidirectional
from .clsm import CLSM
from .dssm import DSSM
from .gru import GRU
from .lstm import LSTM
from .rnn import RNN

CELLS = RNN, LSTM, GRU, Bidirectional, Attention, DSSM, CLSM, Bag
