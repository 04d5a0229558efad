"""Plots of the cost of a click, Eq. (3)-(5) and (8) (lesson 03)."""

import textwrap

import numpy as np

from lstm_edu.gradients.cost import loss

from .alt_text import count, number, quoted, span
from .style import COLOURS, FAINT, LINES, as_text, note, shades, subplots


def loss_curves(gammas, ns, gamma):
    """Plot the cost, Eq. (5), against Delta, for several gamma and n.

    All unclicked titles have the same Delta.

    Parameters
    ----------
    gammas : list of float
        Up to four values of gamma, for the left panel, where n = 1.
    ns : list of int
        Up to four values of n, for the right panel.
    gamma : float
        The value of gamma in the right panel.
    """
    delta = np.linspace(-2, 2, 401)
    figure, (left, right) = subplots(1, 2, figsize=(9, 3.8), grid="both")
    for axis, curves, title in (
        (left, [(g, 1, f"γ = {g:g}") for g in gammas], "n = 1, several γ"),
        (right, [(gamma, n, f"n = {n:,}") for n in ns], f"γ = {gamma:g}, several n"),
    ):
        for (g, n, label), colour, line in zip(curves, shades(len(curves)), LINES):
            l, _ = loss(np.repeat(delta[:, None], n, axis=1), g)
            axis.plot(delta, l, color=colour, linestyle=line, label=label)
        axis.axvline(0, color=FAINT, linewidth=1)
        axis.set_xlabel("Δ, cosine of the clicked minus that of the unclicked")
        axis.set(title=title, yscale="log", ylim=(1e-5, 60))
        axis.legend(loc="lower left")
    left.set_ylabel("loss l, nats (log scale)")
    return figure.reads()


def shares(titles, R, alpha):
    """Draw bars of the cosines of clicked and unclicked titles, and of the cost's gradient.

    Parameters
    ----------
    titles : (n + 1,) of str
        The clicked one first.
    R : (n + 1,)
        The cosines with the query.
    alpha : (n,)
        Eq. (8), for the unclicked titles.
    """
    figure, axes = subplots(1, 2, figsize=(9, 0.9 + 0.42 * len(titles)), sharey=True)
    _bars(axes, titles, R, alpha)
    figure.get_layout_engine().set(wspace=0.06)  # so that numbers of the two panels don't overlap
    return figure.says(_bars_in_words(titles, R, alpha))


def _bars(axes, titles, R, alpha):
    """Draw the two panels of `shares`. Titles whose alpha is NaN have no bar for the gradient."""
    y, colour = np.arange(len(titles))[::-1], COLOURS["document"]
    push = np.append(np.nansum(alpha), 0 - alpha)  # unlike -alpha, 0 - alpha is never −0.00
    for axis, values, digits, label in (
        (axes[0], R, "{:.2f}", "cosine R with the query"),
        (axes[1], push, "{:+.2f}", "∂l/∂R (hatched: of the clicked title)"),
    ):
        bars = axis.barh(y, values, 0.6, color="white", edgecolor=colour)
        bars[0].set(facecolor=colour, hatch="///", edgecolor="white")
        for y_k, value in zip(y[~np.isnan(values)], values[~np.isnan(values)]):
            aside, side = (4, "left") if value >= 0 else (-4, "right")
            note(axis, value, y_k, digits.format(value).replace("-", "−"), aside, ha=side)
        axis.axvline(0, color="black", linewidth=0.8)
        axis.margins(x=0.22)
        axis.tick_params(axis="y", length=0)
        axis.spines["left"].set_visible(False)
        axis.set_xlabel(label)
    axes[0].set_yticks(y, [as_text(textwrap.fill(title, 36)) for title in titles])


def _bars_in_words(titles, R, alpha):
    """Describe the bars of `shares` in one or two sentences."""
    k, n_alike = int(np.argmin(alpha)), int(np.isclose(alpha, np.min(alpha)).sum())
    most, each = (quoted(titles[k + 1]), "") if n_alike == 1 else (f"{n_alike} alike", " each")
    return (
        f"Cosine with the query: {number(R[0])} of {quoted(titles[0])}, which was clicked, "
        f"{span(R[1:])} of {count(len(alpha), 'other')}. Of their push, {number(-np.sum(alpha))}, "
        f"the largest is against {most}: {number(-alpha[k])}{each}."
    )


def push(titles, R, gamma, n):
    """Draw `shares` for the first n unclicked titles, and mark each title on the curve of Eq. (5).

    Parameters
    ----------
    titles : (m + 1,) of str
        The clicked one first. Unclicked titles after the first n are in brackets.
    R : (m + 1,)
        The cosines with the query.
    gamma : float
    n : int, from 1 to m
    """
    delta, x = R[0] - R[1 : n + 1], np.linspace(-1, 2, 301)
    (l,), (alpha,) = loss(delta[None], gamma)
    size = 10.5, 1.4 + 0.42 * len(titles)
    figure, (*axes, curve) = subplots(1, 3, figsize=size, width_ratios=[1.2, 1.2, 1])
    figure.get_layout_engine().set(wspace=0.06)  # so that numbers of the panels don't overlap
    names = [title if k <= n else f"({title})" for k, title in enumerate(titles)]
    _bars(axes, names, R, np.append(alpha, np.full(len(R) - 1 - n, np.nan)))
    axes[0].set_xlim(min(R.min(), 0) - 0.6, max(R.max(), 0) + 0.5)
    axes[1].margins(x=0.35)
    axes[1].set(yticks=[], ylim=axes[0].get_ylim(), xlabel="∂l/∂R")
    curve.plot(x, loss(x[:, None], gamma)[0], color="black")
    mark = {"color": COLOURS["document"], "markerfacecolor": "white", "markersize": 7}
    curve.plot(delta, loss(delta[:, None], gamma)[0], "o", **mark)
    curve.set(xlabel="Δ of an unclicked title", ylabel="its loss alone, nats")
    curve.set(xlim=(-1, 2), ylim=(-0.2, 5))
    curve.axvline(0, color=FAINT, linewidth=1)
    title = f"γ = {gamma:g}, n = {n}:  P of the clicked title {np.exp(-l):.0%},  "
    title += f"loss l = {l:.2f}  (a guess: {np.log1p(n):.2f})"
    figure.suptitle(title, x=0.01, ha="left", fontsize=11)
    return figure.says(
        f"With γ = {gamma:g}, the clicked title and the first n = {n} unclicked ones: P of the "
        f"clicked one is {np.exp(-l):.0%}, the loss {number(l)}.",
        _bars_in_words(titles[: n + 1], R[: n + 1], alpha),
    )
