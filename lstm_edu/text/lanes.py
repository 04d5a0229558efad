"""Split a batch into parts: lanes for two threads, or shares for several machines.

Two threads process lanes in parallel, and a lane's arrays fit in the cache. The gradient of W is
summed per trigram once for all lanes. tests/edu/test_batches.py compares lanes with the whole
batch.
"""

from itertools import pairwise

import numpy as np
import scipy.sparse

from .batch import Batch, as_asked_for, distinct, sentence, time

LANE = 1_000_000  # size of a lane: tokens times cells
MOST_LANES = 6  # with more lanes, recomputing repeated words costs more than the cache saves
# a batch of less than SMALL (tokens times cells) is one lane, unless its time steps average
# NARROW or more
SMALL, NARROW = 375_000, 25_000
COLUMNS = 48  # number of columns of W's gradient to sum at a time


class Lane(Batch):
    """A part of a batch whose gradient of W is kept per word; `trigrams_gradient` sums it later."""

    def by_trigram(self, by_word):
        """Return the per-word gradient unchanged, for `trigrams_gradient` to sum."""
        return by_word


def lanes(batch, size, map_=map):
    """Split a large batch into lanes; the first lane has the longest sentences.

    Parameters
    ----------
    size : int
        The length of an embedding.
    map_ : function
        A ``map`` over threads.

    Returns
    -------
    list of Lane
    """
    numbers = len(batch.token) * size
    alone = numbers < SMALL and numbers / len(batch.offsets) < NARROW
    n_lanes = 1 if alone else min(MOST_LANES, max(2, round(numbers / LANE)))
    return [Lane(*part) for part in (split(batch, n_lanes, map_) if n_lanes > 1 else [batch])]


def split(batch, n, map_=map):
    """Split a batch into at most ``n`` parts with similar numbers of words.

    The first part has the longest sentences.

    Returns
    -------
    list of Batch
        The ``order`` of each part is a slice of the whole batch's ``order``.
    """
    ends = np.cumsum(batch.lengths)
    inner = np.searchsorted(ends, ends[-1:] * np.arange(1, n) / n).tolist()
    cuts = [cut for cut in pairwise([0, *inner, len(batch.order)]) if cut[0] < cut[1]]
    return list(map_(lambda cut: _part(batch, *cut), cuts))


def places(batch, lane):
    """Return an (n_tokens,) array with the index in ``batch`` of each token of a lane."""
    # the position of each sentence when sorted by length, longest first
    rank = as_asked_for(batch, np.arange(len(batch.order)))
    return batch.offsets[time(lane)] + rank[lane.order[sentence(lane)]]


def trigrams_gradient(lanes, by_word, map_=map):
    """Compute the gradient of W's touched rows from the per-word errors of all lanes.

    Each thread sums `COLUMNS` columns at a time, which fit in the cache.
    """
    Wh = scipy.sparse.vstack([lane.Wh for lane in lanes], format="csr").T.tocsr()
    Wh = Wh[np.diff(Wh.indptr) > 0]
    dW = np.empty((Wh.shape[0], by_word[0].shape[1]), np.result_type(Wh, by_word[0]))

    def sum_by_trigram(first):
        columns = slice(first, first + COLUMNS)
        dW[:, columns] = Wh @ np.concatenate([of_lane[:, columns] for of_lane in by_word])

    list(map_(sum_by_trigram, range(0, dW.shape[1], COLUMNS)))
    return dW


def _part(batch, first, last):
    """Make a `Batch` from the sentences ``first:last`` and their distinct words."""
    of = sentence(batch)
    inside = (first <= of) & (of < last)
    offsets = np.append(0, np.cumsum(np.bincount(time(batch)[inside])))
    in_part, token = distinct(batch.token[inside], batch.Wh.shape[0])
    order, lengths = batch.order[first:last], batch.lengths[first:last]
    return Batch(order, lengths, offsets, token, batch.Wh[in_part])
