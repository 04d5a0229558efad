"""Diagrams of the backward pass, for the derivations of lessons 04, 05a and 05b."""

import numpy as np

from .alt_text import listed, number
from .drawing import box, canvas, link, write
from .style import BACK, COLOURS, ERROR, FAINT, subplots


def two_words(values, errors):
    """Draw the computational graph of an RNN with one cell and two words, with values and errors.

    Parameters
    ----------
    values, errors : dict of float
        Keyed by node, ``w``, ``r``, ``z1``, ``y1``, ``z2``, ``y2``: the node's value, and the
        derivative of C = y(2) with respect to the node.
    """
    nodes = {
        "z1": ("z(1)", (0.8, 2.5)),
        "y1": ("y(1)", (3.2, 2.5)),
        "z2": ("z(2)", (5.6, 2.5)),
        "y2": ("C = y(2)", (8.05, 2.5)),
        "w": ("w", (3.2, 0.45)),
        "r": ("r", (7.2, 0.45)),
    }
    figure, axis = canvas(9, 3.3)
    boxes = {
        node: _quantity(axis, at, f"{name} = {values[node]:.3f}", f"error {errors[node]:.3f}")
        for node, (name, at) in nodes.items()
    }
    for start, end, factor, aside in (
        ("z1", "y1", "× (1 − y(1)²)", (0, 0.26)),
        ("y1", "z2", "× r", (0, 0.26)),
        ("z2", "y2", "× (1 − y(2)²)", (0, 0.26)),
        ("w", "z1", "× l(1)", (-0.3, -0.3)),
        ("w", "z2", "× l(2)", (-0.3, 0.3)),
        ("r", "z2", "× y(1)", (-0.42, -0.12)),
    ):
        link(axis, boxes[start], boxes[end], 0.07, 8)
        middle = link(axis, boxes[end], boxes[start], 0.07, 8, **BACK)
        write(axis, *(middle + aside), factor, fontsize=9.5, color=ERROR)
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
    nodes = {  # the quantity's name, its error's name, and the position of its box at word 1
        "yg": ("y_g", "dz_4", (0.6, 2.6)),
        "i": ("i", "dz_3", (1.73, 2.6)),
        "c": ("c", "dc", (2.47, 4.35)),
        "o": ("o", "dz_1", (3.8, 2.6)),
        "y": ("y", "dy", (3.8, 0.45)),
    }
    apart, boxes = 4.5, {}
    arrows = [("c", 1, "c", 2, "× 1", (4.6, 4.62), "center")]
    for node, k, where in (("yg", 4, (4.98, 2.13)), ("i", 3, (5.6, 1.78)), ("o", 1, (6.6, 1.33))):
        arrows.append(("y", 1, node, 2, f"× $W_{{rec{k}}}$", where, "left"))
    figure, axis = canvas(9, 4.9)
    for t, values, back in zip((1, 2), states, errors):
        value, error = dict(zip(nodes, values)), dict(zip(("y", "c", "o", "i", "yg"), back))
        right = apart * (t - 1)
        for node, (name, name_of_error, (x, y)) in nodes.items():
            texts = f"${name}({t})={value[node]:.4f}$", f"${name_of_error}={error[node]:.4f}$"
            look = {"size": (1.08, 0.54), "edge": COLOURS[node], "fontsize": 8.5}
            boxes[node, t] = _quantity(axis, (x + right, y), *texts, **look)
        arrows += [
            ("yg", t, "c", t, "× $i\\,(1-y_g^2)$", (1.36 + right, 3.7), "right"),
            ("i", t, "c", t, "× $y_g$\n$i(1-i)$", (2.14 + right, 3.17), "left"),
            ("o", t, "y", t, "× $h\\,o$\n$(1-o)$", (3.93 + right, 1.62), "left"),
            ("c", t, "y", t, "× $o\\,(1-h^2)$", (2.92 + right, 3.5), "left"),
        ]
    for start, t, end, then, factor, where, side in arrows:
        link(axis, boxes[start, t], boxes[end, then], 0.06, 6, color=FAINT)
        look = BACK | ({"linewidth": 2.6} if factor == "× 1" else {})
        link(axis, boxes[end, then], boxes[start, t], 0.06, 6, **look)
        write(axis, *where, factor, fontsize=8.5, color=ERROR, ha=side)
    return figure.says(
        f"A graph of a plain LSTM cell that reads two words and ends with y(2) = "
        f"{number(states[1][4])}. The error {number(errors[1][1])} of c(2) reaches c(1) times 1; "
        f"with what comes by y(1), whose error is {number(errors[0][0])}, c(1) has the error "
        f"{number(errors[0][1])}.",
    )


