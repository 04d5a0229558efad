"""Errors and gradients, measured: how far they reach, and how far off they are (04 to 05b)."""

import numpy as np
from matplotlib.ticker import MaxNLocator

from .alt_text import count, course, listed, number, quoted, says, span
from .style import COLOURS, ERROR, GATES, as_text, name_words, shades, style, subplots

LEAST = 1e-6  # relative error of a gradient that is shown


def error_norms(errors, roles):
    """How long the error is at every word, counted back from the last.

    Parameters
    ----------
    errors : dict of arrays, (n_words, n_cells)
        By text: delta(1), ..., delta(T).
    roles : dict of str
        By text: "query" or "document", which colours it.
    """
    figure, axis = subplots(figsize=(7.5, 3.6))
    with style():
        for k, (name, delta) in enumerate(errors.items()):
            norm = np.linalg.norm(delta, axis=1)[::-1]
            axis.plot(
                range(len(norm)),
                norm,
                color=COLOURS[roles[name]],
                linestyle=("-", "--", "-.", ":")[k % 4],
                marker="osD^"[k % 4],
                markersize=5,
                label=as_text(name),
            )
        axis.set_yscale("log")
        axis.xaxis.set_major_locator(MaxNLocator(integer=True))
        axis.set_xlabel("steps back from the last word, τ")
        axis.set_ylabel("length of δ(T − τ)")
        axis.grid(axis="y", color="#EEEEEE")
        axis.legend(loc="upper left", bbox_to_anchor=(1, 1))
    lengths = {name: np.linalg.norm(delta, axis=1)[::-1] for name, delta in errors.items()}
    return says(
        figure,
        "The length of the error, from the last word back to the first (log scale):",
        listed(f"{quoted(name)} {course(norm)}" for name, norm in lengths.items()) + ".",
    )


def truncation_error(errors):
    """How far a truncated gradient is from the whole one, for several models.

    Parameters
    ----------
    errors : dict of arrays, (truncate + 1,)
        By model: the relative error when errors go back 0, 1, ..., truncate steps. What is below
        ``LEAST`` is not shown.
    """
    figure, axis = subplots(figsize=(8, 3.6))
    with style():
        colours = shades(len(errors))
        for k, (name, values) in enumerate(errors.items()):
            values = np.asarray(values, float)
            steps = np.flatnonzero(values > 0)
            axis.plot(
                steps,
                values[steps],
                color=colours[k],
                linestyle=("-", "--", "-.", ":", (0, (6, 1, 1, 1, 1, 1)))[k % 5],
                marker="osD^v"[k % 5],
                markersize=5,
                label=name,
            )
        axis.set_yscale("log")
        axis.set_ylim(LEAST, 1.5)
        axis.xaxis.set_major_locator(MaxNLocator(integer=True))
        axis.set_xlabel("truncate: steps that errors go back from the last word")
        axis.set_ylabel("relative error of the gradient")
        axis.grid(axis="y", color="#EEEEEE")
        axis.legend(
            *(reversed(part) for part in axis.get_legend_handles_labels()),
            loc="upper left",
            bbox_to_anchor=(1, 1),
        )
    above = {name: [e for e in values if e >= LEAST] for name, values in errors.items()}
    return says(
        figure,
        "The relative error of a gradient that goes back 0, 1, … steps (log scale):",
        listed(f"{quoted(name)} {course(shown)}" for name, shown in above.items()) + ".",
    )


def dropped_terms(words, shares):
    """How large the terms are that the appendix takes as zero, next to the whole derivative
    they belong to: a strip of words for each.

    Parameters
    ----------
    words : list of str
    shares : dict of arrays, (n_words,)
        By the term's name.
    """
    sizes = np.array(list(shares.values()))
    figure, axis = subplots(figsize=(2.2 + 0.62 * len(words), 1.5 + 0.42 * len(shares)))
    with style():
        # as in `similarities`: numbers on grey; 1.3, so that a 1 isn't black
        axis.imshow(sizes, cmap=GATES, vmin=0, vmax=1.3, aspect="auto")
        for (row, column), value in np.ndenumerate(sizes):
            axis.annotate(
                f"{value:.2f}" if value else "0",
                (column, row),
                ha="center",
                va="center",
                fontsize=9,
                color="white" if value > 0.8 else "black",
            )
        for edge in range(1, len(shares)):
            axis.axhline(edge - 0.5, color="white", linewidth=6)
        name_words(axis, words)
        axis.set_yticks(range(len(shares)), list(shares))
        axis.set_title("length of the term, relative to the whole derivative")
        axis.tick_params(length=0)
        axis.spines[:].set_visible(False)
    largest = [
        f"{quoted(name)} at most {number(np.max(values))}, at {quoted(words[np.argmax(values)])}"
        for name, values in shares.items()
    ]
    return says(
        figure,
        f"The size of {count(len(shares), 'term')} at {count(len(words), 'word')}, relative to "
        f"the derivative each belongs to: {listed(largest, between='; ')}.",
    )


