"""Plots of a model that reads a text word by word (Figs. 4-6, 8-12)."""

import numpy as np
from matplotlib import colormaps

from lstm_edu.analysis import inspection
from lstm_edu.analysis.inspection import most_active_cells
from lstm_edu.text.hashing import words

from .alt_text import count, listed, number, quoted, span
from .drawing import rectangle, write
from .style import COLOURS, GATES, STATES, as_text, bare, name_words, subplots
from .tables import table

MANY = 12  # number of words of a text above which only two maps fit
DARK = -0.6  # values below DARK * limit are dark blue, so their marks are white
TITLE = {"x": 0.01, "ha": "left", "fontsize": 11}
SIDES = {"query": "query", "document": "title"}


def gate_maps(trace, names=None, gates=(0, 1), title=None):
    """Draw heat maps of gates and states, cell by word, side by side (Figs. 4, 5, 8-10).

    All gates share one colour scale, and all other states another, which goes from -limit to
    limit. Values below -limit / 5 are marked –.

    Parameters
    ----------
    trace : SimpleNamespace
        From `lstm_edu.DualEncoder.trace`.
    names : sequence of str, optional
        Names of states, such as "i", "f", "o", "c", "y", "yg" of an LSTM; by default the cell's
        attribute ``drawn``.
    gates : pair of float or "used"
        The limits of the gates' scale; "used" for the range in this trace.
    title : str, optional
    """
    names = trace.cell.drawn if names is None else names
    n_words, n_cells = trace.y.shape
    if gates == "used":
        values = [getattr(trace, name) for name in names if name in trace.cell.gates]
        gates = min(map(np.min, values), default=0), max(map(np.max, values), default=1)
    size = min(2.4 + max(0.26 * n_words, 1.3) * len(names), 9.5), 1.2 + 0.115 * n_cells
    figure, axes = subplots(1, len(names), figsize=size, sharey=True, squeeze=False)
    _maps(figure, axes[0], trace, names, gates)
    ranges = [f"{trace.cell.states[name]} {span(getattr(trace, name))}" for name in names]
    return figure.says(
        _titled(figure, title),
        f"Maps of {count(n_cells, 'cell')} by {count(n_words, 'word')}, "
        f"{listed(map(quoted, trace.words), 5)}: {listed(ranges, 6)}.",
    )


def _titled(figure, title):
    """Set a figure's title; return it as a sentence, or "" if it is missing or long."""
    if title:
        figure.suptitle(as_text(title), **TITLE)
    return f"{title.strip().rstrip('.')}." if title and len(title) <= 120 else ""


