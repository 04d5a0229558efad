"""Tests of nDCG against hand computations and its definition, and of confidence intervals."""

import itertools
import types

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st
from refusal import refused

from lstm_edu import evaluate
from lstm_edu.ranking.ndcg import ndcg
from lstm_edu.ranking.statistics import interval
from lstm_edu.readers import Judged


def plain_ndcg(ranked_grades, all_grades, k):
    """Compute the nDCG of one order of titles from the definition."""

    def dcg(grades):
        return sum((2**g - 1) / np.log2(rank + 1) for rank, g in enumerate(grades[:k], start=1))

    return dcg(ranked_grades) / dcg(sorted(all_grades, reverse=True))


def test_ndcg_agrees_with_hand_computation():
    grades = [2, 4, 0, 1, 3, 0, 0, 1, 0, 0]
    scores = np.arange(10, 0, -1)
    by_kind = {"exponential": [0.200, 0.596, 0.732], "linear": [0.500, 0.656, 0.834]}
    by_kind |= {"original": [0.500, 0.726, 0.884]}
    for kind, expected in by_kind.items():
        assert [round(ndcg(scores, grades, k, kind), 3) for k in (1, 3, 10)] == expected
    assert ndcg(scores, grades, 10) == ndcg(scores, grades, 10, "exponential")


@given(
    st.lists(st.tuples(st.integers(0, 2), st.integers(0, 3)), min_size=1, max_size=5),
    st.integers(1, 6),
)
def test_ndcg_of_ties_is_mean_over_all_orders(rows, k):
    scores, grades = map(list, zip(*rows))
    if not any(grades):
        assert np.isnan(ndcg(scores, grades, k))
        return
    orders = [
        order
        for order in itertools.permutations(range(len(rows)))
        if all(scores[a] >= scores[b] for a, b in itertools.pairwise(order))
    ]
    mean = np.mean([plain_ndcg([grades[r] for r in order], grades, k) for order in orders])
    assert ndcg(scores, grades, k) == pytest.approx(mean, abs=1e-12)


class Lengths:
    """Mock model whose score for a title is the title's length."""

    def score(self, query, titles):
        return [len(title) for title in titles]


def search(qid, grades):
    docids = [str(k) for k in range(len(grades))]
    return Judged(qid, "q", docids, ["x" * (k + 1) for k in range(len(grades))], grades)


def test_evaluate_averages_over_queries_with_relevant_title():
    judgments = search("a", [0, 3]), search("b", [0, 0]), search("c", [3, 0])
    result = evaluate(Lengths(), iter(judgments))
    expected = pytest.approx((1 + 1 / np.log2(3)) / 2)
    found = {"nDCG@1": 0.5, "nDCG@3": expected, "nDCG@10": expected}
    assert result == found | {"n_queries": 2, "n_left_out": 1}
    assert np.isnan(ndcg([], [], 3))


@pytest.mark.parametrize("judgments", [[], [search("a", [0, 0])]])
def test_evaluate_refuses_judgments_without_relevant_title(judgments):
    with refused("no query has a title of grade 1"):
        evaluate(Lengths(), judgments)


SCORES = [(wrong, "") for wrong in (None, [[1.0]], [[1, np.nan]], [["1", "2"]], [[1j, 2]], "ab")]
SCORES += [([[1, 2]] * 2, ", judgments: of lengths 2, 1; must be equal$")]


@pytest.mark.parametrize("scores, said", SCORES)
def test_evaluate_refuses_invalid_scores(scores, said):
    model = types.SimpleNamespace(scores=lambda queries, titles: scores)
    with refused(f"^scores{said}"):
        evaluate(model, [search("a", [0, 3])])


@pytest.mark.parametrize("n", [1, 9, 60])
def test_interval_of_perfect_scores_is_clopper_pearson(n):
    mean, low, high = interval(np.ones(n))
    exact = scipy.stats.binomtest(n, n).proportion_ci(0.95, method="exact")
    assert (mean, high) == (1, 1) and low == pytest.approx(exact.low, rel=1e-9)
    assert interval(np.zeros(n)) == (0, 0, 0)  # two equal models differ by zero on every query
