"""Elements shared by all plots, and colours that colour-blind readers can tell apart."""

import numpy as np
from matplotlib import colormaps

from .alt_text import shown
from .figure import Figure, style

COLOURS = {
    "query": "#0072B2",  # blue and orange are reserved for query and document
    "document": "#D55E00",
    "LSTM": "#332288",
    "RNN": "#999933",
    "GRU": "#44AA99",
    "words in common": "#B8860B",
    "random order": "#CCCCCC",
    "content": "#117733",
    "filler": "#B8860B",
    "words": "#000000",
    "trigrams": "#CC79A7",
    "i": "#AA4499",
    "f": "#999999",
    "c": "#332288",
    "o": "#117733",
    "yg": "#B8860B",
    "y": "#000000",
}
# colour map for the values of a setting, from dark to light
SEQUENCE = "viridis"
FAINT = "#999999"
ERROR = "#882255"  # colour of errors in the backward pass, whose arrows are also dashed
GATES, STATES = "Greys", "RdBu_r"  # colour maps for values from 0 to 1, and for signed values
BACK = {"color": ERROR, "linestyle": (0, (4, 2)), "linewidth": 1.3}  # arrow style of errors
LINES = "-", "--", "-.", ":", (0, (6, 1, 1, 1, 1, 1)), (0, (1, 1))

LONGEST = 14  # maximum number of characters of a word on an axis


@style()
def subplots(*args, figsize=None, grid=None, **kwargs):
    """Return a figure in the lessons' style and its axes, as `plt.subplots` does.

    ``grid`` draws grid lines on all axes: "x", "y" or "both". The figure isn't registered with
    pyplot, so any backend will do, and Jupyter doesn't show the figure a second time.
    """
    figure = Figure(figsize=figsize)
    axes = figure.subplots(*args, **kwargs)
    for axis in figure.axes if grid else ():
        axis.grid(axis=grid)
    return figure, axes


def shades(n):
    """Return n colours for the values of a setting, from dark to light, without the palest."""
    return colormaps[SEQUENCE](np.linspace(0, 0.82, n))


def looks(n):
    """Return n styles for lines, each with its colour, line style and marker."""
    return [
        {"color": colour, "linestyle": line, "marker": mark}
        for colour, line, mark in zip(shades(n), LINES, "osD^vP")
    ]


def as_text(text):
    """Escape dollar signs, so that Matplotlib doesn't parse the text as a formula."""
    return shown(text).replace("$", r"\$")


def name_words(axis, words, upright=False):
    """Label the x axis with words at 45°, or at 90° if ``upright``."""
    short = [word if len(word) <= LONGEST else word[: LONGEST - 1] + "…" for word in words]
    slanted = {"rotation": 45, "ha": "right", "rotation_mode": "anchor"}
    turned = {"rotation": 90} if upright else slanted
    axis.set_xticks(range(len(words)), map(as_text, short), **turned)
    axis.tick_params(axis="x", length=0)


def name_rows(axis, names, room=0.5):
    """Label the y axis with one name per row, from the top."""
    axis.set_yticks(range(len(names)), names)
    axis.set_ylim(max(len(names), 1) - 1 + room, -room)


def bare(axis):
    """Remove the frame and tick marks of an axis, but not its labels."""
    axis.spines[:].set_visible(False)
    axis.tick_params(which="both", length=0)


def note(axis, x, y, text, right=0, up=0, **look):
    """Write text at (x, y), shifted by ``right`` and ``up`` points."""
    look = {"va": "center", "fontsize": 9} | look
    axis.annotate(text, (x, y), (right, up), textcoords="offset points", **look)


def band(axis, x, low, middle, high, color, **look):
    """Draw a line through ``middle``, and a band from ``low`` to ``high``."""
    axis.plot(x, middle, color=color, **look)
    axis.fill_between(x, low, high, color=color, alpha=0.25, linewidth=0)


def over_seeds(axis, runs, color, name, **look):
    """Plot the mean and the range of seeds' runs by epoch; return the line's end for `name_ends`.

    ``runs`` has one row per seed and one column per epoch.
    """
    low, mean, high = np.min(runs, axis=0), np.mean(runs, axis=0), np.max(runs, axis=0)
    epochs = np.arange(1, len(mean) + 1)
    band(axis, epochs, low, mean, high, color, label=name, **look)
    return epochs[-1], mean[-1], name, color


def interval(axis, row, mean, low, high, color="black", marker="o", **look):
    """Draw a mean as a marker in a row, and its interval unless ``low`` is None."""
    if low is not None:
        axis.plot([low, high], [row, row], color=color, linewidth=1.5)
    axis.plot(mean, row, color=color, marker=marker, **look)


def name_ends(axis, ends, least=0.07):
    """Label each line at its end, shifting the labels so that they don't overlap.

    Parameters
    ----------
    axis : matplotlib axis
        Its limits must be final.
    ends : list of (x, y, name, colour)
    least : float
        The minimum distance between two names, as a share of the axis's height.
    """
    to_axis = axis.transData + axis.transAxes.inverted()
    ends = sorted(ends, key=lambda end: end[1])
    places = [to_axis.transform(end[:2])[1] for end in ends]
    for _ in range(200):
        for k in range(len(places) - 1):
            short = max(0, least - (places[k + 1] - places[k]))
            places[k] -= short / 2
            places[k + 1] += short / 2
        places = [max(place, 0.03 + least * k) for k, place in enumerate(places)]
    for (x, y, name, colour), place in zip(ends, places):
        line = dict(arrowstyle="-", color=colour, linewidth=0.8, shrinkA=1, shrinkB=1)
        look = dict(textcoords="axes fraction", va="center", fontsize=9, arrowprops=line)
        at = to_axis.transform((x, y))[0] + 0.03, place
        axis.annotate(name, (x, y), at, **look)
