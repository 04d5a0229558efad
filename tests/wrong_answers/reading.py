"""Wrong answers for the checks of `lstm_course/exercises/active_cells.py`."""

import numpy as np
from wrong_answers._replaced import replaced, said

from lstm_edu.analysis import inspection


def sorts_the_input(y, n):
    """Writes into y."""
    y[-1] = -np.abs(y[-1])
    return np.argsort(y[-1])[:n]


MOST_ACTIVE = """
def most_active_cells(y, n):
    return np.argsort(-np.abs(y[-1]))[:n]
"""


def _counts(y, n, change, bound):
    found = change > bound
    found[0] = False
    return found.sum(axis=1)


def _top(y, n):
    return y[:, inspection.most_active_cells(y, n)]


def counts_the_first_word(y, n, large):
    """Footnote 3 is forgotten."""
    top = _top(y, n)
    return (np.abs(np.diff(top, axis=0, prepend=0)) > large * np.abs(top[-1]).mean()).sum(axis=1)


def loses_the_first_word(y, n, large):
    """np.diff without `prepend`: one count too few."""
    top = _top(y, n)
    return (np.abs(np.diff(top, axis=0)) > large * np.abs(top[-1]).mean()).sum(axis=1)


def absolute_bound(y, n, large):
    """`large` itself as the bound."""
    return _counts(y, n, np.abs(np.diff(_top(y, n), axis=0, prepend=0)), large)


def rises_only(y, n, large):
    """No absolute value of the change."""
    top = _top(y, n)
    return _counts(y, n, np.diff(top, axis=0, prepend=0), large * np.abs(top[-1]).mean())


def change_of_the_size(y, n, large):
    """|y(t)| - |y(t-1)|."""
    top = np.abs(_top(y, n))
    return _counts(y, n, np.abs(np.diff(top, axis=0, prepend=0)), large * top[-1].mean())


def signed_mean(y, n, large):
    """The mean of y, in which cells cancel."""
    top = _top(y, n)
    return _counts(y, n, np.abs(np.diff(top, axis=0, prepend=0)), large * top[-1].mean())


ASSIGNED = """
def assigned_cells(y, n, large):
    cells = inspection.most_active_cells(y, n)
    change = np.abs(np.diff(y[:, cells], axis=0, prepend=0))
    detected = change > large * np.abs(y[-1, cells]).mean()
    detected[0] = False
    return detected.sum(axis=1)
"""


WRONG = {
    "check_most_active_cells": [
        *said(
            ("Cells far below zero are missed.", lambda y, n: np.argsort(-y[-1])[:n]),
            ("argsort puts the smallest first.", lambda y, n: np.argsort(np.abs(y[-1]))[:n]),
            ("The right cells, from behind.", lambda y, n: np.argsort(np.abs(y[-1]))[-n:]),
            (
                "The mean over the words instead of the last word.",
                lambda y, n: np.argsort(-np.abs(y).mean(axis=0))[:n],
            ),
            ("Values instead of numbers.", lambda y, n: np.sort(np.abs(y[-1]))[::-1][:n]),
        ),
        sorts_the_input,
        *replaced(
            MOST_ACTIVE,
            ("[:n]", "[: n - 1]"),
            ("[:n]", "[: n + 1]"),
            ("[:n]", "[1 : n + 1]"),
            ("[:n]", ""),
            ("y[-1]", "y[0]"),
            ("y[-1]", "y[:, -1]"),
            ("np.abs(y[-1])", "np.abs(y).max(axis=0)"),
            ("np.abs(y[-1])", "np.abs(y.sum(axis=0))"),
            ("np.argsort(-np.abs(y[-1]))", "np.argsort(np.argsort(-np.abs(y[-1])))"),
            ("np.argsort(-np.abs(y[-1]))[:n]", "np.sort(np.argsort(-np.abs(y[-1]))[:n])"),
            ("[:n]", "[:n] + 1"),
        ),
    ],
    "check_assigned_cells": [
        counts_the_first_word,
        loses_the_first_word,
        absolute_bound,
        rises_only,
        change_of_the_size,
        *said(
            (
                "The mean over all cells.",
                lambda y, n, large: _counts(
                    y,
                    n,
                    np.abs(np.diff(_top(y, n), axis=0, prepend=0)),
                    large * np.abs(y[-1]).mean(),
                ),
            ),
            (
                "All cells, not the n most active.",
                lambda y, n, large: _counts(
                    y,
                    n,
                    np.abs(np.diff(y, axis=0, prepend=0)),
                    large * np.abs(_top(y, n)[-1]).mean(),
                ),
            ),
        ),
        signed_mean,
        *replaced(
            ASSIGNED,
            ("change > large", "change >= large"),
            ("change > large", "change < large"),
            ("detected[0] = False", "detected[-1] = False"),
            ("detected.sum(axis=1)", "detected.sum(axis=0)"),
            ("detected.sum(axis=1)", "detected.mean(axis=1)"),
            ("detected.sum(axis=1)", "detected"),
            ("detected.sum(axis=1)", "detected.any(axis=1)"),
            ("prepend=0", "append=0"),
            ("y[:, cells]", "y[:, :n]"),
            ("np.abs(y[-1, cells]).mean()", "np.abs(y[-1, cells].mean())"),
            ("np.abs(y[-1, cells]).mean()", "np.abs(y[-1, cells]).sum()"),
            ("np.abs(y[-1, cells]).mean()", "np.abs(y[0, cells]).mean()"),
            ("np.abs(y[-1, cells]).mean()", "np.median(np.abs(y[-1, cells]))"),
            ("large * ", ""),
            (
                "np.abs(np.diff(y[:, cells], axis=0, prepend=0))",
                "np.diff(y[:, cells], axis=0, prepend=0) ** 2",
            ),
        ),
    ],
}
