"""Wrong answers for the checks of `lstm_course/exercises/gates.py`."""

import numpy as np
from wrong_answers._replaced import replaced, said

from lstm_edu.cells.lstm import sigmoid

LET_IN = """
def let_in(i, yg):
    return np.abs(i * yg).mean(axis=1)
"""


def _read(step, doc):
    def read_with_gate(params, L, gate):
        y, c = np.zeros(len(gate)), np.zeros(len(gate))
        for l in L:
            yg = np.tanh(params["W4"] @ l + params["Wrec4"] @ y + params["b4"])
            i, o = (
                sigmoid(params[f"W{k}"] @ l + params[f"Wrec{k}"] @ y + params[f"b{k}"])
                for k in "31"
            )
            y, c = step(y, c, i, o, yg, gate)
        return y

    read_with_gate.__doc__ = doc
    return read_with_gate


def gate_as_output(y, c, i, o, yg, gate):
    c = c + i * yg
    return gate * np.tanh(c), c


def gate_and_i(y, c, i, o, yg, gate):
    c = c + gate * i * yg
    return o * np.tanh(c), c


def gate_unused(y, c, i, o, yg, gate):
    c = c + i * yg
    return o * np.tanh(c), c


def gate_twice(y, c, i, o, yg, gate):
    c = gate * c + gate * yg
    return o * np.tanh(c), c


def no_memory(y, c, i, o, yg, gate):
    c = gate * yg
    return o * np.tanh(c), c


def y_stays(y, c, i, o, yg, gate):
    c = c + gate * yg
    return o * c, c


def returns_c(params, L, gate):
    """The cells for the output."""
    y = c = np.zeros(len(gate))
    for l in L:
        yg = np.tanh(params["W4"] @ l + params["Wrec4"] @ y + params["b4"])
        o = sigmoid(params["W1"] @ l + params["Wrec1"] @ y + params["b1"])
        c = c + gate * yg
        y = o * np.tanh(c)
    return c


def never_moves_on(params, L, gate):
    """y(t-1) stays 0."""
    y = c = np.zeros(len(gate))
    for l in L:
        yg = np.tanh(params["W4"] @ l + params["Wrec4"] @ y + params["b4"])
        o = sigmoid(params["W1"] @ l + params["Wrec1"] @ y + params["b1"])
        c = c + gate * yg
    return o * np.tanh(c)


READ = """
def read_with_gate(params, L, gate):
    y, c = np.zeros(len(gate)), np.zeros(len(gate))
    for l in L:
        yg = np.tanh(params['W4'] @ l + params['Wrec4'] @ y + params['b4'])
        c = c + gate * yg
        o = sigmoid(params['W1'] @ l + params['Wrec1'] @ y + params['b1'])
        y = o * np.tanh(c)
    return y
"""


WRONG = {
    "check_let_in": [
        *said(
            ("No absolute value.", lambda i, yg: (i * yg).mean(axis=1)),
            ("The absolute value of the mean.", lambda i, yg: np.abs((i * yg).mean(axis=1))),
            ("The mean over the words.", lambda i, yg: np.abs(i * yg).mean(axis=0)),
            ("The product of the means.", lambda i, yg: i.mean(axis=1) * np.abs(yg).mean(axis=1)),
            (
                "The paper's picture: the gate without what it lets in.",
                lambda i, yg: i.mean(axis=1),
            ),
            (
                "What c holds after the word.",
                lambda i, yg: np.abs(np.cumsum(i * yg, axis=0)).mean(axis=1),
            ),
        ),
        *replaced(
            LET_IN,
            ("axis=1", "axis=0"),
            (".mean(axis=1)", ""),
            (".mean(axis=1)", ".max(axis=1)"),
            (".mean(axis=1)", ".mean(axis=1, keepdims=True)"),
            ("np.abs(i * yg)", "((i * yg) ** 2)"),
            ("np.abs(i * yg)", "np.abs(i + yg)"),
            ("np.abs(i * yg)", "np.abs(i * np.tanh(yg))"),
            ("np.abs(i * yg)", "np.abs((1 - i) * yg)"),
            ("np.abs(i * yg).mean(axis=1)", "np.median(np.abs(i * yg), axis=1)"),
            ("return", ""),
        ),
    ],
    "check_read_with_gate": [
        _read(gate_as_output, "The output gate is held still."),
        _read(gate_and_i, "The gate comes on top of i."),
        _read(gate_unused, "The gate has no effect."),
        _read(gate_twice, "The gate on c(t-1), too."),
        _read(no_memory, "c forgets."),
        _read(y_stays, "No tanh."),
        returns_c,
        never_moves_on,
        *replaced(
            READ,
            (" + params['b4']", ""),
            (" + params['b1']", ""),
            ("params['Wrec4']", "params['Wrec4'].T"),
            ("params['Wrec1']", "params['Wrec1'].T"),
            ("params['Wrec4'] @ y + ", ""),
            ("params['W1']", "params['W3']"),
            ("np.tanh(params['W4']", "sigmoid(params['W4']"),
            ("np.tanh(params['W4']", "(params['W4']"),
            ("o = sigmoid(", "o = np.tanh("),
            ("o = sigmoid(", "o = ("),
            ("c + gate * yg", "c + yg"),
            ("c + gate * yg", "(1 - gate) * c + gate * yg"),
            ("c + gate * yg", "c - gate * yg"),
            ("c + gate * yg", "c * gate + yg"),
            ("c = c + gate", "c + gate"),
            ("y = o * np.tanh(c)", "o * np.tanh(c)"),
            ("o * np.tanh(c)", "o * sigmoid(c)"),
            ("o * np.tanh(c)", "np.tanh(o * c)"),
            ("for l in L", "for l in L[::-1]"),
            ("for l in L", "for l in L[1:]"),
            ("for l in L", "for l in L[:1]"),
            ("    return y", "        return y"),
            ("@ y + params['b1']", "@ c + params['b1']"),
        ),
    ],
}
