import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg

from lstm_course import plots


def drawn(figure):
    """The figure's texts, after it has been drawn without an error."""
    figure.draw(FigureCanvasAgg(figure).get_renderer())
    return [text.get_text() for axis in figure.axes for text in axis.texts]


def test_step_parts_keep_their_order_whatever_they_wait_for():
    took = {
        "a": (3.0, 1.0, "memory"),
        "b": (9.0, 12.0, "arithmetic"),
        "c": (2.0, 0.0, "memory"),
        "d": (1.0, 0.5, "both"),
    }
    figure = plots.step_parts(took)
    assert drawn(figure) == ["3.0", "9.0", "2.0", "1.0"]
    axis = figure.axes[0]
    assert [label.get_text() for label in axis.get_yticklabels()] == list(took)
    bars = {round(bar.get_y() + bar.get_height() / 2): bar for bar in axis.patches}
    assert [bars[k].get_width() for k in range(4)] == [3, 9, 2, 1]
    assert bars[0].get_hatch() == bars[2].get_hatch() != bars[1].get_hatch() != bars[3].get_hatch()
    assert [(line.get_xdata()[0], np.mean(line.get_ydata())) for line in axis.lines] == [
        (1, 0),
        (12, 1),
        (0, 2),
        (0.5, 3),
    ]
    # the first part is at the top
    assert axis.get_xlim()[1] > 12 and axis.get_ylim()[0] > axis.get_ylim()[1]
    assert axis.get_legend_handles_labels()[1].count("memory") == 1


def test_step_ways_says_what_was_not_measured():
    figure = plots.step_ways(
        {
            "paper": {"by hand": 94.3, "PyTorch": None, "floor": 4.26},
            "classroom": {"by hand": 9.14, "PyTorch": 1412.0, "floor": 2.0},
        }
    )
    assert drawn(figure) == ["94", "not measured", "4.3", "9.1", "1,412", "2.0"]
    for axis in figure.axes:
        assert axis.get_xscale() == "log" and axis.get_xlim()[0] < 2 and axis.get_xlim()[1] > 1412
    assert [bar.get_width() for bar in figure.axes[0].patches] == [94.3, 0, 4.26]
    assert [label.get_text() for label in figure.axes[0].get_yticklabels()] == [
        "by hand",
        "PyTorch",
        "floor",
    ]


def test_coasting_draws_both_ways_and_each_touch():
    dense, lazy = np.array([1.0, 1.5, 2.0, 2.2]), np.array([0.0, 1.5, 1.5, 2.2])
    figure = plots.coasting(dense, lazy, [1, 3])
    drawn(figure)
    axis = figure.axes[0]
    touch, other, black, blue, circles = axis.lines
    # updates count from 1
    assert [touch.get_xdata()[0], other.get_xdata()[0]] == [2, 4] == circles.get_xdata().tolist()
    np.testing.assert_array_equal(black.get_xydata(), np.column_stack([range(1, 5), dense]))
    # it stays where it is until it is moved
    assert blue.get_ydata().tolist() == lazy.tolist() and blue.get_drawstyle() == "steps-post"
    assert circles.get_ydata().tolist() == [1.5, 2.2]
    assert axis.get_legend_handles_labels()[1].count("touched") == 1


def test_touched_rows_and_a_pairs_share_of_them():
    n, rows = np.array([16, 64, 256]), {"query": [160, 320, 512], "document": [1600, 3200, 5000]}
    figure = plots.touched_rows(n, rows, 6000)
    assert drawn(figure) == ["all 6,000 rows"]
    left, right = figure.axes
    for line, share, values in zip(left.lines, right.lines, rows.values()):
        assert line.get_ydata().tolist() == values and share.get_ydata() == pytest.approx(
            np.array(values) / n
        )
    low, high = left.get_ylim()
    assert 10 < low < 160 and high > 6000  # limits that suit a log scale
    assert left.get_xscale() == right.get_yscale() == "log" and right.get_legend_handles_labels()[
        1
    ] == ["queries", "titles"]
