"""Tests of state derivatives, and of the error of the gradient that the paper prints."""

import numpy as np
import pytest
from conftest import HASHING, clicks, unit_model

from lstm_course.lessons import printed_error
from lstm_edu import LSTM, RNN
from lstm_edu.gradients import printed
from lstm_edu.gradients.check import state_derivatives

CELLS = [LSTM(3), LSTM(3, True, "diagonal"), LSTM(3, True, "full")]


@pytest.mark.parametrize("cell", [RNN(3), *CELLS], ids=str)
def test_state_derivatives_match_central_differences(cell):
    params = dict(unit_model(cell).query.params)
    L = HASHING.operator("abc a cab b".split(), "float64").toarray()
    for name in params:
        found = state_derivatives(cell, params, L, name)
        assert set(found) == set(cell.read(params, L)[0]._fields)
        for index in list(np.ndindex(params[name].shape))[::5]:
            h = np.zeros_like(params[name])
            h[index] = 6e-6
            up, down = (cell.read(params | {name: params[name] + step}, L) for step in (h, -h))
            for state, derivative in found.items():
                assert derivative.shape == (4, 3, *params[name].shape)
                expected = [
                    (getattr(u, state) - getattr(d, state)) / 1.2e-5 for u, d in zip(up, down)
                ]
                np.testing.assert_allclose(derivative[(..., *index)], expected, atol=1e-8)


@pytest.mark.parametrize("cell", CELLS, ids=str)
def test_gradient_of_random_case_matches_state_derivatives(cell):
    """Compare each gradient with the product of v, Eq. (15), and dy(T)/dLambda, Eq. (70)."""
    case = printed_error.draw(cell, 0.7, 5, 3)
    assert case.batch.lengths.tolist() == [5] and case.v.shape == (1, 3)
    # v is orthogonal to y, because the cosine ignores the length of y
    assert abs(case.v @ case.tape.y[-1]) < 1e-12
    params, L = cell.params(case.weights), case.batch.Wh.toarray()[case.batch.token]
    found = printed_error.by_name(cell, case)
    np.testing.assert_array_equal(
        printed_error.gradient(cell, case), np.concatenate([g.ravel() for g in found.values()])
    )
    for name, g in found.items():
        expected = np.tensordot(case.v[0], state_derivatives(cell, params, L, name)["y"][-1], 1)
        np.testing.assert_allclose(g, expected, atol=1e-12)


@pytest.mark.parametrize("cell", CELLS, ids=str)
def test_equations_16_to_42_equal_hochreiter_and_schmidhubers_truncation(cell):
    """Compare Eq. (16)-(42) with BPTT that sends no error through y(t-1) or through peepholes."""
    case = printed_error.draw(cell, 0.7, 6, 0)
    before = {name: w.copy() for name, w in case.weights.items()}
    of = lambda **how: printed_error.gradient(cell, case, **how)
    cut = of(without=("Wrec", "Wp"))
    np.testing.assert_allclose(of(errors=printed.errors, without=("Wrec",)), cut, atol=1e-14)
    for other in ({}, {"errors": printed.errors}, {"truncate": 0}):
        assert printed_error.error_and_cosine(cut, of(**other))[0] > 0.01
    assert all((case.weights[name] == w).all() for name, w in before.items())


def test_sweep_and_of_model_return_error_and_cosine():
    cell, of_model = LSTM(3), printed_error.of_model
    swept = printed_error.sweep(cell, 0.5, [1, 4], 3, errors=printed.errors)
    assert swept.shape == (3, 2, 2)
    case = printed_error.draw(cell, 0.5, 4, 2)
    by_print, exact = (printed_error.gradient(cell, case, how) for how in (printed.errors, None))
    assert swept[2, 1] == pytest.approx(printed_error.error_and_cosine(by_print, exact))
    assert swept[2, 1, 0] > 0.01
    assert of_model(unit_model(RNN(3)), *clicks(1)) == pytest.approx((0, 1), abs=1e-12)
    assert of_model(unit_model(LSTM(3)), *clicks(1))[0] > 0.1
