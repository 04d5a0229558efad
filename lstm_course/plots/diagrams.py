"""Diagrams of the paper's models: the unrolled RNN (Fig. 1) and the LSTM cell (Fig. 2)."""

from matplotlib.patches import Circle

from lstm_edu.text.hashing import letter_trigrams

from .alt_text import count, listed, quoted
from .drawing import arrow, box, canvas, gap, rectangle, write
from .style import COLOURS, Figure, as_text

# background colours of the gates' boxes
PALE = {"i": "#F6E5F3", "f": "#F2F2F2", "o": "#DDEFE1", "yg": "#FBF2DA"}
NOT_LIT = "#D5D5D5"  # colour of parts that a diagram's step does not highlight
LEFT_OUT = "#757575"  # colour of parts that the paper's experiments omit
ON_THE_WAY = "#999999"  # colour of hidden states before the last word
ARROW = {"linewidth": 1.3, "mutation_scale": 11, "aside": (0.12, 0)}


def unrolled_rnn(words):
    """Draw the RNN of Eq. (1) unrolled, one column per word, and the embedding (Fig. 1).

    Parameters
    ----------
    words : list of str
        Each square of l(t) is one of the words' letter trigrams, in alphabetical order.
    """
    trigrams = sorted({trigram for word in words for trigram in letter_trigrams(word)})
    apart, (x_row, l_row, y_row), blue = 3.4, (0.9, 2.55, 4.25), COLOURS["query"]
    figure, axis = canvas(9, 4.7, (-5, apart * len(words) - 1.7), (-0.3, 6.05))
    for row, text in (
        (y_row, "output: one\nnumber per cell"),
        (l_row, "letter trigrams:\ntheir counts"),
        (x_row, "one-hot vector: one\nnumber per known word"),
    ):
        write(axis, -4.95, row, text, ha="left", fontsize=9)
    write(axis, -2, y_row, r"$\mathbf{y}(0)=0$", ha="right")
    for t, word in enumerate(words):
        x, last = apart * t, t == len(words) - 1
        one_hot = [k == 5 * t + 2 for k in range(5 * len(words))]
        counts = [trigram in letter_trigrams(word) for trigram in trigrams]
        write(axis, x, 0, as_text(word), fontweight="bold", fontsize=12)
        arrow(axis, (x, 0.25), (x, x_row - 0.2), **ARROW)
        _vector(axis, x, x_row, one_hot, 0.14, rf"$\mathbf{{x}}({t + 1})$")
        arrow(axis, (x, x_row + 0.2), (x, l_row - 0.2), r"$\mathbf{W}_h$", **ARROW)
        _vector(axis, x, l_row, counts, 0.14, rf"$\mathbf{{l}}({t + 1})$")
        arrow(axis, (x, l_row + 0.2), (x, y_row - 0.3), r"$\mathbf{W}$", **ARROW)
        colour = blue if last else ON_THE_WAY
        _vector(axis, x, y_row, [True] * 6, 0.2, rf"$\mathbf{{y}}({t + 1})$", colour)
        start, end = x - apart + 0.72 if t else -1.9, x - (0.8 if last else 0.7)
        above = ARROW | {"aside": (-0.25, 0.26)}
        arrow(axis, (start, y_row), (end, y_row), r"$\mathbf{W}_{rec}$", **above)
    rectangle(axis, x - 0.7, y_row - 0.2, 1.4, 0.4, edgecolor=blue)
    arrow(axis, (x, y_row + 0.3), (x, 5.3), **ARROW)
    write(axis, x, 5.6, "embedding of\nthe sentence", color=blue, fontweight="bold")
    rule = r"$\mathbf{y}(t)=\tanh(\mathbf{W}\,\mathbf{l}(t)+\mathbf{W}_{rec}\,\mathbf{y}(t-1)"
    rule += "+\\mathbf{b})$\nwith the same weights at every word"
    write(axis, -4.95, 5.6, rule, ha="left")
    return figure.says(
        f"An RNN unrolled over {count(len(words), 'word')}, {listed(map(quoted, words))}: a "
        f"column a word, from a one-hot vector by its letter trigrams, {len(trigrams)} in all, to "
        "y(t), which goes on to the next word. The last y(t) is the embedding.",
    )


# `lstm_cell` builds the cell in these steps: title, and the highlighted parts
STEPS = (
    ("1. Remember: add what is let in", ("memory", "input")),
    ("2. Show: a part of the memory", ("output",)),
    ("3. Left out in the paper's experiments", ("forget", "peepholes")),
)
# the gates and the input of the LSTM cell: x, number, name, function, part, symbol
GATES = {
    "f": (2.3, "2", "forget gate", r"\sigma", "forget", r"$\mathbf{f}$"),
    "i": (4.7, "3", "input gate", r"\sigma", "input", r"$\mathbf{i}$"),
    "yg": (6.9, "4", "input", "g", "input", r"$\mathbf{y}_g$"),
    "o": (9.6, "1", "output gate", r"\sigma", "output", r"$\mathbf{o}$"),
}
C_ROW, MIDDLE, GATE_ROW, Y_RAIL, L_RAIL = 5.3, 3.95, 2.35, 0.85, 0.1  # y coordinates of rows


