"""Checks of lesson 12: words aligned with words, the gradient through the maximum, and how often
the right words are found.

The first input of each check is one at which every mistake that it knows gives another answer, so
that the right one is named.
"""

import autograd.numpy as anp
import numpy as np
from autograd import grad

from ..engine.minimize import hold
from ..engine.report import passed
from .active_cells import outputs

# words of the query and of the title: more of the one, more of the other, and single words
LENGTHS = (5, 3), (3, 7), (7, 2), (4, 6), (9, 5), (1, 4), (4, 1), (1, 1)


def check_aligned_relevance(function):
    """``aligned_relevance(y_Q, y_D)``, held against a loop over the words."""
    for seed, (n_query, n_title) in enumerate(LENGTHS):
        y_Q, y_D = _texts(seed, n_query, n_title)
        given = {"y_Q": y_Q, "y_D": y_D}
        R = np.array([[_cos(q, d) for d in y_D] for q in y_Q])
        expected = float(np.mean([max(row) for row in R]))
        lengths = [np.linalg.norm(y, axis=1, keepdims=True) for y in (y_Q, y_D)]
        raw = y_Q @ y_D.T
        told = [
            ("these are products, not cosines: divide by both lengths", raw.max(axis=1).mean()),
            (
                "divided by one of the two lengths only; a cosine has both",
                (raw / lengths[0]).max(axis=1).mean(),
            ),
            (
                "divided by one of the two lengths only; a cosine has both",
                (raw / lengths[1].T).max(axis=1).mean(),
            ),
            (
                "the nearest is sought by the products, not by the cosines",
                R[np.arange(n_query), raw.argmax(axis=1)].mean(),
            ),
            (
                "each word of the title looks for the nearest of the query here: "
                "it is the query's words that look, axis=1",
                R.max(axis=0).mean(),
            ),
            (
                "this is the sum over the query's words; their mean is asked for",
                R.max(axis=1).sum(),
            ),
            (
                "divided by the title's words; the mean goes over the query's",
                R.max(axis=1).sum() / n_title,
            ),
            ("the mean of all cosines: of each query word the largest alone counts", R.mean()),
            ("the largest of all cosines: each word of the query has its own", R.max()),
            ("the smallest cosine of each word; the largest is asked for", R.min(axis=1).mean()),
            (
                "a cosine far below 0 is not near: no absolute values",
                np.abs(R).max(axis=1).mean(),
            ),
            ("the median; the mean is asked for", np.median(R.max(axis=1))),
            ("one number for each word of the query; their mean is asked for", R.max(axis=1)),
            ("this is the cosine of the last outputs, as (3) has it", _cos(y_Q[-1], y_D[-1])),
            (
                "the lengths are those of words, one for each row: axis=1",
                (y_Q / np.linalg.norm(y_Q, axis=0) @ (y_D / np.linalg.norm(y_D, axis=0)).T)
                .max(axis=1)
                .mean(),
            ),
        ]
        simpler = [
            (
                "with a single word on both sides it is wrong already: their cosine",
                {"y_Q": y_Q[:1], "y_D": y_D[:1]},
                R[0, 0],
            ),
            (
                "with a single word in the query it is wrong already: its largest cosine",
                {"y_Q": y_Q[:1], "y_D": y_D},
                R[0].max(),
            ),
            (
                "with a single word in the query it is right: then take the mean over its words",
                given,
                expected,
            ),
        ]
        hold("R", function, given, expected, told, simpler)
    passed("check_aligned_relevance", len(LENGTHS))