def way_back():
    """Draw the backward pass of the RNN, from the cost to the weights, as arrows with factors."""
    middle, short = 2.45, (0.52, 0.44)
    figure, axis = canvas(9, 4.9)
    R = _node(axis, (6.75, middle), short, "$R$")
    Delta = _node(axis, (7.75, middle), short, r"$\Delta_j$")
    _back(axis, _node(axis, (8.7, middle), short, "$l$"), Delta, r"$\alpha_j$", (0, 0.2))
    _back(axis, Delta, R, r"$\pm1$", (0, 0.2))
    for side, up, role in (("Q", 1, "query"), ("D", -1, "document")):
        row, weights, colour = middle + 1.05 * up, middle + 2.15 * up, COLOURS[role]
        name = rf"$\mathbf{{W}}_{{rec}}$, $\mathbf{{W}}$, $\mathbf{{b}}$ of the {role} side"
        target = _node(axis, (2.0, weights), (3.0, 0.44), name, colour)
        deltas = [
            _node(axis, (x, row), (width, 0.44), rf"$\boldsymbol{{\delta}}_{side}({t})$", colour)
            for x, width, t in ((0.5, 0.9, "1"), (2.0, 1.16, "T-1"), (3.75, 1.16, "T"))
        ]
        for delta in deltas:
            link(axis, delta, target, **BACK | {"linewidth": 1})
        sums = r"times $\mathbf{y}(t-1)^T$, $\mathbf{l}(t)^T$ and 1, added up over the words"
        write(axis, 3.9, weights, sums, ha="left", fontsize=9, color=ERROR)
        write(axis, 1.21, row, "…", fontsize=14, color=ERROR)
        y = _node(axis, (5.45, row), (1.0, 0.44), rf"$\mathbf{{y}}_{side}(T)$", colour)
        step, aside = "$\\mathbf{W}_{rec}^T$, then\n$1-\\mathbf{y}^2$", (0, -0.44 * up)
        _back(axis, deltas[2], deltas[1], step, aside)
        _back(axis, y, deltas[2], r"$1-\mathbf{y}^2$", aside)
        _back(axis, R, y, rf"$\mathbf{{v}}_{side}$", (0.25, 0.12 * up))
    many = "one such $R$ for the\nclicked title and one for\neach unclicked title"
    write(axis, 7.75, 1.2, many, fontsize=9)
    return figure.says(
        "A map of the backward pass: from one query's loss l, errors go to the differences Δ, to "
        "each cosine R, to the embeddings of query and title, from there word by word to the first "
        "one, and at each word into the weights. Each arrow has its factor.",
    )


# the boxes of an LSTM cell: text, centre, and the role that sets the colour
BOXES = {
    "cb": (r"$\mathbf{c}(t-1)$", (0.7, 4.1), "c"),
    "yb": (r"$\mathbf{y}(t-1)$", (0.7, 0.5), "y"),
    "z2": (r"$\mathbf{z}_2$", (2.6, 3.2), "f"),
    "z3": (r"$\mathbf{z}_3$", (2.6, 2.35), "i"),
    "z4": (r"$\mathbf{z}_4$", (2.9, 1.5), "yg"),
    "f": (r"$\mathbf{f}$", (4.5, 3.2), "f"),
    "i": (r"$\mathbf{i}$", (4.5, 2.35), "i"),
    "yg": (r"$\mathbf{y}_g$", (4.8, 1.5), "yg"),
    "c": (r"$\mathbf{c}(t)$", (6.0, 4.1), "c"),
    "z1": (r"$\mathbf{z}_1$", (5.6, 0.5), "o"),
    "o": (r"$\mathbf{o}$", (7.5, 0.5), "o"),
    "h": (r"$\mathbf{h}$", (7.95, 4.1), "h"),
    "y": (r"$\mathbf{y}(t)$", (8.35, 2.3), "y"),
}
# the arrows of an LSTM cell's errors: factor, position of the factor's label along the arrow (0 to
# 1), number of the formula, from (E1) to (E7)
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


# the steps of `error_parts`: title, numbers of the formulas, from (E1) to (E7)
PARTS = (
    ("1. From the output to its gate and to $\\mathbf{h}$", (1, 2)),
    ("2. Into the memory", (3,)),
    ("3. From the memory to the input and its gate", (4, 5)),
    ("4. To the word before", (6, 7)),
)
LEFT_OUT = {"f", "z2"}, {("z1", "c"), ("z3", "cb")}  # boxes and arrows that a plain LSTM lacks
# arrows whose label is below them or to their right
BELOW = {("y", "o"), ("yg", "z4"), ("c", "yg"), ("z4", "yb"), ("z1", "yb")}


