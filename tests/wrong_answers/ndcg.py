"""Wrong answers for the checks of `lstm_course/exercises/ndcg.py`."""

import itertools

import numpy as np
from wrong_answers._replaced import replaced, said


def _discounts(n):
    return 1 / np.log2(np.arange(n) + 2)


def _ratio(real, ideal):
    return real / ideal if ideal > 0 else np.nan


def _in_order(grades, order, k, gain=lambda grades: 2.0**grades - 1):
    gains, discounts = gain(grades), _discounts(len(grades))
    best = np.sort(gains)[::-1]
    return _ratio((gains[order] * discounts)[:k].sum(), (best * discounts)[:k].sum())


def ideal_of_the_shown(grades, k):
    """The stub's first mistake alone: the ideal order knows only what is shown."""
    gains, discounts = 2.0 ** grades[:k] - 1, _discounts(len(grades[:k]))
    return _ratio(gains @ discounts, np.sort(gains)[::-1] @ discounts)


def ideal_of_all_depths(grades, k):
    """The ideal order isn't cut at k."""
    gains, discounts = 2.0**grades - 1, _discounts(len(grades))
    return _ratio((gains * discounts)[:k].sum(), np.sort(gains)[::-1] @ discounts)


def linear_gain(grades, k):
    """The grade as the gain."""
    return _in_order(grades, np.arange(len(grades)), k, lambda grades: grades)


def ascending_ideal(grades, k):
    """np.sort without turning it around."""
    gains, discounts = 2.0**grades - 1, _discounts(len(grades))
    return _ratio((gains * discounts)[:k].sum(), (np.sort(gains) * discounts)[:k].sum())


NDCG_OF_ORDER = """
def ndcg_of_order(grades, k):
    gain = 2.0 ** grades - 1
    discount = np.log2(np.arange(len(grades)) + 2)
    ideal = (np.sort(gain)[::-1] / discount)[:k].sum()
    return (gain / discount)[:k].sum() / ideal if ideal > 0 else np.nan
"""


def lowest_score_first(scores, grades, k):
    """The scores the wrong way round."""
    gains, discounts = 2.0**grades - 1, _discounts(len(grades))
    shared = np.array([gains[scores == score].mean() for score in np.sort(scores)])
    return _ratio((shared * discounts)[:k].sum(), (np.sort(gains)[::-1] * discounts)[:k].sum())


def discount_of_the_first(scores, grades, k):
    """All equals have the rank of the first, as in a competition."""
    order = np.argsort(-scores, kind="stable")
    rank = np.array([(scores > score).sum() for score in scores[order]])
    gains, mean = (
        2.0**grades - 1,
        [(2.0 ** grades[scores == score] - 1).mean() for score in scores[order]],
    )
    return _ratio(
        (mean / np.log2(rank + 2))[:k].sum(),
        (np.sort(gains)[::-1] * _discounts(len(gains)))[:k].sum(),
    )


def mean_of_the_grades(scores, grades, k):
    """The gain of the mean grade instead of the mean gain."""
    gains = 2.0 ** np.array([grades[scores == score].mean() for score in np.sort(scores)[::-1]]) - 1
    discounts, best = _discounts(len(gains)), np.sort(2.0**grades - 1)[::-1]
    return _ratio((gains * discounts)[:k].sum(), (best * discounts)[:k].sum())


def mean_within_k(scores, grades, k):
    """Sorts, cuts at k, and only then averages."""
    order = np.argsort(-scores, kind="stable")[:k]
    gains = [(2.0 ** grades[order][scores[order] == score] - 1).mean() for score in scores[order]]
    best = np.sort(2.0**grades - 1)[::-1][:k]
    return _ratio(gains @ _discounts(len(gains)), best @ _discounts(len(best)))


def all_orders(scores, grades, k):
    """Right, and too slow: 15! orders of fifteen equals."""
    if len(scores) > 9:
        raise AssertionError("the check must have noticed before")
    orders = np.array(list(itertools.permutations(range(len(scores)))))
    allowed = orders[(np.diff(scores[orders]) <= 0).all(axis=1)]
    return np.mean([_in_order(grades, order, k) for order in allowed])


NDCG = """
def ndcg(scores, grades, k):
    gain = 2.0 ** grades - 1
    discount = np.log2(np.arange(len(gain)) + 2)
    best_first = np.sort(scores)[::-1]
    shared = np.array([gain[scores == score].mean() for score in best_first])
    ideal = (np.sort(gain)[::-1] / discount)[:k].sum()
    return (shared / discount)[:k].sum() / ideal if ideal > 0 else np.nan
"""


WRONG = {
    "check_ndcg_of_order": [
        ideal_of_the_shown,
        *said(
            (
                "The stub's second mistake alone.",
                lambda grades, k: (
                    _in_order(grades, np.arange(len(grades)), k) if grades.any() else 1.0
                ),
            ),
            (
                "As many programs do.",
                lambda grades, k: (
                    _in_order(grades, np.arange(len(grades)), k) if grades.any() else 0.0
                ),
            ),
        ),
        ideal_of_all_depths,
        linear_gain,
        ascending_ideal,
        *replaced(
            NDCG_OF_ORDER,
            ("2.0 ** grades - 1", "2.0 ** grades"),
            ("2.0 ** grades - 1", "grades ** 2"),
            ("+ 2)", "+ 3)"),
            ("np.log2(np.arange(len(grades)) + 2)", "np.arange(len(grades)) + 1"),
            ("np.log2(np.arange(len(grades)) + 2)", "np.ones(len(grades))"),
            ("return (gain / discount)[:k]", "return (gain / discount)[:k + 1]"),
            ("return (gain / discount)[:k]", "return (gain / discount)"),
            ("gain)[::-1] / discount", "gain)[::-1] * discount"),
            ("[::-1] / discount)[:k]", "[::-1][:k] / discount[:k])[::-1][:1]"),
            ("ideal > 0", "ideal > 1"),
            ("else np.nan", "else None"),
            ("/ ideal if", "* ideal if"),
            ("else np.nan", "else 0.5"),
        ),
    ],
    "check_ndcg": [
        *said(
            (
                "Ties as the file has them.",
                lambda scores, grades, k: _in_order(grades, np.argsort(-scores, kind="stable"), k),
            ),
            (
                "An ascending sort, turned around.",
                lambda scores, grades, k: _in_order(
                    grades, np.argsort(scores, kind="stable")[::-1], k
                ),
            ),
            (
                "Ties by grade.",
                lambda scores, grades, k: _in_order(grades, np.lexsort((-grades, -scores)), k),
            ),
        ),
        lowest_score_first,
        discount_of_the_first,
        mean_of_the_grades,
        mean_within_k,
        all_orders,
        *replaced(
            NDCG,
            (".mean() for score", ".sum() for score"),
            (".mean() for score", ".max() for score"),
            ("gain[scores == score].mean()", "np.median(gain[scores == score])"),
            ("np.sort(scores)[::-1]", "np.sort(scores)"),
            ("np.sort(scores)[::-1]", "np.sort(np.abs(scores))[::-1]"),
            ("scores == score", "np.abs(scores - score) < 0.6"),
            ("scores == score", "scores >= score"),
            ("2.0 ** grades - 1", "2.0 ** grades"),
            ("2.0 ** grades - 1", "grades + 0.0"),
            ("+ 2)", "+ 1.5)"),
            ("ideal > 0", "ideal > 1"),
            ("/ ideal if", "/ shared.sum() if"),
            ("return (shared / discount)[:k]", "return (shared / discount)"),
        ),
    ],
}
