"""Words to letter trigrams: the fixed hashing operator W_h of section III-A.

``#good#`` holds the trigrams ``#go goo ood od#``. A word becomes the vector l of their counts,
so that a word never seen in training still shares most of its entries with its relatives, and a
misspelled one with what was meant.
"""

from collections import Counter, defaultdict
from itertools import islice

import numpy as np
import scipy.sparse

from ..files import InputError

BLOCK = 16_384  # words hashed at a time: what is in work stays in the cache


def words(text):
    """The tokens of a text: split at white space, lower-cased, numbers kept (section V)."""
    return text.lower().split()


def plain(text):
    """The text as a model sees it: its words, single spaces between them."""
    return " ".join(words(text))


def check_texts(name, texts):
    """The texts as a list; raises InputError if they are one string, or not all strings."""
    return list(each_text(name, texts))


def each_text(name, texts):
    """The texts one by one, none of them kept; raises as `check_texts`."""
    if isinstance(texts, (str, bytes)):
        raise InputError(f"{name}: one text; must be a list of texts")
    for text in texts:
        if not isinstance(text, str):
            raise InputError(f"{name}: {text!r:.60}; each must be a text")
        yield text


def letter_trigrams(word):
    """The letter trigrams of one word, in order, with repeats.

    >>> letter_trigrams("good")
    ['#go', 'goo', 'ood', 'od#']
    """
    marked = f"#{word.lower()}#"
    return [marked[k : k + 3] for k in range(len(marked) - 2)]


class LetterTrigrams:
    """The letter trigrams a model knows, in column order.

    Parameters
    ----------
    trigrams : sequence of str
        Distinct, three characters each.

    Attributes
    ----------
    trigrams : list of str
    size : int
    """

    def __init__(self, trigrams):
        self.trigrams = list(trigrams)
        self.size = len(self.trigrams)
        self._column = {trigram: column for column, trigram in enumerate(self.trigrams)}
        if len(self._column) != self.size or any(len(trigram) != 3 for trigram in self.trigrams):
            raise InputError("trigrams: must be distinct and three characters long")
        keys = _windows("".join(self.trigrams))[::3]
        self._order = np.argsort(keys)  # columns by key, in which a binary search finds them
        self._keys = np.append(
            keys[self._order], np.iinfo(np.int64).max
        )  # one more, for those above all

    @classmethod
    def fit(cls, texts, min_count=1):
        """Take all trigrams that occur at least ``min_count`` times in the texts, sorted. The texts may come one by one; none is kept.

        Raises
        ------
        InputError
            ``min_count`` is below 1, or no trigram occurs that often.
        """
        if min_count < 1:
            raise InputError(f"min_count: {min_count}; must be at least 1")
        counts = Counter()
        for word, times in Counter(
            word for text in each_text("texts", texts) for word in words(text)
        ).items():
            for trigram in letter_trigrams(word):
                counts[trigram] += times
        known = sorted(trigram for trigram, times in counts.items() if times >= min_count)
        if not known:
            raise InputError(f"texts: no letter trigram occurs {min_count} time(s) or more")
        return cls(known)

    def operator(self, words, dtype="float64"):
        """W_h for any words, one row a word: row k is l of ``words[k]``, its trigram counts.

        Trigrams not known are dropped; `dropped` counts them.

        Returns
        -------
        scipy.sparse.csr_array, (n_words, size)
            The transpose of the paper's W_h, whose columns are words.
        """
        blocks = [self._columns_of(block) for block in _blocks(words)]
        columns, counts = (
            np.concatenate(parts)
            for parts in zip((np.empty(0, np.int32), np.empty(0, np.int32)), *blocks)
        )
        starts = np.append(np.int32(0), np.cumsum(counts, dtype=np.int32))
        Wh = scipy.sparse.csr_array(
            (np.ones(len(columns), dtype), columns, starts), shape=(len(counts), self.size)
        )
        Wh.sum_duplicates()  # a trigram that a word holds twice counts 2
        return Wh

    def _columns_of(self, words):
        """`letter_trigrams` of many words at once: the columns of those known, one word after the other, and how many each word has."""
        words = [word.lower() for word in words]
        lengths = np.fromiter(
            map(len, words), np.int64, len(words)
        )  # of a word; that many trigrams it has
        keys = _windows("#" + "##".join(words) + "#")
        within = np.ones(len(keys) + 2, bool)
        ends = np.cumsum(lengths + 2)
        within[ends - 1] = within[ends - 2] = False  # these begin in one word and end in the next
        distinct, which = np.unique(keys[within[:-2]], return_inverse=True)
        found = np.searchsorted(self._keys, distinct)
        known, found = (self._keys[found] == distinct)[which], found[which]
        upto = np.append(0, np.cumsum(known))[np.append(0, np.cumsum(lengths))]
        return self._order[found[known]].astype(np.int32), np.diff(upto).astype(np.int32)

    def dropped(self, words):
        """How many trigrams of each word are not known, (n_words,)."""
        return np.array(
            [sum(t not in self._column for t in letter_trigrams(word)) for word in words], int
        )

    def collisions(self, words):
        """Groups of different words that share one vector l, so that no model can tell them apart.

        DSSM reports 22 collisions among 500,000 words. Words without any known trigram collide
        too: all of them are the zero vector.

        Returns
        -------
        list of list of str
        """
        vocabulary = list(dict.fromkeys(words))
        Wh = self.operator(vocabulary)
        groups = defaultdict(list)
        for k, word in enumerate(vocabulary):
            row = slice(Wh.indptr[k], Wh.indptr[k + 1])
            groups[Wh.indices[row].tobytes(), Wh.data[row].tobytes()].append(word)
        return [group for group in groups.values() if len(group) > 1]


def _windows(text):
    """A number for every three characters in a row, (len(text) - 2,): their code points, of 21 bits each."""
    code = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32).astype(np.int64)
    return code[:-2] << 42 | code[1:-1] << 21 | code[2:]


def _blocks(words):
    words = iter(words)
    return iter(lambda: list(islice(words, BLOCK)), [])
