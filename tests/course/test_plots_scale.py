import numpy as np
import pytest
from drawn import texts, ticks, widths, xs, ys

from lstm_course import plots


def test_step_parts_keep_their_order_whatever_they_wait_for():
    took = {
        "a": (3.0, 1.0, "memory"),
        "b": (9.0, 12.0, "arithmetic"),
        "c": (2.0, 0.0, "memory"),
        "d": (1.0, 0.5, "both"),
    }
    axis = plots.step_parts(took).axes[0]
    assert texts(axis) == ["3.0", "9.0", "2.0", "1.0"] and ticks(axis) == list(took)
    a, b, c, d = sorted(axis.patches, key=lambda bar: bar.get_y())
    assert [bar.get_width() for bar in (a, b, c, d)] == [3, 9, 2, 1]
    assert a.get_hatch() == c.get_hatch() != b.get_hatch() != d.get_hatch()
    floors = [(xs(line)[0], np.mean(ys(line))) for line in axis.lines]
    assert floors == [(1, 0), (12, 1), (0, 2), (0.5, 3)]
    # the first part is at the top
    assert axis.get_xlim()[1] > 12 and axis.get_ylim()[0] > axis.get_ylim()[1]
    assert axis.get_legend_handles_labels()[1].count("memory") == 1


def test_step_ways_says_what_was_not_measured():
    paper = {"by hand": 94.3, "PyTorch": None, "floor": 4.26}
    classroom = {"by hand": 9.14, "PyTorch": 1412.0, "floor": 2.0}
    figure = plots.step_ways({"paper": paper, "classroom": classroom})
    assert texts(figure) == ["94", "not measured", "4.3", "9.1", "1,412", "2.0"]
    for axis in figure.axes:
        assert axis.get_xscale() == "log" and axis.get_xlim()[0] < 2 and axis.get_xlim()[1] > 1412
    assert widths(figure.axes[0]) == [94.3, 0, 4.26] and ticks(figure.axes[0]) == list(paper)


def test_coasting_draws_both_ways_and_each_touch():
    dense, lazy = np.array([1.0, 1.5, 2.0, 2.2]), np.array([0.0, 1.5, 1.5, 2.2])
    axis = plots.coasting(dense, lazy, [1, 3]).axes[0]
    touch, other, black, blue, circles = axis.lines
    # updates count from 1
    assert [xs(touch)[0], xs(other)[0]] == [2, 4] == xs(circles)
    assert (xs(black), ys(black)) == ([1, 2, 3, 4], list(dense))
    # it stays where it is until it is moved
    assert ys(blue) == list(lazy) and blue.get_drawstyle() == "steps-post"
    assert ys(circles) == [1.5, 2.2]
    assert axis.get_legend_handles_labels()[1].count("touched") == 1


def test_touched_rows_and_a_pairs_share_of_them():
    n, rows = np.array([16, 64, 256]), {"query": [160, 320, 512], "document": [1600, 3200, 5000]}
    figure = plots.touched_rows(n, rows, 6000)
    left, right = figure.axes
    assert texts(figure) == ["all 6,000 rows"]
    for line, share, values in zip(left.lines, right.lines, rows.values()):
        assert ys(line) == values and ys(share) == pytest.approx(np.array(values) / n)
    low, high = left.get_ylim()
    assert 10 < low < 160 and high > 6000  # limits that suit a log scale
    assert left.get_xscale() == right.get_yscale() == "log"
    assert right.get_legend_handles_labels()[1] == ["queries", "titles"]
