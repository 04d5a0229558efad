"""Tests of the gradient printed in the paper's appendix, and of the cases where it is exact."""

import numpy as np
import pytest
from conftest import cell_name, clicks, unit_model, worst_difference
from one_text import gradient_of_text

from lstm_edu import LSTM, RNN, Bidirectional, cost_and_gradient
from lstm_edu.gradients import printed


def printed_error_of(model, *examples):
    """Return the largest relative difference between the printed and the exact gradient."""
    gradient = lambda method: cost_and_gradient(model, *examples, method=method)[1]
    return worst_difference(gradient("printed"), gradient("bptt"))


@pytest.mark.parametrize("cell", [RNN(3), Bidirectional(RNN(2))], ids=cell_name)
def test_printed_gradient_is_exact_for_rnn(cell):
    assert printed_error_of(unit_model(cell), *clicks(2)) < 1e-12


@pytest.mark.parametrize("peepholes", [None, "diagonal", "full"])
@pytest.mark.parametrize("forget_gate", [False, True])
def test_printed_gradient_of_one_word_is_exact_only_without_peepholes(forget_gate, peepholes):
    model = unit_model(LSTM(3, forget_gate, peepholes))
    examples = ["a", "abc", "ba"], ["ab", "cab", "b"], [["c", "ac"], ["cc", "a"], ["bc", "abc"]]
    assert (printed_error_of(model, *examples) < 1e-11) == (peepholes is None)


@pytest.mark.parametrize("peepholes", [None, "full"])
def test_printed_gradient_follows_equations_16_to_44(peepholes):
    """Compute Eqs. (16)-(44) for comparison: dc/dW in a forward loop, delta in a backward loop."""
    cell, rng = LSTM(3, True, peepholes), np.random.default_rng(1)
    weights = {name: rng.standard_normal(shape) for name, shape in cell.shapes(5).items()}
    p, L, v = cell.params(weights), rng.integers(0, 3, (6, 5)).astype(float), rng.standard_normal(3)
    states = cell.read(p, L)
    names = "y", "c", "o", "f", "i", "yg"
    y, c, o, f, i, yg = (np.array([getattr(s, name) for s in states]) for name in names)
    y_before, c_before = (np.vstack([np.zeros(3), state[:-1]]) for state in (y, c))
    h = np.tanh(c)
    factor = {"1": o * (1 - o) * h, **dict.fromkeys("234", (1 - h) * (1 + h) * o)}  # (17), (22)
    # (30), (22), (38)
    b = {"2": c_before * f * (1 - f), "3": yg * i * (1 - i), "4": i * (1 - yg) * (1 + yg)}
    expected = {name: np.zeros_like(w) for name, w in p.items()}
    for k in "1234":
        delta = {len(L) - 1: factor[k][-1] * v}
        for t in range(len(L) - 2, -1, -1):
            delta[t] = factor[k][t] * (p["Wrec" + k].T @ delta[t + 1])  # (43), (44)
        seen_by = {"W": L, "Wrec": y_before, "b": np.ones((len(L), 1))}
        for name, seen in (seen_by | {"Wp": c if k == "1" else c_before}).items():
            if name + k not in p:
                continue
            dc = np.zeros((3, seen.shape[1]))
            for t in range(len(L)):
                new = np.outer(delta[t], seen[t]) if k == "1" else np.outer(b[k][t], seen[t])
                dc = new if k == "1" else f[t][:, None] * dc + new
                part = dc if k == "1" else delta[t][:, None] * dc  # (16), (21)
                expected[name + k] += part[:, 0] if name == "b" else part
    found = gradient_of_text(cell, weights, L, v, printed.errors)
    assert worst_difference({"query": found}, {"query": expected}) < 1e-12
