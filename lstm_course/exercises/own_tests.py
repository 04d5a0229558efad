"""Exercises for lessons 04, 06 and 10a: write a test that only a correct function passes."""

import numpy as np

import lstm_edu

from ..engine import slips
from .algorithm_1 import algorithm_1
from .complex_step import complex_step
from .ndcg import ndcg


def gradient(params, L, v):
    """Return the gradient of v · y(T) with respect to W, Wrec and b, Eq. (9)-(13)."""
    y = [np.zeros(len(v))]
    for l in L:
        y.append(np.tanh(params["W"] @ l + params["Wrec"] @ y[-1] + params["b"]))
    found = {name: np.zeros_like(w) for name, w in params.items()}
    dy = v
    for t in range(len(L), 0, -1):
        delta = (1 - y[t]) * (1 + y[t]) * dy
        found["W"] += np.outer(delta, L[t - 1])
        found["Wrec"] += np.outer(delta, y[t - 1])
        found["b"] += delta
        dy = params["Wrec"].T @ delta
    return found


@slips.check_test(gradient)
def test_gradient(gradient):
    """Raise AssertionError if gradient(params, L, v) is wrong."""
    rng = np.random.default_rng(0)
    for T in (1, 3, 15):
        params = {
            "W": rng.normal(size=(4, 5)),
            "Wrec": rng.normal(size=(4, 4)),
            "b": rng.normal(size=4),
        }
        L, v = rng.integers(0, 3, (T, 5)) * 1.0, rng.normal(size=4)
        given = {name: w.copy() for name, w in params.items()}
        found = gradient(given, L, v)
        for name, w in params.items():
            assert np.array_equal(given[name], w)

            def f(w):
                return v @ lstm_edu.RNN(4).read(params | {name: w}, L)[-1].y

            np.testing.assert_allclose(found[name], complex_step(f, w), 1e-9, 1e-12)


@slips.check_test(algorithm_1)
def test_training(algorithm_1):
    """Raise AssertionError if algorithm_1, called as in 06.5, is wrong."""
    rng = np.random.default_rng(0)
    A, Lambda = rng.normal(size=(6, 3)), rng.normal(size=3)
    batches = [[[0, 1], [2], [3]], [[4, 5], [1]]]
    order = sum(batches, [])

    def gradient_at(Lambda, batch):
        return A[batch].T @ (A[batch] @ Lambda - 1)

    for mu, th_G in ((0.9, 100.0), (0.9, 1.0), (0.0, 1.0)):
        expected, change = Lambda.copy(), np.zeros(3)
        for batch in order:
            g = gradient_at(expected + mu * change, batch)
            length = np.linalg.norm(g)
            g = g * th_G / length if length > th_G else g
            change = mu * change - 0.1 * g
            expected = expected + change
        given = Lambda.copy()
        found = algorithm_1(given, batches, gradient_at, mu, 0.1, th_G)
        np.testing.assert_allclose(found, expected, 1e-9)
        assert np.array_equal(given, Lambda)
        assert sum(batches, []) == order


@slips.check_test(ndcg)
def test_ndcg(ndcg):
    """Raise AssertionError if ndcg(scores, grades, k) is wrong."""
    from itertools import permutations

    def dcg(grades, k):
        return sum((2.0**g - 1) / np.log2(r + 2) for r, g in enumerate(grades[:k]))

    for scores, grades in (
        ([0.5, 1, 0.5, -2, -3], [1, 0, 3, 2, 3]),
        ([1, 1.0001, 0.3], [0, 2, 1]),
        ([0, 0, 0], [0, 1, 0]),
        ([2, 1], [0, 0]),
    ):
        scores, grades = np.array(scores), np.array(grades)
        orders = [list(order) for order in permutations(range(len(grades)))]
        orders = [order for order in orders if (np.diff(scores[order]) <= 0).all()]
        for k in (1, 2, 9):
            best = dcg(sorted(grades, reverse=True), k)
            mean = np.mean([dcg(grades[order], k) for order in orders])
            expected = mean / best if best else np.nan
            np.testing.assert_allclose(ndcg(scores, grades, k), expected, 1e-9)
