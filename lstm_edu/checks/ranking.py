"""Checks of notebook 10: nDCG, BM25 by an inverted index, an exact test of a difference.

nDCG is that of an order and of scores with ties. The first input of each check is one for which
every mistake that it knows gives another answer, so that the right one is named.
"""

import itertools
import math
import time

import numpy as np
from scipy import stats

from .report import Wrong, call, hold_against, passed, short

TRAVEL = "cheap flights to boston and hotels near the airport".split()


def check_ndcg_of_order(function):
    """``ndcg_of_order(grades, k)``, held against the best of all orders, tried one by one."""
    what = "ndcg_of_order(grades, k)"
    inputs = [
        ([0, 3, 1, 3, 2], 3),
        ([0, 0, 2, 1], 2),
        ([1, 0, 3, 2, 1, 2], 1),
        ([2, 3, 0], 5),
        ([0, 0, 0, 0], 3),
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
        hold_against(
            what, call(what, function, given), real / best if best else math.nan, given, told
        )
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
        hold_against(
            what, call(what, function, given), over_ideal(float(np.mean(by_order))), given, told
        )
    passed("check_ndcg", len(inputs))


def check_bm25(function):
    """``bm25(query, postings, lengths, k1, b)``, held against sums without an index.

    These are every title's own, over the words of the query.
    """
    what = "bm25(query, postings, lengths, k1, b)"
    for seed in range(5):
        rng = np.random.default_rng(seed)
        titles = [rng.choice(TRAVEL[:-1], size).tolist() for size in rng.integers(2, 9, 6)]
        # the last word is in no title
        query = [*rng.choice(TRAVEL[:-1], 2, replace=False).tolist(), TRAVEL[-1]]
        query = query if seed % 2 else query + query[:1]
        k1, b = (1.2, 0.75) if seed < 3 else (2.0, 0.5)
        postings = {
            word: [(k, title.count(word)) for k, title in enumerate(titles) if word in title]
            for word in TRAVEL[:-1]
        }
        postings = {word: places for word, places in postings.items() if places}
        given = {
            "query": query,
            "postings": postings,
            "lengths": np.array(list(map(len, titles))),
            "k1": k1,
            "b": b,
        }
        told = [
            (
                "a title's score is the sum over the words of the query; "
                "here the last of them has replaced the sum (= for +=?)",
                _bm25(titles, query, k1, b, last=True),
            ),
            (
                "the rarity log(1 + …) has lost its 1: "
                "then a word that most titles have takes away from their score",
                _bm25(titles, query, k1, b, plus=0),
            ),
            (
                "the rarity uses the number of titles that have the word, "
                "not how often it stands in all of them",
                _bm25(titles, query, k1, b, every=True),
            ),
            (
                "the rarity is missing: a rare word counts more",
                _bm25(titles, query, k1, b, rarity=False),
            ),
            (
                "times k1 + 1, as other texts print it; the formula above hasn't this factor",
                _bm25(titles, query, k1, b) * (k1 + 1),
            ),
            (
                "the length is missing: a word counts less in a title that is longer than the mean",
                _bm25(titles, query, k1, 0),
            ),
            ("the lengths must be divided by their mean", _bm25(titles, query, k1, b, mean=1)),
            (
                "the mean length over a title's own length: turned upside down",
                _bm25(titles, query, k1, b, inverse=True),
            ),
            ("b and 1 - b are exchanged", _bm25(titles, query, k1, 1 - b)),
            (
                "how often the word stands in the title, tf, was taken for 1",
                _bm25(titles, query, k1, b, once=True),
            ),
            (
                "the query holds a word twice, and the sum over its words has it twice",
                _bm25(titles, list(dict.fromkeys(query)), k1, b),
            ),
            (
                "the logarithm to the base 2; the natural one is asked for",
                _bm25(titles, query, k1, b) / math.log(2),
            ),
            (
                "the logarithm to the base 10; the natural one is asked for",
                _bm25(titles, query, k1, b) / math.log(10),
            ),
        ]
        hold_against(what, call(what, function, given), _bm25(titles, query, k1, b), given, told)
    passed("check_bm25", 5)


def check_exact_p(function):
    """``exact_p(differences)``, held against all signs, tried one by one, where queries are few.

    50 queries are held against the exact null distribution of Wilcoxon's test in SciPy.
    """
    what = "exact_p(differences)"
    inputs = [
        np.array([-3, 4, 0, 4, -3, 4]),
        *(
            rng.integers(-9, 10, 5 + k)
            for k, rng in enumerate(map(np.random.default_rng, range(5)))
        ),
    ]
    for differences in inputs:
        given = {"differences": differences}
        n_above, n_other = int((differences > 0).sum()), int((differences != 0).sum())
        signs = np.array(list(itertools.product([-1, 1], repeat=len(differences))))
        sums, real = signs @ differences, differences.sum()
        expected = float((abs(sums) >= abs(real)).mean())
        got = call(what, function, given)
        told = [
            (
                "one-sided: a sum as far below zero counts, too, so compare absolute values",
                float((sums >= real).mean()),
            ),
            (
                "one-sided: a sum as far below zero counts, too, so compare absolute values",
                float((sums >= abs(real)).mean()),
            ),
            (
                "twice the one-sided share counts a sum of 0 double",
                float(2 * (sums >= abs(real)).mean()),
            ),
            (
                "sums as far from zero as the real one count, too: >=, not >",
                float((abs(sums) > abs(real)).mean()),
            ),
            (
                "this is 1 - p: the share of sums that are nearer to zero",
                float((abs(sums) < abs(real)).mean()),
            ),
            (
                "the 1 / (1 + …) is for signs drawn at random; "
                "here all of them are there, the real ones too",
                float((1 + (abs(sums) >= abs(real)).sum()) / (1 + len(sums))),
            ),
            (
                "this is the number of choices; divide by 2^n, the number of all",
                float((abs(sums) >= abs(real)).sum()),
            ),
            (
                "this is the sign test, which looks only at how many differences are above zero",
                float(stats.binomtest(n_above, n_other).pvalue),
            ),
            (
                "this is the t-test, which takes the differences for normal",
                float(stats.ttest_1samp(differences, 0).pvalue),
            ),
            (
                "this is the normal approximation; the exact share is asked for",
                float(
                    2 * stats.norm.sf(abs(real) / math.sqrt((differences.astype(float) ** 2).sum()))
                ),
            ),
        ]
        if (
            np.ndim(got) == 0
            and isinstance(got, (float, np.floating))
            and abs(got - expected) < 0.05
        ):
            told.append(("nearly: are the signs drawn at random? All 2^n are to be counted", got))
        hold_against(what, got, expected, given, told)
    _check_speed(what, function)
    for seed in range(2):
        rng = np.random.default_rng(seed)
        differences = np.arange(1, 51) * rng.choice([-1, 1], 50, p=[0.35, 0.65])
        given = {"differences": rng.permutation(differences)}
        hold_against(
            what,
            call(what, function, given),
            float(stats.wilcoxon(differences, method="exact").pvalue),
            given,
        )
    passed("check_exact_p", len(inputs) + 2)


def _check_speed(what, function):
    """Raise Wrong if time grows with the sign choices, before an input that would take days."""
    given = {"differences": np.arange(19) - 6}
    start = time.process_time()  # its own: the machine may do other things as well
    call(what, function, given)
    taken = time.process_time() - start
    if taken > 0.1:
        raise Wrong(
            f"{what} is right, and too slow.\n"
            f"  given     differences = {short(given['differences'])}\n"
            f"  came      {taken:.1f} s\n"
            "  expected  some milliseconds\n"
            "  likely    you go through all 2^n choices of signs: for 50 queries that takes years. "
            "Many choices have the same sum; count them together"
        )


def _dcg(grades, k):
    """DCG@k of grades in an order."""
    return _discounted(2.0**grade - 1 for grade in grades[:k])


def _discounted(gains):
    """The sum of gains in an order, each by its discount."""
    return sum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains, 1))


def _bm25(
    titles,
    query,
    k1,
    b,
    plus=1,
    rarity=True,
    every=False,
    mean=None,
    inverse=False,
    once=False,
    last=False,
):
    """BM25 of every title by the formula, (n_titles,); the later arguments make it wrong."""
    mean = mean or sum(map(len, titles)) / len(titles)
    scores = np.zeros(len(titles))
    for place, title in enumerate(titles):
        for word in query:
            met = sum(other.count(word) if every else word in other for other in titles)
            tf, length = title.count(word), len(title) / mean
            tf = min(tf, 1) if once else tf
            part = tf / (tf + k1 * (1 - b + b * (1 / length if inverse else length)))
            if rarity and tf:
                inside = plus + (len(titles) - met + 0.5) / (met + 0.5)
                part *= math.log(inside) if inside > 0 else math.nan
            if tf:
                scores[place] = part if last else scores[place] + part
    return scores
