"""The figures of the series, one function each, in one style.

Every function returns a matplotlib figure. Roles keep their colours, which can be told apart by the
colour-blind and in grey.
"""
import html
from typing import NamedTuple

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.ticker import LogLocator, NullFormatter

from . import inspection
from .inspection import most_active_cells

COLOURS = {"query": "#0072B2", "document": "#D55E00", "LSTM": "#0072B2", "words in common": "#E69F00", "random order": "#CCCCCC"}
STYLE = {"font.size": 10, "axes.titlesize": 11, "axes.titlelocation": "left", "axes.labelsize": 10, "xtick.labelsize": 9, "ytick.labelsize": 9,
         "legend.fontsize": 9, "legend.frameon": False, "axes.spines.top": False, "axes.spines.right": False,
         "figure.dpi": 100, "savefig.dpi": 100, "figure.constrained_layout.use": True, "axes.axisbelow": True}


def table(rows, *columns):
    """A table for a notebook: HTML, and aligned text where there is no HTML.

    Parameters
    ----------
    rows : list of sequences
    columns : str
        The head.

    Returns
    -------
    Table
    """
    return Table([[str(value) for value in row] for row in rows], list(columns))


class Table(NamedTuple):
    """Rows and head of a table, all str."""

    rows: list
    columns: list

    def _repr_html_(self):
        head, *body = ("".join(f"<{tag} style='text-align: left'>{html.escape(value)}</{tag}>" for value in row)
                       for tag, row in [("th", self.columns), *(("td", row) for row in self.rows)])
        return f"<table><thead><tr>{head}</tr></thead><tbody>" + "".join(f"<tr>{row}</tr>" for row in body) + "</tbody></table>"

    def __repr__(self):
        widths = [max(map(len, column)) for column in zip(self.columns, *self.rows)]
        return "\n".join("  ".join(value.ljust(width) for value, width in zip(row, widths)).rstrip() for row in [self.columns, *self.rows])


def _subplots(*args, **kwargs):
    with plt.rc_context(STYLE):
        figure, axes = plt.subplots(*args, **kwargs)
    plt.close(figure)                   # the notebook shows what a cell returns, once
    return figure, axes


def active_cells(model, query, title, n=10):
    """y(t) of the cells that are most active at the end, word by word, for a query and a title (Fig. 6).

    Parameters
    ----------
    model : DualEncoder
        Of a cell that reads left to right.
    query, title : str
    n : int
        Cells a side.
    """
    traces = model.trace(query, "query"), model.trace(title, "document")
    shown = [trace.y[:, most_active_cells(trace.y, n)] for trace in traces]
    cells = [most_active_cells(trace.y, n) for trace in traces]
    shared = set(cells[0]) & set(cells[1])
    limit = max(np.abs(y).max() for y in shown)
    widths = [max(len(trace.words), 3) for trace in traces]
    with plt.rc_context(STYLE):
        figure, axes = _subplots(1, 2, figsize=(1.9 + 0.55 * sum(widths), 4.2), width_ratios=widths)
        for axis, trace, y, rows, role in zip(axes, traces, shown, cells, ("query", "document")):
            image = axis.imshow(y.T, cmap="RdBu_r", vmin=-limit, vmax=limit, aspect="auto")
            axis.set_xticks(range(len(trace.words)), trace.words, rotation=45, ha="right", rotation_mode="anchor")
            axis.set_yticks(range(len(rows)), rows)
            for label, row in zip(axis.get_yticklabels(), rows):
                label.set_fontweight("bold" if row in shared else "normal")
            for word, row in np.argwhere(y < -limit / 10):                # told apart from + in grey, too
                axis.annotate("–", (word, row), ha="center", va="center", fontsize=12, color="white" if y[word, row] < -limit / 2 else "black")
            axis.set_title("title" if role == "document" else role, color=COLOURS[role])
            axis.spines[:].set_visible(False)
            axis.tick_params(length=0)
        axes[0].set_ylabel("cell (bold: on both sides)")
        axes[1].set_ylabel("cell")
        figure.colorbar(image, ax=axes, label="output y(t)", fraction=0.05, pad=0.02)
    return figure


