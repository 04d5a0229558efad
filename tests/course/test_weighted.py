"""Tests of training with a weight per pair: equal weights, the cost and the gradient."""

import numpy as np
import pytest

import lstm_edu
from lstm_course.lessons.weighted import train_weighted, with_weights
from lstm_edu.gradients import cost
from lstm_edu.gradients.plain import Examples, Read

PAIRS = [(f"{a} {b}", f"{b} page of {a}") for a in ("ab", "ba", "cab") for b in ("ca", "bc", "aa")]
HASHING = lstm_edu.LetterTrigrams.fit(text for pair in PAIRS for text in pair)


def trained(weights=None, **settings):
    model = lstm_edu.DualEncoder(lstm_edu.LSTM(3), HASHING, seed=1, dtype="float64")
    how = {"epochs": 2, "batch_size": 3, "seed": 5, "progress": False} | settings
    if weights is None:
        return model, lstm_edu.train(model, PAIRS, **how)
    return model, train_weighted(model, PAIRS, weights, **how)


def params(model):
    return np.concatenate(
        [w.ravel() for side in (model.query, model.document) for w in side.params.values()]
    )


def test_training_with_equal_weights_equals_training_without_weights():
    plain, _ = trained()
    equal, _ = trained(np.full(9, 7.0))
    assert (params(plain) == params(equal)).all()


def test_cost_is_weighted_mean_of_losses():
    w = 2.0 ** np.arange(9)
    model = lstm_edu.DualEncoder(lstm_edu.LSTM(3), HASHING, seed=1, dtype="float64")
    titles = [title for _, title in PAIRS]
    losses = [
        lstm_edu.cost_and_gradient(model, [q], [t], [[u for u in titles if u != t]], gamma=10)[0]
        for q, t in PAIRS
    ]
    how = {"epochs": 1, "batch_size": 9, "gamma": 10}
    _, history = trained(w, **how)
    assert history["cost"][0] == pytest.approx(w @ losses / w.mean() / 9, rel=1e-12)


def test_weights_multiply_each_pairs_loss_and_gradient():
    rng = np.random.default_rng(0)
    yq, yd, w = rng.normal(size=(4, 5)), rng.normal(size=(6, 5)), rng.uniform(0, 3, 7)
    query, clicked = rng.integers(0, 4, 7), rng.integers(0, 6, 7)
    unclicked = np.arange(6) != clicked[:, None]
    examples = Examples(None, None, query, clicked, unclicked)
    l, (dq, dd) = with_weights(w).cost_gradient(Read(yq), Read(yd), examples, 4.0)
    want_q, want_d, losses = 0 * yq, 0 * yd, []
    for r in range(7):
        one = yq[query[r]][None], yd, clicked[r : r + 1], unclicked[r : r + 1], 4.0
        loss, of_query, of_titles = cost.cost_gradient(*one)
        want_q[query[r]] += w[r] * of_query[0]
        want_d += w[r] * of_titles
        losses.append(w[r] * loss[0])
    for ours, theirs in ((l, losses), (dq.y, want_q), (dd.y, want_d)):
        np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-12)
