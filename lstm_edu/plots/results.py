"""How training went, and how good the result is (Fig. 7, Table IV)."""
import numpy as np
from matplotlib.ticker import LogLocator, NullFormatter

from .style import COLOURS, style, subplots


def cost_curve(history, guess=None):
    """The cost per pair over the epochs, on a log axis.

    Parameters
    ----------
    history : dict
        As `lstm_edu.train` returns it.
    guess : float, optional
        The cost of a model that guesses, drawn as a line.
    """
    with style():
        figure, axis = subplots(figsize=(5.5, 3))
        epochs = np.arange(1, len(history["cost"]) + 1)
        axis.plot(epochs, history["cost"], color=COLOURS["LSTM"], marker="o", markersize=4)
        if guess is not None:
            axis.axhline(guess, color="black", linestyle="--", linewidth=1)
            axis.annotate("guessing", (epochs[-1], guess), xytext=(0, -4), textcoords="offset points", ha="right", va="top", fontsize=9)
        axis.set_yscale("log")
        axis.yaxis.set_major_locator(LogLocator(subs=(1, 2, 3, 5)))
        axis.yaxis.set_major_formatter("{x:g}")
        axis.yaxis.set_minor_formatter(NullFormatter())
        axis.set_xlabel("epoch (once through all pairs)")
        axis.set_ylabel("cost per pair, nats (log scale)")
        axis.grid(axis="y", color="#EEEEEE")
    return figure


def ndcg_bars(results):
    """nDCG at 1, 3 and 10 of several rankers, with intervals.

    Parameters
    ----------
    results : dict
        By ranker: a dict of nDCG name to (mean, low, high).
    """
    names = list(next(iter(results.values())))
    with style():
        figure, axis = subplots(figsize=(6.5, 3.2))
        width = 0.8 / len(results)
        for k, (ranker, values) in enumerate(results.items()):
            mean, low, high = np.array([values[name] for name in names]).T
            x = np.arange(len(names)) + (k - (len(results) - 1) / 2) * width
            axis.bar(x, mean, 0.92 * width, color=COLOURS[ranker], label=ranker)
            axis.errorbar(x, mean, [mean - low, high - mean], fmt="none", ecolor="black", capsize=3, linewidth=1)
            for x_, m, h in zip(x, mean, high):
                axis.annotate(f"{m:.2f}", (x_, h), xytext=(0, 3), textcoords="offset points", ha="center", fontsize=9)
        axis.set_xticks(range(len(names)), names)
        axis.set_ylim(0, 1.1)
        axis.set_yticks(np.arange(0, 1.01, 0.2))
        axis.set_ylabel("mean nDCG over the judged queries")
        axis.legend(ncols=len(results), loc="upper left", bbox_to_anchor=(0, 1.14))
    return figure
