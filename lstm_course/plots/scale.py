"""What training costs: where a step's time goes, how rows coast, how many rows a minibatch touches,
and what more machines bring.
"""

import numpy as np

from .alt_text import count, course, listed, number, quoted, says, span
from .style import COLOURS, FAINT, style, subplots

# what a part of a step waits for, told apart in grey by its hatch
WAITS = {
    "arithmetic": (COLOURS["c"], ""),
    "memory": (COLOURS["yg"], "///"),
    "both": ("#BBBBBB", "..."),
}
LINES = [
    (COLOURS["c"], "-", "o"),
    (COLOURS["c"], "--", "s"),
    (COLOURS["i"], "-", "^"),
    (COLOURS["i"], "--", "v"),
]


def step_parts(took):
    """How long each part of a step takes, beside the least that it can take.

    Parameters
    ----------
    took : dict
        By part, from first to last: (milliseconds, milliseconds of its floor, what it waits for:
        "arithmetic", "memory" or "both").
    """
    with style():
        figure, axis = subplots(figsize=(9, 0.4 * len(took) + 1.1))
        for kind, (colour, hatch) in WAITS.items():
            rows = [(k, ms) for k, (ms, _, waits) in enumerate(took.values()) if waits == kind]
            if rows:
                axis.barh(
                    *zip(*rows),
                    height=0.7,
                    color=colour,
                    hatch=hatch,
                    edgecolor="white",
                    linewidth=0,
                    label=kind,
                )
        for k, (ms, floor, _) in enumerate(took.values()):
            axis.plot(
                [floor, floor],
                [k - 0.42, k + 0.42],
                color="black",
                linewidth=2.5,
                label="floor" if k == 0 else None,
            )
            axis.annotate(
                f"{ms:.1f}",
                (max(ms, floor), k),
                xytext=(4, 0),
                textcoords="offset points",
                va="center",
                fontsize=9,
            )
        axis.set_yticks(range(len(took)), list(took))
        axis.set(
            xlabel="milliseconds, one thread",
            xlim=(0, 1.12 * max(max(ms, floor) for ms, floor, _ in took.values())),
            ylim=(len(took) - 0.4, -0.6),
        )
        axis.legend(title="waits for", loc="center left", bbox_to_anchor=(1, 0.5), alignment="left")
    part = max(took, key=lambda part: took[part][0])
    ms, floor, waits = took[part]
    return says(
        figure,
        f"Bars for {count(len(took), 'part')} of a step, together "
        f"{number(sum(ms for ms, _, _ in took.values()))} ms beside a least of "
        f"{number(sum(floor for _, floor, _ in took.values()))} ms. The longest is {quoted(part)}: "
        f"{number(ms)} ms, at least {number(floor)}, waits for {waits}.",
    )


def step_ways(ms):
    """One step done in several ways, the time on a log scale.

    Parameters
    ----------
    ms : dict of dicts
        By scale, then by way: milliseconds, or None where not measured. The first way is ours.
    """
    found = [value for values in ms.values() for value in values.values() if value is not None]
    with style():
        figure, axes = subplots(1, len(ms), figsize=(9, 2.5), sharey=True, squeeze=False)
        for axis, (title, values) in zip(axes[0], ms.items()):
            for k, value in enumerate(values.values()):
                axis.barh(
                    k,
                    value or 0,
                    color=COLOURS["c"] if k == 0 else "#BBBBBB",
                    hatch="" if k == 0 else "///",
                    edgecolor="white",
                    linewidth=0,
                )
                if value is None:
                    text = "not measured"
                else:
                    text = f"{value:,.0f}" if value >= 20 else f"{value:.1f}"
                axis.annotate(
                    text,
                    (value or min(found) / 3, k),
                    xytext=(4, 0),
                    textcoords="offset points",
                    va="center",
                    fontsize=9,
                )
            axis.set(
                title=title,
                xscale="log",
                xlim=(min(found) / 3, 4 * max(found)),
                xlabel="milliseconds a step, log scale",
            )
            axis.set_yticks(range(len(values)), list(values))
            axis.set_ylim(len(values) - 0.4, -0.6)
    said = [
        f"{title}: "
        + listed(
            f"{way} {'not measured' if value is None else number(value)}"
            for way, value in values.items()
        )
        for title, values in ms.items()
    ]
    return says(figure, f"Milliseconds a step (log scale). {listed(said, between='; ')}.")


