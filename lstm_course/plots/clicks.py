"""Diagrams of training on clicks: the training signal (Fig. 3), the whole model (Fig. 13)."""

import textwrap

import numpy as np

from .alt_text import count, quoted
from .drawing import arrow, box, canvas, gap, rectangle, write
from .style import COLOURS, FAINT, as_text

DASHES, DOTS = (0, (4, 3)), (0, (1, 1.5))


def click_signal(query, clicked, unclicked):
    """Draw a query, its clicked and unclicked titles, their embeddings and cosines (Fig. 3).

    Parameters
    ----------
    query, clicked : str
    unclicked : list of str
        Two to four titles.
    """
    titles, rail = [clicked, *unclicked], 2.6
    x_titles = 2.5 + 1.56 * np.arange(len(titles))
    figure, axis = canvas(x_titles[-1] + 0.8, 4.1)
    names = ["Q", "D^+", *(f"D^-_{j}" for j in range(1, len(titles)))]
    for x, text, name in zip([0.8, *x_titles], [query, *titles], names):
        colour = COLOURS["query" if name == "Q" else "document"]
        box(axis, x, 0.72, 1.45, 1.35, as_text(textwrap.fill(text, 16)), colour)
        _arrow(axis, (x, 1.4), (x, 1.83), "LSTM")
        for k in range(-3, 3):
            square = {"facecolor": "white", "edgecolor": colour, "linewidth": 1}
            rectangle(axis, x + 0.15 * k, 1.88, 0.15, 0.15, **square)
        write(axis, x, 2.2, rf"$\mathbf{{y}}_{{{name}}}(T_{{{name}}})$", color=colour)
    axis.plot([0.8, 0.8, x_titles[-1] - 0.35], [2.35, rail, rail], color="black", linewidth=1)
    write(axis, 0.8, 3.07, "cosine, Eq. (3)", fontsize=9)
    for j, (x, name) in enumerate(zip(x_titles, names[1:])):
        _arrow(axis, (x - 0.35, rail), (x - 0.35, 2.88))
        over = rail if j < len(unclicked) else None
        _arrow(axis, (x + 0.35, 2.35), (x + 0.35, 2.88), over=over)
        box(axis, x, 3.07, 1.2, 0.36, f"$R(Q,{name})$")
        weight = "normal" if j else "bold"
        write(axis, x, 3.53, f"click: {int(j == 0)}", fontweight=weight, fontsize=11)
    for name, first, last in (
        ("positive sample", 0, 0),
        (f"n = {len(unclicked)} negative samples", 1, -1),
    ):
        ends = x_titles[first] - 0.68, x_titles[last] + 0.68
        axis.plot(ends, [3.73, 3.73], color=FAINT, linewidth=1)
        write(axis, sum(ends) / 2, 3.87, name, fontsize=9)
    return figure.says(
        f"The query {quoted(query)} and {count(len(titles), 'title')}, each read by an LSTM into "
        f"an embedding; the cosine of the query's with each title's stands for a click: 1 for the "
        f"positive sample, {quoted(clicked)}, 0 for n = {len(unclicked)} negative samples.",
    )


