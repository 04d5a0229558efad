"""The figures of lesson 14."""

import numpy as np
from drawn import texts
from matplotlib.patches import Rectangle

from lstm_course import plots


def boxes(axis):
    return [patch for patch in axis.patches if isinstance(patch, Rectangle)]


def test_a_padded_batch_beside_a_packed_one():
    padded, packed = plots.packed([["a"], ["b", "c", "d"], ["e", "$"]]).axes
    assert len(boxes(padded)) == 9 and len(boxes(packed)) == 6
    told = texts(packed)
    # time by time, the longest first, and below how many are read
    assert [t for t in told if "\n" in t] == ["b\n1", "e\n2", "a\n3", "c\n4", "\\$\n5", "d\n6"]
    assert [t for t in told if t.isdigit()] == ["3", "2", "1"]
    assert [t for t in texts(padded) if t.isdigit()] == ["3", "3", "3"]
    assert "9" in padded.get_title("left") and "6" in packed.get_title("left")


def test_both_books_and_the_bottom_are_in_the_picture():
    points, ahead = np.array([[-4.0, 1.5], [-3.0, 0.5]]), np.array([[-4.0, 1.5], [-2.0, -0.5]])
    (axis,) = plots.two_books(points, ahead, ahead, [1.0, 12.0]).axes
    by_label = {line.get_label(): line.get_xydata() for line in axis.lines}
    assert np.array_equal(by_label["Λ of (6)"], points)
    theirs = by_label["what torch.optim.SGD calls the weights"]
    assert np.array_equal(theirs, by_label["Λ + μ ΔΛ: where (6) looks next"])
    assert axis.get_xlim()[1] > 0 and axis.get_ylim()[0] < 0


def test_rows_that_wait_and_the_updates_that_touch_them():
    ways = {"dense": np.arange(5.0), "sparse": np.zeros(5), "ours": np.zeros(5)}
    (axis,) = plots.rows_that_wait(ways, [1, 3]).axes
    assert [line.get_label() for line in axis.lines] == list(ways)
    assert [(box.get_x(), box.get_width()) for box in axis.patches] == [(0, 1), (2, 1)]
    assert axis.lines[1].get_zorder() > axis.lines[2].get_zorder()  # of two alike one on top
