"""How parameters move while they are trained: ways down a valley, the schedule of mu,
what each setting does (Algorithm 1), and how soon a model is good.
"""

import numpy as np

from .alt_text import count, course, listed, number, quoted, says
from .style import COLOURS, name_ends, shades, style, subplots

LINES = ["-", "--", "-.", ":", (0, (6, 1, 1, 1, 1, 1)), (0, (1, 1))]
# told apart in grey by their markers
WAYS = [("#666666", "s", "-"), (COLOURS["yg"], "^", "--"), (COLOURS["c"], "o", "-")]


def valley(paths, curvature, frame=None):
    """The ways of up to three rules down a valley, and their cost by update.

    The valley is L = (curvature[0] w1^2 + curvature[1] w2^2) / 2.

    Parameters
    ----------
    paths : dict
        By rule, (n_updates + 1, 2): the parameters before the first update and after each.
    curvature : pair of float
    frame : optional
        ((left, low), (right, high)), when it shall not be as large as the ways are long; and the
        cost from 1e-6 to 1e7 then.
    """
    a, b = curvature
    points = np.concatenate(list(paths.values()))
    margin = 0.12 * np.ptp(points, axis=0)
    (left, low), (right, high) = frame or (points.min(axis=0) - margin, points.max(axis=0) + margin)
    x, y = np.meshgrid(np.linspace(left, right, 200), np.linspace(low, high, 200))
    with style():
        figure, axes = subplots(2, 2, figsize=(9, 5.4))
        cost = axes[1, 1]
        for axis, (rule, path), (colour, marker, line) in zip(axes.flat, paths.items(), WAYS):
            levels = a * left**2 / 2 * np.array([0.01, 0.05, 0.15, 0.4, 0.8, 1.5, 2.5])
            axis.contour(x, y, (a * x**2 + b * y**2) / 2, levels, colors="#CCCCCC", linewidths=0.8)
            axis.plot(*path.T, color=colour, marker=marker, markersize=3.5, linewidth=1.2)
            axis.plot(0, 0, "+", color="black", markersize=11, markeredgewidth=2)
            axis.set(
                title=rule, xlabel="$w_1$", ylabel="$w_2$", xlim=(left, right), ylim=(low, high)
            )
            L = (a * path[:, 0] ** 2 + b * path[:, 1] ** 2) / 2
            cost.plot(
                L,
                color=colour,
                marker=marker,
                markersize=4,
                markevery=8,
                linestyle=line,
                label=rule,
            )
        for axis in list(axes.flat)[len(paths) : 3]:
            axis.axis("off")
        cost.set(title="cost by update", xlabel="update", ylabel="$L(w)$, log scale", yscale="log")
        # room for the legend
        cost.set_ylim((1e-6, 1e7) if frame else (None, cost.get_ylim()[1] * 30))
        cost.legend(loc="upper right")
        cost.grid(axis="y", color="#EEEEEE")
    costs = [
        f"{quoted(rule)} {course(path**2 @ np.array(curvature) / 2)}"
        for rule, path in paths.items()
    ]
    return says(
        figure,
        f"Ways down a valley with curvatures {number(a)} and {number(b)}, and the cost by update "
        f"(log scale), in {count(max(map(len, paths.values())) - 1, 'update')}:",
        listed(costs, between="; ") + ".",
    )


