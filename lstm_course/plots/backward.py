"""Diagrams of the backward pass, for the derivations of lessons 04, 05a and 05b."""

import numpy as np

from .alt_text import listed, number
from .drawing import arrow, box, canvas, write
from .style import BACK, COLOURS, ERROR, FAINT, subplots


def two_words(values, errors):
    """Draw the computational graph of an RNN with one cell and two words, with values and errors.

    Parameters
    ----------
    values, errors : dict of float
        By node, ``w``, ``r``, ``z1``, ``y1``, ``z2``, ``y2``: its value, and the derivative of
        C = y(2) with respect to it.
    """
    nodes = {
        "z1": ("z(1)", (0.8, 2.5)),
        "y1": ("y(1)", (3.2, 2.5)),
        "z2": ("z(2)", (5.6, 2.5)),
        "y2": ("C = y(2)", (8.05, 2.5)),
        "w": ("w", (3.2, 0.45)),
        "r": ("r", (7.2, 0.45)),
    }
    half = 0.72, 0.3
    figure, axis = canvas(9, 3.3)
    for node, (name, (x, y)) in nodes.items():
        _node(axis, (x, y), half)
        write(axis, x, y + 0.13, f"{name} = {values[node]:.3f}".replace("-", "−"))
        write(axis, x, y - 0.13, f"error {errors[node]:.3f}".replace("-", "−"), color=ERROR)
    for start, end, factor, aside in (
        ("z1", "y1", "× (1 − y(1)²)", (0, 0.26)),
        ("y1", "z2", "× r", (0, 0.26)),
        ("z2", "y2", "× (1 − y(2)²)", (0, 0.26)),
        ("w", "z1", "× l(1)", (-0.3, -0.3)),
        ("w", "z2", "× l(2)", (-0.3, 0.3)),
        ("r", "z2", "× y(1)", (-0.42, -0.12)),
    ):
        start, end = np.array([nodes[start][1], nodes[end][1]])
        away = end - start
        away = 0.07 * np.array([-away[1], away[0]]) / np.hypot(*away)
        _from_rim(axis, start - away, end - away, half, half, 0.11)
        _from_rim(axis, end + away, start + away, half, half, 0.11, **BACK)
        write(axis, *((start + end) / 2 + aside), factor, fontsize=9.5, color=ERROR)
    axis.set_title(
        "Values go forward (solid). Errors come back (dashed), times the factor at the arrow"
    )
    at_words = [f"{nodes[n][0]} = {number(values[n])}" for n in ("w", "r", "z1", "y1", "z2")]
    return figure.says(
        f"A graph of one cell that reads two words: {listed(at_words, 5)} lead to "
        f"C = y(2) = {number(values['y2'])}.",
        f"Dashed arrows bring errors back: {number(errors['w'])} to w, {number(errors['r'])} to r.",
    )


