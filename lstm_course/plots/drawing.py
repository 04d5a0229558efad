"""Elements of drawings: a canvas without axes, texts, boxes, arrows."""

import numpy as np
from matplotlib.patches import FancyBboxPatch, Rectangle

from .style import bare, name_words, subplots


def canvas(width, height, xlim=None, ylim=None):
    """Make a figure without axes, in inches, or in the units of the limits, equal in x and y."""
    figure, axis = subplots(figsize=(width, height))
    axis.set(xlim=xlim or (0, width), ylim=ylim or (0, height), aspect="equal" if xlim else "auto")
    axis.axis("off")
    return figure, axis


def write(axis, x, y, text, **look):
    """Write a text around (x, y)."""
    axis.text(x, y, text, **{"ha": "center", "va": "center"} | look)


def rectangle(axis, x, y, width, height, **look):
    """Draw a rectangle with its corner at (x, y); by default a black frame."""
    look = {"fill": "facecolor" in look, "edgecolor": "black", "linewidth": 2} | look
    axis.add_patch(Rectangle((x, y), width, height, **look))


def box(axis, x, y, width, height, text="", colour="black", fontsize=9, **look):
    """Draw a box around (x, y), and its text."""
    look = {"facecolor": "white", "edgecolor": "#333333", "linewidth": 1, "zorder": 3} | look
    corner, style = (x - width / 2, y - height / 2), "round,pad=0,rounding_size=0.08"
    axis.add_patch(FancyBboxPatch(corner, width, height, boxstyle=style, **look))
    write(axis, x, y, text, color=colour, fontsize=fontsize, zorder=4)


def arrow(axis, start, end, **look):
    """Draw an arrow from one point to another; ``look`` is matplotlib's arrowprops."""
    look = dict(arrowstyle="-|>", color="black", linewidth=1, shrinkA=0, shrinkB=0) | look
    axis.annotate("", end, start, zorder=2.5, arrowprops=look)


def gap(axis, x, low, high, zorder=2):
    """Draw a gap in the lines that cross a vertical one."""
    look = {"color": "white", "linewidth": 5, "solid_capstyle": "butt", "zorder": zorder}
    axis.plot([x, x], [low, high], **look)


def numbers(axis, values, text, on_dark, rows, words, **look):
    """Draw a map of values with their texts, white on dark, and name its rows and columns."""
    image = axis.imshow(values, aspect="auto", **look)
    for (row, column), value in np.ndenumerate(values):
        colour = "white" if on_dark[row, column] else "black"
        write(axis, column, row, text(value), fontsize=9, color=colour)
    axis.set_yticks(range(len(rows)), rows)
    name_words(axis, words)
    bare(axis)
    return image


def share(value):
    """Format a share with two digits."""
    return f"{value:.2f}" if value else "0"
