"""Exercises for lesson 02: one step of the LSTM, Eq. (2), without and with peepholes."""

import numpy as np

from lstm_edu.cells.lstm import LSTM, sigmoid

from ..engine import slips
from ..engine.drawn import of_a_step


@slips.check(
    "y(t), c(t)",
    lambda: [of_a_step(LSTM(4, forget_gate=True), seed) for seed in range(5)],
    parts=True,
    first="c(t)",
    name="step_lstm",
)
def step(params, l, y, c):
    """Compute y(t), c(t) from y(t-1), c(t-1) by Eq. (2) without peepholes."""
    p = params
    yg = np.tanh(p["W4"] @ l + p["Wrec4"] @ y + p["b4"])
    i = sigmoid(p["W3"] @ l + p["Wrec3"] @ y + p["b3"])
    f = sigmoid(p["W2"] @ l + p["Wrec2"] @ y + p["b2"])
    c = f * c + i * yg
    o = sigmoid(p["W1"] @ l + p["Wrec1"] @ y + p["b1"])
    y = o * np.tanh(c)
    return y, c


@slips.check(
    "y(t), c(t)",
    lambda: [of_a_step(LSTM(4, True, "full"), seed) for seed in range(5)],
    parts=True,
    first="c(t)",
    name="peepholes",
)
def peephole_step(params, l, y, c):
    """Compute y(t), c(t) from y(t-1), c(t-1) by Eq. (2), with peepholes."""
    p = params
    yg = np.tanh(p["W4"] @ l + p["Wrec4"] @ y + p["b4"])
    i = sigmoid(p["W3"] @ l + p["Wrec3"] @ y + p["Wp3"] @ c + p["b3"])
    f = sigmoid(p["W2"] @ l + p["Wrec2"] @ y + p["Wp2"] @ c + p["b2"])
    c = f * c + i * yg
    o = sigmoid(p["W1"] @ l + p["Wrec1"] @ y + p["Wp1"] @ c + p["b1"])
    y = o * np.tanh(c)
    return y, c
