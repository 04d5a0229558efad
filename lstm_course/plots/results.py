"""Plots of training curves, backpropagated errors and scores (Fig. 7)."""

import numpy as np
from matplotlib.ticker import LogLocator, MaxNLocator, NullFormatter

from .alt_text import course, listed, number
from .style import COLOURS, band, name_ends, note, over_seeds, subplots

GRADES = "Bad", "Fair", "Good", "Excellent"
LINES = {"LSTM": "-", "RNN": "--", "GRU": "-."}


def cost_curve(history, guess=None):
    """Plot the training cost per pair by epoch, on a log axis.

    Parameters
    ----------
    history : dict
        From `lstm_edu.train`.
    guess : float, optional
        The cost of a model that guesses, drawn as a horizontal line.
    """
    figure, axis = subplots(figsize=(5.5, 3), grid="y")
    epochs = np.arange(1, len(history["cost"]) + 1)
    look = {"color": COLOURS["LSTM"], "marker": "o", "markersize": 4}
    axis.plot(epochs, history["cost"], label="training", **look)
    if guess is not None:
        axis.axhline(guess, color="black", linestyle="--", linewidth=1)
        note(axis, epochs[-1], guess, "guessing", 0, -4, ha="right", va="top")
    _costs(axis)
    axis.xaxis.set_major_locator(MaxNLocator(integer=True))
    axis.set_xlabel("epoch (once through all pairs)")
    return figure.reads("" if guess is None else f"Guessing costs {number(guess)}.")


def ndcg_bars(results):
    """Draw a bar chart of nDCG at 1, 3 and 10 for several rankers, with error bars.

    Parameters
    ----------
    results : dict
        Keyed by ranker, then by measure, such as "nDCG@10": (mean, low, high).
    """
    names = list(next(iter(results.values())))
    figure, axis = subplots(figsize=(6.5, 3.2))
    width, line = 0.8 / len(results), dict(fmt="none", ecolor="black", capsize=3, linewidth=1)
    for k, (ranker, values) in enumerate(results.items()):
        mean, low, high = np.array([values[name] for name in names]).T
        x = np.arange(len(names)) + (k - (len(results) - 1) / 2) * width
        axis.bar(x, mean, 0.92 * width, color=COLOURS[ranker], label=ranker)
        axis.errorbar(x, mean, [mean - low, high - mean], **line)
        for x_, m, h in zip(x, mean, high):
            note(axis, x_, h, f"{m:.2f}", 0, 3, ha="center", va="baseline")
    axis.set_xticks(range(len(names)), names)
    axis.set(ylim=(0, 1.1), ylabel="mean nDCG over the judged queries")
    axis.set_yticks(np.arange(0, 1.01, 0.2))
    axis.legend(ncols=len(results), loc="upper left", bbox_to_anchor=(0, 1.14))
    return figure.reads(f"The bars are {listed(names)}.")


def training_curves(costs):
    """Plot each model's cost per pair by epoch: mean and range over seeds (Fig. 7).

    Parameters
    ----------
    costs : dict
        Keyed by model, "LSTM", "RNN" and "GRU": (n_seeds, n_epochs).
    """
    figure, axis = subplots(figsize=(6.5, 3.6), grid="y")
    ends = []
    for name, values in costs.items():
        look = {"linestyle": LINES[name], "linewidth": 1.8}
        ends.append(over_seeds(axis, values, COLOURS[name], name, **look))
    _costs(axis)
    last = ends[0][0]
    axis.set(xlim=(1, last * 1.13), xlabel="epoch")  # leave room for the names
    axis.set_xticks([tick for tick in axis.get_xticks() if 1 <= tick <= last])
    name_ends(axis, ends)
    return figure.reads()


def errors_by_distance(measured, relative=True, fewest=20):
    """Plot median and quartiles of the backpropagated error's norm by distance to the last word.

    Parameters
    ----------
    measured : dict of dicts
        Keyed by panel title, then by model, "LSTM", "RNN" and "GRU": (distance, norm), from
        `lstm_edu.analysis.inspection.error_norms`.
    relative : bool
        Whether to divide by the median norm at the last word.
    fewest : int
        Distances with fewer measurements than this are omitted.
    """
    figure, _ = subplots(1, len(measured), figsize=(9, 3.6), sharey=True, grid="y")
    for axis, (title, models) in zip(figure.axes, measured.items()):
        for name, (distance, norm) in models.items():
            at = np.flatnonzero(np.bincount(distance) >= fewest)
            quartiles = [np.percentile(norm[distance == d], [25, 50, 75]) for d in at]
            low, middle, high = np.transpose(quartiles) / (quartiles[0][1] if relative else 1)
            colour = COLOURS[name]
            look = {"linestyle": LINES[name], "linewidth": 1.8, "label": name}
            band(axis, at, low, middle, high, colour, **look)
            look = {"color": colour, "fontsize": 10, "annotation_clip": False}
            note(axis, at[-1], middle[-1], f" {name}", **look)
        axis.set(title=title, xlabel="words after this one", yscale="log", xlim=(0, at[-1] * 1.15))
    label = "norm of the error at a word" + (",\nrelative to the last word" if relative else "")
    figure.axes[0].set_ylabel(label)
    return figure.reads()


def scores_by_grade(scores, grades):
    """Draw box plots of two models' query-title cosines, by the pair's grade (appendix C).

    A box has the median and the quartiles; its whiskers go from the 5th to the 95th percentile.

    Parameters
    ----------
    scores : dict
        Keyed by model, "RNN" and "LSTM": (n_pairs,) cosines.
    grades : (n_pairs,) of int
        The index of the grade in `GRADES`.
    """
    figure, axis = subplots(figsize=(6.5, 3.6))
    medians = []
    for k, (model, values) in enumerate(scores.items()):
        x = np.arange(len(GRADES)) + 0.3 * (k - (len(scores) - 1) / 2)
        shares = [np.percentile(values[grades == grade], [5, 25, 50, 75, 95]) for grade in range(4)]
        p5, p25, p50, p75, p95 = np.transpose(shares)
        medians.append(f"{model} {course(p50)}")
        look = {"alpha": 0.35, "hatch": "//" if model == "RNN" else None, "label": model}
        axis.vlines(x, p5, p95, color=COLOURS[model], linewidth=1.2)
        axis.bar(x, p75 - p25, 0.22, p25, color=COLOURS[model], edgecolor=COLOURS[model], **look)
        axis.hlines(p50, x - 0.11, x + 0.11, color="black", linewidth=1.8)
    axis.axhline(0, color="black", linewidth=0.6)
    axis.set_xticks(range(len(GRADES)), [f"{name} ({grade})" for grade, name in enumerate(GRADES)])
    axis.set(xlabel="grade of the pair", ylabel="cosine R(Q, D)")
    axis.legend(ncols=2, loc="upper left")
    return figure.says(
        f"Cosines by grade, {listed(GRADES)}: middle half, nine tenths, and the median, which of",
        f"{listed(medians)}.",
    )


def _costs(axis):
    """Format the y axis for costs: log scale, plain tick labels."""
    axis.set(yscale="log", ylabel="cost per pair, nats (log scale)")
    axis.yaxis.set_major_locator(LogLocator(subs=(1, 2, 3, 5)))
    axis.yaxis.set_major_formatter("{x:g}")
    axis.yaxis.set_minor_formatter(NullFormatter())