def error_parts():
    """Draw how errors flow in a plain LSTM cell at one word, in four panels of one step each."""
    figure, axes = subplots(2, 2, figsize=(9, 5.6))
    for axis, (title, lit) in zip(axes.flat, PARTS):
        axis.set(xlim=(0, 9.1), ylim=(-0.1, 4.75))
        axis.axis("off")
        axis.set_title(title, fontsize=10)
        paths = {
            path: of
            for path, of in PATHS.items()
            if of[2] <= max(lit) and path not in LEFT_OUT[1] and not LEFT_OUT[0] & {*path}
        }
        nodes = {node: of for node, of in BOXES.items() if node not in LEFT_OUT[0]}
        reached = {"y", *(end for _, end in paths)}
        boxes = _boxes(axis, nodes, (0.84, 0.66), (1.36, 0.66), reached, 8.5)
        for path, (factor, _, formula) in paths.items():
            start, end = (boxes[node] for node in path)
            look = {} if formula in lit else {"color": FAINT, "linewidth": 0.8}
            middle = link(axis, start, end, **BACK | look)
            if formula in lit:
                text = f"{'1' if path == ('c', 'cb') else factor}  (E{formula})"
                side = -1 if path in BELOW else 1
                level = BOXES[path[0]][1][1] == BOXES[path[1]][1][1]
                aside = (0, 0.54 * side) if level else (-0.2 * side, 0.1 * side)
                ha = "center" if level else "right" if side > 0 else "left"
                write(axis, *(middle + aside), text, fontsize=8.5, color=ERROR, ha=ha)
        if 3 in lit:
            write(axis, 6.0, 3.5, "+ from word $t+1$", fontsize=8.5, color=ERROR)
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
        Whether to mark the paths that the paper's appendix omits, and the paths that its Eqs. (43)
        and (44) change. Otherwise each arrow has the number of its formula in lesson 05a.
    """
    figure, axis = canvas(9, 5.2 if appendix else 4.75)
    boxes = _boxes(axis, BOXES, (0.66, 0.44), (1.0, 0.44))
    for (start, end), (label, along, formula) in PATHS.items():
        kind = "alone" if end == "yb" else "left out"
        kind = kind if appendix and start[0] == "z" else "kept"
        _, look, colour = KINDS[kind]
        link(axis, boxes[start], boxes[end], **look)
        where = (1 - along) * np.array(BOXES[start][1]) + along * np.array(BOXES[end][1])
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
    write(axis, 6.0, 4.5, "and from word $t+1$", fontsize=9, color=ERROR)
    source = "the embedding's error\nat the last word, else\nfrom the gates at $t+1$"
    write(axis, 8.3, 1.25, source, ha="left", fontsize=9, color=ERROR)
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


def _node(axis, at, size, text="", edge="black", fontsize=10, **look):
    """Draw a box with a coloured edge, centred at a point, and return it."""
    look |= {"edgecolor": edge, "linewidth": 1.3, "fontsize": fontsize}
    return box(axis, *at, *size, text, **look)


def _boxes(axis, nodes, small, wide, reached=BOXES, fontsize=10):
    """Draw the boxes of an LSTM cell, grey where no error has arrived yet."""
    drawn = {}
    for node, (name, at, role) in nodes.items():
        edge, ink = COLOURS.get(role, "black"), "black"
        edge, ink = (edge, ink) if node in reached else ("#CCCCCC", FAINT)
        size = wide if "(" in name else small
        drawn[node] = _node(axis, at, size, name, edge, fontsize, colour=ink)
    return drawn


def _quantity(axis, at, value, error, size=(1.44, 0.6), edge="black", fontsize=10):
    """Draw a box with a quantity's value and, below it, its error."""
    for text, up, ink in ((value, 0.13, "black"), (error, -0.13, ERROR)):
        look = {"fontsize": fontsize, "color": ink, "zorder": 4}
        write(axis, at[0], at[1] + up, text.replace("-", "−"), **look)
    return _node(axis, at, size, edge=edge)


def _back(axis, start, end, label, aside):
    """Draw the dashed arrow of an error between two boxes, and its label."""
    middle = link(axis, start, end, **BACK)
    write(axis, *(middle + aside), label, fontsize=9, color=ERROR)
