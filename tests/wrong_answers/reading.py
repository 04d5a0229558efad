"""Wrong answers to the exercises of notebook 09."""

import numpy as np
from scipy.special import softmax
from wrong_answers._replaced import replaced

from lstm_edu.inside import inspection


def no_absolute_value(y, n):
    """Cells far below zero are missed."""
    return np.argsort(-y[-1])[:n]


def least_active_first(y, n):
    """argsort puts the smallest first."""
    return np.argsort(np.abs(y[-1]))[:n]


def most_active_last(y, n):
    """The right cells, from behind."""
    return np.argsort(np.abs(y[-1]))[-n:]


def active_on_the_way(y, n):
    """The mean over the words instead of the last word."""
    return np.argsort(-np.abs(y).mean(axis=0))[:n]


def values_of_cells(y, n):
    """Values instead of numbers."""
    return np.sort(np.abs(y[-1]))[::-1][:n]


def sorts_the_input(y, n):
    """Writes into y."""
    y[-1] = -np.abs(y[-1])
    return np.argsort(y[-1])[:n]


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


def bound_of_all_cells(y, n, large):
    """The mean over all cells."""
    return _counts(
        y, n, np.abs(np.diff(_top(y, n), axis=0, prepend=0)), large * np.abs(y[-1]).mean()
    )


def counts_all_cells(y, n, large):
    """All cells, not the n most active."""
    return _counts(
        y, n, np.abs(np.diff(y, axis=0, prepend=0)), large * np.abs(_top(y, n)[-1]).mean()
    )


def signed_mean(y, n, large):
    """The mean of y, in which cells cancel."""
    top = _top(y, n)
    return _counts(y, n, np.abs(np.diff(top, axis=0, prepend=0)), large * top[-1].mean())


def not_normalised(y, u):
    """Exponentials that do not sum to 1."""
    a = np.exp(y @ u)
    return a, a @ y


def without_u(y, u):
    """Scores that do not use u."""
    a = softmax(y.sum(axis=1))
    return a, a @ y


def most_weighty_word(y, u):
    """The output of one word."""
    a = softmax(y @ u)
    return a, y[a.argmax()]


def overflows(y, u):
    """exp of a large score."""
    e = np.exp(y @ u)
    return e / e.sum(), e / e.sum() @ y


def sigmoid_scores(y, u):
    """A sigmoid for each word."""
    a = 1 / (1 + np.exp(-(y @ u)))
    return a, a @ y


def mean_of_the_weighed(y, u):
    """mean for sum."""
    a = softmax(y @ u)
    return a, (a[:, None] * y).mean(axis=0)


def last_output(y, u):
    """The embedding without attention."""
    return softmax(y @ u), y[-1]


def weights_alone(y, u):
    """Forgets the embedding."""
    return softmax(y @ u)


def _back(y, u, error, ds):
    return np.outer(softmax(y @ u), error) + np.outer(ds, u), ds @ y


def weights_held_fixed(y, u, error):
    """dy without the way through the scores."""
    a, da = softmax(y @ u), y @ error
    return np.outer(a, error), a * (da - a @ da) @ y


def through_the_scores_only(y, u, error):
    """dy without the way through the sum."""
    a, da = softmax(y @ u), y @ error
    ds = a * (da - a @ da)
    return np.outer(ds, u), ds @ y


def diagonal_softmax(y, u, error):
    """a (1 - a), as if a softmax were a sigmoid."""
    a, da = softmax(y @ u), y @ error
    return _back(y, u, error, a * (1 - a) * da)


def softmax_without_its_sum(y, u, error):
    """a da without the mean taken off."""
    return _back(y, u, error, softmax(y @ u) * (y @ error))


def no_softmax(y, u, error):
    """The error of a(t) taken for that of s(t)."""
    return _back(y, u, error, y @ error)


def last_word_only(y, u, error):
    """As without attention."""
    a, da = softmax(y @ u), y @ error
    dy = np.zeros_like(y)
    dy[-1] = error
    return dy, a * (da - a @ da) @ y


