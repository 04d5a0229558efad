"""Adam: against Kingma and Ba's algorithm, PyTorch's, and what it says of rows that wait."""

import numpy as np
import pytest
from hypothesis import given
from test_lazy import (
    AVERAGE,
    REST,
    SEED,
    SHAPES,
    TOUCHED,
    gradient_of,
    largest_difference,
    weights_of,
)

from lstm_edu import LSTM, PAPER, Bidirectional, DualEncoder, LetterTrigrams, train
from lstm_edu.cells.cell import is_by_rows
from lstm_edu.gradients.minibatch import minibatch_gradient
from lstm_edu.training import adam, lazy, lazy_adam, minibatches, nesterov

ALL = np.arange(9)


pytestmark = pytest.mark.usefixtures("small_blocks")


def zeros():
    return {name: np.zeros(shape) for name, shape in SHAPES.items()}


def copies(of):
    return {name: w.copy() for name, w in of.items()}


def gradients(n, seed=1):
    """Of all rows; some elements a million times as long as others, and some 0."""
    rng, n_rows = np.random.default_rng(seed), len(ALL)
    scale = {name: 10 ** rng.uniform(-5, 1, shape) for name, shape in SHAPES.items()}
    scale["W"][4, 2] = scale["b"][1] = 0
    return [
        {name: scale[name] * g for name, g in gradient_of(rng, n_rows).items()} for _ in range(n)
    ]


def by_training(start, steps, step_size):
    """The weights after some updates that touch all rows, the way of `train`."""
    weights, m, v, coasting = copies(start), zeros(), zeros(), lazy.start(9, len(steps))
    for k, gradient in enumerate(steps, 1):
        at = lazy_adam.look_ahead(coasting, weights, m, v, ALL)
        gradient = copies(gradient)
        lazy_adam.correct(coasting, weights, m, v, None, at, gradient, step_size, 1, ALL, k)
    return weights


def test_is_the_algorithm_of_kingma_and_ba_where_all_rows_are_touched():
    """Their Algorithm 1, line by line, with their names and values."""
    start, steps, found = weights_of(np.random.default_rng(0)), gradients(500), {}
    alpha, beta_1, beta_2, epsilon = 0.01, 0.9, 0.999, 1e-8
    for name in SHAPES:
        theta, m, v, t = start[name], 0, 0, 0
        for gradient in steps:
            t = t + 1
            g = gradient[name]
            m = beta_1 * m + (1 - beta_1) * g
            v = beta_2 * v + (1 - beta_2) * g * g
            m_hat = m / (1 - beta_1**t)
            v_hat = v / (1 - beta_2**t)
            theta = theta - alpha * m_hat / (np.sqrt(v_hat) + epsilon)
        found[name] = theta
    weights = by_training(start, steps, alpha)
    assert largest_difference(weights, found) < 1e-13
    moved = {name: weights[name] - start[name] for name in SHAPES}
    assert largest_difference(moved, {name: found[name] - start[name] for name in SHAPES}) < 1e-13
    assert moved["b"][1] == moved["W"][4, 2] == 0 and abs(moved["W"]).max() > 0.1

    plain, m, v = copies(start), zeros(), zeros()
    for k, gradient in enumerate(steps, 1):
        adam.correct(plain, m, v, gradient, alpha, k, ALL)
    assert largest_difference(plain, found) < 1e-13


def as_stated(w, m, v, mean, gradient, touched, step_size, k, keep):
    """The equations of `lstm_edu.training.adam` for every element, and the average of all rows."""
    for name, g in gradient.items():
        is_touched, all_g = np.ones(SHAPES[name], bool), g
        if is_by_rows(name):
            is_touched, all_g = np.zeros(SHAPES[name], bool), np.zeros(SHAPES[name])
            is_touched[touched], all_g[touched] = True, g
        m[name] = np.where(is_touched, 0.9 * m[name] + 0.1 * all_g, m[name])
        v[name] = np.where(is_touched, 0.999 * v[name] + 0.001 * all_g**2, v[name])
        m_hat, v_hat = m[name] / (1 - 0.9**k), v[name] / (1 - 0.999**k)
        moved = w[name] - step_size * m_hat / (np.sqrt(v_hat) + 1e-8)
        w[name] = np.where(is_touched, moved, w[name])
        mean[name] = keep * mean[name] + (1 - keep) * w[name]