def two_words_lstm(states, errors):
    """Draw a plain LSTM cell that reads two words, with the value and the error of each quantity.

    Parameters
    ----------
    states : list of (yg, i, c, o, y)
        For word 1 and word 2.
    errors : list of (dy, dc, dz1, dz3, dz4)
        For word 1 and word 2: the derivatives of y(2). An error dz belongs to the sum inside a
        gate, and is written into the gate's box.
    """
    places = {
        "yg": (0.6, 2.6),
        "i": (1.73, 2.6),
        "c": (2.47, 4.35),
        "o": (3.8, 2.6),
        "y": (3.8, 0.45),
    }
    half, apart, at = (0.54, 0.27), 4.5, {}
    figure, axis = canvas(9, 4.9)
    for t, (values, (dy, dc, dz1, dz3, dz4)) in enumerate(zip(states, errors), start=1):
        errors_of = ("dz_4", dz4), ("dz_3", dz3), ("dc", dc), ("dz_1", dz1), ("dy", dy)
        names = ("yg", "y_g"), ("i", "i"), ("c", "c"), ("o", "o"), ("y", "y")
        for (node, name), value, (error, of_node) in zip(names, values, errors_of):
            at[node, t] = x, y = np.add(places[node], (apart * (t - 1), 0))
            _node(axis, (x, y), half, colour=COLOURS[node])
            write(axis, x, y + 0.12, f"${name}({t})={value:.4f}$", fontsize=8.5)
            write(axis, x, y - 0.12, f"${error}={of_node:.4f}$", fontsize=8.5, color=ERROR)
    arrows = [(("c", 1), ("c", 2), "× 1", (4.6, 4.62), "center")]
    for node, k, where in (("yg", 4, (4.98, 2.13)), ("i", 3, (5.6, 1.78)), ("o", 1, (6.6, 1.33))):
        arrows.append((("y", 1), (node, 2), f"× $W_{{rec{k}}}$", where, "left"))
    for t in (1, 2):
        right = apart * (t - 1)
        arrows += [
            (("yg", t), ("c", t), "× $i\\,(1-y_g^2)$", (1.36 + right, 3.7), "right"),
            (("i", t), ("c", t), "× $y_g$\n$i(1-i)$", (2.14 + right, 3.17), "left"),
            (("o", t), ("y", t), "× $h\\,o$\n$(1-o)$", (3.93 + right, 1.62), "left"),
            (("c", t), ("y", t), "× $o\\,(1-h^2)$", (2.92 + right, 3.5), "left"),
        ]
    for first, then, factor, where, side in arrows:
        start, end = at[first], at[then]
        away = 0.06 * np.array([start[1] - end[1], end[0] - start[0]]) / np.hypot(*(end - start))
        _from_rim(axis, start - away, end - away, half, half, 0.08, color=FAINT)
        look = BACK | ({"linewidth": 2.6} if factor == "× 1" else {})
        _from_rim(axis, end + away, start + away, half, half, 0.08, **look)
        write(axis, *where, factor, fontsize=8.5, color=ERROR, ha=side)
    return figure.says(
        f"A graph of a plain LSTM cell that reads two words and ends with y(2) = "
        f"{number(states[1][4])}. The error {number(errors[1][1])} of c(2) reaches c(1) times 1; "
        f"with what comes by y(1), whose error is {number(errors[0][0])}, c(1) has the error "
        f"{number(errors[0][1])}.",
    )


def way_back():
    """Draw the backward pass of the RNN, from the cost to the weights, as arrows with factors."""
    x_first, x_before, x_last, x_y, x_R, x_Delta, x_l = 0.5, 2.0, 3.75, 5.45, 6.75, 7.75, 8.7
    middle, wide, small, y_half, all_ = 2.45, (0.58, 0.22), (0.26, 0.22), (0.5, 0.22), (1.5, 0.22)
    figure, axis = canvas(9, 4.9)
    for side, up, role in (("Q", 1, "query"), ("D", -1, "document")):
        row, weights, colour = middle + 1.05 * up, middle + 2.15 * up, COLOURS[role]
        for x, time, half in (
            (x_first, "1", (0.45, 0.22)),
            (x_before, "T-1", wide),
            (x_last, "T", wide),
        ):
            _node(axis, (x, row), half, rf"$\boldsymbol{{\delta}}_{side}({time})$", colour)
            end = x_before + 0.75 * np.sign(x - x_before), weights
            _from_rim(axis, (x, row), end, half, all_, **BACK | {"linewidth": 1})
        name = rf"$\mathbf{{W}}_{{rec}}$, $\mathbf{{W}}$, $\mathbf{{b}}$ of the {role} side"
        _node(axis, (x_before, weights), all_, name, colour)
        sums = r"times $\mathbf{y}(t-1)^T$, $\mathbf{l}(t)^T$ and 1, added up over the words"
        _label(axis, (x_last + 0.15, weights), sums, ha="left")
        write(axis, (x_first + x_before) / 2 - 0.04, row, "…", fontsize=14, color=ERROR)
        _node(axis, (x_y, row), y_half, rf"$\mathbf{{y}}_{side}(T)$", colour)
        step, aside = "$\\mathbf{W}_{rec}^T$, then\n$1-\\mathbf{y}^2$", (0, -0.44 * up)
        _back(axis, (x_last, row), (x_before, row), wide, wide, step, aside)
        _back(axis, (x_y, row), (x_last, row), y_half, wide, r"$1-\mathbf{y}^2$", aside)
        name, aside = rf"$\mathbf{{v}}_{side}$", (0.25, 0.12 * up)
        _back(axis, (x_R, middle), (x_y, row), small, y_half, name, aside)
    for x, text in ((x_R, "$R$"), (x_Delta, r"$\Delta_j$"), (x_l, "$l$")):
        _node(axis, (x, middle), small, text)
    _back(axis, (x_l, middle), (x_Delta, middle), small, small, r"$\alpha_j$", (0, 0.2))
    _back(axis, (x_Delta, middle), (x_R, middle), small, small, r"$\pm1$", (0, 0.2))
    many = "one such $R$ for the\nclicked title and one for\neach unclicked title"
    write(axis, x_Delta, 1.2, many, fontsize=9)
    return figure.says(
        "A map of the backward pass: from one query's loss l, errors go to the differences Δ, to "
        "each cosine R, to the embeddings of query and title, from there word by word to the first "
        "one, and at each word into the weights. Each arrow has its factor.",
    )


