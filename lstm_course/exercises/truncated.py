"""Exercise for lesson 04: truncated backpropagation through time (T in Eq. (7))."""

import numpy as np

from lstm_edu.cells.rnn import RNN

from ..engine import slips
from ..engine.drawn import random_text
from . import rnn_gradient

# copies, because the sandbox refuses every call to a solution, even from the solution below
send_back = slips.slipped(rnn_gradient.send_back)
weights_gradient = slips.slipped(rnn_gradient.weights_gradient)


def _texts_and_steps():
    rng = np.random.default_rng(42)
    # (n_words, truncate); in the last three pairs, truncate > n_words - 1
    for T, truncate in [(5, 4), (6, 2), (4, 0), (7, 1), (3, 21), (4, 4), (4, 5)]:
        params, L, states, v = random_text(rng, T, RNN(4))
        yield {"params": params, "L": L, "y": states["y"], "v": v, "truncate": truncate}


@slips.check("the gradient", _texts_and_steps, parts=True)
def truncated_gradient(params, L, y, v, truncate):
    """Return the truncated gradient of W, Wrec and b, as a dict.

    Errors go back at most ``truncate`` steps from the last word.
    """
    T = len(L)
    delta = np.zeros_like(y)
    delta[T] = (1 - y[T]) * (1 + y[T]) * v  # (11)
    for t in range(T - 1, max(0, T - 1 - truncate), -1):
        delta[t] = send_back(params["Wrec"], y[t], delta[t + 1])  # (10)
    return weights_gradient(delta, y, L)
