"""A click log as numbers, and its minibatches: who clicked what, and what was not clicked."""

import hashlib
from array import array
from collections import defaultdict
from typing import NamedTuple

import numpy as np

from ..files import InputError
from ..gradients.minibatch import Examples
from ..text import batch, sentences
from ..text.hashing import words
from ..text.sentences import Sentences


class ClickLog(NamedTuple):
    """A click log.

    Attributes
    ----------
    queries, titles : Sentences
        The distinct ones; two texts of the same words are one.
    query, title : (n_pairs,) of int
        Each pair.
    clicked, starts : (n_clicked,) of int, (n_queries + 1,) of int
        ``clicked[starts[q]:starts[q + 1]]`` are the distinct titles clicked for query q, sorted.
    """

    queries: Sentences
    titles: Sentences
    query: np.ndarray
    title: np.ndarray
    clicked: np.ndarray
    starts: np.ndarray


def from_pairs(pairs, hashing, dtype="float32"):
    """Number the queries and titles of (query, title) pairs, in the order in which they first appear.

    The pairs may come one by one from a file that is larger than memory: no text is kept, only the numbers of its words, and
    16 bytes by which texts of the same words are found.
    """
    reading = _Side(), _Side()
    for pair in pairs:
        for side, text in zip(reading, pair):
            read = words(text)
            side.ids.extend(map(side.vocabulary.__getitem__, read))
            side.starts.append(len(side.ids))
            side.keys += hashlib.blake2b(
                " ".join(read).encode("utf-8", "surrogatepass"), digest_size=16
            ).digest()
    (queries, query), (titles, title) = (_distinct(side, hashing, dtype) for side in reading)
    n = len(titles.starts) - 1
    clicked = np.unique(query * n + title)
    starts = np.searchsorted(clicked, np.arange(len(queries.starts)) * n)
    return ClickLog(queries, titles, query, title, clicked % n, starts)


class _Side:
    """The texts of one side as they are read: distinct words, their numbers text after text, where each starts, and a key of each."""

    def __init__(self):
        self.vocabulary, self.ids, self.starts, self.keys = (
            defaultdict(),
            array("i"),
            array("q", [0]),
            bytearray(),
        )
        self.vocabulary.default_factory = self.vocabulary.__len__  # a new word gets the next number


def _distinct(side, hashing, dtype):
    """The distinct texts, and the number of each text among them, (n_texts,); texts with the same key are one."""
    high, low = np.frombuffer(side.keys, np.uint64).reshape(-1, 2).T
    order = np.lexsort((low, high))  # keeps the order of equals: the first is that which came first
    new = np.append(
        True, (high[order][1:] != high[order][:-1]) | (low[order][1:] != low[order][:-1])
    )[: len(order)]
    first = order[new]
    which, number = np.sort(first), np.empty(len(order), np.int64)
    number[order] = np.searchsorted(which, first)[np.cumsum(new) - 1]
    ids, starts = (
        np.frombuffer(side.ids, np.int32) if side.ids else np.empty(0, np.int32),
        np.array(side.starts),
    )
    lengths = np.diff(starts)
    kept = np.zeros(len(lengths), bool)
    kept[which] = True
    return sentences.from_ids(
        side.vocabulary,
        ids[np.repeat(kept, lengths)],
        np.append(0, np.cumsum(lengths[which])),
        hashing,
        dtype,
    ), number


def check_negatives(log, pairs, n_negatives):
    """Raise InputError unless every query has ``n_negatives`` titles that it has not clicked; ``pairs`` are trained on."""
    if n_negatives == "batch":
        if len(np.unique(log.title[pairs])) < 2:
            raise InputError(
                "n_negatives: 'batch'; the training pairs have only one title, so nothing is unclicked"
            )
        return
    n_unclicked = n_titles(log) - int(np.diff(log.starts).max())
    if n_negatives > n_unclicked:
        raise InputError(
            f"n_negatives: {n_negatives}; a query has only {n_unclicked} unclicked titles in the training pairs"
        )


def n_titles(log):
    """How many distinct titles there are."""
    return len(log.titles.starts) - 1


def minibatches(log, pairs, batch_size, n_negatives, rng):
    """Yield the `Examples` of an epoch: ``pairs`` in random order, with unclicked titles.

    Parameters
    ----------
    pairs : (n,) of int
        Which pairs of the log.
    n_negatives : int or "batch"
        So many titles drawn from all those that the pair's query has never clicked, or every such title
        that is clicked by another pair of the minibatch.
    """
    pairs = rng.permutation(pairs)
    drawn = (
        None
        if n_negatives == "batch"
        else sample_unclicked(log, log.query[pairs], n_negatives, rng)
    )
    for start in range(0, len(pairs), batch_size):
        now = slice(start, start + batch_size)
        clicked = log.title[pairs[now]]
        which_q, query = np.unique(log.query[pairs[now]], return_inverse=True)
        if drawn is None:
            which_d, clicked = np.unique(clicked, return_inverse=True)
            unclicked = ~_clicked_among(log, which_q, which_d)[query]
        else:
            which_d, row = np.unique(np.column_stack([clicked, drawn[now]]), return_inverse=True)
            row = row.reshape(len(query), -1)
            clicked, unclicked = row[:, 0], row[:, 1:]
        yield Examples(
            batch.side_by_side(log.queries, which_q),
            batch.side_by_side(log.titles, which_d),
            query,
            clicked,
            unclicked,
        )


def sample_unclicked(log, query, n, rng):
    """n different titles for each query, drawn evenly from those it has not clicked, (len(query), n)."""
    size = n_titles(log)
    pair_keys = (
        np.repeat(np.arange(len(log.starts) - 1), np.diff(log.starts)) * size + log.clicked
    )  # sorted
    drawn = rng.integers(size, size=(len(query), n))
    again = np.ones(len(query), bool)
    for _ in range(20):  # draws that met a clicked or repeated title, once more
        keys = query[again, None] * size + drawn[again]
        found = np.searchsorted(pair_keys, keys)
        bad = pair_keys[np.minimum(found, len(pair_keys) - 1)] == keys
        ordered = np.sort(drawn[again], axis=1)
        bad_row = bad.any(axis=1) | (ordered[:, 1:] == ordered[:, :-1]).any(axis=1)
        again[again] = bad_row
        if not again.any():
            return drawn
        drawn[again] = rng.integers(size, size=(int(again.sum()), n))
    for r in np.flatnonzero(again):  # queries that clicked nearly everything
        unclicked = np.setdiff1d(
            np.arange(size), log.clicked[log.starts[query[r]] : log.starts[query[r] + 1]]
        )
        drawn[r] = rng.choice(unclicked, n, replace=False)
    return drawn


def _clicked_among(log, queries, titles):
    """Whether each query has clicked each title, (len(queries), len(titles))."""
    column = np.full(n_titles(log), -1)
    column[titles] = np.arange(len(titles))
    clicked = np.zeros((len(queries), len(titles)), bool)
    for r, q in enumerate(queries):
        seen = column[log.clicked[log.starts[q] : log.starts[q + 1]]]
        clicked[r, seen[seen >= 0]] = True
    return clicked
