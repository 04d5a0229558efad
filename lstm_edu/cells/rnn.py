"""The RNN of Eq. (1): the printed step, batched forward pass, and exact gradient, Eq. (9)-(13).

The weights ``W`` (n_trigrams, m) and ``Wrec`` (m, m) are the transposes of the paper's, so that a
word's trigrams select rows of W, which are contiguous in memory.
"""

from dataclasses import dataclass

import numpy as np

from ..text.batch import back_in_time, in_time
from .cell import Output, Recurrent


def step(params, l, y, xp=np):
    """Compute y(t) by Eq. (1) from y(t-1) and the trigram counts l(t); see `Recurrent.step`.

    Vectors are rows, so W l(t) is ``l @ W.T``.
    """
    return Output(xp.tanh(l @ params["W"].T + y @ params["Wrec"].T + params["b"]))


@dataclass(frozen=True)
class RNN(Recurrent):
    """A recurrent network without memory cells, Eq. (1).

    Parameters
    ----------
    n_cells : int
        The number of hidden units; the paper uses 288.
    """

    n_cells: int = 288

    step = staticmethod(step)  # pyright: ignore[reportAssignmentType]
    printed = "exact"

    def outputs(self, weights, batch):
        """Compute y(t) at every token; W l(t) + b is computed once per distinct word."""
        y = (batch.Wh @ weights["W"] + weights["b"])[batch.token]
        for now, before in in_time(batch):
            if before:  # at the first word, y(0) = 0 adds nothing
                y[now] += y[before] @ weights["Wrec"]
            y[now] = np.tanh(y[now])
        return Output(y)

    def errors(self, weights, batch, tape, dy, truncate=None, at_words=None):
        """Compute delta(t) of Eq. (10)-(11) at every token: the error of tanh's argument."""
        dy, delta = dy.copy(), np.zeros_like(tape.y)
        # `now` and `before` index the tokens of sentences `rows` at times t and t-1
        for rows, now, before in back_in_time(batch, truncate):
            if at_words is not None:
                dy[rows] += at_words[now]
            y = tape.y[now]
            delta[now] = (1 - y) * (1 + y) * dy[rows]  # (11) at the last word, else (10)
            if before:  # from here on dy is the error of y(t-1)
                dy[rows] = delta[now] @ weights["Wrec"].T
        return {"y": delta}
