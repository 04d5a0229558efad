"""How training went, and how good the result is (Fig. 7, Table IV)."""

import numpy as np
from matplotlib.ticker import LogLocator, NullFormatter

from .alt_text import count, course, listed, number, quoted, says
from .comparisons import RECURRENT
from .style import COLOURS, name_ends, style, subplots

LINES = {"LSTM": "-", "RNN": "--", "GRU": "-."}


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
            axis.annotate(
                "guessing",
                (epochs[-1], guess),
                xytext=(0, -4),
                textcoords="offset points",
                ha="right",
                va="top",
                fontsize=9,
            )
        _log_scale(axis)
        axis.set_xlabel("epoch (once through all pairs)")
        axis.set_ylabel("cost per pair, nats (log scale)")
        axis.grid(axis="y", color="#EEEEEE")
    return says(
        figure,
        f"A line over {count(len(epochs), 'epoch')} (log scale): the cost per pair "
        f"{course(history['cost'])}"
        + ("." if guess is None else f"; guessing costs {number(guess)}."),
    )


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
            axis.errorbar(
                x,
                mean,
                [mean - low, high - mean],
                fmt="none",
                ecolor="black",
                capsize=3,
                linewidth=1,
            )
            for x_, m, h in zip(x, mean, high):
                axis.annotate(
                    f"{m:.2f}",
                    (x_, h),
                    xytext=(0, 3),
                    textcoords="offset points",
                    ha="center",
                    fontsize=9,
                )
        axis.set_xticks(range(len(names)), names)
        axis.set_ylim(0, 1.1)
        axis.set_yticks(np.arange(0, 1.01, 0.2))
        axis.set_ylabel("mean nDCG over the judged queries")
        axis.legend(ncols=len(results), loc="upper left", bbox_to_anchor=(0, 1.14))
    means = [f"{ranker} {number(values[names[-1]][0])}" for ranker, values in results.items()]
    return says(
        figure,
        f"Bars with intervals, {listed(names)} of {count(len(results), 'ranker')}. "
        f"{names[-1]}: {listed(means)}.",
    )


def training_curves(costs):
    """The cost per pair over the epochs, by model, from several seeds: mean and range (Fig. 7).

    Parameters
    ----------
    costs : dict
        By model, "LSTM", "RNN" and "GRU": (n_seeds, n_epochs).
    """
    figure, axis = subplots(figsize=(6.5, 3.6))
    with style():
        ends = []
        for name, values in costs.items():
            values = np.asarray(values)
            epochs = np.arange(1, values.shape[1] + 1)
            axis.plot(epochs, values.mean(axis=0), LINES[name], color=COLOURS[name], linewidth=1.8)
            axis.fill_between(
                epochs,
                values.min(axis=0),
                values.max(axis=0),
                color=COLOURS[name],
                alpha=0.25,
                linewidth=0,
            )
            ends.append((epochs[-1], values[:, -1].mean(), name, COLOURS[name]))
        _log_scale(axis)
        axis.set_xlim(1, epochs[-1] * 1.13)  # room for the names
        axis.set_xticks([tick for tick in axis.get_xticks() if 1 <= tick <= epochs[-1]])
        axis.set_xlabel("epoch")
        axis.set_ylabel("cost per pair, nats (log scale)")
        axis.grid(axis="y", color="#EEEEEE")
        name_ends(axis, ends)
    means = {name: np.mean(values, axis=0) for name, values in costs.items()}
    return says(
        figure,
        f"The mean cost per pair over {count(len(epochs), 'epoch')} (log scale), with the range of "
        f"the seeds: {listed(f'{name} {course(mean)}' for name, mean in means.items())}.",
    )


def errors_by_distance(measured, relative=True, fewest=20):
    """How much of the error reaches a word, by its distance to the last: median and middle half
    (vanishing gradients).

    Parameters
    ----------
    measured : dict of dicts
        By panel title, then by model, "LSTM", "RNN" and "GRU": (distance, norm), from
        `lstm_edu.analysis.inspection.error_norms`.
    relative : bool
        Whether to divide by the median norm at the last word.
    fewest : int
        Distances of fewer words are left out.
    """
    figure, axes = subplots(1, len(measured), figsize=(9, 3.6), sharey=True, squeeze=False)
    said = {title: [] for title in measured}
    with style():
        for axis, (title, models) in zip(axes[0], measured.items()):
            for name, (distance, norm) in models.items():
                at = np.flatnonzero(np.bincount(distance) >= fewest)
                low, middle, high = np.array(
                    [np.percentile(norm[distance == d], [25, 50, 75]) for d in at]
                ).T
                scale = middle[0] if relative else 1
                said[title].append(f"{name} {course(middle[[0, -1]] / scale)} at {at[-1]} words")
                axis.plot(at, middle / scale, LINES[name], color=COLOURS[name], linewidth=1.8)
                axis.fill_between(
                    at, low / scale, high / scale, color=COLOURS[name], alpha=0.25, linewidth=0
                )
                axis.annotate(
                    f" {name}",
                    (at[-1], middle[-1] / scale),
                    color=COLOURS[name],
                    va="center",
                    annotation_clip=False,
                )
            axis.set_yscale("log")
            axis.set_title(title)
            axis.set_xlim(0, at[-1] * 1.15)
            axis.set_xlabel("words after this one")
            axis.grid(axis="y", color="#EEEEEE")
        axes[0, 0].set_ylabel(
            "norm of the error at a word" + (",\nrelative to the last word" if relative else "")
        )
    return says(
        figure,
        "The median error at a word, by its distance to the last"
        f"{', relative to the error there' if relative else ''} (log scale): "
        f"{listed((f'{title}, {listed(ways)}' for title, ways in said.items()), between='; ')}.",
    )


