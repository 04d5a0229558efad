"""What a click asks of two embeddings, as the paper draws it (Figs. 3, 13)."""

import textwrap

import numpy as np
from matplotlib.patches import Rectangle

from .alt_text import count, quoted, says
from .drawing import arrow, box, canvas
from .style import COLOURS, FAINT, as_text, style

DASHES, DOTS = (0, (4, 3)), (0, (1, 1.5))


def click_signal(query, clicked, unclicked):
    """A query, the title that was clicked and some that were not, each with its embedding (Fig. 3).

    Parameters
    ----------
    query, clicked : str
    unclicked : list of str
        Two to four.
    """
    titles, rail = [clicked, *unclicked], 2.6
    x_titles = 2.5 + 1.56 * np.arange(len(titles))
    with style():
        figure, axis = canvas(x_titles[-1] + 0.8, 4.1)
        for x, text, name, role in [(0.8, query, "Q", "query")] + [
            (x, title, f"D^-_{j}" if j else "D^+", "document")
            for j, (x, title) in enumerate(zip(x_titles, titles))
        ]:
            box(axis, x, 0.72, 1.45, 1.35, as_text(textwrap.fill(text, 16)), COLOURS[role])
            _arrow(axis, (x, 1.4), (x, 1.83), "LSTM")
            for k in range(6):
                axis.add_patch(
                    Rectangle(
                        (x + 0.15 * (k - 3), 1.88),
                        0.15,
                        0.15,
                        facecolor="white",
                        edgecolor=COLOURS[role],
                        linewidth=1,
                    )
                )
            axis.text(
                x,
                2.2,
                rf"$\mathbf{{y}}_{{{name}}}(T_{{{name}}})$",
                ha="center",
                va="center",
                color=COLOURS[role],
            )
        axis.plot([0.8, 0.8, x_titles[-1] - 0.35], [2.35, rail, rail], color="black", linewidth=1)
        axis.text(0.8, 3.07, "cosine, Eq. (3)", ha="center", va="center", fontsize=9)
        for j, x in enumerate(x_titles):
            _arrow(axis, (x - 0.35, rail), (x - 0.35, 2.88))
            _arrow(
                axis, (x + 0.35, 2.35), (x + 0.35, 2.88), over=rail if j < len(unclicked) else None
            )
            box(axis, x, 3.07, 1.2, 0.36, f"$R(Q,D^-_{j})$" if j else "$R(Q,D^+)$")
            axis.text(
                x,
                3.53,
                f"click: {int(j == 0)}",
                ha="center",
                va="center",
                fontweight="normal" if j else "bold",
                fontsize=11,
            )
        for name, first, last in (
            ("positive sample", 0, 0),
            (f"n = {len(unclicked)} negative samples", 1, -1),
        ):
            ends = x_titles[first] - 0.68, x_titles[last] + 0.68
            axis.plot(ends, [3.73, 3.73], color=FAINT, linewidth=1)
            axis.text(sum(ends) / 2, 3.87, name, ha="center", va="center", fontsize=9)
    return says(
        figure,
        f"The query {quoted(query)} and {count(len(titles), 'title')}, each read by an LSTM into "
        f"an embedding; the cosine of the query's with each title's stands for a click: 1 for the "
        f"positive sample, {quoted(clicked)}, 0 for n = {len(unclicked)} negative samples.",
    )


