"""Texts to batches: word ids, lengths, and the batch's own W_h.

A batch is time-major with the longest sentence first, so that those that still have a word at time t
are the first ``n_t`` of them: a short sentence falls out of the batch after its last word and no
padding is ever computed. A word that occurs many times is hashed and multiplied once.
"""

import warnings
from array import array
from collections import defaultdict
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import scipy.sparse

from .hashing import words

LANE, MOST_LANES = (
    1_000_000,
    6,
)  # tokens times cells of a lane; what more of them save in the cache, they lose on words read twice
SMALL, NARROW = (
    375_000,
    25_000,
)  # two threads are worth having long before a lane is full; with so much at a time step, sooner
COLUMNS = 48  # of W's gradient that are summed at a time


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


class Batch(NamedTuple):
    """Sentences of mixed length, side by side.

    Attributes
    ----------
    order : (N,)
        Which of the sentences asked for comes first, second, …: longest first.
    lengths : (N,)
        In that order, in words.
    offsets : (T + 1,)
        The tokens of time t are ``offsets[t]:offsets[t + 1]``; their number is ``n_t``.
    token : (n_tokens,)
        Rows of Wh, time-major.
    Wh : csr_array, (n_words, n_trigrams)
        The batch's distinct words.
    touched : (n_touched,)
        The trigrams that occur in the batch: the only rows of W with a gradient.
    Wh_touched : csr_array, (n_words, n_touched)
        Wh without the columns that are all zero. None in one of its `lanes`.
    """

    order: np.ndarray
    lengths: np.ndarray
    offsets: np.ndarray
    token: np.ndarray
    Wh: scipy.sparse.csr_array
    touched: np.ndarray
    Wh_touched: scipy.sparse.csr_array


def read(texts, hashing, dtype="float32", warn=True):
    """Texts to word ids over their distinct words; warns of texts in which no letter trigram is known."""
    vocabulary, ids, starts = defaultdict(), array("q"), array("q", [0])
    vocabulary.default_factory = vocabulary.__len__  # a new word gets the next number
    for text in texts:
        ids.extend(map(vocabulary.__getitem__, words(text)))
        starts.append(len(ids))
    return over(vocabulary, np.array(ids), np.array(starts), hashing, dtype, warn)


def over(vocabulary, ids, starts, hashing, dtype="float32", warn=True):
    """`Sentences` of texts that are read already, as ids into the words of ``vocabulary``; warns as `read`."""
    read = Sentences(hashing.operator(vocabulary, dtype), ids, starts)
    if warn:
        warn_of_unknown(n_unknown(read), len(starts) - 1)
    return read


def n_unknown(sentences):
    """How many of the sentences hold no known letter trigram."""
    known = np.zeros(len(sentences.ids) + 1, np.int32)  # words with a trigram up to each token
    np.cumsum(np.diff(sentences.Wh.indptr)[sentences.ids] > 0, out=known[1:])
    return int((known[sentences.starts[1:]] == known[sentences.starts[:-1]]).sum())


def warn_of_unknown(n, n_texts):
    """Say of so many texts, if there are any, that they hold no known letter trigram."""
    if n:
        warnings.warn(
            f"{n} of {n_texts} texts hold no letter trigram that the model knows", stacklevel=4
        )


def batch(sentences, which=None):
    """Lay the sentences ``which`` (all, if None) side by side."""
    which = np.arange(len(sentences.starts) - 1) if which is None else np.asarray(which, np.int64)
    start = sentences.starts[which]
    length = sentences.starts[which + 1] - start
    order = np.argsort(-length, kind="stable")
    start, length = start[order], length[order]
    n = [
        int(np.searchsorted(-length, -t)) for t in range(length.max(initial=0))
    ]  # those longer than t
    offsets = np.concatenate([[0], np.cumsum(n, dtype=np.int64)])
    ids = np.concatenate(
        [sentences.ids[start[:n_t] + t] for t, n_t in enumerate(n)] or [sentences.ids[:0]]
    )
    in_batch, token = _compact(ids, sentences.Wh.shape[0])
    Wh = sentences.Wh[in_batch]
    return Batch(order, length, offsets, token, Wh, *_touched(Wh))


def lanes(batch, size, map_=map):
    """A large batch as several small ones, the longest sentences first, each over its own distinct words.

    Two threads can read them side by side, and what one of them has in work stays in the cache.

    Parameters
    ----------
    size : int
        Of an embedding.
    map_ : function
        A ``map`` over threads.

    Returns
    -------
    list of Batch
    """
    numbers = len(batch.token) * size
    alone = numbers < SMALL and numbers / len(batch.offsets) < NARROW
    n_lanes = 1 if alone else min(MOST_LANES, max(2, round(numbers / LANE)))
    cuts = [(first, last) for first, last in _cuts(batch, n_lanes) if first < last or n_lanes == 1]
    return list(map_(lambda cut: _lane(batch, *cut), cuts))


def split(batch, n):
    """A batch as at most ``n`` batches of about as many words each, the longest sentences first, for as many machines.

    Returns
    -------
    list of Batch
        Of each, ``order`` is that part of the whole batch's, ``touched`` are columns of the whole batch's Wh, and Wh has no others.
    """
    parts = [_lane(batch, first, last) for first, last in _cuts(batch, n) if first < last]
    touched = [_touched(part.Wh) for part in parts]
    return [
        part._replace(Wh=Wh, touched=rows, Wh_touched=Wh)
        for part, (rows, Wh) in zip(parts, touched)
    ]