# the boxes of `error_paths`: text, centre, and the role that sets the colour
BOXES = {
    "cb": (r"$\mathbf{c}(t-1)$", (0.7, 4.1), "c"),
    "yb": (r"$\mathbf{y}(t-1)$", (0.7, 0.5), "y"),
    "z2": (r"$\mathbf{z}_2$", (2.6, 3.2), "f"),
    "z3": (r"$\mathbf{z}_3$", (2.6, 2.35), "i"),
    "z4": (r"$\mathbf{z}_4$", (2.6, 1.5), "yg"),
    "f": (r"$\mathbf{f}$", (4.5, 3.2), "f"),
    "i": (r"$\mathbf{i}$", (4.5, 2.35), "i"),
    "yg": (r"$\mathbf{y}_g$", (4.5, 1.5), "yg"),
    "c": (r"$\mathbf{c}(t)$", (6.0, 4.1), "c"),
    "z1": (r"$\mathbf{z}_1$", (5.5, 0.5), "o"),
    "o": (r"$\mathbf{o}$", (7.45, 0.5), "o"),
    "h": (r"$\mathbf{h}$", (7.95, 4.1), "h"),
    "y": (r"$\mathbf{y}(t)$", (8.35, 2.3), "y"),
}
# the arrows of `error_paths`: factor, its place along the arrow (0 to 1), number in (E..)
PATHS = {
    ("y", "o"): (r"$\mathbf{h}$", 0.5, 1),
    ("y", "h"): (r"$\mathbf{o}$", 0.5, 1),
    ("o", "z1"): (r"$\mathbf{o}\circ(1-\mathbf{o})$", 0.5, 2),
    ("h", "c"): (r"$1-\mathbf{h}^2$", 0.5, 3),
    ("z1", "c"): (r"$\mathbf{W}_{p1}^T$", 0.3, 3),
    ("c", "cb"): (r"$\mathbf{f}$", 0.5, 6),
    ("c", "f"): (r"$\mathbf{c}(t-1)$", 0.5, 4),
    ("c", "i"): (r"$\mathbf{y}_g$", 0.5, 4),
    ("c", "yg"): (r"$\mathbf{i}$", 0.5, 4),
    ("f", "z2"): (r"$\mathbf{f}\circ(1-\mathbf{f})$", 0.5, 5),
    ("i", "z3"): (r"$\mathbf{i}\circ(1-\mathbf{i})$", 0.5, 5),
    ("yg", "z4"): (r"$1-\mathbf{y}_g^2$", 0.5, 5),
    ("z2", "cb"): (r"$\mathbf{W}_{p2}^T$", 0.5, 6),
    ("z3", "cb"): (r"$\mathbf{W}_{p3}^T$", 0.5, 6),
    **{(f"z{k}", "yb"): (rf"$\mathbf{{W}}_{{rec{k}}}^T$", 0.45, 7) for k in "1234"},
}
DOTTED = {"color": "black", "linestyle": (0, (1, 1.5)), "linewidth": 1.6}
# kinds of arrows: text in the legend, line style, text colour
KINDS = {
    "kept": ("dashed: kept by the appendix", BACK, ERROR),
    "alone": ("dotted: (43), (44), each gate separately", DOTTED, "black"),
    "left out": ("grey, crossed: left out", {"color": "#8C8C8C", "linewidth": 0.8}, "#595959"),
}


