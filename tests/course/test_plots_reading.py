"""Tests of the figures in lstm_course.plots that show words, diagrams, states and cells."""

import numpy as np
import pytest
from conftest import TEXTS, unit_model
from drawn import check, heights, texts, ticks, widths, ys

from lstm_course import plots
from lstm_edu import LSTM, RNN, Bidirectional
from lstm_edu.analysis import inspection

assert_close = np.testing.assert_allclose
TEXT = "abc a cab"
MODEL = unit_model(LSTM(12))
TRACE = MODEL.trace(TEXTS[5])


def test_hashing_operator_shows_count_per_word_and_trigram():
    columns = "#an ana na# #ba ban nan".split()  # in order of first occurrence
    shown = {"maps": [[[1, 1, 1, 0, 0, 0], [0, 2, 1, 1, 1, 1]]], "texts": list("11121111")}
    words = ["ana", "banana"]
    says = "“ana” 3 and “banana” 6"
    check(plots.hashing_operator, words, says=says, rows=words, columns=columns, **shown)


def test_growth_draws_vocabulary_sizes_of_the_log_and_other_logs():
    words, trigrams = [8, 13, 18], [9, 12, 13]
    check(
        plots.growth,
        *np.array([[10, 20, 30], words, trigrams]),
        {"big": [(100, 40), (1000, 90)]},
        lines=[words, trigrams, trigrams, [40, 90], [8, 1000]],
        across=[[10, 20, 30], [10, 20, 30], words, [100, 1000], [8, 1000]],
    )


def test_kept_draws_measured_shares_and_predicted_curve():
    shares, laws = {"doubled": {4: 0.75, 5: 0.8}, "swapped": {4: 0.1, 5: 0.2}}, {"n - 1": 1}
    figure = check(
        plots.kept,
        shares,
        laws,
        says="kept by letters of the word that was meant: “doubled” 0.75 and 0.8",
    )
    law, *found = figure.axes[0].lines
    assert ys(law) == pytest.approx(1 - 1 / law.get_xdata())
    assert [ys(line) for line in found] == [[0.75, 0.8], [0.1, 0.2]]


def test_similarities_writes_every_cosine():
    cosines = [[1, 0.25, 0], [0.25, 1, 0], [0, 0, 1]]
    shown = {"maps": [cosines], "texts": "1.00 0.25 0 0.25 1.00 0 0 0 1.00".split()}
    data = ["a", "ab", "c"], np.array(cosines), [2, 1]
    check(plots.similarities, *data, says="2 of 3 pairs have nothing in common", **shown)


def test_unrolled_rnn_has_a_column_per_word():
    words = ["hotels", "in", "shanghai"]
    found = texts(check(plots.unrolled_rnn, words, says="letter trigrams, 16 in all"))
    assert [text for text in found if text in words] == words
    assert found.count(r"$\mathbf{W}_{rec}$") == len(words)


def test_states_writes_every_number_and_uses_one_symmetric_scale():
    traces = {"RNN": unit_model(RNN(3)).trace(TEXT).y, "c": unit_model(LSTM(3)).trace(TEXT).c}
    says = "RNN from −0.996 to 0.946 and c from −0.492 to 0.547"
    maps = [values.T for values in traces.values()]
    figure = check(plots.states, TEXT.split(), traces, says=says, maps=maps)
    limit = max(np.abs(values).max() for values in traces.values())
    for axis, values in zip(figure.axes, traces.values()):
        assert axis.images[0].get_clim() == pytest.approx((-limit, limit))
        shown = {text.get_position(): text.get_text().replace("−", "-") for text in axis.texts}
        for place, value in np.ndenumerate(values):
            assert float(shown[place]) == pytest.approx(value, abs=0.0501)


def test_cell_by_word_draws_gated_input_state_and_output():
    trace = unit_model(LSTM(3)).trace("abc a cab")
    figure = check(plots.cell_by_word, {"a": (trace, 0)}, says="“a”: c rises from 0.028 to 0.333")
    (axis,) = figure.axes
    enters = (trace.i * trace.yg)[:, 0]
    assert heights(axis) == pytest.approx(enters)
    assert_close(ys(axis.lines[1]), np.cumsum(enters))
    assert_close(ys(axis.lines[2]), trace.y[:, 0])
    assert ticks(axis, "x") == trace.words


def limits(figure):
    return [image.get_clim() for axis in figure.axes for image in axis.images][:4]


