"""Tests that nearest-neighbour search in blocks equals a full sort."""

import numpy as np
import pytest

from lstm_tools import nearest


def full_sort(queries, documents, n):
    """Return the rows and cosines of each query's n best documents; ties keep the row order."""
    q, d = (v / np.linalg.norm(v, axis=1, keepdims=True) for v in (queries, documents))
    scores = np.clip(np.einsum("qm,rm->qr", q, d), -1, 1)
    order = np.argsort(-scores, axis=1, kind="stable")[:, :n]
    return order, np.take_along_axis(scores, order, axis=1)


@pytest.mark.parametrize("n_documents, n", [(1, 3), (5, 10), (64, 1), (1003, 70)])
@pytest.mark.parametrize("block", [1, 7, 64])
def test_top_equals_full_sort_for_any_block_size(monkeypatch, n_documents, n, block):
    monkeypatch.setattr(nearest, "BLOCK", block)
    monkeypatch.setattr(nearest, "QUERIES", 3)
    rng = np.random.default_rng(0)
    queries, documents = rng.standard_normal((8, 6)), rng.standard_normal((n_documents, 6))
    rows, scores = nearest.top(queries, documents, n)
    expected, best = full_sort(queries, documents, n)
    np.testing.assert_array_equal(rows, expected)
    np.testing.assert_allclose(scores, best, rtol=1e-12)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("block", [5, 64, 4096])
def test_top_gives_equal_documents_equal_scores_and_keeps_their_order(monkeypatch, dtype, block):
    """Rank many copies of seven documents, which are spread over all blocks."""
    monkeypatch.setattr(nearest, "BLOCK", block)
    rng = np.random.default_rng(1)
    few = rng.standard_normal((7, 96)).astype(dtype)
    drawn = rng.integers(7, size=999)
    rows, scores = nearest.top(rng.standard_normal((4, 96)).astype(dtype), few[drawn], 300)
    for r, s in zip(rows, scores):
        runs = np.split(r, np.flatnonzero(np.diff(s)) + 1)
        assert (np.diff(s) <= 0).all()
        for run in runs:
            copies = np.flatnonzero(drawn == drawn[run[0]])
            assert (copies[: len(run)] == run).all()


def test_top_accepts_zero_vectors_and_empty_document_array():
    queries, documents = np.eye(3), np.array([[-1.0, 0, 0], [0, 0, 0], [1, 0, 0]])
    with pytest.warns(UserWarning, match="zero"):
        rows, scores = nearest.top(queries[:1], documents, 3)
    assert rows.tolist() == [[2, 1, 0]] and scores.tolist() == [[1, 0, -1]]
    assert nearest.top(queries, documents[:0], 2)[0].shape == (3, 0)
