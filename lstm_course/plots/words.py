"""How words enter: the hashing operator W_h, how it grows, and what spelling does to it
(section III-A).
"""

import numpy as np

from lstm_edu.text.hashing import LetterTrigrams, letter_trigrams

from .alt_text import count, course, listed, number, quoted, says
from .style import COLOURS, GATES, as_text, name_words, style, subplots

MARKERS = "^", "o", "s", "v", "D", "P"


def hashing_operator(words):
    """W_h of a few words: which trigrams each holds, and how often.

    Drawn as the package keeps it, one row a word. Trigrams stand in the order in which they are
    first met, so that what a word shares with those above it lies left of what it adds.

    Parameters
    ----------
    words : list of str
        Up to about 15, with up to about 50 trigrams together.
    """
    trigrams = list(dict.fromkeys(trigram for word in words for trigram in letter_trigrams(word)))
    counts = LetterTrigrams(trigrams).operator(words).toarray()
    with style():
        figure, axis = subplots(figsize=(1.2 + 0.165 * len(trigrams), 0.7 + 0.23 * len(words)))
        axis.imshow(counts, cmap=GATES, vmin=0, vmax=1.6 * counts.max(), aspect="auto")
        for row, column in np.argwhere(counts):
            axis.annotate(
                f"{counts[row, column]:.0f}", (column, row), ha="center", va="center", fontsize=9
            )
        axis.set_xticks(
            range(len(trigrams)),
            [as_text(trigram) for trigram in trigrams],
            rotation=90,
            family="monospace",
        )
        axis.set_yticks(range(len(words)), [as_text(word) for word in words])
        axis.set_xticks(np.arange(len(trigrams)) - 0.5, minor=True)
        axis.set_yticks(np.arange(len(words)) - 0.5, minor=True)
        axis.grid(which="minor", color="#E8E8E8", linewidth=0.5)
        axis.tick_params(which="both", length=0)
        axis.spines[:].set_visible(False)
    sizes = [f"{quoted(word)} {number(row.sum())}" for word, row in zip(words, counts)]
    shared = trigrams[np.argmax((counts > 0).sum(axis=0))]
    return says(
        figure,
        f"Counts of {count(len(trigrams), 'letter trigram')} in {count(len(words), 'word')}, a row "
        f"a word: {listed(sizes)}. Most shared is {quoted(shared)}, by "
        f"{(counts > 0).sum(axis=0).max()}.",
    )


def growth(n_read, n_words, n_trigrams, elsewhere):
    """Distinct words and letter trigrams: against words read (left), against each other (right).

    Parameters
    ----------
    n_read : (k,) words of the log read so far
    n_words, n_trigrams : (k,) how many different ones those hold
    elsewhere : dict
        Counts from other logs: ``{name: [(n_words, n_trigrams), …]}``.
    """
    with style():
        figure, (left, right) = subplots(1, 2, figsize=(9, 3.6))
        for y, name in ((n_words, "words"), (n_trigrams, "trigrams")):
            left.plot(n_read, y, color=COLOURS[name], linestyle="-" if name == "words" else "--")
            left.annotate(
                name,
                (n_read[-1], y[-1]),
                xytext=(4, 0),
                textcoords="offset points",
                va="center",
                fontsize=9,
            )
        left.set_xlabel("words of the log read, repeats included")
        left.set_ylabel("different ones among them")
        left.xaxis.set_major_formatter("{x:,.0f}")
        left.yaxis.set_major_formatter("{x:,.0f}")
        left.set_xlim(0, 1.22 * n_read[-1])
        left.set_ylim(0)
        left.set_xticks([0, 100_000, 200_000])

        right.plot(n_words, n_trigrams, color=COLOURS["trigrams"], linestyle="--")
        right.annotate(
            "our log",
            (n_words[-1], n_trigrams[-1]),
            xytext=(4, -4),
            textcoords="offset points",
            va="top",
            fontsize=9,
        )
        for name, points in elsewhere.items():
            right.plot(*zip(*points), "o", color=COLOURS["trigrams"], markerfacecolor="white")
            for x, y in points:
                right.annotate(
                    f"{name}: {y:,}",
                    (x, y),
                    xytext=(0, -7),
                    textcoords="offset points",
                    ha="center",
                    va="top",
                    fontsize=9,
                )
        largest = max(x for points in elsewhere.values() for x, _ in points)
        right.plot(
            [n_words[0], largest], [n_words[0], largest], color=COLOURS["words"], linewidth=1
        )
        right.annotate(
            "one column a word",
            (largest, largest),
            xytext=(-8, 0),
            textcoords="offset points",
            ha="right",
            va="center",
            fontsize=9,
        )
        right.set_xscale("log")
        right.set_yscale("log")
        right.set_xlim(right=4 * largest)
        right.set_xlabel("different words (log scale)")
        right.set_ylabel("different trigrams (log scale)")
        for axis in (left, right):
            axis.grid(color="#EEEEEE")
    others = [f"{name} {y:,} for {x:,}" for name, points in elsewhere.items() for x, y in points]
    return says(
        figure,
        f"After {int(n_read[-1]):,} words of the log, {int(n_words[-1]):,} are different and hold "
        f"{int(n_trigrams[-1]):,} different trigrams (left). Trigrams for different words, on log "
        f"scales (right), elsewhere: {listed(others)}.",
    )


