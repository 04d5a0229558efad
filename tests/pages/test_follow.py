"""Follow the error: its numbers are Python's."""

import json

import numpy as np
import pytest
import scipy.sparse
from node import in_node, needs_node, scripts

from lstm_edu import LSTM, RNN
from lstm_edu.gradients import printed
from lstm_edu.text.batch import side_by_side
from lstm_edu.text.sentences import Sentences

pytestmark = needs_node
SOURCE = scripts("forward", "backward", "drawing", "arrows")
# of lessons 04 and 05a; w and r there are W and Wrec
WEIGHTS = {
    "RNN": {"W": 0.8, "Wrec": -1.5},
    "LSTM": {"W1": 0.5, "W3": 1.0, "W4": 0.8, "Wrec1": 1.0, "Wrec3": 0.5, "Wrec4": -1.5},
}
CELLS = {"RNN": RNN(1), "LSTM": LSTM(1)}


def computed(expression):
    """Return the value of an expression with the instrument's functions, from node."""
    return in_node(SOURCE, f"console.log(JSON.stringify({expression}));")


def words(T):
    return np.resize([1.0, 0.5], T)


def gradient(kind, errors=None):
    """Return Python's gradient of y(2)."""
    given = WEIGHTS[kind]
    own = {
        name: np.array([[w for one, w in given.items() if one.rstrip("134") == name]])
        for name in ("W", "Wrec")
    }
    weights = own | {"b": np.zeros(own["W"].size)}
    L = scipy.sparse.csr_array(words(2)[:, None])
    batch = side_by_side(Sentences(L, np.arange(2), np.array([0, 2])))
    cell = CELLS[kind]
    _, tape = cell.forward(weights, batch)
    found = cell.params(cell.backward(weights, batch, tape, np.ones((1, 1)), errors=errors))
    return {name: float(found[name].squeeze()) for name in given}


@pytest.mark.parametrize(
    "kind, as_printed", [("RNN", False), ("LSTM", False), ("LSTM", True)], ids=str
)
def test_arrows_are_python_s_and_crossed_out_ones_are_found(kind, as_printed):
    exact = gradient(kind)
    expected = gradient(kind, printed.errors) if as_printed else exact
    arrows = f"arrowsOf('{kind}', {json.dumps(as_printed)})"
    crossed = f"{arrows}.map((_, k) => check('{kind}', errorsBy({arrows}, new Set([k]))).rows)"
    called, found, without = computed(
        f"[CALLED['{kind}'], check('{kind}', errorsBy({arrows})), {crossed}]"
    )
    rows = {row["name"]: row for row in found["rows"]}
    assert rows.keys() == set(called.values())
    for name in exact:
        row = rows[called[name]]
        assert row["found"] == pytest.approx(expected[name], rel=1e-12)
        assert row["right"] == pytest.approx(exact[name], abs=1e-9)
        assert row["wrong"] == (as_printed and name in ("W1", "W3", "W4"))
    assert all(any(row["wrong"] for row in one) for one in without)


def test_wrong_sum_is_diagnosed():
    reasons = {
        0.3108: "",
        0.508: "That forgets what came from y(1).",
        0.705: "That turns the sign of what came from y(1).",
        -0.1: "What meets is added, not multiplied.",
        0.4: "That is none of their sums. Mind the signs.",
    }
    meeting = "[['c(2)', 0.50786], ['y(1)', -0.19707]]"
    asked = f"{list(reasons)}.map((said) => whyWrong({meeting}, said))"
    assert computed(asked) == list(reasons.values())
