"""Plots of the states of an RNN or LSTM after each word: all cells, or one (lesson 02)."""

import numpy as np

from .alt_text import count, course, listed, quoted, span
from .drawing import numbers, rectangle
from .style import COLOURS, STATES, as_text, name_words, subplots

ENTERS = {"color": "white", "edgecolor": COLOURS["yg"], "hatch": "////"}


def states(words, panels):
    """Draw state vectors word by word as coloured tables, with the last vector framed.

    Parameters
    ----------
    words : list of str
    panels : dict
        Keyed by panel title: (n_words, n_cells).
    """
    limit = max(np.abs(values).max() for values in panels.values())
    rounded = lambda value: f"{round(value, 1) + 0:.1f}".replace("-", "−")  # never −0.0
    look = {"cmap": STATES, "vmin": -limit, "vmax": limit}
    size = 1.2 + 2.3 * len(panels), 3.3
    figure, axes = subplots(1, len(panels), figsize=size, squeeze=False)
    for axis, (title, values) in zip(axes[0], panels.items()):
        n_cells, on_dark = values.shape[1], np.abs(values.T) > 0.6 * limit
        image = numbers(axis, values.T, rounded, on_dark, range(n_cells), words, **look)
        rectangle(axis, len(words) - 1.5, -0.5, 1, n_cells, clip_on=False)
        axis.set_title(as_text(title))
    axes[0, 0].set_ylabel("cell")
    figure.colorbar(image, ax=axes, label="value", fraction=0.05, pad=0.02)
    ranges = [f"{title} {span(values)}" for title, values in panels.items()]
    return figure.says(
        f"Numbers on one scale of colours, cells by {count(len(words), 'word')}, "
        f"{listed(map(quoted, words))}: {listed(ranges)}.",
    )


def cell_by_word(panels):
    """Plot one LSTM cell word by word: its gated input i(t) y_g(t) as bars, c(t), and y(t).

    Parameters
    ----------
    panels : dict
        Keyed by panel title: (trace, cell), a result of `lstm_edu.DualEncoder.trace` and the cell's
        index. There are two panels per row.
    """
    n_columns, n_rows = min(len(panels), 2), -(-len(panels) // 2)
    size = 4.2 * n_columns + 0.3, 2.2 * n_rows + 1.1
    same_words = len({tuple(trace.words) for trace, _ in panels.values()}) == 1
    shared = {"sharex": same_words, "sharey": True, "squeeze": False}
    figure, axes = subplots(n_rows, n_columns, figsize=size, **shared)
    said = []
    for axis, (title, (trace, cell)) in zip(axes.flat, panels.items()):
        i_yg, c, y = (values[:, cell] for values in (trace.i * trace.yg, trace.c, trace.y))
        axis.axhline(0, color="black", linewidth=0.8)
        bars = axis.bar(range(len(y)), i_yg, 0.6, **ENTERS)
        state = axis.plot(c, "o-", color=COLOURS["c"], markersize=5)
        output = axis.plot(y, "s--", color=COLOURS["y"], markersize=4)
        axis.set_title(as_text(title))
        name_words(axis, trace.words)
        short = f"; y {course(y.round(3))}" if len(panels) < 3 else ""
        said.append(f"{quoted(title)}: c {course(c.round(3))}{short}")
    for row in axes:
        row[0].set_ylabel("value")
    names = "enters: $i(t)\\,y_g(t)$", "cell state $c(t)$", "output $y(t)$"
    figure.legend([bars, *state, *output], names, loc="outside upper left", ncols=3)
    return figure.says(f"One cell, word by word. {listed(said, between='. ')}.")
