"""Tests of Table IV's statistics against plain computations, and of its summary."""

import itertools

import numpy as np
import pytest

from lstm_edu.ranking import statistics
from lstm_tools.table_iv import results

MADE = {"parameters": 7, "seconds": 1.0, "chosen": {}}


def test_permutation_p_is_close_to_exact_p_over_all_sign_changes():
    differences = np.random.default_rng(0).standard_normal(10) + 0.5
    signs = np.array(list(itertools.product([-1, 1], repeat=10)))
    exact = np.mean(abs(signs @ differences) >= abs(differences.sum()) - 1e-12)
    assert statistics.permutation_p(differences, 50_000) == pytest.approx(exact, abs=0.01)
    with_nan = np.append(differences, np.nan)
    assert statistics.permutation_p(with_nan) == statistics.permutation_p(differences)
    assert statistics.permutation_p(np.zeros(20)) == 1.0
    assert statistics.permutation_p(np.ones(30)) == pytest.approx(1 / 10_001)


def test_summary_returns_mean_of_each_seed_and_each_query():
    nan = [np.nan] * 3
    runs = {
        0: [[0.1, 0.2, 0.3], [0.2, 0.4, 0.8], nan],
        1: [[0.3, 0.4, 0.5], [0.2, 0.2, 0.2], nan],
    }
    parts = {("rnn", seed): {"ndcg": ndcg} | MADE for seed, ndcg in runs.items()}
    parts["rnn", None] = MADE
    (row,) = results.summary(parts, ["rnn"])
    assert row["by_seed"] == pytest.approx([0.55, 0.35]) and row["seeds"] == 2
    assert row["by_query"] == pytest.approx([0.4, 0.5, None], nan_ok=True)
    assert row["at_1"]["by_seed"] == pytest.approx([0.15, 0.25])
    assert row["at_1"]["by_query"] == pytest.approx([0.2, 0.2, None], nan_ok=True)
    assert row["nDCG@10"]["mean"] == pytest.approx(0.45) == np.mean(row["by_seed"])
