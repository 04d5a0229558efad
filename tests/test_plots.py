import numpy as np
import pytest
from conftest import unit_model

from lstm_course import plots
from lstm_edu import LSTM
from lstm_edu.analysis.inspection import most_active_cells


@pytest.fixture
def model():
    return unit_model(LSTM(5))


def labels(ticks):
    return [tick.get_text() for tick in ticks]


def test_most_active_cells():
    y = np.array([[9.0, 0, 0, 0], [0.1, -0.5, 0.3, 0.5]])
    assert most_active_cells(y, 3).tolist() == [1, 3, 2]


def test_active_cells_shows_words_and_cells_on_one_scale(model):
    figure = plots.active_cells(model, "abc a", "cab b a", n=3)
    query, title = figure.axes[:2]
    assert labels(query.get_xticklabels()) == ["abc", "a"] and labels(title.get_xticklabels()) == [
        "cab",
        "b",
        "a",
    ]
    assert (
        query.images[0].get_clim()
        == title.images[0].get_clim()
        == pytest.approx((-title.images[0].get_clim()[1], title.images[0].get_clim()[1]))
    )
    trace = model.trace("cab b a", "document")
    shown = [int(label) for label in labels(title.get_yticklabels())]
    assert set(shown) == set(most_active_cells(trace.y, 3))
    np.testing.assert_allclose(title.images[0].get_array(), trace.y[:, shown].T)
    marked = {tuple(map(int, text.get_position())) for text in title.texts}
    assert all(trace.y[word, shown[row]] < 0 for word, row in marked)


def test_a_cell_on_both_sides_has_the_same_row_and_the_others_are_below():
    model = unit_model(LSTM(12))
    texts = {"query": "abc a", "document": "cab b a"}
    query, title = (most_active_cells(model.trace(texts[s], s).y, 7).tolist() for s in texts)
    shared = [cell for cell in query if cell in title]
    assert shared and shared != [cell for cell in title if cell in query]  # orders that differ
    own = [[cell for cell in side if cell not in shared] for side in (query, title)]
    assert own[0] and own[1]
    for axis, of_side in zip(plots.active_cells(model, *texts.values(), n=7).axes, own):
        ticks = axis.get_yticklabels()
        assert [*map(int, labels(ticks))] == shared + of_side
        assert [tick.get_fontweight() for tick in ticks] == (
            ["bold"] * len(shared) + ["normal"] * len(of_side)
        )


def test_steps_are_the_changes_of_y(model):
    traces = {"query": model.trace("abc a"), "document": model.trace("cab b a", "document")}
    figure = plots.steps(traces)
    y = traces["document"].y
    expected = [np.linalg.norm(y[0]), np.linalg.norm(y[1] - y[0]), np.linalg.norm(y[2] - y[1])]
    assert [bar.get_height() for bar in figure.axes[1].patches] == pytest.approx(expected)


def test_cost_curve_and_bars():
    axis = plots.cost_curve({"cost": [3.0, 1.0]}).axes[0]
    assert axis.get_yscale() == "log" and axis.lines[0].get_ydata().tolist() == [3.0, 1.0]
    axis = plots.ndcg_bars(
        {"LSTM": {"nDCG@1": (0.5, 0.4, 0.6)}, "random order": {"nDCG@1": (0.2, 0.1, 0.3)}}
    ).axes[0]
    assert [bar.get_height() for bar in axis.patches] == [0.5, 0.2] and labels(
        axis.get_xticklabels()
    ) == ["nDCG@1"]
    assert [text.get_text() for text in axis.texts] == ["0.50", "0.20"]


def test_a_figure_is_shown_once():
    """It is closed for pyplot, which would show it again at the end of the cell."""
    import matplotlib.pyplot as plt

    plots.cost_curve({"cost": [1.0]})
    assert plt.get_fignums() == []


def test_table_is_escaped_html_and_aligned_text():
    table = plots.table([("a<b>", 1), ("c", 22)], "text", "n")
    assert (
        "<td style='text-align: left'>a&lt;b&gt;</td>" in table._repr_html_()
        and table._repr_html_().count("<tr>") == 3
    )
    assert repr(table) == "text  n\na<b>  1\nc     22"
