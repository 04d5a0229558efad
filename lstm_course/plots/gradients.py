"""Plots of backpropagated errors and of inexact gradients (lessons 04 to 05b)."""

import numpy as np
from matplotlib.ticker import MaxNLocator

from .alt_text import count, largest
from .drawing import numbers, share
from .style import BACK, COLOURS, GATES, LINES, as_text, band, looks, subplots

LEAST = 1e-6  # lower limit of the axis of relative errors
EXACT = {"color": "black", "marker": "o"}
PRINTED = BACK | {"marker": "s"}


def error_norms(errors, roles):
    """Plot the norm of the error delta at each word, from the last word back to the first.

    Parameters
    ----------
    errors : dict of arrays, (n_words, n_cells)
        Keyed by text: delta(1), ..., delta(T), one row each.
    roles : dict of str
        Keyed by text: "query" or "document", which sets the colour.
    """
    figure, axis = subplots(figsize=(7.5, 3.6), grid="y")
    for k, (name, delta) in enumerate(errors.items()):
        norm = np.linalg.norm(delta, axis=1)[::-1]
        look = {"linestyle": LINES[k % 4], "marker": "osD^"[k % 4], "markersize": 5}
        axis.plot(norm, color=COLOURS[roles[name]], label=as_text(name), **look)
    axis.set(xlabel="steps back from the last word, τ", ylabel="length of δ(T − τ)", yscale="log")
    axis.xaxis.set_major_locator(MaxNLocator(integer=True))
    axis.legend(loc="upper left", bbox_to_anchor=(1, 1))
    return figure.reads()


def truncation_error(errors):
    """Plot the relative error of truncated gradients by truncation length, for several models.

    Parameters
    ----------
    errors : dict of arrays, (truncate + 1,)
        Keyed by model: the relative error of the gradient when errors go back 0, 1, ..., truncate
        steps. Values below `LEAST` are not shown.
    """
    figure, axis = subplots(figsize=(8, 3.6), grid="y")
    for (name, values), look in zip(errors.items(), looks(len(errors))):
        steps = np.flatnonzero(np.asarray(values) > 0)
        axis.plot(steps, np.asarray(values)[steps], markersize=5, label=name, **look)
    axis.set(yscale="log", ylim=(LEAST, 1.5), ylabel="difference from the whole gradient")
    axis.set_xlabel("truncate: steps that errors go back from the last word")
    axis.xaxis.set_major_locator(MaxNLocator(integer=True))
    axis.legend(reverse=True, loc="upper left", bbox_to_anchor=(1, 1))
    return figure.reads()


def dropped_terms(words, shares):
    """Draw a table of the terms the appendix omits, with sizes relative to the whole derivative.

    Parameters
    ----------
    words : list of str
    shares : dict of arrays, (n_words,)
        Keyed by the term's name: its relative size at each word, one row of the table.
    """
    sizes = np.array(list(shares.values()))
    figure, axis = subplots(figsize=(2.2 + 0.62 * len(words), 1.5 + 0.42 * len(shares)))
    # vmax is above 1 so that a cell of 1 is dark grey, not black
    look = {"cmap": GATES, "vmin": 0, "vmax": 1.3}
    numbers(axis, sizes, share, sizes > 0.8, list(shares), words, **look)
    for edge in range(1, len(shares)):
        axis.axhline(edge - 0.5, color="white", linewidth=6)
    axis.set_title("length of the term, relative to the whole derivative")
    return figure.says(
        f"The size of {count(len(shares), 'term')} at {count(len(words), 'word')}, relative to the "
        f"derivative each belongs to, at most: {largest(shares, words, sizes)}.",
    )


def errors_by_length(n_words, found):
    """Plot a gradient's relative error and its cosine with the exact gradient, by text length.

    Parameters
    ----------
    n_words : list of int
    found : dict of dicts of arrays, (n_seeds, n_lengths, 2)
        Keyed by model, then by the scale of its weights: relative difference and cosine. Lines are
        medians over seeds; bands go from the first to the third quartile.
    """
    shared = {"sharex": True, "sharey": "row", "squeeze": False}
    figure, axes = subplots(2, len(found), figsize=(9, 5.6), **shared, grid="y")
    for column, (model, by_scale) in zip(axes.T, found.items()):
        for (scale, values), look in zip(by_scale.items(), looks(len(by_scale))):
            quartiles = np.quantile(values, (0.25, 0.5, 0.75), axis=0)
            names = f"weight scale {scale:g}", f"cosine {scale:g}"
            for axis, of, name in zip(column, np.moveaxis(quartiles, 2, 0), names):
                band(axis, n_words, *of, **look, markersize=5, label=name)
        column[0].set_title(model)
        column[1].set_xlabel("words of the text")
    errors, cosines = axes[:, 0]
    errors.set_yscale("symlog", linthresh=0.1)
    errors.set_yticks([0, 0.1, 1, 10, 100], ["0", "0.1", "1", "10", "100"])
    errors.set(ylabel="relative difference\n(log scale above 0.1)", ylim=(-0.02, None))
    cosines.set_ylabel("cosine with the\nexact gradient")
    lines = errors.get_legend_handles_labels()
    figure.legend(*lines, loc="outside upper left", ncols=len(by_scale))
    for axis in axes.flat:
        axis.xaxis.set_major_locator(MaxNLocator(integer=True))
    return figure.reads()


def two_gradients(live, runs):
    """Plot training with the exact gradient and with the gradient printed in the paper.

    One panel per model shows the cost by epoch, and the last panel nDCG@10 of long runs.

    Parameters
    ----------
    live : dict of dicts of arrays, (n_seeds, n_epochs)
        Keyed by model, then by gradient ("exact", ...): the cost per pair.
    runs : dict of arrays, (n_seeds, n_epochs)
        Keyed by gradient: nDCG@10 on held-out queries in long runs.
    """
    figure, axes = subplots(1, len(live) + 1, figsize=(9, 3.5), grid="y")
    look_of = dict(zip(runs, (EXACT, PRINTED)))
    for axis, (name, by_gradient) in zip(axes, [*live.items(), ("nDCG@10 of long runs", runs)]):
        for gradient, values in by_gradient.items():
            epochs, look = np.arange(1, np.shape(values)[1] + 1), look_of[gradient]
            for one in values:
                axis.plot(epochs, one, **look | {"marker": "", "linewidth": 0.7}, alpha=0.6)
            look = look | {"markersize": 4, "linewidth": 1.8}
            axis.plot(epochs, np.mean(values, axis=0), label=gradient, **look)
        cost = name in live
        axis.set(title=name if cost else "long runs", xlabel="epoch", ylim=(0, None))
        axis.set_ylabel("cost per pair, nats" if cost else "held-out nDCG@10")
        axis.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes[0].legend(loc="upper right")
    return figure.reads()
