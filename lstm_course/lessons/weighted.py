"""Training with a weight per pair (lesson 16)."""

import itertools
from contextlib import contextmanager

import numpy as np

import lstm_edu
from lstm_edu.gradients import cost
from lstm_edu.gradients.minibatch import minibatch_gradient
from lstm_edu.gradients.plain import Read
from lstm_edu.gradients.relevance import Cosine
from lstm_edu.text import batch as batches


class Weighted(Cosine):
    """The cosine (3), with the loss of each pair of a minibatch multiplied by its weight.

    Attributes
    ----------
    weights : (N,)
    """

    def __init__(self, weights):
        self.weights = weights

    def cost_gradient(self, q, d, examples, gamma):
        """Compute the weighted losses, and the gradient of their sum, as `Cosine` does."""
        unit_q, length_q = cost.normalise(q.y[examples.query])
        unit_d, length_d = cost.normalise(d.y)
        R, weights = unit_q @ unit_d.T, self.weights.astype(q.y.dtype)
        l, dR = cost.loss_gradient(R, examples.clicked, examples.unclicked, gamma)
        dR *= weights[:, None]
        along = dR * R
        dpair = (dR @ unit_d - along.sum(axis=1, keepdims=True) * unit_q) / length_q
        dyd = (dR.T @ unit_q - along.sum(axis=0)[:, None] * unit_d) / length_d
        dyq = batches.sums(examples.query, len(q.y), q.y.dtype) @ dpair
        return weights * l, (Read(dyq), Read(dyd))


def train_weighted(model, pairs, weights, seed=0, batch_size=256, **settings):
    """Train a `DualEncoder` like `lstm_edu.train`, with a weight for the loss of each pair.

    The weights are scaled to mean 1, so that the step size suits them.

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
        # the order in which `lstm_edu.train` visits the pairs in this epoch
        rng = np.random.default_rng([seed, 1, next(epochs)])
        ordered = weights[rng.permutation(len(weights))]
        starts = itertools.count(step=batch_size)

        def gradient_of(sides, examples, gamma, method, truncate, relevance):
            start = next(starts)
            now = Weighted(ordered[start : start + batch_size])
            return minibatch_gradient(sides, examples, gamma, method, truncate, now)

        yield gradient_of

    how = {"seed": seed, "batch_size": batch_size, "workers": workers}
    return lstm_edu.train(model, pairs, **how, **settings)
