"""The same gradient by automatic differentiation; the only derivative written here is that of a sparse product.

The way from texts to cost is written once more, as a reader of the paper would: each gate of (1)-(2) by the
paper's names, one column of Fig. 13 (Q, D+, D1-, ..., Dn-) after the other, every text padded to the longest of its
column. Neither layout nor shortcut is shared with the gradient by hand, which is held against this one.
"""

import autograd.numpy as np
from autograd import value_and_grad
from autograd.extend import defvjp, notrace_primitive, primitive

from ..cells.bidirectional import DIRECTIONS, Bidirectional, part
from ..cells.rnn import RNN
from ..text.hashing import words
from .cost import warn_of_zeros


@primitive
def sparse_product(S, x):
    """S x for a constant sparse S."""
    return S @ x


defvjp(sparse_product, None, lambda ans, S, x: lambda g: S.T @ g)


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
    columns = [[words(text) for text in texts] for texts in (queries, clicked, *zip(*unclicked))]

    def cost(params):
        Q, *D = (
            embed(model.cell, params[k > 0], column, model.hashing, truncate)
            for k, column in enumerate(columns)
        )
        R_clicked, *R_unclicked = (cosine(Q, y) for y in D)
        return loss(R_clicked, R_unclicked, gamma)

    return value_and_grad(cost)((dict(model.query.params), dict(model.document.params)))


def loss(R_clicked, R_unclicked, gamma):
    """Eq. (4)-(5), from the cosines (N,) with the clicked and each of the unclicked titles."""
    exponents = [gamma * (R - R_clicked) for R in R_unclicked]
    largest = constant(
        np.maximum(0.0, np.max(np.array(exponents), axis=0, initial=0.0))
    )  # for large gamma
    return np.sum(largest + np.log(np.exp(-largest) + sum(np.exp(e - largest) for e in exponents)))


def cosine(yq, yd):
    """Eq. (3), row by row, (N,); 0 for a zero embedding, and so is its gradient."""
    a, qq, dd = (np.sum(u * v, axis=1) for u, v in ((yq, yd), (yq, yq), (yd, yd)))
    zero = constant(np.minimum(qq, dd)) < np.finfo(yq.dtype).tiny
    if zero.any():
        warn_of_zeros(zero)
    return (
        np.where(zero, 0.0, a) / np.sqrt(np.where(zero, 1.0, qq)) / np.sqrt(np.where(zero, 1.0, dd))
    )


def embed(cell, params, sentences, hashing, truncate=None):
    """Embeddings of lists of words, (N, size)."""
    if isinstance(cell, Bidirectional):
        ways = zip(DIRECTIONS, (sentences, [sentence[::-1] for sentence in sentences]))
        return np.concatenate(
            [
                embed(cell.cell, part(params, direction), turned, hashing, truncate)
                for direction, turned in ways
            ],
            axis=1,
        )
    step = rnn_step if isinstance(cell, RNN) else lstm_step
    dtype = next(iter(params.values())).dtype
    lengths = np.array([len(sentence) for sentence in sentences])
    y = c = np.zeros((len(sentences), cell.n_cells), dtype)
    for t in range(max(lengths)):
        l = hashing.operator(
            [sentence[t] if t < len(sentence) else "" for sentence in sentences], dtype
        )
        y_new, c_new = step(params, l, y, c)
        left = (lengths - 1 - t)[:, None]  # words after this one
        y, c = np.where(left >= 0, y_new, y), np.where(left >= 0, c_new, c)
        if truncate is not None:
            y, c = (np.where(left > truncate, constant(state), state) for state in (y, c))
    return y


def rnn_step(p, l, y, c):
    """Eq. (1) for many sentences; c goes along unused."""
    return np.tanh(sparse_product(l, p["W"].T) + np.dot(y, p["Wrec"].T) + p["b"]), c


def lstm_step(p, l, y, c):
    """Eq. (2) for many sentences, l of (N, n_trigrams), y and c of (N, n_cells)."""

    def z(k):
        return sparse_product(l, p["W" + k].T) + np.dot(y, p["Wrec" + k].T) + p["b" + k]

    def peephole(k, c):
        if "Wp" + k not in p:
            return 0.0
        return np.dot(c, p["Wp" + k].T) if p["Wp" + k].ndim == 2 else c * p["Wp" + k]

    yg = np.tanh(z("4"))
    i = sigmoid(z("3") + peephole("3", c))
    f = sigmoid(z("2") + peephole("2", c)) if "W2" in p else 1.0
    c = f * c + i * yg
    o = sigmoid(z("1") + peephole("1", c))
    return o * np.tanh(c), c


def sigmoid(x):
    """1 / (1 + exp(-x)), which does not overflow."""
    return 0.5 * (1 + np.tanh(0.5 * x))
