"""Plots of word hashing: the operator W_h, vocabulary growth, typos (lesson 01)."""

import numpy as np

from lstm_edu.text.hashing import LetterTrigrams, letter_trigrams

from .alt_text import count, listed, number, quoted
from .drawing import numbers, share, write
from .style import COLOURS, GATES, as_text, bare, note, subplots

MARKERS = "^", "o", "s", "v", "D", "P"


def hashing_operator(words):
    """Draw the hashing operator W_h for a few words: their letter-trigram counts.

    There is one row per word, as in the package. Trigrams are in the order of first occurrence.

    Parameters
    ----------
    words : list of str
        At most about 15 words, with at most about 50 different trigrams.
    """
    trigrams = list(dict.fromkeys(trigram for word in words for trigram in letter_trigrams(word)))
    counts = LetterTrigrams(trigrams).operator(words).toarray()
    figure, axis = subplots(figsize=(1.2 + 0.165 * len(trigrams), 0.7 + 0.23 * len(words)))
    axis.imshow(counts, cmap=GATES, vmin=0, vmax=1.6 * counts.max(), aspect="auto")
    for row, column in np.argwhere(counts):
        write(axis, column, row, f"{counts[row, column]:.0f}", fontsize=9)
    names = map(as_text, trigrams)
    axis.set_xticks(range(len(trigrams)), names, rotation=90, family="monospace")
    axis.set_yticks(range(len(words)), map(as_text, words))
    axis.set_xticks(np.arange(len(trigrams)) - 0.5, minor=True)
    axis.set_yticks(np.arange(len(words)) - 0.5, minor=True)
    axis.grid(which="minor", color="#E8E8E8", linewidth=0.5)
    bare(axis)
    sizes = [f"{quoted(word)} {number(row.sum())}" for word, row in zip(words, counts)]
    n_holders = (counts > 0).sum(axis=0)
    return figure.says(
        f"Counts of {count(len(trigrams), 'letter trigram')} in {count(len(words), 'word')}, a row "
        f"a word: {listed(sizes)}. Most shared is {quoted(trigrams[n_holders.argmax()])}, by "
        f"{n_holders.max()}.",
    )


def growth(n_read, n_words, n_trigrams, elsewhere):
    """Plot the numbers of distinct words and trigrams, by words read and against each other.

    Parameters
    ----------
    n_read : (k,)
        Numbers of words read from the log.
    n_words, n_trigrams : (k,)
        Numbers of distinct words and trigrams among them.
    elsewhere : dict
        Keyed by name of another log: list of (n_words, n_trigrams).
    """
    figure, (left, right) = subplots(1, 2, figsize=(9, 3.6), grid="both")
    for y, name, line in ((n_words, "words", "-"), (n_trigrams, "trigrams", "--")):
        left.plot(n_read, y, color=COLOURS[name], linestyle=line, label=name)
        note(left, n_read[-1], y[-1], name, 4)
    left.set_xlabel("words of the log read, repeats included")
    left.set_ylabel("different ones among them")
    left.xaxis.set_major_formatter("{x:,.0f}")
    left.yaxis.set_major_formatter("{x:,.0f}")
    left.set(xlim=(0, 1.22 * n_read[-1]), ylim=(0, None), xticks=[0, 100_000, 200_000])

    colour = COLOURS["trigrams"]
    right.plot(n_words, n_trigrams, color=colour, linestyle="--", label="our log")
    note(right, n_words[-1], n_trigrams[-1], "our log", 4, -4, va="top")
    for name, points in elsewhere.items():
        right.plot(*zip(*points), "o", color=colour, markerfacecolor="white", label=name)
        for x, y in points:
            note(right, x, y, f"{name}: {y:,}", 0, -7, ha="center", va="top")
    largest = max(x for points in elsewhere.values() for x, _ in points)
    right.plot([n_words[0], largest], [n_words[0], largest], color=COLOURS["words"], linewidth=1)
    note(right, largest, largest, "one column a word", -8, ha="right")
    right.set(xscale="log", yscale="log")
    right.set_xlim(right=4 * largest)
    right.set(xlabel="different words (log scale)", ylabel="different trigrams (log scale)")
    every = [f"{name} {y:,} for {x:,}" for name, points in elsewhere.items() for x, y in points]
    said = f"Trigrams for different words elsewhere: {listed(every)}."
    return figure.reads(f"{n_read[-1]:,} words of the log were read.", said)


def kept(shares, laws):
    """Plot the share of a word's trigrams that survive one typo, by word length.

    Parameters
    ----------
    shares : dict
        Keyed by kind of typo, then by number of letters: the mean share kept.
    laws : dict
        Keyed by label: a number of lost trigrams. The curve is the share kept, 1 - lost /
        n_letters.
    """
    lengths = sorted({n for by_length in shares.values() for n in by_length})
    figure, axis = subplots(figsize=(7.5, 3.8), grid="y")
    n = np.linspace(lengths[0], lengths[-1] + 0.3, 200)
    for label, lost in laws.items():
        axis.plot(n, 1 - lost / n, color="#999999", linewidth=1, zorder=1)
        note(axis, n[-1], 1 - lost / n[-1], label, 4)
    for k, (kind, by_length) in enumerate(shares.items()):
        aside = 0.12 * (k - (len(shares) - 1) / 2)  # shift the points, because two kinds coincide
        x, face = np.array(list(by_length)) + aside, ("white", "black")[k % 2]
        look = {"color": "black", "markerfacecolor": face, "markersize": 6}
        axis.plot(x, list(by_length.values()), MARKERS[k], label=kind, **look)
    axis.set(xticks=lengths, xlim=(lengths[0] - 0.5, lengths[-1] + 2.2), ylim=(0, 1.02))
    axis.yaxis.set_major_formatter(lambda y, _: f"{y:.0%}")
    axis.set(xlabel="letters of the word that was meant", ylabel="share of its trigrams kept")
    legend = {"title": "one keystroke wrong: a letter …", "title_fontsize": 9, "ncols": 2}
    axis.legend(loc="lower right", bbox_to_anchor=(0.84, 0), **legend)
    ends = f"{lengths[0]} to {lengths[-1]} letters"
    return figure.reads(f"Of words of {ends}, one letter is wrong, as named.")


def similarities(words, cosines, groups):
    """Draw the matrix of cosines between words, as numbers on a grey scale.

    Parameters
    ----------
    words : list of str
    cosines : (n_words, n_words), from 0 to 1
    groups : list of int
        The sizes of consecutive groups of words, which lines separate.
    """
    figure, axis = subplots(figsize=(1.6 + 0.5 * len(words), 1.1 + 0.36 * len(words)))
    look, on_dark = {"cmap": GATES, "vmin": 0, "vmax": 1}, np.array(cosines) > 0.55
    numbers(axis, cosines, share, on_dark, list(map(as_text, words)), words, **look)
    for edge in np.cumsum(groups)[:-1] - 0.5:
        axis.axhline(edge, color="black", linewidth=1)
        axis.axvline(edge, color="black", linewidth=1)
    apart = [(cosines[j][k], words[j], words[k]) for j in range(len(words)) for k in range(j)]
    nearest, word, other = max(apart)
    strangers = sum(not value for value, _, _ in apart)
    return figure.says(
        f"A table of the cosines of {count(len(words), 'word')}. The nearest are {quoted(other)} "
        f"and {quoted(word)}, {number(nearest)}; {strangers} of {count(len(apart), 'pair')} have "
        "nothing in common.",
    )
