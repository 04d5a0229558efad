"""Wrong answers for the checks of `lstm_course/exercises/attention.py`."""

import numpy as np
from scipy.special import softmax
from wrong_answers._replaced import replaced, said


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


ATTENTION = """
def attention(y, u):
    s = y @ u
    e = np.exp(s - s.max())
    a = e / e.sum()
    return a, a @ y
"""


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
    "check_attention": [
        not_normalised,
        without_u,
        most_weighty_word,
        overflows,
        sigmoid_scores,
        mean_of_the_weighed,
        *said(
            ("The embedding without attention.", lambda y, u: (softmax(y @ u), y[-1])),
            ("Forgets the embedding.", lambda y, u: softmax(y @ u)),
        ),
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
        *said(
            (
                "a da without the mean taken off.",
                lambda y, u, error: _back(y, u, error, softmax(y @ u) * (y @ error)),
            ),
            (
                "The error of a(t) taken for that of s(t).",
                lambda y, u, error: _back(y, u, error, y @ error),
            ),
        ),
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
