"""The LSTM of Eq. (2): the printed step, a batched forward pass, and its exact gradient.

The weights of all gates are concatenated in the paper's order (1 output gate, 2 forget gate, 3
input gate, 4 y_g), so that one product computes W l(t) for all gates: ``W`` (n_trigrams, 4 m),
``Wrec`` (m, 4 m), ``b`` (4 m,). Without a forget gate, 4 m becomes 3 m. ``params`` returns
each gate's part, keyed by the paper's name.
"""

from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from .._util import arguments
from ..text.batch import after_first, back_in_time, in_time
from .cell import Recurrent

NUMBERS = {"o": 1, "f": 2, "i": 3, "yg": 4}  # the paper's number of each gate


class State(NamedTuple):
    """The output y, the cell state c and the gates after one word, each (n_cells,)."""

    y: np.ndarray
    c: np.ndarray
    o: np.ndarray | None = None
    f: np.ndarray | None = None
    i: np.ndarray | None = None
    yg: np.ndarray | None = None


def sigmoid(x, xp=np):
    """Compute 1 / (1 + exp(-x)) without overflow, also for complex x.

    For very negative x, 1 + tanh loses precision by cancellation: the relative error is 0.01 % at
    x = -8 in float32 (-28 in float64) and 1 % at -13 (-33). The result is exactly 0 below -20
    (-39), on some machines below -17 (-37). Do not trust float32 if pre-activations go below -13,
    as with weights of standard deviation 30.
    """
    return 0.5 * (1 + xp.tanh(0.5 * x))


def step(params, l, y, c, xp=np):
    """Compute y(t) and c(t) by Eq. (2) from y(t-1), c(t-1) and l(t); see `Recurrent.step`.

    Without ``W2`` there is no forget gate, f = 1; without ``Wp1``, ``Wp2``, ``Wp3`` there are no
    peepholes. Vectors are rows, so W_k l(t) is ``l @ W_k.T``.

    Returns
    -------
    State
    """
    p = params

    def z(k, c=None):
        z = l @ p[f"W{k}"].T + y @ p[f"Wrec{k}"].T + p[f"b{k}"]
        return z if c is None or f"Wp{k}" not in p else z + peepholes(p[f"Wp{k}"], c)

    yg = xp.tanh(z(4))
    i = sigmoid(z(3, c), xp)
    f = sigmoid(z(2, c), xp) if "W2" in p else xp.ones_like(c)
    c = f * c + i * yg  # from here on c is c(t), which the output gate sees
    o = sigmoid(z(1, c), xp)
    return State(o * xp.tanh(c), c, o, f, i, yg)


class Tape(NamedTuple):
    """The intermediate results at all words, each (n_tokens, n_cells), time-major."""

    y: np.ndarray
    c: np.ndarray
    h: np.ndarray  # tanh(c)
    o: np.ndarray
    f: np.ndarray | None  # None without a forget gate
    i: np.ndarray
    yg: np.ndarray


