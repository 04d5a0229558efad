"""Plots of a Transformer, a network that reads all words at once (lesson 17)."""

import numpy as np

from .alt_text import count, largest, listed, quoted
from .drawing import numbers, share
from .style import COLOURS, GATES, as_text, note, subplots


def attention_maps(maps, words):
    """Draw how much attention each word pays to each word, one panel per map.

    Parameters
    ----------
    maps : dict of (n_words, n_words)
        Keyed by panel title: the attention weights. Each row has the weights that one word gives to
        all words; they sum to 1.
    words : sequence of str
    """
    wide, rows = 0.62 * len(words) * len(maps), list(map(as_text, words))
    size = min(1.6 + wide, 9.5), 1.4 + 0.36 * len(words)
    figure, axes = subplots(1, len(maps), figsize=size, sharey=True, squeeze=False)
    for axis, (title, A) in zip(axes[0], maps.items()):
        numbers(axis, A, share, A > 0.55, rows, words, cmap=GATES, vmin=0, vmax=1)
        axis.set_title(as_text(title))
    axes[0, 0].set_ylabel("the word that looks")
    figure.supxlabel("the word that is looked at", fontsize=10)
    most = [f"{quoted(title)}: {largest(words, words, A)}" for title, A in maps.items()]
    n_words = count(len(words), "word")
    return figure.says(f"{n_words} by {n_words}. Looks most: {listed(most, between='; ')}.")


def by_length(costs):
    """Plot a text's processing cost by its number of words, one panel per kind of cost.

    Parameters
    ----------
    costs : dict of dicts of dicts
        Keyed by network, then by kind of cost, then by number of words: the cost, as a multiple of
        the shortest text's cost.
    """
    kinds = list(next(iter(costs.values())))
    figure, axes = subplots(
        1, len(kinds), figsize=(9, 3.2), sharey=True, squeeze=False, grid="both"
    )
    for axis, kind in zip(axes[0], kinds):
        for (name, of), mark in zip(costs.items(), "os"):
            n, times = np.array([(float(T), cost) for T, cost in of[kind].items()]).T
            colour = COLOURS.get(name, "black")
            axis.plot(n, times, color=colour, marker=mark, markersize=5, label=name)
            note(axis, n[-1], times[-1], name, 5, color=colour)
        (even,) = axis.plot(n, n / n[0], color="#777777", linestyle=":")
        axis.set(xscale="log", yscale="log", title=kind, xlabel="words in a text")
        axis.set_xticks(n, [f"{T:.0f}" for T in n], minor=False)
        axis.minorticks_off()
        axis.set_xlim(n[0] / 1.2, 3.2 * n[-1])
    axes[0, 0].set_ylabel(f"times that of {n[0]:.0f} words")
    axes[0, 0].legend([even], ["as many times as words"], loc="upper left")
    return figure.reads()
