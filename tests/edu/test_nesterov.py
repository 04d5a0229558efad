"""Nesterov's update by (6): its momentum, clipping, and the average of the weights."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_log import HASHING, PAIRS, new_model

from lstm_edu import cost_and_gradient, train
from lstm_edu.training import minibatches, nesterov


def test_update_is_equation_6():
    """Against (6) written out, with the gradient taken at the look-ahead point and clipped."""
    model, mu, step = new_model(dtype="float64"), 0.9, 0.01
    plain = new_model(dtype="float64")
    position = {
        side: {name: w.copy() for name, w in getattr(plain, side).params.items()}
        for side in ("query", "document")
    }
    change = {
        side: {name: np.zeros_like(w) for name, w in position[side].items()} for side in position
    }
    pairs = PAIRS[:12]
    log = minibatches.from_pairs(pairs, HASHING, "float64")
    for epoch in range(3):  # the examples that train will draw
        rng = np.random.default_rng([5, 1, epoch])
        order = rng.permutation(len(pairs))
        drawn = minibatches.sample_unclicked(log, log.query[order], 2, rng)
        texts = [" ".join(title.split()) for title in dict.fromkeys(title for _, title in pairs)]
        for side in position:
            for name, w in getattr(plain, side).params.items():
                w[...] = position[side][name] + mu * change[side][name]
        queries, clicked = zip(*(pairs[k] for k in order))
        unclicked = [[texts[t] for t in row] for row in drawn]
        how = {"gamma": 5.0, "method": "autograd"}
        _, gradient = cost_and_gradient(plain, list(queries), list(clicked), unclicked, **how)
        for side in position:
            norm = np.sqrt(sum((g**2).sum() for g in gradient[side].values()))
            assert norm > 1
            for name, g in gradient[side].items():
                change[side][name] = mu * change[side][name] - step * g * (1 / norm)
                position[side][name] += change[side][name]
    how = dict(epochs=3, batch_size=12, n_negatives=2, gamma=5.0, optimizer="nesterov")
    how |= dict(step_size=step, momentum=mu, clip=1.0, average=None, seed=5)
    train(model, pairs, **how)
    for side in position:
        for name, w in getattr(model, side).params.items():
            np.testing.assert_allclose(w, position[side][name], rtol=1e-9, atol=1e-12)


def test_schedule():
    mu = [nesterov.momentum("schedule", k, 1000) for k in range(1000)]
    assert mu[:20] == [0.9] * 20 and mu[980:] == [0.9] * 20 and set(mu[20:980]) == {0.995}
    assert nesterov.momentum(0.5, 3, 10) == 0.5


@given(st.floats(0.01, 100))
def test_clip_keeps_the_direction_and_bounds_the_norm(threshold):
    gradient = {"W": np.array([[3.0, 0.0]]), "b": np.array([4.0])}
    assert nesterov.clip(gradient, threshold) == pytest.approx(5)
    norm = np.hypot(gradient["W"][0, 0], gradient["b"][0])
    assert norm == pytest.approx(min(5, threshold))
    assert gradient["W"][0, 0] / gradient["b"][0] == pytest.approx(0.75)


def test_average_is_the_mean_at_first_and_forgets_later():
    model = new_model()
    seen = []
    keep = lambda m, h: seen.append(m.query.weights["b"].copy()) or None
    how = dict(epochs=4, batch_size=len(PAIRS), average=0.999, n_negatives=2)
    train(model, PAIRS, callback=keep, **how)
    raw = []
    for epochs in range(1, 5):
        model = new_model()
        train(model, PAIRS, epochs=epochs, batch_size=len(PAIRS), average=None, n_negatives=2)
        raw.append(model.query.weights["b"].copy())
    for k in range(4):
        np.testing.assert_allclose(seen[k], np.mean(raw[: k + 1], axis=0), rtol=1e-4, atol=1e-7)
    mean = {"b": np.zeros(1)}
    nesterov.average(mean, {"b": np.ones(1)}, 0.75)
    assert mean["b"] == 0.25