def lstm_cell():
    """Draw the LSTM cell of Eq. (2) in three steps, and below them the complete cell (Fig. 2).

    The forget gate and the peepholes, which the paper's experiments leave out, are grey.
    """
    figure = Figure(figsize=(9, 7.1))
    axes = figure.subplot_mosaic("012;333", height_ratios=(1.75, 5.3))
    for axis, (title, lit) in zip(axes.values(), STEPS):
        _cell(axis, lit)
        axis.set(xlim=(0.2, 12.2), ylim=(-0.2, 5.9), aspect="equal")
        axis.set_title(title, fontsize=9)
    axes["3"].set(xlim=(-0.75, 12.05), ylim=(-1.05, 6.15), aspect="equal")
    _cell(axes["3"])
    _names_of_cell(axes["3"])
    return figure.says(
        "The LSTM cell at one word, in three steps and complete. l(t) and y(t−1) enter the input "
        "and three gates. What the forget gate keeps of c(t−1), plus the input times its gate, is "
        "c(t); that, squashed and times the output gate, is y(t). Grey, as left out in the paper: "
        "forget gate, peepholes.",
    )


def _cell(axis, lit=None):
    """Draw the lines and boxes of the LSTM cell; if ``lit`` is given, all other parts are pale."""
    f, i, yg, o = (GATES[gate][0] for gate in GATES)
    cell, small = (i + yg) / 2, lit is not None
    axis.axis("off")

    def ink(part, colour="black"):
        return colour if not small or part in lit else NOT_LIT

    def path(part, points, colour="black", branch=False, **look):
        colour = ink(part, colour)
        _path(axis, points, colour=colour, **look)
        if branch and not small:
            axis.plot(*points[0], "o", color=colour, markersize=4, zorder=4)

    left_out = "black" if small else LEFT_OUT
    peephole = {"colour": left_out, "dashed": True, "branch": True}
    # the peepholes come first, so that the other lines cover them
    path("peepholes", [(0.85, C_ROW), (0.85, GATE_ROW), (f - 0.85, GATE_ROW)], **peephole)
    points = [(0.85, 3.2), (3.5, 3.2), (3.5, GATE_ROW), (i - 0.85, GATE_ROW)]
    path("peepholes", points, **peephole)
    path("peepholes", [(8.3, C_ROW), (8.3, GATE_ROW), (o - 0.85, GATE_ROW)], **peephole)
    # the cell state, from c(t-1) to c(t)
    if small and "forget" not in lit:  # no gate interrupts the line of the cell state
        path("memory", [(0.45, C_ROW), (cell - 0.25, C_ROW)])
    else:
        path("memory", [(0.45, C_ROW), (f - 0.25, C_ROW)])
        path("memory", [(f + 0.25, C_ROW), (cell - 0.25, C_ROW)])
    path("memory", [(cell + 0.25, C_ROW), (11.2, C_ROW)])
    # the gates' outputs, and y(t)
    path("forget", [(f, GATE_ROW + 0.5), (f, C_ROW - 0.25)], colour=left_out, over=True)
    path("input", [(i, GATE_ROW + 0.5), (i, MIDDLE), (cell - 0.25, MIDDLE)])
    path("input", [(yg, GATE_ROW + 0.5), (yg, MIDDLE), (cell + 0.25, MIDDLE)])
    path("input", [(cell, MIDDLE + 0.25), (cell, C_ROW - 0.25)])
    path("output", [(o, C_ROW), (o, MIDDLE + 1.01)], branch=True)
    path("output", [(o, MIDDLE + 0.59), (o, MIDDLE + 0.25)])
    path("output", [(o, GATE_ROW + 0.5), (o, MIDDLE - 0.25)])
    path("output", [(o + 0.25, MIDDLE), (11.2, MIDDLE)])
    for x, y, sign, colour, part in (
        (f, C_ROW, "×", left_out, "forget"),
        (cell, C_ROW, "+", COLOURS["c"], "memory"),
        (cell, MIDDLE, "×", "black", "input"),
        (o, MIDDLE, "×", "black", "output"),
    ):
        colour = ink(part, colour)
        axis.add_patch(Circle((x, y), 0.25, facecolor="white", edgecolor=colour, linewidth=1.5))
        if not small:
            write(axis, x, y - 0.02, sign, fontsize=13, color=colour)
    text = "" if small else "$h$"
    edge = {"edgecolor": ink("output"), "linewidth": 1.8}
    box(axis, o, MIDDLE + 0.8, 0.5, 0.42, text, **edge)
    # the gates and their inputs
    for rail, end in ((Y_RAIL, o + 0.35), (L_RAIL, o - 0.35)):
        colour = NOT_LIT if small else "black"
        axis.plot([0.45, end], [rail, rail], color=colour, linewidth=1.3, zorder=1)
    for gate, (x, k, name, squash, part, symbol) in GATES.items():
        colour = ink(part, LEFT_OUT if gate == "f" and not small else "black")
        text = symbol if small else f"{name}\n${squash}(\\,\\cdot+\\mathbf{{b}}_{k})$"
        edge = {"edgecolor": ink(part, COLOURS[gate]), "linewidth": 1.8}
        edge["facecolor"] = PALE[gate] if colour != NOT_LIT else "white"
        box(axis, x, GATE_ROW, 1.7, 1.0, text, colour, **edge)
        look = {"colour": colour, "branch": True}
        path(part, [(x - 0.35, L_RAIL), (x - 0.35, GATE_ROW - 0.5)], over=True, **look)
        path(part, [(x + 0.35, Y_RAIL), (x + 0.35, GATE_ROW - 0.5)], **look)


