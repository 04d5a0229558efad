"""What a figure has drawn."""

import itertools

from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.text import Text


def texts(of):
    """The texts of an axis or of a figure's axes, but for those that are empty."""
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


def titles(figure):
    return [axis.get_title(loc="left") for axis in figure.axes]


def xs(line):
    return list(line.get_xdata())


def ys(line):
    return list(line.get_ydata())


def widths(axis):
    return [bar.get_width() for bar in axis.patches]


def heights(axis):
    return [bar.get_height() for bar in axis.patches]


def on_each_other(figure):
    """The texts that lie over another or leave the figure."""
    renderer = FigureCanvasAgg(figure).get_renderer()
    figure.draw(renderer)
    boxes = [(a.get_text(), a.get_window_extent(renderer)) for a in artists(figure) if a.get_text()]
    pairs = itertools.combinations(boxes, 2)
    found = [(one, other) for (one, a), (other, b) in pairs if a.overlaps(b)]
    inside = lambda box: all(figure.bbox.contains(*corner) for corner in (box.min, box.max))
    return found + [one for one, box in boxes if not inside(box)]


def names_are_apart(axis):
    """Whether the names beside an axis's lines lie one above another, but for the lines to them."""
    renderer = FigureCanvasAgg(axis.figure).get_renderer()
    axis.figure.draw(renderer)
    boxes = [Text.get_window_extent(text, renderer) for text in axis.texts]
    ends = sorted(box.intervaly.tolist() for box in boxes)
    return all(below[1] <= above[0] + 1 for below, above in itertools.pairwise(ends))
