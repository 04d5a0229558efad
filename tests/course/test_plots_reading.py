"""The figures and tables of notebooks 07 to 09: what they show is what was measured."""

import numpy as np
from conftest import TEXTS, unit_model
from drawn import names_are_apart, texts, ticks, titles, widths, xs, ys

from lstm_course import plots
from lstm_edu import LSTM, RNN, Bidirectional
from lstm_edu.analysis import inspection

TRACE = unit_model(LSTM(12)).trace(TEXTS[5])


def check_maps(axes, trace):
    for axis, name in zip(axes, "icoy"):
        np.testing.assert_array_equal(axis.images[0].get_array(), getattr(trace, name).T)
        assert ticks(axis, "x") == trace.words


def limits(axes):
    return [axis.images[0].get_clim() for axis in axes]


def test_gate_maps_show_gates_on_one_scale_and_states_on_another():
    whole, alone, used = (
        plots.gate_maps(TRACE, *which).axes for which in ((), (["i"], (0.2, 0.7)), (None, "used"))
    )
    check_maps(whole, TRACE)
    most = abs(TRACE.c).max()
    assert limits(whole[:4]) == 2 * [(0, 1), (-most, most)]
    assert limits(alone[:1]) == [(0.2, 0.7)] and len(alone) == 2
    both = np.concatenate([TRACE.i, TRACE.o])
    assert limits(used[:4]) == 2 * [(both.min(), both.max()), (-most, most)]
    assert whole[4].get_ylabel() == "gates: 0 shut, 1 open"
    assert alone[1].get_ylabel() == used[4].get_ylabel() == "gates, on part of their scale"


def test_words_read_frames_a_word_and_shows_its_most_active_cells():
    n_words, t = len(TRACE.words), 4
    *maps, bars = plots.words_read(TRACE, t, n=3).axes[:5]
    check_maps(maps, TRACE)
    for axis in maps:
        pale, frame = axis.patches
        assert (pale.get_x(), pale.get_x() + pale.get_width()) == (t + 0.5, n_words - 0.5)
        assert pale.zorder > max(artist.zorder for artist in [*axis.lines, *axis.images])
        assert (frame.get_x(), frame.get_width(), frame.get_height()) == (t - 0.5, 1, 12)
        bold = [label.get_fontweight() == "bold" for label in axis.get_xticklabels()]
        assert bold == [k == t for k in range(n_words)]
    cells = inspection.most_active_cells(TRACE.y[: t + 1], 3)
    assert ticks(bars) == [str(cell) for cell in cells] and widths(bars) == list(TRACE.y[t, cells])
    assert bars.patches[0].get_y() > bars.patches[2].get_y()
    for bar in bars.patches[:2]:  # what is positive is red
        red, _, blue, _ = bar.get_facecolor()
        assert (red > blue) == (bar.get_width() > 0)
    assert bars.get_xlim()[1] >= abs(TRACE.y).max()


def test_words_read_leaves_out_maps_where_there_is_no_room():
    long, rnn = unit_model(LSTM(3)).trace(" ".join("a" * 13)), unit_model(RNN(3)).trace("a b")
    left = ["output y(t)", "most active cells"]
    assert titles(plots.words_read(long, 0))[:3] == ["input gate i(t)", *left]
    assert titles(plots.words_read(rnn, 1))[:2] == left


def test_what_is_negative_is_marked_however_many_cells_there_are_and_on_every_blue():
    trace = unit_model(LSTM(96)).trace(TEXTS[5])
    limit = max(abs(trace.c).max(), abs(trace.y).max())
    for figure in (plots.gate_maps(trace), plots.words_read(trace, 2)):
        axis = figure.axes[1]
        lines = {(round(np.mean(xs(line))), ys(line)[0]): line for line in axis.lines}
        assert set(lines) == {(t, k) for t, k in np.argwhere(trace.c < -limit / 5)}
        assert {line.get_color() for line in lines.values()} == {"white", "black"}
        for (t, k), line in lines.items():
            assert (line.get_color() == "white") == (trace.c[t, k] < -0.6 * limit)
        figure.draw_without_rendering()
        high = axis.get_window_extent().height / 96 * 72 / figure.dpi  # of a row
        assert all(0.5 < line.get_linewidth() < 0.6 * high for line in lines.values())


