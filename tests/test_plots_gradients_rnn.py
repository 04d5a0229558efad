"""The figures of notebook 04."""

import itertools

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg

from lstm_course import plots
from lstm_course.plots.style import ERROR

VALUES = {"w": 0.8, "r": -1.5, "z1": 0.81, "y1": 0.664, "z2": -0.596, "y2": -0.534}
ERRORS = {"w": -0.242, "r": 0.475, "z1": -0.599, "y1": -1.072, "z2": 0.715, "y2": 1.0}


def shown(figure):
    return [text for text in figure.axes[0].texts if text.get_text()]


@pytest.mark.parametrize(
    "figure", [plots.two_words(VALUES, ERRORS), plots.way_back()], ids=["two_words", "way_back"]
)
def test_no_text_lies_on_another_or_leaves_the_figure(figure):
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    boxes = [
        (text.get_text(), text.get_window_extent(canvas.get_renderer())) for text in shown(figure)
    ]
    assert [
        (one, other) for (one, a), (other, b) in itertools.combinations(boxes, 2) if a.overlaps(b)
    ] == []
    assert all(figure.bbox.contains(*corner) for _, box in boxes for corner in (box.min, box.max))


def test_two_words_puts_each_error_under_its_value():
    figure = plots.two_words(VALUES, ERRORS)
    at = {text.get_text(): text.get_position() for text in shown(figure)}
    for name, node in (
        ("w", "w"),
        ("r", "r"),
        ("z(1)", "z1"),
        ("y(1)", "y1"),
        ("z(2)", "z2"),
        ("C = y(2)", "y2"),
    ):
        x, y = at[f"{name} = {VALUES[node]:.3f}".replace("-", "−")]
        x_error, y_error = at[f"error {ERRORS[node]:.3f}".replace("-", "−")]
        assert x == x_error and y - 0.5 < y_error < y


def test_two_words_has_an_arrow_each_way_for_each_use():
    arrows = [
        text.arrow_patch
        for text in plots.two_words(VALUES, ERRORS).axes[0].texts
        if getattr(text, "arrow_patch", None)
    ]
    # w is used twice
    assert (
        len(arrows) == 12
        and sum(arrow.get_linestyle() not in ("-", "solid") for arrow in arrows) == 6
    )


def test_way_back_has_the_factor_of_each_arrow():
    """The labels of the map: what an error is multiplied by, and what the weights get of it."""
    labels = [text.get_text() for text in shown(plots.way_back()) if text.get_color() == ERROR]
    labels = [label for label in labels if label != "…"]
    twice = [
        "$\\mathbf{W}_{rec}^T$, then\n$1-\\mathbf{y}^2$",  # a word back, (10)
        r"$1-\mathbf{y}^2$",  # the last word, (11)
        r"times $\mathbf{y}(t-1)^T$, $\mathbf{l}(t)^T$ and 1, added up over the words",  # (9), (13)
    ]
    once = [r"$\mathbf{v}_Q$", r"$\mathbf{v}_D$", r"$\alpha_j$", r"$\pm1$"]  # (12), (46), (48)
    assert sorted(labels) == sorted(2 * twice + once)


def test_way_back_has_a_node_for_each_error():
    nodes = [text.get_text() for text in shown(plots.way_back()) if text.get_color() != ERROR]
    for side in "QD":
        for time in ("1", "T-1", "T"):
            assert rf"$\boldsymbol{{\delta}}_{side}({time})$" in nodes
        assert rf"$\mathbf{{y}}_{side}(T)$" in nodes
    assert {"$R$", r"$\Delta_j$", "$l$"} <= set(nodes)


def test_error_norms_count_from_the_last_word():
    delta = np.array([[3.0, 4.0], [0.0, 1.0], [0.6, 0.8], [6.0, 8.0]])
    axis = plots.error_norms({"Q": delta, "D1": delta[1:]}, {"Q": "query", "D1": "document"}).axes[
        0
    ]
    query, title = axis.lines
    assert query.get_ydata() == pytest.approx([10, 1, 1, 5]) and query.get_xdata() == pytest.approx(
        [0, 1, 2, 3]
    )
    assert title.get_ydata() == pytest.approx([10, 1, 1]) and axis.get_yscale() == "log"
    assert (query.get_color(), title.get_color()) == (
        plots.COLOURS["query"],
        plots.COLOURS["document"],
    )
    assert query.get_linestyle() != title.get_linestyle()
    assert [text.get_text() for text in axis.get_legend().get_texts()] == ["Q", "D1"]


def test_truncation_error_leaves_out_what_is_not_cut():
    axis = plots.truncation_error({"small": [0.5, 0.01, 0.0], "large": [0.9, 0.4, 0.2]}).axes[0]
    small, large = axis.lines
    assert list(small.get_xdata()) == [0, 1] and list(small.get_ydata()) == [0.5, 0.01]
    assert list(large.get_xdata()) == [0, 1, 2] and list(large.get_ydata()) == [0.9, 0.4, 0.2]
    # as the curves lie
    assert [text.get_text() for text in axis.get_legend().get_texts()] == ["large", "small"]
    assert small.get_marker() != large.get_marker() and axis.get_yscale() == "log"
