"""Rankers side by side: where one wins, what chance does,
and Table IV in the paper's order on several sets.
"""

import numpy as np

from .alt_text import count, course, listed, number, quoted, says
from .style import COLOURS, style, subplots

# how the names of rows with a recurrent network begin
RECURRENT = "rnn", "lstm", "bilstm", "gru", "attention", "align"


def by_overlap(values, names, label):
    """The quality of several rankers on groups of queries, with intervals.

    Parameters
    ----------
    values : dict of lists
        By ranker: (mean, low, high) for each group.
    names : list of str
        Of the groups.
    label : str
        What makes the groups.
    """
    looks = {
        "LSTM": dict(fmt="o-", color=COLOURS["LSTM"]),
        "random order": dict(fmt=":", color="#777777"),
    }
    figure, axis = subplots(figsize=(6.5, 3.4))
    with style():
        for k, (ranker, triples) in enumerate(values.items()):
            mean, low, high = np.array(triples).T
            x = np.arange(len(names)) + 0.06 * (k - (len(values) - 1) / 2)
            axis.errorbar(
                x,
                mean,
                [mean - low, high - mean],
                capsize=3,
                linewidth=1.6,
                markersize=6,
                label=ranker,
                **looks.get(ranker, dict(fmt="s--", color="black", markerfacecolor="white")),
            )
        axis.set_xticks(range(len(names)), names)
        axis.set(xlim=(-0.4, len(names) - 0.6), ylim=(0, 1))
        axis.set_xlabel(label)
        axis.set_ylabel("mean nDCG@10, 95 % interval")
        axis.grid(axis="y", color="#EEEEEE")
        axis.legend(ncols=len(values), loc="lower right")
    means = {ranker: [mean for mean, _, _ in triples] for ranker, triples in values.items()}
    return says(
        figure,
        f"Mean nDCG@10 by {label}, {listed(map(quoted, names))}:",
        listed(f"{ranker} {course(mean)}" for ranker, mean in means.items()) + ".",
    )


def by_chance(draws, observed, label):
    """Histograms of what a difference would be by chance, and the difference itself.

    Parameters
    ----------
    draws : dict of arrays
        By name: (n_draws,) differences under random signs.
    observed : dict of floats
        By name. Its mirror image is drawn, too: the test has two sides.
    label : str
        Of the axis.
    """
    figure, axes = subplots(
        1, len(draws), figsize=(3.9 * len(draws), 2.9), sharex=True, sharey=True, squeeze=False
    )
    with style():
        widest = 1.15 * max(
            *(abs(values).max() for values in draws.values()), *map(abs, observed.values())
        )
        for axis, (name, values) in zip(axes[0], draws.items()):
            axis.hist(values, bins=np.linspace(-widest, widest, 81), color="#BBBBBB")
            axis.axvline(observed[name], color="black", linewidth=1.8)
            axis.axvline(-observed[name], color="black", linewidth=1, linestyle="--")
            axis.set_title(name)
            axis.set_xlim(-widest, widest)
            axis.set_xlabel(label)
        axes[0, 0].set_ylabel("draws of random signs")
    said = [
        f"{quoted(name)} is {number(observed[name])}, and as far from 0 are "
        f"{np.sum(np.abs(values) >= abs(observed[name])):,} of {count(len(values), 'draw')}"
        for name, values in draws.items()
    ]
    return says(
        figure,
        f"Differences as random signs draw them, and as they are: {listed(said, between='; ')}.",
    )


def in_one_order(results, names, taus=None, label="nDCG@10", limits=None):
    """Table IV on several sets, rows in the order of the paper, a panel a set;
    the numbers are ranks within the panel.

    Parameters
    ----------
    results : dict of dicts
        By set: by row (mean, low, high), low and high None where there is no interval. A row may be
        missing.
    names : list of str
        The rows, first at the top; those that the first set does not have stand below a line and
        have no rank.
    taus : dict of floats, optional
        By set: Kendall's rank correlation with the first set, for the titles.
    label : str
        What was measured, in which unit.
    limits : (float, float), optional
        Of all panels; a row beyond them is an arrow there.
    """
    figure, axes = subplots(
        1, len(results), figsize=(9, 0.9 + 0.27 * len(names)), sharey=True, squeeze=False
    )
    ranked = [name for name in names if name in next(iter(results.values()))]
    with style():
        for axis, (title, rows) in zip(axes[0], results.items()):
            left = min(mean if low is None else low for mean, low, _ in rows.values())
            right = max(mean if high is None else high for mean, _, high in rows.values())
            left, right = limits or (left, right)
            room = max(right - left, 0.01)
            for name, (mean, low, high) in rows.items():
                own, k = name.split("_")[0] in RECURRENT, names.index(name)
                colour, mark = (COLOURS["LSTM"], "o") if own else ("black", "s")
                mark = "<" if mean < left else ">" if mean > right else mark
                at = np.clip(mean, left, right)
                if low is not None and at == mean:
                    axis.plot([low, high], [k, k], color=colour, linewidth=1.5)
                look = dict(color=colour, markersize=5.5, markerfacecolor=None if own else "white")
                axis.plot(at, k, mark, **look)
                if name in ranked:
                    better = sum(rows[other][0] > mean for other in ranked if other in rows)
                    axis.annotate(
                        f"{better + 1}",
                        (right + 0.26 * room, k),
                        ha="right",
                        va="center",
                        fontsize=9,
                        color="#444444",
                    )
            axis.set_xlim(left - 0.06 * room, right + 0.3 * room)
            axis.set_title(
                title if taus is None or title not in taus else f"{title}, τ = {taus[title]:.2f}"
            )
            axis.grid(color="#EEEEEE")
            axis.axhline(len(ranked) - 0.5, color="#777777", linewidth=0.8)
        axes[0, 0].set_yticks(range(len(names)), names)
        axes[0, 0].set_ylim(len(names) - 0.5, -0.5)
        figure.supxlabel(
            f"{label}, 95 % interval; at the right the rank; filled: recurrent",
            fontsize=10,
        )
    highest = [
        f"{quoted(title)} {name} with {number(rows[name][0])}"
        for title, rows in results.items()
        for name in [max(rows, key=lambda name: rows[name][0])]
    ]
    return says(
        figure,
        f"{count(len(names), 'row')} of Table IV, on {count(len(results), 'set')}; highest "
        f"{label}: {listed(highest)}.",
        "Rank correlation with the first set: "
        + listed(f"{quoted(title)} {tau:.2f}" for title, tau in taus.items())
        + "."
        if taus
        else "",
    )


