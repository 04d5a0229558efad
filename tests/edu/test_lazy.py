"""Tests that lazy updates, which postpone updates of rows without gradient, equal dense ones."""

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lstm_edu import LSTM, PAPER, Bidirectional, DualEncoder, LetterTrigrams, train
from lstm_edu.gradients.minibatch import minibatch_gradient
from lstm_edu.training import adam, algorithm_1, minibatches, nesterov
from lstm_edu.training.settings import OPTIMIZERS

SHAPES, SPARSE = {"W": (9, 4), "b": (4,), "backward.W": (9, 2)}, {"W", "backward.W"}
pytestmark = [pytest.mark.usefixtures("small_blocks"), pytest.mark.parametrize("kind", OPTIMIZERS)]


def arrays_of(kind, rng):
    """Generate random weights, optimizer states and averaged weights."""
    drawn = [
        {name: rng.standard_normal(shape) for name, shape in SHAPES.items()}
        for _ in range(2 + len(OPTIMIZERS[kind].names))
    ]
    if kind == "adam":  # Adam's v averages squares, so it can't be negative
        drawn[2] = {name: v**2 for name, v in drawn[2].items()}
    return drawn


def gradient_of(rng, n_rows):
    return {
        name: rng.standard_normal((n_rows, *shape[1:]) if name in SPARSE else shape)
        for name, shape in SHAPES.items()
    }


def copies(of):
    return {name: a.copy() for name, a in of.items()}


def largest_difference(found, expected):
    scale = {name: np.abs(e).max(initial=1) for name, e in expected.items()}
    return max(np.abs(found[name] - e).max(initial=0) / scale[name] for name, e in expected.items())


SEED, REST = st.integers(0, 2**32 - 1), (st.floats(0.1, 100), st.integers(1, 60))
TOUCHED = st.lists(st.sets(st.integers(0, 8)), min_size=1, max_size=60)
MOMENTA = st.sampled_from(["schedule", 0.0, 0.9, 0.995, "any"])
AVERAGE = st.sampled_from([None, 0.0, 0.9, 0.998])


@given(SEED, TOUCHED, MOMENTA, AVERAGE, *REST)
def test_lazy_update_equals_dense_update(
    threads, kind, seed, touched, mu, average, threshold, epoch
):
    """Vary the settings, the rows with a gradient, and the updates between two catch-ups."""
    rng, settings = np.random.default_rng(seed), SimpleNamespace(step_size=0.01, average=average)
    expected = dense, *states, mean = arrays_of(kind, rng)
    found = w, *lazy_states, lazy_mean = [copies(of) for of in expected]
    given_mean = None if average is None else lazy_mean
    side = OPTIMIZERS[kind](w, given_mean, settings, len(touched), SPARSE)
    side.state = dict(zip(side.names, lazy_states))

    def check(*by):
        side.catch_up(*by)
        assert all(largest_difference(*pair) < 1e-10 for pair in zip(found, expected))

    for k, rows in enumerate(touched):
        rows = np.array(sorted(rows), int)
        settings.momentum = rng.random() if mu == "any" else mu
        gradient = gradient_of(rng, len(rows))
        nesterov.clip(gradient, threshold)
        at = side.ahead(rows, threads)
        if kind == "nesterov":
            mu_k = nesterov.momentum(settings.momentum, k, len(touched))
            nesterov.look_ahead(dense, *states, mu_k)
        ahead = {name: a[rows] if name in SPARSE else a for name, a in dense.items()}
        assert largest_difference(at, ahead) < 1e-10
        side.move(at, copies(gradient), rows, threads)
        if kind == "nesterov":
            nesterov.correct(dense, *states, gradient, 0.01, rows)
        else:
            adam.correct(dense, *states, gradient, 0.01, k + 1, rows)
        if average is not None:
            nesterov.average(mean, dense, min(average, k / (k + 1)))
        if side.k % epoch == 0:
            check(threads)
    check()


@pytest.mark.parametrize("cell, average", [(LSTM(3), None), (Bidirectional(LSTM(2)), 0.97)])
def test_lazy_training_equals_dense_training(kind, cell, average):
    """Train for two epochs on mostly rare words, so that most rows of W have no gradient."""
    pairs = [(f"word{k} one", f"title{k} of word{k % 5}") for k in range(30)]
    hashing = LetterTrigrams.fit(text for pair in pairs for text in pair)
    settings = PAPER | dict(n_negatives=2, step_size=0.01, average=average, clip=0.1)
    settings |= {"optimizer": kind} | ({"momentum": None} if kind == "adam" else {})
    model, dense = (DualEncoder(cell, hashing, 0, "float64", 0.5, tied=False) for _ in range(2))
    history = train(model, pairs, epochs=2, batch_size=4, seed=3, **settings)

    sides = dense.query, dense.document
    states = [
        [{name: np.zeros_like(w) for name, w in side.weights.items()} for side in sides]
        for _ in OPTIMIZERS[kind].names
    ]
    means = [copies(side.weights) for side in sides] if average else None
    log, untouched = minibatches.from_pairs(pairs, hashing, "float64"), []
    for number in range(2):
        rng = np.random.default_rng([3, 1, number])
        batches = list(minibatches.of_epoch(log, np.arange(30), 4, 2, rng))
        n, epoch = len(batches), algorithm_1.epoch if kind == "nesterov" else epoch_of_adam
        how = number * n, 2 * n, SimpleNamespace(**settings)
        costs = epoch(sides, *states, means, batches, *how)
        assert sum(costs) / len(pairs) == pytest.approx(history["cost"][number], rel=1e-10)
        untouched += [hashing.size - len(b.touched) for examples in batches for b in examples[:2]]
    assert np.mean(untouched) > 0.5 * hashing.size
    expected = means or [side.weights for side in sides]
    for side, weights in zip((model.query, model.document), expected):
        assert largest_difference(side.weights, weights) < 1e-10


def epoch_of_adam(sides, m, v, means, batches, first, n_updates, settings):
    """Train for one epoch with dense Adam; return each minibatch's cost, as `algorithm_1.epoch`."""
    costs = []
    for k, examples in enumerate(batches, first):
        l, gradient = minibatch_gradient(sides, examples, settings.gamma)
        for n, (side, batch) in enumerate(zip(sides, examples[:2])):
            nesterov.clip(gradient[n], settings.clip)
            step = gradient[n], settings.step_size, k + 1, batch.touched
            adam.correct(side.weights, m[n], v[n], *step)
            if means:
                nesterov.average(means[n], side.weights, min(settings.average, k / (k + 1)))
        costs.append(float(l.sum()))
    return costs
