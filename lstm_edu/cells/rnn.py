"""The RNN of Eq. (1): the printed step, batched forward pass, and exact gradient, Eq. (9)-(13).

The weights ``W`` (n_trigrams, m) and ``Wrec`` (m, m) are the transposes of the paper's, because a
word then reads a few rows of W, each contiguous in memory.
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
        # compute W l(t) + b per distinct word, then copy it to every token
        y = (batch.Wh @ weights["W"] + weights["b"])[batch.token]
        for now, before in in_time(batch):
            if before:  # y(0) = 0
                y[now] += y[before] @ weights["Wrec"]
            y[now] = np.tanh(y[now])
        return Output(y)

    def errors(self, weights, batch, tape, dy, truncate=None, at_words=None):
        """Compute delta(t) of Eq. (10)-(11) for every token: the error of the sum inside tanh."""
        dy, delta = dy.copy(), np.zeros_like(tape.y)
        # the tokens of the sentences `rows` at this time, and those one word before
        for rows, now, before in back_in_time(batch, truncate):
            if at_words is not None:
                dy[rows] += at_words[now]
            y = tape.y[now]
            delta[now] = (1 - y) * (1 + y) * dy[rows]  # (11) at the last word, (10) before
            if before:  # from here on dy is the error of y(t-1)
                dy[rows] = delta[now] @ weights["Wrec"].T
        return {"y": delta}