def test_long_words_are_cut_on_the_axis_and_a_dollar_is_a_dollar():
    figure, axis = plots.subplots()
    plots.name_words(axis, ["short", "a-word-of-twenty-letters", "$\\frac$"])
    assert ticks(axis, "x") == ["short", "a-word-of-twe…", r"\$\frac\$"]
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
    (axis,) = plots.training_curves(costs).axes
    assert [ys(line) for line in axis.lines] == [[4.0, 1.5], [6.0, 4.0], [6.0, 1.5]]
    assert axis.get_yscale() == "log"
    band = axis.collections[0].get_paths()[0].vertices
    assert band[:, 1].min() == 1.0 and band[:, 1].max() == 5.0
    assert len({line.get_linestyle() for line in axis.lines}) == 3  # told apart in grey
    # LSTM and GRU end together, and their names do not
    assert set(texts(axis)) == set(costs) and names_are_apart(axis)


def test_errors_by_distance_are_medians_relative_to_the_last_word():
    of = np.array([0, 0, 0, 1, 1, 1, 2]), np.array([1.0, 2.0, 3.0, 10.0, 20.0, 40.0, 7.0])
    relative = plots.errors_by_distance({"a": {"RNN": of}, "b": {"LSTM": of}}, fewest=3)
    absolute = plots.errors_by_distance({"a": {"RNN": of}}, relative=False, fewest=3)
    for figure, expected in ((relative, [1.0, 10.0]), (absolute, [2.0, 20.0])):
        line = figure.axes[0].lines[0]
        assert (xs(line), ys(line)) == ([0, 1], expected)


def test_scores_by_grade():
    grades = np.repeat([0, 1], 101)
    scores = np.concatenate([np.linspace(-1, 0, 101), np.linspace(0, 1, 101)])
    both = {"RNN": scores, "LSTM": scores + 0.1}
    axis = plots.scores_by_grade(both, grades, ("Bad", "Fair")).axes[0]
    boxes = [(bar.get_y(), bar.get_height()) for bar in axis.patches]
    np.testing.assert_allclose(boxes, [(y, 0.5) for y in (-0.75, 0.25, -0.65, 0.35)])


def test_intervals_and_bounds():
    axis = plots.intervals({"first": (1.0, 0.5, 2.0), "second": (-1.0, -2.0, 0.0)}, "what").axes[0]
    assert ticks(axis) == ["first", "second"] and axis.yaxis_inverted()
    assert xs(axis.lines[0]) == [0.5, 2.0] and xs(axis.lines[1]) == [1.0]
    content = {0.1: (5.0, 4.0, 6.0), 0.5: (2.0, 1.0, 3.0)}
    filler = {0.1: (3.0, 2.0, 4.0), 0.5: (0.0, 0.0, 1.0)}
    axis = plots.large_enough({"content": content, "filler": filler}).axes[0]
    assert ys(axis.lines[0]) == [5.0, 2.0] and ys(axis.lines[1]) == [3.0, 0.0]


def test_cells_are_ordered_by_their_commonest_topic_and_silent_ones_come_last():
    counts = np.array([[0, 0], [1, 3], [4, 0], [3, 1]])
    axis = plots.topics_by_cell(counts, ["cars", "food"]).axes[0]
    assert ticks(axis, "x") == ["2", "3", "1", "0"] and ticks(axis) == ["cars", "food"]
    shares = [[1, 0.75, 0.25, 0], [0, 0.25, 0.75, 0]]
    np.testing.assert_array_equal(axis.images[0].get_array(), shares)


def test_two_cells_are_arrows_on_the_ground_of_the_larger_one():
    y = np.array([[1.0, 0.2], [-0.6, 0.8]])
    figure = plots.two_cells({"cell": y, "axis": -y}, ["pie", "fever"], [0, 1])
    for axis, expected in zip(figure.axes, (y, -y)):
        arrows = [text for text in axis.texts if text.arrow_patch]
        np.testing.assert_array_equal([text.xy for text in arrows], expected)
        solid = [text.arrow_patch.get_linestyle() in ("-", "solid") for text in arrows]
        assert solid == [True, False] and texts(axis) == ["pie", "fever"]
        for (a, b), end in zip(expected, axis.transData.transform(expected)):
            grey = any(patch.contains_point(end) for patch in axis.patches[:2])
            assert grey == (abs(a) > abs(b))
    assert "“pie” (1, 0.2), cell 0 and “fever” (−0.6, 0.8), cell 1" in figure.get_label()