@dataclass(frozen=True)
class LSTM(Recurrent):
    """A recurrent network of long short-term memory cells, Eq. (2).

    Parameters
    ----------
    n_cells : int
        The number of memory cells; the paper uses 32, 64 and 96.
    forget_gate : bool
        Whether the forget gate f(t) is learned; if not, it is 1, as in the paper's experiments.
    peepholes : None, "diagonal" or "full"
        Whether and how the gates see the cell state. "diagonal": each sees its own cell's state
        (Gers et al. 2003); "full": each sees the states of all cells, as the paper prints W_p.
        The paper's experiments use no peepholes.
    """

    n_cells: int = 96
    forget_gate: bool = False
    peepholes: Literal["diagonal", "full"] | None = None

    step = staticmethod(step)  # pyright: ignore[reportAssignmentType]
    carries = "y", "c"
    states = {
        "i": "input gate i(t)",
        "f": "forget gate f(t)",
        "o": "output gate o(t)",
        "c": "cell state c(t)",
        "y": "output y(t)",
        "yg": "y_g(t)",
    }
    gates, drawn = ("i", "f", "o"), ("i", "c", "o", "y")
    printed = "approximate"

    def __post_init__(self):
        super().__post_init__()
        forget_gate = arguments.boolean("forget_gate", self.forget_gate)
        peepholes = arguments.choice("peepholes", self.peepholes, [None, "diagonal", "full"])
        object.__setattr__(self, "forget_gate", forget_gate)
        object.__setattr__(self, "peepholes", peepholes)

    @property
    def suffixes(self):
        """The numbers that the paper gives to the cell's gates."""
        return {gate: k for gate, k in NUMBERS.items() if gate != "f" or self.forget_gate}

    def shapes(self, n_trigrams):
        """Return the shape of each stored weight, keyed by name."""
        m = self.n_cells
        shape = (m, m) if self.peepholes == "full" else (m,)
        peepholes = {f"Wp{NUMBERS[gate]}": shape for gate in self.seeing}
        return super().shapes(n_trigrams) | peepholes

    @property
    def seeing(self):
        """The gates that have a peephole."""
        return [gate for gate in self.columns if gate != "yg"] if self.peepholes else []

    @property
    def seeing_before(self):
        """The gates whose peephole sees c(t-1); the output gate sees c(t)."""
        return [gate for gate in self.seeing if gate != "o"]

    def params(self, weights):
        """Return views of the weights with the paper's names and orientation."""
        peepholes = {name: Wp for name, Wp in weights.items() if name.startswith("Wp")}
        return super().params(weights) | peepholes

    def outputs(self, weights, batch):
        """Compute Eq. (2) at every token; W_k l(t) + b_k is computed once per distinct word."""
        P = batch.Wh @ weights["W"] + weights["b"]
        z = {gate: P[batch.token, part] for gate, part in self.columns.items()}
        Wrec = {gate: weights["Wrec"][:, part] for gate, part in self.columns.items()}
        # each pre-activation is overwritten by its gate's activation
        o, f, i, yg = z["o"], z.get("f"), z["i"], z["yg"]
        y, c, h = np.empty_like(yg), np.empty_like(yg), np.empty_like(yg)
        for now, before in in_time(batch):
            for gate in z if before else ():  # y(0) = c(0) = 0 add nothing
                z[gate][now] += y[before] @ Wrec[gate]
                if gate in self.seeing_before:
                    z[gate][now] += peepholes(weights[f"Wp{NUMBERS[gate]}"], c[before])
            yg[now] = np.tanh(yg[now])
            i[now] = sigmoid(i[now])
            c[now] = i[now] * yg[now]
            if self.forget_gate:
                f[now] = sigmoid(f[now])
            if before:
                c[now] += f[now] * c[before] if self.forget_gate else c[before]
            if self.peepholes:
                o[now] += peepholes(weights["Wp1"], c[now])
            o[now] = sigmoid(o[now])
            h[now] = np.tanh(c[now])
            y[now] = o[now] * h[now]
        return Tape(y, c, h, o, f, i, yg)

    def errors(self, weights, batch, tape, dy, truncate=None, at_words=None):
        """Run exact BPTT: return dL/dz_k for each gate k at every word.

        z_k = W_k l(t) + W_reck y(t-1) + … is the pre-activation of gate k.
        """
        dy, dc = dy.copy(), np.zeros_like(dy)  # errors of y(t) and c(t) from all later words
        # without truncation, zeros are not needed, because the loop writes every token
        fresh = np.empty_like if truncate is None else np.zeros_like
        dz = {gate: fresh(tape.y) for gate in self.columns}
        Wrec = {gate: weights["Wrec"][:, part].T for gate, part in self.columns.items()}
        for rows, now, before in back_in_time(batch, truncate):
            o, i, yg, h = tape.o[now], tape.i[now], tape.yg[now], tape.h[now]
            if at_words is not None:
                dy[rows] += at_words[now]
            dz["o"][now] = dy[rows] * h * o * (1 - o)
            dc[rows] += dy[rows] * o * (1 - h * h)
            if self.peepholes:
                dc[rows] += peepholes_back(weights, "o", dz["o"][now])  # o(t) saw c(t)
            dz["i"][now] = dc[rows] * yg * i * (1 - i)
            dz["yg"][now] = dc[rows] * i * (1 - yg * yg)
            if self.forget_gate:
                f, c_before = tape.f[now], tape.c[before] if before else 0
                dz["f"][now] = dc[rows] * c_before * f * (1 - f)
                dc[rows] *= f
            if not before:
                break  # y(0) = c(0) = 0 are constant
            # from here on dc and dy are the errors of c(t-1) and y(t-1)
            for gate in self.seeing_before:
                dc[rows] += peepholes_back(weights, gate, dz[gate][now])
            dy[rows] = sum(dz[gate][now] @ Wrec[gate] for gate in dz)  # every gate saw y(t-1)
        return dz

    def gradient(self, weights, batch, tape, dz):
        """Compute the gradient of the weights from the errors of the pre-activations."""
        gradient = super().gradient(weights, batch, tape, dz)
        later, before = after_first(batch)
        for gate in self.seeing:
            dzk, c = (dz[gate], tape.c) if gate == "o" else (dz[gate][later], tape.c[before])
            dWp = dzk.T @ c if self.peepholes == "full" else (dzk * c).sum(axis=0)
            gradient[f"Wp{NUMBERS[gate]}"] = dWp
        return gradient


def peepholes(Wp, c):
    """Compute Wp c for every row of c; Wp is a full matrix, or the diagonal of one."""
    return c @ Wp.T if Wp.ndim == 2 else c * Wp


def peepholes_back(weights, gate, dz):
    """Compute the error of c from dz, the error of Wp c."""
    Wp = weights[f"Wp{NUMBERS[gate]}"]
    return dz @ Wp if Wp.ndim == 2 else dz * Wp
