"""Plots of results by rank, and by the size of the click log (lessons 15 and 16)."""

import numpy as np

from .style import COLOURS, FAINT, subplots

LOOKS = (
    {"color": COLOURS["LSTM"], "marker": "o"},
    {"color": COLOURS["document"], "marker": "s", "markerfacecolor": "white"},
    {"color": COLOURS["content"], "marker": "^", "markerfacecolor": "white"},
)


def by_rank(panels, truth, label):
    """Plot estimates by rank, with their intervals and the true values.

    Parameters
    ----------
    panels : dict of dicts
        Keyed by panel title, then by legend entry: (n_ranks, 3), the mean and the ends of its
        interval.
    truth : dict
        Keyed by panel title: (n_ranks,), drawn as a dashed line.
    label : str
        The label of the y axis.
    """
    figure, _ = subplots(1, len(panels), figsize=(9, 3.1), sharey=True, grid="y", squeeze=False)
    for axis, (title, values) in zip(figure.axes, panels.items()):
        ranks = np.arange(1, 1 + len(truth[title]))
        axis.plot(ranks, truth[title], color=FAINT, linestyle="--", label="truth")
        for k, (name, rows) in enumerate(values.items()):
            _points(axis, ranks + 0.16 * (k - (len(values) - 1) / 2), rows, name, LOOKS[k])
        axis.set(title=title, xlabel="rank", xticks=ranks)
        axis.legend()
    figure.axes[0].set(ylabel=label, ylim=(0, None))
    return figure.reads()


def by_size(panels, label):
    """Plot differences with their intervals by the number of clicks in the log.

    Parameters
    ----------
    panels : dict of dicts of dicts
        Keyed by panel title, then by legend entry, then by number of clicks: the mean and the ends
        of its interval.
    label : str
        The label of the y axis.
    """
    figure, _ = subplots(1, len(panels), figsize=(9, 3.1), sharey=True, grid="y", squeeze=False)
    sizes = sorted({size for values in panels.values() for by in values.values() for size in by})
    for axis, (title, values) in zip(figure.axes, panels.items()):
        axis.axhline(0, color=FAINT, linestyle="--")
        for k, (name, by) in enumerate(values.items()):
            at = np.array([sizes.index(size) for size in by]) + 0.1 * (k - (len(values) - 1) / 2)
            _points(axis, at, list(by.values()), name, LOOKS[k])
        axis.set(title=title, xlabel="clicks in the log", xlim=(-0.4, len(sizes) - 0.6))
        axis.set_xticks(range(len(sizes)), [f"{size:,}" for size in sizes])
    figure.axes[0].set(ylabel=label)
    figure.axes[-1].legend()
    return figure.reads()


def _points(axis, x, rows, name, look):
    """Draw (mean, low, high) rows as points with error bars, joined by a thin line."""
    mean, low, high = np.array(rows, float).T
    bars = {"capsize": 2, "linewidth": 1, "markersize": 5}
    axis.errorbar(x, mean, [mean - low, high - mean], label=name, **look, **bars)


def wanted_by_rank(shares):
    """Draw stacked bars of the fraction of queries whose title at each rank is relevant, by grade.

    Parameters
    ----------
    shares : dict of (n_ranks,)
        Keyed by grade, such as "Excellent", in order from the bottom: the share of queries whose
        title at each rank has this grade.
    """
    figure, axis = subplots(figsize=(6.5, 3), grid="y")
    below, ranks = 0, np.arange(1, len(next(iter(shares.values()))) + 1)
    for (grade, share), color in zip(shares.items(), (COLOURS["document"], "#F0C9A8")):
        axis.bar(ranks, 100 * share, 0.8, bottom=below, color=color, label=grade)
        below = below + 100 * share
    axis.set_xticks(ranks)
    axis.set_title("the nearer an unclicked title, the more often it is wanted")
    axis.set(xlabel="rank among the query's unclicked titles", ylabel="wanted, % of queries")
    axis.legend(loc="upper right")
    return figure.reads()