# `error_parts`: where the boxes of a plain LSTM are, and its steps: title, numbers in (E..)
PLAIN = {
    "cb": (0.75, 4.0),
    "yb": (0.75, 0.5),
    "z3": (2.3, 2.9),
    "z4": (3.2, 1.75),
    "i": (4.55, 2.9),
    "yg": (5.45, 1.75),
    "c": (6.3, 4.0),
    "z1": (5.2, 0.5),
    "o": (7.3, 0.5),
    "h": (8.1, 4.0),
    "y": (8.25, 2.3),
}
PARTS = (
    ("1. From the output to its gate and to $\\mathbf{h}$", (1, 2)),
    ("2. Into the memory", (3,)),
    ("3. From the memory to the input and its gate", (4, 5)),
    ("4. To the word before", (6, 7)),
)
ASIDE = {  # offsets of labels from the middle of their arrows
    ("h", "c"): (0.1, 0.5),
    ("o", "z1"): (0, 0.5),
    ("i", "z3"): (-0.2, 0.5),
    ("yg", "z4"): (0, 0.45),
    ("c", "i"): (-0.85, 0.3),
    ("c", "yg"): (0.65, -0.1),
    ("z3", "yb"): (-0.8, 0.1),
    ("z4", "yb"): (1.15, 0),
    ("z1", "yb"): (0, -0.3),
    ("c", "cb"): (0, 0.3),
    ("y", "o"): (0.65, 0),
    ("y", "h"): (-0.65, 0),
}


def error_parts():
    """Draw how errors flow in a plain LSTM cell at one word, in four panels of one step each."""
    figure, axes = subplots(2, 2, figsize=(9, 5.6))
    wide = ("cb", "yb", "c", "y")
    halves = {node: (0.68, 0.33) if node in wide else (0.42, 0.33) for node in PLAIN}
    paths = {path: PATHS[path] for path in ASIDE}
    reached = {"y"}
    for axis, (title, lit) in zip(axes.flat, PARTS):
        axis.set(xlim=(0, 9), ylim=(-0.05, 4.75))
        axis.axis("off")
        axis.set_title(title, fontsize=10)
        for (start, end), (factor, _, formula) in paths.items():
            if formula > max(lit):
                continue
            reached.add(end)
            a, b = np.array([PLAIN[start], PLAIN[end]])
            look = BACK | ({} if formula in lit else {"color": FAINT, "linewidth": 0.8})
            _from_rim(axis, a, b, halves[start], halves[end], 0.08, **look)
            if formula in lit:
                text = "1" if end == "cb" else factor
                where = (a + b) / 2 + ASIDE[start, end]
                write(axis, *where, f"{text}  (E{formula})", fontsize=8.5, color=ERROR)
        for node, where in PLAIN.items():
            name, _, role = BOXES[node]
            width, height = 2 * np.array(halves[node])
            edge, ink = COLOURS.get(role, "black"), "black"
            edge, ink = (edge, ink) if node in reached else ("#CCCCCC", FAINT)
            box(axis, *where, width, height, name, ink, 8.5, edgecolor=edge, linewidth=1.3)
        if 3 in lit:
            write(axis, 6.3, 3.4, "+ from word $t+1$", fontsize=8.5, color=ERROR)
    return figure.says(
        "Four drawings of one word of a plain LSTM, in which errors go back from right to left. "
        "Lit in turn: from y(t) to the output gate and h; into c(t); from c(t) to the input and "
        "its gate; to c(t−1), times 1, and to y(t−1), through three weights.",
    )


