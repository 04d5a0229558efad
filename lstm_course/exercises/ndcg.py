"""Checks of notebook 10a: nDCG of an order, and of scores with ties.

The first input of each check is one for which every mistake that it knows gives another answer, so
that the right one is named.
"""

import itertools
import math

import numpy as np

from lstm_edu.ranking.ndcg import ndcg

from ..engine.minimize import hold
from ..engine.report import call, hold_against, passed
from ..engine.speed import hold_quick


def check_ndcg_of_order(function):
    """``ndcg_of_order(grades, k)``, held against the best of all orders, tried one by one."""
    what = "ndcg_of_order(grades, k)"
    inputs = [
        ([0, 3, 1, 3, 2], 3),
        ([0, 0, 2, 1], 2),
        ([1, 0, 3, 2, 1, 2], 1),
        ([2, 3, 0], 5),
        ([0, 0, 0, 0], 3),
        # an ideal order that is worth little, one that is worth nothing more, a single title
        ([0, 1, 0], 1),
        ([1, 0, 0, 0], 2),
        ([0, 1, 1], 2),
        ([2, 2, 2], 2),
        ([3], 1),
        ([0], 1),
        ([1], 4),
    ]
    inputs = [(np.array(grades), k) for grades, k in inputs]
    inputs += [
        (rng.integers(0, 4, 6), 1 + k) for k, rng in enumerate(map(np.random.default_rng, range(5)))
    ]
    for grades, k in inputs:
        given = {"grades": grades, "k": k}
        orders = [_dcg(order, k) for order in itertools.permutations(grades.tolist())]
        real, best = _dcg(grades.tolist(), k), max(orders)
        among_shown = max(_dcg(order, k) for order in itertools.permutations(grades[:k].tolist()))
        whole = _dcg(sorted(grades.tolist(), reverse=True), len(grades))
        linear = [_discounted(order[:k]) for order in (grades, sorted(grades, reverse=True))]
        shown = (
            "the ideal order puts the best of ALL titles first, and then takes k of them; "
            "this one knows only the k that are shown"
        )
        told = [
            (
                "NaN where no title is relevant: "
                "then no order is better than another, and no number says how good this one is",
                value,
            )
            for value in (0.0, 1.0)
            if not best
        ]
        told += [
            (shown, value)
            for value in ([real / among_shown] if among_shown else [0.0, 1.0, math.nan])
        ]
        told += [
            (
                "this divides by the worst order: sort the gains from the largest to the smallest",
                real / min(orders) if min(orders) else math.inf,
            ),
            ("cut the ideal order at depth k, too", real / whole if whole else math.nan),
            (
                "cut the order at depth k",
                _dcg(grades.tolist(), len(grades)) / best if best else math.nan,
            ),
            ("this is the DCG: divide by that of the ideal order", real),
            (
                "the gain is 2^g - 1, not the grade itself",
                linear[0] / linear[1] if linear[1] else math.nan,
            ),
        ]
        gain = 2.0**grades - 1
        ideal = np.sort(gain)[::-1]
        for text, discount in (
            ("the discount of rank r is log2(r + 1): rank 1 has 1", np.log2(np.arange(100) + 3)),
            ("the discount is missing", np.ones(100)),
            ("the discount is a logarithm of r + 1, not r + 1 itself", np.arange(100) + 2.0),
            (
                "the gains are divided by the discount, not multiplied",
                1 / np.log2(np.arange(100) + 2),
            ),
        ):
            of_ideal = (ideal / discount[: len(ideal)])[:k].sum()
            told.append((text, _ratio((gain / discount[: len(gain)])[:k].sum(), of_ideal)))
        squares = grades**2
        told += [
            (
                "the gain is 2^g - 1: the - 1 is missing",
                _ratio(_discounted((gain + 1)[:k]), _discounted((ideal + 1)[:k])),
            ),
            (
                "the gain is 2^g - 1, not g^2",
                _ratio(_discounted(squares[:k]), _discounted(np.sort(squares)[::-1][:k])),
            ),
            ("turned over: DCG by that of the ideal order", _ratio(best, real)),
            ("this is the DCG of the ideal order: DCG is divided by it", best),
            ("k ranks are shown: here it is one less", _ratio(_dcg(grades, k - 1), best)),
            ("k ranks are shown: here it is one more", _ratio(_dcg(grades, k + 1), best)),
        ]
        simpler = [
            (
                "where the order is ideal already it is wrong: nDCG is 1 there",
                {"grades": np.array([3, 2, 1]), "k": 3},
                1.0,
            ),
            (
                "with one relevant title, at rank 2, it is wrong: 1 / log2(3)",
                {"grades": np.array([0, 1]), "k": 2},
                1 / math.log2(3),
            ),
            (
                "of two titles it is right: sum over the first k ranks, of the order as it is and "
                "of all gains from the largest to the smallest",
                given,
                _ratio(real, best),
            ),
        ]
        hold(what, function, given, _ratio(real, best), told, simpler)
    passed("check_ndcg_of_order", len(inputs))


