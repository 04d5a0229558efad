"""Everything that reads a text: what a cell is, the RNN (1), the LSTM (2), GRU, DSSM and CLSM, and any of them in both directions.

Lessons 02, 04 and 05. `cell.py` says what a cell must have; a new one is one file. Uses: text.
"""