def scores_by_grade(scores, grades, names=("Bad", "Fair", "Good", "Excellent")):
    """What two models give to query-title pairs of each grade: median, middle half,
    and middle nine tenths (appendix C).

    Parameters
    ----------
    scores : dict
        By model, "RNN" and "LSTM": (n_pairs,) cosines.
    grades : (n_pairs,) of int
        From 0.
    names : sequence of str
    """
    figure, axis = subplots(figsize=(6.5, 3.6))
    with style():
        for k, (model, values) in enumerate(scores.items()):
            for grade in range(len(names)):
                x = grade + 0.3 * (k - (len(scores) - 1) / 2)
                p5, p25, p50, p75, p95 = np.percentile(values[grades == grade], [5, 25, 50, 75, 95])
                axis.plot([x, x], [p5, p95], color=COLOURS[model], linewidth=1.2)
                axis.bar(
                    x,
                    p75 - p25,
                    0.22,
                    p25,
                    color=COLOURS[model],
                    alpha=0.35,
                    hatch="//" if model == "RNN" else None,
                    edgecolor=COLOURS[model],
                    label=model if grade == 0 else None,
                )
                axis.plot([x - 0.11, x + 0.11], [p50, p50], color="black", linewidth=1.8)
        axis.axhline(0, color="black", linewidth=0.6)
        axis.set_xticks(
            range(len(names)), [f"{name} ({grade})" for grade, name in enumerate(names)]
        )
        axis.set_xlabel("grade of the pair")
        axis.set_ylabel("cosine R(Q, D)")
        axis.legend(ncols=2, loc="upper left")
    medians = {
        model: [np.median(values[grades == grade]) for grade in range(len(names))]
        for model, values in scores.items()
    }
    return says(
        figure,
        f"Cosines by grade, {listed(names)}: middle half, nine tenths, and the median, which of",
        listed(f"{model} {course(values)}" for model, values in medians.items()) + ".",
    )


def intervals(rows, label):
    """Means with their 95 % intervals, a line each, against zero.

    Parameters
    ----------
    rows : dict
        By name: (mean, low, high).
    label : str
        Of the axis: what was measured, in which unit.
    """
    figure, axis = subplots(figsize=(6.5, 0.9 + 0.36 * len(rows)))
    with style():
        for k, (mean, low, high) in enumerate(rows.values()):
            axis.plot([low, high], [k, k], color="black", linewidth=1.5)
            axis.plot(mean, k, "o", color="black", markersize=6)
        axis.axvline(0, color="black", linewidth=0.8, linestyle="--")
        axis.set_yticks(range(len(rows)), rows)
        axis.set_ylim(len(rows) - 0.5, -0.5)
        axis.set_xlabel(label)
        axis.grid(axis="x", color="#EEEEEE")
    said = [
        f"{quoted(name)} {number(mean)} ({number(low)} to {number(high)})"
        for name, (mean, low, high) in rows.items()
    ]
    apart = sum(low > 0 or high < 0 for _, low, high in rows.values())
    return says(
        figure,
        f"{label}, with 95 % intervals: {listed(said)}.",
        f"Apart from 0: {apart} of {len(rows)}.",
    )


def comparison(result, depth=10):
    """nDCG of every row of a comparison with its interval, best row first (Table IV).

    Parameters
    ----------
    result : dict
        As `lstm_edu.table_iv.comparison.table_iv` returns it.
    depth : int
        1, 3 or 10.
    """
    rows = sorted(
        (row for row in result["rows"] if "missing" not in row),
        key=lambda row: -row[f"nDCG@{depth}"]["mean"],
    )
    figure, axis = subplots(figsize=(6.5, 0.9 + 0.28 * len(rows)))
    with style():
        for k, row in enumerate(rows):
            own = row["row"].split("_")[0] in RECURRENT
            value = row[f"nDCG@{depth}"]
            axis.plot(
                [value["low"], value["high"]],
                [k, k],
                color=COLOURS["LSTM"] if own else "black",
                linewidth=1.5,
            )
            axis.plot(
                value["mean"],
                k,
                "o" if own else "s",
                color=COLOURS["LSTM"] if own else "black",
                markersize=6,
                markerfacecolor=None if own else "white",
            )
        axis.set_yticks(range(len(rows)), [row["row"] for row in rows])
        axis.set_ylim(max(len(rows), 1) - 0.5, -0.5)
        axis.set_xlabel(f"nDCG@{depth}, 95 % interval over queries (filled: recurrent)")
        axis.grid(axis="x", color="#EEEEEE")
    means = [f"{row['row']} {number(row[f'nDCG@{depth}']['mean'])}" for row in rows]
    return says(
        figure,
        f"nDCG@{depth} of {count(len(rows), 'row')} with intervals, the best first: "
        f"{listed(means)}" + (f"; the last is {means[-1]}." if len(means) > 5 else "."),
    )


def _log_scale(axis):
    """A logarithmic y axis with plain numbers."""
    axis.set_yscale("log")
    axis.yaxis.set_major_locator(LogLocator(subs=(1, 2, 3, 5)))
    axis.yaxis.set_major_formatter("{x:g}")
    axis.yaxis.set_minor_formatter(NullFormatter())