def _maps(figure, axes, trace, names, gates=(0, 1)):
    """Draw the maps of `gate_maps` on the axes, and one colour bar per scale."""
    signed = [name for name in names if name not in trace.cell.gates]
    limit = max([np.abs(getattr(trace, name)).max() for name in signed], default=1)
    n_words, n_cells = trace.y.shape
    images, row = {}, 0.7 * 72 * figure.get_figheight() / n_cells  # row: height of a row in points
    scales = (STATES, -limit, limit), (GATES, *gates)
    extent = -0.5, n_words - 0.5, n_cells - 0.5, -0.5
    for name, axis in zip(names, axes):
        # a map of attention weights has a single row, or one per word, instead of one per cell
        values = np.atleast_2d(getattr(trace, name).T)
        cmap, low, high = scales[name in trace.cell.gates]
        look = {"aspect": "auto", "extent": extent, "vmin": low, "vmax": high}
        image = axis.imshow(values, cmap=cmap, **look)
        images[name in trace.cell.gates] = image
        # mark negative values so they are still visible in black and white
        for cell, word in np.argwhere(values < -limit / 5):
            colour = "white" if values[cell, word] < DARK * limit else "black"
            ends = word + np.array([-0.22, 0.22])
            axis.plot(ends, [cell, cell], color=colour, linewidth=min(1, 0.4 * row))
        axis.set_title(trace.cell.states[name].replace("y_g", "$y_g$"))
        name_words(axis, trace.words, upright=n_words > 5 and len(names) > 1)
        bare(axis)
    states = " and ".join(f"{name}(t)" for name in signed).replace("yg", "$y_g$")
    part = "gates: 0 shut, 1 open" if tuple(gates) == (0, 1) else "gates, on part of their scale"
    bar = {"fraction": 0.05 if len(images) > 1 else 0.08, "pad": 0.01, "aspect": 25}
    for is_gate, image in images.items():
        label = part if is_gate else f"{states} (–: negative)"
        figure.colorbar(image, ax=axes, label=label, **bar)
    axes[0].set_ylabel("cell")
    axes[0].set_yticks(range(0, n_cells, max(1, n_cells // 8)))


def words_read(trace, t, n=10, title=None):
    """Draw the gate maps up to one word, and a bar chart of the cells most active after it.

    The word is framed, and later words are pale. The colour scales fit the whole text.

    Parameters
    ----------
    trace : SimpleNamespace
        From `lstm_edu.DualEncoder.trace`.
    t : int
        The word's index.
    n : int
        The number of most active cells to show.
    title : str, optional
    """
    names = trace.cell.drawn
    n_words, n_cells = trace.y.shape
    if n_words > MANY:
        names = list(dict.fromkeys([names[0], "y"]))
    cells, limit = most_active_cells(trace.y[: t + 1], n), 1.05 * np.abs(trace.y).max()
    widths = [4 / len(names)] * len(names) + [1.1]
    figure, axes = subplots(1, len(widths), figsize=(9.5, 4.4), width_ratios=widths)
    *maps, bars = axes
    _maps(figure, maps, trace, names)
    for axis in maps:
        axis.axvspan(t + 0.5, n_words - 0.5, color="white", alpha=0.8, linewidth=0, zorder=3)
        rectangle(axis, t - 0.5, -0.5, 1, n_cells, linewidth=1.5, clip_on=False, zorder=4)
        axis.get_xticklabels()[t].set_fontweight("bold")
    for axis in maps[1:]:
        axis.set_yticks([])
    y, places = trace.y[t, cells], range(len(cells))[::-1]
    blue_or_red = colormaps[STATES](np.where(y < 0, 0.1, 0.9))  # use the same colours as the maps
    bars.barh(places, y, 0.7, color=blue_or_red)
    bars.axvline(0, color="black", linewidth=0.8)
    bars.set_yticks(places, cells)
    bars.set(title="most active cells", xlabel="y(t)", xlim=(-limit, limit))
    active = [f"{cell} ({number(value)})" for cell, value in zip(cells, y)]
    return figure.says(
        _titled(figure, title),
        f"Gate maps after word {t + 1} of {n_words}, {quoted(trace.words[t])}; the most active of "
        f"{count(n_cells, 'cell')}, with y(t): {listed(active)}.",
    )


def active_cells(model, query, title, n=10):
    """Draw y(t) of the cells that are most active at the end of a query and of a title (Fig. 6).

    Cells that are among the most active for both texts come first, in the same rows, ordered by
    their activity for the query. The other cells of each text follow.

    Parameters
    ----------
    model : DualEncoder
        A model with a cell that reads left to right.
    query, title : str
    n : int
        The number of cells per text.
    """
    traces = model.trace(query, "query"), model.trace(title, "document")
    cells = [most_active_cells(trace.y, n).tolist() for trace in traces]
    shared = [cell for cell in cells[0] if cell in cells[1]]
    cells = [shared + [cell for cell in side if cell not in shared] for side in cells]
    shown = [trace.y[:, side] for trace, side in zip(traces, cells)]
    limit = max(np.abs(y).max() for y in shown)
    widths = [max(len(trace.words), 3) for trace in traces]
    size = min(1.9 + 0.55 * sum(widths), 9.5), 4.2
    figure, axes = subplots(1, 2, figsize=size, width_ratios=widths)
    for axis, trace, y, rows, role in zip(axes, traces, shown, cells, SIDES):
        image = axis.imshow(y.T, cmap=STATES, vmin=-limit, vmax=limit, aspect="auto")
        name_words(axis, trace.words)
        axis.set_yticks(range(len(rows)), rows)
        for label, row in zip(axis.get_yticklabels(), rows):
            label.set_fontweight("bold" if row in shared else "normal")
        for word, row in np.argwhere(y < -limit / 10):  # mark negative values, as in `_maps`
            colour = "white" if y[word, row] < DARK * limit else "black"
            write(axis, word, row, "–", fontsize=12, color=colour)
        if 0 < len(shared) < len(rows):
            axis.axhline(len(shared) - 0.5, color="white", linewidth=4)
        axis.set_title(SIDES[role], color=COLOURS[role])
        bare(axis)
    axes[0].set_ylabel("cell (bold: on both sides)")
    axes[1].set_ylabel("cell")
    figure.colorbar(image, ax=axes, label="output y(t) (–: negative)", fraction=0.05, pad=0.02)
    return figure.says(
        f"y(t) of the {count(len(cells[0]), 'most active cell')}, word by word: query "
        f"{quoted(query)} {span(shown[0])} and title {quoted(title)} {span(shown[1])}.",
        f"On both sides: {listed(sorted(shared), 10)}.",
    )


def assigned_cells(model, text, side="query", n=10, large=inspection.LARGE):
    """Tabulate how many cells are assigned to each word, and its keywords (Tables I, II, IX, X).

    Parameters
    ----------
    model, text, side, n, large
        As for `lstm_edu.analysis.inspection.assigned_cells`.

    Returns
    -------
    Table
        One column per word, and one row of counts per reading direction, with – for the first
        word read. A last row marks keywords.
    """
    counts = inspection.assigned_cells(model, text, side, n, large)
    rows = [
        (name, *("–" if np.isnan(count) else f"{count:.0f}" for count in row))
        for name, row in zip(("left to right", "right to left"), counts)
    ]
    rows.append(("keyword", *("yes" if yes else "" for yes in inspection.keywords(counts, n))))
    return table(rows, f"cells of {n}", *words(text))
