"""Sentences of mixed length side by side, without padding.

A batch is time-major, the longest sentence first, so that the first ``n_t`` sentences are those
with a word at time t: a short sentence leaves the batch after its last word. A word that occurs
many times is hashed and multiplied once.
"""

from typing import NamedTuple

import numpy as np
import scipy.sparse


class Batch(NamedTuple):
    """Sentences of mixed length, side by side.

    Attributes
    ----------
    order : (N,)
        The numbers of the given sentences, the longest first.
    lengths : (N,)
        Words of each sentence, in that order.
    offsets : (T + 1,)
        The tokens of time t are ``offsets[t]:offsets[t + 1]``, ``n_t`` of them.
    token : (n_tokens,)
        The row of Wh of each token, time-major.
    Wh : csr_array, (n_words, n_trigrams)
        The batch's distinct words.
    """

    order: np.ndarray
    lengths: np.ndarray
    offsets: np.ndarray
    token: np.ndarray
    Wh: scipy.sparse.csr_array

    @property
    def touched(self):
        """The trigrams in the batch: the only rows of W with a gradient."""
        return distinct(self.Wh.indices, self.Wh.shape[1])[0]

    def compact(self):
        """Return the touched trigrams, and the batch with only their columns of Wh.

        Use that batch with the touched rows of W.
        """
        n_words, n_trigrams = self.Wh.shape
        touched, columns = distinct(self.Wh.indices, n_trigrams)
        parts = self.Wh.data, columns.astype(np.int32), self.Wh.indptr
        Wh = scipy.sparse.csr_array(parts, shape=(n_words, len(touched)))
        return touched, self._replace(Wh=Wh)

    def by_trigram(self, by_word):
        """Turn the gradient of each word's W l, (n_words, width), into that of W's touched rows."""
        return self.compact()[1].Wh.T @ by_word


def side_by_side(sentences, which=None):
    """Make a batch of sentences.

    Parameters
    ----------
    sentences : lstm_edu.text.sentences.Sentences
    which : (N,) of int, optional
        The numbers of the sentences to take; all if None.

    Returns
    -------
    Batch
    """
    which = np.arange(len(sentences.starts) - 1) if which is None else np.asarray(which, np.intp)
    start = sentences.starts[which]
    length = sentences.starts[which + 1] - start
    order = np.argsort(-length, kind="stable")
    start, length = start[order], length[order]
    n = np.searchsorted(-length, -np.arange(length.max(initial=0))).tolist()  # longer than t
    ids = [sentences.ids[start[:n_t] + t] for t, n_t in enumerate(n)]
    offsets = np.concatenate([[0], np.cumsum(n, dtype=np.intp)])
    ids = np.concatenate([sentences.ids[:0], *ids])
    in_batch, token = distinct(ids, sentences.Wh.shape[0])
    return Batch(order, length, offsets, token, sentences.Wh[in_batch])


def as_asked_for(batch, y):
    """Return rows in the order in which the texts were given, from ``y``, longest first."""
    in_order = np.empty_like(y)
    in_order[batch.order] = y
    return in_order


# ---- from word to word


def in_time(batch):
    """Yield the tokens of each time, from the first to the last.

    Yields
    ------
    now : slice
        The tokens of this time.
    before : slice or None
        The tokens before them in the same sentences; None at the first time, where y(0) = 0.
    """
    offsets = batch.offsets.tolist()
    for t in range(len(offsets) - 1):
        n_t = offsets[t + 1] - offsets[t]
        before = slice(offsets[t - 1], offsets[t - 1] + n_t) if t else None
        yield slice(offsets[t], offsets[t + 1]), before


def back_in_time(batch, truncate=None):
    """Yield the tokens of each time, from the last to the first, and their sentences.

    With ``truncate``, leave out tokens with more than ``truncate`` words after them: those of the
    longest sentences, which come first.

    Yields
    ------
    rows, now, before : slice, slice, slice or None
        Sentences of the batch, and their tokens as in `in_time`.
    """
    for t, (now, before) in reversed(list(enumerate(in_time(batch)))):
        n_t, cut = now.stop - now.start, 0
        if truncate is not None:
            cut = min(n_t, int(np.searchsorted(-batch.lengths, -(t + 1 + truncate))))
        now = slice(now.start + cut, now.stop)
        yield slice(cut, n_t), now, before and slice(before.start + cut, before.stop)


def backwards(batch):
    """Reverse every sentence of a batch, so that it is read from its last word to its first."""
    mirrored = mirror(batch)
    return batch._replace(token=batch.token[mirrored])


def mirror(batch):
    """Return each token's mirror image: the token of its sentence at the same distance to the end.

    Returns
    -------
    (n_tokens,) of int
    """
    of = sentence(batch)
    return batch.offsets[batch.lengths[of] - 1 - time(batch)] + of


def sentence(batch):
    """Return the sentence of the batch that each token belongs to, (n_tokens,)."""
    return np.arange(len(batch.token)) - batch.offsets[time(batch)]


def time(batch):
    """Return the time t = 0, 1, … at which each token is read, (n_tokens,)."""
    return np.repeat(np.arange(len(batch.offsets) - 1), np.diff(batch.offsets))


def last(batch):
    """Return the token of the last word of each sentence that has words."""
    lengths = batch.lengths[batch.lengths > 0]
    return batch.offsets[lengths - 1] + np.arange(len(lengths))


def after_first(batch):
    """Return the tokens after the first time, as a slice, and the token before each."""
    later = slice(batch.offsets[:2][-1], len(batch.token))
    return later, batch.offsets[time(batch)[later] - 1] + sentence(batch)[later]


# ---- the gradient of W


def input_gradient(batch, dz):
    """Return the gradient of W's touched rows from the gradient of each token's W l(t).

    Tokens are first summed by word, so that the product with W_h has one row per distinct word.

    Parameters
    ----------
    dz : list of arrays, (n_tokens, n_cells)
        One per gate.

    Returns
    -------
    (n_touched, n_gates * n_cells)
    """
    by_word = sums(batch.token, batch.Wh.shape[0], batch.Wh.dtype)
    return batch.by_trigram(np.hstack([by_word @ dzk for dzk in dz]))


def sums(group, n_groups, dtype):
    """Make the matrix that sums rows by group when it multiplies them.

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
    """Return the distinct values below ``size``, sorted, and the position of each among them."""
    present = np.zeros(size, bool)
    present[values] = True
    found = np.flatnonzero(present)
    position = np.empty(size, np.intp)
    position[found] = np.arange(len(found))
    return found, position[values]
