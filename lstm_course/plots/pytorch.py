"""The figures of lesson 14: a packed batch, where PyTorch's momentum keeps its weights, and what
its Adam does with rows that wait.
"""

import numpy as np
from matplotlib.patches import Rectangle

from .alt_text import count, course, listed, number, quoted, says
from .style import COLOURS, as_text, style, subplots
from .training import WAYS

PADDED, READ = "#E8E8E8", "#D6E6F2"


def packed(texts):
    """A batch padded to its longest text, and packed: longest first, without the padding.

    In the packed one each word has its number in the order in which it is kept, time by time, and
    below each time stands how many texts still have a word.

    Parameters
    ----------
    texts : list of list of str
    """
    T = max(map(len, texts))
    order = sorted(texts, key=len, reverse=True)
    with style():
        figure, axes = subplots(1, 2, figsize=(9, 0.42 * len(texts) + 1.25))
        n = 0
        for axis, rows in zip(axes, (texts, order)):
            axis.set(xlim=(0, T), ylim=(len(rows) + 0.75, -0.05))
            axis.axis("off")
            for row, words in enumerate(rows):
                for t in range(T if axis is axes[0] else len(words)):
                    colour = READ if t < len(words) else PADDED
                    box = Rectangle((t, row), 1, 1, facecolor=colour, edgecolor="white", lw=2)
                    axis.add_patch(box)
        for t in range(T):
            n_t = sum(t < len(words) for words in order)
            axes[0].text(t + 0.5, len(texts) + 0.4, len(texts), ha="center", va="center")
            axes[1].text(t + 0.5, len(texts) + 0.4, n_t, ha="center", va="center")
            for row, words in enumerate(texts):
                if t < len(words):
                    word = as_text(words[t])
                    axes[0].text(t + 0.5, row + 0.5, word, ha="center", va="center", fontsize=9)
            for row in range(n_t):
                n += 1
                word = f"{as_text(order[row][t])}\n{n}"
                axes[1].text(t + 0.5, row + 0.5, word, ha="center", va="center", fontsize=9)
        axes[0].set_title(f"padded: {len(texts) * T} words are computed")
        axes[1].set_title(f"packed: {n}, longest text first")
    return says(
        figure,
        f"{count(len(texts), 'text')} side by side: padded to the longest, {len(texts) * T} words "
        f"are computed; packed, the longest first, {n}. At each time so many texts have a word: "
        f"{listed((sum(t < len(words) for words in texts) for t in range(T)), 12)}.",
    )


def two_books(points, ahead, theirs, curvature):
    """Where (6) keeps its weights in a valley, where it looks, and where PyTorch keeps its own.

    Parameters
    ----------
    points : (n_updates + 1, 2)
        The weights of (6).
    ahead : (n_updates + 1, 2)
        Where the gradient is taken next.
    theirs : (n_updates + 1, 2)
        The weights of ``torch.optim.SGD``.
    curvature : pair of float
        The valley is L = (curvature[0] w1^2 + curvature[1] w2^2) / 2.
    """
    a, b = curvature
    every = np.concatenate([points, ahead, [[0, 0]]])
    margin = 0.12 * np.ptp(every, axis=0)
    (left, low), (right, high) = every.min(axis=0) - margin, every.max(axis=0) + margin
    x, y = np.meshgrid(np.linspace(left, right, 200), np.linspace(low, high, 200))
    with style():
        figure, axis = subplots(figsize=(9, 4))
        levels = (a * left**2 + b * low**2) / 2 * np.array([0.01, 0.05, 0.15, 0.35, 0.65, 1.0])
        axis.contour(x, y, (a * x**2 + b * y**2) / 2, levels, colors="#DDDDDD", linewidths=0.8)
        for start, end in zip(points, ahead):
            axis.plot(*np.transpose([start, end]), color="#999999", linewidth=1, linestyle=":")
        axis.plot(*points.T, "o-", color=COLOURS["c"], markersize=5, label="Λ of (6)")
        axis.plot(
            *theirs.T,
            "s-",
            color=COLOURS["yg"],
            markersize=8,
            markerfacecolor="none",
            linewidth=1,
            label="what torch.optim.SGD calls the weights",
        )
        axis.plot(
            *ahead.T, "x", color="black", markersize=5, label="Λ + μ ΔΛ: where (6) looks next"
        )
        axis.plot(0, 0, "+", color="black", markersize=11, markeredgewidth=2)
        axis.set(
            title="PyTorch's weights are where (6) looks next",
            xlabel="$w_1$",
            ylabel="$w_2$",
            xlim=(left, right),
            ylim=(low, high),
        )
        axis.legend(loc="lower right")
    apart = np.abs(np.subtract(theirs, ahead)).max()
    cost = np.square(points) @ np.array(curvature) / 2
    return says(
        figure,
        f"Ways down a valley in {count(len(points) - 1, 'update')}: the cost of (6) "
        f"{course(cost)}. What torch.optim.SGD calls the weights lies where (6) looks next, at "
        f"most {number(apart)} away.",
    )


def rows_that_wait(ways, touched):
    """How far a row of W is from its start, update by update, though most do not touch it.

    Parameters
    ----------
    ways : dict
        By optimizer, (n_updates + 1,).
    touched : list of int
        The updates, from 1, in which the row has a gradient.
    """
    with style():
        figure, axis = subplots(figsize=(9, 3))
        for update in touched:
            told = "the row has a gradient" if update == touched[0] else None
            axis.axvspan(update - 1, update, color="#EEEEEE", linewidth=0, label=told)
        for k, (name, way) in enumerate(ways.items()):
            colour, marker, line = WAYS[k]
            axis.plot(
                way,
                color=colour,
                marker=marker,
                linestyle=line,
                markersize=4,
                markevery=(k, 3),  # those of two that are alike side by side
                zorder=9 - k,
                label=name,
            )
        axis.set(
            title="dense Adam moves a row on when nothing asks for it",
            xlabel="update",
            ylabel="way from the start",
            xlim=(0, len(way) - 1),
        )
        axis.legend(loc="upper left", bbox_to_anchor=(1.01, 1))
    said = [f"{quoted(name)} {course(way)}" for name, way in ways.items()]
    updates = len(next(iter(ways.values()))) - 1
    return says(
        figure,
        f"How far a row of W is from its start in {count(updates, 'update')}, of which "
        f"{len(touched)} give it a gradient: {listed(said, between='; ')}.",
    )
