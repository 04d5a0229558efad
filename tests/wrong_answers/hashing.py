"""Typical wrong answers to the exercises of notebook 01."""

from collections import Counter

import numpy as np

from lstm_edu import LetterTrigrams, letter_trigrams
from lstm_edu.checks.hashing import _anagrams


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
    return sorted(set(letter_trigrams(word)))


def capitals_kept(word):
    """Not lower-cased."""
    marked = f"#{word}#"
    return [marked[k : k + 3] for k in range(len(marked) - 2)]


def as_a_tuple(word):
    """A tuple."""
    return tuple(letter_trigrams(word))


def set_to_one(words, trigrams):
    """1 for a trigram that occurs twice."""
    return np.minimum(LetterTrigrams(trigrams).operator(words).toarray().T, 1)


def a_row_a_word(words, trigrams):
    """Transposed."""
    return LetterTrigrams(trigrams).operator(words).toarray()


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
    Wh = LetterTrigrams(trigrams).operator(words).toarray().T
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


WRONG = {
    "check_letter_trigrams": [
        without_marks,
        one_too_many,
        one_too_few,
        without_repeats,
        capitals_kept,
        as_a_tuple,
    ],
    "check_hashing_operator": [
        set_to_one,
        a_row_a_word,
        unknown_not_left_out,
        unknown_put_last,
        shares,
    ],
    "check_nearest_word": [not_divided, least, repeats_lost, by_sum, the_place],
    "check_collisions": [with_itself, sets_compared, only_one, anagrams, not_sorted],
}
