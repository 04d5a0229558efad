"""Words aligned with words (late interaction, as ColBERT has it): R(Q, D) of every word's output.

    R(Q, D) = 1/T_Q sum_t max_s cos(y_Q(t), y_D(s))

Each word of the query looks for the one word of the title that is nearest to it. Of its error only
that one gets a part. Of several with one and the same output it is the first; where different
outputs are equally near, rounding decides. With (3) beside it R is the mean of both: of this and of
the cosine of the embeddings, so that it stays between -1 and 1 and gamma means the same. A text
without words has R = 0 with all others.

With x = y / |y| and g(t, D) = dL/dR(Q, D) / T_Q, where m(t, D) is the word found,

    dL/dx_Q(t) = sum_D g(t, D) x_D(m(t, D))
    dL/dx_D(s) = sum of g(t, D) x_Q(t) over all words t of all queries that have found s
    dL/dy = (dL/dx - (x^T dL/dx) x) / |y|

The cosines of all words with all words are never there together: a title's words are taken one
after the other, and of each word of a query the nearest so far is kept. And of a minibatch some
queries at a time are gone through, to the end: so that beside the outputs, some five times over, no
more than some 80 MB are held (float32; a few arrays of `MOST` numbers), whatever its size, unless
the words of one query, or its pairs, times the titles are more than that.
"""

from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import scipy.sparse

from ..text import batch as batches
from . import cost
from .plain import norm
from .relevance import Cosine, Read

MOST = 1 << 21  # words of queries, or their pairs, times titles: held against each other at a time
DRAWN = 16  # queries at a time where each has titles of its own: they are held against all of these
AT_ONCE = 1 << 22  # cosines at a time where one query is held against encoded titles


class Words(NamedTuple):
    """Texts that were encoded, word by word, one after the other.

    Attributes
    ----------
    y : (n_words, size)
        The output at every word.
    starts : (n_texts + 1,) of int
        The words of text k are ``y[starts[k]:starts[k + 1]]``.
    embeddings : (n_texts, size), or None
        Where (3) has its part.
    """

    y: np.ndarray
    starts: np.ndarray
    embeddings: np.ndarray | None = None


@dataclass(frozen=True)
class Aligned(Cosine):
    """R(Q, D) by aligned words.

    Parameters
    ----------
    embedding : bool
        Whether the cosine of the embeddings, (3), makes half of it.
    """

    embedding: bool = False

    words = True

    # ---- by hand

    def cost_gradient(self, q, d, examples, gamma):
        """As `Cosine.cost_gradient`."""
        x, lengths = zip(*(cost.normalise(read.words) for read in (q, d)))
        e, norms = zip(*(cost.normalise(read.y) for read in (q, d))) if self.embedding else [()] * 2
        dx, de = [np.zeros_like(own) for own in x], [np.zeros_like(own) for own in e]
        l = np.empty(len(examples.query), x[0].dtype)
        again = _said_before(x[1], batches.sentence(examples.documents))
        for block in _blocks(examples):
            l[block.pairs] = self._add_block(block, gamma, x, dx, e, de, again)
        dwords = [_through_length(*of) for of in zip(dx, x, lengths)]
        if self.embedding:
            dy = [_through_length(*of) for of in zip(de, e, norms)]
        else:
            dy = [np.zeros_like(read.y) for read in (q, d)]
        return l, tuple(map(Read, dy, dwords))

    def _add_block(self, block, gamma, x, dx, e, de, again):
        """The loss of a block's pairs; the errors of its words, and of its embeddings, are added.

        A function, so that nothing of a block is held while the next one is gone through.
        """
        xq, xd = x[0][block.q_tokens], x[1][block.d_tokens]
        again = again[block.d_tokens]
        near, at = _nearest(xq, xd, again, block.d_offsets, len(block.titles))
        R = block.mean @ near
        if self.embedding:
            R = (R + e[0][block.queries] @ e[1][block.titles].T) / 2
        l, dR = _loss_gradient(R, block, gamma)
        if self.embedding:
            dR = dR / 2
            de[0][block.queries] += dR @ e[1][block.titles]
            de[1][block.titles] += dR.T @ e[0][block.queries]
        g = block.mean.T @ dR
        n = np.diff(block.d_offsets).max(initial=0)  # titles that have words
        parts = g[:, :n].ravel(), at[:, :n].ravel(), n * np.arange(len(g) + 1)
        of_words = scipy.sparse.csr_array(parts, shape=(len(xq), len(xd)))
        dx[0][block.q_tokens] += of_words @ xd
        dx[1][block.d_tokens] += of_words.T @ xq
        return l

    # ---- in plain form

    def of_pairs(self, xp, q, d, query, titles):
        """As `Cosine.of_pairs`."""
        words = [[(q.words[k], d.words[j]) for j in row] for k, row in zip(query, titles)]
        R = xp.array([[_plain(xp, *both) for both in row] for row in words])
        return (R + super().of_pairs(xp, q, d, query, titles)) / 2 if self.embedding else R

    # ---- of texts to be ranked

    def encoded(self, cell, weights, batch):
        """As `Cosine.encoded`: `Words`."""
        y, tape = cell.forward(weights, batch)
        starts = np.append(0, np.cumsum(batches.as_asked_for(batch, batch.lengths)))
        words, own = np.empty_like(tape.y), batches.sentence(batch)
        words[starts[batch.order[own]] + batches.time(batch)] = tape.y
        return Words(words, starts, batches.as_asked_for(batch, y) if self.embedding else None)

    def joined(self, parts):
        """As `Cosine.joined`."""
        y, starts, embeddings = zip(*parts)
        ends = np.cumsum(np.concatenate([np.diff(own) for own in starts]))
        both = np.concatenate(embeddings) if self.embedding else None
        return Words(np.concatenate(y), np.append(0, ends), both)

    def chosen(self, encoded, which):
        """As `lstm_edu.gradients.relevance.Cosine.chosen`."""
        which, lengths = np.array(which, int), np.diff(encoded.starts)
        starts = np.append(0, np.cumsum(lengths[which]))
        shift = np.repeat(encoded.starts[which] - starts[:-1], lengths[which])
        embeddings = encoded.embeddings[which] if self.embedding else None
        return Words(encoded.y[np.arange(starts[-1]) + shift], starts, embeddings)

    def of_each(self, q, d):
        """As `Cosine.of_each`."""
        x, titles = cost.normalise(q.y)[0], cost.normalise(d.y)[0]
        e = [cost.normalise(side.embeddings)[0] for side in (q, d)] if self.embedding else None
        for k, (start, end) in enumerate(zip(q.starts[:-1], q.starts[1:])):
            R = _of_one(x[start:end], titles, d.starts)
            yield np.clip((R + e[1] @ e[0][k]) / 2 if self.embedding else R, -1, 1)


