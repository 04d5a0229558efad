"""Plots of training curves and ranking results (Fig. 7, Table IV)."""

import numpy as np
from matplotlib.ticker import LogLocator, MaxNLocator, NullFormatter

from .alt_text import count, course, listed, number, quoted
from .style import COLOURS, band, interval, name_ends, name_rows, note, subplots

GRADES = "Bad", "Fair", "Good", "Excellent"
LINES = {"LSTM": "-", "RNN": "--", "GRU": "-."}
# row names of recurrent networks begin with one of these, followed by _ or nothing
RECURRENT = "rnn", "lstm", "bilstm", "gru", "attention", "align"


def look_of(row):
    """Return the marker style of a row of Table IV, filled for recurrent networks."""
    if row.split("_")[0] in RECURRENT:
        return {"color": COLOURS["LSTM"], "marker": "o"}
    return {"color": "black", "marker": "s", "markerfacecolor": "white"}


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
    axis.plot(epochs, history["cost"], color=COLOURS["LSTM"], marker="o", markersize=4)
    if guess is not None:
        axis.axhline(guess, color="black", linestyle="--", linewidth=1)
        note(axis, epochs[-1], guess, "guessing", 0, -4, ha="right", va="top")
    _costs(axis)
    axis.xaxis.set_major_locator(MaxNLocator(integer=True))
    axis.set_xlabel("epoch (once through all pairs)")
    return figure.says(
        f"A line over {count(len(epochs), 'epoch')} (log scale): the cost per pair "
        f"{course(history['cost'])}"
        + ("." if guess is None else f"; guessing costs {number(guess)}."),
    )


