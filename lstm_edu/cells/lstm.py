"""The LSTM of Eq. (2): the step as printed, a batched forward, and its exact backward.

The weights of all gates lie side by side, in the paper's order 1 output gate, 2 forget gate, 3 input
gate, 4 y_g: ``W`` (n_trigrams, 4 m), ``Wrec`` (m, 4 m), ``b`` (4 m,), so that a word's trigrams are looked up
and multiplied once for all gates. ``params`` gives each gate's part by the paper's name and orientation.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..files import InputError
from ..text import sentences
from .rnn import check_sizes


class State(NamedTuple):
    """After a word: output y, cell state c, and the gates that led there, each (n_cells,)."""

    y: np.ndarray
    c: np.ndarray
    o: np.ndarray = None
    f: np.ndarray = None
    i: np.ndarray = None
    yg: np.ndarray = None


def sigmoid(x):
    """1 / (1 + exp(-x)), by an identity that neither overflows nor fails for complex x."""
    return 0.5 * (1 + np.tanh(0.5 * x))


def peephole(Wp, c):
    """W_p c, for a full W_p, or a diagonal one kept as its diagonal."""
    return Wp @ c if Wp.ndim == 2 else Wp * c


def step(params, l, y, c):
    """One word of Eq. (2): from y(t-1), c(t-1) to y(t), c(t).

    Parameters
    ----------
    params : dict of arrays, by the paper's names
        Without ``W2`` there is no forget gate, f = 1; without ``Wp1``, ``Wp2``, ``Wp3`` no peepholes.
    l : (n_trigrams,) letter-trigram counts of the word
    y, c : (n_cells,) output and cell state after the word before

    Returns
    -------
    State
        y, c, and the gates o, f, i and y_g.
    """
    p = {"Wp1": np.zeros(len(c)), "Wp2": np.zeros(len(c)), "Wp3": np.zeros(len(c))} | params
    yg = np.tanh(p["W4"] @ l + p["Wrec4"] @ y + p["b4"])
    i = sigmoid(p["W3"] @ l + p["Wrec3"] @ y + peephole(p["Wp3"], c) + p["b3"])
    f = np.ones(len(c))
    if "W2" in p:
        f = sigmoid(p["W2"] @ l + p["Wrec2"] @ y + peephole(p["Wp2"], c) + p["b2"])
    c = f * c + i * yg
    o = sigmoid(p["W1"] @ l + p["Wrec1"] @ y + peephole(p["Wp1"], c) + p["b1"])
    y = o * np.tanh(c)
    return State(y, c, o, f, i, yg)


class Tape(NamedTuple):
    """What the backward pass needs of the forward one, each (n_tokens, n_cells), time-major."""

    y: np.ndarray
    c: np.ndarray
    h: np.ndarray  # tanh(c)
    o: np.ndarray
    f: np.ndarray  # None without a forget gate
    i: np.ndarray
    yg: np.ndarray


@dataclass(frozen=True)
class LSTM:
    """A recurrent network of long short-term memory cells, Eq. (2).

    Parameters
    ----------
    n_cells : int
        The paper has 32, 64 and 96.
    forget_gate : bool
        Whether f(t) is learned, or 1 as in the paper's experiments.
    peepholes : None, "diagonal" or "full"
        How the gates see the cell state: not at all, as in the paper's experiments; each its own
        (Gers et al. 2003); or each all of them, as the paper prints W_p.
    """

    n_cells: int = 96
    forget_gate: bool = False
    peepholes: str = None

    def __post_init__(self):
        check_sizes(self, "n_cells")
        if not isinstance(self.forget_gate, (bool, np.bool_)):
            raise InputError(f"forget_gate: {self.forget_gate!r}; must be True or False")
        object.__setattr__(self, "forget_gate", bool(self.forget_gate))
        if self.peepholes not in (None, "diagonal", "full"):
            raise InputError(f"peepholes: {self.peepholes!r}; must be None, 'diagonal' or 'full'")

    @property
    def size(self):
        """Length of the embedding."""
        return self.n_cells

    @property
    def gates(self):
        """Where each gate's part lies among the columns of the weights."""
        m, numbers = self.n_cells, "1234" if self.forget_gate else "134"
        return {k: slice(n * m, (n + 1) * m) for n, k in enumerate(numbers)}

    def shapes(self, n_trigrams):
        """Names and shapes of the weights as they are kept."""
        m, width = self.n_cells, len(self.gates) * self.n_cells
        shapes = {"W": (n_trigrams, width), "Wrec": (m, width), "b": (width,)}
        if self.peepholes:
            shapes |= {
                f"Wp{k}": (m, m) if self.peepholes == "full" else (m,)
                for k in self.gates
                if k != "4"
            }
        return shapes

    def params(self, weights):
        """The weights by the paper's names and orientation, as views."""
        split = {
            name + k: weights[name][..., part].T
            for name in ("W", "Wrec", "b")
            for k, part in self.gates.items()
        }
        return split | {name: Wp for name, Wp in weights.items() if name.startswith("Wp")}

    def read(self, params, L, state=None):
        """Run `step` over a sentence.

        Parameters
        ----------
        L : (n_words, n_trigrams)
        state : State, optional
            Where to start; y(0) = c(0) = 0 if None.

        Returns
        -------
        list of State, one a word
        """
        states = [state or State(np.zeros(self.n_cells), np.zeros(self.n_cells))]
        for l in L:
            states.append(step(params, l, states[-1].y, states[-1].c))
        return states[1:]

    def forward(self, weights, batch):
        """Embeddings of a batch.

        Returns
        -------
        y : (N, n_cells)
            In the batch's order, longest first; zero for a text without words.
        tape : Tape
        """
        dtype, n_tokens = weights["W"].dtype, len(batch.token)
        P = batch.Wh @ weights["W"] + weights["b"]
        z, Wrec = {}, {}
        for k, part in self.gates.items():  # sigmoid(x) = (1 + tanh(x/2)) / 2
            half = 1 if k == "4" else dtype.type(0.5)
            z[k] = np.take(half * P[:, part], batch.token, axis=0)
            Wrec[k] = half * weights["Wrec"][:, part]
        y, c, h = (np.empty((n_tokens, self.n_cells), dtype) for _ in range(3))
        o, f, i, yg = (z.get(k) for k in "1234")
        for t in range(len(batch.offsets) - 1):
            now = slice(batch.offsets[t], batch.offsets[t + 1])
            before = (
                slice(batch.offsets[t - 1], batch.offsets[t - 1] + now.stop - now.start)
                if t
                else slice(0, 0)
            )
            for k in z if t else ():
                z[k][now] += y[before] @ Wrec[k]
                if self.peepholes and k in "23":
                    z[k][now] += 0.5 * _peephole(weights[f"Wp{k}"], c[before])
            np.tanh(yg[now], out=yg[now])
            _sigmoid_of_twice(i[now])
            np.multiply(i[now], yg[now], out=c[now])
            if self.forget_gate:
                _sigmoid_of_twice(f[now])
            if t:
                c[now] += f[now] * c[before] if self.forget_gate else c[before]
            if self.peepholes:
                o[now] += 0.5 * _peephole(weights["Wp1"], c[now])
            _sigmoid_of_twice(o[now])
            np.tanh(c[now], out=h[now])
            np.multiply(o[now], h[now], out=y[now])
        embedding = np.zeros((len(batch.order), self.n_cells), dtype)
        end = sentences.last(batch)
        embedding[: len(end)] = y[end]
        return embedding, Tape(y, c, h, o, f, i, yg)

    def backward(self, weights, batch, tape, dy, truncate=None, errors=None):
        """From the error of the embeddings to the gradient of the weights.

        Parameters
        ----------
        dy : (N, n_cells)
            Gradient of the cost with respect to `forward`'s embeddings.
        truncate : int, optional
            Errors go back at most so many steps from a sentence's last word.
        errors : function, optional
            How errors go back through time; exactly, by `exact_errors`, if None.

        Returns
        -------
        dict of arrays
            As the weights; of W only the rows ``batch.touched``.
        """
        dz = (errors or exact_errors)(self, weights, batch, tape, dy, truncate)
        later, before = sentences.after_first(batch)
        y_before = tape.y[before].T
        gradient = {
            "W": sentences.input_gradient(batch, dz.values()),
            "Wrec": np.hstack([y_before @ dz[k][later] for k in dz]),
            "b": np.concatenate([np.ones(len(dz[k]), dz[k].dtype) @ dz[k] for k in dz]),
        }  # a quicker sum
        for k in [k for k in dz if k != "4"] if self.peepholes else ():
            dzk, c = (dz[k], tape.c) if k == "1" else (dz[k][later], tape.c[before])
            gradient[f"Wp{k}"] = dzk.T @ c if self.peepholes == "full" else (dzk * c).sum(axis=0)
        return gradient


