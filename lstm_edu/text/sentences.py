"""Texts as numbers: the distinct words, hashed once each, and every text as their numbers."""

import warnings
from array import array
from collections import defaultdict
from typing import NamedTuple

import numpy as np
import scipy.sparse


class Sentences(NamedTuple):
    """Texts as word ids.

    Attributes
    ----------
    Wh : csr_array, (n_words, n_trigrams)
        Letter trigram counts of every distinct word, one row a word.
    ids : (n_tokens,)
        Rows of Wh, one text after the other.
    starts : (n_texts + 1,)
        Where in ids each text starts.
    """

    Wh: scipy.sparse.csr_array
    ids: np.ndarray
    starts: np.ndarray


def from_texts(texts, hashing, dtype="float32", warn=True):
    """Read texts; warns of those in which no letter trigram is known.

    Parameters
    ----------
    texts : iterable of str
    hashing : LetterTrigrams
    dtype : str
        Of Wh.
    warn : bool

    Returns
    -------
    Sentences
    """
    vocabulary, ids, starts = numbered(), array("q"), array("q", [0])
    for text in texts:
        ids.extend(map(vocabulary.__getitem__, hashing.words(text)))
        starts.append(len(ids))
    return from_ids(vocabulary, np.array(ids), np.array(starts, np.intp), hashing, dtype, warn)


def numbered():
    """Make a vocabulary that gives each new word the next number when it is looked up."""
    vocabulary = defaultdict()
    vocabulary.default_factory = vocabulary.__len__
    return vocabulary


def from_ids(vocabulary, ids, starts, hashing, dtype="float32", warn=True):
    """Make `Sentences` of texts that are ids into ``vocabulary``; warns as `from_texts`."""
    sentences = Sentences(hashing.operator(list(vocabulary), dtype), ids, starts)
    if warn:
        warn_of_unknown(n_unknown(sentences), len(starts) - 1)
    return sentences


def n_unknown(sentences):
    """Count the sentences that hold no known letter trigram."""
    known = np.zeros(len(sentences.ids) + 1, np.int32)  # words with a trigram up to each token
    np.cumsum(np.diff(sentences.Wh.indptr)[sentences.ids] > 0, out=known[1:])
    return int((known[sentences.starts[1:]] == known[sentences.starts[:-1]]).sum())


def warn_of_unknown(n, n_texts):
    """Warn that ``n`` of the texts, if any, hold no known letter trigram."""
    if n:
        warnings.warn(
            f"{n} of {n_texts} texts hold no letter trigram that the model knows", stacklevel=4
        )