def whole_model():
    """From the words of a query and n + 1 titles to the cost, and the way back (Fig. 13)."""
    columns = [
        (1.4, "Q", "query LSTM"),
        (3.55, "D^+", "clicked title"),
        (5.7, "D^-_1", "unclicked title"),
        (8.2, "D^-_n", "unclicked title"),
    ]
    titles, rail, back_rail = columns[1:], 3.42, 3.28
    with style():
        figure, axis = canvas(9, 6.6)
        box(axis, 5.6, 1.63, 6.6, 1.22, edge=FAINT, ground="#F2F2F2", zorder=1)
        for x, name, label in columns:
            _reader(axis, x, name, label, COLOURS["query" if name == "Q" else "document"])
        axis.plot([1.4, 1.4, titles[-1][0] - 0.3], [3.05, rail, rail], color="black", linewidth=1)
        axis.plot(
            [1.65, titles[-1][0] - 0.5],
            [back_rail, back_rail],
            color="black",
            linewidth=1,
            linestyle=DASHES,
        )
        _arrow(axis, (1.65, back_rail), (1.65, 3.03), dashed=True)
        for x, name, _ in titles:
            _arrow(axis, (x, 3.05), (x, 3.8), over=rail if x < titles[-1][0] else None)
            _arrow(axis, (x - 0.3, rail), (x - 0.3, 3.8))
            _arrow(
                axis, (x - 0.5, 3.8), (x - 0.5, back_rail), r"$\delta_Q$", dashed=True, left=True
            )
            _arrow(axis, (x + 0.35, 3.8), (x + 0.35, 3.03), dashed=True)
            box(axis, x, 3.99, 1.3, 0.36, "cosine (3)")
            _arrow(axis, (x, 4.18), (x, 4.63), rf"$R(Q,{name})$")
            _arrow(
                axis,
                (x - 0.4, 4.63),
                (x - 0.4, 4.2),
                r"$\partial l/\partial R$",
                dashed=True,
                left=True,
            )
            _arrow(axis, (x, 5.02), (x, 5.35))
            axis.text(x, 5.52, rf"$P({name}\,|\,Q)$", ha="center", va="center")
        box(
            axis,
            5.9,
            4.83,
            5.9,
            0.36,
            r"softmax: $e^{\gamma R}$, divided by its sum over the $n+1$ titles",
        )
        _arrow(axis, (3.55, 5.7), (3.55, 6.03))
        _arrow(axis, (3.0, 6.03), (3.0, 5.05), r"$\alpha_j$ (8)", dashed=True, left=True)
        box(axis, 3.55, 6.22, 1.9, 0.36, r"cost $l=-\log P(D^+|Q)$")
        for y in (0.14, 0.68, 1.4, 2.85, 3.99, 5.52):
            axis.text(6.5, y, "…", ha="center", va="center", fontsize=13)
        for x, text, line in ((5.4, "forward", "-"), (6.7, "errors, going back", DASHES)):
            axis.plot([x, x + 0.4], [6.22, 6.22], color="black", linewidth=1, linestyle=line)
            axis.text(x + 0.5, 6.22, text, va="center", fontsize=9)
    return says(
        figure,
        "Four columns, a query, the clicked title and unclicked ones: words, their trigrams, an "
        "LSTM word by word, an embedding. Above them the cosines of query and titles, a softmax, "
        "the cost; dashed arrows bring the errors all the way back.",
    )


def _reader(axis, x, name, label, colour):
    """A column of Fig. 13: words, their trigrams, the LSTM word by word,
    the embedding above its last word, at x.
    """
    at = x - np.array([1.0, 0.55, 0])
    for k, (x_k, t) in enumerate(zip(at, ("1", "2", f"T_{{{name}}}"))):
        axis.text(x_k, 0.14, rf"$\mathbf{{x}}({t})$", ha="center", va="center", fontsize=9)
        _arrow(axis, (x_k, 0.26), (x_k, 0.57), r"$\mathbf{W}_h$")
        axis.text(x_k, 0.68, rf"$\mathbf{{l}}({t})$", ha="center", va="center", fontsize=9)
        _arrow(axis, (x_k, 0.8), (x_k, 1.2))
        axis.add_patch(
            Rectangle(
                (x_k - 0.16, 1.2),
                0.32,
                0.4,
                facecolor="white",
                edgecolor=colour,
                linewidth=1.2,
                zorder=3,
            )
        )
        if k:
            _arrow(axis, (at[k - 1] + 0.16, 1.4), (x_k - 0.16, 1.4), dots=k == 2)
    axis.text(
        (at[0] + at[1]) / 2 + 0.02, 2.04, label, ha="center", va="center", fontsize=9, color=colour
    )
    axis.text(
        (at[0] + at[1]) / 2 + 0.02,
        1.8,
        r"weights $\Lambda_Q$" if name == "Q" else r"weights $\Lambda_D$",
        ha="center",
        va="center",
        fontsize=9,
        color=colour,
    )
    _arrow(axis, (x, 1.6), (x, 2.68))
    _arrow(axis, (x + 0.2, 2.68), (x + 0.2, 1.64), dashed=True)
    axis.text(x + 0.27, 2.45, rf"$\delta_{{{name}}}$", va="center")
    axis.text(
        x, 2.85, rf"$\mathbf{{y}}_{{{name}}}(T_{{{name}}})$", ha="center", va="center", color=colour
    )


def _arrow(axis, start, end, name="", dashed=False, dots=False, left=False, over=None):
    """An arrow, its name beside its middle; where it crosses the line at height ``over``,
    that line gets a gap.
    """
    if over is not None:
        axis.plot(
            [start[0]] * 2,
            [over - 0.17, over + 0.05],
            color="white",
            linewidth=5,
            solid_capstyle="butt",
            zorder=2,
        )
    arrow(axis, start, end, linestyle=DASHES if dashed else DOTS if dots else "-", mutation_scale=9)
    axis.text(
        start[0] + (-0.07 if left else 0.07),
        (start[1] + end[1]) / 2,
        name,
        ha="right" if left else "left",
        va="center",
        fontsize=9,
    )
