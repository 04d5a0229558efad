"""Plots of PyTorch's packed batches, and of Adam on rows that seldom get a gradient (lesson 14)."""

import numpy as np

from .alt_text import count, listed
from .drawing import rectangle, write
from .style import as_text, subplots
from .training import WAYS

PADDED, READ = "#E8E8E8", "#D6E6F2"


def packed(texts):
    """Draw a batch of texts twice: padded to the longest text, and packed without padding.

    Words of the packed batch are numbered in the order in which PyTorch stores them, time step by
    time step. The batch size of each time step is written below it.

    Parameters
    ----------
    texts : list of list of str
    """
    T = max(map(len, texts))
    order = sorted(texts, key=len, reverse=True)
    n_at = [sum(t < len(words) for words in texts) for t in range(T)]
    figure, axes = subplots(1, 2, figsize=(9, 0.42 * len(texts) + 1.25))
    for axis, rows in zip(axes, (texts, order)):
        axis.set(xlim=(0, T), ylim=(len(rows) + 0.75, -0.05))
        axis.axis("off")
        for t, row in np.ndindex(T, len(rows)):
            has_word, number = t < len(rows[row]), sum(n_at[:t]) + row + 1
            word = as_text(rows[row][t]) if has_word else ""
            if axis is axes[0] or has_word:
                colour = READ if has_word else PADDED
                rectangle(axis, t, row, 1, 1, facecolor=colour, edgecolor="white")
                word = word if axis is axes[0] else f"{word}\n{number}"
                write(axis, t + 0.5, row + 0.5, word, fontsize=9)
        for t, n in enumerate(n_at):
            write(axis, t + 0.5, len(texts) + 0.4, len(texts) if axis is axes[0] else n)
    n = sum(n_at)
    axes[0].set_title(f"padded: {len(texts) * T} words are computed")
    axes[1].set_title(f"packed: {n}, longest text first")
    return figure.says(
        f"{count(len(texts), 'text')} side by side: padded to the longest, {len(texts) * T} words "
        f"are computed; packed, the longest first, {n}. At each time so many texts have a word: "
        f"{listed(n_at, 12)}.",
    )


def rows_that_wait(ways, touched):
    """Plot a row's distance from its initial values after each update, for several optimizers.

    Parameters
    ----------
    ways : dict
        Keyed by optimizer: (n_updates + 1,) distances.
    touched : list of int
        The updates, counted from 1, in which the row has a gradient. They are shaded.
    """
    figure, axis = subplots(figsize=(9, 3))
    for update in touched:
        label = "the row has a gradient" if update == touched[0] else None
        axis.axvspan(update - 1, update, color="#EEEEEE", linewidth=0, label=label)
    for k, ((name, way), look) in enumerate(zip(ways.items(), WAYS)):
        # shift the markers, because lines may coincide
        axis.plot(way, **look, markersize=4, markevery=(k, 3), zorder=9 - k, label=name)
    axis.set(xlabel="update", ylabel="way from the start", xlim=(0, len(way) - 1))
    axis.set_title("dense Adam moves a row on when nothing asks for it")
    axis.legend(loc="upper left", bbox_to_anchor=(1.01, 1))
    n_updates = max(map(len, ways.values())) - 1
    return figure.reads(f"{len(touched)} of {n_updates} updates give the row a gradient.")