class _Block(NamedTuple):
    """Some queries of a minibatch and the titles that they are held against, the longest first.

    Attributes
    ----------
    pairs : (n,) of int
        The pairs of these queries.
    row, clicked : (n,) of int
        Of each of them its query, and its clicked title, in this block.
    unclicked : (n, k) of int, or (n, n_titles) of bool
        Its unclicked titles, in this block.
    queries, titles : of int
        Which rows of the embeddings these are.
    q_tokens, d_tokens : of int
        Their words, time-major, in the minibatch's batches.
    d_offsets : (T + 1,)
        Where the titles' words of each time start in ``d_tokens``.
    mean : sparse, (n_queries, n_words)
        Its product with a number for each word of the queries is the mean of each query's.
    """

    pairs: np.ndarray
    row: np.ndarray
    clicked: np.ndarray
    unclicked: np.ndarray
    queries: np.ndarray
    titles: np.ndarray
    q_tokens: np.ndarray
    d_tokens: np.ndarray
    d_offsets: np.ndarray
    mean: scipy.sparse.csr_array


def _blocks(examples):
    """A minibatch as `_Block`s, each pair in one of them."""
    Q, D = examples.queries, examples.documents
    of_query, of_title = (np.argsort(batch.order) for batch in (Q, D))  # their ranks, longest first
    row, clicked = of_query[examples.query], of_title[examples.clicked]
    among_all = examples.unclicked.dtype == bool
    M, most = len(D.order), len(Q.order) if among_all else DRAWN
    for first, end in _ends(Q.lengths, np.bincount(row, minlength=len(Q.order)), M, most):
        pairs = np.flatnonzero((first <= row) & (row < end))
        own, titles = clicked[pairs], np.arange(M)
        if among_all:
            unclicked = examples.unclicked[pairs][:, D.order]
        else:
            drawn = of_title[examples.unclicked[pairs]]
            candidates = np.column_stack([own, drawn])
            titles, place = np.unique(candidates, return_inverse=True)
            place = place.reshape(candidates.shape)
            own, unclicked = place[:, 0], place[:, 1:]
        queries = np.arange(first, end)
        q_tokens, q_of, _ = _tokens(Q, queries)
        d_tokens, _, d_offsets = _tokens(D, titles)
        each = 1 / Q.lengths[queries][q_of]
        parts = each.astype(Q.Wh.dtype), (q_of, np.arange(len(q_of)))
        mean = scipy.sparse.csr_array(parts, shape=(len(queries), len(q_of)))
        places = Q.order[queries], D.order[titles]
        yield _Block(
            pairs, row[pairs] - first, own, unclicked, *places, q_tokens, d_tokens, d_offsets, mean
        )


