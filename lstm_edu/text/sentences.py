"""Texts as lists of word ids, so that each distinct word is hashed once."""

import warnings
from array import array
from collections import defaultdict
from typing import NamedTuple

import numpy as np
import scipy.sparse


class Sentences(NamedTuple):
    """Texts as lists of word ids.

    Attributes
    ----------
    Wh : csr_array, (n_words, n_trigrams)
        The letter-trigram counts of each distinct word.
    ids : (n_tokens,)
        The rows of Wh for all words, text after text.
    starts : (n_texts + 1,)
        The words of text k are ``ids[starts[k]:starts[k + 1]]``.
    """

    Wh: scipy.sparse.csr_array
    ids: np.ndarray
    starts: np.ndarray


def from_texts(texts, hashing, dtype="float32", warn=True):
    """Convert texts to `Sentences`; warn about texts without a known letter trigram.

    Parameters
    ----------
    texts : iterable of str
    hashing : LetterTrigrams
    dtype : str
        The dtype of Wh.
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


def rows(texts):
    """Return a dict that numbers the distinct texts in order of appearance."""
    return {text: k for k, text in enumerate(dict.fromkeys(texts))}


def numbered():
    """Return a dict that assigns the next number to each new word that is looked up."""
    vocabulary = defaultdict()
    vocabulary.default_factory = vocabulary.__len__
    return vocabulary


def from_ids(vocabulary, ids, starts, hashing, dtype="float32", warn=True):
    """Make `Sentences` from word ids and their ``vocabulary``; warn as `from_texts` does."""
    sentences = Sentences(hashing.operator(list(vocabulary), dtype), ids, starts)
    if warn:
        warn_of_unknown(n_unknown(sentences), len(starts) - 1)
    return sentences


def n_unknown(sentences):
    """Count the sentences without a known letter trigram."""
    known = np.zeros(len(sentences.ids) + 1, np.int32)  # number of known words before each token
    np.cumsum(np.diff(sentences.Wh.indptr)[sentences.ids] > 0, out=known[1:])
    return int((known[sentences.starts[1:]] == known[sentences.starts[:-1]]).sum())


def warn_of_unknown(n, n_texts):
    """Warn, if ``n`` is not 0, that ``n`` of ``n_texts`` texts have no known letter trigram."""
    if n:
        said = f"{n:,} of {n_texts:,} texts {'has' if n == 1 else 'have'} no letter trigram"
        warnings.warn(f"{said} that the model knows", stacklevel=4)