def embedding_for_du(y, u, error):
    """The embedding where du should be."""
    a, da = softmax(y @ u), y @ error
    return _back(y, u, error, a * (da - a @ da))[0], a @ y


def minus(y, u, error):
    """Both with their signs turned."""
    a, da = softmax(y @ u), y @ error
    return tuple(-part for part in _back(y, u, error, a * (da - a @ da)))


MOST_ACTIVE = """
def most_active_cells(y, n):
    return np.argsort(-np.abs(y[-1]))[:n]
"""

ASSIGNED = """
def assigned_cells(y, n, large):
    cells = inspection.most_active_cells(y, n)
    change = np.abs(np.diff(y[:, cells], axis=0, prepend=0))
    detected = change > large * np.abs(y[-1, cells]).mean()
    detected[0] = False
    return detected.sum(axis=1)
"""

ATTENTION = """
def attention(y, u):
    s = y @ u
    e = np.exp(s - s.max())
    a = e / e.sum()
    return a, a @ y
"""

BACKWARD = """
def attention_backward(y, u, error):
    a = softmax(y @ u)
    da = y @ error
    ds = a * (da - a @ da)
    dy = np.outer(a, error) + np.outer(ds, u)
    du = ds @ y
    return dy, du
"""


WRONG = {
    "check_most_active_cells": [
        no_absolute_value,
        least_active_first,
        most_active_last,
        active_on_the_way,
        values_of_cells,
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
        bound_of_all_cells,
        counts_all_cells,
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
    "check_attention": [
        not_normalised,
        without_u,
        most_weighty_word,
        overflows,
        sigmoid_scores,
        mean_of_the_weighed,
        last_output,
        weights_alone,
        *replaced(
            ATTENTION,
            ("s - s.max()", "s - s.mean()"),
            ("s - s.max()", "s - s.min()"),
            ("s - s.max()", "s - s[0]"),
            ("s - s.max()", "s - np.abs(s).max()"),
            ("s - s.max()", "np.clip(s, -700, 700)"),
            ("s - s.max()", "s"),
            ("np.exp(", "np.exp2("),
            ("e / e.sum()", "e / e.max()"),
            ("e / e.sum()", "e / e.mean()"),
            ("e / e.sum()", "e"),
            ("a @ y", "s @ y"),
            ("a @ y", "y.sum(axis=0)"),
            ("a @ y", "a @ y / len(y)"),
            ("a @ y", "y[-1]"),
            ("return a, a @ y", "return a @ y, a"),
            ("s = y @ u", "s = y.mean(axis=1)"),
            ("s = y @ u", "s = -(y @ u)"),
            ("s = y @ u", "s = np.tanh(y @ u)"),
        ),
    ],
    "check_attention_backward": [
        weights_held_fixed,
        through_the_scores_only,
        diagonal_softmax,
        softmax_without_its_sum,
        no_softmax,
        last_word_only,
        embedding_for_du,
        minus,
        *replaced(
            BACKWARD,
            ("np.outer(ds, u)", "np.outer(a, u)"),
            ("np.outer(ds, u)", "ds[:, None] * y"),
            ("+ np.outer(ds, u)", "- np.outer(ds, u)"),
            ("+ np.outer(ds, u)", ""),
            ("np.outer(a, error)", "np.outer(np.ones(len(a)), error)"),
            ("np.outer(a, error)", "np.outer(da, error)"),
            ("a * (da - a @ da)", "da - a @ da"),
            ("a * (da - a @ da)", "a * da - a @ da"),
            ("a * (da - a @ da)", "a * (da - da.sum())"),
            ("a * (da - a @ da)", "a * (a @ da - da)"),
            ("a * (da - a @ da)", "a * a * (da - a @ da)"),
            ("y @ error", "y @ u"),
            ("y @ error", "a * (y @ error)"),
            ("du = ds @ y", "du = a @ y"),
            ("du = ds @ y", "du = ds.sum() * u"),
            ("return dy, du", "return du, dy"),
            ("softmax(y @ u)", "np.full(len(y), 1 / len(y))"),
        ),
    ],
}
