"""The figures and tables of notebooks 07 to 09: what they show is what was measured."""

from itertools import pairwise

import numpy as np
import pytest
from conftest import TEXTS, unit_model
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.text import Text

from lstm_course import plots
from lstm_edu import LSTM, RNN, Bidirectional
from lstm_edu.analysis import inspection


def labels(ticks):
    return [tick.get_text() for tick in ticks]


def test_gate_maps_show_gates_on_one_scale_and_states_on_another():
    trace = unit_model(LSTM(6)).trace(TEXTS[5])
    figure = plots.gate_maps(trace)
    panels = figure.axes[:4]
    for axis, name in zip(panels, "icoy"):
        np.testing.assert_array_equal(axis.images[0].get_array(), getattr(trace, name).T)
        assert labels(axis.get_xticklabels()) == trace.words
    i, c, o, y = (axis.images[0].get_clim() for axis in panels)
    assert i == o == (0, 1) and c == y == (-abs(trace.c).max(), abs(trace.c).max())
    marked = {(round(line.get_xdata().mean()), line.get_ydata()[0]) for line in panels[1].lines}
    assert marked == {(t, k) for t, k in np.argwhere(trace.c < -abs(trace.c).max() / 5)} and marked
    alone = plots.gate_maps(trace, ["i"], gates=(0.2, 0.7))
    assert alone.axes[0].images[0].get_clim() == (0.2, 0.7) and len(alone.axes) == 2
    used = plots.gate_maps(trace, gates="used").axes
    both = np.concatenate([trace.i, trace.o])
    for axis, scale in zip(used, 2 * [(both.min(), both.max()), c]):
        assert axis.images[0].get_clim() == scale
    assert [axis.get_ylabel() for axis in (figure.axes[4], alone.axes[1], used[4])] == [
        "gates: 0 shut, 1 open",
        "gates, on part of their scale",
        "gates, on part of their scale",
    ]


def test_words_read_frames_a_word_and_shows_its_most_active_cells():
    trace = unit_model(LSTM(12)).trace(TEXTS[5])
    n_words, t = len(trace.words), 4
    *maps, bars = plots.words_read(trace, t, n=3).axes[:5]
    for axis, name in zip(maps, "icoy"):
        np.testing.assert_array_equal(axis.images[0].get_array(), getattr(trace, name).T)
        pale, frame = axis.patches
        assert (pale.get_x(), pale.get_x() + pale.get_width()) == (
            t + 0.5,
            n_words - 0.5,
        ) and pale.zorder > max(line.zorder for line in [*axis.lines, *axis.images])
        assert (frame.get_x(), frame.get_width(), frame.get_height()) == (t - 0.5, 1, 12)
        assert [label.get_fontweight() == "bold" for label in axis.get_xticklabels()] == [
            k == t for k in range(n_words)
        ]
    cells = inspection.most_active_cells(trace.y[: t + 1], 3)
    assert labels(bars.get_yticklabels()) == [str(cell) for cell in cells]
    assert [bar.get_width() for bar in bars.patches] == list(trace.y[t, cells]) and bars.patches[
        0
    ].get_y() > bars.patches[2].get_y()
    red, blue = (
        (bar.get_facecolor()[0] > bar.get_facecolor()[2]) == (bar.get_width() > 0)
        for bar in bars.patches[:2]
    )
    assert red and blue and bars.get_xlim()[1] >= abs(trace.y).max()


def test_words_read_leaves_out_maps_where_there_is_no_room():
    assert [
        axis.get_title(loc="left")
        for axis in plots.words_read(unit_model(LSTM(3)).trace(" ".join("a" * 13)), 0).axes[:3]
    ] == ["input gate i(t)", "output y(t)", "most active cells"]
    assert [
        axis.get_title(loc="left")
        for axis in plots.words_read(unit_model(RNN(3)).trace("a b"), 1).axes[:2]
    ] == ["output y(t)", "most active cells"]


def test_what_is_negative_is_marked_however_many_cells_there_are_and_on_every_blue():
    trace = unit_model(LSTM(96)).trace(TEXTS[5])
    limit = max(abs(trace.c).max(), abs(trace.y).max())
    for figure in (plots.gate_maps(trace), plots.words_read(trace, 2)):
        lines = {
            (round(x.mean()), y[0]): line
            for line in figure.axes[1].lines
            for x, y in [line.get_data()]
        }
        assert set(lines) == {(t, k) for t, k in np.argwhere(trace.c < -limit / 5)}
        colours = {line.get_color() for line in lines.values()}
        assert colours == {"white", "black"}
        for (t, k), line in lines.items():
            assert (line.get_color() == "white") == (trace.c[t, k] < -0.6 * limit)
        figure.draw_without_rendering()
        high = figure.axes[1].get_window_extent().height / 96 * 72 / figure.dpi  # of a row
        assert all(0.5 < line.get_linewidth() < 0.6 * high for line in lines.values())


def test_long_words_are_cut_on_the_axis_and_a_dollar_is_a_dollar():
    figure, axis = plots.subplots()
    plots.name_words(axis, ["short", "a-word-of-twenty-letters", "$\\frac$"])
    assert labels(axis.get_xticklabels()) == ["short", "a-word-of-twe…", r"\$\frac\$"]
    figure.draw_without_rendering()