def coasting(dense, lazy, touched):
    """One weight by update: moved in every one (dense), or only where its row is touched (lazy).

    Parameters
    ----------
    dense, lazy : (n_updates,)
        The weight after each update.
    touched : (k,) of int
        The updates that touched the row.
    """
    update = np.arange(1, len(dense) + 1)
    with style():
        figure, axis = subplots(figsize=(9, 3.2))
        for k in touched:
            axis.axvline(
                k + 1,
                color=FAINT,
                linewidth=0.8,
                linestyle=":",
                label="touched" if k == touched[0] else None,
            )
        axis.plot(update, dense, color="black", linewidth=1.2, label="dense: moved in every update")
        axis.step(
            update,
            lazy,
            where="post",
            color=COLOURS["c"],
            linewidth=2,
            linestyle="--",
            label="lazy: moved when touched",
        )
        axis.plot(
            np.asarray(touched) + 1,
            np.asarray(lazy)[touched],
            "o",
            color=COLOURS["c"],
            markersize=6,
            markerfacecolor="white",
            markeredgewidth=1.5,
        )
        axis.set(xlabel="update", ylabel="a weight of the row", xlim=(1, len(dense)))
        axis.legend(loc="upper left", bbox_to_anchor=(0, 1.17), ncols=3)
        axis.grid(axis="y", color="#EEEEEE")
    return says(
        figure,
        f"A weight over {count(len(dense), 'update')}, {len(touched)} of which touch its row: "
        f"dense, it {course(dense)}; lazy, moved only there, it {course(lazy)}.",
    )


def touched_rows(n_pairs, rows, ceiling):
    """Rows of W that a minibatch touches, against its pairs (left), and a pair's share (right).

    Parameters
    ----------
    n_pairs : (k,) of int
    rows : dict
        By side, "query" or "document": (k,) different rows.
    ceiling : int
        Rows that there are.
    """
    with style():
        figure, (left, right) = subplots(1, 2, figsize=(9, 3.4))
        for (side, values), line, marker in zip(rows.items(), ("-", "--"), "os"):
            for axis, y in ((left, values), (right, np.divide(values, n_pairs))):
                axis.plot(
                    n_pairs,
                    y,
                    color=COLOURS[side],
                    linestyle=line,
                    marker=marker,
                    markersize=4,
                    label="titles" if side == "document" else "queries",
                )
        for axis in (left, right):  # first, so that limits are set on this scale
            axis.set(xscale="log", yscale="log", xlabel="pairs of the minibatch, log scale")
            axis.grid(color="#EEEEEE")
        left.axhline(ceiling, color="black", linewidth=1, linestyle=":")
        left.annotate(
            f"all {ceiling:,} rows",
            (n_pairs[0], ceiling),
            xytext=(0, 3),
            textcoords="offset points",
            fontsize=9,
        )
        left.set(
            title="different rows of W that are touched",
            ylabel="rows, log scale",
            ylim=(None, 2.2 * ceiling),
        )
        right.set(title="and a pair's share of them", ylabel="rows / pairs, log scale")
        right.legend()
    said = [
        f"rows of {'titles' if side == 'document' else 'queries'} go {span(values)}, a pair's "
        f"share {course(np.divide(values, n_pairs))}"
        for side, values in rows.items()
    ]
    return says(
        figure,
        f"Rows of W that a minibatch touches, of {ceiling:,}, its pairs {span(n_pairs)} (log "
        f"scales): {listed(said, between='; ')}.",
    )


def machines(n_machines, hours):
    """The time of an epoch by the number of machines; a filled marker is where more stop helping.

    Parameters
    ----------
    n_machines : (k,) of int
        From 1 on.
    hours : dict of dicts
        By panel, then by line, up to four: (k,) hours. Dotted: the first line's time on one
        machine, shared out evenly.
    """
    largest = max(max(line) for lines in hours.values() for line in lines.values())
    with style():
        figure, axes = subplots(1, len(hours), figsize=(9, 4.1), sharey=True, squeeze=False)
        for axis, (title, lines) in zip(axes[0], hours.items()):
            for (name, values), (colour, line, marker) in zip(lines.items(), LINES):
                values, best = np.asarray(values), int(np.argmin(values))
                axis.plot(
                    n_machines,
                    values,
                    color=colour,
                    linestyle=line,
                    marker=marker,
                    markersize=5,
                    markerfacecolor="white",
                    label=name,
                )
                axis.plot(
                    n_machines[best],
                    values[best],
                    marker=marker,
                    color=colour,
                    markersize=8,
                    zorder=3,
                )
            first = next(iter(lines.values()))[0]
            axis.plot(
                n_machines,
                first / np.asarray(n_machines),
                color="black",
                linestyle=":",
                linewidth=1.2,
                label="shared out evenly",
            )
            axis.set(
                xscale="log",
                yscale="log",
                title=title,
                xlabel="machines, log scale",
                ylim=(None, 12 * largest),  # room for the legend
            )
            axis.set_xticks(n_machines, [str(n) for n in n_machines])
            axis.minorticks_off()
            axis.grid(color="#EEEEEE")
            axis.legend(loc="upper left", ncols=2, handlelength=2.8, columnspacing=1)
        axes[0, 0].set_ylabel("hours an epoch, log scale")
    said = []
    for title, lines in hours.items():
        name = min(lines, key=lambda name: np.min(lines[name]))
        best = int(np.argmin(lines[name]))
        said.append(
            f"{title}, {number(lines[name][0])} on {n_machines[0]}, at best "
            f"{number(lines[name][best])} on {n_machines[best]} ({name})"
        )
    return says(
        figure,
        f"Hours an epoch on {n_machines[0]} to {n_machines[-1]} machines (log scales), lines of "
        f"{listed(dict.fromkeys(name for lines in hours.values() for name in lines), 4, '; ')}. "
        f"The fastest: {listed(said, between='; ')}.",
    )
