"""Check of notebook 10b: an update of the EM algorithm for PLSA.

The first input is one for which every mistake that is known gives another answer, so that the right
one is named.
"""

import numpy as np

from ..engine.minimize import hold
from ..engine.report import passed


def check_em_step(function):
    """``em_step(n, P_z, P_w)``, held against the sums over every title, topic and word."""
    what = "P(z|D), P(w|z)"
    # titles, topics, words
    sizes = [(4, 3, 5), (3, 2, 6), (6, 4, 3), (1, 2, 3), (5, 1, 4), (3, 4, 1), (2, 2, 2), (4, 2, 4)]
    for seed, size in enumerate(sizes):
        given = _topics(seed, *size)
        if seed == 6:  # words that a topic, and topics that a title cannot have
            given |= {"P_z": np.array([[1.0, 0.0], [0.5, 0.5]]), "n": np.array([[2, 0], [1, 3]])}
            given |= {"P_w": np.array([[1.0, 0.0], [0.25, 0.75]])}
        if seed == 7:  # a word that is in no title, and that no topic has
            given["n"][:, 1], given["P_w"][:, 1] = 0, 0
            given["P_w"] /= given["P_w"].sum(axis=1, keepdims=True)
        n, P_z, P_w = given.values()
        right = _em(n, P_z, P_w)
        joint = P_z[:, :, None] * P_w
        told = [
            (
                "each occurrence counts: n(D,w) times P(z|D,w), summed",
                _em((n > 0) * 1.0, P_z, P_w),
            ),
            (
                "each occurrence is shared out among the topics: "
                "P(z|D) P(w|z) must be divided by its sum over the topics",
                _em(n, P_z, P_w, share=joint),
            ),
            (
                "these are sums of counts: divide each row by its sum, to make it a distribution",
                _em(n, P_z, P_w, axes=None),
            ),
            (
                "each row is a distribution, so its own sum divides it; here that of each column",
                _em(n, P_z, P_w, axes=(0, 0)),
            ),
            (
                "the sum of each row divides it, not that of the whole array",
                tuple(part / part.sum() for part in _em(n, P_z, P_w, axes=None)),
            ),
            (
                "both come from the same shares P(z|D,w), made of the OLD P_z and P_w: "
                "here P_w was made with the new P_z",
                (right[0], _em(n, right[0], P_w)[1]),
            ),
            (
                "both come from the same shares P(z|D,w), made of the OLD P_z and P_w: "
                "here P_z was made with the new P_w",
                (_em(n, P_z, right[1])[0], right[1]),
            ),
            (
                "the share of a topic needs P(w|z), too: how likely it gives this word",
                _em(n, P_z, P_w, share=_shares(P_z[:, :, None] + 0 * P_w)),
            ),
            (
                "the share of a topic needs P(z|D), too: how much of it there is in this title",
                _em(n, P_z, P_w, share=_shares(0 * joint + P_w)),
            ),
            (
                "the shares of an occurrence sum to 1 over the topics; here over the words",
                _em(n, P_z, P_w, share=_shares(joint, 2)),
            ),
            (
                "the shares of an occurrence sum to 1 over the topics; here over the titles",
                _em(n, P_z, P_w, share=_shares(joint, 0)),
            ),
            (
                "an occurrence is shared out; here the likeliest topic gets all of it",
                _em(n, P_z, P_w, share=(joint == joint.max(axis=1, keepdims=True)) * 1.0),
            ),
            ("P_z is as it was: it is estimated anew, too", (P_z, right[1])),
            ("P_w is as it was: it is estimated anew, too", (right[0], P_w)),
            ("first P(z|D), then P(w|z): here they are exchanged", right[::-1]),
            (
                "this is the bare sum of n / P(w|D) times the other factor: "
                "the old P(z|D) and P(w|z) themselves are missing as factors",
                _bare(n, P_z, P_w),
            ),
            (
                "each row is a distribution, its sum 1; here the sum of its squares is",
                tuple(
                    part / np.sqrt((part**2).sum(axis=1, keepdims=True))
                    for part in _em(n, P_z, P_w, axes=None)
                ),
            ),
        ]
        one = _topics(seed, size[0], 1, size[2])
        word = {
            "n": np.array([[1]]),
            "P_z": np.array([[0.5, 0.5]]),
            "P_w": np.array([[1.0], [1.0]]),
        }
        simpler = [
            (
                "with one topic it is wrong already: P_z is 1, "
                "and P_w is each word's share of all occurrences",
                one,
                _em(*one.values()),
            ),
            (
                "with one title of one word and two topics that are as likely to give it, "
                "it is wrong: each gets half",
                word,
                _em(*word.values()),
            ),
            (
                "with one topic it is right: what share of an occurrence does each of several get? "
                "A word with n = 0 adds nothing, even where no topic has it",
                given,
                right,
            ),
        ]
        hold(what, function, given, right, told, simpler)
    passed("check_em_step", len(sizes))


def _topics(seed, n_titles, n_topics, n_words):
    """Counts and two sets of distributions; every title has a word, and so does every topic."""
    rng = np.random.default_rng(seed)
    n = rng.integers(0, 4, (n_titles, n_words))
    n[:, -1] += n.sum(axis=1) == 0
    P_z = rng.dirichlet(np.ones(n_topics), n_titles)
    P_w = rng.dirichlet(np.ones(n_words), n_topics)
    return {"n": n, "P_z": P_z, "P_w": P_w}


def _shares(joint, axis=1):
    """P(z|D,w), (n_titles, n_topics, n_words); 0 where nothing is likely."""
    total = joint.sum(axis=axis, keepdims=True)
    return np.divide(joint, total, out=np.zeros(joint.shape), where=total > 0)


def _em(n, P_z, P_w, share=None, axes=(1, 1)):
    """The new P(z|D) and P(w|z); the later arguments make them wrong."""
    counts = n[:, None, :] * (_shares(P_z[:, :, None] * P_w) if share is None else share)
    parts = counts.sum(axis=2), counts.sum(axis=0)
    if axes is None:
        return parts
    with np.errstate(invalid="ignore"):  # a mistake may leave a topic without a word
        return tuple(part / part.sum(axis=axis, keepdims=True) for part, axis in zip(parts, axes))


def _bare(n, P_z, P_w):
    """As `_em`, without the factors before the sums."""
    P = P_z @ P_w
    ratio = np.divide(n, P, out=np.zeros(P.shape), where=P > 0)
    parts = ratio @ P_w.T, P_z.T @ ratio
    return tuple(part / part.sum(axis=1, keepdims=True) for part in parts)