def check_aligned_backward(function):
    """``aligned_backward(y_Q, y_D)``, held against autograd through the definition."""
    for seed, (n_query, n_title) in enumerate(LENGTHS):
        y_Q, y_D = _texts(seed, n_query, n_title)
        given = {"y_Q": y_Q, "y_D": y_D}
        expected = grad(_relevance, (0, 1))(y_Q, y_D)
        (x_Q, l_Q), (x_D, l_D) = (_unit(y) for y in (y_Q, y_D))
        s = (x_Q @ x_D.T).argmax(axis=1)
        dx_Q, dx_D, last = x_D[s] / n_query, np.zeros_like(x_D), np.zeros_like(x_D)
        np.add.at(dx_D, s, x_Q / n_query)
        last[s] = x_Q / n_query

        def back(dx_Q=dx_Q, dx_D=dx_D, x_Q=x_Q, x_D=x_D, l_Q=l_Q, l_D=l_D):
            pairs = (dx_Q, x_Q, l_Q), (dx_D, x_D, l_D)
            return tuple((dx - (dx * x).sum(axis=1, keepdims=True) * x) / l for dx, x, l in pairs)

        added = tuple(2 * dx / l - exact for dx, l, exact in zip((dx_Q, dx_D), (l_Q, l_D), back()))
        everywhere = np.tile(x_Q.mean(axis=0), (n_title, 1))
        told = [
            (
                "these are the errors of the unit vectors x: the way through y / |y| is missing",
                (dx_Q, dx_D),
            ),
            (
                "the way through y / |y|: its length moves, too, so the part along x drops out",
                (dx_Q / l_Q, dx_D / l_D),
            ),
            ("the way through y / |y|: divide by the length", back(l_Q=1, l_D=1)),
            ("the way through y / |y|: divide by the length once", back(l_Q=l_Q**2, l_D=l_D**2)),
            ("the part along x is taken away, not added", added),
            (
                "R is a mean over the query's words: 1/T_Q is missing",
                back(dx_Q * n_query, dx_D * n_query),
            ),
            ("1/T_Q is missing on one side", (back()[0], back(dx_D=dx_D * n_query)[1])),
            ("1/T_Q is missing on one side", (back(dx_Q=dx_Q * n_query)[0], back()[1])),
            (
                "the mean goes over the query's words on both sides, not over the title's",
                back(dx_Q * n_query / n_title, dx_D * n_query / n_title),
            ),
            (
                "the mean goes over the query's words on both sides, not over the title's",
                (back()[0], back(dx_D=dx_D * n_query / n_title)[1]),
            ),
            (
                "several words of the query may have found the same word: their errors add up, "
                "and here the last one stays",
                (back()[0], back(dx_D=last)[1]),
            ),
            (
                "only the word that was found gets an error, here all of the title's do",
                (back()[0], back(dx_D=everywhere)[1]),
            ),
            (
                "a word of the query gets its error from the word that it found, not from all",
                (back(dx_Q=np.tile(x_D.mean(axis=0) / n_query, (n_query, 1)))[0], None),
            ),
            (
                "the derivative of a cosine of x has the other x, of length 1, and not y",
                back(dx_Q * l_D[s], _added(s, y_Q / n_query, n_title)),
            ),
            ("both have their signs turned", tuple(-part for part in expected)),
            ("the two are in the other order: the query's first", expected[::-1]),
            ("the title's words get an error, too", (back()[0], 0 * y_D)),
            ("the query's words get an error, too", (0 * y_Q, back()[1])),
        ]
        simpler = [
            (
                "with a single word on both sides it is wrong already: the gradient of one cosine, "
                "(x_D - cos x_Q) / |y_Q|, and the same with Q and D exchanged",
                {"y_Q": y_Q[:1], "y_D": y_D[:1]},
                grad(_relevance, (0, 1))(y_Q[:1], y_D[:1]),
            ),
            (
                "with a single word in the title it is wrong already: "
                "all words of the query have found it",
                {"y_Q": y_Q, "y_D": y_D[:1]},
                grad(_relevance, (0, 1))(y_Q, y_D[:1]),
            ),
            (
                "with a single word in the title it is right: look at which word of the title is "
                "found by which of the query",
                given,
                expected,
            ),
        ]
        hold("dy_Q, dy_D", function, given, expected, told, simpler)
    passed("check_aligned_backward", len(LENGTHS))


