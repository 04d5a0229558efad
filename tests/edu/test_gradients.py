"""Tests of the gradient against complex steps, and of `check_gradient` and `compare`."""

import warnings

import numpy as np
import pytest
from conftest import CELLS, cell_name, clicks, sample, unit_model, worst_difference
from refusal import refused

from lstm_edu import LSTM, RNN, AlignedEncoder, check_gradient, compare, cost_and_gradient
from lstm_edu.gradients import check as checking

all_cells = pytest.mark.parametrize("cell", CELLS, ids=cell_name)


@all_cells
@pytest.mark.parametrize("n", sample([1, 3, 4], [3]))
def test_bptt_and_autograd_match_complex_steps(cell, n, capsys):
    model, examples = unit_model(cell), clicks(n, n_pairs=3)
    check = check_gradient(model, *examples, gamma=10.0, method="bptt")
    assert check.error < 1e-9
    assert check.n_elements == model.n_parameters
    assert "agree" in capsys.readouterr().out
    bptt = cost_and_gradient(model, *examples, gamma=10.0, method="bptt")
    autograd = cost_and_gradient(model, *examples, gamma=10.0, method="autograd")
    assert autograd[0] == pytest.approx(bptt[0], rel=1e-12)
    # so autograd agrees with complex steps, too, to about 1e-9
    assert worst_difference(autograd[1], bptt[1]) < 1e-10


@all_cells
@pytest.mark.parametrize("truncate", sample([0, 1, 3, 20], [0, 3, 20]))
def test_truncated_bptt_equals_truncated_autograd(cell, truncate):
    model, examples = unit_model(cell), clicks(1, n_pairs=2)
    bptt = cost_and_gradient(model, *examples, method="bptt", truncate=truncate)
    autograd = cost_and_gradient(model, *examples, method="autograd", truncate=truncate)
    full = cost_and_gradient(model, *examples, method="bptt")
    assert bptt[0] == full[0]  # truncation does not change the cost
    assert worst_difference(bptt[1], autograd[1]) < 1e-9
    if truncate == 3:  # `check_gradient` holds the weights fixed at all earlier words
        assert check_gradient(model, *examples, truncate=truncate, verbose=False).error < 1e-9
    assert (worst_difference(bptt[1], full[1]) > 1e-3) == (truncate < 11)


@pytest.mark.parametrize("text", ["", "zzz"])
def test_text_without_known_words_has_zero_gradient(text):
    model = unit_model(LSTM(3))
    for side in (model.query, model.document):
        side.weights["b"][...] = 0  # so that y stays 0 at unknown words
    given = model, [text], ["ab"], [["ba"]]
    with (
        pytest.warns(match="zero, their cosine is taken as 0"),
        pytest.warns(match="no letter"),
    ):
        total, gradient = cost_and_gradient(*given, method="bptt")
    assert total == pytest.approx(np.log(2))
    assert not any(g.any() for g in gradient["query"].values())
    with warnings.catch_warnings(action="ignore"):
        by_autograd = cost_and_gradient(*given, method="autograd")[1]
    assert worst_difference(by_autograd, gradient) == 0


def test_refuses_lists_of_different_lengths_and_float32_models():
    model = unit_model(RNN(2))
    with refused("of lengths 2, 1, 1"):
        cost_and_gradient(model, ["a", "b"], ["a"], [["b"]])
    with refused("same number of titles"):
        cost_and_gradient(model, ["a", "b"], ["a", "b"], [["b"], ["c", "a"]])
    with refused("float64 only"):
        check_gradient(unit_model(RNN(2), dtype="float32"), ["a"], ["b"], [["c"]])


# ---- check_gradient and compare


def test_check_gradient_reports_worst_element(capsys, monkeypatch):
    honest = checking.cost_and_gradient

    def one_wrong(*args):
        total, gradient = honest(*args)
        gradient["document"]["Wrec3"][1, 2] += 1e-3
        return total, gradient

    monkeypatch.setattr(checking, "cost_and_gradient", one_wrong)
    check = check_gradient(unit_model(LSTM(3)), *clicks(2))
    assert (check.side, check.name, check.index) == ("document", "Wrec3", (1, 2))
    assert check.value - check.expected == pytest.approx(1e-3)
    said = capsys.readouterr().out
    assert "DIFFER" in said and "document Wrec3[1, 2]" in said and f"{check.expected:+.15e}" in said


@pytest.mark.filterwarnings("ignore:.* hold")
def test_check_gradient_accepts_zero_gradient_and_rejects_nan(monkeypatch):
    model, differences = unit_model(LSTM(2)), checking.differences
    given = model, ["ab"], ["ba"], [["ba"]]  # the titles are equal, so the gradient is 0
    assert check_gradient(*given, method="autograd", verbose=False).error < 1e-9
    # the gradient of the document's Wrec is 0, but complex steps give 4e-16
    aligned = AlignedEncoder(RNN(2), model.hashing, dtype="float64")
    unknown = ["ŷ ŷ"], ["ŷ ŷ ŷ"], [["ŷ"]]
    assert check_gradient(aligned, *unknown, verbose=False).error < 1e-9

    def not_a_number(*args):
        expected = differences(*args)
        expected["query"]["W1"][0, 0] = np.nan
        return expected

    monkeypatch.setattr(checking, "differences", not_a_number)
    assert check_gradient(model, *clicks(1), verbose=False).error == np.inf


def test_compare_reports_equal_only_within_tolerance(capsys):
    x = np.array([[1.0, -200.0], [1e-9, 0.0]])
    assert compare("dW", x + 1e-11, x) and not compare("dW", x + 1e-8, x)
    assert compare("zero", np.zeros(3), np.zeros(3))
    assert not compare("zero", np.full(3, 1e-9), np.zeros(3)) and not compare("nan", x * np.nan, x)
    assert not compare("sign", -x, x)
    out = capsys.readouterr().out.splitlines()
    assert out[0] == "dW         (2, 2)     equal    to 1e-12"
    assert out[1] == "dW         (2, 2)     DIFFERS  by 5.0e-11 of the largest"
    with refused("db: of shape"):
        compare("db", np.zeros(1), np.zeros(2))
