"""Plots of training at scale: time per step, lazy updates, rows per minibatch (lesson 11)."""

from itertools import starmap

import numpy as np

from .alt_text import count, course, listed, number, quoted, span
from .style import COLOURS, FAINT, name_rows, note, subplots

# bars by the bottleneck; hatches tell them apart in black and white
WAITS = {
    "arithmetic": (COLOURS["c"], ""),
    "memory": (COLOURS["yg"], "///"),
    "both": ("#BBBBBB", "..."),
}


def step_parts(took):
    """Draw bars of the time that each part of a training step takes, and its lower bound.

    Parameters
    ----------
    took : dict
        By part, from first to last: (milliseconds, the least possible milliseconds, and the
        bottleneck, "arithmetic", "memory" or "both").
    """
    figure, axis = subplots(figsize=(9, 0.4 * len(took) + 1.1))
    for kind, (colour, hatch) in WAITS.items():
        rows = [(k, ms) for k, (ms, _, waits) in enumerate(took.values()) if waits == kind]
        if rows:
            look = {"color": colour, "hatch": hatch, "edgecolor": "white", "linewidth": 0}
            axis.barh(*zip(*rows), height=0.7, label=kind, **look)
    for k, (ms, floor, _) in enumerate(took.values()):
        label = "floor" if k == 0 else None
        axis.plot([floor] * 2, [k - 0.42, k + 0.42], color="black", linewidth=2.5, label=label)
        note(axis, max(ms, floor), k, f"{ms:.1f}", 4)
    name_rows(axis, list(took), 0.6)
    longest = max(max(ms, floor) for ms, floor, _ in took.values())
    axis.set(xlabel="milliseconds, one thread", xlim=(0, 1.12 * longest))
    axis.legend(title="waits for", loc="center left", bbox_to_anchor=(1, 0.5), alignment="left")
    part = max(took, key=lambda part: took[part][0])
    ms, floor, waits = took[part]
    return figure.says(
        f"Bars for {count(len(took), 'part')} of a step, together "
        f"{number(sum(ms for ms, _, _ in took.values()))} ms beside a least of "
        f"{number(sum(floor for _, floor, _ in took.values()))} ms. The longest is {quoted(part)}: "
        f"{number(ms)} ms, at least {number(floor)}, waits for {waits}.",
    )


def step_ways(ms):
    """Draw bars of the time per training step of several implementations, on a log axis.

    Parameters
    ----------
    ms : dict of dicts
        By panel title, then by implementation, ours first: milliseconds, or None if not measured.
    """
    found = [value for values in ms.values() for value in values.values() if value is not None]
    figure, axes = subplots(1, len(ms), figsize=(9, 2.5), sharey=True, squeeze=False)
    for axis, (title, values) in zip(axes[0], ms.items()):
        for k, value in enumerate(values.values()):
            colour, hatch = ("#BBBBBB", "///") if k else (COLOURS["c"], "")
            look = {"color": colour, "hatch": hatch, "edgecolor": "white", "linewidth": 0}
            axis.barh(k, value or 0, **look)
            text = "not measured"
            if value is not None:
                text = f"{value:,.0f}" if value >= 20 else f"{value:.1f}"
            note(axis, value or min(found) / 3, k, text, 4)
        axis.set(title=title, xlabel="milliseconds a step, log scale", xscale="log")
        axis.set_xlim(min(found) / 3, 4 * max(found))
        name_rows(axis, list(values), 0.6)
    text = lambda way, ms: f"{way} {'not measured' if ms is None else number(ms)}"
    said = [f"{title}: {listed(starmap(text, values.items()))}" for title, values in ms.items()]
    return figure.says(f"Milliseconds a step (log scale). {listed(said, between='; ')}.")


def coasting(dense, lazy, touched):
    """Plot a weight by update: with dense updates, and with lazy ones that skip untouched rows.

    Parameters
    ----------
    dense, lazy : (n_updates,)
        The weight after each update.
    touched : (k,) of int
        The updates, counted from 0, that touched the row.
    """
    update, touched, lazy = np.arange(1, len(dense) + 1), np.asarray(touched), np.asarray(lazy)
    figure, axis = subplots(figsize=(9, 3.2), grid="y")
    for k in touched:
        label = "touched" if k == touched[0] else None
        axis.axvline(k + 1, color=FAINT, linewidth=0.8, linestyle=":", label=label)
    axis.plot(update, dense, color="black", linewidth=1.2, label="dense: moved in every update")
    look = {"color": COLOURS["c"], "linewidth": 2, "linestyle": "--"}
    axis.step(update, lazy, where="post", label="lazy: moved when touched", **look)
    mark = {"markersize": 6, "markerfacecolor": "white", "markeredgewidth": 1.5}
    axis.plot(touched + 1, lazy[touched], "o", color=COLOURS["c"], **mark)
    axis.set(xlabel="update", ylabel="a weight of the row", xlim=(1, len(dense)))
    axis.legend(loc="upper left", bbox_to_anchor=(0, 1.17), ncols=3)
    return figure.says(
        f"A weight over {count(len(dense), 'update')}, {len(touched)} of which touch its row: "
        f"dense, it {course(dense)}; lazy, moved only there, it {course(lazy)}.",
    )


def touched_rows(n_pairs, rows, ceiling):
    """Plot the number of rows of W that a minibatch touches, in all and per pair, by its size.

    Parameters
    ----------
    n_pairs : (k,) of int
        The sizes of minibatches.
    rows : dict
        By side, "query" or "document": (k,) numbers of distinct rows.
    ceiling : int
        The number of rows of W.
    """
    figure, (left, right) = subplots(1, 2, figsize=(9, 3.4), grid="both")
    said = []
    for (side, values), line in zip(rows.items(), ("o-", "s--")):
        share, name = np.divide(values, n_pairs), "titles" if side == "document" else "queries"
        left.plot(n_pairs, values, line, color=COLOURS[side], markersize=4, label=name)
        right.plot(n_pairs, share, line, color=COLOURS[side], markersize=4, label=name)
        said.append(f"rows of {name} go {span(values)}, a pair's share {course(share)}")
    for axis in (left, right):  # limits must be set after the scale
        axis.set(xscale="log", yscale="log", xlabel="pairs of the minibatch, log scale")
    left.axhline(ceiling, color="black", linewidth=1, linestyle=":")
    note(left, n_pairs[0], ceiling, f"all {ceiling:,} rows", 0, 3, va="baseline")
    left.set(title="different rows of W that are touched", ylabel="rows, log scale")
    left.set_ylim(None, 2.2 * ceiling)
    right.set(title="and a pair's share of them", ylabel="rows / pairs, log scale")
    right.legend()
    return figure.says(
        f"Rows of W that a minibatch touches, of {ceiling:,}, its pairs {span(n_pairs)} (log "
        f"scales): {listed(said, between='; ')}.",
    )
