"""Exercises for lesson 16: how often people look at a rank, weighted clicks, and rare queries."""

import numpy as np

from ..engine import slips


def _exchanges():
    # (n_searches, n_ranks); the first has most clicks at rank 2, the fourth no click at rank 4, the
    # fifth a single rank, and the sixth one search per rank
    for seed, (n, n_ranks) in enumerate([(60, 3), (90, 4), (200, 6), (40, 5), (9, 1), (7, 7)]):
        rng = np.random.default_rng(seed)
        rank = np.append(np.arange(n_ranks), rng.integers(0, n_ranks, n - n_ranks))
        clicked = rng.random(n) < 0.9 / (abs(rank - 1) + 1 if seed == 0 else rank + 1)
        clicked[0] = True
        clicked[rank == 3] &= seed != 3
        yield {"rank": rank + 1, "clicked": clicked}


@slips.check("theta", _exchanges)
def looks_by_rank(rank, clicked):
    """Estimate how often people look at each rank, relative to the first.

    Parameters
    ----------
    rank : (n_searches,) of int
        The rank, from 1, at which the engine's first result was shown.
        Every rank occurs.
    clicked : (n_searches,) of bool
        Whether this result was clicked.
    """
    rate = np.bincount(rank - 1, clicked) / np.bincount(rank - 1)
    return rate / rate[0]


def _pairs():
    for seed, (n_pairs, n) in enumerate([(4, 3), (6, 2), (1, 4), (5, 1), (3, 6)]):
        rng = np.random.default_rng(seed)
        w = rng.uniform(0.5, 3, n_pairs)
        if seed == 1:  # a click with weight 0
            w[2] = 0
        yield {"R": rng.uniform(-1, 1, (n_pairs, 1 + n)), "w": w, "gamma": (5.0, 2.0)[seed % 2]}


@slips.check("the cost, dR", _pairs)
def weighted_cost(R, w, gamma):
    """Return the weighted mean of the losses (5), and its gradient with respect to R.

    Parameters
    ----------
    R : (n_pairs, 1 + n)
        Cosines. Column 0 is for the clicked title.
    w : (n_pairs,)
        The weight of each click.
    gamma : float
    """
    e = np.exp(-gamma * (R[:, :1] - R[:, 1:]))
    total = 1 + e.sum(axis=1)
    share = w / w.sum()
    alpha = -gamma * e / total[:, None]
    dR = np.column_stack([alpha.sum(axis=1), -alpha])
    return (share * np.log(total)).sum(), share[:, None] * dR


def _shown():
    # (n_shown, n_ranks, n_titles); in the third, everybody looks at rank 1, the fourth has a single
    # title, and in the fifth, every result is clicked
    for seed, (n, ranks, titles) in enumerate(
        [(30, 3, 4), (50, 4, 3), (12, 2, 6), (8, 4, 1), (9, 3, 3)]
    ):
        rng = np.random.default_rng(seed)
        rank = np.append(np.arange(ranks), rng.integers(0, ranks, n - ranks))
        title = np.append(rng.integers(0, titles, n - titles), np.arange(titles))
        clicked = rng.random(n) < (1.0 if seed == 4 else 0.4)
        theta, a = rng.uniform(0.2, 0.9, ranks), rng.uniform(0.2, 0.9, titles)
        theta[0] = 1 if seed == 2 else theta[0]
        yield {"theta": theta, "a": a, "rank": rank, "title": title, "clicked": clicked}


@slips.check("theta, a", _shown)
def em_of_clicks(theta, a, rank, title, clicked):
    """Take one EM step: re-estimate how often people look at each rank, and like each title.

    Parameters
    ----------
    theta : (n_ranks,)
        How often people look at each rank.
    a : (n_titles,)
        How often people like each title.
    rank, title : (n_shown,) of int
        The rank at which a result was shown, and its title's number, from 0.
    clicked : (n_shown,) of bool
    """
    t, p = theta[rank], a[title]
    none = np.where(clicked, 1, 1 - t * p)  # P(no click)
    looked = np.where(clicked, 1, t * (1 - p) / none)
    liked = np.where(clicked, 1, p * (1 - t) / none)
    new_theta = np.bincount(rank, looked) / np.bincount(rank)
    new_a = np.bincount(title, liked) / np.bincount(title)
    return new_theta, new_a


def _logs():
    people = ["ann", "bob", "ann", "cem", "ann", "bob", "dee", "dee", "dee", "bob", "ann", "eve"]
    queries = ["hotels", "hotels", "hotels", "my name", "my name", "loans", "rash", "rash", "rash"]
    queries += ["cars", "cars", "hotels"]
    for k in (2, 3, 1, 4):
        yield {"people": people, "queries": queries, "k": k}
    yield {"people": ["ann"], "queries": ["hotels"], "k": 2}
    yield {"people": ["ann", "bob", "bob"], "queries": ["a", "A", "a"], "k": 2}


@slips.check("which rows stay", _logs)
def of_enough_people(people, queries, k):
    """Return, for each row of a log, whether at least k different people typed its query.

    Parameters
    ----------
    people, queries : (n_rows,) lists of str
    k : int
    """
    typed = {}
    for person, query in zip(people, queries):
        typed.setdefault(query, set()).add(person)
    return np.array([len(typed[query]) >= k for query in queries])
