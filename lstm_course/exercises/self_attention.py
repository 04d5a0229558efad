"""Exercises for lesson 17: self-attention, padding, and the backward passes of two layers."""

import numpy as np
from scipy.special import softmax

from ..engine import slips


def _words():
    for seed, (T, d) in enumerate([(3, 2), (4, 4), (6, 3), (1, 2), (5, 1)]):
        rng = np.random.default_rng(seed)
        q, k = 1.5 * rng.standard_normal((2, T, d))
        yield {"q": q, "k": k, "v": rng.standard_normal((T, d + 1))}
    # large scores, two of them equal
    q, k = np.array([[3000.0, 0], [-3000, 0], [0, 1]]), np.array([[1.0, 0], [1, 2], [-1.0, 1]])
    yield {"q": q, "k": k, "v": np.eye(3)}


@slips.check("the mixed words", _words)
def self_attention(q, k, v):
    """Return the attention-weighted mean of v for each word.

    Parameters
    ----------
    q, k : (n_words, d)
    v : (n_words, n_cells)

    Returns
    -------
    (n_words, n_cells)
    """
    S = q @ k.T / np.sqrt(q.shape[1])
    e = np.exp(S - S.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True) @ v


def _padded():
    for seed, lengths in enumerate([(2, 4, 1), (3, 3), (1, 5), (4,)]):
        rng, N, T = np.random.default_rng(seed), len(lengths), max(lengths)
        S, v = 1.5 * rng.standard_normal((N, T, T)) - 2, rng.standard_normal((N, T, 3)) + 1
        S[-1] += [0, 0, 2000, -2000][seed]  # large scores in one text
        yield {"S": S, "v": v, "lengths": np.array(lengths)}


@slips.check("the embeddings", _padded)
def without_padding(S, v, lengths):
    """Average softmax(S) v over the words of each text, ignoring padding.

    Parameters
    ----------
    S : (n_texts, n_words, n_words)
        The scores; the rows and columns after a text's words are padding.
    v : (n_texts, n_words, n_cells)
    lengths : (n_texts,) of int
        The number of words of each text, at least 1.

    Returns
    -------
    (n_texts, n_cells)
    """
    is_word = np.arange(S.shape[1]) < lengths[:, None]
    S = np.where(is_word[:, None, :], S, -np.inf)
    e = np.exp(S - S.max(axis=2, keepdims=True))
    A = e / e.sum(axis=2, keepdims=True)
    mixed = (A @ v) * is_word[:, :, None]
    return mixed.sum(axis=1) / lengths[:, None]


def _words_and_errors():
    for seed, given in enumerate(_words()):
        A = softmax(given["q"] @ given["k"].T / np.sqrt(given["q"].shape[1]), axis=1)
        error = np.random.default_rng(seed + 10).standard_normal(given["v"].shape)
        yield given | {"A": A, "error": error}


@slips.check("dq, dk, dv", _words_and_errors, parts=True)
def self_attention_backward(q, k, v, A, error):
    """Return the errors of q, k and v from the error of A v.

    Parameters
    ----------
    q, k : (n_words, d)
    v, error : (n_words, n_cells)
    A : (n_words, n_words)
        The softmax of the scores, row by row.

    Returns
    -------
    dq, dk : (n_words, d)
    dv : (n_words, n_cells)
    """
    dA = error @ v.T
    dS = A * (dA - (A * dA).sum(axis=1, keepdims=True))
    dS = dS / np.sqrt(q.shape[1])
    return dS @ k, dS.T @ q, A.T @ error


def _rows():
    for seed, shape in enumerate([(3, 4), (2, 5), (1, 3), (5, 5)]):
        rng = np.random.default_rng(seed)
        x, error = 2 * rng.standard_normal((2, *shape)) + 1
        yield {"x": x, "gain": 1 + rng.standard_normal(shape[1]), "error": error}


@slips.check("dx, dgain, dshift", _rows, parts=True)
def normalise_backward(x, gain, error):
    """Return the errors of x, gain and shift from the error of norm(x).

    Parameters
    ----------
    x, error : (n_words, n_cells)
        Each row is normalised by itself.
    gain : (n_cells,)

    Returns
    -------
    dx : (n_words, n_cells)
    dgain, dshift : (n_cells,)
    """
    c = x - x.mean(axis=1, keepdims=True)
    s = np.sqrt((c**2).mean(axis=1, keepdims=True))
    unit = c / s
    du = error * gain
    along = (du * unit).mean(axis=1, keepdims=True)
    dx = (du - du.mean(axis=1, keepdims=True) - unit * along) / s
    return dx, (error * unit).sum(axis=0), error.sum(axis=0)
