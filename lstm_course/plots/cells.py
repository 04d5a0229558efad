"""Plots of cells, their topics and assigned words (Figs. 11, 12; lesson 09)."""

import numpy as np

from lstm_edu.analysis import inspection

from .alt_text import count, listed, number, quoted
from .drawing import arrow
from .style import COLOURS, FAINT, GATES, as_text, band, bare, note, subplots

END = 1.75  # the x axis goes from -END to END
LOOKS = ({"color": "black", "linestyle": "-"}, {"color": "#117733", "linestyle": (0, (4, 2))})


def two_cells(panels, names, groups):
    """Draw two-dimensional embeddings as arrows.

    The background is grey where coordinate 0 is the larger one in size, and white elsewhere.

    Parameters
    ----------
    panels : dict
        Keyed by the name of the coordinates, such as "cell": the embeddings, (n_texts, 2).
    names : list of str
        The texts' names.
    groups : (n_texts,) of 0 or 1
        The group of each text. Group 1 has dashed arrows.
    """
    panels = {kind: np.asarray(y, float) for kind, y in panels.items()}
    low = min(0, *(y[:, 1].min() for y in panels.values())) - 0.35
    size = 4.3 * len(panels), 2.5
    figure, axes = subplots(1, len(panels), figsize=size, sharey=True, squeeze=False)
    for axis, (kind, y) in zip(axes[0], panels.items()):
        for side in (-END, END):
            axis.fill([0, side, side], [0, -END, END], color=FAINT, alpha=0.22, linewidth=0)
        for end, name, group in zip(y, names, groups):
            _arrow(axis, end, name, **LOOKS[group])
        axis.set(xlim=(-END, END), ylim=(low, 1.3), aspect="equal")
        axis.set(xticks=[-1, 0, 1], yticks=[y for y in (-1, 0, 1) if y > low])
        axis.set(xlabel=f"{kind} 0 (grey: most active)", ylabel=f"{kind} 1 (white)")
    said = [
        f"{quoted(name)} ({number(a)}, {number(b)}), {kind} {int(abs(b) > abs(a))}"
        for kind, y in panels.items()
        for name, (a, b) in zip(names, y)
    ]
    return figure.says(
        f"{count(len(names), 'embedding')} as arrows, and the most active of both numbers: "
        f"{listed(said, most=8)}.",
    )


def _arrow(axis, end, name, color, linestyle):
    """Draw an embedding as an arrow, with its name at the tip."""
    arrow(axis, (0, 0), end, color=color, linestyle=linestyle, linewidth=1.8)
    (x, y), steep = end, abs(end[0]) < abs(end[1])
    look = {"ha": "left" if x > 0 else "right", "va": "center", "color": color, "fontsize": 10}
    if steep:
        look |= {"ha": "center", "va": "bottom" if y > 0 else "top"}
    note(axis, x, y, as_text(name), 0 if steep else 4 * np.sign(x), 5 * np.sign(y), **look)


def topics_by_cell(counts, topics):
    """Draw heat maps of each topic's share of the texts that activate a cell, one column per cell.

    Parameters
    ----------
    counts : dict
        Keyed by the name of the columns, such as "cell": (n_cells, n_topics), from
        `lstm_edu.analysis.inspection.cells_by_topic`.
    topics : sequence of str
    """
    shares = {
        kind: each / np.maximum(each.sum(axis=1, keepdims=True), 1) for kind, each in counts.items()
    }
    size = 1.4 + 4 * len(shares), 4.2
    figure, axes = subplots(1, len(shares), figsize=size, sharey=True, squeeze=False)
    darkest, said = max(map(np.max, shares.values())), []
    for axis, (kind, share) in zip(axes[0], shares.items()):
        # cells that are never active come last
        commonest = np.where(share.any(axis=1), share.argmax(axis=1), len(topics))
        order = np.lexsort((-share.max(axis=1), commonest))  # sort cells by their commonest topic
        image = axis.imshow(share[order].T, cmap=GATES, vmin=0, vmax=darkest, aspect="auto")
        axis.set(xticks=[], xlabel=f"each {kind}, sorted by its commonest topic")
        axis.set_yticks(range(len(topics)), map(as_text, topics))
        bare(axis)
        most, idle = quoted(topics[share.max(axis=0).argmax()]), np.sum(~share.any(axis=1))
        said.append(f"{kind}, at most {share.max():.0%}, of {most}, and {idle} never active")
    figure.colorbar(image, ax=axes[0], label="share of its queries", pad=0.01)
    topics = count(len(topics), "topic")
    return figure.says(
        f"The share of {topics} in a column's queries: {listed(said, between='; ')}."
    )


def large_enough(shares):
    """Plot how many cells are assigned to a word, by the bound above which a change is large.

    There is one line for content words and one for filler words.

    Parameters
    ----------
    shares : dict
        Keyed by kind of word, "content" and "filler", then by bound: (mean, low, high) of the
        number of assigned cells, out of ten.
    """
    default = inspection.LARGE
    figure, axis = subplots(figsize=(6, 3.2))
    for (kind, values), line in zip(shares.items(), ("-", "--")):
        bounds, (mean, low, high) = list(values), np.transpose(list(values.values()))
        look = {"linestyle": line, "linewidth": 2, "label": f"{kind} words"}
        band(axis, bounds, low, mean, high, COLOURS[kind], **look)
        at = len(bounds) // 2  # put the label to the right of the default's line
        note(axis, bounds[at], mean[at], f"{kind} words", 6, 6, va="baseline", fontsize=10)
    axis.axvline(default, color="black", linewidth=0.8, linestyle=":")
    note(axis, default, axis.get_ylim()[1], "default", 4, -2, va="top")
    label = "change that counts as large, in parts of the mean final |y|"
    axis.set(xlabel=label, ylabel="assigned cells of 10, mean", ylim=(0, None))
    return figure.reads(f"The default is {number(default)}.")
