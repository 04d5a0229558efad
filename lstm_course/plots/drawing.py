"""Elements of diagrams: a canvas without axes, text, boxes, arrows, tables of numbers."""

import numpy as np
from matplotlib.patches import FancyBboxPatch, Rectangle

from .style import bare, name_words, subplots


def canvas(width, height, xlim=None, ylim=None):
    """Make a figure whose axis is hidden.

    Coordinates are in inches, unless ``xlim`` and ``ylim`` set other limits; then x and y have the
    same scale.
    """
    figure, axis = subplots(figsize=(width, height))
    axis.set(xlim=xlim or (0, width), ylim=ylim or (0, height), aspect="equal" if xlim else "auto")
    axis.axis("off")
    return figure, axis


def write(axis, x, y, text, **look):
    """Write text centred at (x, y); ``look`` is passed to matplotlib's text."""
    axis.text(x, y, text, **{"ha": "center", "va": "center"} | look)


def rectangle(axis, x, y, width, height, **look):
    """Draw a rectangle with its lower left corner at (x, y), by default a black outline."""
    look = {"fill": "facecolor" in look, "edgecolor": "black", "linewidth": 2} | look
    axis.add_patch(Rectangle((x, y), width, height, **look))


def box(axis, x, y, width, height, text="", colour="black", fontsize=9, **look):
    """Draw a rounded box centred at (x, y), with text in it; return the box."""
    look = {"facecolor": "white", "edgecolor": "#333333", "linewidth": 1, "zorder": 3} | look
    corner, style = (x - width / 2, y - height / 2), "round,pad=0,rounding_size=0.08"
    write(axis, x, y, text, color=colour, fontsize=fontsize, zorder=4)
    return axis.add_patch(FancyBboxPatch(corner, width, height, boxstyle=style, **look))


def arrow(axis, start, end, name="", aside=(0, 0), ha="left", fontsize=10, **look):
    """Draw an arrow, and write its name at an offset ``aside`` from the arrow's middle.

    ``look`` is passed to matplotlib as ``arrowprops``.
    """
    look = dict(arrowstyle="-|>", color="black", linewidth=1, shrinkA=0, shrinkB=0) | look
    axis.annotate("", end, start, zorder=2.5, arrowprops=look)
    if name:
        middle = np.add(start, end) / 2 + aside
        write(axis, *middle, name, ha=ha, fontsize=fontsize, color=look["color"])


def link(axis, start, end, aside=0, space=4, **look):
    """Draw an arrow from one box to another, and return the midpoint of their centres.

    The arrow is shifted by ``aside`` to the right of the line from centre to centre, and leaves a
    gap of ``space`` points at each box.
    """
    start_at, end_at = (box.get_bbox().get_points().mean(axis=0) for box in (start, end))
    across, up = end_at - start_at
    shift = aside * np.array([up, -across]) / np.hypot(across, up)
    look = dict(patchA=start, patchB=end, shrinkA=space, shrinkB=space, mutation_scale=10) | look
    arrow(axis, start_at + shift, end_at + shift, **look)
    return (start_at + end_at) / 2


def gap(axis, x, low, high, zorder=2):
    """Draw a white gap in horizontal lines at x, where a vertical line crosses them."""
    look = {"color": "white", "linewidth": 5, "solid_capstyle": "butt", "zorder": zorder}
    axis.plot([x, x], [low, high], **look)


def numbers(axis, values, text, on_dark, rows, words, **look):
    """Draw a matrix as a coloured table of its numbers, and return the matplotlib image.

    Parameters
    ----------
    axis : matplotlib axis
    values : (n_rows, n_columns)
    text : function
        Formats a value.
    on_dark : (n_rows, n_columns) of bool
        Whether the number is white.
    rows, words : list of str
        The names of the rows and the columns.
    look
        Arguments of matplotlib's imshow.
    """
    image = axis.imshow(values, aspect="auto", **look)
    for (row, column), value in np.ndenumerate(values):
        colour = "white" if on_dark[row, column] else "black"
        write(axis, column, row, text(value), fontsize=9, color=colour)
    axis.set_yticks(range(len(rows)), rows)
    name_words(axis, words)
    bare(axis)
    return image


def share(value):
    """Format a fraction with two decimals, but 0 as "0"."""
    return f"{value:.2f}" if value else "0"
