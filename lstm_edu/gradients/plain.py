"""The cost (1)-(5) in plain form, by the arrays of NumPy or of autograd.

It is written as a reader of the paper would: by the paper's names and the cell's step, texts of one
length at a time. Neither layout nor shortcut is shared with the gradient by hand, which is compared
with the derivative of this cost: by autograd in `lstm_edu.gradients.autodiff`, by differences in
`lstm_edu.gradients.check`.
"""

from typing import Any, NamedTuple

import numpy as np


class Pairs(NamedTuple):
    """Who clicked what: distinct texts of both sides, and each pair's rows of them.

    Attributes
    ----------
    queries, documents : list of str
    query : (N,) of int
    clicked : (N,) of int
    unclicked : (N, n) of int
    """

    queries: list
    documents: list
    query: np.ndarray
    clicked: np.ndarray
    unclicked: np.ndarray


def pairs_of(queries, clicked, unclicked):
    """Number the distinct texts of some pairs in the order in which they come."""
    row_q = {text: k for k, text in enumerate(dict.fromkeys(queries))}
    titles = dict.fromkeys([*clicked, *(title for some in unclicked for title in some)])
    row_d = {text: k for k, text in enumerate(titles)}
    return Pairs(
        list(row_q),
        list(row_d),
        np.array([row_q[q] for q in queries]),
        np.array([row_d[d] for d in clicked]),
        np.array([[row_d[d] for d in some] for some in unclicked], int),
    )


class Outputs(NamedTuple):
    """The embeddings of some texts, (N, size), and each text's outputs at its words, (T, size)."""

    y: Any
    words: Any = None


def by_length(texts, counts):
    """Group texts by their number of words.

    Parameters
    ----------
    texts : list of lists of str
    counts : function
        Returns l of some words, a row each.

    Returns
    -------
    list of (which, L)
        The numbers of the texts, and l of their first words, of their second words, …
    """
    lengths = np.array([len(text) for text in texts])
    groups = []
    for T in np.unique(lengths):
        which = np.flatnonzero(lengths == T)
        groups.append((which, [counts([texts[k][t] for k in which]) for t in range(T)]))
    return groups


def cut(params, fixed, truncate):
    """Return the function that `Cell.read_many` takes: what reads a word with so many after it.

    These are ``params``, and ``fixed`` where errors do not go back so far.
    """
    return lambda left: params if truncate is None or left <= truncate else fixed


def read(xp, model, params, groups):
    """Read all texts of one side of a model.

    Parameters
    ----------
    xp : module
        Whose arrays are computed with: ``numpy`` or ``autograd.numpy``.
    model : Model
    params : function
        As `cut` returns it.
    groups : list
        As `by_length` returns it.

    Returns
    -------
    Outputs
    """
    cell, y, words = model.cell, [], []
    for which, L in groups:
        outputs = cell.read_many(xp, params, L) if L else []
        nothing = np.zeros((len(which), cell.size), model.dtype)
        y.append(cell.embedding(xp, params, outputs) if L else nothing)
        if model.relevance.words:
            words += list(xp.stack(outputs, axis=1)) if L else [nothing[:0]] * len(which)
    place = np.argsort(np.concatenate([which for which, _ in groups]))
    return Outputs(xp.concatenate(y)[place], [words[k] for k in place] if words else None)


def is_zero(xp, y):
    """Tell which rows count as zero, as their square vanishes, (n, 1) of bool."""
    return xp.sum(xp.real(y * y), axis=1, keepdims=True) < np.finfo(y.dtype).tiny


def norm(xp, y):
    """Return the length of each row, (n, 1); that of a zero one is infinite, without a gradient."""
    zero = is_zero(xp, y)
    square = xp.where(zero, 1.0, xp.sum(y * y, axis=1, keepdims=True))
    return xp.where(zero, np.inf, xp.sqrt(square))


def cost(xp, relevance, q, d, pairs, gamma):
    """Eq. (4)-(5), from the `Outputs` of both sides."""
    titles = np.column_stack([pairs.clicked, pairs.unclicked])
    R = relevance.of_pairs(xp, q, d, pairs.query, titles)
    # the exponent 0 is that of the 1 in (5)
    exponents = xp.concatenate([0 * R[:, :1], gamma * (R[:, 1:] - R[:, :1])], axis=1)
    largest = xp.max(exponents, axis=1, keepdims=True)  # for large gamma
    total = xp.sum(xp.exp(exponents - largest), axis=1)
    return xp.sum(largest[:, 0] + xp.log(total))
