"""Plots of training: descent paths, the momentum schedule, and measures by epoch or by time."""

import numpy as np
from matplotlib.ticker import LogLocator

from .alt_text import count, course, listed, number, quoted
from .style import COLOURS, LINES, name_ends, note, over_seeds, shades, subplots

# line styles of three methods; markers distinguish them in black and white
WAYS = [
    {"color": "#666666", "marker": "s", "linestyle": "-"},
    {"color": COLOURS["yg"], "marker": "^", "linestyle": "--"},
    {"color": COLOURS["c"], "marker": "o", "linestyle": "-"},
]


def valley(paths, curvature, frame=None):
    """Draw the paths of three update rules over a quadratic cost, and the cost by update.

    The cost is L = (curvature[0] w1^2 + curvature[1] w2^2) / 2.

    Parameters
    ----------
    paths : dict
        Keyed by update rule, (n_updates + 1, 2): the parameters before the first update and after
        each.
    curvature : pair of float
    frame : optional
        ((left, low), (right, high)), the limits of w1 and w2; the cost's axis then goes from 1e-6
        to 1e7. By default all limits fit the paths.
    """
    a, b = curvature
    points = np.concatenate(list(paths.values()))
    margin = 0.12 * np.ptp(points, axis=0)
    (left, low), (right, high) = frame or (points.min(axis=0) - margin, points.max(axis=0) + margin)
    x, y = np.meshgrid(np.linspace(left, right, 200), np.linspace(low, high, 200))
    levels = a * left**2 / 2 * np.array([0.01, 0.05, 0.15, 0.4, 0.8, 1.5, 2.5])
    figure, axes = subplots(2, 2, figsize=(9, 5.4))
    cost, said = axes[1, 1], []
    for axis, (rule, path), look in zip(axes.flat, paths.items(), WAYS):
        axis.contour(x, y, (a * x**2 + b * y**2) / 2, levels, colors="#CCCCCC", linewidths=0.8)
        axis.plot(0, 0, "+", color="black", markersize=11, markeredgewidth=2)
        axis.set(xlabel="$w_1$", ylabel="$w_2$", xlim=(left, right), ylim=(low, high))
        axis.plot(*path.T, **look | {"linestyle": "-"}, markersize=3.5, linewidth=1.2)
        axis.set_title(rule)
        L = path**2 @ np.array(curvature) / 2
        cost.plot(L, **look, markersize=4, markevery=8, label=rule)
        said.append(f"{quoted(rule)} {course(L)}")
    cost.set(title="cost by update", xlabel="update", ylabel="$L(w)$, log scale", yscale="log")
    # leave room for the legend
    cost.set_ylim((1e-6, 1e7) if frame else (None, cost.get_ylim()[1] * 30))
    cost.legend(loc="upper right")
    cost.grid(axis="y")
    return figure.says(
        f"Ways down a valley with curvatures {number(a)} and {number(b)}, and the cost by update "
        f"(log scale), in {count(max(map(len, paths.values())) - 1, 'update')}:",
        listed(said, between="; ") + ".",
    )


