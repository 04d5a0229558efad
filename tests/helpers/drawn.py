"""Functions that extract parts of a figure, and check its alternative text."""

import itertools

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.text import Text

from lstm_course.plots.alt_text import LONGEST


def check(draw, *data, says="", **shown):
    """Draw a figure, check its alternative text and its parts, and return the figure.

    The alternative text must contain ``says``. Each name in ``shown`` is a key of `SEEN`, such as
    ``lines``; its value lists the first parts of this kind that the figure must have.
    """
    figure = draw(*data)
    label = figure.get_label()
    assert says in label, label
    assert 40 < len(label) <= LONGEST and label.endswith("."), label
    assert "  " not in label and " ." not in label and "nan" not in label.split(), label
    for kind, expected in shown.items():
        found = SEEN[kind](figure)
        assert len(found) >= len(expected), found
        for part, wanted in zip(found, expected):
            if kind == "maps":
                np.testing.assert_allclose(part, wanted)
            else:
                assert part == pytest.approx(wanted)
    return figure


def texts(of):
    """Return the non-empty strings drawn as text on an axis, or on all axes of a figure."""
    return [text.get_text() for text in artists(of) if text.get_text()]


def artists(of):
    axes = [of] if isinstance(of, Axes) else of.axes
    return [text for axis in axes for text in axis.texts]


def arrows(of):
    found = (getattr(text, "arrow_patch", None) for text in artists(of))
    return [arrow for arrow in found if arrow]


def ticks(axis, of="y"):
    return [tick.get_text() for tick in getattr(axis, f"get_{of}ticklabels")()]


def legend(axis):
    return [text.get_text() for text in axis.get_legend().get_texts()]


def xs(line):
    return list(line.get_xdata())


def ys(line):
    return list(line.get_ydata())


def widths(axis):
    return [bar.get_width() for bar in axis.patches]


def heights(axis):
    return [bar.get_height() for bar in axis.patches]


SEEN = {  # functions that extract parts of a figure, keyed by kind of part
    "lines": lambda figure: [ys(line) for axis in figure.axes for line in axis.lines],
    "across": lambda figure: [xs(line) for axis in figure.axes for line in axis.lines],
    "maps": lambda figure: [i.get_array() for axis in figure.axes for i in axis.images],
    "widths": lambda figure: [width for axis in figure.axes for width in widths(axis)],
    "heights": lambda figure: [height for axis in figure.axes for height in heights(axis)],
    "texts": texts,
    "rows": lambda figure: ticks(figure.axes[0]),
    "columns": lambda figure: ticks(figure.axes[0], "x"),
    "names": lambda figure: [
        text for axis in figure.axes if axis.get_legend() for text in legend(axis)
    ],
    "titles": lambda figure: [axis.get_title(loc="left") for axis in figure.axes],
    "scales": lambda figure: [
        scale for a in figure.axes for scale in (a.get_xscale(), a.get_yscale())
    ],
}


def names_are_apart(axis):
    """Return whether the labels beside an axis's lines don't overlap vertically."""
    renderer = FigureCanvasAgg(axis.figure).get_renderer()
    axis.figure.draw(renderer)
    boxes = [Text.get_window_extent(text, renderer) for text in axis.texts]
    ends = sorted(box.intervaly.tolist() for box in boxes)
    return all(below[1] <= above[0] + 1 for below, above in itertools.pairwise(ends))
