"""What notebooks 05a and 05b stand on: its figures, and derivatives of states.

And the distance of the printed gradient from the exact one.
"""

import numpy as np
import pytest
from conftest import HASHING, clicks, unit_model
from drawn import arrows, texts, ticks, titles, ys

from lstm_course import plots
from lstm_course.lessons import printed_error
from lstm_edu import LSTM, RNN
from lstm_edu.gradients import printed
from lstm_edu.gradients.check import state_derivatives

CELLS = [LSTM(3), LSTM(3, True, "diagonal"), LSTM(3, True, "full")]


@pytest.mark.parametrize("cell", [RNN(3), *CELLS], ids=str)
def test_state_derivatives_are_differences_of_states(cell):
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
def test_a_drawn_case_has_the_gradient_of_its_cosine(cell):
    """Its parts against complex steps: v of (15) times dy/dLambda, (70)."""
    case = printed_error.draw(cell, 0.7, 5, 3)
    assert case.batch.lengths.tolist() == [5] and case.v.shape == (1, 3)
    assert abs(case.v @ case.tape.y[-1]) < 1e-12  # a cosine does not change with the length
    params, L = cell.params(case.weights), case.batch.Wh.toarray()[case.batch.token]
    found = cell.backward(case.weights, case.batch, case.tape, case.v)
    np.testing.assert_array_equal(
        printed_error.gradient(cell, case), np.concatenate([g.ravel() for g in found.values()])
    )
    for name, g in cell.params(found).items():
        expected = np.tensordot(case.v[0], state_derivatives(cell, params, L, name)["y"][-1], 1)
        np.testing.assert_allclose(
            g, expected[:, case.batch.touched] if name[:-1] == "W" else expected, atol=1e-12
        )


@pytest.mark.parametrize("cell", CELLS, ids=str)
def test_the_appendix_at_the_last_word_is_the_cut_of_hochreiter_and_schmidhuber(cell):
    """(16)-(42), dc/dLambda carried forward, are BPTT without the ways between cells.

    That is, without what leaves a cell through y(t-1) or a peephole.
    """
    case = printed_error.draw(cell, 0.7, 6, 0)
    before = {name: w.copy() for name, w in case.weights.items()}
    of = lambda **how: printed_error.gradient(cell, case, **how)
    cut = of(without=("Wrec", "Wp"))
    np.testing.assert_allclose(of(errors=printed.errors, without=("Wrec",)), cut, atol=1e-14)
    for other in ({}, {"errors": printed.errors}, {"truncate": 0}):
        assert printed_error.error_and_cosine(cut, of(**other))[0] > 0.01
    assert all((case.weights[name] == w).all() for name, w in before.items())


def test_error_and_cosine():
    of = lambda found, exact: printed_error.error_and_cosine(np.array(found), np.array(exact))
    assert of([0.0, 2.0], [1.0, 0.0]) == pytest.approx((np.sqrt(5), 0))
    assert of([-3.0], [1.0]) == pytest.approx((4, -1))


def test_sweep_and_of_model():
    cell, of_model = LSTM(3), printed_error.of_model
    swept = printed_error.sweep(cell, 0.5, [1, 4], 3, errors=printed.errors)
    assert swept.shape == (3, 2, 2)
    case = printed_error.draw(cell, 0.5, 4, 2)
    by_print, exact = (printed_error.gradient(cell, case, how) for how in (printed.errors, None))
    assert swept[2, 1] == pytest.approx(printed_error.error_and_cosine(by_print, exact))
    assert swept[2, 1, 0] > 0.01
    assert of_model(unit_model(RNN(3)), *clicks(1)) == pytest.approx((0, 1), abs=1e-12)
    assert of_model(unit_model(LSTM(3)), *clicks(1))[0] > 0.1


def test_error_paths_marks_what_the_appendix_leaves_out():
    exact, appendix = (plots.error_paths(marked).axes[0] for marked in (False, True))
    assert len(arrows(exact)) == len(arrows(appendix)) == 18
    assert len({str(arrow.get_linestyle()) for arrow in arrows(exact)}) == 1
    boxes = {text.get_text() for text in exact.texts if text.get_color() == "black"}
    named = [f"{state}}}({t})" for state in "cy" for t in ("t", "t-1")]
    named += ["o}", "h}", "f}", "i}", "y}_g"]
    named += [f"z}}_{k}" for k in "1234"]  # all that lesson 05a compares, and the word before
    assert boxes - {""} == {rf"$\mathbf{{{name}$" for name in named}
    crosses = [line for line in appendix.lines if line.get_marker() == "x"]
    assert len(crosses) == 3 and not exact.lines  # the three peepholes
    grey = [text.get_text() for text in appendix.texts if text.get_color() == "#595959"]
    peepholes = [rf"$\mathbf{{W}}_{{p{k}}}^T$" for k in "123"]
    assert sorted(text for text in grey if "$" in text) == peepholes


def test_dropped_terms():
    shares = {"(72)": np.array([0.0, 0.5]), "(78)": np.array([0.2, 0.1])}
    axis = plots.dropped_terms(["abc", "a"], shares).axes[0]
    assert ticks(axis, "x") == ["abc", "a"] and ticks(axis) == list(shares)
    assert axis.images[0].get_array().tolist() == [[0.0, 0.5], [0.2, 0.1]]
    assert texts(axis) == ["0", "0.50", "0.20", "0.10"]


def test_errors_by_length_draws_medians_and_middle_halves():
    values = np.array([[[0.0, 1.0], [seed, -seed / 10]] for seed in range(5)])
    both = {name: {0.1: values, 1.0: values} for name in "ab"}
    figure = plots.errors_by_length([1, 4], both)
    assert titles(figure)[:2] == ["a", "b"]
    first, _, third, _ = (axis.lines[0].get_xydata().tolist() for axis in figure.axes)
    assert (first, third) == ([[1, 0], [4, 2]], [[1, 1], [4, -0.2]])
    band = figure.axes[0].collections[0].get_paths()[0].vertices
    at_4 = band[band[:, 0] == 4, 1]
    assert (at_4.min(), at_4.max()) == (1, 3)


def test_two_gradients_draws_means_over_seeds():
    live = {"small": {"exact": [[3.0, 1.0], [1.0, 1.0]], "as printed": [[4.0, 2.0], [2.0, 2.0]]}}
    runs = {"exact": [[0.1, 0.3], [0.3, 0.5]], "as printed": [[0.1, 0.1], [0.1, 0.1]]}
    left, right = plots.two_gradients(live, {k: np.array(run) for k, run in runs.items()}).axes
    named, learned = ({a.get_label(): ys(a) for a in axis.lines} for axis in (left, right))
    assert named["exact"] == [2.0, 1.0] and named["as printed"] == [3.0, 2.0]
    assert learned["exact"] == pytest.approx([0.2, 0.4]) and len(left.lines) == 6
    assert left.get_title(loc="left") == "small" and left.get_ylabel() != right.get_ylabel()
