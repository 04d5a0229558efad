"""How errors go back: graphs and maps of the derivations (04, 05a and 05b)."""

import numpy as np

from .alt_text import listed, number, says
from .drawing import arrow, box, canvas
from .style import COLOURS, ERROR, style


def two_words(values, errors):
    """One cell that reads two words, as a graph: the value of each node,
    and the error that comes back to it.

    Parameters
    ----------
    values, errors : dict of float
        Of the nodes ``w``, ``r``, ``z1``, ``y1``, ``z2``, ``y2``: forward, and dC of each,
        with C = y(2).
    """
    at = {
        "z1": (0.8, 2.5),
        "y1": (3.2, 2.5),
        "z2": (5.6, 2.5),
        "y2": (8.05, 2.5),
        "w": (3.2, 0.45),
        "r": (7.2, 0.45),
    }
    names = {"z1": "z(1)", "y1": "y(1)", "z2": "z(2)", "y2": "C = y(2)", "w": "w", "r": "r"}
    edges = {
        ("z1", "y1"): ("× (1 − y(1)²)", (0, 0.26)),
        ("y1", "z2"): ("× r", (0, 0.26)),
        ("z2", "y2"): ("× (1 − y(2)²)", (0, 0.26)),
        ("w", "z1"): ("× l(1)", (-0.3, -0.3)),
        ("w", "z2"): ("× l(2)", (-0.3, 0.3)),
        ("r", "z2"): ("× y(1)", (-0.42, -0.12)),
    }
    half = 0.72, 0.3
    figure, axis = canvas(9, 3.3)
    with style():
        for node, (x, y) in at.items():
            _node(axis, (x, y), half)
            axis.text(
                x,
                y + 0.13,
                f"{names[node]} = {values[node]:.3f}".replace("-", "−"),
                ha="center",
                va="center",
            )
            axis.text(
                x,
                y - 0.13,
                f"error {errors[node]:.3f}".replace("-", "−"),
                ha="center",
                va="center",
                color=ERROR,
            )
        for (start, end), (factor, aside) in edges.items():
            away = np.subtract(at[end], at[start])
            away = 0.07 * np.array([-away[1], away[0]]) / np.hypot(*away)
            _from_rim(
                axis, at[start] - away, at[end] - away, half, half, 0.11, color="black", linewidth=1
            )
            _from_rim(
                axis,
                at[end] + away,
                at[start] + away,
                half,
                half,
                0.11,
                color=ERROR,
                linestyle=(0, (4, 2)),
                linewidth=1.3,
            )
            axis.text(
                *((np.add(at[start], at[end])) / 2 + aside),
                factor,
                ha="center",
                va="center",
                fontsize=9.5,
                color=ERROR,
            )
        axis.set_title(
            "Values go forward (solid). Errors come back (dashed), times the factor at the arrow"
        )
    at_words = [f"{names[node]} = {number(values[node])}" for node in ("w", "r", "z1", "y1", "z2")]
    return says(
        figure,
        f"A graph of one cell that reads two words: {listed(at_words, 5)} lead to "
        f"C = y(2) = {number(values['y2'])}.",
        f"Dashed arrows bring errors back: {number(errors['w'])} to w, {number(errors['r'])} to r.",
    )


