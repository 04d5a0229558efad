"""Tests of Nesterov's update (6), Adam and clipping against the equations in the papers."""

import numpy as np
import pytest
from small_log import HASHING, PAIRS, new_model

from lstm_edu import cost_and_gradient, train
from lstm_edu.training import adam, minibatches


def test_nesterov_training_follows_equation_6():
    """Compute Eq. (6) for comparison, with the clipped gradient at the look-ahead point."""
    model, plain, mu, step = new_model(dtype="float64"), new_model(dtype="float64"), 0.9, 0.01
    sides = {"query": plain.query, "document": plain.document}
    weights = {(s, name): w for s, side in sides.items() for name, w in side.params.items()}
    position = {key: w.copy() for key, w in weights.items()}
    change = {key: np.zeros_like(w) for key, w in weights.items()}
    pairs = PAIRS[:12]
    log = minibatches.from_pairs(pairs, HASHING, "float64")
    texts = list(dict.fromkeys(title for _, title in pairs))
    for epoch in range(3):  # draw the same minibatches and unclicked titles as `train`
        rng = np.random.default_rng([5, 1, epoch])
        order = rng.permutation(len(pairs))
        drawn = minibatches.sample_unclicked(log, log.query[order], 2, rng)
        for key, w in weights.items():
            w[...] = position[key] + mu * change[key]
        queries, clicked = map(list, zip(*(pairs[k] for k in order)))
        unclicked = [[texts[t] for t in row] for row in drawn]
        how = {"gamma": 5.0, "method": "autograd"}
        _, gradient = cost_and_gradient(plain, queries, clicked, unclicked, **how)
        norm = {
            side: np.sqrt(sum((g**2).sum() for g in gradient[side].values())) for side in gradient
        }
        assert min(norm.values()) > 1
        for side, name in weights:
            g = gradient[side][name] / norm[side]
            change[side, name] = mu * change[side, name] - step * g
            position[side, name] += change[side, name]
    how = dict(epochs=3, batch_size=12, n_negatives=2, gamma=5.0, optimizer="nesterov")
    how |= dict(step_size=step, momentum=mu, clip=1.0, average=None, seed=5)
    history = train(model, pairs, **how)
    for side, expected in norm.items():
        assert history[f"gradient_norm_{side}"][-1] == pytest.approx(expected)
    for (side, name), expected in position.items():
        found = getattr(model, side).params[name]
        np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-12)


def test_adam_follows_algorithm_of_kingma_and_ba():
    """Compare with Algorithm 1 of Kingma and Ba on gradients of very different magnitudes."""
    rng, shape = np.random.default_rng(0), (9, 4)
    scale = 10 ** rng.uniform(-5, 1, shape)
    scale[4, 2] = 0
    start, alpha, beta_1, beta_2, epsilon = rng.standard_normal(shape), 0.01, 0.9, 0.999, 1e-8
    weights, found_m, found_v = {"W": start.copy()}, *({"W": np.zeros(shape)} for _ in range(2))
    theta, m, v = start, 0, 0
    for t in range(1, 501):
        g = scale * rng.standard_normal(shape)
        m = beta_1 * m + (1 - beta_1) * g
        v = beta_2 * v + (1 - beta_2) * g * g
        m_hat = m / (1 - beta_1**t)
        v_hat = v / (1 - beta_2**t)
        theta = theta - alpha * m_hat / (np.sqrt(v_hat) + epsilon)
        adam.correct(weights, found_m, found_v, {"W": g}, alpha, t, np.arange(9))
    np.testing.assert_allclose(weights["W"], theta, rtol=0, atol=1e-13)
    moved = weights["W"] - start
    assert moved[4, 2] == 0 and np.abs(moved).max() > 0.1
