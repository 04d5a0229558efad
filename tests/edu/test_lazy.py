"""The lazy update against the dense one, (6) as it stands."""

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lstm_edu import LSTM, PAPER, Bidirectional, DualEncoder, LetterTrigrams, train
from lstm_edu.cells.cell import is_by_rows
from lstm_edu.training import algorithm_1, lazy, minibatches, nesterov

SHAPES = {"W": (9, 4), "b": (4,), "backward.W": (9, 2)}


pytestmark = pytest.mark.usefixtures("small_blocks")


def weights_of(rng):
    return {name: rng.standard_normal(shape) for name, shape in SHAPES.items()}


def gradient_of(rng, n_rows):
    return {
        name: rng.standard_normal((n_rows, *shape[1:]) if is_by_rows(name) else shape)
        for name, shape in SHAPES.items()
    }


def largest_difference(found, expected):
    scale = {name: max(1, np.abs(e).max()) for name, e in expected.items()}
    return max(np.abs(found[name] - e).max() / scale[name] for name, e in expected.items())


SEED, REST = st.integers(0, 2**32 - 1), (st.floats(0.1, 100), st.integers(1, 60))
TOUCHED = st.lists(st.sets(st.integers(0, 8)), min_size=1, max_size=60)
MOMENTA = st.sampled_from(["schedule", 0.0, 0.9, 0.995, "any"])
AVERAGE = st.sampled_from([None, 0.0, 0.9, 0.998])


@given(SEED, TOUCHED, MOMENTA, AVERAGE, *REST)
def test_equals_the_dense_update(threads, seed, touched, mu, average, threshold, epoch):
    """Whatever rows are touched, under any schedule, clipped or not, averaged or not.

    And wherever epochs end.
    """
    rng = np.random.default_rng(seed)
    dense_w, dense_v, dense_m = weights_of(rng), weights_of(rng), weights_of(rng)
    w, v, m = ({name: a.copy() for name, a in of.items()} for of in (dense_w, dense_v, dense_m))
    coasting, given_m = lazy.start(9, epoch), None if average is None else m

    def check(*by):
        lazy.bring_up_to_date(coasting, w, v, given_m, *by)
        both = (w, dense_w), (v, dense_v), (m, dense_m)
        assert all(largest_difference(*pair) < 1e-10 for pair in both)

    for k, rows in enumerate(touched):
        rows = np.array(sorted(rows), int)
        mu_k = rng.random() if mu == "any" else nesterov.momentum(mu, k, len(touched))
        keep = 1 if average is None else min(average, k / (k + 1))
        gradient = gradient_of(rng, len(rows))
        nesterov.clip(gradient, threshold)

        ahead = lazy.look_ahead(coasting, w, v, mu_k, rows, threads)
        nesterov.look_ahead(dense_w, dense_v, mu_k)
        expected = {name: a[rows] if is_by_rows(name) else a for name, a in dense_w.items()}
        if not len(rows):
            expected = {"b": dense_w["b"]}
        assert largest_difference(ahead, expected) < 1e-10

        copied = {name: g.copy() for name, g in gradient.items()}
        lazy.correct(coasting, w, v, given_m, ahead, copied, 0.01, keep, rows, threads)
        nesterov.correct(dense_w, dense_v, gradient, 0.01, rows)
        if average is not None:
            nesterov.average(dense_m, dense_w, keep)
        if coasting.k == epoch:
            check(threads)
            coasting = lazy.start(9, epoch)
    check()


def test_rows_that_are_not_touched_are_left_alone():
    rng = np.random.default_rng(0)
    w, v, m = weights_of(rng), weights_of(rng), weights_of(rng)
    before = [{name: a.copy() for name, a in of.items()} for of in (w, v, m)]
    coasting, rows = lazy.start(9, 5), np.array([2, 7])
    ahead = lazy.look_ahead(coasting, w, v, 0.9, rows)
    lazy.correct(coasting, w, v, m, ahead, gradient_of(rng, 2), 0.01, 0.9, rows)
    for now, old in zip((w, v, m), before):
        for name in ("W", "backward.W"):
            assert (np.flatnonzero((now[name] != old[name]).any(axis=1)) == rows).all()


@pytest.mark.parametrize("cell, average", [(LSTM(3), None), (Bidirectional(LSTM(2)), 0.97)])
def test_training_is_that_with_the_dense_update(cell, average):
    """A log in which most words are rare, two epochs, through `train`."""
    pairs = [(f"word{k} one", f"title{k} of word{k % 5}") for k in range(30)]
    hashing = LetterTrigrams.fit(text for pair in pairs for text in pair)
    settings = PAPER | dict(n_negatives=2, step_size=0.01, average=average, clip=1.0)
    model, dense = (
        DualEncoder(cell, hashing, 0, "float64", scale=0.5, tied=False) for _ in range(2)
    )
    history = train(model, pairs, epochs=2, batch_size=4, seed=3, **settings)
    how = SimpleNamespace(**settings)

    trained = DualEncoder(cell, hashing, 0, "float64", 0.5, tied=False) if average else dense
    sides = trained.query, trained.document
    means = (dense.query.weights, dense.document.weights) if average else None
    velocity = [{name: np.zeros_like(w) for name, w in side.weights.items()} for side in sides]
    log, untouched = minibatches.from_pairs(pairs, hashing, "float64"), []
    for number in range(2):
        rng = np.random.default_rng([3, 1, number])
        batches = list(minibatches.of_epoch(log, np.arange(30), 4, 2, rng))
        n = len(batches)
        costs = algorithm_1.epoch(sides, velocity, means, batches, number * n, 2 * n, how)
        assert sum(costs) / len(pairs) == pytest.approx(history["cost"][number], rel=1e-10)
        untouched += [hashing.size - len(b.touched) for some in batches for b in some[:2]]
    assert np.mean(untouched) > 0.5 * hashing.size
    for side, expected in zip((model.query, model.document), (dense.query, dense.document)):
        assert largest_difference(side.weights, expected.weights) < 1e-10
