"""Looking into a model while it reads (section V-A)."""
import numpy as np


def most_active_cells(y, n=10):
    """The cells with the largest |y| after the last word, most active first (Figs. 6, 11, 12).

    Parameters
    ----------
    y : (n_words, n_cells)
        As in ``model.trace(text).y``.
    n : int

    Returns
    -------
    (n,) of int
    """
    return np.argsort(-np.abs(y[-1]), kind="stable")[:n]


def steps(y):
    """How far the output moves at each word: the length of y(t) - y(t-1), with y(0) = 0.

    Parameters
    ----------
    y : (n_words, n_cells)

    Returns
    -------
    (n_words,)
    """
    return np.linalg.norm(np.diff(y, axis=0, prepend=0), axis=1)
