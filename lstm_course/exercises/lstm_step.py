"""Exercises of notebook 02: a word of the LSTM, Eq. (2), without and with peepholes."""

import numpy as np

from lstm_edu.cells.lstm import LSTM, sigmoid

from ..engine import slips
from ..engine.drawn import of_a_step


@slips.check(
    "y(t), c(t)",
    lambda: [of_a_step(LSTM(4, forget_gate=True), seed) for seed in range(5)],
    parts=True,
    name="step_lstm",
)
def step(params, l, y, c):
    """One word of Eq. (2), no peepholes: from y(t-1), c(t-1) to y(t), c(t)."""
    p = params
    yg = np.tanh(p["W4"] @ l + p["Wrec4"] @ y + p["b4"])
    i = sigmoid(p["W3"] @ l + p["Wrec3"] @ y + p["b3"])
    f = sigmoid(p["W2"] @ l + p["Wrec2"] @ y + p["b2"])
    c = f * c + i * yg
    o = sigmoid(p["W1"] @ l + p["Wrec1"] @ y + p["b1"])
    y = o * np.tanh(c)
    return y, c


def _other_weights(given):
    """What missing, transposed and exchanged parameters give."""
    p = given["params"]
    b, Wrec, Wp = ([name + k for k in "1234" if name + k in p] for name in ("b", "Wrec", "Wp"))
    numbers = "the numbers of the peepholes: 1 is the output gate, 2 the forget gate, "
    numbers += "3 the input gate"
    full = "Wp is a full matrix here: Wp @ c, not its diagonal times c"
    each = "{0} is transposed: {0} @ y, not y @ {0}"
    changes = [
        *((f"the gate with {name} has no peephole", {name: 0 * p[name]}) for name in Wp),
        ("none of the gates has a peephole", {name: 0 * p[name] for name in Wp}),
        (full, {name: np.diag(np.diag(p[name])) for name in Wp}),
        ("Wp is transposed: Wp @ c, not c @ Wp", {name: p[name].T for name in Wp}),
        (numbers, {"Wp1": p["Wp3"], "Wp3": p["Wp1"]}),
        (numbers, {"Wp2": p["Wp3"], "Wp3": p["Wp2"]}),
        *((f"{name} is missing", {name: 0 * p[name]}) for name in p),
        ("the biases are missing", {name: 0 * p[name] for name in b}),
        ("Wrec @ y is missing", {name: 0 * p[name] for name in Wrec}),
        ("Wrec is transposed: Wrec @ y", {name: p[name].T for name in Wrec}),
        *((each.format(name), {name: p[name].T}) for name in Wrec),
    ]
    return [
        (text, slips.answer(peephole_step, given | {"params": p | changed}))
        for text, changed in changes
    ]


@slips.check(
    "y(t), c(t)",
    lambda: [of_a_step(LSTM(4, True, "full"), seed) for seed in range(5)],
    others=_other_weights,
    parts=True,
    name="peepholes",
)
def peephole_step(params, l, y, c):
    """One word of Eq. (2): from y(t-1), c(t-1) to y(t), c(t)."""
    p = params
    yg = np.tanh(p["W4"] @ l + p["Wrec4"] @ y + p["b4"])
    i = sigmoid(p["W3"] @ l + p["Wrec3"] @ y + p["Wp3"] @ c + p["b3"])
    f = sigmoid(p["W2"] @ l + p["Wrec2"] @ y + p["Wp2"] @ c + p["b2"])
    c = f * c + i * yg
    o = sigmoid(p["W1"] @ l + p["Wrec1"] @ y + p["Wp1"] @ c + p["b1"])
    y = o * np.tanh(c)
    return y, c