def _names_of_cell(axis):
    """Write the names of weights and quantities, and a legend, into the complete LSTM cell."""
    f, i, yg, o = (GATES[gate][0] for gate in GATES)
    write(axis, (i + yg) / 2, C_ROW + 0.55, "cell", color=COLOURS["c"], fontweight="bold")
    write(axis, 11.3, MIDDLE, r"$\mathbf{y}(t)$", ha="left", fontweight="bold")
    for gate, (x, k, *_) in GATES.items():
        colour = LEFT_OUT if gate == "f" else "black"
        write(axis, x - 0.43, 1.35, rf"$\mathbf{{W}}_{k}$", ha="right", color=colour)
        write(axis, x + 0.43, 1.35, rf"$\mathbf{{W}}_{{rec{k}}}$", ha="left", color=colour)
    for x, y, text, colour, side in (
        (-0.7, C_ROW, r"$\mathbf{c}(t-1)$", "black", "left"),
        (11.3, C_ROW, r"$\mathbf{c}(t)$", "black", "left"),
        (-0.7, Y_RAIL, r"$\mathbf{y}(t-1)$", "black", "left"),
        (-0.7, L_RAIL, r"$\mathbf{l}(t)$", "black", "left"),
        (8.2, 3.7, r"$\mathbf{W}_{p1}$", LEFT_OUT, "right"),
        (0.75, 2.75, r"$\mathbf{W}_{p2}$", LEFT_OUT, "right"),
        (3.6, 3.05, r"$\mathbf{W}_{p3}$", LEFT_OUT, "left"),
        (f + 0.1, 4.4, r"$\mathbf{f}(t)$", LEFT_OUT, "left"),
        (i - 0.1, 3.5, r"$\mathbf{i}(t)$", "black", "right"),
        (yg + 0.1, 3.5, r"$\mathbf{y}_g(t)$", "black", "left"),
        (o + 0.1, 3.25, r"$\mathbf{o}(t)$", "black", "left"),
    ):
        write(axis, x, y, text, ha=side, color=colour)
    legend = "A box adds up what its arrows bring. Circles work element by element.\n"
    legend += "Grey: what the paper's experiments leave out, "
    legend += r"the forget gate (then $\mathbf{f}(t)=1$) and, dashed, the peepholes."
    write(axis, -0.7, -0.65, legend, ha="left", fontsize=9)


def _vector(axis, x, y, filled, size, name, colour="black"):
    """Draw a vector and its name at (x, y): one square per entry, filled if the entry is true."""
    left = x - size * len(filled) / 2
    for k, full in enumerate(filled):
        edge = "white" if full and colour != "black" else "#555555"
        look = {"linewidth": 0.8, "facecolor": colour if full else "white", "edgecolor": edge}
        rectangle(axis, left + k * size, y - size / 2, size, size, **look)
    axis.text(x + size * len(filled) / 2 + 0.1, y + size / 2 + 0.15, name, va="bottom", ha="right")


def _path(axis, points, colour="black", dashed=False, over=False):
    """Draw an arrow through a list of points; with ``over``, interrupt the lines it crosses."""
    x, y = zip(*points)
    if over:
        gap(axis, x[0], 0.9 * y[0] + 0.1 * y[-1], 0.4 * y[0] + 0.6 * y[-1], 2.5)
    look = {"color": colour, "linestyle": (0, (4, 3)) if dashed else "-"}
    if len(points) > 2:
        axis.plot(x[:-1], y[:-1], linewidth=1.3, zorder=2, solid_capstyle="butt", **look)
    arrow(axis, points[-2], points[-1], **ARROW, **look)
