"""Every gradient, element by element, against differences of the cost through the plain step."""

import pytest
from conftest import CELLS, cell_name, clicks, sample, unit_model, worst_difference

import lstm_edu
from lstm_edu import LSTM, RNN, Attention, Bidirectional, cost_and_gradient

all_cells = pytest.mark.parametrize("cell", CELLS, ids=cell_name)


@all_cells
@pytest.mark.parametrize("n", sample([1, 3, 4], [3]))
def test_exact(cell, n, capsys):
    model, examples = unit_model(cell), clicks(n, n_pairs=3)
    check = lstm_edu.check_gradient(model, *examples, gamma=10.0, method="bptt")
    assert check.error < 1e-9
    assert check.n_elements == model.n_parameters
    assert "agree" in capsys.readouterr().out
    bptt = cost_and_gradient(model, *examples, gamma=10.0, method="bptt")
    autograd = cost_and_gradient(model, *examples, gamma=10.0, method="autograd")
    assert autograd[0] == pytest.approx(bptt[0], rel=1e-12)
    # so autograd against complex steps is below 1e-9 too
    assert worst_difference(autograd[1], bptt[1]) < 1e-10


@all_cells
@pytest.mark.parametrize("truncate", sample([0, 1, 3, 20], [0, 3, 20]))
def test_truncated(cell, truncate):
    model, examples = unit_model(cell), clicks(1, n_pairs=2)
    bptt = cost_and_gradient(model, *examples, method="bptt", truncate=truncate)
    autograd = cost_and_gradient(model, *examples, method="autograd", truncate=truncate)
    full = cost_and_gradient(model, *examples, method="bptt")
    assert bptt[0] == full[0]  # the cost knows nothing of it
    assert worst_difference(bptt[1], autograd[1]) < 1e-9
    if truncate == 3:  # words before the cut are read with weights that do not move
        check = lstm_edu.check_gradient(model, *examples, truncate=truncate, verbose=False)
        assert check.error < 1e-9
    assert (worst_difference(bptt[1], full[1]) > 1e-3) == (truncate < 11)


# one alone and one in both directions; make soak has all four
CUT = sample(
    [RNN(2), LSTM(2), Bidirectional(RNN(1)), Bidirectional(LSTM(1))],
    [LSTM(2), Bidirectional(RNN(1))],
)


@pytest.mark.parametrize("cell", CUT, ids=cell_name)
def test_attention_is_cut_at_the_texts_last_word_whichever_word_an_error_arrives_at(cell):
    """By hand and by autograd for every T, by complex steps for some; a text has 12 words."""
    model, examples, before = unit_model(Attention(cell)), clicks(1), None
    whole = cost_and_gradient(model, *examples)[1]
    for truncate in range(13):
        if truncate in (0, 5):
            by_hand = lstm_edu.check_gradient(model, *examples, truncate=truncate, verbose=False)
            assert by_hand.error < 1e-9
        of = lambda method: cost_and_gradient(model, *examples, method=method, truncate=truncate)[1]
        found, by_autograd = of("bptt"), of("autograd")
        assert worst_difference(by_autograd, found) < 1e-9
        assert (worst_difference(found, whole) < 1e-12) == (truncate >= 11)
        assert before is None or (worst_difference(found, before) > 1e-3) == (truncate <= 11)
        before = found
