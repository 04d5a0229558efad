"""Plots that compare rankers: by group of queries, with chance, and on several data sets."""

import numpy as np

from .alt_text import count, listed, number, quoted
from .style import COLOURS, interval, name_rows, subplots

LOOKS = {
    "LSTM": dict(fmt="o-", color=COLOURS["LSTM"]),
    "random order": dict(fmt=":", color="#777777"),
}
OTHER = dict(fmt="s--", color="black", markerfacecolor="white")
# a recurrent network's row name is one of these, or begins with one of these and an underscore
RECURRENT = "rnn", "lstm", "bilstm", "gru", "attention", "align"


def look_of(row):
    """Return the marker style of a row of Table IV, filled for recurrent networks."""
    if row.split("_")[0] in RECURRENT:
        return {"color": COLOURS["LSTM"], "marker": "o"}
    return {"color": "black", "marker": "s", "markerfacecolor": "white"}


def by_overlap(values, names, label):
    """Plot mean nDCG@10 of several rankers by group of queries, with intervals.

    Parameters
    ----------
    values : dict of lists
        Keyed by ranker: (mean, low, high) of each group.
    names : list of str
        The groups' names.
    label : str
        The label of the x axis: the property that defines the groups.
    """
    figure, axis = subplots(figsize=(6.5, 3.4), grid="y")
    for k, (ranker, triples) in enumerate(values.items()):
        mean, low, high = np.array(triples).T
        x = np.arange(len(names)) + 0.06 * (k - (len(values) - 1) / 2)
        look = LOOKS.get(ranker, OTHER) | dict(capsize=3, linewidth=1.6, markersize=6)
        axis.errorbar(x, mean, [mean - low, high - mean], label=ranker, **look)
    axis.set_xticks(range(len(names)), names)
    axis.set(xlabel=label, ylabel="mean nDCG@10, 95 % interval")
    axis.set(xlim=(-0.4, len(names) - 0.6), ylim=(0, 1))
    axis.legend(ncols=len(values), loc="lower right")
    return figure.reads(f"The groups are {listed(map(quoted, names))}.")


def by_chance(draws, observed, label):
    """Draw histograms of mean differences under random signs, and mark the observed ones.

    A two-sided randomization test counts the draws that lie at least as far from 0 as the observed
    difference.

    Parameters
    ----------
    draws : dict of arrays
        Keyed by panel title: (n_draws,) mean differences under random signs.
    observed : dict of floats
        Keyed by panel title: the observed mean difference. A dashed line marks its opposite,
        because the test is two-sided.
    label : str
        The label of the x axis.
    """
    shared = {"sharex": True, "sharey": True, "squeeze": False}
    figure, axes = subplots(1, len(draws), figsize=(3.9 * len(draws), 2.9), **shared)
    widest = 1.15 * max(np.abs([*observed.values(), *np.concatenate(list(draws.values()))]))
    for axis, (name, values) in zip(axes[0], draws.items()):
        axis.hist(values, bins=np.linspace(-widest, widest, 81), color="#BBBBBB")
        axis.axvline(observed[name], color="black", linewidth=1.8)
        axis.axvline(-observed[name], color="black", linewidth=1, linestyle="--")
        axis.set(title=name, xlabel=label, xlim=(-widest, widest))
    axes[0, 0].set_ylabel("draws of random signs")
    said = [
        f"{quoted(name)} is {number(observed[name])}, and as far from 0 are "
        f"{np.sum(np.abs(values) >= abs(observed[name])):,} of {count(len(values), 'draw')}"
        for name, values in draws.items()
    ]
    return figure.says(
        f"Differences as random signs draw them, and as they are: {listed(said, between='; ')}.",
    )


