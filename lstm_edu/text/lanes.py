"""A batch in parts: lanes for two threads, shares for many machines.

Two cores work in parallel, and the arrays of a lane stay in its core's cache. The gradient of W is
summed by trigram once, for all lanes together. tests/edu/test_batches.py compares lanes with the
whole batch.
"""

from itertools import pairwise

import numpy as np
import scipy.sparse

from .batch import Batch, as_asked_for, distinct, sentence, time

LANE = 1_000_000  # tokens times cells
MOST_LANES = 6  # with more lanes, repeated words cost more than the cache saves
# a batch of fewer numbers is one lane, unless its time steps have more than NARROW
SMALL, NARROW = 375_000, 25_000
COLUMNS = 48  # columns of W's gradient to sum at a time


class Lane(Batch):
    """A part of a batch that leaves the gradient of W by word, for `trigrams_gradient`."""

    def by_trigram(self, by_word):
        """Return the gradient unchanged, by word."""
        return by_word


def lanes(batch, size, map_=map):
    """Split a large batch into lanes, the longest sentences first.

    Parameters
    ----------
    size : int
        Length of an embedding.
    map_ : function
        A ``map`` over threads.

    Returns
    -------
    list of Lane
    """
    numbers = len(batch.token) * size
    alone = numbers < SMALL and numbers / len(batch.offsets) < NARROW
    n_lanes = 1 if alone else min(MOST_LANES, max(2, round(numbers / LANE)))
    return [Lane(*part) for part in split(batch, n_lanes, map_) or [batch]]


def split(batch, n, map_=map):
    """Split a batch into at most ``n`` parts with about the same number of words.

    The longest sentences come first.

    Returns
    -------
    list of Batch
        The ``order`` of each is a part of the whole batch's.
    """
    ends = np.cumsum(batch.lengths)
    inner = np.searchsorted(ends, ends[-1:] * np.arange(1, n) / n).tolist()
    cuts = [cut for cut in pairwise([0, *inner, len(batch.order)]) if cut[0] < cut[1]]
    return list(map_(lambda cut: _part(batch, *cut), cuts))


def places(batch, lane):
    """Return each token's place in the whole batch, (n_tokens,) of int."""
    rank = as_asked_for(batch, np.arange(len(batch.order)))  # of each sentence, the longest first
    return batch.offsets[time(lane)] + rank[lane.order[sentence(lane)]]


def trigrams_gradient(lanes, by_word, map_=map):
    """Sum the `lstm_edu.text.batch.input_gradient` of all lanes into W's touched rows.

    Each thread sums `COLUMNS` columns at a time, which stay in the cache.
    """
    Wh = scipy.sparse.vstack([lane.Wh for lane in lanes], format="csr").T.tocsr()
    Wh = Wh[np.diff(Wh.indptr) > 0]
    dW = np.empty((Wh.shape[0], by_word[0].shape[1]), Wh.dtype)

    def sum_by_trigram(first):
        columns = slice(first, first + COLUMNS)
        dW[:, columns] = Wh @ np.concatenate([of_lane[:, columns] for of_lane in by_word])

    list(map_(sum_by_trigram, range(0, dW.shape[1], COLUMNS)))
    return dW


def _part(batch, first, last):
    """Make the batch of the sentences from first to last, with only their distinct words."""
    of = sentence(batch)
    inside = (first <= of) & (of < last)
    offsets = np.append(0, np.cumsum(np.bincount(time(batch)[inside])))
    in_part, token = distinct(batch.token[inside], batch.Wh.shape[0])
    order, lengths = batch.order[first:last], batch.lengths[first:last]
    return Batch(order, lengths, offsets, token, batch.Wh[in_part])