def error_paths(appendix=False):
    """Draw how errors flow in an LSTM cell at one word, from y(t), c(t) to y(t-1), c(t-1).

    Parameters
    ----------
    appendix : bool
        Whether to mark the paths that the paper's appendix omits, and those that (43) and (44)
        change. Otherwise each arrow has the number of its formula in lesson 05a.
    """
    halves = dict.fromkeys(BOXES, (0.33, 0.22)) | dict.fromkeys(("cb", "yb", "c", "y"), (0.5, 0.22))
    figure, axis = canvas(9, 5.2 if appendix else 4.75)
    for (start, end), (label, along, formula) in PATHS.items():
        kind = "alone" if end == "yb" else "left out"
        kind = kind if appendix and start[0] == "z" else "kept"
        _, look, colour = KINDS[kind]
        a, b = np.array([BOXES[start][1], BOXES[end][1]])
        _from_rim(axis, a, b, halves[start], halves[end], **look)
        where = (1 - along) * a + along * b
        if start in ("h", "o", "f", "i", "yg"):  # the arrow is short, so its factor is above it
            where += (0, 0.17)
        if kind == "left out":
            cross = {"color": colour, "markersize": 11, "markeredgewidth": 1.5}
            axis.plot(*(where + (0, -0.02)), "x", **cross)
            where += (0.38, 0)
        ground = {"facecolor": "white", "edgecolor": "none", "pad": 0.8}
        ground |= {"alpha": float(kind != "left out")}
        label, size = (label, 10) if appendix else (f"{label}  (E{formula})", 9)
        write(axis, *where, label, fontsize=size, color=colour, bbox=ground)
    for node, (name, where, role) in BOXES.items():
        _node(axis, where, halves[node], name, COLOURS.get(role, "black"))
    _label(axis, (6.0, 4.5), "and from word $t+1$")
    source = "the embedding's error\nat the last word, else\nfrom the gates at $t+1$"
    _label(axis, (8.3, 1.25), source, ha="left")
    for k, (text, _, colour) in enumerate(KINDS.values() if appendix else ()):
        write(axis, 0.2 + 3.1 * k, 4.95, text, ha="left", fontsize=9, color=colour)
    crossed = (
        "Crossed are the peepholes' paths, which the appendix leaves out. Dotted are the paths to "
        "y(t−1), each gate separately."
    )
    return figure.says(
        "Where errors go inside one word of an LSTM: from y(t) to the output gate and c(t), from "
        "c(t) to the other gates, y_g and c(t−1), from these to y(t−1) and, by the peepholes, to a "
        "cell state.",
        crossed if appendix else "Each arrow has its factor and its formula's number.",
    )


def _node(axis, at, half, text="", colour="black"):
    """Draw a box centred at a point; ``half`` is (width / 2, height / 2)."""
    width, height = 2 * half[0], 2 * half[1]
    box(axis, *at, width, height, text, edgecolor=colour, linewidth=1.3, fontsize=10)


def _from_rim(axis, start, end, half_start, half_end, gap=0.05, **look):
    """Draw an arrow from edge to edge of two boxes; centres and half sizes are as in `_node`."""
    way = np.subtract(end, start)

    def to_rim(half):
        with np.errstate(divide="ignore"):
            return way * np.min(np.array(half) / np.abs(way)) + gap * way / np.hypot(*way)

    arrow(axis, start + to_rim(half_start), end - to_rim(half_end), mutation_scale=10, **look)


def _back(axis, start, end, half_start, half_end, label, aside):
    """Draw the dashed arrow of an error between two boxes, and its label."""
    _from_rim(axis, start, end, half_start, half_end, **BACK)
    _label(axis, np.add(start, end) / 2 + aside, label)


def _label(axis, at, text, ha="center"):
    """Write text in the colour of errors."""
    write(axis, *at, text, ha=ha, fontsize=9, color=ERROR)
