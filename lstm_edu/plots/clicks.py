"""What a click asks of two embeddings: the paper's drawings (Figs. 3, 13),
and the cost (3)-(5), (8) as curves and bars.
"""

import textwrap

import numpy as np
from matplotlib.patches import Rectangle

from ..gradients.cost import loss
from .drawing import arrow, box, canvas
from .style import COLOURS, as_text, shades, style, subplots

LINES = "-", "--", "-.", ":"
DASHES, DOTS = (0, (4, 3)), (0, (1, 1.5))
FAINT = "#999999"


# ---- Figs. 3 and 13


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
    return figure


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
    return figure


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


# ---- the cost


def loss_curves(gammas, ns, gamma):
    """Eq. (5) against Delta, the same for all unclicked titles: for several gamma (left),
    for several n (right).

    Parameters
    ----------
    gammas : list of float
        Up to four, for n = 1.
    ns : list of int
        Up to four, for ``gamma``.
    gamma : float
    """
    delta = np.linspace(-2, 2, 401)
    with style():
        figure, (left, right) = subplots(1, 2, figsize=(9, 3.8))
        for axis, curves, title in (
            (left, [(g, 1, f"γ = {g:g}") for g in gammas], "n = 1, several γ"),
            (right, [(gamma, n, f"n = {n:,}") for n in ns], f"γ = {gamma:g}, several n"),
        ):
            for k, (g, n, label) in enumerate(curves):
                l, _ = loss(np.repeat(delta[:, None], n, axis=1), g)
                axis.plot(delta, l, color=shades(len(curves))[k], linestyle=LINES[k], label=label)
            axis.axvline(0, color=FAINT, linewidth=1)
            axis.set_title(title)
            axis.set_xlabel("Δ, cosine of the clicked minus that of the unclicked")
            axis.set_yscale("log")
            axis.set_ylim(1e-5, 60)
            axis.legend(loc="lower left")
            axis.grid(color="#EEEEEE")
        left.set_ylabel("cost l, nats (log scale)")
    return figure


def zero_one(limit=2.5):
    """The 0-1 loss, and (5) for one unclicked title in nats and in bits, against gamma Delta."""
    x = np.linspace(-limit, limit, 401)
    l, _ = loss(x[:, None], 1.0)
    with style():
        figure, axis = subplots(figsize=(6.5, 3.6))
        axis.fill_between(x, l, 1, where=(x <= 0) & (l < 1), color="#BBBBBB", linewidth=0)
        axis.plot([-limit, 0], [1, 1], color="black", linewidth=2)
        axis.plot([0, limit], [0, 0], color="black", linewidth=2)
        axis.plot(0, 1, "o", color="black", markersize=5)
        axis.plot(0, 0, "o", color="black", markerfacecolor="white", markersize=5)
        axis.plot(x, l, color=shades(4)[0], linestyle="-")
        axis.plot(x, l / np.log(2), color=shades(4)[2], linestyle="--")
        axis.annotate(
            "(5) in bits",
            (-1.5, np.log2(1 + np.exp(1.5))),
            xytext=(8, 4),
            textcoords="offset points",
            fontsize=9,
        )
        axis.annotate(
            "(5) in nats",
            (-1.5, np.log1p(np.exp(1.5))),
            xytext=(-6, -4),
            textcoords="offset points",
            ha="right",
            va="top",
            fontsize=9,
        )
        axis.annotate(
            "0-1 loss", (-limit, 1), xytext=(4, -12), textcoords="offset points", fontsize=9
        )
        axis.annotate(
            "nats below the 0-1 loss",
            (-0.1, 0.86),
            xytext=(-0.6, 0.4),
            ha="right",
            va="center",
            fontsize=9,
            arrowprops={"arrowstyle": "-", "color": "black", "linewidth": 0.8},
        )
        axis.set_ylim(-0.08, 3.2)
        axis.set_xlim(-limit, limit)
        axis.set_xlabel("γΔ  (negative: the unclicked title is ahead)")
        axis.set_ylabel("cost of the pair of titles")
        axis.grid(color="#EEEEEE")
    return figure


