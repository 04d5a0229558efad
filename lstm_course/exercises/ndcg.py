"""Exercises for lesson 10a: nDCG of an order, and of scores with ties.

On the first input of an exercise, every known mistake gives a different result, so that the check's
message names the mistake that was made.
"""

import numpy as np

from ..engine import slips
from ..engine.minimize import check_answer
from ..engine.speed import check_speed

WHAT = "ndcg(scores, grades, k)"


def _orders():
    inputs = [([0, 3, 1, 3, 2], 3), ([0, 0, 2, 1], 2), ([1, 0, 3, 2, 1, 2], 1), ([2, 3, 0], 5)]
    # Edge cases: no relevant title, ideal DCG 1, equal grades, one title, k > 10, high grades.
    inputs += [([0, 0, 0, 0], 3), ([0, 1, 0], 1), ([1, 0, 0, 0], 2), ([0, 1, 1], 2)]
    inputs += [([2, 2, 2], 2), ([3], 1), ([0], 1), ([1], 4), ([0, 1, 2, 3] * 4, 12), ([5, 0, 7], 2)]
    for k, rng in enumerate(map(np.random.default_rng, range(5))):
        inputs.append((rng.integers(0, 4, 6), 1 + k))
    return [{"grades": np.array(grades), "k": k} for grades, k in inputs]


@slips.check("ndcg_of_order(grades, k)", _orders)
def ndcg_of_order(grades, k):
    """Return nDCG at depth k of titles in this order.

    NaN if no title is relevant.

    Parameters
    ----------
    grades : (n_titles,) of int
    k : int
    """
    gain = 2.0**grades - 1
    discount = np.log2(np.arange(len(grades)) + 2)
    ideal = (np.sort(gain)[::-1] / discount)[:k].sum()
    return (gain / discount)[:k].sum() / ideal if ideal > 0 else np.nan


def _scores_and_grades():
    inputs = [([0.5, 1, 0.5, 0.5, 0, 1], [1, 0, 3, 2, 3, 2], 4)]
    for k, rng in enumerate(map(np.random.default_rng, range(5))):
        inputs.append((rng.integers(0, 3, 6) / 2, rng.integers(0, 4, 6), 1 + k))
    inputs += [(np.zeros(6), [0, 3, 0, 1, 0, 0], 3), (inputs[1][0], np.zeros(6, int), 3)]
    # Edge cases: negative scores, ideal DCG 1 or below 2, k > n_titles, no ties, near-ties.
    inputs += [([-2, 1, 2, -1, 0.5, 0], [1, 0, 3, 2, 1, 0], 2), (inputs[1][0] - 5, inputs[1][1], 4)]
    inputs += [([2, 1, 1, 0, 0, 0], [0, 1, 0, 0, grade, 0], 2) for grade in (0, 1)]
    inputs += [(*inputs[2][:2], 9), ([0.3, -1.2, 7, 0.1, 0, 2.5], [1, 0, 2, 3, 0, 1], 3)]
    inputs += [
        ([0.31, 0.3, 0.34, 0.26], [0, 2, 1, 3], 3),
        ([0.7, 0.7 + 1e-8, 0.66, 0.2], [0, 2, 1, 3], 3),
    ]
    inputs += [([0.3, 0.1 + 0.2], [1, 0], 1)]
    return [
        {"scores": np.array(scores, float), "grades": np.array(grades), "k": k}
        for scores, grades, k in inputs
    ]


def _of_many(function):
    nine = {"scores": np.repeat([1.0, 0, 2], 3), "grades": np.arange(9) % 4, "k": 5}
    check_speed(WHAT, function, ndcg, nine, *slips.table(__file__)["slow"])
    rng = np.random.default_rng(5)
    many = {"scores": rng.integers(-20, 20, 300) / 4, "grades": rng.integers(0, 5, 300), "k": 10}
    check_answer(WHAT, function, many, slips.answer(ndcg, many))
    return 1


@slips.check(WHAT, _scores_and_grades, then=_of_many)
def ndcg(scores, grades, k):
    """Return nDCG at depth k, averaged over all orders of tied titles.

    NaN if no title is relevant.

    Parameters
    ----------
    scores : (n_titles,)
    grades : (n_titles,) of int
    k : int
    """
    gain = 2.0**grades - 1
    discount = np.log2(np.arange(len(gain)) + 2)
    best_first = np.sort(scores)[::-1]
    shared = np.array([gain[scores == score].mean() for score in best_first])
    ideal = (np.sort(gain)[::-1] / discount)[:k].sum()
    return (shared / discount)[:k].sum() / ideal if ideal > 0 else np.nan
