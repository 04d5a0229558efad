"""Check of notebook 02: sentences of different lengths, read at once."""

import numpy as np

from lstm_edu.cells.rnn import RNN

from ..engine.drawn import params_of
from ..engine.minimize import hold
from ..engine.report import passed


def check_many_sentences(function):
    """Sentences of different lengths read by the RNN of Eq. (1) at once.

    Held against `RNN.read`, which reads each by itself.

    Parameters
    ----------
    function : function of params, L (N, T, n_trigrams), filled up with zeros, and lengths (N,)
        Returns the embeddings, (N, n_cells).

    Raises
    ------
    Wrong
    """
    for seed in range(5):
        rng, cell = np.random.default_rng(seed), RNN(2)
        params = params_of(cell, rng)
        lengths = np.array([1, 12, *rng.integers(2, 12, 2)])[rng.permutation(4)]
        L = rng.integers(0, 3, (4, 12, 5)) * 1.0
        # words without known trigrams, and places without words
        L[:, 0, 0], L[:, 5], L[np.arange(12) >= lengths[:, None]] = 1, 0, 0
        given = {"params": params, "L": L, "lengths": lengths}
        expected = _read(params, L, lengths)
        # as if all places had words
        Y = np.array([[state.y for state in cell.read(params, sentence)] for sentence in L])
        hold(
            "the array of embeddings",
            function,
            given,
            expected,
            [
                (
                    "a sentence goes on changing after its last word: "
                    "where l is 0, Wrec y + b is still added",
                    Y[:, -1],
                ),
                (
                    "one word too few: "
                    "the last word of a sentence has the number lengths - 1, counted from 0",
                    _before(Y, lengths - 1),
                ),
                (
                    "a word without known trigrams is a word, too, although its l is 0: "
                    "what ends a sentence is its length",
                    _read(params, [sentence[sentence.any(axis=1)] for sentence in L], lengths),
                ),
                ("one word too many", Y[np.arange(4), np.minimum(lengths, 11)]),
                ("this is y of all words; the embedding is that of the last", Y),
                (
                    "y is 0 where a sentence has ended: keep what it was",
                    np.where((lengths == 12)[:, None], expected, 0),
                ),
                (
                    "the sentences are read backwards",
                    _read(params, [sentence[:n][::-1] for sentence, n in zip(L, lengths)], lengths),
                ),
                (
                    "this is the mean of y over the words; the embedding is y of the last",
                    np.array([y[:n].mean(axis=0) for y, n in zip(Y, lengths)]),
                ),
                (
                    "Wrec is transposed: with one sentence a row it is Y @ Wrec.T",
                    _read(params | {"Wrec": params["Wrec"].T}, L, lengths),
                ),
                ("the bias is missing", _read(params | {"b": 0 * params["b"]}, L, lengths)),
                ("W l is missing", _read(params | {"W": 0 * params["W"]}, L, lengths)),
                ("the tanh is missing", _read_plainly(params, L, lengths)),
                (
                    "the embedding is y of the last word, and this is tanh of it once more",
                    np.tanh(expected),
                ),
                (
                    "this is what a sentence of the last word alone gives: is y(t-1) handed on?",
                    _read(params | {"Wrec": 0 * params["Wrec"]}, L, lengths),
                ),
            ],
            of=_read,
        )
    passed("check_many_sentences", 5)


def _read(params, L, lengths):
    cell = RNN(len(params["b"]))
    return np.array([cell.read(params, sentence[:n])[-1].y for sentence, n in zip(L, lengths)])


def _read_plainly(params, L, lengths):
    """What the RNN gives without its tanh."""
    Y = np.zeros((len(L), len(params["b"])))
    for t in range(L.shape[1]):
        new = L[:, t] @ params["W"].T + Y @ params["Wrec"].T + params["b"]
        Y = np.where((t < lengths)[:, None], new, Y)
    return Y


def _before(Y, n):
    """y after n words; y(0) is 0."""
    return np.array([y[k - 1] if k else 0 * y[0] for y, k in zip(Y, n)])