def kept(shares, laws):
    """Which share of a word's trigrams is left after one wrong keystroke, by the word's length.

    Parameters
    ----------
    shares : dict
        By kind of keystroke: ``{n_letters: mean share kept}``.
    laws : dict
        By label: how many trigrams are lost at least as a rule; drawn as the curve
        1 - lost / n_letters.
    """
    lengths = sorted({n for by_length in shares.values() for n in by_length})
    with style():
        figure, axis = subplots(figsize=(7.5, 3.8))
        n = np.linspace(lengths[0], lengths[-1] + 0.3, 200)
        for label, lost in laws.items():
            axis.plot(n, 1 - lost / n, color="#999999", linewidth=1, zorder=1)
            axis.annotate(
                label,
                (n[-1], 1 - lost / n[-1]),
                xytext=(4, 0),
                textcoords="offset points",
                va="center",
                fontsize=9,
            )
        for k, (kind, by_length) in enumerate(shares.items()):
            aside = 0.12 * (k - (len(shares) - 1) / 2)  # side by side: two of them lose alike
            x = np.array(list(by_length)) + aside
            axis.plot(
                x,
                list(by_length.values()),
                MARKERS[k],
                color="black",
                markerfacecolor=("white", "black")[k % 2],
                markersize=6,
                label=kind,
            )
        axis.set_xticks(lengths)
        axis.set_xlim(lengths[0] - 0.5, lengths[-1] + 2.2)
        axis.set_ylim(0, 1.02)
        axis.yaxis.set_major_formatter(lambda y, _: f"{y:.0%}")
        axis.set_xlabel("letters of the word that was meant")
        axis.set_ylabel("share of its trigrams kept")
        axis.grid(axis="y", color="#EEEEEE")
        axis.legend(
            title="one keystroke wrong: a letter …",
            title_fontsize=9,
            loc="lower right",
            bbox_to_anchor=(0.84, 0),
            ncols=2,
        )
    said = [f"{quoted(kind)} {course(list(by.values()))}" for kind, by in shares.items()]
    return says(
        figure,
        "The share of a word's trigrams that one wrong keystroke leaves, for words of "
        f"{lengths[0]} to {lengths[-1]} letters: {listed(said)}.",
    )


def similarities(words, cosines, groups):
    """How near words are to each other: every cosine, as a number on a grey scale.

    Parameters
    ----------
    words : list of str
    cosines : (n_words, n_words), from 0 to 1
    groups : list of int
        How many words each group has, in order; lines are drawn between groups.
    """
    with style():
        figure, axis = subplots(figsize=(1.6 + 0.5 * len(words), 1.1 + 0.36 * len(words)))
        axis.imshow(cosines, cmap=GATES, vmin=0, vmax=1, aspect="auto")
        for row, column in np.ndindex(*np.shape(cosines)):
            value = cosines[row][column]
            axis.annotate(
                f"{value:.2f}" if value else "0",
                (column, row),
                ha="center",
                va="center",
                fontsize=9,
                color="white" if value > 0.55 else "black",
            )
        for edge in np.cumsum(groups)[:-1] - 0.5:
            axis.axhline(edge, color="black", linewidth=1)
            axis.axvline(edge, color="black", linewidth=1)
        name_words(axis, words)
        axis.set_yticks(range(len(words)), [as_text(word) for word in words])
        axis.tick_params(length=0)
        axis.spines[:].set_visible(False)
    apart = [(cosines[j][k], words[j], words[k]) for j in range(len(words)) for k in range(j)]
    nearest = max(apart, key=lambda pair: pair[0], default=None)
    strangers = sum(not value for value, _, _ in apart)
    return says(
        figure,
        f"A table of the cosines of {count(len(words), 'word')}.",
        f"The nearest are {quoted(nearest[2])} and {quoted(nearest[1])}, {number(nearest[0])}; "
        f"{strangers} of {count(len(apart), 'pair')} have nothing in common."
        if apart
        else "",
    )
