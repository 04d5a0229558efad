"""Wrong answers for the checks of `lstm_course/exercises/cosine_and_cost.py`."""

import numpy as np
from scipy.special import logsumexp
from wrong_answers._replaced import said


def divides_the_input(yq, yd):
    """Normalises the caller's array."""
    yq /= np.linalg.norm(yq, axis=1, keepdims=True)
    return cosine(yq, yd)


def cosine(yq, yd):
    return yq @ yd.T / np.outer(np.linalg.norm(yq, axis=1), np.linalg.norm(yd, axis=1))


def never_ends(yq, yd):
    """An endless loop. Told: seconds of processor time"""
    while True:
        pass


def largest_without_0(delta, gamma):
    """m leaves the 1 out, and e^(-m) overflows where all titles are far behind."""
    m = (-gamma * delta).max(axis=1)
    return m + np.log(np.exp(-m) + np.exp(-gamma * delta - m[:, None]).sum(axis=1))


def m_not_added_again(delta, gamma):
    """m is taken out and forgotten."""
    m = np.maximum(0, (-gamma * delta).max(axis=1))
    return np.log(np.exp(-m) + np.exp(-gamma * delta - m[:, None]).sum(axis=1))


def m_and_still_1(delta, gamma):
    """The 1 is not divided by e^m."""
    m = np.maximum(0, (-gamma * delta).max(axis=1))
    return m + np.log(1 + np.exp(-gamma * delta - m[:, None]).sum(axis=1))


def right_cost(delta, gamma):
    return logsumexp(np.hstack([np.zeros((len(delta), 1)), -gamma * delta]), axis=1)


def largest_for_infinite(delta, gamma):
    """inf is patched with the largest exponent. Told: log 2 is missing"""
    l = np.log(1 + np.exp(-gamma * delta).sum(axis=1))
    return np.where(np.isfinite(l), l, (-gamma * delta).max(axis=1))


WRONG = {
    "check_cosine": [
        *said(
            (
                "The other norm. Told: not the sum of absolute values",
                lambda yq, yd: (
                    yq @ yd.T / (np.abs(yq).sum(axis=1)[:, None] * np.abs(yd).sum(axis=1))
                ),
            ),
            (
                "|q| + |d|. Told: the lengths are added",
                lambda yq, yd: (
                    yq @ yd.T / (np.linalg.norm(yq, axis=1)[:, None] + np.linalg.norm(yd, axis=1))
                ),
            ),
        ),
        never_ends,
        *said(
            ("Not divided by the lengths.", lambda yq, yd: yq @ yd.T),
            (
                "The lengths of the queries only.",
                lambda yq, yd: yq @ yd.T / np.linalg.norm(yq, axis=1, keepdims=True),
            ),
            (
                "norm without axis: one number for all.",
                lambda yq, yd: yq @ yd.T / (np.linalg.norm(yq) * np.linalg.norm(yd)),
            ),
            (
                "The root is missing.",
                lambda yq, yd: yq @ yd.T / ((yq**2).sum(axis=1)[:, None] * (yd**2).sum(axis=1)),
            ),
            (
                "keepdims is missing: NumPy lays the queries' lengths along the titles.",
                lambda yq, yd: (
                    yq @ yd.T / (np.linalg.norm(yq, axis=1) * np.linalg.norm(yd, axis=1))
                ),
            ),
            ("Titles in the rows.", lambda yq, yd: cosine(yq, yd).T),
        ),
        divides_the_input,
    ],
    "check_cost": [
        largest_for_infinite,
        *said(
            (
                "As a list, and right for small exponents only. Told: clip nothing",
                lambda delta, gamma: list(
                    np.log(1 + np.exp(np.minimum(-gamma * delta, 600)).sum(axis=1))
                ),
            ),
            (
                "The sum. Told: has its logarithm",
                lambda delta, gamma: 1 + np.exp(-gamma * delta).sum(axis=1),
            ),
            (
                "gamma times the loss. Told: not the loss",
                lambda delta, gamma: gamma * np.log(1 + np.exp(-delta).sum(axis=1)),
            ),
            ("As printed.", lambda delta, gamma: np.log(1 + np.exp(-gamma * delta).sum(axis=1))),
            (
                "The clicked title is not in the sum.",
                lambda delta, gamma: logsumexp(-gamma * delta, axis=1),
            ),
            (
                "Rewards what should be punished.",
                lambda delta, gamma: np.log1p(np.exp(gamma * delta).sum(axis=1)),
            ),
        ),
        largest_without_0,
        m_not_added_again,
        m_and_still_1,
        *said(
            (
                "Exponents are cut at 700 in the place of taking m out.",
                lambda delta, gamma: np.log(
                    1 + np.exp(np.minimum(-gamma * delta, 700)).sum(axis=1)
                ),
            ),
            ("log2.", lambda delta, gamma: right_cost(delta, gamma) / np.log(2)),
            ("Eq. (4) instead of (5).", lambda delta, gamma: right_cost(delta, gamma).sum()),
        ),
    ],
}
