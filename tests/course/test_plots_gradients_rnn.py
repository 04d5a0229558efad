"""The figures of notebook 04."""

import numpy as np
import pytest
from drawn import arrows, artists, legend, on_each_other, xs, ys

from lstm_course import plots
from lstm_course.plots.style import ERROR

VALUES = {"w": 0.8, "r": -1.5, "z1": 0.81, "y1": 0.664, "z2": -0.596, "y2": -0.534}
ERRORS = {"w": -0.242, "r": 0.475, "z1": -0.599, "y1": -1.072, "z2": 0.715, "y2": 1.0}
NAMES = dict(zip(VALUES, ("w", "r", "z(1)", "y(1)", "z(2)", "C = y(2)")))


@pytest.mark.parametrize(
    "figure", [plots.two_words(VALUES, ERRORS), plots.way_back()], ids=["two_words", "way_back"]
)
def test_no_text_lies_on_another_or_leaves_the_figure(figure):
    assert on_each_other(figure) == []


def test_two_words_puts_each_error_under_its_value_and_an_arrow_each_way_for_each_use():
    figure = plots.two_words(VALUES, ERRORS)
    at = {text.get_text(): text.get_position() for text in artists(figure)}
    for node, name in NAMES.items():
        x, y = at[f"{name} = {VALUES[node]:.3f}".replace("-", "−")]
        x_error, y_error = at[f"error {ERRORS[node]:.3f}".replace("-", "−")]
        assert x == x_error and y - 0.5 < y_error < y
    dashed = [arrow.get_linestyle() not in ("-", "solid") for arrow in arrows(figure)]
    assert len(dashed) == 12 and sum(dashed) == 6  # w is used twice


def test_way_back_has_the_factor_of_each_arrow():
    """The labels of the map: what an error is multiplied by, and what the weights get of it."""
    shown = [text for text in artists(plots.way_back()) if text.get_color() == ERROR]
    labels = [text.get_text() for text in shown if text.get_text() not in ("", "…")]
    twice = [
        "$\\mathbf{W}_{rec}^T$, then\n$1-\\mathbf{y}^2$",  # a word back, (10)
        r"$1-\mathbf{y}^2$",  # the last word, (11)
        r"times $\mathbf{y}(t-1)^T$, $\mathbf{l}(t)^T$ and 1, added up over the words",  # (9), (13)
    ]
    once = [r"$\mathbf{v}_Q$", r"$\mathbf{v}_D$", r"$\alpha_j$", r"$\pm1$"]  # (12), (46), (48)
    assert sorted(labels) == sorted(2 * twice + once)


def test_way_back_has_a_node_for_each_error():
    nodes = {text.get_text() for text in artists(plots.way_back()) if text.get_color() != ERROR}
    errors = {rf"$\boldsymbol{{\delta}}_{s}({t})$" for s in "QD" for t in ("1", "T-1", "T")}
    assert errors | {rf"$\mathbf{{y}}_{side}(T)$" for side in "QD"} <= nodes
    assert {"$R$", r"$\Delta_j$", "$l$"} <= nodes


def test_error_norms_count_from_the_last_word():
    delta = np.array([[3.0, 4.0], [0.0, 1.0], [0.6, 0.8], [6.0, 8.0]])
    sides = {"Q": "query", "D1": "document"}
    axis = plots.error_norms({"Q": delta, "D1": delta[1:]}, sides).axes[0]
    query, title = axis.lines
    assert ys(query) == pytest.approx([10, 1, 1, 5]) and xs(query) == [0, 1, 2, 3]
    assert ys(title) == pytest.approx([10, 1, 1]) and axis.get_yscale() == "log"
    assert [line.get_color() for line in axis.lines] == [plots.COLOURS[s] for s in sides.values()]
    assert query.get_linestyle() != title.get_linestyle()
    assert legend(axis) == ["Q", "D1"]


def test_truncation_error_leaves_out_what_is_not_cut():
    axis = plots.truncation_error({"small": [0.5, 0.01, 0.0], "large": [0.9, 0.4, 0.2]}).axes[0]
    small, large = axis.lines
    assert (xs(small), ys(small)) == ([0, 1], [0.5, 0.01])
    assert (xs(large), ys(large)) == ([0, 1, 2], [0.9, 0.4, 0.2])
    assert legend(axis) == ["large", "small"]  # as the curves lie
    assert small.get_marker() != large.get_marker() and axis.get_yscale() == "log"