def ndcg_bars(results):
    """Draw a bar chart of nDCG at 1, 3 and 10 for several rankers, with error bars.

    Parameters
    ----------
    results : dict
        By ranker, then by measure, such as "nDCG@10": (mean, low, high).
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
    means = [f"{ranker} {number(values[names[-1]][0])}" for ranker, values in results.items()]
    return figure.says(
        f"Bars with intervals, {listed(names)} of {count(len(results), 'ranker')}. "
        f"{names[-1]}: {listed(means)}.",
    )


def training_curves(costs):
    """Plot each model's cost per pair by epoch: mean and range over seeds (Fig. 7).

    Parameters
    ----------
    costs : dict
        By model, "LSTM", "RNN" and "GRU": (n_seeds, n_epochs).
    """
    figure, axis = subplots(figsize=(6.5, 3.6), grid="y")
    ends, said = [], []
    for name, values in costs.items():
        low, mean, high = np.min(values, axis=0), np.mean(values, axis=0), np.max(values, axis=0)
        epochs = np.arange(1, len(mean) + 1)
        band(axis, epochs, low, mean, high, COLOURS[name], linestyle=LINES[name], linewidth=1.8)
        ends.append((epochs[-1], mean[-1], name, COLOURS[name]))
        said.append(f"{name} {course(mean)}")
    _costs(axis)
    axis.set(xlim=(1, epochs[-1] * 1.13), xlabel="epoch")  # leave room for the names
    axis.set_xticks([tick for tick in axis.get_xticks() if 1 <= tick <= epochs[-1]])
    name_ends(axis, ends)
    return figure.says(
        f"The mean cost per pair over {count(len(epochs), 'epoch')} (log scale), with the range of "
        f"the seeds: {listed(said)}.",
    )


def errors_by_distance(measured, relative=True, fewest=20):
    """Plot median and quartiles of the backpropagated error's norm by distance to the last word.

    Parameters
    ----------
    measured : dict of dicts
        By panel title, then by model, "LSTM", "RNN" and "GRU": (distance, norm), from
        `lstm_edu.analysis.inspection.error_norms`.
    relative : bool
        Whether to divide by the median norm at the last word.
    fewest : int
        The least number of measurements at a distance; others are omitted.
    """
    figure, _ = subplots(1, len(measured), figsize=(9, 3.6), sharey=True, grid="y")
    said = []
    for axis, (title, models) in zip(figure.axes, measured.items()):
        ways = []
        for name, (distance, norm) in models.items():
            at = np.flatnonzero(np.bincount(distance) >= fewest)
            quartiles = [np.percentile(norm[distance == d], [25, 50, 75]) for d in at]
            low, middle, high = np.transpose(quartiles) / (quartiles[0][1] if relative else 1)
            colour = COLOURS[name]
            band(axis, at, low, middle, high, colour, linestyle=LINES[name], linewidth=1.8)
            look = {"color": colour, "fontsize": 10, "annotation_clip": False}
            note(axis, at[-1], middle[-1], f" {name}", **look)
            ways.append(f"{name} {course(middle[[0, -1]])} at {count(at[-1], 'word')}")
        axis.set(title=title, xlabel="words after this one", yscale="log", xlim=(0, at[-1] * 1.15))
        said.append(f"{title}, {listed(ways)}")
    label = "norm of the error at a word" + (",\nrelative to the last word" if relative else "")
    figure.axes[0].set_ylabel(label)
    return figure.says(
        "The median error at a word, by its distance to the last"
        f"{', relative to the error there' if relative else ''} (log scale): "
        f"{listed(said, between='; ')}.",
    )


def scores_by_grade(scores, grades):
    """Draw box plots of two models' query-title cosines, by the pair's grade (appendix C).

    A box has the median and the quartiles; its whiskers go from the 5th to the 95th percentile.

    Parameters
    ----------
    scores : dict
        By model, "RNN" and "LSTM": (n_pairs,) cosines.
    grades : (n_pairs,) of int
        The index of the grade in `GRADES`.
    """
    figure, axis = subplots(figsize=(6.5, 3.6))
    medians = []
    for k, (model, values) in enumerate(scores.items()):
        shares = [
            np.percentile(values[grades == g], [5, 25, 50, 75, 95]) for g in range(len(GRADES))
        ]
        medians.append(f"{model} {course(np.array(shares)[:, 2])}")
        look = {"color": COLOURS[model], "alpha": 0.35, "hatch": "//" if model == "RNN" else None}
        for grade, (p5, p25, p50, p75, p95) in enumerate(shares):
            x = grade + 0.3 * (k - (len(scores) - 1) / 2)
            axis.plot([x, x], [p5, p95], color=COLOURS[model], linewidth=1.2)
            label = model if grade == 0 else None
            axis.bar(x, p75 - p25, 0.22, p25, edgecolor=COLOURS[model], label=label, **look)
            axis.plot([x - 0.11, x + 0.11], [p50, p50], color="black", linewidth=1.8)
    axis.axhline(0, color="black", linewidth=0.6)
    axis.set_xticks(range(len(GRADES)), [f"{name} ({grade})" for grade, name in enumerate(GRADES)])
    axis.set(xlabel="grade of the pair", ylabel="cosine R(Q, D)")
    axis.legend(ncols=2, loc="upper left")
    return figure.says(
        f"Cosines by grade, {listed(GRADES)}: middle half, nine tenths, and the median, which of",
        f"{listed(medians)}.",
    )


def intervals(rows, label):
    """Draw one row per mean, with its 95 % interval and a line at zero.

    Parameters
    ----------
    rows : dict
        By name: (mean, low, high).
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
        interval(axis, k, mean, low, high, markersize=6, **look_of(row))
    name_rows(axis, rows)
    axis.set_xlabel("nDCG@10, 95 % interval over queries (filled: recurrent)")
    means = [f"{row} {number(values[row]['mean'])}" for row in rows]
    return figure.says(
        f"nDCG@10 of {count(len(rows), 'row')} with intervals, the best first: "
        f"{listed(means)}" + (f"; the last is {means[-1]}." if len(means) > 5 else "."),
    )


def _costs(axis):
    """Format the y axis for costs: log scale, plain tick labels."""
    axis.set(yscale="log", ylabel="cost per pair, nats (log scale)")
    axis.yaxis.set_major_locator(LogLocator(subs=(1, 2, 3, 5)))
    axis.yaxis.set_major_formatter("{x:g}")
    axis.yaxis.set_minor_formatter(NullFormatter())
