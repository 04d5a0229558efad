"""The relevance R(Q, D) from aligned words (late interaction, as in ColBERT).

    R(Q, D) = 1/T_Q sum_t max_s cos(y_Q(t), y_D(s))

Each query word is aligned with the nearest title word, and only that word receives an error. Among
title words with equal outputs, the first is taken; among different outputs at the same distance,
rounding decides. R can also be the mean of this score and (3), the cosine of the embeddings; it
then stays between -1 and 1, so that gamma keeps its meaning. R is 0 if either text has no words.

Let x = y / |y|, let m(t, D) be the title word that is aligned with query word t, and let
g(t, D) = dL/dR(Q, D) / T_Q. Then

    dL/dx_Q(t) = sum_D g(t, D) x_D(m(t, D))
    dL/dx_D(s) = sum of g(t, D) x_Q(t) over all query words t that are aligned with s
    dL/dy = (dL/dx - (x^T dL/dx) x) / |y|

Memory is bounded. All query words are compared with the titles' first words, then with their second
words, and so on; only the nearest title word so far is stored per query word and title. A minibatch
is processed in blocks of queries. Apart from five copies of the outputs, this takes about 80 MB, a
few float32 arrays of `MOST` numbers. It takes more if a single query's words (or pairs) times the
titles exceed `MOST`.
"""

from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import scipy.sparse

from ..text import batch as batches
from . import cost
from .plain import Read, norm
from .relevance import Cosine

MOST = 1 << 21  # maximum size of a block: query words (or pairs) times titles
DRAWN = 16  # maximum number of queries in a block if unclicked titles are drawn at random


class Words(NamedTuple):
    """Encoded texts: the outputs at all words, concatenated text by text.

    Attributes
    ----------
    y : (n_words, size)
        The output at every word.
    starts : (n_texts + 1,) of int
        The words of text k are ``y[starts[k]:starts[k + 1]]``.
    embeddings : (n_texts, size), or None
        The embeddings of the texts; None unless R includes (3), their cosine.
    """

    y: np.ndarray
    starts: np.ndarray
    embeddings: np.ndarray | None = None