def schedule(mu, velocity):
    """Plot the momentum of each update, and the parameters' speed under a constant gradient.

    Parameters
    ----------
    mu : (n_updates,)
    velocity : (n_updates,)
        The speed after each update, in units of epsilon times the gradient. A dashed line shows
        the speed's limit for a constant mu, 1 / (1 - mu).
    """
    mu = np.asarray(mu)
    share, limit = 100 * (np.arange(len(mu)) + 0.5) / len(mu), 1 / (1 - mu)
    figure, (left, right) = subplots(1, 2, figsize=(9, 2.9), grid="y")
    left.plot(share, mu, color="black", linewidth=1.5, label="μ")
    left.set(title="the schedule", ylabel="μ", ylim=(min(mu.min() - 0.02, 0.88), 1.005))
    for value in np.unique(mu):
        note(left, 50, value, f"{value:g}", 0, -4, ha="center", va="top")
    right.plot(share, velocity, color=COLOURS["c"], linewidth=1.8, label="speed")
    right.plot(share, limit, color="black", linestyle="--", linewidth=1, label="1/(1 − μ)")
    above = {"ha": "center", "va": "baseline", "fontsize": 10}
    note(right, 50, limit[len(mu) // 2], "$1/(1-\\mu)$", 0, 4, **above)
    right.set_title("speed under a gradient that stays the same")
    highest = max(limit.max(), np.max(velocity))
    right.set(ylabel="speed, in ε |∇L|", ylim=(0, 1.18 * highest))
    for axis in (left, right):
        axis.set_xlabel("updates done, %")
    return figure.reads()


def by_epoch(panels, label):
    """Plot a measure by epoch for each value of a setting: mean and range over seeds.

    Parameters
    ----------
    panels : dict of dicts
        Keyed by panel title, then by the setting's value as a str, smallest first: (n_seeds,
        n_epochs). There are two panels per row.
    label : str
        The label of the y axis, which the panels share.
    """
    n_rows = -(-len(panels) // 2)
    size = 9, 3.1 * n_rows + 0.2
    figure, axes = subplots(n_rows, 2, figsize=size, sharey=True, squeeze=False, grid="y")
    ends = []
    for axis, (title, values) in zip(axes.flat, panels.items()):
        looks = zip(shades(len(values)), LINES)
        ends.append(
            [
                over_seeds(axis, runs, colour, name, linestyle=line, linewidth=1.7)
                for (name, runs), (colour, line) in zip(values.items(), looks)
            ]
        )
        last = ends[-1][0][0]
        axis.set(title=title, xlim=(1, 1 + 1.3 * (last - 1)))  # leave room for the names
        axis.set_xticks(range(1, last + 1, max(1, last // 7)))
    for axis in axes[-1]:
        axis.set_xlabel("epoch")
    for row in axes:
        row[0].set_ylabel(label)
    for axis, names in zip(axes.flat, ends):  # label last, when the shared axis limits are final
        name_ends(axis, names)
    return figure.reads()


def overfitting(costs, held_out):
    """Plot the cost of training pairs and the ranking of held-out queries, by epoch.

    Parameters
    ----------
    costs, held_out : (n_seeds, n_epochs)
        The cost per pair, on a log axis, and nDCG@10. Thin lines are seeds, and thick lines their
        means. A dashed line marks the epoch with the best mean ranking.
    """
    epochs = np.arange(1, np.shape(costs)[1] + 1)
    best = epochs[np.mean(held_out, axis=0).argmax()]
    figure, axes = subplots(1, 2, figsize=(9, 3.3), grid="y")
    titles = "cost of the training pairs, log scale", "held-out nDCG@10"
    for axis, title, runs, color in zip(
        axes, titles, (costs, held_out), (COLOURS["yg"], COLOURS["c"])
    ):
        axis.plot(epochs, np.transpose(runs), color=color, linewidth=0.8, alpha=0.4)
        axis.plot(epochs, np.mean(runs, axis=0), color=color, linewidth=2.2, label="mean")
        axis.axvline(best, color="black", linestyle="--", linewidth=1)
        axis.set(title=title, xlabel="epoch")
    axes[0].set_yscale("log")
    note(axes[1], best, axes[1].get_ylim()[0], f"best: epoch {best}", 4, 8)
    return figure.reads(f"The ranking is best after epoch {best}.")


def movement(counts, moved):
    """Plot how far each row of W moved in training against its trigram's count, on log axes.

    One panel per optimizer, one dot per trigram, and a line of medians over similar counts.

    Parameters
    ----------
    counts : (n_trigrams,)
        Trigrams of count 0 are not drawn.
    moved : dict
        Keyed by optimizer: (n_trigrams,), the distance of each row from its start.
    """
    occurs = np.asarray(counts) > 0
    counts = np.asarray(counts)[occurs]
    which = np.digitize(counts, np.unique(np.geomspace(1, counts.max() + 1, 13).astype(int)))
    bins = [which == k for k in np.unique(which)]
    shared = {"sharex": True, "sharey": True, "squeeze": False}
    figure, axes = subplots(1, len(moved), figsize=(9, 3.3), **shared, grid="both")
    for axis, (name, lengths) in zip(axes[0], moved.items()):
        lengths = lengths[occurs]
        axis.plot(counts, lengths, ".", markersize=2.5, color="#BBBBBB")
        x, y = ([np.median(values[alike]) for alike in bins] for values in (counts, lengths))
        look = {"color": COLOURS["c"], "markersize": 4, "linewidth": 1.8}
        axis.plot(x, y, "o-", label="median", **look)
        axis.set(title=name, xlabel="how often the trigram occurs", xscale="log", yscale="log")
        axis.legend(loc="lower right")
    axes[0, 0].set_ylabel("distance of the row from its start")
    return figure.reads()


def by_seconds(panels, label):
    """Plot a measure against training time in seconds, one marker per epoch.

    Parameters
    ----------
    panels : dict of dicts
        Keyed by panel title, then by training method: (seconds, values), each (n_epochs,). A method
        has the same line and marker in all panels.
    label : str
        The label of the y axis.
    """
    ways = list(dict.fromkeys(way for values in panels.values() for way in values))
    looks = list(zip(ways, shades(len(ways)), LINES * 2, "os^DvPX*"))
    figure, axes = subplots(1, len(panels), figsize=(9, 4.2), squeeze=False, grid="both")
    names = {}
    for axis, (title, values) in zip(axes[0], panels.items()):
        for way, colour, line, marker in looks:
            if way in values:
                look = {"color": colour, "linestyle": line, "marker": marker, "markersize": 4}
                (names[way],) = axis.plot(*values[way], linewidth=1.4, label=way, **look)
        axis.set(title=title, xlabel="seconds of training, log scale", xscale="log")
        axis.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        axis.xaxis.set_major_formatter("{x:g}")
        axis.minorticks_off()
    axes[0, 0].set_ylabel(label)
    figure.legend(names.values(), names, loc="outside lower center", ncols=2)
    return figure.reads()