def ladder(panels, labels):
    """What each step adds to the row at the foot of a ladder, with intervals, a panel a set.

    Parameters
    ----------
    panels : dict of dicts
        By set: by row (mean, low, high), how far it is above the first row, in points.
    labels : dict of str
        By row, the first at the bottom: what the step is, with what it costs.
    """
    rows = list(labels)
    figure, axes = subplots(
        1,
        len(panels),
        figsize=(9, 0.9 + 0.36 * len(rows)),
        sharex=True,
        sharey=True,
        squeeze=False,
    )
    foot = labels[rows[0]].split(",")[0]
    with style():
        for axis, (title, above) in zip(axes[0], panels.items()):
            axis.axvline(0, color="#777777", linewidth=1)
            for k, row in enumerate(rows):
                if row in above:
                    mean, low, high = above[row]
                    own = row.split("_")[0] in RECURRENT
                    look = dict(color=COLOURS["LSTM"] if own else "black")
                    axis.plot([low, high], [k, k], linewidth=1.5, **look)
                    axis.plot(mean, k, "o" if own else "s", markersize=5.5, **look)
            axis.set_title(title)
            axis.grid(axis="x", color="#EEEEEE")
        axes[0, 0].set_yticks(range(len(rows)), labels.values())
        axes[0, 0].set_ylim(-0.6, len(rows) - 0.4)
        figure.supxlabel(f"points of nDCG@10 above {foot}, 95 % interval", fontsize=10)
    highest = [
        f"{quoted(title)} {max(above, key=lambda row: above[row][0])} with "
        f"{max(mean for mean, _, _ in above.values()):+.1f}"
        for title, above in panels.items()
    ]
    return says(
        figure,
        f"{count(len(rows) - 1, 'row')} beside {foot}, on {count(len(panels), 'set')}; "
        f"furthest above it: {listed(highest)}.",
    )


SYSTEMS = {"lstm": ("LSTM", "LSTM"), "bag": ("bag", "trigrams"), "bm25": ("BM25", "words")}


def by_log_size(logs):
    """How well three systems rank by the size of the log, with intervals, a panel a log.

    Parameters
    ----------
    logs : dict of dicts
        By log, by pairs, by system: ``nDCG@10`` and ``half`` its interval
        (benchmarks/log_size.json).
    """
    figure, axes = subplots(1, len(logs), figsize=(9, 3.2), sharey=True, squeeze=False)
    passed = []
    with style():
        for axis, (title, by_size) in zip(axes[0], logs.items()):
            sizes = [int(size) for size in by_size]
            for system, (name, role) in SYSTEMS.items():
                found = [of[system] for of in by_size.values()]
                mean = np.array([one["nDCG@10"] for one in found])
                half = np.array([one["half"] for one in found])
                axis.plot(sizes, mean, "-o", markersize=4, color=COLOURS[role], label=name)
                axis.fill_between(
                    sizes, mean - half, mean + half, color=COLOURS[role], alpha=0.13, linewidth=0
                )
            axis.set_xscale("log")
            axis.set_title(title)
            axis.grid(color="#EEEEEE")
            last = by_size[str(sizes[-1])]
            ends = ", ".join(f"{SYSTEMS[name][0]} {last[name]['nDCG@10']:.2f}" for name in SYSTEMS)
            passed.append(f"{quoted(title)} with {sizes[-1]:,} pairs {ends}")
        axes[0, 0].set_ylabel("nDCG@10 on judged queries")
        axes[0, 0].legend(loc="lower right")
        figure.supxlabel("clicked pairs in the log", fontsize=10)
    told = listed(passed, between="; ")
    return says(figure, f"{count(len(logs), 'log')}: {told}.")
