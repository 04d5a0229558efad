"""Plots of training at scale: ten times as many trigrams, and lazy updates (lesson 11)."""

import numpy as np

from .alt_text import count, listed, number
from .style import COLOURS, FAINT, name_rows, note, subplots


def ten_times(quantities):
    """Draw bars of the factors by which quantities grow with ten times the letter trigrams.

    Parameters
    ----------
    quantities : dict of pair of float
        Keyed by name, in order from the top: the quantity, and its value with ten times the
        trigrams.
    """
    figure, axis = subplots(figsize=(9, 0.45 * len(quantities) + 0.8))
    for k, (name, (once, ten)) in enumerate(quantities.items()):
        colour, hatch = ("#BBBBBB", "///") if ten / once > 1.2 else (COLOURS["c"], "")
        look = {"hatch": hatch, "edgecolor": "white", "linewidth": 0, "label": name}
        axis.barh(k, ten / once, color=colour, **look)
        note(axis, ten / once, k, f"{once:,.1f} → {ten:,.1f}", 4)
    axis.axvline(1, color="black", linewidth=1, linestyle=":")
    name_rows(axis, list(quantities), 0.6)
    axis.set(xlabel="times as much with ten times the trigrams", xlim=(0, 12))
    said = [f"{number(once)} to {number(ten)}" for once, ten in quantities.values()]
    return figure.reads(f"In numbers: {listed(said)}.", along="x")


def coasting(dense, lazy, touched):
    """Plot a weight after each update, for dense updates and lazy ones that skip untouched rows.

    Parameters
    ----------
    dense, lazy : (n_updates,)
        The weight after each update.
    touched : (k,) of int
        The updates, counted from 0, that touched the row.
    """
    update, touched, lazy = np.arange(1, len(dense) + 1), np.asarray(touched), np.asarray(lazy)
    figure, axis = subplots(figsize=(9, 3.2), grid="y")
    look = {"color": FAINT, "linewidth": 0.8, "linestyle": ":", "label": "touched"}
    axis.vlines(touched + 1, 0, 1, transform=axis.get_xaxis_transform(), **look)
    axis.plot(update, dense, color="black", linewidth=1.2, label="dense: moved in every update")
    look = {"color": COLOURS["c"], "linewidth": 2, "linestyle": "--"}
    axis.step(update, lazy, where="post", label="lazy: moved when touched", **look)
    mark = {"markersize": 6, "markerfacecolor": "white", "markeredgewidth": 1.5}
    axis.plot(touched + 1, lazy[touched], "o", color=COLOURS["c"], **mark)
    axis.set(xlabel="update", ylabel="weight of the row", xlim=(1, len(dense)))
    axis.legend(loc="upper left", bbox_to_anchor=(0, 1.17), ncols=3)
    return figure.reads(f"{len(touched)} of {count(len(dense), 'update')} touch the row.")
