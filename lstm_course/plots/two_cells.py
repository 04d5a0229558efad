"""Embeddings of two cells, as arrows: which cell is the most active (lesson 09)."""

import numpy as np

from .alt_text import count, listed, number, quoted, says
from .style import FAINT, as_text, style, subplots

END = 1.75  # of the axes
COLOURS = "black", "#117733"


def two_cells(panels, names, groups):
    """Each text's embedding as an arrow, on a ground that says which number of it is the largest.

    Parameters
    ----------
    panels : dict
        By what the two numbers belong to, such as "cell": the embeddings, (n_texts, 2).
    names : list of str
        Of the texts.
    groups : (n_texts,) of 0 or 1
        The texts of group 1 have dashed arrows.
    """
    panels = {what: np.asarray(y, float) for what, y in panels.items()}
    low = min(0, *(y[:, 1].min() for y in panels.values())) - 0.35
    with style():
        figure, axes = subplots(
            1, len(panels), figsize=(4.3 * len(panels), 2.5), sharey=True, squeeze=False
        )
        for axis, (what, y) in zip(axes[0], panels.items()):
            for side in (-END, END):
                axis.fill([0, side, side], [0, -END, END], color=FAINT, alpha=0.22, linewidth=0)
            for end, name, group in zip(y, names, groups):
                _arrow(axis, end, name, group)
            axis.set(xlim=(-END, END), ylim=(low, 1.3), aspect="equal")
            axis.set(xticks=[-1, 0, 1], yticks=[y for y in (-1, 0, 1) if y > low])
            axis.set(xlabel=f"{what} 0 (grey: most active)", ylabel=f"{what} 1 (white)")
    said = []
    for what, y in panels.items():
        ends = [
            f"{quoted(name)} ({number(a)}, {number(b)}), {what} {int(abs(b) > abs(a))}"
            for name, (a, b) in zip(names, y)
        ]
        said.append(f"{listed(ends)}.")
    return says(
        figure,
        f"{count(len(names), 'embedding')} as arrows, and the most active of both numbers.",
        *said,
    )


def _arrow(axis, end, name, group):
    axis.annotate(
        "",
        end,
        (0, 0),
        arrowprops={
            "arrowstyle": "-|>",
            "color": COLOURS[group],
            "linestyle": ("-", (0, (4, 2)))[group],
            "linewidth": 1.8,
            "shrinkA": 0,
            "shrinkB": 0,
        },
    )
    x, y = end
    axis.annotate(
        as_text(name),
        end,
        (0 if abs(x) < abs(y) else 4 * np.sign(x), 5 * np.sign(y) if y else 0),
        textcoords="offset points",
        ha="center" if abs(x) < abs(y) else ("left" if x > 0 else "right"),
        va=("bottom" if y > 0 else "top") if abs(x) < abs(y) else "center",
        color=COLOURS[group],
        fontsize=10,
    )
