"""Lesson 05a: the lines of the package that its table names."""

import inspect

from executed import cells_of

import lstm_edu


def test_lines_beside_formulas_are_those_of_the_package():
    (cell,) = (cell for cell in cells_of("05a_bptt_lstm") if cell["id"] == "05-17l")
    names = {}
    exec("".join(cell["source"]).partition("plots.table")[0], names)
    source = inspect.getsource(lstm_edu.LSTM.errors)
    assert [line for _, line in names["lines"] if line not in source] == []