def check_found_share(function):
    """``found_share(R, same)``, held against a loop over the words."""
    for seed, (n_query, n_title) in enumerate(((5, 4), (3, 6), (6, 3), (2, 9), (4, 4), (1, 5))):
        rng = np.random.default_rng(seed)
        R = rng.choice([0.1, 0.4, 0.7, 0.9], (n_query, n_title)) - 0.3  # so that some are equal
        same = rng.random((n_query, n_title)) < 0.4
        R[0, :2], same[0, :3] = 0.8, [True, False, True]  # two are nearest, and one is right
        same[1:2], R[1:2, 0] = False, 0.9  # a word without partners
        R[2:3, :2], same[2:3, :2] = 0.95, True  # two are nearest, and both are right
        given = {"R": R, "same": same}
        hits, chances, first = [], [], []
        for near, right in zip(R, same):
            if right.any():
                nearest = np.flatnonzero(near == near.max())
                hits.append(np.mean(right[nearest]))
                chances.append(np.mean(right))
                first.append(right[near.argmax()])
        expected = float(np.mean(hits)), float(np.mean(chances))
        nearest = R == R.max(axis=1, keepdims=True)
        every = (nearest & same).sum(axis=1) / nearest.sum(axis=1)
        any_hit = (nearest & same).any(axis=1)[same.any(axis=1)].mean()
        of_all = R == R.max()
        told = [
            (
                "a word without a partner can't be right: leave it out of both means",
                (every.mean(), same.mean()),
            ),
            ("a word without a partner can't be right: leave it out", (every.mean(), None)),
            ("a word without a partner is left out of the chance, too", (None, same.mean())),
            (
                "of several words that are equally near each is taken as often: "
                "argmax takes the first",
                (float(np.mean(first)), None),
            ),
            (
                "of several words that are equally near each is taken as often: "
                "a half is not a whole hit",
                (any_hit, None),
            ),
            (
                "a word may have several partners: by chance it is their share of the title",
                (None, 1 / n_title),
            ),
            ("the share of hits, not their number", (float(np.sum(hits)), None)),
            ("the share, not the number, of partners", (None, float(np.mean(chances) * n_title))),
            ("the two are in the other order: the hits first", expected[::-1]),
            (
                "of several words that are equally near each has its share: divide by how many",
                ((nearest & same).sum(axis=1)[same.any(axis=1)].mean(), None),
            ),
            (
                "the nearest of each word, row by row; this is the nearest of all",
                ((of_all & same).sum() / of_all.sum(), None),
            ),
            ("these are the words that miss", (1 - expected[0], None)),
            ("these are the words that miss", (1 - expected[0], 1 - expected[1])),
        ]
        simpler = [
            (
                "with a single word of the query it is wrong already: the share of the nearest "
                "words that are partners, and of all words that are",
                {"R": R[:1], "same": same[:1]},
                (hits[0], chances[0]),
            ),
            (
                "with a single word of the query it is right: then leave out the words without a "
                "partner, and take the means over the others",
                given,
                expected,
            ),
        ]
        hold("hits, chance", function, given, expected, told, simpler)
    passed("check_found_share", 6)


def _texts(seed, n_query, n_title):
    rng = np.random.default_rng(seed)
    return (
        outputs(rng, n_query, n_cells=4) * rng.uniform(0.5, 2, (n_query, 1)),
        outputs(rng, n_title, n_cells=4) * rng.uniform(0.5, 2, (n_title, 1)),
    )


def _relevance(y_Q, y_D):
    """R by its definition, in what autograd can differentiate."""
    R = [anp.max(anp.array([_cos(q, d, anp) for d in y_D])) for q in y_Q]
    return sum(R) / len(R)


def _cos(u, v, np=np):
    return np.dot(u, v) / np.sqrt(np.dot(u, u) * np.dot(v, v))


def _unit(y):
    length = np.linalg.norm(y, axis=1, keepdims=True)
    return y / length, length


def _added(s, parts, n):
    found = np.zeros((n, parts.shape[1]))
    np.add.at(found, s, parts)
    return found