def errors_by_length(n_words, found):
    """Relative error and cosine of a gradient against the exact one, over the length of the text.

    Parameters
    ----------
    n_words : list of int
    found : dict of dicts of arrays, (n_seeds, n_lengths, 2)
        By model, and by the scale of its weights: error and cosine. The line is the median over the
        seeds, the band its middle half.
    """
    figure, axes = subplots(
        2, len(found), figsize=(9, 5.6), sharex=True, sharey="row", squeeze=False
    )
    with style():
        for column, (model, by_scale) in zip(axes.T, found.items()):
            colours = shades(len(by_scale))
            for k, (scale, values) in enumerate(by_scale.items()):
                low, middle, high = np.quantile(values, (0.25, 0.5, 0.75), axis=0)
                for axis, what in zip(column, (0, 1)):
                    axis.fill_between(
                        n_words,
                        low[:, what],
                        high[:, what],
                        color=colours[k],
                        alpha=0.2,
                        linewidth=0,
                    )
                    axis.plot(
                        n_words,
                        middle[:, what],
                        color=colours[k],
                        linestyle=("-", "--", "-.", ":")[k % 4],
                        marker="osD^v"[k % 5],
                        markersize=5,
                        label=f"weights of scale {scale:g}",
                    )
            column[0].set_title(model)
            column[1].set_xlabel("words of the text")
        axes[0, 0].set_yscale("symlog", linthresh=0.1)
        axes[0, 0].set_yticks([0, 0.1, 1, 10, 100], ["0", "0.1", "1", "10", "100"])
        axes[0, 0].set_ylabel("relative error\n(log scale above 0.1)")
        axes[1, 0].set_ylabel("cosine with the\nexact gradient")
        axes[0, 0].set_ylim(-0.02, None)
        figure.legend(
            *axes[0, 0].get_legend_handles_labels(), loc="outside upper left", ncols=len(by_scale)
        )
        for axis in axes.flat:
            axis.grid(axis="y", color="#EEEEEE")
            axis.xaxis.set_major_locator(MaxNLocator(integer=True))
    scales = sorted({scale for by_scale in found.values() for scale in by_scale})
    said = []
    for model, by_scale in found.items():
        error, cosine = np.median(list(by_scale.values()), axis=1)[:, -1].T
        said.append(f"{model}, error {span(error)}, cosine {span(cosine)}")
    return says(
        figure,
        "The relative error of a gradient and its cosine with the exact one, by the text's length.",
        f"Medians at {count(n_words[-1], 'word')} for weights of scale "
        f"{listed(map(number, scales), 5)}: {listed(said, between='; ')}.",
    )


def two_gradients(live, runs):
    """Training with the exact gradient and with the printed one: the cost of live runs,
    and the ranking of long ones.

    Parameters
    ----------
    live : dict of dicts of arrays, (n_seeds, n_epochs)
        By what was trained, and by gradient: the cost per pair.
    runs : dict of arrays, (n_seeds, n_epochs)
        By gradient: nDCG@10 on held-out queries.
    """
    figure, axes = subplots(1, len(live) + 1, figsize=(9, 3.5))
    exact = {"color": "black", "linestyle": "-", "marker": "o"}
    printed = {"color": ERROR, "linestyle": (0, (4, 2)), "marker": "s"}
    looks = dict(zip(runs, (exact, printed)))
    with style():
        for axis, (name, by_gradient) in zip(axes, [*live.items(), ("long runs", runs)]):
            for gradient, values in by_gradient.items():
                epochs = np.arange(1, np.shape(values)[1] + 1)
                for one in values:
                    axis.plot(
                        epochs, one, **(looks[gradient] | {"marker": ""}), linewidth=0.7, alpha=0.6
                    )
                axis.plot(
                    epochs,
                    np.mean(values, axis=0),
                    **looks[gradient],
                    markersize=4,
                    linewidth=1.8,
                    label=gradient,
                )
            axis.set_title(name)
            axis.set_xlabel("epoch")
            axis.set_ylabel("cost per pair, nats" if name in live else "held-out nDCG@10")
            axis.set_ylim(0, None)
            axis.xaxis.set_major_locator(MaxNLocator(integer=True))
            axis.grid(axis="y", color="#EEEEEE")
        axes[0].legend(loc="upper right")
    ends = [
        f"{name}: "
        + listed(f"{gradient} {course(np.mean(values, axis=0))}" for gradient, values in by.items())
        for name, by in [*live.items(), ("nDCG@10 of long runs", runs)]
    ]
    return says(figure, f"Means over seeds by epoch. Cost, {listed(ends, between='; ')}.")
