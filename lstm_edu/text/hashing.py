"""Words to letter trigrams: the fixed hashing operator W_h of section III-A.

``#good#`` holds the trigrams ``#go goo ood od#``. A word becomes the vector l of their counts,
so that a word never seen in training still shares most of its entries with its relatives, and a
misspelled one with what was meant.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from unicodedata import normalize

import numpy as np
import scipy.sparse
from numpy.typing import DTypeLike, NDArray

from .._util import arguments
from .._util.files import InputError
from . import many_words


def one_spelling(text):
    """Put a text in lower case, each letter in one form however it was typed.

    An é may come as one character or as e and an accent, and a letter of an East Asian keyboard is
    twice as wide: Unicode's NFKC makes them one. It also makes a space and an accent of the ´ in
    don´t, and that space is dropped: what stands between white space is one word.
    """
    text = arguments.text("text", text)
    one_form = lambda word: nfkc(normalize("NFKC", word[0]).replace(" ", ""))
    return text.lower() if text.isascii() else re.sub(r"\S+", one_form, text)


def nfkc(text):
    """Put a text in NFKC and lower case, which can undo NFKC: J̌ has no form of its own, ǰ has."""
    return normalize("NFKC", normalize("NFKC", arguments.text("text", text)).lower())


# What a model makes of a text before it is split, by the name that its file has for it: files go
# on as they were, those of before 0.2, which have none, and those whose words NFKC could cut.
RULES = {"NFKC by word": one_spelling, "NFKC": nfkc, "lower": str.lower}
RULE = next(iter(RULES))  # of a new model


def words(text):
    """Split a text into tokens: `one_spelling`, split at white space, numbers kept (section V)."""
    return one_spelling(text).split()


def plain(text):
    """Return a text as a model sees it: its words, single spaces between them."""
    return " ".join(words(text))


def letter_trigrams(word: str) -> list[str]:
    """Cut one word into its letter trigrams, in order, with repeats.

    >>> letter_trigrams("good")
    ['#go', 'goo', 'ood', 'od#']
    """
    return _cut(one_spelling(arguments.text("word", word)))


def _cut(word):
    marked = f"#{word}#"
    return [marked[k : k + 3] for k in range(len(marked) - 2)]


class LetterTrigrams:
    """The letter trigrams a model knows, in column order.

    Parameters
    ----------
    trigrams : sequence of str
        Distinct, three characters each.
    rule : str
        How a text is read: one of `RULES`.

    Attributes
    ----------
    trigrams : list of str
    size : int
    rule : str
    """

    def __init__(self, trigrams: Sequence[str], rule: str = RULE):
        self.rule = arguments.choice("rule", rule, RULES)
        self.trigrams = arguments.texts("trigrams", trigrams)
        self.size = len(self.trigrams)
        self._column = {trigram: column for column, trigram in enumerate(self.trigrams)}
        if len(self._column) != self.size or any(len(trigram) != 3 for trigram in self.trigrams):
            arguments.refuse("trigrams", trigrams, "distinct, each of three characters")
        self._lookup = many_words.lookup_of(self.trigrams)

    @classmethod
    def fit(cls, texts: Iterable[str], min_count: int = 1, rule: str = RULE) -> "LetterTrigrams":
        """Take all trigrams that occur at least ``min_count`` times in the texts, sorted.

        Parameters
        ----------
        texts : iterable of str
            They may come one by one; none is kept.
        min_count : int
        rule : str
            How a text is read: one of `RULES`.

        Raises
        ------
        InputError
            ``min_count`` is below 1, or no trigram occurs that often.
        """
        min_count = arguments.integer("min_count", min_count, 1)
        hashing = cls([], rule)
        vocabulary = Counter(
            word for text in arguments.each_text("texts", texts) for word in hashing.words(text)
        )
        counts = Counter()
        for word, times in vocabulary.items():
            for trigram in _cut(word):
                counts[trigram] += times
        known = sorted(trigram for trigram, times in counts.items() if times >= min_count)
        if not known:
            raise InputError(f"texts: no letter trigram occurs {min_count} time(s) or more")
        return cls(known, rule)

    def words(self, text: str) -> list[str]:
        """Split a text into tokens, as `words`, by this hashing's rule."""
        return RULES[self.rule](arguments.text("text", text)).split()

    def plain(self, text: str) -> str:
        """Return the text as the model sees it, as `plain`."""
        return " ".join(self.words(text))

    def operator(
        self, words: Iterable[str], dtype: DTypeLike = "float64"
    ) -> scipy.sparse.csr_array:
        """Make W_h of any words: row k is l of ``words[k]``, its trigram counts.

        Trigrams not known are dropped; `dropped` counts them.

        Returns
        -------
        scipy.sparse.csr_array, (n_words, size)
            The transpose of the paper's W_h, whose columns are words.
        """
        words, dtype = arguments.each_text("words", words), arguments.float_type("dtype", dtype)
        return many_words.operator(map(RULES[self.rule], words), self._lookup, dtype)

    def dropped(self, words: Iterable[str]) -> NDArray:
        """Count the trigrams of each word that are not known, (n_words,)."""
        words = map(RULES[self.rule], arguments.each_text("words", words))
        return np.array([sum(t not in self._column for t in _cut(word)) for word in words], int)

    def collisions(self, words: Iterable[str]) -> list[list[str]]:
        """Group different words that share one vector l, so that no model can tell them apart.

        DSSM reports 22 collisions among 500,000 words. Words without any known trigram collide
        too: all of them are the zero vector.

        Returns
        -------
        list of list of str
        """
        vocabulary = list(dict.fromkeys(arguments.each_text("words", words)))
        Wh = self.operator(vocabulary)
        groups = defaultdict(list)
        for k, word in enumerate(vocabulary):
            row = slice(Wh.indptr[k], Wh.indptr[k + 1])
            groups[Wh.indices[row].tobytes(), Wh.data[row].tobytes()].append(word)
        return [group for group in groups.values() if len(group) > 1]