@dataclass(frozen=True)
class Aligned(Cosine):
    """The relevance R(Q, D), computed from aligned words.

    Parameters
    ----------
    embedding : bool
        Whether R is averaged with (3), the cosine of the embeddings.
    """

    embedding: bool = False

    words = True

    # ---- hand-derived gradient

    def cost_gradient(self, q, d, examples, gamma):
        """Compute each pair's loss and the errors of the outputs; see `Cosine.cost_gradient`."""
        sides = (q, examples.queries), (d, examples.documents)
        x, lengths = zip(*(cost.normalise(read.words) for read, _ in sides))
        y = [read.y[batch.order] for read, batch in sides]
        e, norms = zip(*map(cost.normalise, y)) if self.embedding else ((None, None), None)
        errors = [[np.zeros_like(side) for side in kind] for kind in (x, y)]
        l = np.empty(len(examples.query), x[0].dtype)
        ranked, again = _ranked(examples), _said_before(x[1], batches.sentence(examples.documents))
        for queries in _blocks(ranked):
            is_here = (queries[0] <= ranked.query) & (ranked.query <= queries[-1])
            pairs = np.flatnonzero(is_here)
            block = ranked._replace(
                query=ranked.query[pairs] - queries[0],
                clicked=ranked.clicked[pairs],
                unclicked=ranked.unclicked[pairs],
            )
            l[pairs] = self._add_block(block, queries, gamma, x, e, again, *errors)
        dx, dy = errors
        if self.embedding:
            dy = map(_through_length, dy, e, norms)
        dy = (batches.as_asked_for(batch, e) for e, (_, batch) in zip(dy, sides))
        return l, tuple(map(Read, dy, map(_through_length, dx, x, lengths)))

    def _add_block(self, block, queries, gamma, x, e, again, dx, de):
        """Return the losses of a block's pairs, and add their errors to ``dx`` and ``de``.

        This is a separate function so that a block's arrays are freed before the next block.

        Parameters
        ----------
        block : Examples
            The block's pairs. ``query`` has positions in ``queries``; clicked and unclicked titles
            are given by rank (see `_ranked`).
        queries : (n,) of int
            The ranks of the block's queries.
        x, e, dx, de : pairs of arrays
            For queries and titles, the outputs at all words (x) and the embeddings (e), scaled to
            length 1, and their errors (dx, de).
        again : (n_tokens,) of bool
            Which title words to skip; see `_said_before`.
        """
        titles, clicked, unclicked = _titles(block)
        q_tokens, text, _ = _tokens(block.queries, queries)
        d_tokens, _, offsets = _tokens(block.documents, titles)
        xq, xd = x[0][q_tokens], x[1][d_tokens]
        near, at = _nearest(xq, xd, again[d_tokens], offsets, len(titles))
        # matrix that averages over the words of each query
        parts = 1 / block.queries.lengths[queries][text], (text, np.arange(len(text)))
        mean = scipy.sparse.csr_array(parts, (len(queries), len(text)), near.dtype)
        R = mean @ near
        if self.embedding:
            R = (R + e[0][queries] @ e[1][titles].T) / 2
        l, dR = cost.loss_gradient(R[block.query], clicked, unclicked, gamma)
        dR = batches.sums(block.query, len(queries), R.dtype) @ dR
        if self.embedding:
            dR = dR / 2
            de[0][queries] += dR @ e[1][titles]
            de[1][titles] += dR.T @ e[0][queries]
        g = mean.T @ dR
        n = np.diff(offsets).max(initial=0)  # number of titles with words
        parts = g[:, :n].ravel(), at[:, :n].ravel(), n * np.arange(len(g) + 1)
        of_words = scipy.sparse.csr_array(parts, shape=(len(xq), len(xd)))
        dx[0][q_tokens] += of_words @ xd
        dx[1][d_tokens] += of_words.T @ xq
        return l

    # ---- in plain form

    def of_pairs(self, xp, q, d, query, titles):
        """Compute R of each query with its titles, in plain form; see `Cosine.of_pairs`."""
        words = [[(q.words[k], d.words[j]) for j in row] for k, row in zip(query, titles)]
        R = xp.array([[_plain(xp, *pair) for pair in row] for row in words])
        return (R + super().of_pairs(xp, q, d, query, titles)) / 2 if self.embedding else R

    # ---- for ranking

    def encoded(self, cell, weights, batch):
        """Encode texts as `Words`; see `Cosine.encoded`."""
        y, tape = cell.forward(weights, batch)
        starts = np.append(0, np.cumsum(batches.as_asked_for(batch, batch.lengths)))
        words, text = np.empty((len(batch.token), cell.size), y.dtype), batches.sentence(batch)
        words[starts[batch.order[text]] + batches.time(batch)] = tape.y
        return Words(words, starts, batches.as_asked_for(batch, y) if self.embedding else None)

    def joined(self, parts):
        """Concatenate encoded texts."""
        y, starts, embeddings = zip(*parts)
        ends = np.cumsum(np.concatenate([np.diff(part) for part in starts]))
        joined = np.concatenate(embeddings) if self.embedding else None
        return Words(np.concatenate(y), np.append(0, ends), joined)

    def chosen(self, encoded, which):
        """Select encoded texts by their indices ``which``; see `Cosine.chosen`."""
        which, lengths = np.array(which, int), np.diff(encoded.starts)
        starts = np.append(0, np.cumsum(lengths[which]))
        shift = np.repeat(encoded.starts[which] - starts[:-1], lengths[which])
        embeddings = encoded.embeddings[which] if self.embedding else None
        return Words(encoded.y[np.arange(starts[-1]) + shift], starts, embeddings)

    def of_each(self, q, d):
        """Yield an (n_titles,) array of R for each query; see `Cosine.of_each`."""
        x, titles = cost.normalise(q.y)[0], cost.normalise(d.y)[0]
        e = [cost.normalise(side.embeddings)[0] for side in (q, d)] if self.embedding else None
        for k, (start, end) in enumerate(zip(q.starts[:-1], q.starts[1:])):
            R = _of_one(x[start:end], titles, d.starts)
            yield np.clip((R + e[1] @ e[0][k]) / 2 if self.embedding else R, -1, 1)


def _ranked(examples):
    """Renumber the texts of `Examples` by rank: their position in the batch, longest first."""
    of_query, of_title = np.argsort(examples.queries.order), np.argsort(examples.documents.order)
    unclicked = examples.unclicked
    is_flags = unclicked.dtype == bool
    return examples._replace(
        query=of_query[examples.query],
        clicked=of_title[examples.clicked],
        unclicked=unclicked[:, examples.documents.order] if is_flags else of_title[unclicked],
    )


def _blocks(examples):
    """Yield blocks of query indices that fit in memory.

    A block has at most `DRAWN` queries if unclicked titles are drawn. If it has several queries,
    the number of its words, and of its pairs, times the number of titles is at most `MOST`.
    """
    lengths, n_titles = examples.queries.lengths, len(examples.documents.lengths)
    pairs = np.bincount(examples.query, minlength=len(lengths))
    most, first, n_pairs = DRAWN if examples.unclicked.dtype != bool else len(lengths), 0, 0
    for k, n_new in enumerate(pairs):
        n = k + 1 - first  # number of queries in the block, whose first query is the longest
        n_rows = max(n * lengths[first], n_pairs + n_new)
        if n > 1 and (n > most or n_rows * n_titles > MOST):
            yield np.arange(first, k)
            first, n_pairs = k, 0
        n_pairs += n_new
    if len(lengths):
        yield np.arange(first, len(lengths))


