"""A click log as arrays, and its minibatches of clicked and unclicked titles."""

import hashlib
from array import array
from typing import NamedTuple

import numpy as np
import scipy.sparse
from numpy.typing import DTypeLike

from .._util.files import InputError
from ..gradients.minibatch import Examples
from ..text import sentences
from ..text.batch import side_by_side
from ..text.sentences import Sentences


class ClickLog(NamedTuple):
    """A click log as arrays.

    Attributes
    ----------
    queries, titles : Sentences
        The distinct texts; texts with equal words count as one.
    query, title : (n_pairs,) of int
        The numbers of each pair's query and title.
    clicked : csr_array of bool, (n_queries, n_titles)
        Whether each title was ever clicked for each query.
    """

    queries: Sentences
    titles: Sentences
    query: np.ndarray
    title: np.ndarray
    clicked: scipy.sparse.csr_array


def from_pairs(pairs, hashing, dtype: DTypeLike = "float32"):
    """Convert (query, title) pairs to a ClickLog; texts are numbered in order of first appearance.

    The pairs may come from a file that is larger than memory, because each text is kept only as
    word ids and a 16-byte hash, which identifies texts with equal words.
    """
    sides = _Side(hashing), _Side(hashing)
    for pair in pairs:
        for side, text in zip(sides, pair):
            side.add(text)
    (queries, query), (titles, title) = (side.distinct(dtype) for side in sides)
    shape = len(queries.starts) - 1, len(titles.starts) - 1
    clicked = scipy.sparse.csr_array((np.ones(len(query), bool), (query, title)), shape)
    return ClickLog(queries, titles, query, title, clicked)


class _Side:
    """The queries or the titles of a click log, added one by one.

    Attributes
    ----------
    vocabulary : dict
        The number of each word.
    ids, starts
        The word ids of all texts, concatenated, and the index at which each text starts.
    keys
        A 16-byte hash per text; texts with equal words have equal hashes.
    """

    def __init__(self, hashing):
        self.hashing, self.vocabulary = hashing, sentences.numbered()
        self.ids, self.starts, self.keys = array("i"), array("q", [0]), bytearray()

    def add(self, text):
        """Add the text of one pair."""
        words = self.hashing.words(text)
        self.ids.extend(map(self.vocabulary.__getitem__, words))
        self.starts.append(len(self.ids))
        plain = " ".join(words).encode("utf-8", "surrogatepass")
        self.keys += hashlib.blake2b(plain, digest_size=16).digest()

    def distinct(self, dtype):
        """Return the distinct texts as Sentences, and the number of each added text among them."""
        keys = np.frombuffer(self.keys, "S16")
        _, first, of_keys = np.unique(keys, return_index=True, return_inverse=True)
        which = np.sort(first)
        number = np.searchsorted(which, first)[of_keys]
        ids = np.frombuffer(self.ids, np.int32) if self.ids else np.empty(0, np.int32)
        lengths = np.diff(np.array(self.starts, np.intp))
        kept = np.zeros(len(lengths), bool)
        kept[which] = True
        ids, starts = ids[np.repeat(kept, lengths)], np.append(0, np.cumsum(lengths[which]))
        return sentences.from_ids(self.vocabulary, ids, starts, self.hashing, dtype), number


def check_known(log):
    """Raise InputError if all queries, or all titles, lack known letter trigrams."""
    for name, texts in (("query", log.queries), ("title", log.titles)):
        if not texts.Wh.nnz:
            raise InputError(f"pairs: no {name} has a letter trigram that the model knows")


def check_negatives(log, pairs, n_negatives):
    """Raise InputError unless every query has ``n_negatives`` unclicked titles.

    For "batch", one query with one unclicked title is enough. ``pairs`` are the training pairs.
    """
    n_clicked = np.diff(log.clicked.indptr)
    if n_negatives == "batch":
        is_short = n_clicked[log.query[pairs]].min() == len(np.unique(log.title[pairs]))
        why = "every query has clicked all titles of the training pairs, so nothing is unclicked"
    else:
        n_unclicked = log.clicked.shape[1] - n_clicked.max()
        is_short = n_negatives > n_unclicked
        why = f"a query has only {n_unclicked} unclicked titles in the training pairs"
    if is_short:
        raise InputError(f"n_negatives: {n_negatives!r}; {why}")


def of_epoch(log, pairs, batch_size, n_negatives, rng):
    """Yield the minibatches of an epoch: the pairs in random order, with unclicked titles.

    Parameters
    ----------
    pairs : (n,) of int
        The numbers of the training pairs.
    n_negatives : int or "batch"
        The number of titles to draw for each pair from all titles that its query has never clicked;
        or "batch" for all such titles in the minibatch.
    """
    pairs = rng.permutation(pairs)
    if n_negatives != "batch":
        drawn = sample_unclicked(log, log.query[pairs], n_negatives, rng)
    for start in range(0, len(pairs), batch_size):
        now = slice(start, start + batch_size)
        clicked = log.title[pairs[now]]
        which_q, query = np.unique(log.query[pairs[now]], return_inverse=True)
        if n_negatives == "batch":
            which_d, clicked = np.unique(clicked, return_inverse=True)
            unclicked = ~log.clicked[which_q][:, which_d].toarray()[query]
        else:
            which_d, row = np.unique(np.column_stack([clicked, drawn[now]]), return_inverse=True)
            row = row.reshape(len(query), -1)
            clicked, unclicked = row[:, 0], row[:, 1:]
        queries, titles = side_by_side(log.queries, which_q), side_by_side(log.titles, which_d)
        yield Examples(queries, titles, query, clicked, unclicked)


def n_teaching(examples):
    """Count the pairs of a minibatch that have an unclicked title; the others have cost 0."""
    unclicked = examples.unclicked
    return int(unclicked.any(axis=1).sum()) if unclicked.dtype == bool else len(unclicked)


def sample_unclicked(log, query, n, rng):
    """Draw n distinct titles for each query, uniformly from the titles not clicked for it.

    Returns
    -------
    (len(query), n) of int
    """
    _, size = log.clicked.shape
    drawn = rng.integers(size, size=(len(query), n))
    again = np.ones(len(query), bool)
    for _ in range(20):  # redraw rows with a clicked or repeated title
        is_clicked = log.clicked[query[again, None], drawn[again]].toarray().any(axis=1)
        ordered = np.sort(drawn[again], axis=1)
        is_repeated = (ordered[:, 1:] == ordered[:, :-1]).any(axis=1)
        again[again] = is_clicked | is_repeated
        if not again.any():
            return drawn
        drawn[again] = rng.integers(size, size=(int(again.sum()), n))
    for r in np.flatnonzero(again):  # fallback for queries with clicks on nearly all titles
        unclicked = np.setdiff1d(np.arange(size), clicked_by(log, query[r]))
        drawn[r] = rng.choice(unclicked, n, replace=False)
    return drawn


def clicked_by(log, q):
    """Return the distinct titles that were clicked for query q, sorted."""
    return log.clicked.indices[log.clicked.indptr[q] : log.clicked.indptr[q + 1]]
