"""An epoch of the paper's Algorithm 1 in plain form: every update moves all rows of W.

`lstm_edu.train` with `optimizer="nesterov"` does the same, but delays the updates of untouched rows
(`nesterov.Lazy`) and uses two threads. tests/edu/test_lazy.py checks that both agree to 1e-10.
"""

from ..gradients.minibatch import minibatch_gradient
from ..gradients.relevance import COSINE
from . import nesterov


def epoch(sides, velocity, mean, minibatches, first, n_updates, settings, relevance=COSINE):
    """Train both sides for one epoch, in place.

    Parameters
    ----------
    sides : pair of Side
    velocity : pair of dicts of arrays
        The last change of each weight, dLambda in (6).
    mean : pair of dicts of arrays, or None
        The running average of the weights; None for no average.
    minibatches : iterable of Examples
    first, n_updates : int
        The number of the first update, and the total number of updates in the training run.
    settings : Settings
        The settings of `lstm_edu.train`, or any object with gamma, momentum, step_size, clip and
        average.
    relevance : Cosine or Aligned
        The model's relevance.

    Returns
    -------
    list of float
        The cost of each minibatch.
    """
    costs = []
    for k, examples in enumerate(minibatches, first):
        mu = nesterov.momentum(settings.momentum, k, n_updates)
        for side, v in zip(sides, velocity):
            nesterov.look_ahead(side.weights, v, mu)  # Eq. (6): move to Lambda + mu dLambda
        l, gradient = minibatch_gradient(sides, examples, settings.gamma, relevance=relevance)
        for side, v, g, batch in zip(sides, velocity, gradient, examples[:2]):
            nesterov.clip(g, settings.clip)
            nesterov.correct(side.weights, v, g, settings.step_size, batch.touched)  # Eq. (6)
        if mean:
            keep = min(settings.average, k / (k + 1))
            for m, side in zip(mean, sides):
                nesterov.average(m, side.weights, keep)
        costs.append(float(l.sum()))
    return costs