@given(SEED, TOUCHED, AVERAGE, *REST)
def test_rows_wait_as_stated(threads, seed, touched, average, threshold, epoch):
    """Whatever rows are touched, clipped or not, averaged or not, and wherever epochs end."""
    rng = np.random.default_rng(seed)
    expected = weights_of(rng), zeros(), zeros(), weights_of(rng)
    w, m, v, mean = map(copies, expected)
    plain, plain_m, plain_v = copies(w), zeros(), zeros()
    given_mean, coasting = None if average is None else mean, lazy.start(9, epoch)

    def check():
        lazy_adam.bring_up_to_date(coasting, w, m, v, given_mean, threads)
        found = w, m, v, mean if average is not None else expected[-1]
        assert all(largest_difference(*pair) < 1e-10 for pair in zip(found, expected))
        assert largest_difference(plain, w) < 1e-10

    for k, rows in enumerate(touched):
        rows = np.array(sorted(rows), int)
        keep = 1 if average is None else min(average, k / (k + 1))
        gradient = gradient_of(rng, len(rows))
        nesterov.clip(gradient, threshold)
        as_stated(*expected, gradient, rows, 0.01, k + 1, keep)
        adam.correct(plain, plain_m, plain_v, gradient, 0.01, k + 1, rows)

        at = lazy_adam.look_ahead(coasting, w, m, v, rows, threads)
        for name, a in at.items():
            assert np.array_equal(a, w[name][rows] if is_by_rows(name) else w[name])
        step = at, gradient, 0.01, keep
        lazy_adam.correct(coasting, w, m, v, given_mean, *step, rows, k + 1, threads)
        if coasting.k == epoch:
            check()
            coasting = lazy.start(9, epoch)
    check()


def test_rows_that_are_not_touched_are_left_alone():
    rng = np.random.default_rng(0)
    states = w, m, v, mean = [weights_of(rng) for _ in range(4)]
    for name in SHAPES:
        v[name] **= 2
    before, rows, coasting = [copies(of) for of in states], np.array([2, 7]), lazy.start(9, 5)
    at = lazy_adam.look_ahead(coasting, w, m, v, rows)
    lazy_adam.correct(coasting, w, m, v, mean, at, gradient_of(rng, 2), 0.01, 0.9, rows, 1)
    for now, old in zip(states, before):
        for name in ("W", "backward.W"):
            assert (np.flatnonzero((now[name] != old[name]).any(axis=1)) == rows).all()


@pytest.mark.parametrize("dtype, worst", [("float64", 1e-10), ("float32", 1e-4)])
@pytest.mark.parametrize("cell, average", [(LSTM(3), None), (Bidirectional(LSTM(2)), 0.97)])
def test_training_is_that_of_the_plain_form(cell, average, dtype, worst):
    """A log in which most words are rare, two epochs, through `train`, clipped in every update."""
    pairs = [(f"word{k} one", f"title{k} of word{k % 5}") for k in range(30)]
    hashing = LetterTrigrams.fit(text for pair in pairs for text in pair)
    settings = PAPER | dict(optimizer="adam", momentum=None, step_size=0.01, average=average)
    settings |= dict(n_negatives=2, epochs=2, batch_size=4, clip=0.1, seed=3)
    model, plain = (DualEncoder(cell, hashing, 0, dtype, 0.5, tied=False) for _ in range(2))
    history = train(model, pairs, **settings)
    assert min(history["gradient_norm_query"] + history["gradient_norm_document"]) > 0.1

    sides = plain.query, plain.document
    m, v = ([{n: 0 * w for n, w in side.weights.items()} for side in sides] for _ in range(2))
    mean = [copies(side.weights) for side in sides]
    log, k = minibatches.from_pairs(pairs, hashing, dtype), 0
    for epoch in range(2):
        rng = np.random.default_rng([3, 1, epoch])
        for examples in minibatches.of_epoch(log, np.arange(30), 4, 2, rng):
            _, gradient = minibatch_gradient(sides, examples, settings["gamma"])
            for n, (side, batch) in enumerate(zip(sides, examples[:2])):
                nesterov.clip(gradient[n], 0.1)
                step = gradient[n], 0.01, k + 1, batch.touched
                adam.correct(side.weights, m[n], v[n], *step)
                nesterov.average(mean[n], side.weights, min(average or 0, k / (k + 1)))
            k += 1
    for side, expected in zip((model.query, model.document), mean):
        assert largest_difference(side.weights, expected) < worst
