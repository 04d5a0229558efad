"""A batch in parts: lanes, which two threads read side by side, or shares for many machines.

What it buys: both cores work, and what a lane has in work stays in its core's cache. The gradient
of W is summed by trigram once, for all lanes together. Held equal to the whole batch by
tests/edu/test_batches.py.
"""

from itertools import pairwise

import numpy as np
import scipy.sparse

from .batch import distinct, sentence, time, touched_columns

LANE = 1_000_000  # tokens times cells
MOST_LANES = 6  # more of them lose on words that are read twice what they save in the cache
# two threads are worth having long before a lane is full; with so much at a time step, sooner
SMALL, NARROW = 375_000, 25_000
COLUMNS = 48  # of W's gradient that are summed at a time


def lanes(batch, size, map_=map):
    """Split a large batch into several small ones, the longest sentences first.

    Each is over its own distinct words.

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
    cuts = [cut for cut in _cuts(batch, n_lanes) if cut[0] < cut[1] or n_lanes == 1]
    return list(map_(lambda cut: _lane(batch, *cut), cuts))


def split(batch, n):
    """Split a batch into at most ``n`` of about as many words each, for as many machines.

    The longest sentences come first.

    Returns
    -------
    list of Batch
        Of each, ``order`` is that part of the whole batch's, ``touched`` are columns of the whole
        batch's Wh, and Wh has no others.
    """
    parts = [_lane(batch, first, last) for first, last in _cuts(batch, n) if first < last]
    touched = [touched_columns(part.Wh) for part in parts]
    return [
        part._replace(Wh=Wh, touched=rows, Wh_touched=Wh)
        for part, (rows, Wh) in zip(parts, touched)
    ]


def places(batch, lane):
    """Return the place in the whole batch of each token of a lane or share, (n_tokens,) of int."""
    rank = np.empty_like(batch.order)  # of each sentence, the longest first
    rank[batch.order] = np.arange(len(rank))
    return batch.offsets[time(lane)] + rank[lane.order[sentence(lane)]]


def trigrams_gradient(batch, in_lanes, dP, map_=map):
    """Sum the `lstm_edu.text.batch.input_gradient` of all lanes, for W's touched rows.

    Some columns at a time, which stay in the cache, in each of two threads.
    """
    Wh = scipy.sparse.vstack([lane.Wh for lane in in_lanes], format="csr").T.tocsr()
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


def _cuts(batch, n):
    """First and last sentence of n parts with about as many words; a part may be empty."""
    ends = np.cumsum(batch.lengths)
    inner = np.searchsorted(ends, ends[-1:] * np.arange(1, n) / n).tolist()
    return pairwise([0, *inner, len(batch.order)])


def _lane(batch, first, last):
    """The sentences from first to last, over their own distinct words."""
    lengths = batch.lengths[first:last]
    times = pairwise(batch.offsets[: lengths.max(initial=0) + 1].tolist())
    tokens = [batch.token[start + first : min(start + last, end)] for start, end in times]
    offsets = np.append(0, np.cumsum([len(some) for some in tokens], dtype=np.intp))
    in_lane, token = distinct(np.concatenate([batch.token[:0], *tokens]), batch.Wh.shape[0])
    return batch._replace(
        order=batch.order[first:last],
        lengths=lengths,
        offsets=offsets,
        token=token,
        Wh=batch.Wh[in_lane],
        Wh_touched=None,
    )
