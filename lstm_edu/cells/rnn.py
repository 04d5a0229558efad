"""The RNN of Eq. (1): the step as printed, a batched forward, and its exact backward (9)-(13).

Weights are kept with one row per trigram, ``W`` (n_trigrams, m) and ``Wrec`` (m, m), the transposes
of the paper's: a word touches a handful of rows, each contiguous in memory.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..text.batch import after_first, back_in_time, in_time, input_gradient
from .cell import Recurrent


class State(NamedTuple):
    """The state after a word: the hidden activation y, (n_cells,); as a tape, of all tokens."""

    y: np.ndarray


def step(params, l, y):
    """Read one word by Eq. (1): from y(t-1) to y(t).

    Parameters
    ----------
    params : dict of arrays, by the paper's names
    l : (n_trigrams,) letter-trigram counts of the word
    y : (n_cells,) hidden activation after the word before

    Returns
    -------
    State
    """
    return State(np.tanh(params["W"] @ l + params["Wrec"] @ y + params["b"]))


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

    def shapes(self, n_trigrams):
        """Return the names and shapes of the weights as stored."""
        m = self.n_cells
        return {"W": (n_trigrams, m), "Wrec": (m, m), "b": (m,)}

    def params(self, weights):
        """Return the weights by the paper's names and orientation, as views."""
        return {"W": weights["W"].T, "Wrec": weights["Wrec"].T, "b": weights["b"]}

    def step_of_many(self, xp, params, l, y):
        """Compute Eq. (1) for many sentences, one row per sentence."""
        return (xp.tanh(l @ params["W"].T + y @ params["Wrec"].T + params["b"]),)

    def outputs(self, weights, batch):
        """Compute y(t) of every token; W l(t) + b once per distinct word."""
        y = (batch.Wh @ weights["W"] + weights["b"])[batch.token]  # of words, then of tokens
        for now, before in in_time(batch):
            if before:  # y(0) = 0
                y[now] += y[before] @ weights["Wrec"]
            y[now] = np.tanh(y[now])
        return State(y)

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

    def gradient(self, weights, batch, tape, dz):
        """Return the gradient of the weights from delta."""
        delta = dz["y"]
        later, before = after_first(batch)
        return {
            "W": input_gradient(batch, [delta]),  # Eq. (13)
            "Wrec": tape.y[before].T @ delta[later],  # Eq. (9)
            "b": delta.sum(axis=0),  # not printed
        }
