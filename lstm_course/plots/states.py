"""What an RNN and an LSTM hold after each word: all of it, or one cell of it (Eq. (1)-(2))."""

import numpy as np
from matplotlib.patches import Rectangle

from .alt_text import count, course, listed, quoted, says, span
from .style import COLOURS, STATES, as_text, name_words, style, subplots


def states(words, panels):
    """Vectors that change from word to word, number by number, on one scale of colours;
    the last column is framed.

    Parameters
    ----------
    words : list of str
    panels : dict
        By title, (n_words, n_cells).
    """
    limit = max(np.abs(values).max() for values in panels.values())
    with style():
        figure, axes = subplots(
            1, len(panels), figsize=(1.2 + 2.3 * len(panels), 3.3), squeeze=False
        )
        for axis, (title, values) in zip(axes[0], panels.items()):
            image = axis.imshow(values.T, cmap=STATES, vmin=-limit, vmax=limit, aspect="auto")
            for (word, cell), value in np.ndenumerate(values):
                axis.text(
                    word,
                    cell,
                    f"{round(value, 1) + 0:.1f}".replace("-", "−"),
                    ha="center",
                    va="center",
                    fontsize=9,
                    color="white" if abs(value) > 0.6 * limit else "black",
                )
            last, n_cells = len(words) - 1, values.shape[1]
            axis.add_patch(
                Rectangle(
                    (last - 0.5, -0.5),
                    1,
                    n_cells,
                    fill=False,
                    edgecolor="black",
                    linewidth=2,
                    clip_on=False,
                )
            )
            axis.set_title(as_text(title))
            axis.set_yticks(range(n_cells))
            name_words(axis, words)
            axis.spines[:].set_visible(False)
            axis.tick_params(length=0)
        axes[0, 0].set_ylabel("cell")
        figure.colorbar(image, ax=axes, label="value", fraction=0.05, pad=0.02)
    ranges = [f"{title} {span(values)}" for title, values in panels.items()]
    return says(
        figure,
        f"Numbers on one scale of colours, cells by {count(len(words), 'word')}, "
        f"{listed(map(quoted, words))}: {listed(ranges)}.",
    )


def cell_by_word(panels):
    """One LSTM cell while it reads: what enters, i(t) y_g(t), as bars, and its c(t) and y(t).

    Parameters
    ----------
    panels : dict
        By title, (trace, cell): what `lstm_edu.DualEncoder.trace` returned, and which cell of it;
        drawn two a row.
    """
    n_columns = min(len(panels), 2)
    n_rows = -(-len(panels) // n_columns)
    same_words = len({tuple(trace.words) for trace, _ in panels.values()}) == 1
    with style():
        figure, axes = subplots(
            n_rows,
            n_columns,
            figsize=(4.2 * n_columns + 0.3, 2.2 * n_rows + 1.1),
            sharex=same_words,
            sharey=True,
            squeeze=False,
        )
        for axis, (title, (trace, cell)) in zip(axes.flat, panels.items()):
            t = np.arange(len(trace.words))
            axis.axhline(0, color="black", linewidth=0.8)
            bars = axis.bar(
                t,
                (trace.i * trace.yg)[:, cell],
                0.6,
                color="white",
                edgecolor=COLOURS["yg"],
                hatch="////",
            )
            (c,) = axis.plot(t, trace.c[:, cell], color=COLOURS["c"], marker="o", markersize=5)
            (y,) = axis.plot(
                t, trace.y[:, cell], color=COLOURS["y"], linestyle="--", marker="s", markersize=4
            )
            axis.set_title(as_text(title))
            name_words(axis, trace.words)
        for row in axes:
            row[0].set_ylabel("value")
        figure.legend(
            [bars, c, y],
            ["enters: $i(t)\\,y_g(t)$", "cell state $c(t)$", "output $y(t)$"],
            loc="outside upper left",
            ncols=3,
        )
    said = [
        f"{quoted(title)}: c {course(trace.c[:, cell].round(3))}"
        + (f"; y {course(trace.y[:, cell].round(3))}" if len(panels) < 3 else "")
        for title, (trace, cell) in panels.items()
    ]
    return says(figure, f"One cell, word by word. {listed(said, between='. ')}.")
