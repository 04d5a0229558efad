import itertools

import numpy as np
import pytest
from conftest import unit_model
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_hex

from lstm_course import plots
from lstm_course.plots.diagrams import LEFT_OUT
from lstm_edu import LSTM, RNN, letter_trigrams

WORDS = ["hotels", "in", "shanghai"]


def texts(figure):
    return [text for axis in figure.axes for text in axis.texts if text.get_text()]


def nothing_overlaps(figure):
    """Whether no text lies over another or is cut off."""
    renderer = FigureCanvasAgg(figure).get_renderer()
    figure.draw(renderer)
    boxes = [text.get_window_extent(renderer) for text in texts(figure)]
    inside = all(
        figure.bbox.x0 <= box.x0
        and box.x1 <= figure.bbox.x1
        and figure.bbox.y0 <= box.y0
        and box.y1 <= figure.bbox.y1
        for box in boxes
    )
    return inside and not any(
        one.overlaps(other) for one, other in itertools.combinations(boxes, 2)
    )


@pytest.mark.parametrize("words", [["inn"], WORDS[:2], WORDS])
def test_unrolled_rnn_has_a_column_a_word(words):
    figure = plots.unrolled_rnn(words)
    found = [text.get_text() for text in texts(figure)]
    assert [text for text in found if text in words] == words
    for name, times in (
        (r"$\mathbf{W}_h$", len(words)),
        (r"$\mathbf{W}$", len(words)),
        (r"$\mathbf{W}_{rec}$", len(words)),
    ):
        assert found.count(name) == times
    black = [
        patch
        for patch in figure.axes[0].patches
        if to_hex(patch.get_facecolor()) == "#000000" and patch.get_fill()
    ]
    # of x(t), one; of l(t), the trigrams
    assert len(black) == sum(1 + len(set(letter_trigrams(word))) for word in words)
    assert nothing_overlaps(figure)


def test_lstm_cell_has_every_part_of_equation_2():
    figure = plots.lstm_cell()
    found = {text.get_text(): text.get_color() for text in texts(figure)}
    for k in "1234":
        name = rf"$\mathbf{{W}}_{k}$", rf"$\mathbf{{W}}_{{rec{k}}}$"
        assert {found[part] for part in name} == {LEFT_OUT if k == "2" else "black"}
        assert sum(rf"\mathbf{{b}}_{k}" in text for text in found) == 1
    assert {found[rf"$\mathbf{{W}}_{{p{k}}}$"] for k in "123"} == {LEFT_OUT}
    assert {text for text, colour in found.items() if colour == LEFT_OUT and "gate" in text} == {
        "forget gate\n$\\sigma(\\,\\cdot+\\mathbf{b}_2)$"
    }
    dashed = [line for line in figure.axes[0].lines if line.get_linestyle() == "--"]
    assert len(dashed) == 3 and {line.get_color() for line in dashed} == {LEFT_OUT}
    starts = sorted(tuple(line.get_xydata()[0]) for line in dashed)  # where the peepholes look in
    forget, _, _ = sorted(
        text.get_position()[0] for text in texts(figure) if text.get_text() == "×"
    )
    at = {text.get_text(): text.get_position() for text in texts(figure)}
    assert starts[1][0] < forget and starts[2][0] > at["+"][0]  # W_p2, W_p3 at c(t-1), W_p1 at c(t)
    # not on what W_p3 shares with it
    assert at[r"$\mathbf{W}_{p2}$"][1] < min(y for _, y in starts)
    assert nothing_overlaps(figure)


def test_states_shows_every_number_and_frames_the_last_column():
    traces = {
        "RNN": unit_model(RNN(3)).trace("abc a cab").y,
        "c": unit_model(LSTM(3)).trace("abc a cab").c,
    }
    figure = plots.states("abc a cab".split(), traces)
    limit = max(np.abs(values).max() for values in traces.values())
    for axis, values in zip(figure.axes, traces.values()):
        np.testing.assert_allclose(axis.images[0].get_array(), values.T)
        assert axis.images[0].get_clim() == pytest.approx((-limit, limit))
        shown = {
            text.get_position(): float(text.get_text().replace("−", "-")) for text in axis.texts
        }
        assert all(
            shown[word, cell] == pytest.approx(value, abs=0.0501)
            for (word, cell), value in np.ndenumerate(values)
        )
        assert axis.patches[0].get_xy() == (1.5, -0.5) and (
            axis.patches[0].get_width(),
            axis.patches[0].get_height(),
        ) == (1, 3)


def test_cell_by_word_draws_what_enters_and_what_is_held():
    trace = unit_model(LSTM(3)).trace("abc a cab")
    figure = plots.cell_by_word({"a": (trace, 0), "b": (trace, 2)})
    for axis, cell in zip(figure.axes, (0, 2)):
        assert [bar.get_height() for bar in axis.patches] == pytest.approx(
            (trace.i * trace.yg)[:, cell]
        )
        _, c, y = axis.lines
        np.testing.assert_allclose(c.get_ydata(), np.cumsum(trace.i * trace.yg, axis=0)[:, cell])
        np.testing.assert_allclose(y.get_ydata(), trace.y[:, cell])
    assert [text.get_text() for text in figure.legends[0].get_texts()] == [
        "enters: $i(t)\\,y_g(t)$",
        "cell state $c(t)$",
        "output $y(t)$",
    ]


def test_cell_by_word_names_the_words_that_each_panel_reads():
    model = unit_model(LSTM(3))
    figure = plots.cell_by_word({text: (model.trace(text), 0) for text in ("abc a", "cab a")})
    names = [[label.get_text() for label in axis.get_xticklabels()] for axis in figure.axes]
    assert names == [["abc", "a"], ["cab", "a"]]
