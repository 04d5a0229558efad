"""The cost, Eq. (1)-(5), in plain form, with NumPy or autograd.

It follows the paper directly: it uses the paper's names and the cell's step, and reads texts of
equal length together. It shares neither layout nor shortcuts with the hand-derived gradient. Tests
compare that gradient with the derivative of this cost, computed with autograd
(`lstm_edu.gradients.autodiff`) and with complex steps (`lstm_edu.gradients.check`).
"""

from typing import Any, NamedTuple

import numpy as np

from ..text.sentences import rows
from .cost import warn_of_zeros


class Examples(NamedTuple):
    """A minibatch: the distinct texts of both sides, and the clicked and unclicked pairs.

    Attributes
    ----------
    queries, documents : list of str, or Batch
    query : (N,) of int
        Each pair's query, as an index into ``queries``.
    clicked : (N,) of int
        Each pair's clicked title, as an index into ``documents``.
    unclicked : (N, n) of int, or (N, M) of bool
        As in `lstm_edu.gradients.cost.cost_gradient`.
    """

    queries: Any
    documents: Any
    query: np.ndarray
    clicked: np.ndarray
    unclicked: np.ndarray


class Read(NamedTuple):
    """The outputs for the texts of one side, or the errors of these outputs.

    Attributes
    ----------
    y : (N, size)
        The embeddings, in the order in which the texts were given.
    words : (n_tokens, size), or list of (T, size), or None
        The outputs at all words, in the batch's order or per text; None unless R needs them.
    """

    y: Any
    words: Any = None


def examples_of(queries, clicked, unclicked):
    """Make `Examples` from texts, which are numbered in order of appearance."""
    row_q = rows(queries)
    row_d = rows([*clicked, *(title for titles in unclicked for title in titles)])
    return Examples(
        list(row_q),
        list(row_d),
        np.array([row_q[q] for q in queries]),
        np.array([row_d[d] for d in clicked]),
        np.array([[row_d[d] for d in titles] for titles in unclicked], int),
    )


def by_length(texts, counts):
    """Group texts by their number of words.

    Parameters
    ----------
    texts : list of lists of str
    counts : function
        Returns the trigram counts l of words, one row per word.

    Returns
    -------
    list of (which, L)
        For each length: the indices of the texts of that length, and a list of l for their first
        words, second words, …
    """
    lengths = np.array([len(text) for text in texts])
    groups = []
    for T in np.unique(lengths):
        which = np.flatnonzero(lengths == T)
        groups.append((which, [counts([texts[k][t] for k in which]) for t in range(T)]))
    return groups


def cut(params, fixed, truncate):
    """Make the argument ``params`` of `Cell.read_many`: a function of the number of words left.

    It returns ``params`` for the last ``truncate + 1`` words and ``fixed`` for earlier words.
    """
    return lambda left: params if truncate is None or left <= truncate else fixed


def read(xp, model, params, groups):
    """Compute the outputs for all texts of one side of a model.

    Parameters
    ----------
    xp : module
        ``numpy`` or ``autograd.numpy``.
    model : Model
    params : function
        As `cut` returns it.
    groups : list
        As `by_length` returns it.

    Returns
    -------
    Read
    """
    cell, y, words = model.cell, [], []
    for which, L in groups:
        outputs = cell.read_many(xp, params, L) if L else []
        nothing = np.zeros((len(which), cell.size), model.dtype)
        y.append(cell.embedding(xp, params, outputs) if L else nothing)
        if model.relevance.words:
            words += list(xp.stack(outputs, axis=1)) if L else [nothing[:0]] * len(which)
    place = np.argsort(np.concatenate([which for which, _ in groups]))
    return Read(xp.concatenate(y)[place], [words[k] for k in place] if words else None)


def cost_of(xp, model, texts, counts, truncate, gamma):
    """Return the cost as a function of a model's parameters, and these parameters.

    Parameters
    ----------
    xp : module
        As for `read`.
    model : Model
    texts : tuple of queries, clicked, unclicked
        As for `lstm_edu.cost_and_gradient`.
    counts : function
        As for `by_length`.
    truncate : int or None
    gamma : float

    Returns
    -------
    cost : function
        Takes a pair of dicts (each side's parameters, keyed by the paper's names) and returns the
        cost.
    params : pair of dicts
        The model's parameters, to be passed to ``cost``.
    """
    examples, words = examples_of(*texts), model.hashing.words
    groups = [by_length(list(map(words, side)), counts) for side in examples[:2]]
    fixed = dict(model.query.params), dict(model.document.params)

    def cost_at(params):
        at = (cut(*of_side, truncate) for of_side in zip(params, fixed))
        q, d = (read(xp, model, *of_side) for of_side in zip(at, groups))
        return cost(xp, model.relevance, q, d, examples, gamma)

    return cost_at, fixed


def norm(xp, y):
    """Compute the length of each row as an (n, 1) array.

    A row whose squared length underflows counts as zero. Its length is returned as infinity, so
    that it has no gradient.
    """
    zero = xp.sum(xp.real(y * y), axis=1, keepdims=True) < np.finfo(y.dtype).tiny
    if zero.any():
        warn_of_zeros(zero)
    square = xp.where(zero, 1.0, xp.sum(y * y, axis=1, keepdims=True))
    return xp.where(zero, np.inf, xp.sqrt(square))


def cost(xp, relevance, q, d, examples, gamma):
    """Compute the cost, Eq. (4)-(5), from the outputs of both sides."""
    titles = np.column_stack([examples.clicked, examples.unclicked])
    R = relevance.of_pairs(xp, q, d, examples.query, titles)
    # the exponent 0 gives the 1 in (5)
    exponents = xp.concatenate([0 * R[:, :1], gamma * (R[:, 1:] - R[:, :1])], axis=1)
    largest = xp.max(exponents, axis=1, keepdims=True)  # avoids overflow for large gamma
    total = xp.sum(xp.exp(exponents - largest), axis=1)
    return xp.sum(largest[:, 0] + xp.log(total))
