"""Wrong answers for the checks of `lstm_course/exercises/plsa.py`."""

import numpy as np
from wrong_answers._replaced import replaced

EM_STEP = """
def em_step(n, P_z, P_w):
    P = P_z @ P_w
    ratio = n / np.where(n > 0, P, 1)
    new_z = P_z * (ratio @ P_w.T)
    new_w = P_w * (P_z.T @ ratio)
    return (new_z / new_z.sum(axis=1, keepdims=True),
            new_w / new_w.sum(axis=1, keepdims=True))
"""


def one_after_the_other(n, P_z, P_w):
    """P_z is overwritten before P_w is made. Told: with the new P_z"""
    P_z = P_z * ((n / np.where(n > 0, P_z @ P_w, 1)) @ P_w.T)
    P_z = P_z / P_z.sum(axis=1, keepdims=True)
    new = P_w * (P_z.T @ (n / np.where(n > 0, P_z @ P_w, 1)))
    return P_z, new / new.sum(axis=1, keepdims=True)


def words_first(n, P_z, P_w):
    """P_w is overwritten before P_z is made. Told: with the new P_w"""
    P_w = P_w * (P_z.T @ (n / np.where(n > 0, P_z @ P_w, 1)))
    P_w = P_w / P_w.sum(axis=1, keepdims=True)
    new = P_z * ((n / np.where(n > 0, P_z @ P_w, 1)) @ P_w.T)
    return new / new.sum(axis=1, keepdims=True), P_w


def _shared(n, share):
    parts = (n[:, None, :] * share).sum(axis=2), (n[:, None, :] * share).sum(axis=0)
    return tuple(part / part.sum(axis=1, keepdims=True) for part in parts)


def not_shared(n, P_z, P_w):
    """P(z|D) P(w|z) for P(z|D,w). Told: divided by its sum over the topics"""
    return _shared(n, P_z[:, :, None] * P_w)


def likeliest_topic(n, P_z, P_w):
    """As k-means does. Told: the likeliest topic gets all of it"""
    joint = P_z[:, :, None] * P_w
    return _shared(n, 1.0 * (joint == joint.max(axis=1, keepdims=True)))


def words_of_a_topic(n, P_z, P_w):
    """The topics' part of the title is left out. Told: needs P(z|D), too"""
    share = np.repeat(P_w[None], len(n), axis=0)
    return _shared(n, share / np.maximum(share.sum(axis=1, keepdims=True), 1e-300))


def shares_over_words(n, P_z, P_w):
    """The wrong axis in the E-step. Told: here over the words"""
    joint = P_z[:, :, None] * P_w
    return _shared(n, joint / np.maximum(joint.sum(axis=2, keepdims=True), 1e-300))


WRONG = {
    "check_em_step": [
        one_after_the_other,
        words_first,
        not_shared,
        likeliest_topic,
        words_of_a_topic,
        shares_over_words,
        *replaced(
            EM_STEP,
            ("ratio = n /", "ratio = (n > 0) /"),
            ("n / np.where(n > 0, P, 1)", "n / P"),
            ("n / np.where(n > 0, P, 1)", "n * P"),
            ("P_z * (ratio @ P_w.T)", "ratio @ P_w.T"),
            ("P_w * (P_z.T @ ratio)", "P_z.T @ ratio"),
            ("return (new_z / new_z.sum(axis=1, keepdims=True)", "return (new_z"),
            ("new_w / new_w.sum(axis=1, keepdims=True)", "new_w"),
            ("new_w.sum(axis=1, keepdims=True)", "new_w.sum(axis=0)"),
            ("new_z.sum(axis=1, keepdims=True)", "new_z.sum()"),
            ("return (new_z / new_z.sum(axis=1, keepdims=True)", "return (P_z"),
            ("new_w / new_w.sum(axis=1, keepdims=True)", "P_w"),
            ("new_w / new_w.sum(axis=1, keepdims=True)", "new_w / np.linalg.norm(new_w)"),
        ),
    ],
}