def whole_model():
    """Draw the whole model, from words to the cost, and its backward pass (Fig. 13)."""
    titles = [
        (3.55, "D^+", r"$\sum_j\alpha_j$"),
        (5.7, "D^-_1", r"$-\alpha_1$"),
        (8.2, "D^-_n", r"$-\alpha_n$"),
    ]
    rail, back_rail, x_last, black = 3.42, 3.28, titles[-1][0], {"color": "black", "linewidth": 1}
    figure, axis = canvas(9, 6.6)
    box(axis, 5.6, 1.63, 6.6, 1.22, edgecolor=FAINT, facecolor="#F2F2F2", zorder=1)
    _reader(axis, 1.4, "Q", "query LSTM", r"weights $\Lambda_Q$", COLOURS["query"])
    axis.plot([1.4, 1.4, x_last - 0.3], [3.05, rail, rail], **black)
    axis.plot([1.65, x_last - 0.5], [back_rail, back_rail], linestyle=DASHES, **black)
    _arrow(axis, (1.65, back_rail), (1.65, 3.03), dashed=True)
    for x, name, slope in titles:
        label = "clicked title" if name == "D^+" else "unclicked title"
        _reader(axis, x, name, label, r"weights $\Lambda_D$", COLOURS["document"])
        _arrow(axis, (x, 3.05), (x, 3.8), over=rail if x < x_last else None)
        _arrow(axis, (x - 0.3, rail), (x - 0.3, 3.8))
        up, down = x - 0.5, x - 0.4
        _arrow(axis, (up, 3.8), (up, back_rail), dashed=True)
        _arrow(axis, (x + 0.35, 3.8), (x + 0.35, 3.03), dashed=True)
        box(axis, x, 3.99, 1.3, 0.36, "cosine (3)")
        _arrow(axis, (x, 4.18), (x, 4.63), rf"$R(Q,{name})$")
        _arrow(axis, (down, 4.63), (down, 4.2), slope, dashed=True, left=True)
        _arrow(axis, (x, 5.02), (x, 5.35))
        write(axis, x, 5.52, rf"$P({name}\,|\,Q)$")
    softmax = r"softmax: $e^{\gamma R}$, divided by its sum over the $n+1$ titles"
    box(axis, 5.9, 4.83, 5.9, 0.36, softmax)
    _arrow(axis, (3.55, 5.7), (3.55, 6.03))
    _arrow(axis, (3.0, 6.03), (3.0, 5.05), dashed=True)
    box(axis, 3.55, 6.22, 1.9, 0.36, r"loss $l=-\log P(D^+|Q)$")
    for y in (0.14, 0.68, 1.4, 2.85, 3.99, 5.52):
        write(axis, 6.5, y, "…", fontsize=13)
    for x, text, line in ((5.4, "forward", "-"), (6.7, "errors, going back", DASHES)):
        axis.plot([x, x + 0.4], [6.22, 6.22], linestyle=line, **black)
        write(axis, x + 0.5, 6.22, text, ha="left", fontsize=9)
    return figure.says(
        "Four columns, a query, the clicked title and unclicked ones: words, their trigrams, an "
        "LSTM word by word, an embedding. Above them the cosines of query and titles, a softmax, "
        "the loss; dashed arrows bring the errors all the way back.",
    )


def _reader(axis, x, name, label, weights, colour):
    """Draw a column of Fig. 13 at x: words, trigrams, the unrolled LSTM, the embedding."""
    at = x - np.array([1.0, 0.55, 0])
    for k, (x_k, t) in enumerate(zip(at, ("1", "2", f"T_{{{name}}}"))):
        write(axis, x_k, 0.14, rf"$\mathbf{{x}}({t})$", fontsize=9)
        _arrow(axis, (x_k, 0.26), (x_k, 0.57), r"$\mathbf{W}_h$")
        write(axis, x_k, 0.68, rf"$\mathbf{{l}}({t})$", fontsize=9)
        _arrow(axis, (x_k, 0.8), (x_k, 1.2))
        cell = {"facecolor": "white", "edgecolor": colour, "linewidth": 1.2, "zorder": 3}
        rectangle(axis, x_k - 0.16, 1.2, 0.32, 0.4, **cell)
        if k:
            _arrow(axis, (at[k - 1] + 0.16, 1.4), (x_k - 0.16, 1.4), dots=k == 2)
    write(axis, x - 0.755, 2.04, label, fontsize=9, color=colour)
    write(axis, x - 0.755, 1.8, weights, fontsize=9, color=colour)
    _arrow(axis, (x, 1.6), (x, 2.68))
    _arrow(axis, (x + 0.2, 2.68), (x + 0.2, 1.64), dashed=True)
    write(axis, x + 0.27, 2.45, rf"$\delta_{{{name}}}$", ha="left")
    write(axis, x, 2.85, rf"$\mathbf{{y}}_{{{name}}}(T_{{{name}}})$", color=colour)


def _arrow(axis, start, end, name="", dashed=False, dots=False, left=False, over=None):
    """Draw an arrow with its name; ``over`` is the height of a line that it interrupts."""
    if over is not None:
        gap(axis, start[0], over - 0.17, over + 0.05)
    line = {"linestyle": DASHES if dashed else DOTS if dots else "-", "mutation_scale": 9}
    side = {"aside": (-0.07, 0), "ha": "right"} if left else {"aside": (0.07, 0)}
    arrow(axis, start, end, name, fontsize=9, **line, **side)
