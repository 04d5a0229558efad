"""Typical wrong answers to the exercises of notebook 01."""

from collections import Counter

import numpy as np

from lstm_edu import letter_trigrams
from lstm_edu.checks.hashing import _anagrams, _pieces


def without_marks(word):
    """No marks at the ends."""
    return [word[k : k + 3] for k in range(len(word) - 2)]


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


def as_a_text(word):
    """One text. Told: return a list of"""
    return " ".join(_pieces(f"#{word.lower()}#"))


def the_packages_own(word):
    """Not written by the student. Told: lines of your own"""
    return letter_trigrams(word)


def _counted(words, trigrams):
    return np.array([[letter_trigrams(w).count(t) for w in words] for t in trigrams], float)


def set_to_one(words, trigrams):
    """1 for a trigram that occurs twice."""
    return np.minimum(_counted(words, trigrams), 1)


def a_row_a_word(words, trigrams):
    """Transposed."""
    return _counted(words, trigrams).T


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


def _nearest(score):
    def nearest(word, known):
        of = Counter(letter_trigrams(word))
        return max(known, key=lambda other: score(of, Counter(letter_trigrams(other))))

    return nearest


def _product(a, b):
    return sum(a[t] * b[t] for t in a)


not_divided = _nearest(_product)
not_divided.__doc__ = "The product, not the cosine."
least = _nearest(lambda a, b: -_product(a, b) / _product(b, b) ** 0.5)
least.__doc__ = "The smallest in the place of the largest."
repeats_lost = _nearest(lambda a, b: len(a.keys() & b.keys()) / len(b) ** 0.5)
repeats_lost.__doc__ = "Sets in the place of counts."
by_sum = _nearest(lambda a, b: _product(a, b) / b.total())
by_sum.__doc__ = "Divided by the number of trigrams."


def the_place(word, known):
    """The index of the nearest word in the place of the word."""
    return known.index(_nearest(lambda a, b: _product(a, b) / _product(b, b) ** 0.5)(word, known))


def _all(word, same=lambda trigrams: sorted(trigrams)):
    return sorted(
        other
        for other in _anagrams(word)
        if same(letter_trigrams(other)) == same(letter_trigrams(word))
    )


def with_itself(word):
    """The word is among them."""
    return _all(word)


def sets_compared(word):
    """The trigrams as a set."""
    return [other for other in _all(word, set) if other != word]


def only_one(word):
    """Stops at the first."""
    return [other for other in _all(word) if other != word][:1]


def anagrams(word):
    """Same letters, not same trigrams."""
    return [other for other in _all(word, lambda trigrams: 0) if other != word]


def not_sorted(word):
    """The right words, the last first."""
    return [other for other in _all(word) if other != word][::-1]


def backwards(word):
    """From the last to the first. Told: the loop runs backwards"""
    return _pieces(f"#{word.lower()}#")[::-1]


def rows_sorted(words, trigrams):
    """Rows by the alphabet. Told: as it is given, not sorted"""
    return _counted(words, sorted(trigrams))


def rows_as_met(words, trigrams):
    """Rows in the order of the words. Told: in which the words bring the trigrams"""
    met = dict.fromkeys(t for word in words for t in letter_trigrams(word) if t in trigrams)
    return _counted(words, list(met | dict.fromkeys(trigrams)))


def words_added(words, trigrams):
    """One count for all words. Told: a column for each word"""
    return _counted(words, trigrams).sum(axis=1)


dice = _nearest(lambda a, b: 2 * (a & b).total() / (a.total() + b.total()))
dice.__doc__ = "Dice's measure. Told: share of common trigrams"
by_root = _nearest(lambda a, b: _product(a, b) / b.total() ** 0.5)
by_root.__doc__ = (
    "Divided by the root of the number of letters. Told: root of the number of trigrams"
)
lengths_added = _nearest(
    lambda a, b: _product(a, b) / (_product(a, a) ** 0.5 + _product(b, b) ** 0.5)
)
lengths_added.__doc__ = "The lengths are added. Told: multiplied, not added"
most_in_common = _nearest(lambda a, b: (a & b).total())
most_in_common.__doc__ = "How many are common. Told: the most trigrams in common"
distance = _nearest(lambda a, b: -sum((a[t] - b[t]) ** 2 for t in a | b))
distance.__doc__ = "The Euclidean distance. Told: smallest distance"


def never_itself(word, known):
    """The word itself is left out. Told: leave none out"""
    others = [other for other in known if other != word]
    return _nearest(lambda a, b: _product(a, b) / _product(b, b) ** 0.5)(word, others)


WRONG = {
    "check_letter_trigrams": [
        backwards,
        without_marks,
        one_too_many,
        one_too_few,
        without_repeats,
        capitals_kept,
        as_a_text,
        the_packages_own,
    ],
    "check_hashing_operator": [
        rows_sorted,
        rows_as_met,
        words_added,
        set_to_one,
        a_row_a_word,
        unknown_not_left_out,
        unknown_put_last,
        shares,
    ],
    "check_nearest_word": [
        dice,
        by_root,
        lengths_added,
        most_in_common,
        distance,
        never_itself,
        not_divided,
        least,
        repeats_lost,
        by_sum,
        the_place,
    ],
    "check_collisions": [with_itself, sets_compared, only_one, anagrams, not_sorted],
}
