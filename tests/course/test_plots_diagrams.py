import numpy as np
import pytest
from conftest import unit_model
from drawn import artists, heights, on_each_other, texts, ticks, ys
from matplotlib.colors import to_hex

from lstm_course import plots
from lstm_course.plots.diagrams import LEFT_OUT
from lstm_edu import LSTM, RNN, letter_trigrams

WORDS = ["hotels", "in", "shanghai"]
TEXT = "abc a cab"


@pytest.mark.parametrize("words", [["inn"], WORDS[:2], WORDS])
def test_unrolled_rnn_has_a_column_a_word(words):
    figure = plots.unrolled_rnn(words)
    found = texts(figure)
    assert [text for text in found if text in words] == words
    for name in (r"$\mathbf{W}_h$", r"$\mathbf{W}$", r"$\mathbf{W}_{rec}$"):
        assert found.count(name) == len(words)
    filled = [patch for patch in figure.axes[0].patches if patch.get_fill()]
    black = [patch for patch in filled if to_hex(patch.get_facecolor()) == "#000000"]
    # of x(t), one; of l(t), the trigrams
    assert len(black) == sum(1 + len(set(letter_trigrams(word))) for word in words)
    assert not on_each_other(figure)


def test_lstm_cell_has_every_part_of_equation_2():
    figure = plots.lstm_cell()
    found = {text.get_text(): text.get_color() for text in artists(figure)}
    for k in "1234":
        name = rf"$\mathbf{{W}}_{k}$", rf"$\mathbf{{W}}_{{rec{k}}}$"
        assert {found[part] for part in name} == {LEFT_OUT if k == "2" else "black"}
        assert sum(rf"\mathbf{{b}}_{k}" in text for text in found) == 1
    assert {found[rf"$\mathbf{{W}}_{{p{k}}}$"] for k in "123"} == {LEFT_OUT}
    grey = [text for text, colour in found.items() if colour == LEFT_OUT and "gate" in text]
    assert grey == ["forget gate\n$\\sigma(\\,\\cdot+\\mathbf{b}_2)$"]
    dashed = [line for line in figure.axes[0].lines if line.get_linestyle() == "--"]
    assert len(dashed) == 3 and {line.get_color() for line in dashed} == {LEFT_OUT}
    starts = sorted(tuple(line.get_xydata()[0]) for line in dashed)  # where the peepholes look in
    at = {text.get_text(): text.get_position() for text in artists(figure)}
    forget = min(text.get_position()[0] for text in artists(figure) if text.get_text() == "×")
    assert starts[1][0] < forget and starts[2][0] > at["+"][0]  # W_p2, W_p3 at c(t-1), W_p1 at c(t)
    # not on what W_p3 shares with it
    assert at[r"$\mathbf{W}_{p2}$"][1] < min(y for _, y in starts)
    assert not on_each_other(figure)


def test_states_shows_every_number_and_frames_the_last_column():
    traces = {"RNN": unit_model(RNN(3)).trace(TEXT).y, "c": unit_model(LSTM(3)).trace(TEXT).c}
    figure = plots.states(TEXT.split(), traces)
    limit = max(np.abs(values).max() for values in traces.values())
    for axis, values in zip(figure.axes, traces.values()):
        np.testing.assert_allclose(axis.images[0].get_array(), values.T)
        assert axis.images[0].get_clim() == pytest.approx((-limit, limit))
        shown = {text.get_position(): text.get_text().replace("−", "-") for text in axis.texts}
        for place, value in np.ndenumerate(values):
            assert float(shown[place]) == pytest.approx(value, abs=0.0501)
        frame = axis.patches[0]
        assert (frame.get_xy(), frame.get_width(), frame.get_height()) == ((1.5, -0.5), 1, 3)


def test_cell_by_word_draws_what_enters_and_what_is_held():
    trace = unit_model(LSTM(3)).trace(TEXT)
    figure = plots.cell_by_word({"a": (trace, 0), "b": (trace, 2)})
    enters = trace.i * trace.yg
    for axis, cell in zip(figure.axes, (0, 2)):
        assert heights(axis) == pytest.approx(enters[:, cell])
        _, c, y = axis.lines
        np.testing.assert_allclose(ys(c), np.cumsum(enters, axis=0)[:, cell])
        np.testing.assert_allclose(ys(y), trace.y[:, cell])
    names = ["enters: $i(t)\\,y_g(t)$", "cell state $c(t)$", "output $y(t)$"]
    assert [text.get_text() for text in figure.legends[0].get_texts()] == names


def test_cell_by_word_names_the_words_that_each_panel_reads():
    model = unit_model(LSTM(3))
    figure = plots.cell_by_word({text: (model.trace(text), 0) for text in ("abc a", "cab a")})
    assert [ticks(axis, "x") for axis in figure.axes] == [["abc", "a"], ["cab", "a"]]
