"""The figures of lesson 12."""

import numpy as np
from drawn import texts, ticks, titles

from lstm_course import plots


def test_the_nearest_word_of_each_row_is_framed():
    R = np.array([[0.1, 0.9, -0.4], [0.5, 0.2, 0.3]])
    figure = plots.aligned_words(R, ["inns", "$"], ["a", "hotels", "b"])
    (axis,) = figure.axes
    framed = [tuple(np.round(np.add(p.get_xy(), 0.47), 6)) for p in axis.patches]
    assert framed == [(1, 0), (0, 1)]  # column and row
    assert ticks(axis) == ["inns", r"\$"]
    assert "−0.40" in texts(axis)
    assert "“inns” with “hotels” (0.9)" in figure.get_label() and "R, is 0.7" in figure.get_label()


def test_rates_are_drawn_kind_by_kind_with_their_intervals():
    rates = {
        "thing": {"letters": (0.5, 0.4, 0.6), "chance": (0.25, None, None)},
        "intent": {"letters": (0.4, 0.3, 0.5), "chance": (0.45, None, None)},
    }
    figure = plots.found_partners(rates)
    assert titles(figure) == ["thing", "intent"]
    lines = [line.get_xydata().tolist() for line in figure.axes[0].lines]
    assert lines == [[[0.4, 0], [0.6, 0]], [[0.5, 0]], [[0.25, 1]]]
    assert "thing: letters 50%, chance 25%" in figure.get_label().replace(" and ", ", ")
