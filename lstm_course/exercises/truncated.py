"""Exercise on cutting the RNN's gradient short, the T of Eq. (7).

What is expected comes from autograd.
"""

import numpy as np

from lstm_edu.cells.rnn import RNN

from ..engine.by_autograd import by_autograd
from ..engine.drawn import random_text
from ..engine.minimize import hold
from ..engine.report import passed

CELL = RNN(4)


def check_truncated_gradient(truncated_gradient):
    """BPTT that goes back so many steps and no further, as the T of Eq. (7).

    Parameters
    ----------
    truncated_gradient : function of params, L (T, n_trigrams), y (T + 1, m), v (m,), truncate
        v is the error of y(T); returns a dict like params.

    Raises
    ------
    Wrong
    """
    rng, inputs = np.random.default_rng(42), [(5, 4), (6, 2), (4, 0), (7, 1), (3, 20)]
    for T, truncate in inputs:
        params, L, states, v = random_text(rng, T, CELL)
        y = states["y"]
        given = {"params": params, "L": L, "y": y, "v": v, "truncate": truncate}
        expected, errors = by_autograd(CELL, params, L, v, truncate)
        delta = errors["z"]
        of = params["Wrec"], y, v, truncate
        less, more, whole = (
            by_autograd(CELL, params, L, v, steps)[0]
            for steps in (max(0, truncate - 1), truncate + 1, None)
        )
        first = max(T - truncate, 1)
        every = by_autograd(CELL, params, L, v)[1]["z"]
        kept = np.arange(1, T + 1) <= truncate + 1
        reasons = [
            (
                "one word too few: truncate steps back from the last word reach truncate + 1 words",
                less,
            ),
            ("one word too many", more),
            ("nothing is cut: this is the whole gradient", whole),
            (
                "the wrong end is cut: the last truncate + 1 words contribute, not the first",
                {
                    "W": (kept[:, None] * every[1:]).T @ L,
                    "Wrec": (kept[:, None] * every[1:]).T @ y[:-1],
                    "b": every[1:][kept].sum(axis=0),
                },
            ),
            (
                "only the way back is cut: the text was read from its first word, "
                "so that y(t-1) is not zero at the first word that contributes",
                expected | {"Wrec": expected["Wrec"] - np.outer(delta[first], y[first - 1])},
            ),
            (
                "Wrec is not transposed: errors go from the sums back to the outputs",
                _summed(_sent_back(*of, back=params["Wrec"]), y, L),
            ),
            (
                "the derivative of tanh is missing on the way back, Eq. (10)",
                _summed(_sent_back(*of, slope=False), y, L),
            ),
            (
                "the loop runs from the first word: delta(t) needs delta(t+1), so go back",
                _summed(_sent_back(*of, steps=0), y, L),
            ),
            (
                "each word's slope is that of its own output, y(t), not y(t+1)",
                _summed(_sent_back(*of, beside=1), y, L),
            ),
            (
                "the error of the last word is v, and then passes tanh, Eq. (11)",
                by_autograd(CELL, params, L, v / (1 - y[-1] ** 2), truncate)[0],
            ),
        ]
        hold("the gradient", truncated_gradient, given, expected, reasons, of=_honest)
    passed("check_truncated_gradient", len(inputs))


def _honest(params, L, y, v, truncate):
    return _summed(_sent_back(params["Wrec"], y, v, truncate), y, L)


def _sent_back(Wrec, y, v, truncate, back=None, slope=True, steps=None, beside=0):
    """Errors of all words by (10) and (11), with a slip: Wrec for its transpose, no slope, so many
    steps, or the slope of the word beside."""
    T, back = len(y) - 1, Wrec.T if back is None else back
    delta = np.zeros_like(y)
    delta[T] = (1 - y[T] ** 2) * v
    for t in range(T - 1, max(0, T - 1 - (truncate if steps is None else steps)), -1):
        delta[t] = (1 - y[t + beside] ** 2 if slope else 1) * (back @ delta[t + 1])
    return delta


def _summed(delta, y, L):
    """The gradient from the errors of all words."""
    return {"W": delta[1:].T @ L, "Wrec": delta[1:].T @ y[:-1], "b": delta[1:].sum(axis=0)}
