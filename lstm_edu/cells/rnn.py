"""The RNN of Eq. (1): the step as printed, a batched forward, and its exact backward (9)-(13).

Weights are kept with one row a trigram, ``W`` (n_trigrams, m) and ``Wrec`` (m, m), the transposes of
the paper's: a word touches a handful of rows, each contiguous in memory.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..files import InputError
from ..text import sentences


class State(NamedTuple):
    """After a word: y, the hidden activation, (n_cells,)."""

    y: np.ndarray


def step(params, l, y):
    """One word of Eq. (1): from y(t-1) to y(t).

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
class RNN:
    """A recurrent network without memory cells, Eq. (1).

    Parameters
    ----------
    n_cells : int
        Hidden units; the paper has 288.
    """

    n_cells: int = 288

    def __post_init__(self):
        check_sizes(self, "n_cells")

    @property
    def size(self):
        """Length of the embedding."""
        return self.n_cells

    def shapes(self, n_trigrams):
        """Names and shapes of the weights as they are kept."""
        m = self.n_cells
        return {"W": (n_trigrams, m), "Wrec": (m, m), "b": (m,)}

    def params(self, weights):
        """The weights by the paper's names and orientation, as views."""
        return {"W": weights["W"].T, "Wrec": weights["Wrec"].T, "b": weights["b"]}

    def read(self, params, L, state=None):
        """Run `step` over a sentence.

        Parameters
        ----------
        L : (n_words, n_trigrams)
        state : State, optional
            Where to start; y(0) = 0 if None.

        Returns
        -------
        list of State, one a word
        """
        states = [state or State(np.zeros(self.n_cells))]
        for l in L:
            states.append(step(params, l, states[-1].y))
        return states[1:]

    def forward(self, weights, batch):
        """Embeddings of a batch.

        Returns
        -------
        y : (N, n_cells)
            In the batch's order, longest first; zero for a text without words.
        tape : tuple
            What `backward` needs: y(t) of every token, time-major.
        """
        P = batch.Wh @ weights["W"] + weights["b"]
        Y = P[batch.token]
        for t in range(len(batch.offsets) - 1):
            now = slice(batch.offsets[t], batch.offsets[t + 1])
            if t:
                start, n_t = batch.offsets[t - 1], now.stop - now.start
                Y[now] += Y[start : start + n_t] @ weights["Wrec"]
            np.tanh(Y[now], out=Y[now])
        y = np.zeros((len(batch.order), self.n_cells), Y.dtype)
        end = sentences.last(batch)
        y[: len(end)] = Y[end]
        return y, (Y,)

    def backward(self, weights, batch, tape, dy, truncate=None, errors=None):
        """From the error of the embeddings to the gradient of the weights.

        Parameters
        ----------
        dy : (N, n_cells)
            Gradient of the cost with respect to `forward`'s y.
        truncate : int, optional
            Errors go back at most so many steps from a sentence's last word.
        errors : function, optional
            How errors go back through time; exactly, by `exact_errors`, if None.

        Returns
        -------
        dict of arrays
            As the weights; of W only the rows ``batch.touched``.
        """
        (Y,) = tape
        delta = (errors or exact_errors)(self, weights, batch, tape, dy, truncate)
        later, before = sentences.after_first(batch)
        return {
            "W": sentences.input_gradient(batch, [delta]),  # Eq. (13)
            "Wrec": Y[before].T @ delta[later],  # Eq. (9)
            "b": delta.sum(axis=0),
        }  # not printed


def check_sizes(cell, *names):
    """Raise InputError unless these attributes of a cell are whole numbers from 1; NumPy integers become Python's."""
    for name in names:
        n = getattr(cell, name)
        if isinstance(n, bool) or not isinstance(n, (int, np.integer)) or n < 1:
            raise InputError(f"{name}: {n!r}; must be a whole number from 1")
        object.__setattr__(cell, name, int(n))


def exact_errors(cell, weights, batch, tape, dy, truncate=None):
    """delta(t) of Eq. (10)-(11) for every token, (n_tokens, n_cells): the error of the sum inside tanh."""
    (Y,) = tape
    dy, delta = dy.copy(), np.zeros_like(Y)
    for t in reversed(range(len(batch.offsets) - 1)):
        rows = sentences.rows(batch, t, truncate)
        now = slice(batch.offsets[t] + rows.start, batch.offsets[t] + rows.stop)
        delta[now] = (1 - Y[now]) * (1 + Y[now]) * dy[rows]
        dy[rows] = delta[now] @ weights["Wrec"].T
    return delta