def exact_errors(cell, weights, batch, tape, dy, truncate=None):
    """Exact BPTT: the error of the sums inside the gates at every word.

    With z_k = W_k l(t) + W_reck y(t-1) + … the sum inside gate k, this is dL/dz_k.

    Parameters
    ----------
    dy : (N, n_cells)
        Error of the embeddings.

    Returns
    -------
    dict of arrays, (n_tokens, n_cells)
        By the gate's number.
    """
    dy, dc_later = dy.copy(), np.zeros_like(dy)
    dz = {
        k: np.zeros_like(tape.y) if k == "2" or truncate is not None else np.empty_like(tape.y)
        for k in cell.gates
    }  # f(1) saw c(0) = 0
    Wrec = {k: weights["Wrec"][:, part].T for k, part in cell.gates.items()}
    for t in reversed(range(len(batch.offsets) - 1)):
        rows = sentences.rows(batch, t, truncate)
        now = slice(batch.offsets[t] + rows.start, batch.offsets[t] + rows.stop)
        o, i, yg, h = tape.o[now], tape.i[now], tape.yg[now], tape.h[now]
        dz["1"][now] = dy[rows] * h * o * (1 - o)
        dc = dc_later[rows] + dy[rows] * o * (1 - h * h)
        if cell.peepholes:
            dc += _peephole_back(weights["Wp1"], dz["1"][now])  # o(t) saw c(t)
        dz["3"][now] = dc * yg * i * (1 - i)
        dz["4"][now] = dc * i * (1 - yg * yg)
        if t == 0:
            continue  # y(0) = c(0) = 0 are no parameters
        if cell.forget_gate:
            f, c_before = tape.f[now], tape.c[batch.offsets[t - 1] :][rows]
            dz["2"][now] = dc * c_before * f * (1 - f)
            dc *= f
        if cell.peepholes:
            dc += _peephole_back(weights["Wp3"], dz["3"][now])
            if cell.forget_gate:
                dc += _peephole_back(weights["Wp2"], dz["2"][now])
        dc_later[rows] = dc  # what this word adds to the error of c(t-1)
        dy[rows] = sum(dz[k][now] @ Wrec[k] for k in dz)  # of y(t-1), which every gate saw
    return dz


def _sigmoid_of_twice(x):
    """sigmoid(2 x), in place."""
    np.tanh(x, out=x)
    x *= 0.5
    x += 0.5


def _peephole(Wp, c):
    """`peephole` for many sentences at once, c of (n, n_cells)."""
    return c @ Wp.T if Wp.ndim == 2 else c * Wp


def _peephole_back(Wp, dz):
    """From the error of W_p c to that of c."""
    return dz @ Wp if Wp.ndim == 2 else dz * Wp
