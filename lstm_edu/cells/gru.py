"""The gated recurrent unit (Cho et al. 2014), which is not in the paper.

The weights of the gates are concatenated in the order z, r, g: ``W`` (n_trigrams, 3 m), ``Wrec``
(m, 3 m), ``b`` (3 m,).
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..text.batch import back_in_time, in_time
from .cell import Recurrent
from .lstm import sigmoid


class State(NamedTuple):
    """The output y and the gates: (n_cells,) after one word, (n_tokens, n_cells) at all words."""

    y: np.ndarray
    z: np.ndarray
    r: np.ndarray
    yg: np.ndarray


def step(params, l, y, xp=np):
    """Compute y(t) from y(t-1) and the word's trigram counts l(t); see `Recurrent.step`.

    Vectors are rows, so W_k l(t) is ``l @ W_k.T``.
    """

    def total(k, y):
        return l @ params[f"W{k}"].T + y @ params[f"Wrec{k}"].T + params[f"b{k}"]

    z, r = sigmoid(total("z", y), xp), sigmoid(total("r", y), xp)
    yg = xp.tanh(total("g", r * y))
    return State((1 - z) * y + z * yg, z, r, yg)


@dataclass(frozen=True)
class GRU(Recurrent):
    """A recurrent network of gated units.

    The update gate z(t) is the share of y(t) that is new. The reset gate r(t) is the share of
    y(t-1) that enters the new part.

    Parameters
    ----------
    n_cells : int
    """

    n_cells: int = 96

    step = staticmethod(step)  # pyright: ignore[reportAssignmentType]
    states = {
        "z": "update gate z(t)",
        "r": "reset gate r(t)",
        "yg": "y_g(t)",
        "y": "output y(t)",
    }
    gates, drawn = ("z", "r"), ("z", "r", "yg", "y")
    suffixes = {"z": "z", "r": "r", "yg": "g"}

    def outputs(self, weights, batch):
        """Compute the output at every token; W_k l(t) + b_k is computed once per distinct word."""
        P = batch.Wh @ weights["W"] + weights["b"]
        z, r, yg = (P[batch.token, part] for part in self.columns.values())
        Wrecz, Wrecr, Wrecg = (weights["Wrec"][:, part] for part in self.columns.values())
        y = np.empty_like(yg)
        for now, before in in_time(batch):
            if before:  # at the first word, y(0) = 0 adds nothing
                z[now] += y[before] @ Wrecz
                r[now] += y[before] @ Wrecr
            z[now] = sigmoid(z[now])
            r[now] = sigmoid(r[now])
            if before:
                yg[now] += (r[now] * y[before]) @ Wrecg
            yg[now] = np.tanh(yg[now])
            y[now] = z[now] * yg[now]
            if before:
                y[now] += (1 - z[now]) * y[before]
        return State(y, z, r, yg)

    def errors(self, weights, batch, tape, dy, truncate=None, at_words=None):
        """Run exact BPTT: compute the errors of the pre-activations of z, r and y_g."""
        dy, dz = dy.copy(), {name: np.zeros_like(tape.y) for name in ("z", "r", "yg")}
        Wrecz, Wrecr, Wrecg = (weights["Wrec"][:, part] for part in self.columns.values())
        for rows, now, before in back_in_time(batch, truncate):
            z, r, yg = tape.z[now], tape.r[now], tape.yg[now]
            y_before = tape.y[before] if before else 0
            if at_words is not None:
                dy[rows] += at_words[now]
            dz["z"][now] = dy[rows] * (yg - y_before) * z * (1 - z)
            dz["yg"][now] = dy[rows] * z * (1 - yg * yg)
            if not before:
                break  # y(0) = 0 is constant
            dlooked = dz["yg"][now] @ Wrecg.T  # error of r o y(t-1)
            dz["r"][now] = dlooked * y_before * r * (1 - r)
            dy[rows] = dy[rows] * (1 - z) + dlooked * r
            dy[rows] += dz["z"][now] @ Wrecz.T + dz["r"][now] @ Wrecr.T
        return dz

    def inputs(self, tape, later, before):
        """Return y(t-1) for z and r, and r(t) o y(t-1) for y_g; see `Recurrent.inputs`."""
        y = tape.y[before]
        return {"z": y, "r": y, "yg": tape.r[later] * y}
