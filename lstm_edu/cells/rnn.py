"""The RNN of Eq. (1): the step as printed, a batched forward, and its exact backward (9)-(13).

Weights are kept with one row per trigram, ``W`` (n_trigrams, m) and ``Wrec`` (m, m), the transposes
of the paper's: a word touches a handful of rows, each contiguous in memory.
"""

from dataclasses import dataclass

import numpy as np

from ..text.batch import back_in_time, in_time
from .cell import Output, Recurrent


def step(params, l, y, xp=np):
    """Read one word by Eq. (1): from y(t-1) to y(t); see `Recurrent.step`.

    Vectors are rows, so W l(t) is ``l @ W.T``.
    """
    return Output(xp.tanh(l @ params["W"].T + y @ params["Wrec"].T + params["b"]))


@dataclass(frozen=True)
class RNN(Recurrent):
    """A recurrent network without memory cells, Eq. (1).

    Parameters
    ----------
    n_cells : int
        Hidden units; the paper has 288.
    """

    n_cells: int = 288

    step = staticmethod(step)  # pyright: ignore[reportAssignmentType]
    printed = "exact"

    def outputs(self, weights, batch):
        """Compute y(t) of every token; W l(t) + b once per distinct word."""
        y = (batch.Wh @ weights["W"] + weights["b"])[batch.token]  # of words, then of tokens
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
