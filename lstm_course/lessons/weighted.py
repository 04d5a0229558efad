"""Training with a weight per pair (lesson 16)."""

import itertools
from contextlib import contextmanager

import numpy as np

import lstm_edu
from lstm_edu.gradients import cost
from lstm_edu.gradients.minibatch import minibatch_gradient

from .other_loss import WithLoss


def with_weights(weights):
    """Return a `WithLoss` that multiplies each pair's loss, Eq. (5), by its weight, (N,)."""

    def loss(R, examples, gamma):
        l, dR = cost.loss_gradient(R, examples.clicked, examples.unclicked, gamma)
        w = weights.astype(R.dtype)
        return w * l, w[:, None] * dR

    return WithLoss(loss)


def train_weighted(model, pairs, weights, seed=0, batch_size=256, **settings):
    """Train a `DualEncoder` like `lstm_edu.train`, with a weight for the loss of each pair.

    The weights are scaled to mean 1, so that the usual step size suits them.

    Parameters
    ----------
    model : DualEncoder
    pairs : list of (query, title)
    weights : (n_pairs,)
    seed, batch_size : int
    **settings
        As in `lstm_edu.train`, but training can neither resume nor hold queries out.

    Returns
    -------
    dict of lists
        The history, as in `lstm_edu.train`.
    """
    weights, epochs = np.asarray(weights) / np.mean(weights), itertools.count()

    @contextmanager
    def workers():
        # put the weights in the order in which `lstm_edu.train` visits the pairs in this epoch
        rng = np.random.default_rng([seed, 1, next(epochs)])
        ordered = weights[rng.permutation(len(weights))]
        starts = itertools.count(step=batch_size)

        def gradient_of(sides, examples, gamma, method, truncate, relevance):
            start = next(starts)
            now = with_weights(ordered[start : start + batch_size])
            return minibatch_gradient(sides, examples, gamma, method, truncate, now)

        yield gradient_of

    how = {"seed": seed, "batch_size": batch_size, "workers": workers}
    return lstm_edu.train(model, pairs, **how, **settings)