def shares(titles, R, alpha):
    """Cosines of a clicked title, the first, and of unclicked ones,
    and how alpha shares out the push among these.

    Parameters
    ----------
    titles : (n + 1,) of str
    R : (n + 1,)
    alpha : (n,)
        Eq. (8), for the unclicked titles.
    """
    with style():
        figure, axes = subplots(1, 2, figsize=(9, 0.9 + 0.42 * len(titles)), sharey=True)
        _bars(axes, titles, R, alpha)
        figure.get_layout_engine().set(wspace=0.06)  # keeps the numbers of the two panels apart
    return figure


def _bars(axes, titles, R, alpha):
    """The two panels of `shares`; where alpha is NaN, there is no bar."""
    y = np.arange(len(titles))[::-1]
    for axis, values, digits, label in (
        (axes[0], R, "{:.2f}", "cosine R with the query"),
        (
            axes[1],
            np.append(np.nansum(alpha), -alpha),
            "{:+.2f}",
            "∂l/∂R (hatched: of the clicked title)",
        ),
    ):
        bars = axis.barh(y, values, 0.6, color="white", edgecolor=COLOURS["document"])
        bars[0].set(facecolor=COLOURS["document"], hatch="///", edgecolor="white")
        for y_k, value in zip(y[~np.isnan(values)], values[~np.isnan(values)]):
            axis.annotate(
                digits.format(value).replace("-", "−"),
                (value, y_k),
                xytext=(4 if value >= 0 else -4, 0),
                textcoords="offset points",
                ha="left" if value >= 0 else "right",
                va="center",
                fontsize=9,
            )
        axis.axvline(0, color="black", linewidth=0.8)
        axis.margins(x=0.22)
        axis.tick_params(axis="y", length=0)
        axis.spines["left"].set_visible(False)
        axis.set_xlabel(label)
    axes[0].set_yticks(y, [as_text(textwrap.fill(title, 36)) for title in titles])


def push(titles, R, gamma, n):
    """`shares` for one gamma, when the first n of the unclicked titles are drawn;
    and where these stand on the curve of Eq. (5).

    Parameters
    ----------
    titles : (m + 1,) of str
        The clicked one first. Those that are not drawn are shown in brackets.
    R : (m + 1,)
    gamma : float
    n : int, from 1 to m
    """
    delta, x = R[0] - R[1 : n + 1], np.linspace(-1, 2, 301)
    (l,), (alpha,) = loss(delta[None], gamma)
    with style():
        figure, (*axes, curve) = subplots(
            1, 3, figsize=(9.5, 1.4 + 0.42 * len(titles)), width_ratios=[1, 1, 1.2]
        )
        _bars(
            axes,
            [title if k <= n else f"({title})" for k, title in enumerate(titles)],
            R,
            np.append(alpha, np.full(len(R) - 1 - n, np.nan)),
        )
        axes[0].set_xlim(min(R.min(), 0) - 0.45, max(R.max(), 0) + 0.35)
        axes[1].set(yticks=[], ylim=axes[0].get_ylim(), xlabel="∂l/∂R")
        curve.plot(x, loss(x[:, None], gamma)[0], color="black")
        curve.plot(
            delta,
            loss(delta[:, None], gamma)[0],
            "o",
            color=COLOURS["document"],
            markerfacecolor="white",
            markersize=7,
        )
        curve.set(
            xlabel="Δ of an unclicked title",
            ylabel="its cost alone, nats",
            xlim=(-1, 2),
            ylim=(-0.2, 5),
        )
        curve.axvline(0, color=FAINT, linewidth=1)
        figure.suptitle(
            f"γ = {gamma:g}, n = {n}:  P of the clicked title {np.exp(-l):.0%},  "
            f"cost l = {l:.2f}  (a guess: {np.log1p(n):.2f})",
            x=0.01,
            ha="left",
            fontsize=11,
        )
    return figure
