"""Exercises for lesson 09: active cells, and the words to which they are assigned.

On the first input of an exercise, every known mistake gives a different result, so that the check's
message names the mistake that was made.
"""

import numpy as np

from lstm_edu.analysis import inspection

from ..engine import slips
from ..engine.minimize import check_answer


def _words_and_cells():
    # (n_words, n_cells, n); the last four: one word with n = n_cells, n = 1, one cell, many cells
    cases = [(3 + seed, 9, 4 - seed % 2) for seed in range(1, 6)]
    cases += [(1, 6, 6), (5, 5, 1), (2, 1, 1), (2, 300, 290)]
    return [
        {"y": outputs(np.random.default_rng(seed), n_words, n_cells), "n": n}
        for seed, (n_words, n_cells, n) in enumerate(cases, start=1)
    ]


def _of_equals(function):
    """Check an input with two equally active cells, which may come in either order."""

    def in_order(y, n):
        got = function(y, n)
        return sorted(got) if np.shape(got) == (2,) else got

    given = {"y": np.array([[0.5, -0.5, 0.1]]), "n": 2}
    reason = "cells that are as active as each other are two cells: look for places, not for values"
    check_answer("most_active_cells(y, n), sorted", in_order, given, np.array([0, 1]), reason)
    return 1


@slips.check("most_active_cells(y, n)", _words_and_cells, then=_of_equals)
def most_active_cells(y, n):
    """List the n cells with the largest |y| after the last word, largest first.

    Parameters
    ----------
    y : (n_words, n_cells)
    n : int, from 1 to n_cells

    Returns
    -------
    (n,) of int
    """
    return np.argsort(-np.abs(y[-1]))[:n]


def _with_bounds():
    cases = [
        (outputs(np.random.default_rng(seed), 10, 24), seed - 63, (0.3, 0.4, 0.2)[seed % 3])
        for seed in range(71, 76)
    ]
    # Edge cases: changes equal to the bound, a bound of 0 with constant cells, a single word.
    even = np.array([[0.5, 0.5, -0.25], [0.25, 0.5, 0.0], [0.5, -0.5, -0.125], [0.5, -0.5, 0.0]])
    cases += [(even, 2, 0.5), (even, 2, 2.0), (even, 3, 0.0), (cases[0][0][:1], 3, 0.3)]
    cases += [(cases[0][0], 1, 0.3), (cases[0][0], 24, 0.3)]  # add n = 1 and n = all cells
    # add a bound with more binary digits, and a change equal to it
    cases += [(even - [[0, 0, 0], [2**-21, 0, 0], [0, 0, 0], [0, 0, 0]], 2, 0.5 + 2**-20)]
    return [dict(zip(("y", "n", "large"), case)) for case in cases]


@slips.check("assigned_cells(y, n, large)", _with_bounds)
def assigned_cells(y, n, large):
    """Count, at each word, how many of the n most active cells change much.

    Parameters
    ----------
    y : (n_words, n_cells)
    n : int, from 1 to n_cells
    large : float

    Returns
    -------
    (n_words,) of int
    """
    cells = inspection.most_active_cells(y, n)
    change = np.abs(np.diff(y[:, cells], axis=0, prepend=0))
    assigned = change > large * np.abs(y[-1, cells]).mean()
    assigned[0] = False
    return assigned.sum(axis=1)


def outputs(rng, n_words, n_cells):
    """Generate (n_words, n_cells) outputs y(t) with large changes at some words only."""
    by_word = rng.random((n_words, 1)) * 1.2
    by_word[0] = 1
    return 0.6 * np.tanh(np.cumsum(by_word * rng.standard_normal((n_words, n_cells)), axis=0))