def schedule(mu, velocity):
    """Momentum by update, and how fast the parameters move under a gradient that stays the same.

    Parameters
    ----------
    mu : (n_updates,)
    velocity : (n_updates,)
        In steps of epsilon times the gradient; mu alone would take it to 1 / (1 - mu), drawn as a
        dashed line.
    """
    mu = np.asarray(mu)
    share = 100 * (np.arange(len(mu)) + 0.5) / len(mu)
    with style():
        figure, (left, right) = subplots(1, 2, figsize=(9, 2.9))
        left.plot(share, mu, color="black", linewidth=1.5)
        left.set(title="the schedule", ylabel="$\\mu$", ylim=(min(mu.min() - 0.02, 0.88), 1.005))
        for value in np.unique(mu):
            left.annotate(
                f"{value:g}",
                (50, value),
                xytext=(0, -4),
                textcoords="offset points",
                ha="center",
                va="top",
                fontsize=9,
            )
        right.plot(share, velocity, color=COLOURS["c"], linewidth=1.8)
        right.plot(share, 1 / (1 - mu), color="black", linestyle="--", linewidth=1)
        right.annotate(
            "$1/(1-\\mu)$",
            (50, 1 / (1 - mu[len(mu) // 2])),
            xytext=(0, 4),
            textcoords="offset points",
            ha="center",
        )
        right.set(
            title="speed under a gradient that stays the same",
            ylabel="speed, in $\\epsilon\\,|\\nabla L|$",
            ylim=(0, 1.18 * max((1 / (1 - mu)).max(), np.max(velocity))),
        )
        for axis in (left, right):
            axis.set_xlabel("updates done, %")
            axis.grid(axis="y", color="#EEEEEE")
    return says(
        figure,
        f"Over {count(len(mu), 'update')} μ {course(mu)} (left); under a gradient that stays the "
        f"same the speed {course(velocity)} (right); with μ kept at {number(mu.max())} it would "
        f"come to {number(1 / (1 - mu.max()))}.",
    )


def by_epoch(panels, label):
    """What is measured after every epoch, for the values of a setting:
    the mean over seeds as a line, their range as a band.

    Parameters
    ----------
    panels : dict of dicts
        By title, up to four, then by value, least first, as text: (n_seeds, n_epochs). Drawn two
        a row.
    label : str
        Of the y axis, which the panels share.
    """
    n_columns = min(len(panels), 2)
    n_rows = -(-len(panels) // n_columns)
    with style():
        figure, axes = subplots(
            n_rows,
            n_columns,
            figsize=(9 if n_columns > 1 else 6, 3.1 * n_rows + 0.2),
            sharey=True,
            squeeze=False,
        )
        ends = []
        for axis, (title, values) in zip(axes.flat, panels.items()):
            colours = shades(len(values))
            ends.append([])
            for (name, runs), colour, line in zip(values.items(), colours, LINES):
                runs = np.asarray(runs)
                epochs = np.arange(1, runs.shape[1] + 1)
                axis.plot(epochs, runs.mean(axis=0), color=colour, linestyle=line, linewidth=1.7)
                axis.fill_between(
                    epochs, runs.min(axis=0), runs.max(axis=0), color=colour, alpha=0.2, linewidth=0
                )
                ends[-1].append((epochs[-1], runs[:, -1].mean(), name, colour))
            axis.set_title(title)
            axis.set_xlim(1, 1 + 1.3 * (epochs[-1] - 1))  # room for the names
            axis.set_xticks(range(1, epochs[-1] + 1, max(1, epochs[-1] // 7)))
            axis.grid(axis="y", color="#EEEEEE")
        for axis in axes[-1]:
            axis.set_xlabel("epoch")
        for row in axes:
            row[0].set_ylabel(label)
        for axis, names in zip(axes.flat, ends):  # when the limits, which are shared, stand
            name_ends(axis, names)
    said = []
    for title, values in panels.items():
        last = {name: np.mean(np.asarray(runs)[:, -1]) for name, runs in values.items()}
        low, high = min(last, key=last.get), max(last, key=last.get)
        said.append(f"{title}: from {number(last[low])} at {low} to {number(last[high])} at {high}")
    return says(
        figure,
        f"{label} by epoch, a line for each value of a setting. Means at the end, "
        f"{listed(said, between='; ')}.",
    )


def movement(counts, moved):
    """How far each row of W has moved, against how often its trigram occurs.

    Both on a log scale, one panel for each optimizer: a dot a trigram, and the medians of rows
    whose counts are alike as a line.

    Parameters
    ----------
    counts : (n_trigrams,)
        Trigrams of count 0 are not drawn.
    moved : dict
        By optimizer: (n_trigrams,), the length of each row's way.
    """
    counts = np.asarray(counts)
    some = counts > 0
    edges = np.unique(np.geomspace(1, counts.max() + 1, 13).astype(int))
    which = np.digitize(counts, edges)
    with style():
        figure, axes = subplots(
            1, len(moved), figsize=(9, 3.3), sharex=True, sharey=True, squeeze=False
        )
        for axis, (name, lengths) in zip(axes[0], moved.items()):
            axis.plot(counts[some], lengths[some], ".", markersize=2.5, color="#BBBBBB")
            bins = [k for k in range(1, len(edges) + 1) if (which == k).any()]
            axis.plot(
                [np.median(counts[which == k]) for k in bins],
                [np.median(lengths[which == k]) for k in bins],
                "o-",
                color=COLOURS["c"],
                markersize=4,
                linewidth=1.8,
                label="median",
            )
            axis.set(title=name, xlabel="how often the trigram occurs", xscale="log", yscale="log")
            axis.grid(color="#EEEEEE")
            axis.legend(loc="lower right")
        axes[0, 0].set_ylabel("length of the row's way")
    some_bins = np.unique(which[some])
    said = [
        f"{name} {course([np.median(lengths[which == k]) for k in some_bins])}"
        for name, lengths in moved.items()
    ]
    return says(
        figure,
        f"How far {count(int(some.sum()), 'row')} of W moved, by how often the trigram occurs (log "
        f"scales); the median from rare to common: {listed(said, between='; ')}.",
    )


def by_seconds(panels, label):
    """How good a model is against the seconds of its training, a marker an epoch.

    Parameters
    ----------
    panels : dict of dicts
        By title, then by way: (seconds, values), each (n_epochs,). Every way has its own line and
        marker in all panels.
    label : str
        Of the y axis.
    """
    ways = list(dict.fromkeys(way for values in panels.values() for way in values))
    with style():
        figure, axes = subplots(1, len(panels), figsize=(9, 4.2), squeeze=False)
        for axis, (title, values) in zip(axes[0], panels.items()):
            for way, colour, line, marker in zip(ways, shades(len(ways)), LINES * 2, "os^DvPX*"):
                if way in values:
                    axis.plot(
                        *values[way],
                        color=colour,
                        linestyle=line,
                        marker=marker,
                        markersize=4,
                        linewidth=1.4,
                        label=way,
                    )
            axis.set(title=title, xlabel="seconds of training, log scale", xscale="log")
            low, high = axis.get_xlim()
            ticks = [t * 10**k for k in range(-2, 5) for t in (1, 2, 5) if low < t * 10**k < high]
            axis.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
            axis.minorticks_off()
            axis.grid(color="#EEEEEE")
        axes[0, 0].set_ylabel(label)
        names = {
            text: line for axis in axes[0] for line, text in zip(*axis.get_legend_handles_labels())
        }
        figure.legend(names.values(), names, loc="outside lower center", ncols=2)
    said = []
    for title, values in panels.items():
        way = max(values, key=lambda way: np.max(values[way][1]))
        seconds, reached = values[way]
        best = int(np.argmax(reached))
        said.append(
            f"{title} {number(reached[best])}, by {quoted(way)} after {number(seconds[best])} s"
        )
    return says(
        figure,
        f"{label} of {count(len(ways), 'way')} against seconds of training (log scale). Highest: "
        f"{listed(said, between='; ')}.",
    )