def _titles(examples):
    """Return all pairs' titles, and each pair's clicked and unclicked titles as positions in them.

    If ``unclicked`` has flags, it is returned unchanged.
    """
    clicked, unclicked = examples.clicked, examples.unclicked
    if unclicked.dtype == bool:
        return np.arange(unclicked.shape[1]), clicked, unclicked
    titles, place = np.unique(np.column_stack([clicked, unclicked]), return_inverse=True)
    place = place.reshape(len(clicked), -1)
    return titles, place[:, 0], place[:, 1:]


def _tokens(batch, ranks):
    """Return the indices in a batch of some sentences' tokens, in time-major order.

    ``ranks`` are the sorted positions of the sentences in the batch. Also return the index into
    ``ranks`` of each token's sentence, and the offset at which each time step begins.
    """
    n = np.searchsorted(ranks, np.diff(batch.offsets))  # sentences with a word at each time
    n = n[: np.count_nonzero(n)]  # omit times after the longest sentence ends
    tokens = [batch.offsets[t] + ranks[:n_t] for t, n_t in enumerate(n)]
    of = [np.arange(n_t) for n_t in n]
    tokens, of = (np.concatenate([np.zeros(0, int), *parts]) for parts in (tokens, of))
    return tokens, of, np.append(0, n.cumsum())


def _said_before(d, title):
    """Return an (n_tokens,) mask of the outputs that equal an earlier output of the same title.

    These words are skipped, because BLAS may round the products of equal vectors differently.

    Parameters
    ----------
    d : (n_tokens, m)
        The outputs at the titles' words, time-major.
    title : (n_tokens,) of int
        The title of each word.
    """
    rows = np.ascontiguousarray(d + 0)  # + 0 turns -0 into 0
    outputs = rows.view(f"V{d.itemsize * d.shape[1]}")[:, 0].tolist()
    first = {}
    said = enumerate(zip(title.tolist(), outputs))
    return np.array([first.setdefault(word, token) < token for token, word in said], bool)


def _nearest(q, d, again, offsets, n_titles):
    """Find, for each query word and title, the largest cosine and the title word that has it.

    Parameters
    ----------
    q : (n_words, m)
        The outputs at the queries' words, scaled to length 1.
    d : (n_tokens, m)
        The outputs at the titles' words, time-major and scaled to length 1.
    again : (n_tokens,) of bool
        Which title words to skip; see `_said_before`.
    offsets : (T + 1,)
        The titles' words at time t are ``d[offsets[t]:offsets[t + 1]]``.

    Returns
    -------
    near : (n_words, n_titles)
        The largest cosine; 0 for a title without words.
    at : (n_words, n_titles) of int
        The row of d with that cosine.
    """
    near = np.zeros((len(q), n_titles), q.dtype)
    at = np.zeros(near.shape, np.int32)
    for start, end in pairwise(offsets):
        R, n = q @ d[start:end].T, end - start
        R[:, again[start:end]] = -np.inf
        better = R > near[:, :n] if start else True
        np.copyto(near[:, :n], R, where=better)
        np.copyto(at[:, :n], np.arange(start, end, dtype=np.int32), where=better)
    return near, at


def _through_length(dx, x, length):
    """Compute the error of y from dx, the error of x = y / |y|; return 0 if y is 0."""
    return (dx - (dx * x).sum(axis=1, keepdims=True) * x) / length


def _of_one(x, titles, starts):
    """Compute an (n_titles,) array of R for one query, from outputs scaled to length 1."""
    R, nonempty = np.zeros(len(starts) - 1, titles.dtype), np.flatnonzero(np.diff(starts))
    if len(x) and len(nonempty):
        nearest = np.maximum.reduceat(x @ titles.T, starts[nonempty], axis=1)
        R[nonempty] = nearest.mean(axis=0)
    return R


def _plain(xp, q, d):
    """Compute R in plain form from a query's (T_Q, size) and a title's (T_D, size) outputs."""
    if not len(q) or not len(d):
        return 0.0
    # compute without BLAS, so that equal outputs have equal cosines
    R = xp.sum((q / norm(xp, q))[:, None] * (d / norm(xp, d)), axis=2)
    return xp.mean(R[np.arange(len(q)), xp.argmax(xp.real(R), axis=1)])
