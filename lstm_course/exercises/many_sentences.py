"""Exercise for lesson 02: a batch of sentences of different lengths."""

import numpy as np

from lstm_edu.cells.rnn import RNN

from ..engine import slips
from ..engine.drawn import params_of


def _sentences():
    *several, one = (_of_lengths(np.random.default_rng(seed)) for seed in range(5))
    return [*several, one | {"L": one["L"][:1], "lengths": one["lengths"][:1]}]


def _of_lengths(rng):
    params = params_of(RNN(2), rng)
    lengths = np.array([1, 12, *rng.integers(2, 12, 2)])[rng.permutation(4)]
    L = rng.integers(0, 3, (4, 12, 5)) * 1.0
    # words without known trigrams (also as last words) and padding are rows of zeros
    L[:, 0, 0], L[:, 9], L[np.arange(12) >= lengths[:, None]] = 1, 0, 0
    return {"params": params, "L": L, "lengths": lengths}


@slips.check("the array of embeddings", _sentences, parts=True, name="many_sentences")
def embed(params, L, lengths):
    """Return the RNN embeddings of zero-padded sentences.

    Returns
    -------
    (N, n_cells)
    """
    W, Wrec, b = params["W"], params["Wrec"], params["b"]
    N, T, _ = L.shape
    Y = np.zeros((N, len(b)))  # y(0)
    for t in range(T):
        new = np.tanh(L[:, t] @ W.T + Y @ Wrec.T + b)
        # a sentence that has ended keeps y of its last word
        Y = np.where((t < lengths)[:, None], new, Y)
    return Y
