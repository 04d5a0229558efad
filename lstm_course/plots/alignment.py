"""Which words of a query are aligned with which of a title (lesson 12)."""

import numpy as np
from matplotlib.patches import Rectangle

from .alt_text import count, listed, number, quoted, says
from .style import GATES, as_text, name_words, style, subplots

LARGEST = {"fill": False, "edgecolor": "#0072B2", "linewidth": 2}


def aligned_words(R, query, title):
    """The alignment of a query with a title, as a matrix of words: a row for each word of the
    query, its nearest word framed.

    Parameters
    ----------
    R : (n_query_words, n_title_words)
        The words' cosines; what is below 0 is shown as it is, on the ground of 0.
    query, title : sequence of str
        Their words.
    """
    R = np.asarray(R)
    with style():
        size = (2.4 + 0.62 * len(title), 1.3 + 0.36 * len(query))
        figure, axis = subplots(figsize=size)
        axis.imshow(R, cmap=GATES, vmin=0, vmax=1.3, aspect="auto")
        for (row, column), value in np.ndenumerate(R):
            dark = "white" if value > 0.75 else "black"
            told = {"ha": "center", "va": "center", "fontsize": 9, "color": dark}
            axis.annotate(f"{value:.2f}".replace("-", "−"), (column, row), **told)
        for row, column in enumerate(R.argmax(axis=1)):
            corner = column - 0.47, row - 0.47
            axis.add_patch(Rectangle(corner, 0.94, 0.94, **LARGEST))
        name_words(axis, title)
        axis.set_yticks(range(len(query)), [as_text(word) for word in query])
        axis.set_ylabel("word of the query")
        axis.set_xlabel("word of the title (framed: the nearest)")
        axis.spines[:].set_visible(False)
        axis.tick_params(length=0)
    pairs = [
        f"{quoted(word)} with {quoted(title[near.argmax()])} ({number(near.max())})"
        for word, near in zip(query, R)
    ]
    return says(
        figure,
        f"The cosines of {count(len(query), 'word')} of a query with {count(len(title), 'word')} "
        f"of a title, {number(R.min())} to {number(R.max())}. Nearest: {listed(pairs)}.",
        f"The mean of the rows' largest, R, is {number(R.max(axis=1).mean())}.",
    )


def found_partners(rates):
    """How often the nearest word is a partner, by kind of word and by what is held near.

    Parameters
    ----------
    rates : dict
        ``{kind: {way: (mean, low, high)}}``, the same ways for each kind; low and high may be None.
    """
    ways = list(next(iter(rates.values())))
    with style():
        figure, axes = subplots(1, len(rates), figsize=(9, 0.9 + 0.34 * len(ways)), sharey=True)
        for axis, (kind, by_way) in zip(np.atleast_1d(axes), rates.items()):
            for place, (mean, low, high) in enumerate(by_way.values()):
                if low is not None:
                    axis.plot([low, high], [place, place], color="black", linewidth=1.5)
                axis.plot(mean, place, "o", color="black", markerfacecolor="white")
            axis.set_title(kind)
            axis.set_xlim(0, 1.03)
            axis.set_yticks(range(len(ways)), [as_text(way) for way in ways])
            axis.set_ylim(len(ways) - 0.5, -0.5)
            axis.xaxis.set_major_formatter(lambda x, _: f"{x:.0%}")
            axis.grid(axis="x", color="#EEEEEE")
            axis.set_xlabel("nearest word is a partner")
    said = [
        f"{kind}: " + listed([f"{way} {value[0]:.0%}" for way, value in by_way.items()], 6)
        for kind, by_way in rates.items()
    ]
    return says(figure, f"How often the nearest word is a partner. {listed(said, between='; ')}.")
