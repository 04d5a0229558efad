"""Wrong answers for the checks of `lstm_course/exercises/hashing.py`."""

import numpy as np
from wrong_answers._replaced import said

from lstm_course.exercises.hashing import _anagrams, _pieces
from lstm_edu import letter_trigrams


def one_too_many(word):
    """The range ends one too late."""
    marked = f"#{word.lower()}#"
    return [marked[k : k + 3] for k in range(len(marked) - 1)]


def one_too_few(word):
    """The range ends one too early."""
    marked = f"#{word.lower()}#"
    return [marked[k : k + 3] for k in range(len(marked) - 3)]


def without_repeats(word):
    """Every trigram once."""
    return sorted(set(_pieces(f"#{word.lower()}#")))


def capitals_kept(word):
    """Not lower-cased."""
    marked = f"#{word}#"
    return [marked[k : k + 3] for k in range(len(marked) - 2)]


def _counted(words, trigrams):
    return np.array([[letter_trigrams(w).count(t) for w in words] for t in trigrams], float)


def unknown_not_left_out(words, trigrams):
    """`index` raises an error for a trigram that is not known."""
    Wh = np.zeros((len(trigrams), len(words)))
    for column, word in enumerate(words):
        for trigram in letter_trigrams(word):
            Wh[trigrams.index(trigram), column] += 1
    return Wh


def unknown_put_last(words, trigrams):
    """`find`-like -1 for what is not known, which is the last row."""
    Wh = np.zeros((len(trigrams), len(words)))
    for column, word in enumerate(words):
        for trigram in letter_trigrams(word):
            Wh[trigrams.index(trigram) if trigram in trigrams else -1, column] += 1
    return Wh


def shares(words, trigrams):
    """Divided by the number of trigrams."""
    Wh = _counted(words, trigrams)
    return Wh / np.maximum(Wh.sum(axis=0), 1)


def rows_sorted(words, trigrams):
    """Rows by the alphabet. Told: as it is given, not sorted"""
    return _counted(words, sorted(trigrams))


def rows_as_met(words, trigrams):
    """Rows in the order of the words. Told: in which the words bring the trigrams"""
    met = dict.fromkeys(t for word in words for t in letter_trigrams(word) if t in trigrams)
    return _counted(words, list(met | dict.fromkeys(trigrams)))


def _all(word, same=lambda trigrams: sorted(trigrams)):
    return sorted(
        other
        for other in _anagrams(word)
        if same(letter_trigrams(other)) == same(letter_trigrams(word))
    )


WRONG = {
    "check_letter_trigrams": [
        *said(
            (
                "From the last to the first. Told: the loop runs backwards",
                lambda word: _pieces(f"#{word.lower()}#")[::-1],
            ),
            (
                "No marks at the ends.",
                lambda word: ([word[k : k + 3] for k in range(len(word) - 2)]),
            ),
        ),
        one_too_many,
        one_too_few,
        without_repeats,
        capitals_kept,
        *said(
            (
                "One text. Told: return a list of",
                lambda word: " ".join(_pieces(f"#{word.lower()}#")),
            ),
            (
                "Not written by the student. Told: lines of your own",
                lambda word: letter_trigrams(word),
            ),
        ),
    ],
    "check_hashing_operator": [
        rows_sorted,
        rows_as_met,
        *said(
            (
                "One count for all words. Told: a column for each word",
                lambda words, trigrams: _counted(words, trigrams).sum(axis=1),
            ),
            (
                "1 for a trigram that occurs twice.",
                lambda words, trigrams: np.minimum(_counted(words, trigrams), 1),
            ),
            ("Transposed.", lambda words, trigrams: _counted(words, trigrams).T),
        ),
        unknown_not_left_out,
        unknown_put_last,
        shares,
    ],
    "check_collisions": [
        *said(
            ("The word is among them.", lambda word: _all(word)),
            (
                "The trigrams as a set.",
                lambda word: ([other for other in _all(word, set) if other != word]),
            ),
            (
                "Stops at the first.",
                lambda word: [other for other in _all(word) if other != word][:1],
            ),
            (
                "Same letters, not same trigrams.",
                lambda word: ([other for other in _all(word, lambda trigrams: 0) if other != word]),
            ),
            (
                "The right words, the last first.",
                lambda word: [other for other in _all(word) if other != word][::-1],
            ),
        )
    ],
}
