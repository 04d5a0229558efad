"""Compute a minibatch's gradient with autograd (`lstm_edu.gradients.autodiff`).

Autograd differentiates Eqs. (1)-(5) as a reader of the paper would write them. The only shortcut is
that W has rows only for the minibatch's trigrams.
"""

from types import SimpleNamespace

import numpy as np

from lstm_edu.cells.lstm import NUMBERS
from lstm_edu.gradients import autodiff
from lstm_edu.gradients.relevance import COSINE


def gradient_of(model, texts, examples):
    """Return a function with `minibatch_gradient`'s signature that computes one batch's gradient.

    Parameters
    ----------
    model : DualEncoder
        A model with LSTMs.
    texts : tuple
        The minibatch: queries, clicked, unclicked.
    examples : Examples
        The same minibatch, converted to arrays.
    """
    touched = [batch.compact()[0] for batch in (examples.queries, examples.documents)]
    rows, cell = np.union1d(*touched), model.cell
    at, known = [np.searchsorted(rows, of_side) for of_side in touched], {}

    def operator(words, dtype):
        """Look up the words' trigrams once, outside the timed step."""
        if tuple(words) not in known:
            known[tuple(words)] = model.hashing.operator(words, dtype)[:, rows]
        return known[tuple(words)]

    hashing = SimpleNamespace(operator=operator, words=model.hashing.words)

    def side_of(weights, at):
        W = np.zeros((len(rows), weights["W"].shape[1]), weights["W"].dtype)
        W[at] = weights["W"]
        return SimpleNamespace(params=cell.params(weights | {"W": W}))

    def side_by_side(g, name):
        return np.concatenate([g[f"{name}{NUMBERS[k]}"].T for k in cell.columns], axis=-1)

    def gradient(sides, examples, gamma, *_):
        query, document = (side_of(side.weights, places) for side, places in zip(sides, at))
        how = {"cell": cell, "hashing": hashing, "relevance": COSINE, "dtype": model.dtype}
        both = SimpleNamespace(query=query, document=document, **how)
        cost, found = autodiff.cost_and_gradient(both, *texts, gamma)
        found = [{n: side_by_side(g, n) for n in side.weights} for g, side in zip(found, sides)]
        return np.array([cost]), [g | {"W": g["W"][places]} for g, places in zip(found, at)]

    return gradient
