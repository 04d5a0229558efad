"""Exercises for lesson 15: weights, false negatives, mining, and the mean over all draws."""

from itertools import combinations

import numpy as np

from ..engine import slips


def _cosines():
    # the first has the lesson's cosines and a pair in the wrong order, the second equal cosines
    R = np.array([[0.8, 0.6, 0.2], [0.1, 0.3, 0.25]])
    yield {"R": R, "w": np.array([[1.0, 5.0], [2.0, 0.5]]), "gamma": 10.0}
    yield {"R": np.full((2, 3), 0.3), "w": np.array([[2.0, 1.0], [0.0, 3.0]]), "gamma": 5.0}
    for seed, (n_pairs, n, gamma) in enumerate(((3, 4, 10.0), (1, 1, 2.0), (4, 6, 5.0))):
        rng = np.random.default_rng(seed)
        w = rng.choice([0.0, 0.5, 1.0, 4.0], (n_pairs, n))
        w[0, 0] = 4.0
        yield {"R": rng.uniform(-0.5, 0.9, (n_pairs, n + 1)), "w": w, "gamma": gamma}


@slips.check("dl/dR", _cosines)
def weighted_push(R, w, gamma):
    """Return dl/dR of l = log(1 + sum_j w_j exp(-gamma Delta_j)).

    Parameters
    ----------
    R : (n_pairs, n + 1)
        Cosines of each pair. Column 0 is for the clicked title.
    w : (n_pairs, n)
        Weights of the unclicked titles.
    gamma : float

    Returns
    -------
    (n_pairs, n + 1)
    """
    e = w * np.exp(gamma * (R[:, 1:] - R[:, :1]))
    push = gamma * e / (1 + e.sum(axis=1, keepdims=True))
    return np.column_stack([-push.sum(axis=1), push])


def _minibatches():
    # two queries and a title occur twice; some wanted titles are clicked, or in no pair
    rng = np.random.default_rng(14)
    query, title = rng.integers(3, size=5), rng.integers(6, size=5)
    clicked, wanted = rng.random((2, 3, 6)) < 0.4
    clicked[query, title] = True
    yield {"query": query, "title": title, "clicked": clicked, "wanted": wanted}
    for seed, (n_pairs, n_queries, n_titles) in enumerate(((6, 4, 5), (9, 3, 8), (2, 2, 2))):
        rng = np.random.default_rng(seed)
        query, title = rng.integers(n_queries, size=n_pairs), rng.integers(n_titles, size=n_pairs)
        clicked, wanted = rng.random((2, n_queries, n_titles)) < 0.3
        clicked[query, title] = True
        yield {"query": query, "title": title, "clicked": clicked, "wanted": wanted & (seed < 2)}


@slips.check("number that compete, number wanted among them", _minibatches)
def count_false(query, title, clicked, wanted):
    """Count unclicked titles and false negatives over all pairs.

    Parameters
    ----------
    query, title : (n_pairs,) of int
        The numbers of each pair's query and clicked title.
    clicked, wanted : (n_queries, n_titles) of bool

    Returns
    -------
    n_unclicked, n_false : int
    """
    titles = np.unique(title)
    unclicked = ~clicked[query][:, titles]
    false = unclicked & wanted[query][:, titles]
    return unclicked.sum(), false.sum()


def _scores():
    R = np.array([[0.2, -0.4, 0.7, 0.7, 0.9], [-0.9, -0.2, -0.3, -0.8, -0.5]])
    clicked = np.array([[1, 0, 0, 0, 1], [0, 1, 0, 0, 1]], bool)
    yield {"R": R, "clicked": clicked, "n": 2}
    yield {"R": R, "clicked": clicked, "n": 3}
    for seed, (n_queries, n_titles, n) in enumerate(((3, 7, 3), (4, 6, 1), (2, 12, 5))):
        rng = np.random.default_rng(seed)
        clicked = rng.random((n_queries, n_titles)) < 0.3
        clicked[:, :n] = False
        R = rng.choice([-0.6, 0.1, 0.5, 0.8], (n_queries, n_titles))  # R has ties
        yield {"R": R, "clicked": clicked, "n": n}


@slips.check("the mined titles", _scores)
def mine(R, clicked, n):
    """Return each query's n nearest unclicked titles, nearest first.

    Parameters
    ----------
    R : (n_queries, n_titles)
    clicked : (n_queries, n_titles) of bool
        Each query has at least n unclicked titles.
    n : int

    Returns
    -------
    (n_queries, n) of int
        Among equal cosines, the title with the lower number comes first.
    """
    unclicked = np.where(clicked, -np.inf, R)
    return np.argsort(-unclicked, axis=1, kind="stable")[:, :n]


def _terms():
    yield {"e": np.array([0.1, 2.0, 0.3, 0.05, 0.4]), "n": 2}
    yield {"e": np.array([0.1, 2.0, 0.3]), "n": 1}
    yield {"e": np.array([0.5, 0.5, 0.5]), "n": 2}  # all terms are equal
    yield {"e": np.array([3.0, 0.2]), "n": 2}  # all terms are drawn
    yield {"e": np.random.default_rng(1).uniform(0, 3, 6), "n": 4}


@slips.check("mean sum, mean loss", _terms)
def over_all_draws(e, n):
    """Average two estimates over all draws of n terms.

    The sum of all terms is estimated as M/n times the drawn sum, and the
    loss as log(1 + the estimated sum).

    Parameters
    ----------
    e : (M,)
        The terms exp(-gamma Delta_j) of all unclicked titles.
    n : int

    Returns
    -------
    mean_sum, mean_loss : float
    """
    sums = [len(e) / n * sum(drawn) for drawn in combinations(e, n)]
    return np.mean(sums), np.mean(np.log1p(sums))