def _cuts(batch, n):
    """First and last sentence of n parts with about as many words; a part may be empty."""
    ends = np.cumsum(batch.lengths)
    return pairwise(
        [0, *np.searchsorted(ends, ends[-1:] * np.arange(1, n) / n).tolist(), len(batch.order)]
    )


def _lane(batch, first, last):
    lengths = batch.lengths[first:last]
    times = pairwise(batch.offsets[: lengths.max(initial=0) + 1].tolist())
    tokens = [batch.token[start + first : min(start + last, end)] for start, end in times]
    offsets = np.append(0, np.cumsum([len(some) for some in tokens], dtype=np.int64))
    words, token = _compact(np.concatenate([batch.token[:0], *tokens]), batch.Wh.shape[0])
    return batch._replace(
        order=batch.order[first:last],
        lengths=lengths,
        offsets=offsets,
        token=token,
        Wh=batch.Wh[words],
        Wh_touched=None,
    )


def backwards(batch):
    """The same batch with every sentence read from its last word to its first."""
    mirrored = batch.lengths[sentence(batch)] - 1 - time(batch)
    return batch._replace(token=batch.token[batch.offsets[mirrored] + sentence(batch)])


def sentence(batch):
    """Which sentence of the batch each token belongs to, (n_tokens,)."""
    return np.arange(len(batch.token)) - batch.offsets[time(batch)]


def time(batch):
    """The time t = 0, 1, … at which each token is read, (n_tokens,)."""
    return np.repeat(np.arange(len(batch.offsets) - 1), np.diff(batch.offsets))


def last(batch):
    """The token of each sentence's last word, for sentences that have one."""
    some = batch.lengths[batch.lengths > 0]
    return batch.offsets[some - 1] + np.arange(len(some))


def after_first(batch):
    """The tokens after their sentence's first word, as a slice, and the token before each of them."""
    later = slice(batch.offsets[:2][-1], len(batch.token))
    return later, batch.offsets[time(batch)[later] - 1] + sentence(batch)[later]


def rows(batch, t, truncate=None):
    """Sentences that time t reaches: they have a word there, at most ``truncate`` before their last.

    Returns
    -------
    slice
        Of the batch's order; the longest sentences are those cut off.
    """
    n_t = int(batch.offsets[t + 1] - batch.offsets[t])
    cut = 0 if truncate is None else int(np.searchsorted(-batch.lengths, -(t + 1 + truncate)))
    return slice(min(cut, n_t), n_t)


def input_gradient(batch, dz):
    """The gradient of W's touched rows from that of each token's W l(t).

    Tokens are first summed by word, so that the product with W_h is again one per distinct word.

    Parameters
    ----------
    dz : list of arrays, (n_tokens, n_cells)
        One a gate.

    Returns
    -------
    (n_touched, n_gates * n_cells)
        Of one of `lanes` only summed by word, and a list, (n_words, n_cells) each gate; `trigrams_gradient` is the rest.
    """
    by_word = sums(batch.token, batch.Wh.shape[0], batch.Wh.dtype)
    dP = [by_word @ dzk for dzk in dz]
    return dP if batch.Wh_touched is None else batch.Wh_touched.T @ np.hstack(dP)


def trigrams_gradient(batch, lanes, dP, map_=map):
    """The gradient of W's touched rows from the `input_gradient` of all lanes; some columns at a time, which stay in the cache, in each of two threads."""
    Wh = scipy.sparse.vstack([lane.Wh for lane in lanes], format="csr").T.tocsr()
    by_word = [
        [of_lane[:, first : first + COLUMNS] for of_lane in gate]
        for gate in zip(*dP)
        for first in range(0, gate[0].shape[1], COLUMNS)
    ]
    widths = [some[0].shape[1] for some in by_word]
    dW = np.empty((Wh.shape[0], sum(widths)), Wh.dtype)

    def sum_by_trigram(columns, some):
        columns[...] = Wh @ np.concatenate(some)

    list(map_(sum_by_trigram, np.split(dW, np.cumsum(widths[:-1]), axis=1), by_word))
    return dW if batch.Wh is batch.Wh_touched else dW[batch.touched]


def sums(group, n_groups, dtype):
    """The matrix, (n_groups, len(group)), whose product with rows of numbers sums those of each group."""
    n = len(group)
    return scipy.sparse.csr_array(
        (np.ones(n, dtype), group, np.arange(n + 1)), shape=(n, n_groups)
    ).T


def _touched(Wh):
    """The columns of Wh that are not all zero, and Wh without the others."""
    touched, columns = _compact(Wh.indices, Wh.shape[1])
    return touched, scipy.sparse.csr_array(
        (Wh.data, columns.astype(np.int32), Wh.indptr), shape=(Wh.shape[0], len(touched))
    )


def _compact(values, size):
    """The distinct values below ``size``, sorted, and the position of each value among them."""
    present = np.zeros(size, bool)
    present[values] = True
    distinct = np.flatnonzero(present)
    position = np.empty(size, np.int64)
    position[distinct] = np.arange(len(distinct))
    return distinct, position[values]