def test_gate_maps_uses_one_scale_for_gates_and_one_for_states():
    whole, alone, used = (
        check(plots.gate_maps, TRACE, *which, says="input gate i(t) from 0.000554 to 0.959")
        for which in ((), (["i"], (0.2, 0.7)), (None, "used"))
    )
    check_maps(whole, TRACE)
    most = abs(TRACE.c).max()
    assert limits(whole) == 2 * [(0, 1), (-most, most)]
    assert limits(alone)[0] == (0.2, 0.7) and len(alone.axes) == 2
    gates = np.concatenate([TRACE.i, TRACE.o])
    assert limits(used) == 2 * [(gates.min(), gates.max()), (-most, most)]


def check_maps(figure, trace):
    for axis, name in zip(figure.axes, "icoy"):
        assert_close(axis.images[0].get_array(), getattr(trace, name).T)
        assert ticks(axis, "x") == trace.words


def test_words_read_shows_gate_maps_and_most_active_cells_at_a_word():
    t = 4
    figure = check(plots.words_read, TRACE, t, says="after word 5 of 12, “bc”;")
    bars = figure.axes[4]
    check_maps(figure, TRACE)
    cells = inspection.most_active_cells(TRACE.y[: t + 1], 10)
    assert ticks(bars) == [str(cell) for cell in cells]
    assert widths(bars) == list(TRACE.y[t, cells])


def test_active_cells_draws_shared_cells_first_and_uses_one_scale():
    sides = {"query": "abc a", "document": "cab b a"}
    traces = [MODEL.trace(text, side) for side, text in sides.items()]
    cells = [inspection.most_active_cells(trace.y, 10).tolist() for trace in traces]
    shared = [cell for cell in cells[0] if cell in cells[1]]
    rows = [shared + [cell for cell in side if cell not in shared] for side in cells]
    maps = [trace.y[:, row].T for trace, row in zip(traces, rows)]
    says = "query “abc a” from −0.521 to 0.551 and title “cab b a” from −0.739"
    figure = check(plots.active_cells, MODEL, *sides.values(), says=says, maps=maps)
    assert limits(figure)[0] == limits(figure)[1]
    assert [[*map(int, ticks(axis))] for axis in figure.axes[:2]] == rows


def test_assigned_cells_table_shows_counts_and_keywords():
    model, text = unit_model(Bidirectional(LSTM(12))), TEXTS[4]
    table = plots.assigned_cells(model, text)
    counts = inspection.assigned_cells(model, text)
    assert table.columns == ["cells of 10", *text.split()]
    assert table.rows[0] == ["left to right", "–", *(f"{c:.0f}" for c in counts[0, 1:])]
    assert table.rows[1] == ["right to left", *(f"{c:.0f}" for c in counts[1, :-1]), "–"]
    found = [cell == "yes" for cell in table.rows[2][1:]]
    assert found == inspection.keywords(counts).tolist()


def test_large_enough_draws_mean_counts_of_content_and_filler_words():
    content = {0.1: (5.0, 4.0, 6.0), 0.5: (2.0, 1.0, 3.0)}
    counts = {"content": content, "filler": {0.1: (3.0, 2.0, 4.0), 0.5: (0.0, 0.0, 1.0)}}
    says = "“content words” 5 and 2 and “filler words” 3 and 0. The default is 0.2"
    check(plots.large_enough, counts, says=says, lines=[[5, 2], [3, 0]])


def test_topics_by_cell_sorts_columns_by_commonest_topic_and_puts_inactive_cells_last():
    counts, topics = np.array([[0, 0], [1, 3], [4, 0], [3, 1]]), ["cars", "food"]
    maps = [[[1, 0.75, 0.25, 0], [0, 0.25, 0.75, 0]], [[0.75, 0.25, 0], [0.25, 0.75, 0]]]
    panels = {"cell": counts, "axis": np.array([[1, 3], [0, 0], [3, 1]])}
    says = "in a column's queries: cell, at most 100%, of “cars”, and 1 never active; axis,"
    figure = check(plots.topics_by_cell, panels, topics, says=says, rows=topics, maps=maps)
    assert limits(figure)[0] == limits(figure)[1] == (0, 1)


def test_two_cells_draws_an_arrow_per_embedding():
    y = np.array([[1.0, 0.2], [-0.6, 0.8]])
    data = {"cell": y, "axis": -y}, ["pie", "fever"], [0, 1]
    says = "“pie” (1, 0.2), cell 0, “fever” (−0.6, 0.8), cell 1, “pie” (−1, −0.2), axis 0"
    figure = check(plots.two_cells, *data, says=says, texts=["pie", "fever"])
    for axis, expected in zip(figure.axes, (y, -y)):
        arrows = [text for text in axis.texts if text.arrow_patch]
        assert [text.xy for text in arrows] == [tuple(end) for end in expected]