def way_back():
    """The whole way back of the RNN as a map: each arrow an error, with the factor it gets."""
    x_first, x_before, x_last, x_y, x_R, x_Delta, x_l = 0.5, 2.0, 3.75, 5.45, 6.75, 7.75, 8.7
    middle, wide, small = 2.45, (0.58, 0.22), (0.26, 0.22)
    figure, axis = canvas(9, 4.9)
    with style():
        for side, up, role in (("Q", 1, "query"), ("D", -1, "document")):
            row, weights, colour = middle + 1.05 * up, middle + 2.15 * up, COLOURS[role]
            for x, time, half in (
                (x_first, "1", (0.45, 0.22)),
                (x_before, "T-1", wide),
                (x_last, "T", wide),
            ):
                _node(axis, (x, row), half, rf"$\boldsymbol{{\delta}}_{side}({time})$", colour)
                _from_rim(
                    axis,
                    (x, row),
                    (x_before + 0.75 * np.sign(x - x_before), weights),
                    half,
                    (1.5, 0.22),
                    color=ERROR,
                    linestyle=(0, (4, 2)),
                )
            _node(
                axis,
                (x_before, weights),
                (1.5, 0.22),
                rf"$\mathbf{{W}}_{{rec}}$, $\mathbf{{W}}$, $\mathbf{{b}}$ of the {role} side",
                colour,
            )
            _label(
                axis,
                (x_last + 0.15, weights),
                r"times $\mathbf{y}(t-1)^T$, $\mathbf{l}(t)^T$ and 1, added up over the words",
                ha="left",
            )
            axis.text(
                (x_first + x_before) / 2 - 0.04,
                row,
                "…",
                ha="center",
                va="center",
                fontsize=14,
                color=ERROR,
            )
            _node(axis, (x_y, row), (0.5, 0.22), rf"$\mathbf{{y}}_{side}(T)$", colour)
            step = "$\\mathbf{W}_{rec}^T$, then\n$1-\\mathbf{y}^2$"
            for start, end, halves, factor in (
                (x_last, x_before, (wide, wide), step),
                (x_y, x_last, ((0.5, 0.22), wide), r"$1-\mathbf{y}^2$"),
            ):
                _back(axis, (start, row), (end, row), *halves, factor, (0, -0.44 * up))
            _back(
                axis,
                (x_R, middle),
                (x_y, row),
                small,
                (0.5, 0.22),
                rf"$\mathbf{{v}}_{side}$",
                (0.25, 0.12 * up),
            )
        for x, text in ((x_R, "$R$"), (x_Delta, r"$\Delta_j$"), (x_l, "$l$")):
            _node(axis, (x, middle), small, text)
        _back(axis, (x_l, middle), (x_Delta, middle), small, small, r"$\alpha_j$", (0, 0.2))
        _back(axis, (x_Delta, middle), (x_R, middle), small, small, r"$\pm1$", (0, 0.2))
        axis.text(
            x_Delta,
            1.2,
            "one such $R$ for the\nclicked title and one for\neach unclicked title",
            ha="center",
            va="center",
            fontsize=9,
        )
    return says(
        figure,
        "A map of the way back: from the cost l errors go to the differences Δ, to each cosine R, "
        "to the embeddings of query and title, from there word by word to the first one, and at "
        "each word into the weights. Each arrow has its factor.",
    )


