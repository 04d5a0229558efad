"""Batches of sentences of mixed length, without padding.

A batch is time-major, with the longest sentence first, so that the first ``n_t`` sentences are
those with a word at time t. Each distinct word is hashed and multiplied by W only once.
"""

from typing import NamedTuple

import numpy as np
import scipy.sparse


class Batch(NamedTuple):
    """A batch of sentences of mixed length, without padding.

    Attributes
    ----------
    order : (N,)
        The indices of the sentences, longest first.
    lengths : (N,)
        The number of words of each sentence, in the order of ``order``.
    offsets : (T + 1,)
        The tokens at time t are ``offsets[t]:offsets[t + 1]``.
    token : (n_tokens,)
        The row of Wh of each token, time-major.
    Wh : csr_array, (n_words, n_trigrams)
        The letter-trigram counts of the batch's distinct words.
    """

    order: np.ndarray
    lengths: np.ndarray
    offsets: np.ndarray
    token: np.ndarray
    Wh: scipy.sparse.csr_array

    @property
    def touched(self):
        """The sorted indices of the batch's trigrams, which are the rows of W with a gradient."""
        return distinct(self.Wh.indices, self.Wh.shape[1])[0]

    def compact(self):
        """Return the touched trigrams, and the batch with Wh reduced to their columns.

        The reduced batch is used with the touched rows of W.
        """
        n_words, n_trigrams = self.Wh.shape
        touched, columns = distinct(self.Wh.indices, n_trigrams)
        parts = self.Wh.data, columns.astype(np.int32), self.Wh.indptr
        Wh = scipy.sparse.csr_array(parts, shape=(n_words, len(touched)))
        return touched, self._replace(Wh=Wh)

    def by_trigram(self, by_word):
        """Compute the gradient of W's touched rows from the distinct words' errors."""
        return self.compact()[1].Wh.T @ by_word


def side_by_side(sentences, which=None):
    """Arrange sentences in a batch, longest first.

    Parameters
    ----------
    sentences : lstm_edu.text.sentences.Sentences
    which : (N,) of int, optional
        The indices of the sentences to take; all if None.

    Returns
    -------
    Batch
    """
    which = np.arange(len(sentences.starts) - 1) if which is None else np.asarray(which, np.intp)
    start = sentences.starts[which]
    length = sentences.starts[which + 1] - start
    order = np.argsort(-length, kind="stable")
    start, length = start[order], length[order]
    # n[t] is the number of sentences with more than t words
    n = np.searchsorted(-length, -np.arange(length.max(initial=0))).tolist()
    ids = [sentences.ids[start[:n_t] + t] for t, n_t in enumerate(n)]
    offsets = np.concatenate([[0], np.cumsum(n, dtype=np.intp)])
    ids = np.concatenate([sentences.ids[:0], *ids])
    in_batch, token = distinct(ids, sentences.Wh.shape[0])
    return Batch(order, length, offsets, token, sentences.Wh[in_batch])


def as_asked_for(batch, y):
    """Reorder the rows of ``y``, sorted by text length, into the original order of the texts."""
    in_order = np.empty_like(y)
    in_order[batch.order] = y
    return in_order


# ---- Iterating over time


def in_time(batch):
    """Yield the tokens at each time, from the first to the last.

    Yields
    ------
    now : slice
        The tokens at this time.
    before : slice or None
        The previous tokens of the same sentences; None at the first time, where y(0) = 0.
    """
    offsets = batch.offsets.tolist()
    for t in range(len(offsets) - 1):
        n_t = offsets[t + 1] - offsets[t]
        before = slice(offsets[t - 1], offsets[t - 1] + n_t) if t else None
        yield slice(offsets[t], offsets[t + 1]), before


def back_in_time(batch, truncate=None):
    """Yield the tokens at each time, from the last to the first, and their sentences.

    With ``truncate``, tokens followed by more than ``truncate`` words are left out. Such tokens
    belong to the longest sentences, which come first in the batch.

    Yields
    ------
    rows, now, before : slice, slice, slice or None
        The positions of the sentences in the batch, and their tokens as in `in_time`.
    """
    for t, (now, before) in reversed(list(enumerate(in_time(batch)))):
        n_t, cut = now.stop - now.start, 0
        if truncate is not None:
            cut = min(n_t, int(np.searchsorted(-batch.lengths, -(t + 1 + truncate))))
        now = slice(now.start + cut, now.stop)
        yield slice(cut, n_t), now, before and slice(before.start + cut, before.stop)


def backwards(batch):
    """Return a batch with the words of every sentence in reverse order."""
    mirrored = mirror(batch)
    return batch._replace(token=batch.token[mirrored])


def mirror(batch):
    """Return, for each token, the token at its position in the reversed sentence.

    Returns
    -------
    (n_tokens,) of int
    """
    of = sentence(batch)
    return batch.offsets[batch.lengths[of] - 1 - time(batch)] + of


def sentence(batch):
    """Return an (n_tokens,) array with the position of each token's sentence in the batch."""
    return np.arange(len(batch.token)) - batch.offsets[time(batch)]


def time(batch):
    """Return an (n_tokens,) array with the time t = 0, 1, … of each token."""
    return np.repeat(np.arange(len(batch.offsets) - 1), np.diff(batch.offsets))


def last(batch):
    """Return the last token of each sentence that has words."""
    lengths = batch.lengths[batch.lengths > 0]
    return batch.offsets[lengths - 1] + np.arange(len(lengths))


def after_first(batch):
    """Return the slice of the tokens with t > 0, and the indices of the tokens one word before."""
    later = slice(batch.offsets[:2][-1], len(batch.token))
    return later, batch.offsets[time(batch)[later] - 1] + sentence(batch)[later]


# ---- The gradient of W


def input_gradient(batch, dz):
    """Compute the gradient of W's touched rows from the error of W l(t) at every token.

    Errors are first summed per distinct word, which makes the product with W_h smaller.

    Parameters
    ----------
    dz : list of (n_tokens, n_cells) arrays
        The errors, one array per gate.

    Returns
    -------
    (n_touched, n_gates * n_cells)
    """
    by_word = sums(batch.token, batch.Wh.shape[0], batch.Wh.dtype)
    return batch.by_trigram(np.hstack([by_word @ dzk for dzk in dz]))


def sums(group, n_groups, dtype):
    """Return a sparse matrix S such that ``S @ x`` sums the rows of x by group.

    Parameters
    ----------
    group : (n,) of int
        The group of each row.
    n_groups : int
    dtype : str

    Returns
    -------
    csc_array, (n_groups, n)
    """
    n = len(group)
    ones = np.ones(n, dtype), group, np.arange(n + 1)
    return scipy.sparse.csr_array(ones, shape=(n, n_groups)).T


def distinct(values, size):
    """Return the sorted distinct ``values``, all below ``size``, and each value's index in them."""
    present = np.zeros(size, bool)
    present[values] = True
    found = np.flatnonzero(present)
    position = np.empty(size, np.intp)
    position[found] = np.arange(len(found))
    return found, position[values]
