"""An epoch of Algorithm 1 as the paper has it, all rows of W moved in every update, by one thread.

`lstm_edu.train` with `optimizer="nesterov"` does the same, but moves the rows that a minibatch does
not touch later (`nesterov.Lazy`), and takes the gradient in lanes (`lstm_edu.gradients.parallel`).
tests/edu/test_lazy.py compares the two, to 1e-10.
"""

from ..gradients.minibatch import minibatch_gradient
from ..gradients.relevance import COSINE
from . import nesterov


def epoch(sides, velocity, mean, minibatches, first, n_updates, settings, relevance=COSINE):
    """Move the weights of both sides, in place.

    Parameters
    ----------
    sides : pair of Side
    velocity : pair of dicts of arrays
        The last change of the weights, in (6).
    mean : pair of dicts of arrays, or None
        The average of the weights, if one is kept.
    minibatches : iterable of Examples
    first, n_updates : int
        The number of the first update, and the number of updates in the training.
    settings : Settings
        The settings of `lstm_edu.train`, or any object with gamma, momentum, step_size, clip and
        average.
    relevance : Cosine or Aligned
        The model's.

    Returns
    -------
    list of float
        The cost of each minibatch.
    """
    costs = []
    for k, examples in enumerate(minibatches, first):
        mu = nesterov.momentum(settings.momentum, k, n_updates)
        for side, v in zip(sides, velocity):
            nesterov.look_ahead(side.weights, v, mu)  # (6): to Lambda + mu dLambda
        l, gradient = minibatch_gradient(sides, examples, settings.gamma, relevance=relevance)
        for side, v, g, batch in zip(sides, velocity, gradient, examples[:2]):
            nesterov.clip(g, settings.clip)
            nesterov.correct(side.weights, v, g, settings.step_size, batch.touched)  # (6)
        if mean:
            keep = min(settings.average, k / (k + 1))
            for m, side in zip(mean, sides):
                nesterov.average(m, side.weights, keep)
        costs.append(float(l.sum()))
    return costs