def cost_curve(history, guess=None):
    """The cost per pair over the epochs, on a log axis.

    Parameters
    ----------
    history : dict
        As `lstm_edu.train` returns it.
    guess : float, optional
        The cost of a model that guesses, drawn as a line.
    """
    with plt.rc_context(STYLE):
        figure, axis = _subplots(figsize=(5.5, 3))
        epochs = np.arange(1, len(history["cost"]) + 1)
        axis.plot(epochs, history["cost"], color=COLOURS["LSTM"], marker="o", markersize=4)
        if guess is not None:
            axis.axhline(guess, color="black", linestyle="--", linewidth=1)
            axis.annotate("guessing", (epochs[-1], guess), xytext=(0, -4), textcoords="offset points", ha="right", va="top", fontsize=9)
        axis.set_yscale("log")
        axis.yaxis.set_major_locator(LogLocator(subs=(1, 2, 3, 5)))
        axis.yaxis.set_major_formatter("{x:g}")
        axis.yaxis.set_minor_formatter(NullFormatter())
        axis.set_xlabel("epoch (once through all pairs)")
        axis.set_ylabel("cost per pair, nats (log scale)")
        axis.grid(axis="y", color="#EEEEEE")
    return figure


def ndcg_bars(results):
    """nDCG at 1, 3 and 10 of several rankers, with intervals.

    Parameters
    ----------
    results : dict
        By ranker: a dict of nDCG name to (mean, low, high).
    """
    names = list(next(iter(results.values())))
    with plt.rc_context(STYLE):
        figure, axis = _subplots(figsize=(6.5, 3.2))
        width = 0.8 / len(results)
        for k, (ranker, values) in enumerate(results.items()):
            mean, low, high = np.array([values[name] for name in names]).T
            x = np.arange(len(names)) + (k - (len(results) - 1) / 2) * width
            axis.bar(x, mean, 0.92 * width, color=COLOURS[ranker], label=ranker)
            axis.errorbar(x, mean, [mean - low, high - mean], fmt="none", ecolor="black", capsize=3, linewidth=1)
            for x_, m, h in zip(x, mean, high):
                axis.annotate(f"{m:.2f}", (x_, h), xytext=(0, 3), textcoords="offset points", ha="center", fontsize=9)
        axis.set_xticks(range(len(names)), names)
        axis.set_ylim(0, 1.1)
        axis.set_yticks(np.arange(0, 1.01, 0.2))
        axis.set_ylabel("mean nDCG over the judged queries")
        axis.legend(ncols=len(results), loc="upper left", bbox_to_anchor=(0, 1.14))
    return figure


def steps(traces):
    """How far the output moves at each word, |y(t) - y(t-1)|, for a query and a title.

    The first word is hatched: it always starts from 0, and the paper leaves it out (footnote 3).

    Parameters
    ----------
    traces : dict
        By side, "query" and "document", what `lstm_edu.DualEncoder.trace` returned.
    """
    sizes = {side: inspection.steps(trace.y) for side, trace in traces.items()}
    widths = [max(len(trace.words), 3) for trace in traces.values()]
    with plt.rc_context(STYLE):
        figure, axes = _subplots(1, len(traces), figsize=(1.6 + 0.55 * sum(widths), 3), width_ratios=widths, sharey=True)
        for axis, (side, trace) in zip(axes, traces.items()):
            bars = axis.bar(range(len(trace.words)), sizes[side], 0.7, color=COLOURS[side])
            bars[0].set(facecolor="white", edgecolor=COLOURS[side], hatch="///")
            axis.set_xticks(range(len(trace.words)), trace.words, rotation=45, ha="right", rotation_mode="anchor")
            axis.set_title("title" if side == "document" else side, color=COLOURS[side])
            axis.tick_params(axis="x", length=0)
        axes[0].set_ylabel("length of y(t) − y(t−1)")
    return figure
