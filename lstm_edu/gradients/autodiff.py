"""The same gradient by automatic differentiation.

The only derivative written here is that of a sparse product. The way from texts to cost is written
once more, as a reader of the paper would: each cell's ``step_of_many`` by the paper's names, one
column of Fig. 13 (Q, D+, D1-, ..., Dn-) after the other, every text padded to the longest of its
column. Neither layout nor shortcut is shared with the gradient by hand, which is held against this
one.
"""

# autograd makes its functions at run time
# pyright: reportAttributeAccessIssue=false, reportCallIssue=false

from typing import Any, NamedTuple

import autograd.numpy as np
from autograd import value_and_grad
from autograd.extend import defvjp, notrace_primitive, primitive

from .cost import warn_of_zeros


class Read(NamedTuple):
    """A column of texts that were read: embeddings (N, size); and, where the model's relevance
    wants them, the outputs at every word, (N, T, size), and how many words each text has, (N,).
    """

    y: Any
    words: Any = None
    lengths: Any = None


@primitive
def sparse_product(S, x):
    """S x for a constant sparse S."""
    return S @ x


defvjp(sparse_product, None, lambda ans, S, x: lambda g: S.T @ g)


class Counts:
    """Letter trigrams of words, a row each: l, for which ``l @ W.T`` can be differentiated."""

    def __init__(self, S):
        self.S = S

    def __matmul__(self, x):
        return sparse_product(self.S, x)


@notrace_primitive
def constant(x):
    """x, through which no error goes back."""
    return x


def cost_and_gradient(model, queries, clicked, unclicked, gamma, truncate=None):
    """As `lstm_edu.cost_and_gradient`.

    Returns
    -------
    cost : float
    gradient : tuple of two dicts of arrays
        For query and document, by the paper's names.
    """
    texts = queries, clicked, *zip(*unclicked)
    columns = [[model.hashing.words(text) for text in column] for column in texts]
    fixed = dict(model.query.params), dict(model.document.params)

    def cost(params):
        Q, *D = (
            read(model, params[k > 0], column, truncate, fixed[k > 0])
            for k, column in enumerate(columns)
        )
        R_clicked, *R_unclicked = (model.relevance.of_many(Q, column) for column in D)
        return loss(R_clicked, R_unclicked, gamma)

    return value_and_grad(cost)(fixed)


def read(model, params, texts, truncate, fixed):
    """A column of texts, lists of words, by one side of a model.

    Parameters
    ----------
    model : Model
    params : mapping of arrays, by the paper's names
    texts : list of lists of str
    truncate : int or None
    fixed : mapping of arrays
        The parameters by which words beyond ``truncate`` are read.
    """

    def counts(column):
        return Counts(model.hashing.operator(column, model.dtype))

    given = params, texts, counts, truncate, fixed
    y = model.cell.embed_many(np, *given)
    if not model.relevance.words:
        return Read(y)
    words = model.cell.words_of_many(np, *given)
    return Read(y, words, np.array([len(text) for text in texts]))


def cosine(yq, yd):
    """Eq. (3), row by row, (N,); 0 for a zero embedding, and so is its gradient."""
    a, qq, dd = (np.sum(u * v, axis=1) for u, v in ((yq, yd), (yq, yq), (yd, yd)))
    zero = constant(np.minimum(qq, dd)) < np.finfo(yq.dtype).tiny
    if zero.any():
        warn_of_zeros(zero)
    lengths = np.sqrt(np.where(zero, 1.0, qq)), np.sqrt(np.where(zero, 1.0, dd))
    return np.where(zero, 0.0, a) / lengths[0] / lengths[1]


def aligned(q, d):
    """R of aligned words, row by row, (N,), of two `Read`; 0 for a text without words."""
    x, titles = unit(q.words), unit(d.words)
    N, T, S = x.shape[0], x.shape[1], titles.shape[1]
    if not T or not S:
        return np.zeros(N)
    R = np.matmul(x, np.transpose(titles, (0, 2, 1)))
    there = np.arange(S) < d.lengths[:, None, None]
    at = np.argmax(np.where(there, nearness(x, titles), -np.inf), axis=2)  # the first of equals
    near = R[np.arange(N)[:, None], np.arange(T), at]
    counted = (np.arange(T) < q.lengths[:, None]) & (d.lengths[:, None] > 0)
    return np.sum(np.where(counted, near, 0.0), axis=1) / np.maximum(q.lengths, 1)


@notrace_primitive
def nearness(x, titles):
    """The products of all words, (N, T, S), to the bit the same for equal ones, without BLAS.

    No error goes back through them.
    """
    each = [(x * titles[:, s, None]).sum(axis=2) for s in range(titles.shape[1])]
    return np.stack(each, axis=2)


def unit(y):
    """Vectors of length 1, along the last axis; a zero one stays, and has no gradient."""
    square = np.sum(y * y, axis=-1, keepdims=True)
    zero = constant(square) < np.finfo(y.dtype).tiny
    return y / np.sqrt(np.where(zero, np.inf, square))


def loss(R_clicked, R_unclicked, gamma):
    """Eq. (4)-(5), from the cosines (N,) with the clicked and each of the unclicked titles."""
    exponents = [gamma * (R - R_clicked) for R in R_unclicked]
    highest = np.max(np.array(exponents), axis=0, initial=0.0)
    largest = constant(np.maximum(0.0, highest))  # for large gamma
    total = np.exp(-largest) + sum(np.exp(e - largest) for e in exponents)
    return np.sum(largest + np.log(total))
