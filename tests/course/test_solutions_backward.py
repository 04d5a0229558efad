"""Tests of backward-pass solutions against autograd, complex steps and state derivatives."""

import numpy as np
import pytest
from by_autograd import by_autograd

from lstm_course.engine.drawn import lstm_by_names, random_text
from lstm_course.exercises import appendix, blank_page, lstm_back, memory, own_words, rnn_gradient
from lstm_edu.cells import lstm
from lstm_edu.cells.lstm import LSTM
from lstm_edu.cells.rnn import RNN
from lstm_edu.gradients.check import state_derivatives

assert_close = np.testing.assert_allclose
RNN_TEXTS = [random_text(np.random.default_rng(T), T, RNN(4)) for T in (1, 2, 5)]


@pytest.mark.parametrize("params, L, states, v", RNN_TEXTS)
def test_rnn_gradient_solutions_match_autograd(params, L, states, v):
    expected, errors = by_autograd(RNN(4), params, L, v)
    found = rnn_gradient.weights_gradient(errors["z"], states["y"], L)
    for name in expected:
        assert_close(found[name], expected[name], rtol=1e-9)
    expected = by_autograd(RNN(4), params, L, v, mean=True)[1]["z"]
    found = rnn_gradient.send_back_mean(params["Wrec"], states["y"], v)
    assert_close(found, expected, rtol=1e-9, atol=1e-15)


BACK = {None: lstm_back.back_one_word, "diagonal": lstm_back.back_with_peepholes}


@pytest.mark.parametrize("cell, back", [(LSTM(4, True, Wp), back) for Wp, back in BACK.items()])
def test_backward_pass_of_one_word_matches_autograd(cell, back):
    words = lstm_back._word_inputs(cell, back, np.random.default_rng(0))
    rng = np.random.default_rng(0)  # same seed as in the line above, to draw the same texts
    for T in (2, 5, 9):
        p, L, *_ = random_text(rng, T, cell)
        _, errors = by_autograd(cell, p, L, words[f"word {T} of {T}, the last"]["dy"])
        for t in range(T, 0, -1):
            given = words[f"word {t} of {T}" + ", the last" * (t == T)]
            dz, *dWp, dy, later = back(**given)
            found = {"z" + k: dz[k] for k in dz} | dict(*dWp)
            for name, value in found.items():
                assert_close(value, errors[name][t], rtol=1e-9, atol=1e-12)
            assert_close(dy, errors["y"][t - 1], rtol=1e-9, atol=1e-12)
            assert_close(later, errors["c"][t - 1], rtol=1e-9, atol=1e-12)


def test_all_gradients_match_autograd():
    for given in blank_page._texts():
        p, l, v = given.values()
        expected, errors = by_autograd(LSTM(len(v)), p, l[1:], v)
        found = blank_page.all_gradients(**given)
        for name, w in expected.items():
            assert_close(found.pop(name), w, rtol=1e-9, atol=1e-12)
        assert len(found) == 8 * (len(l) - 1)
        for quantity in ("y", "c", "z1", "z3", "z4"):
            for t in range(1, len(l)):
                value = found[f"{quantity}({t})"]
                # without a forget gate, the error from word t to c(t-1) equals the error of c(t)
                at = t - 1 if quantity == "c" else t
                assert_close(value, errors[quantity][at], rtol=1e-9, atol=1e-12)


def test_own_two_words_agrees_with_all_gradients_of_plain_lstm():
    words, weights, table = own_words.own_two_words()
    given = {"p": {name: np.array([[w]]) for name, w in weights.items()}}
    given["p"] |= {"b" + k: np.zeros(1) for k in "134"}
    d = blank_page.all_gradients(**given, l=np.array([[0], *([l] for l in words)]), v=np.ones(1))
    for name in own_words.BACK:
        found = [d[f"{name[1:]}({t})"][0] for t in (1, 2)]
        assert_close(table[name], found, rtol=1e-9, atol=1e-12)


def test_check_own_two_words_lists_mistakes_that_the_numbers_hide(capsys):
    weights = {"W4": 0.3, "Wrec4": 0.4, "W3": 0.5, "Wrec3": 0.3, "W1": 0.4, "Wrec1": 0.5}
    *given, table = own_words.own_two_words((0.3, 0.4), weights)
    table = {name: tuple(map(float, pair)) for name, pair in table.items()}
    own_words.check_own_two_words(lambda: (*given, table))
    first, advice, *hidden = capsys.readouterr().out.splitlines()
    assert "36 of 42" in first and "0.7 and 1.5" in advice
    # five lines, because two of the six hidden mistakes share a description
    assert len(hidden) == 5 and "  - o multiplies tanh(c), not c" in hidden


def test_appendix_solutions_match_autograd():
    """Compare the errors of y(T-1), and the gradients with respect to b3 if y(t-1) is constant."""
    draws = np.random.default_rng(55), np.random.default_rng(53)  # as in _last_words and _texts
    for back, read in zip(appendix._last_words(), appendix._texts()):
        T = len(read["f"]) - 1
        (p, L, _, v), (q, M, _, w) = (random_text(rng, T, LSTM(4, True)) for rng in draws)
        assert_close(appendix.sent_back(**back), by_autograd(LSTM(4, True), p, L, v)[1]["y"][T - 1])
        expected = by_autograd(LSTM(4, True), q, M, w, fixed=True)[0]["b3"]
        assert_close(appendix.gradient_of_b3(**read), expected)


def test_carried_forward_solution_matches_state_derivatives():
    words, rng = appendix._words(), np.random.default_rng(56)
    for T, m in {3: 3, 5: 4, 9: 2}.items():
        p, L, *_ = random_text(rng, T, LSTM(m, True))
        moves = state_derivatives(LSTM(m, True), p, L, "b1")
        for t in range(1, T + 1):
            for name, value in zip("cy", appendix.carried_forward(**words[f"word {t} of {T}"])):
                assert_close(value, moves[name][t - 1], rtol=1e-9, atol=1e-15)


@pytest.mark.parametrize("draw, given", list(enumerate(memory._two_words())))
def test_dc_dc_solution_matches_complex_steps(draw, given):
    """Use complex steps so small that their squares underflow."""
    params, before, _ = given.values()
    m, rng = len(before.c), np.random.default_rng(draw)
    lstm_by_names("1234", rng, m, 1.0)  # advance rng, as `_two_words` draws the weights first
    l = rng.standard_normal((4, 6))[-1]  # the last word
    columns = []
    for e in np.eye(m):
        c = before.c + 1e-30j * e
        columns.append(lstm.step(params, l, before.o * np.tanh(c), c).c.imag / 1e-30)
    assert_close(memory.dc_dc(**given), np.transpose(columns), rtol=1e-9)