def in_one_order(results, names, taus, label, limits):
    """Draw Table IV for several data sets, one panel per set, with the rows in the same order.

    Each row's rank on the set is written at the panel's right.

    Parameters
    ----------
    results : dict of dicts
        Keyed by data set, then by row: (mean, low, high); low and high are None without an
        interval. Rows may be missing.
    names : list of str
        The rows, from the top. Rows that the first set lacks are below a line and have no rank.
    taus : dict of floats
        Keyed by data set: Kendall's rank correlation with the first set, for the panels' titles. A
        set may be missing.
    label : str
        The label of the x axis: the name of the measure, with its unit.
    limits : (float, float)
        The limits of all panels; a row beyond them is drawn as an arrow.
    """
    (left, right), size = limits, (9, 0.9 + 0.27 * len(names))
    figure, axes = subplots(1, len(results), figsize=size, sharey=True, squeeze=False, grid="both")
    ranked = [name for name in names if name in next(iter(results.values()))]
    for axis, (title, rows) in zip(axes[0], results.items()):
        for name, (mean, low, high) in rows.items():
            k, look, at = names.index(name), look_of(name), np.clip(mean, left, right)
            if at != mean:
                look, low = look | {"marker": "<" if mean < left else ">"}, None
            interval(axis, k, at, low, high, markersize=5.5, label=name, **look)
            if name in ranked:
                better = sum(rows[other][0] > mean for other in ranked if other in rows)
                rank = {"ha": "right", "va": "center", "fontsize": 9, "color": "#444444"}
                axis.text(right + 0.26 * (right - left), k, f"{better + 1}", **rank)
        axis.set_xlim(1.06 * left - 0.06 * right, 1.3 * right - 0.3 * left)
        axis.set_title(f"{title}, τ = {taus[title]:.2f}" if title in taus else title)
        axis.axhline(len(ranked) - 0.5, color="#777777", linewidth=0.8)
    name_rows(axes[0, 0], names)
    below = f"{label}, 95 % interval; at the right the rank; filled: recurrent"
    figure.supxlabel(below, fontsize=10)
    edge = f"Rows beyond {number(left)} to {number(right)} are at its edge."
    return figure.reads(edge, along="x")


def ladder(panels, labels):
    """Plot each row's lead in nDCG@10 over the first row, with one panel per data set.

    Panels are arranged two to a line, and the panels of a line share their x limits.

    Parameters
    ----------
    panels : dict of dicts
        Keyed by data set, then by row: (mean, low, high) of its lead over the first row, in points.
    labels : dict of str
        Keyed by row, in order from the bottom: the row's label on the y axis, as "name, cost".
    """
    rows, n_pairs = list(labels), -(-len(panels) // 2)
    shared = {"sharex": "row", "sharey": True, "squeeze": False}
    size = 9, 0.6 + n_pairs * (0.5 + 0.33 * len(rows))
    figure, axes = subplots(n_pairs, min(2, len(panels)), figsize=size, **shared, grid="x")
    foot = labels[rows[0]].split(",")[0]
    for axis, (title, above) in zip(axes.flat, panels.items()):
        axis.axvline(0, color="#777777", linewidth=1)
        for k, row in enumerate(rows):
            if row in above:
                look = look_of(row) | {"markerfacecolor": None}
                look["label"] = labels[row] if k else None  # the first row's lead over itself is 0
                interval(axis, k, *above[row], markersize=5.5, **look)
        axis.set_title(title)
    axes[0, 0].set_yticks(range(len(rows)), labels.values())
    axes[0, 0].set_ylim(-0.6, len(rows) - 0.4)
    figure.supxlabel(f"points of nDCG@10 above {foot}, 95 % interval", fontsize=10)
    return figure.reads(along="x")


def intervals(rows, label):
    """Draw one row per mean, with its 95 % interval and a line at zero.

    Parameters
    ----------
    rows : dict
        Keyed by the row's name: (mean, low, high).
    label : str
        The label of the x axis: the name of the measure, with its unit.
    """
    figure, axis = subplots(figsize=(6.5, 0.9 + 0.36 * len(rows)), grid="x")
    for k, values in enumerate(rows.values()):
        interval(axis, k, *values, markersize=6)
    axis.axvline(0, color="black", linewidth=0.8, linestyle="--")
    name_rows(axis, rows)
    axis.set_xlabel(label)
    said = [
        f"{quoted(name)} {number(mean)} ({number(low)} to {number(high)})"
        for name, (mean, low, high) in rows.items()
    ]
    apart = sum(low > 0 or high < 0 for _, low, high in rows.values())
    return figure.says(
        f"{label}, with 95 % intervals: {listed(said)}.",
        f"Apart from 0: {apart} of {len(rows)}.",
    )


def comparison(result):
    """Draw nDCG@10 of each row of a comparison with its interval, best row first (Table IV).

    Parameters
    ----------
    result : dict
        From `lstm_tools.table_iv.comparison.table_iv`.
    """
    values = {r["row"]: r["nDCG@10"] for r in result["rows"] if "missing" not in r}
    rows = sorted(values, key=lambda row: -values[row]["mean"])
    figure, axis = subplots(figsize=(6.5, 0.9 + 0.28 * len(rows)), grid="x")
    for k, row in enumerate(rows):
        mean, low, high = (values[row][name] for name in ("mean", "low", "high"))
        interval(axis, k, mean, low, high, markersize=6, label=row, **look_of(row))
    name_rows(axis, rows)
    axis.set_xlabel("nDCG@10, 95 % interval over queries (filled: recurrent)")
    return figure.reads(along="x")
