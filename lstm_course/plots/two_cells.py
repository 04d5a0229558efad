"""Plot of two-dimensional embeddings and their most active cell (lesson 09)."""

import numpy as np

from .alt_text import count, listed, number, quoted
from .drawing import arrow
from .style import FAINT, as_text, note, subplots

END = 1.75  # upper limit of the x axis
LOOKS = ({"color": "black", "linestyle": "-"}, {"color": "#117733", "linestyle": (0, (4, 2))})


def two_cells(panels, names, groups):
    """Draw two-dimensional embeddings as arrows, over a map of the larger coordinate.

    Parameters
    ----------
    panels : dict
        By the name of the coordinates, such as "cell": the embeddings, (n_texts, 2).
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
    said = []
    for kind, y in panels.items():
        ends = [
            f"{quoted(name)} ({number(a)}, {number(b)}), {kind} {int(abs(b) > abs(a))}"
            for name, (a, b) in zip(names, y)
        ]
        said.append(f"{listed(ends)}.")
    return figure.says(
        f"{count(len(names), 'embedding')} as arrows, and the most active of both numbers.",
        *said,
    )


def _arrow(axis, end, name, color, linestyle):
    """Draw an embedding as an arrow, with its name at the tip."""
    arrow(axis, (0, 0), end, color=color, linestyle=linestyle, linewidth=1.8)
    (x, y), steep = end, abs(end[0]) < abs(end[1])
    look = {"ha": "left" if x > 0 else "right", "va": "center", "color": color, "fontsize": 10}
    if steep:
        look |= {"ha": "center", "va": "bottom" if y > 0 else "top"}
    note(axis, x, y, as_text(name), 0 if steep else 4 * np.sign(x), 5 * np.sign(y), **look)