def _ends(lengths, n_pairs, n_titles, most):
    """Where blocks of queries begin and end: of ``most`` at the most, and of `MOST` products.

    Parameters
    ----------
    lengths : (n_queries,) of int
        Words, the longest first.
    n_pairs : (n_queries,) of int
        How many pairs have each of them.
    """
    firsts, pairs = [0] * (len(lengths) > 0), n_pairs.cumsum()
    for k in range(1, len(lengths)):
        first = firsts[-1]
        n = k + 1 - first  # queries, none with more words than the first
        held = max(n * lengths[first], pairs[k] - pairs[first] + n_pairs[first])
        if n > most or held * n_titles > MOST:
            firsts.append(k)
    return pairwise([*firsts, len(lengths)])


def _tokens(batch, ranks):
    """The tokens of some sentences, sorted by rank, time-major; to which of these sentences each
    belongs; and where each time starts.
    """
    n = np.searchsorted(ranks, np.diff(batch.offsets))  # that still have a word at each time
    n = n[: np.count_nonzero(n)]  # until the longest of these has ended
    tokens = [batch.offsets[t] + ranks[:n_t] for t, n_t in enumerate(n)]
    of = [np.arange(n_t) for n_t in n]
    tokens, of = (np.concatenate([np.zeros(0, int), *some]) for some in (tokens, of))
    return tokens, of, np.append(0, n.cumsum())


def _said_before(d, title):
    """Whether an earlier word of its title has the same output, (n_tokens,) of bool.

    Products of equal vectors may differ in their last bits, as BLAS computes edges by itself.

    Parameters
    ----------
    d : (n_tokens, m)
        Of titles side by side, time-major.
    title : (n_tokens,) of int
    """
    rows = np.ascontiguousarray(d + 0)  # -0 becomes 0
    outputs = rows.view(f"V{d.itemsize * d.shape[1]}")[:, 0].tolist()
    first = {}
    said = enumerate(zip(title.tolist(), outputs))
    return np.array([first.setdefault(word, token) < token for token, word in said], bool)


def _nearest(q, d, again, offsets, n_titles):
    """The largest cosine of each word of the queries with each title's words, and where it is.

    Parameters
    ----------
    q : (n_words, m), of length 1
    d : (n_tokens, m), of length 1
        Of titles side by side, time-major.
    again : (n_tokens,) of bool
        Which of them are not looked at, see `_said_before`.
    offsets : (T + 1,)

    Returns
    -------
    near : (n_words, n_titles)
        0 for a title without words.
    at : (n_words, n_titles) of int
        Rows of d.
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


def _loss_gradient(R, block, gamma):
    """The loss of a block's pairs, and the gradient of their sum with respect to R."""
    R, pair = R[block.row], np.arange(len(block.row))
    of_clicked = R[pair, block.clicked][:, None]
    if block.unclicked.dtype == bool:
        l, alpha = cost.loss(of_clicked - R, gamma, block.unclicked)
        dR = -alpha
    else:  # the same title may be there twice
        drawn = pair[:, None], block.unclicked
        l, alpha = cost.loss(of_clicked - R[drawn], gamma)
        dR = np.zeros_like(R)
        np.subtract.at(dR, drawn, alpha)
    dR[pair, block.clicked] += alpha.sum(axis=1)
    return l, batches.sums(block.row, len(block.queries), R.dtype) @ dR


def _through_length(dx, x, length):
    """From the error of y / |y| to that of y; 0 for a zero y."""
    return (dx - (dx * x).sum(axis=1, keepdims=True) * x) / length


def _of_one(x, titles, starts):
    """R of one query with all titles, (n_titles,); its words and theirs are of length 1."""
    R = np.zeros(len(starts) - 1, titles.dtype)
    some = np.flatnonzero(np.diff(starts))  # that have words
    if not len(x) or not len(some):
        return R
    n = max(1, AT_ONCE // len(x))  # words of titles at a time
    first = 0
    while first < len(some):
        begin = starts[some[first]]
        last = max(first + 1, int(np.searchsorted(starts[some + 1], begin + n, side="right")))
        block = some[first:last]
        R_words = x @ titles[begin : starts[block[-1] + 1]].T
        R[block] = np.maximum.reduceat(R_words, starts[block] - begin, axis=1).mean(axis=0)
        first = last
    return R


def _plain(xp, q, d):
    """R of the words of a query and of a title, (T_Q, size) and (T_D, size), in plain form."""
    if not len(q) or not len(d):
        return 0.0
    # no BLAS: equal outputs are equally near
    R = xp.sum((q / norm(xp, q))[:, None] * (d / norm(xp, d)), axis=2)
    return xp.mean(R[np.arange(len(q)), xp.argmax(xp.real(R), axis=1)])