def test_the_keyword_table_is_what_was_counted():
    model, text = unit_model(Bidirectional(LSTM(12))), TEXTS[4]
    table = plots.assigned_cells(model, text)
    counts = inspection.assigned_cells(model, text)
    assert table.columns == ["cells of 10", *text.split()]
    assert table.rows[0] == ["left to right", "–", *(f"{c:.0f}" for c in counts[0, 1:])]
    assert table.rows[1] == ["right to left", *(f"{c:.0f}" for c in counts[1, :-1]), "–"]
    assert [cell == "yes" for cell in table.rows[2][1:]] == inspection.keywords(counts).tolist()
    assert len(plots.assigned_cells(unit_model(LSTM(12)), text).rows) == 2


def test_curves_show_the_mean_and_the_range_of_the_seeds():
    costs = {"LSTM": [[3.0, 1.0], [5.0, 2.0]], "RNN": [[6.0, 4.0]], "GRU": [[6.0, 1.5]]}
    figure = plots.training_curves(costs)
    (axis,) = figure.axes
    assert [line.get_ydata().tolist() for line in axis.lines] == [
        [4.0, 1.5],
        [6.0, 4.0],
        [6.0, 1.5],
    ] and axis.get_yscale() == "log"
    band = axis.collections[0].get_paths()[0].vertices
    assert band[:, 1].min() == 1.0 and band[:, 1].max() == 5.0
    assert len({line.get_linestyle() for line in axis.lines}) == 3  # told apart in grey
    renderer = FigureCanvasAgg(figure).get_renderer()
    figure.draw(renderer)
    assert {text.get_text() for text in axis.texts} == set(costs)
    heights = sorted(
        Text.get_window_extent(text, renderer).intervaly.tolist() for text in axis.texts
    )  # LSTM and GRU end together, and their names do not
    assert all(below[1] <= above[0] for below, above in pairwise(heights))


def test_errors_by_distance_are_medians_relative_to_the_last_word():
    distance, norm = (
        np.array([0, 0, 0, 1, 1, 1, 2]),
        np.array([1.0, 2.0, 3.0, 10.0, 20.0, 40.0, 7.0]),
    )
    axis = plots.errors_by_distance(
        {"a": {"RNN": (distance, norm)}, "b": {"LSTM": (distance, norm)}}, fewest=3
    ).axes[0]
    assert axis.lines[0].get_xdata().tolist() == [0, 1] and axis.lines[0].get_ydata().tolist() == [
        1.0,
        10.0,
    ]
    absolute = plots.errors_by_distance(
        {"a": {"RNN": (distance, norm)}}, relative=False, fewest=3
    ).axes[0]
    assert absolute.lines[0].get_ydata().tolist() == [2.0, 20.0]


def test_scores_by_grade_intervals_and_bounds():
    grades, scores = (
        np.repeat([0, 1], 101),
        np.concatenate([np.linspace(-1, 0, 101), np.linspace(0, 1, 101)]),
    )
    axis = plots.scores_by_grade(
        {"RNN": scores, "LSTM": scores + 0.1}, grades, ("Bad", "Fair")
    ).axes[0]
    assert [(bar.get_y(), bar.get_height()) for bar in axis.patches] == [
        pytest.approx(box) for box in ((-0.75, 0.5), (0.25, 0.5), (-0.65, 0.5), (0.35, 0.5))
    ]
    axis = plots.intervals({"first": (1.0, 0.5, 2.0), "second": (-1.0, -2.0, 0.0)}, "what").axes[0]
    assert labels(axis.get_yticklabels()) == ["first", "second"] and axis.yaxis_inverted()
    assert list(axis.lines[0].get_xdata()) == [0.5, 2.0] and list(axis.lines[1].get_xdata()) == [
        1.0
    ]
    axis = plots.large_enough(
        {
            "content": {0.1: (5.0, 4.0, 6.0), 0.5: (2.0, 1.0, 3.0)},
            "filler": {0.1: (3.0, 2.0, 4.0), 0.5: (0.0, 0.0, 1.0)},
        }
    ).axes[0]
    assert axis.lines[0].get_ydata().tolist() == [5.0, 2.0] and axis.lines[
        1
    ].get_ydata().tolist() == [3.0, 0.0]


def test_cells_are_ordered_by_their_commonest_topic_and_silent_ones_come_last():
    counts = np.array([[0, 0], [1, 3], [4, 0], [3, 1]])
    axis = plots.topics_by_cell(counts, ["cars", "food"]).axes[0]
    assert labels(axis.get_xticklabels()) == ["2", "3", "1", "0"] and labels(
        axis.get_yticklabels()
    ) == ["cars", "food"]
    np.testing.assert_array_equal(
        axis.images[0].get_array(), [[1, 0.75, 0.25, 0], [0, 0.25, 0.75, 0]]
    )


def test_two_cells_are_arrows_on_the_ground_of_the_larger_one():
    y = np.array([[1.0, 0.2], [-0.6, 0.8]])
    figure = plots.two_cells({"cell": y, "axis": -y}, ["pie", "fever"], [0, 1])
    for axis, expected in zip(figure.axes, (y, -y)):
        arrows = [text for text in axis.texts if text.arrow_patch]
        np.testing.assert_array_equal([text.xy for text in arrows], expected)
        assert arrows[0].arrow_patch.get_linestyle() in ("-", "solid")
        assert arrows[1].arrow_patch.get_linestyle() not in ("-", "solid")
        assert [text.get_text() for text in axis.texts if text.get_text()] == ["pie", "fever"]
        for (a, b), end in zip(expected, axis.transData.transform(expected)):
            grey = any(patch.contains_point(end) for patch in axis.patches[:2])
            assert grey == (abs(a) > abs(b))
    assert "“pie” (1, 0.2), cell 0 and “fever” (−0.6, 0.8), cell 1" in figure.get_label()