def error_paths(appendix=False, plain=False):
    """Where errors go inside one word of an LSTM, from y(t) and c(t) back to y(t-1) and c(t-1).

    Parameters
    ----------
    appendix : bool
        Whether to mark what the paper's appendix leaves out, and what (43) and (44) do otherwise;
        else each arrow has the number of its formula in lesson 05a.
    plain : bool
        Whether to leave out forget gate and peepholes.
    """
    wide, small = (0.5, 0.22), (0.33, 0.22)  # half of a box
    at = {
        "cb": (0.7, 4.1),
        "yb": (0.7, 0.5),
        "z2": (2.6, 3.2),
        "z3": (2.6, 2.35),
        "z4": (2.6, 1.5),
        "f": (4.5, 3.2),
        "i": (4.5, 2.35),
        "yg": (4.5, 1.5),
        "c": (6.0, 4.1),
        "z1": (5.5, 0.5),
        "o": (7.45, 0.5),
        "h": (7.95, 4.1),
        "y": (8.35, 2.3),
    }
    names = {
        "cb": r"$\mathbf{c}(t-1)$",
        "yb": r"$\mathbf{y}(t-1)$",
        "c": r"$\mathbf{c}(t)$",
        "y": r"$\mathbf{y}(t)$",
        **{f"z{k}": rf"$\mathbf{{z}}_{k}$" for k in "1234"},
        **{name: rf"$\mathbf{{{name}}}$" for name in "ofih"},
        "yg": r"$\mathbf{y}_g$",
    }
    roles = {"cb": "c", "z1": "o", "z2": "f", "z3": "i", "z4": "yg", "yb": "y"}
    edges = {
        ("y", "o"): (r"$\mathbf{h}$", 0.5),
        ("y", "h"): (r"$\mathbf{o}$", 0.5),
        ("o", "z1"): (r"$\mathbf{o}\circ(1-\mathbf{o})$", 0.5),
        ("h", "c"): (r"$1-\mathbf{h}^2$", 0.5),
        ("z1", "c"): (r"$\mathbf{W}_{p1}^T$", 0.3),
        ("c", "cb"): (r"$\mathbf{f}$", 0.5),
        ("c", "f"): (r"$\mathbf{c}(t-1)$", 0.5),
        ("c", "i"): (r"$\mathbf{y}_g$", 0.5),
        ("c", "yg"): (r"$\mathbf{i}$", 0.5),
        ("f", "z2"): (r"$\mathbf{f}\circ(1-\mathbf{f})$", 0.5),
        ("i", "z3"): (r"$\mathbf{i}\circ(1-\mathbf{i})$", 0.5),
        ("yg", "z4"): (r"$1-\mathbf{y}_g^2$", 0.5),
        ("z2", "cb"): (r"$\mathbf{W}_{p2}^T$", 0.5),
        ("z3", "cb"): (r"$\mathbf{W}_{p3}^T$", 0.5),
        **{(f"z{k}", "yb"): (rf"$\mathbf{{W}}_{{rec{k}}}^T$", 0.45) for k in "1234"},
    }
    formula = {"y": 1, "o": 2, "h": 3, "c": 4, "f": 5, "i": 5, "yg": 5}
    formula = {edge: formula.get(edge[0], 7 if edge[1] == "yb" else 6) for edge in edges}
    formula |= {("z1", "c"): 3, ("c", "cb"): 6}
    if plain:
        edges["c", "cb"] = "1", 0.5
        at = {node: place for node, place in at.items() if node not in ("f", "z2")}
        peepholes = ("z1", "c"), ("z3", "cb")
        edges = {e: of for e, of in edges.items() if set(e) <= set(at) and e not in peepholes}

    def half(node):
        return wide if node in ("cb", "yb", "c", "y") else small

    looks = {
        "kept": {"color": ERROR, "linestyle": (0, (4, 2)), "linewidth": 1.3},
        "alone": {"color": "black", "linestyle": (0, (1, 1.5)), "linewidth": 1.6},
        "left out": {"color": "#8C8C8C", "linestyle": "-", "linewidth": 0.8},
    }
    meanings = {
        "kept": "dashed: kept by the appendix",
        "alone": "dotted: (43), (44), each gate separately",
        "left out": "grey, crossed: left out",
    }
    figure, axis = canvas(9, 5.2 if appendix else 4.75)
    with style():
        for (start, end), (label, along) in edges.items():
            if not appendix or start[0] != "z":
                kind = "kept"
            else:
                kind = "alone" if end == "yb" else "left out"
            _from_rim(
                axis,
                at[start],
                at[end],
                half(start),
                half(end),
                **looks[kind],
            )
            where = (1 - along) * np.array(at[start]) + along * np.array(at[end])
            if start in ("h", "o", "f", "i", "yg"):  # a short arrow: what it carries stands above
                where += (0, 0.17)
            if kind == "left out":
                axis.plot(
                    *(where + (0, -0.02)), "x", color="#595959", markersize=11, markeredgewidth=1.5
                )
                where += (0.38, 0)
            axis.text(
                *where,
                label if appendix else f"{label}  (E{formula[start, end]})",
                ha="center",
                va="center",
                fontsize=10 if appendix else 9,
                color="#595959" if kind == "left out" else looks[kind]["color"],
                bbox={
                    "facecolor": "white",
                    "edgecolor": "none",
                    "pad": 0.8,
                    "alpha": float(kind != "left out"),
                },
            )
        for node, where in at.items():
            _node(axis, where, half(node), names[node], COLOURS.get(roles.get(node, node), "black"))
        _label(axis, (6.0, 4.5), "and from word $t+1$")
        _label(
            axis,
            (8.3, 1.25),
            "the embedding's error\nat the last word, else\nfrom the gates at $t+1$",
            ha="left",
        )
        for k, (kind, text) in enumerate(meanings.items() if appendix else ()):
            axis.text(
                0.2 + 3.1 * k,
                4.95,
                text,
                va="center",
                fontsize=9,
                color="#595959" if kind == "left out" else looks[kind]["color"],
            )
    crossed = (
        "Crossed are the peepholes' paths, which the appendix leaves out. Dotted are the paths to "
        "y(t−1), each gate separately."
    )
    others = "the input gate" if plain else "the other gates"
    peepholes = "" if plain else " and, by the peepholes, to a cell state"
    return says(
        figure,
        "Where errors go inside one word of an LSTM: from y(t) to the output gate and c(t), from "
        f"c(t) to {others}, y_g and c(t−1), from these to y(t−1){peepholes}.",
        crossed if appendix else "Each arrow has its factor and its formula's number.",
    )


def _node(axis, at, half, text="", colour="black"):
    """A box around a point, half as wide and high as ``half`` says."""
    box(axis, *at, 2 * half[0], 2 * half[1], text, edge=colour, linewidth=1.3, fontsize=10)


def _from_rim(axis, start, end, half_start, half_end, gap=0.05, **look):
    """An arrow from the rim of one box to that of another."""
    way = np.subtract(end, start)

    def to_rim(half):
        with np.errstate(divide="ignore"):
            return way * np.min(np.array(half) / np.abs(way)) + gap * way / np.hypot(*way)

    arrow(axis, start + to_rim(half_start), end - to_rim(half_end), mutation_scale=10, **look)


def _back(axis, start, end, half_start, half_end, label, aside):
    """An error going back, and the equation that says how."""
    _from_rim(
        axis, start, end, half_start, half_end, color=ERROR, linestyle=(0, (4, 2)), linewidth=1.3
    )
    _label(axis, np.add(start, end) / 2 + aside, label)


def _label(axis, at, text, ha="center"):
    axis.text(*at, text, ha=ha, va="center", fontsize=9, color=ERROR)
