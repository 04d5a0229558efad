"""A model while it reads a text, word by word (Figs. 4-6, 8-12)."""
import numpy as np

from .. import inspection
from ..inspection import most_active_cells
from .style import COLOURS, name_words, style, subplots


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
    with style():
        figure, axes = subplots(1, 2, figsize=(1.9 + 0.55 * sum(widths), 4.2), width_ratios=widths)
        for axis, trace, y, rows, role in zip(axes, traces, shown, cells, ("query", "document")):
            image = axis.imshow(y.T, cmap="RdBu_r", vmin=-limit, vmax=limit, aspect="auto")
            name_words(axis, trace.words)
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
    with style():
        figure, axes = subplots(1, len(traces), figsize=(1.6 + 0.55 * sum(widths), 3), width_ratios=widths, sharey=True)
        for axis, (side, trace) in zip(axes, traces.items()):
            bars = axis.bar(range(len(trace.words)), sizes[side], 0.7, color=COLOURS[side])
            bars[0].set(facecolor="white", edgecolor=COLOURS[side], hatch="///")
            name_words(axis, trace.words)
            axis.set_title("title" if side == "document" else side, color=COLOURS[side])
        axes[0].set_ylabel("length of y(t) − y(t−1)")
    return figure
