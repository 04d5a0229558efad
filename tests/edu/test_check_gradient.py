"""What check_gradient and compare say: which element is worst, and equal only of what is equal."""

import numpy as np
import pytest
from conftest import clicks, unit_model
from refusal import refused

import lstm_edu
from lstm_edu import LSTM, compare


def test_central_differences_agree_within_their_own_tolerance():
    check = lstm_edu.check_gradient(
        unit_model(LSTM(3, True)), *clicks(2), against="central", verbose=False
    )
    assert 1e-12 < check.error < check.tolerance == 1e-4


def test_check_names_the_worst_element(capsys, monkeypatch):
    model, examples = unit_model(LSTM(3)), clicks(2)
    honest = lstm_edu.gradients.check.cost_and_gradient

    def one_wrong(*args):
        total, gradient = honest(*args)
        gradient["document"]["Wrec3"][1, 2] += 1e-3
        return total, gradient

    monkeypatch.setattr(lstm_edu.gradients.check, "cost_and_gradient", one_wrong)
    check = lstm_edu.check_gradient(model, *examples)
    assert (check.side, check.name, check.index) == ("document", "Wrec3", (1, 2))
    assert check.value - check.expected == pytest.approx(1e-3)
    said = capsys.readouterr().out
    assert "DIFFER" in said and "document Wrec3[1, 2]" in said and f"{check.expected:+.15e}" in said


def test_a_gradient_that_is_zero_agrees_and_one_that_is_no_number_does_not(monkeypatch):
    model = unit_model(LSTM(2))
    given = model, ["ab"], ["ba"], [["ba"]]  # Delta = 0, always
    assert lstm_edu.check_gradient(*given, method="autograd", verbose=False).error < 1e-9
    differences = lstm_edu.gradients.check.differences

    def not_a_number(*args):
        expected = differences(*args)
        expected["query"]["W1"][0, 0] = np.nan
        return expected

    monkeypatch.setattr(lstm_edu.gradients.check, "differences", not_a_number)
    assert lstm_edu.check_gradient(model, *clicks(1), verbose=False).error == np.inf


def test_compare_says_equal_only_of_equal_arrays(capsys):
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
