"""Letter trigrams of words: the fixed hashing operator W_h of section III-A.

``#good#`` has the trigrams ``#go goo ood od#``. A word is represented by the vector l of its
trigram counts. A new or misspelled word shares most of its trigrams with similar words.
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
    """Normalize a text to lower case and to one Unicode form of each letter (NFKC).

    An é may be one character or an e and an accent, and letters may be full-width: NFKC unifies
    these forms. It also splits the ´ in don´t into a space and an accent. That space is dropped, so
    that only white space in the original text separates words.
    """
    one_form = lambda word: nfkc(normalize("NFKC", word[0]).replace(" ", ""))
    return text.lower() if text.isascii() else re.sub(r"\S+", one_form, text)


def nfkc(text):
    """Apply NFKC, lower-case the text, then apply NFKC again.

    The second pass is needed because J̌ has no single-character form, but its lower case ǰ does.
    """
    return normalize("NFKC", normalize("NFKC", text).lower())


def words(text):
    """Return a text's words, normalized with `one_spelling`, including numbers (section V)."""
    return one_spelling(arguments.text("text", text)).split()


def plain(text):
    """Return a text's words joined by single spaces."""
    return " ".join(words(text))


def letter_trigrams(word: str) -> list[str]:
    """Split a word into its letter trigrams, in order and with repetitions.

    >>> letter_trigrams("good")
    ['#go', 'goo', 'ood', 'od#']
    """
    return _cut(one_spelling(arguments.text("word", word)))


def _cut(word):
    marked = f"#{word}#"
    return [marked[k : k + 3] for k in range(len(marked) - 2)]


class LetterTrigrams:
    """The letter trigrams that a model knows, in the order of their columns.

    Parameters
    ----------
    trigrams : sequence of str
        The known trigrams, distinct and of three characters each.
    max_words : int, optional
        Read only the first ``max_words`` words of each text; all words if None.

    Attributes
    ----------
    trigrams : list of str
    size : int
    """

    def __init__(self, trigrams: Sequence[str], max_words: int | None = None):
        self.max_words = arguments.integer("max_words", max_words, 1, allow=[None])
        self.trigrams = arguments.texts("trigrams", trigrams)
        self.size = len(self.trigrams)
        self._column = {trigram: column for column, trigram in enumerate(self.trigrams)}
        if len(self._column) != self.size or any(len(trigram) != 3 for trigram in self.trigrams):
            arguments.refuse("trigrams", trigrams, "distinct, each of three characters")
        self._lookup = many_words.lookup_of(self.trigrams)

    @classmethod
    def fit(
        cls, texts: Iterable[str], min_count: int = 1, max_words: int | None = None
    ) -> "LetterTrigrams":
        """Create an instance with all trigrams that occur at least ``min_count`` times.

        Parameters
        ----------
        texts : iterable of str
            The texts, which may be an iterator and are not stored.
        min_count : int
        max_words : int, optional
            Read only the first ``max_words`` words of each text, here and in the model.

        Raises
        ------
        InputError
            ``min_count`` is below 1, or no trigram occurs that often.
        """
        min_count = arguments.integer("min_count", min_count, 1)
        max_words = arguments.integer("max_words", max_words, 1, allow=[None])
        vocabulary = Counter(
            word for text in arguments.each_text("texts", texts) for word in words(text)[:max_words]
        )
        counts = Counter()
        for word, times in vocabulary.items():
            for trigram in _cut(word):
                counts[trigram] += times
        known = sorted(trigram for trigram, times in counts.items() if times >= min_count)
        if not known:
            raise InputError(f"texts: no letter trigram occurs {min_count} time(s) or more")
        return cls(known, max_words)

    def words(self, text: str) -> list[str]:
        """Split a text into the words that a model reads, at white space and in lower case."""
        return words(text)[: self.max_words]

    def plain(self, text: str) -> str:
        """Return the words that a model reads, joined by single spaces."""
        return " ".join(self.words(text))

    def operator(
        self, words: Iterable[str], dtype: DTypeLike = "float64"
    ) -> scipy.sparse.csr_array:
        """Compute W_h for words: row k is l, the trigram counts of ``words[k]``.

        Unknown trigrams are ignored; `dropped` counts them.

        Returns
        -------
        scipy.sparse.csr_array, (n_words, size)
            The transpose of the paper's W_h, whose columns are words.
        """
        words, dtype = arguments.each_text("words", words), arguments.float_type("dtype", dtype)
        return many_words.operator(map(one_spelling, words), self._lookup, dtype)

    def dropped(self, words: Iterable[str]) -> NDArray:
        """Count the unknown trigrams of each word; return an (n_words,) array."""
        words = map(one_spelling, arguments.each_text("words", words))
        return np.array([sum(t not in self._column for t in _cut(word)) for word in words], int)

    def collisions(self, words: Iterable[str]) -> list[list[str]]:
        """Group different words with equal vectors l, which no model can distinguish.

        The DSSM paper reports 22 collisions among 500,000 words. All words without a known trigram
        collide, because their vector is zero.

        Returns
        -------
        list of list of str
        """
        vocabulary = list(dict.fromkeys(arguments.each_text("words", words)))
        groups = defaultdict(list)
        for word in vocabulary:
            known = [t for t in _cut(one_spelling(word)) if t in self._column]
            groups[tuple(sorted(known))].append(word)
        return [group for group in groups.values() if len(group) > 1]
