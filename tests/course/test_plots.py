import matplotlib.pyplot as plt
import numpy as np
import pytest
from conftest import unit_model
from drawn import heights, texts, ticks, ys

from lstm_course import plots
from lstm_edu import LSTM
from lstm_edu.analysis.inspection import most_active_cells


@pytest.fixture
def model():
    return unit_model(LSTM(5))


def test_active_cells_shows_words_and_cells_on_one_scale(model):
    query, title = plots.active_cells(model, "abc a", "cab b a", n=3).axes[:2]
    assert [ticks(axis, "x") for axis in (query, title)] == [["abc", "a"], ["cab", "b", "a"]]
    low, high = query.images[0].get_clim()
    assert -low == high and title.images[0].get_clim() == (low, high)
    trace = model.trace("cab b a", "document")
    shown = [int(label) for label in ticks(title)]
    assert set(shown) == set(most_active_cells(trace.y, 3))
    np.testing.assert_allclose(title.images[0].get_array(), trace.y[:, shown].T)
    marked = {tuple(map(int, text.get_position())) for text in title.texts}
    assert all(trace.y[word, shown[row]] < 0 for word, row in marked)


def test_a_cell_on_both_sides_has_the_same_row_and_the_others_are_below():
    model = unit_model(LSTM(12))
    sides = {"query": "abc a", "document": "cab b a"}
    query, title = (most_active_cells(model.trace(sides[s], s).y, 7).tolist() for s in sides)
    shared = [cell for cell in query if cell in title]
    assert shared and shared != [cell for cell in title if cell in query]  # orders that differ
    own = [[cell for cell in side if cell not in shared] for side in (query, title)]
    assert own[0] and own[1]
    for axis, of_side in zip(plots.active_cells(model, *sides.values(), n=7).axes, own):
        assert [*map(int, ticks(axis))] == shared + of_side
        bold = [tick.get_fontweight() == "bold" for tick in axis.get_yticklabels()]
        assert bold == [True] * len(shared) + [False] * len(of_side)


def test_steps_are_the_changes_of_y(model):
    traces = {"query": model.trace("abc a"), "document": model.trace("cab b a", "document")}
    y = traces["document"].y
    expected = np.linalg.norm(np.diff(y, axis=0, prepend=0), axis=1)
    assert heights(plots.steps(traces).axes[1]) == pytest.approx(expected)


def test_cost_curve_and_bars():
    axis = plots.cost_curve({"cost": [3.0, 1.0]}).axes[0]
    assert axis.get_yscale() == "log" and ys(axis.lines[0]) == [3.0, 1.0]
    found = {"LSTM": {"nDCG@1": (0.5, 0.4, 0.6)}, "random order": {"nDCG@1": (0.2, 0.1, 0.3)}}
    axis = plots.ndcg_bars(found).axes[0]
    assert heights(axis) == [0.5, 0.2] and texts(axis) == ["0.50", "0.20"]
    assert ticks(axis, "x") == ["nDCG@1"]


def test_a_figure_is_shown_once():
    """It is closed for pyplot, which would show it again at the end of the cell."""
    plots.cost_curve({"cost": [1.0]})
    assert plt.get_fignums() == []


def test_table_is_escaped_html_and_aligned_text():
    table = plots.table([("a<b>", 1), ("c", 22)], "text", "n")
    assert "<td style='text-align: left'>a&lt;b&gt;</td>" in table._repr_html_()
    assert table._repr_html_().count("<tr>") == 3
    assert repr(table) == "text  n\na<b>  1\nc     22"
