"""The paper's drawings of its models (Figs. 1-3, 13)."""
from matplotlib.patches import Circle, FancyBboxPatch, Rectangle

from ..hashing import letter_trigrams
from .style import COLOURS, style, subplots

PALE = {"i": "#FBE3D6", "f": "#F2F2F2", "o": "#D5EFE6", "yg": "#FCF0D3"}       # a gate's colour, as a ground for text
LEFT_OUT = "#8A8A8A"                                                          # what the paper's experiments do without


def unrolled_rnn(words):
    """The RNN of Eq. (1), one column a word, and where the sentence's embedding is (Fig. 1).

    Parameters
    ----------
    words : list of str
        The squares of l(t) are the letter trigrams of these words, in the order of the alphabet.
    """
    trigrams = sorted({trigram for word in words for trigram in letter_trigrams(word)})
    n_known, n_cells, apart, (x_row, l_row, y_row) = 5 * len(words), 6, 3.4, (0.9, 2.55, 4.25)
    with style():
        figure, axis = _canvas(9, 4.7, (-5, apart * len(words) - 1.7), (-0.3, 6.05))
        for row, text in ((y_row, "hidden activation:\none number a cell"), (l_row, "letter trigrams:\ntheir counts"),
                          (x_row, "1-hot vector: one\nnumber a known word")):
            axis.text(-4.95, row, text, va="center", fontsize=9)
        axis.text(-1.5, y_row, r"$\mathbf{y}(0)=0$", ha="right", va="center")
        for t, word in enumerate(words):
            x, last = apart * t, t == len(words) - 1
            axis.text(x, 0, word, ha="center", va="center", fontweight="bold", fontsize=12)
            _arrow(axis, (x, 0.25), (x, x_row - 0.2))
            _vector(axis, x, x_row, [k == 5 * t + 2 for k in range(n_known)], 0.14, rf"$\mathbf{{x}}({t + 1})$")
            _arrow(axis, (x, x_row + 0.2), (x, l_row - 0.2), r"$\mathbf{W}_h$")
            _vector(axis, x, l_row, [trigram in letter_trigrams(word) for trigram in trigrams], 0.14, rf"$\mathbf{{l}}({t + 1})$")
            _arrow(axis, (x, l_row + 0.2), (x, y_row - 0.3), r"$\mathbf{W}$")
            _vector(axis, x, y_row, [last] * n_cells, 0.2, rf"$\mathbf{{y}}({t + 1})$", COLOURS["LSTM"])
            _arrow(axis, (max(x - apart + 0.72, -1.4), y_row), (x - 0.72, y_row), r"$\mathbf{W}_{rec}$" if t else "", aside=(-0.25, 0.26))
        axis.add_patch(Rectangle((x - 0.72, y_row - 0.24), 1.44, 0.48, fill=False, edgecolor=COLOURS["LSTM"], linewidth=2))
        _arrow(axis, (x, y_row + 0.3), (x, 5.3))
        axis.text(x, 5.6, "embedding of\nthe sentence", ha="center", va="center", color=COLOURS["LSTM"], fontweight="bold")
        axis.text(-4.95, 5.6, r"$\mathbf{y}(t)=\tanh(\mathbf{W}\,\mathbf{l}(t)+\mathbf{W}_{rec}\,\mathbf{y}(t-1)+\mathbf{b})$"
                  "\nwith the same weights at every word", va="center")
    return figure


def lstm_cell():
    """The LSTM cell of Eq. (2): what flows where at one word; the forget gate grey, the peepholes dashed (Fig. 2)."""
    c_row, mid_row, gate_row, y_rail, l_rail = 5.2, 3.9, 2.35, 1.0, 0.3
    gates = {"f": (2.0, "2", "forget gate", r"\sigma"), "i": (4.2, "3", "input gate", r"\sigma"),
             "yg": (6.4, "4", "input", "g"), "o": (9.0, "1", "output gate", r"\sigma")}
    with style():
        figure, axis = _canvas(9, 5.6, (-0.9, 11.6), (-0.35, 6.3))
        line = {"color": "black", "linewidth": 1.3, "zorder": 1}
        # the cell state, from the word before to the word after
        axis.text(-0.1, c_row, r"$\mathbf{c}(t-1)$", ha="center", va="center")
        _arrow(axis, (0.4, c_row), (1.75, c_row))
        _arrow(axis, (2.25, c_row), (5.05, c_row))
        _arrow(axis, (5.55, c_row), (10.6, c_row))
        axis.text(11.1, c_row, r"$\mathbf{c}(t)$", ha="center", va="center")
        _operation(axis, 2.0, c_row, "×", LEFT_OUT)
        _operation(axis, 5.3, c_row, "+", COLOURS["c"])
        axis.text(5.3, c_row + 0.55, "cell", ha="center", va="center", color=COLOURS["c"], fontweight="bold")
        # what enters it
        _operation(axis, 5.3, mid_row, "×")
        _arrow(axis, (5.3, mid_row + 0.25), (5.3, c_row - 0.25))
    return figure


def _canvas(width, height, xlim, ylim):
    """A figure without axes, in which a unit is as long across as up."""
    figure, axis = subplots(figsize=(width, height))
    axis.set(xlim=xlim, ylim=ylim, aspect="equal")
    axis.axis("off")
    return figure, axis


def _vector(axis, x, y, filled, size, name, colour="black"):
    """A vector around (x, y): a square an entry, the filled ones not zero, its name above its end."""
    left = x - size * len(filled) / 2
    for k, full in enumerate(filled):
        axis.add_patch(Rectangle((left + k * size, y - size / 2), size, size, linewidth=0.8,
                                 facecolor=colour if full else "white", edgecolor="white" if full and colour != "black" else "#555555"))
    axis.text(x + size * len(filled) / 2 + 0.1, y + size / 2 + 0.1, name, va="bottom", ha="right")


def _operation(axis, x, y, sign, colour="black"):
    """An element-wise operation, as a circle."""
    axis.add_patch(Circle((x, y), 0.25, facecolor="white", edgecolor=colour, linewidth=1.5))
    axis.text(x, y - 0.02, sign, ha="center", va="center", fontsize=13, color=colour)


def _arrow(axis, start, end, name="", colour="black", aside=(0.12, 0), dashed=False):
    """An arrow, its name beside its middle."""
    axis.annotate("", end, start, arrowprops={"arrowstyle": "-|>", "color": colour, "linewidth": 1.3, "shrinkA": 0, "shrinkB": 0,
                                              "linestyle": (0, (4, 3)) if dashed else "-", "mutation_scale": 11})
    if name:
        axis.text((start[0] + end[0]) / 2 + aside[0], (start[1] + end[1]) / 2 + aside[1], name, va="center", color=colour)
