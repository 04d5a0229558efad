"""Plots of word alignments between a query and a title (lesson 12)."""

import numpy as np

from .alt_text import count, largest, number
from .drawing import numbers, rectangle
from .style import COLOURS, GATES, as_text, interval, name_rows, subplots


def aligned_words(R, query, title):
    """Draw the cosines between a query's and a title's words, and frame the nearest words.

    Parameters
    ----------
    R : (n_query_words, n_title_words)
        The cosines. Negative ones have the background colour of 0.
    query, title : sequence of str
        The words of the query and of the title.
    """
    R = np.asarray(R)
    figure, axis = subplots(figsize=(2.4 + 0.62 * len(title), 1.3 + 0.36 * len(query)))
    text, scale = lambda value: f"{value:.2f}".replace("-", "−"), {"vmin": 0, "vmax": 1.3}
    numbers(axis, R, text, R > 0.75, list(map(as_text, query)), title, cmap=GATES, **scale)
    for row, column in enumerate(R.argmax(axis=1)):
        rectangle(axis, column - 0.47, row - 0.47, 0.94, 0.94, edgecolor=COLOURS["query"])
    axis.set(xlabel="word of the title (framed: the nearest)", ylabel="word of the query")
    return figure.says(
        f"The cosines of {count(len(query), 'word')} of a query with {count(len(title), 'word')} "
        f"of a title, {number(R.min())} to {number(R.max())}.",
        f"Each row's largest: {largest(query, title, R)}; their mean, R, is "
        f"{number(R.max(axis=1).mean())}.",
    )


def found_partners(rates):
    """Plot how often a word's nearest word is its synonym, by kind of word and by method.

    Parameters
    ----------
    rates : dict
        Keyed by kind of word, then by method: (mean, low, high). Each kind has the same methods;
        low and high are None without an interval.
    """
    ways = list(next(iter(rates.values())))
    size = 9, 0.9 + 0.34 * len(ways)
    figure, _ = subplots(1, len(rates), figsize=size, sharey=True, grid="x")
    for axis, (kind, by_way) in zip(figure.axes, rates.items()):
        for place, (way, values) in enumerate(by_way.items()):
            interval(axis, place, *values, markerfacecolor="white", label=way)
        axis.set(title=kind, xlim=(0, 1.03), xlabel="nearest word is a partner")
        name_rows(axis, list(map(as_text, ways)))
        axis.xaxis.set_major_formatter(lambda x, _: f"{x:.0%}")
    return figure.reads(along="x")