def check_ndcg(function):
    """``ndcg(scores, grades, k)``, held against the mean over all orders that the scores allow.

    These are tried one by one.
    """
    what = "ndcg(scores, grades, k)"
    # here each mistake below gives another number
    inputs = [(np.array([0.5, 1, 0.5, 0.5, 0, 1]), np.array([1, 0, 3, 2, 3, 2]), 4)]
    inputs += [
        (rng.integers(0, 3, 6) / 2, rng.integers(0, 4, 6), 1 + k)
        for k, rng in enumerate(map(np.random.default_rng, range(5)))
    ]
    inputs += [(np.zeros(6), np.array([0, 3, 0, 1, 0, 0]), 3), (inputs[1][0], np.zeros(6, int), 3)]
    # scores below 0, an ideal order that is worth 1, one below 2, k beyond the titles, no ties
    inputs += [
        (inputs[1][0] - 5, inputs[1][1], 4),
        (np.array([2, 1, 1, 0, 0, 0]), np.array([0, 1, 0, 0, 0, 0]), 2),
        (np.array([2, 1, 1, 0, 0, 0]), np.array([0, 1, 0, 0, 1, 0]), 2),
        (inputs[2][0], inputs[2][1], 9),
        (np.array([0.3, -1.2, 7, 0.1, 0, 2.5]), np.array([1, 0, 2, 3, 0, 1]), 3),
    ]
    for scores, grades, k in inputs:
        given = {"scores": scores, "grades": grades, "k": k}
        orders = np.array(list(itertools.permutations(range(6))))
        by_order, upside_down = (
            [_dcg(grades[order].tolist(), k) for order in orders if (np.diff(s[order]) <= 0).all()]
            for s in (scores, -scores)
        )
        ideal = _dcg(sorted(grades.tolist(), reverse=True), k)

        def over_ideal(dcg):
            return dcg / ideal if ideal else math.nan

        in_file = np.argsort(-scores, kind="stable")
        groups = [
            np.flatnonzero(scores == score) for score in sorted(set(scores.tolist()), reverse=True)
        ]
        mean_gain = [(2.0 ** grades[group] - 1).mean() for group in groups]
        first = np.cumsum([0] + [len(group) for group in groups])[:-1]
        at_first = sum(
            mean * min(len(group), k - at) / math.log2(at + 2)
            for mean, group, at in zip(mean_gain, groups, first)
            if at < k
        )
        mean_of_grades = np.concatenate(
            [np.full(len(group), grades[group].mean()) for group in groups]
        )
        among_shown = np.concatenate(
            [
                np.full(len(part), (2.0 ** grades[part] - 1).mean())
                for part in (
                    in_file[at : at + len(group)][: max(0, k - at)]
                    for group, at in zip(groups, first)
                )
                if len(part)
            ]
        )
        told = [("NaN where no title is relevant", value) for value in (0.0, 1.0) if not ideal]
        told += [
            (
                "of equal scores, the first in the file comes first here; "
                "average over all orders in which they could stand",
                over_ideal(_dcg(grades[in_file].tolist(), k)),
            ),
            (
                "of equal scores, the last in the file comes first here; "
                "average over all orders in which they could stand",
                over_ideal(_dcg(grades[np.argsort(scores, kind="stable")[::-1]].tolist(), k)),
            ),
            (
                "of equal scores, the best grade comes first here: "
                "this flatters a ranker that can't tell them apart",
                over_ideal(max(by_order)),
            ),
            ("of equal scores, the worst grade comes first here", over_ideal(min(by_order))),
            (
                "the highest score comes first; here it is the lowest",
                over_ideal(np.mean(upside_down)),
            ),
            (
                "the highest score comes first; here it is the lowest",
                over_ideal(_dcg(grades[np.argsort(scores, kind="stable")].tolist(), k)),
            ),
            (
                "the scores were not looked at: "
                "this is the nDCG of the titles as they stand in the file",
                over_ideal(_dcg(grades.tolist(), k)),
            ),
            (
                "equals share ranks r, r+1, …, each with its own discount; "
                "here all have that of the first",
                over_ideal(at_first),
            ),
            (
                "take the mean of the gains 2^g - 1 of the equals, "
                "not the gain of their mean grade",
                over_ideal(_dcg(mean_of_grades.tolist(), k)),
            ),
            (
                "equals that reach below rank k: their mean gain is over all of them, "
                "not only over those within k, which the file has chosen",
                over_ideal(_discounted(among_shown)),
            ),
            (
                "the ideal order is that of the grades, best first, without a mean: "
                "here it is averaged, too",
                np.mean(by_order)
                / (
                    _discounted(
                        sorted(np.repeat(mean_gain, list(map(len, groups))), reverse=True)[:k]
                    )
                    or math.nan
                ),
            ),
            ("this is the DCG: divide by that of the ideal order", np.mean(by_order)),
        ]
        right = over_ideal(float(np.mean(by_order)))
        got = call(what, function, given)
        nearly = np.ndim(got) == 0 and isinstance(got, float) and abs(got - right) < 0.02
        apart = {"scores": np.arange(6.0), "grades": grades, "k": k}
        equal = {"scores": np.zeros(2), "grades": np.array([0, 1]), "k": 1}
        simpler = [
            (
                "with scores that are all different it is wrong already: "
                "the nDCG of the order from the highest score to the lowest",
                apart,
                over_ideal(_dcg(grades[::-1].tolist(), k)),
            ),
            (
                "with two titles of the same score, one of them relevant, it is wrong at k = 1: "
                "in one of the two orders it is 1, in the other 0",
                equal,
                0.5,
            ),
            (
                "nearly: are the orders drawn at random? Take the mean over all"
                if nearly
                else "with different scores it is right, and with two titles of the same: "
                "at each rank stands the mean gain of all that have the score of that rank",
                given,
                right,
            ),
        ]
        hold(what, function, given, right, told, simpler)
    nine = {"scores": np.repeat([1.0, 0, 2], 3), "grades": np.arange(9) % 4, "k": 5}
    hold_quick(
        what,
        function,
        nine,
        "you go through all orders: of fifteen titles there are 10^12. "
        "The mean of a sum is the sum of the means, so one mean gain for each rank is enough",
    )
    rng = np.random.default_rng(5)
    many = {"scores": rng.integers(-20, 20, 300) / 4, "grades": rng.integers(0, 5, 300), "k": 10}
    hold_against(what, call(what, function, many), ndcg(**many), many)
    passed("check_ndcg", len(inputs) + 1)


def _ratio(real, ideal):
    """Real by ideal, NaN where nothing can be gained."""
    return float(real / ideal) if ideal else math.nan


def _dcg(grades, k):
    """DCG@k of grades in an order."""
    return _discounted(2.0**grade - 1 for grade in grades[:k])


def _discounted(gains):
    """The sum of gains in an order, each by its discount."""
    return sum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains, 1))
