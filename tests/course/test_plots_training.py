"""Tests of the figures in lstm_course.plots that show clicks, costs, gradients and training."""

import numpy as np
import pytest
from drawn import arrows, artists, check, names_are_apart, texts, widths, xs, ys
from matplotlib.patches import Rectangle

from lstm_course import plots

assert_close = np.testing.assert_allclose


def test_click_signal_labels_each_title_with_its_click():
    unclicked = ["a title that nobody clicked", "another", "third"]
    data = "a query", "the clicked title", unclicked
    says = "click: 1 for the positive sample, “the clicked title”, 0 for n = 3"
    figure = check(plots.click_signal, *data, says=says)
    places = [(" ".join(t.get_text().split()), t.get_position()[0]) for t in artists(figure)]
    place, clicks = dict(places), {x: text for text, x in places if "click:" in text}
    titles = ["the clicked title", *unclicked]
    assert [clicks[place[title]][-1] for title in titles] == ["1", "0", "0", "0"]


def test_static_diagrams_have_alt_text():
    check(plots.whole_model, says="Four columns, a query, the clicked title")
    check(plots.way_back, says="Each arrow has its factor.")
    check(plots.lstm_cell, says="Grey, as left out in the paper: forget gate, peepholes.")


def test_error_paths_crosses_out_paths_that_appendix_omits():
    exact = check(plots.error_paths, False, says="by the peepholes, to a cell state.")
    appendix = check(plots.error_paths, True, says="Crossed are the peepholes' paths")
    assert len(arrows(exact)) == len(arrows(appendix)) == 18
    crosses = [line for line in appendix.axes[0].lines if line.get_marker() == "x"]
    assert len(crosses) == 3 and not exact.axes[0].lines


def test_error_parts_highlights_each_arrow_of_plain_lstm_once():
    figure = check(
        plots.error_parts, says="to c(t−1), times 1, and to y(t−1), through three weights"
    )
    labels = [text.get_text() for text in artists(figure) if "(E" in text.get_text()]
    assert len(labels) == 12 and len([text for text in labels if "(E7)" in text]) == 3
    assert len(arrows(figure)) == 3 + 4 + 8 + 12


def test_loss_curves_match_equation_5():
    says = "several n, “n = 1” falls from 10 to 4.54e−05 and “n = 4” falls from 11.4 to 0.000182"
    figure = check(plots.loss_curves, [1, 10], [1, 4], 5, says=says)
    lines = [line for axis in figure.axes for line in axis.lines[:2]]
    for line, (gamma, n) in zip(lines, [(1, 1), (10, 1), (5, 1), (5, 4)]):
        assert_close(ys(line), np.log(1 + n * np.exp(-gamma * line.get_xdata())))


def test_shares_draws_bars_for_cosines_and_gradient():
    R, a = np.array([0.5, 0.25, -0.5]), np.array([-3.0, -1.0])
    widths, names = [0.5, 0.25, -0.5, -4, 3, 1], ["clicked", "near", "far"]
    says = "Of their push, 4, the largest is against “near”: 3."
    check(plots.shares, names, R, a, says=says, rows=names, widths=widths)
    alike = np.array([0.9, 0.8, 0.7, 0.1]), np.array([-1.0, -1.0, 0.0])
    check(plots.shares, list("abcd"), *alike, says="the largest is against 2 alike: 1 each")


def test_push_draws_bars_and_points_on_cost_curve():
    R, gamma = np.array([0.5, 0.25, -0.5, 0.75]), 5
    rows = ["clicked", "near", "far", "(ahead)"]
    data = ["clicked", "near", "far", "ahead"], R, gamma, 2
    figure = check(plots.push, *data, says="P of the clicked one is 77%, the loss 0.257", rows=rows)
    left, right, curve = figure.axes
    e = np.exp(-gamma * (0.5 - R[1:3]))
    share = gamma * e / (1 + e.sum())
    assert widths(left) == list(R)
    assert widths(right)[:3] == pytest.approx([-share.sum(), *share])
    assert xs(curve.lines[1]) == [0.25, 1.0]
    assert_close(ys(curve.lines[1]), np.log(1 + np.exp(-gamma * np.array([0.25, 1.0]))))


def test_two_words_writes_each_error_below_its_value():
    values = {"w": 0.8, "r": -1.5, "z1": 0.81, "y1": 0.664, "z2": -0.596, "y2": -0.534}
    errors = {"w": -0.242, "r": 0.475, "z1": -0.599, "y1": -1.072, "z2": 0.715, "y2": 1.0}
    figure = check(plots.two_words, values, errors, says="back: −0.242 to w, 0.475 to r.")
    at = {text.get_text(): text.get_position() for text in artists(figure)}
    for value, error in (("w = 0.800", "error −0.242"), ("y(1) = 0.664", "error −1.072")):
        assert at[value][0] == at[error][0] and at[value][1] - 0.5 < at[error][1] < at[value][1]


def test_two_words_lstm_shows_value_and_error_of_each_quantity():
    states = [(0.664, 0.731, 0.485, 0.622, 0.28), (-0.021, 0.655, 0.472, 0.63, 0.277)]
    errors = [(-0.397, 0.311, -0.042, 0.041, 0.127), (1.0, 0.508, 0.103, -0.002, 0.332)]
    says = "The error 0.508 of c(2) reaches c(1) times 1"
    figure = check(plots.two_words_lstm, states, errors, says=says)
    texts = {text.get_text() for text in artists(figure)}
    assert {"$c(1)=0.4850$", "$dc=0.3110$", "$o(2)=0.6300$", "$dz_3=−0.0020$"} <= texts
    assert len(arrows(figure)) == 2 * (1 + 3 + 8)


def test_error_norms_draws_norms_from_last_word_to_first():
    delta = np.array([[3.0, 4.0], [0.0, 1.0], [0.6, 0.8], [6.0, 8.0]])
    data = {"Q": delta, "D1": delta[1:]}, {"Q": "query", "D1": "document"}
    lines, across = [[10, 1, 1, 5], [10, 1, 1]], [[0, 1, 2, 3]]
    check(plots.error_norms, *data, lines=lines, across=across, names=["Q", "D1"])


def test_truncation_error_omits_zeros():
    data, lines = {"small": [0.5, 0.01, 0.0]}, [[0.5, 0.01]]
    check(plots.truncation_error, data, lines=lines)


def test_dropped_terms_writes_relative_size_of_each_term():
    shares = {"(72)": np.array([0.0, 0.5]), "(78)": np.array([0.2, 0.1])}
    shown = {"maps": [list(shares.values())], "texts": ["0", "0.50", "0.20", "0.10"]}
    says = "at most: “(72)” at “a” (0.5) and “(78)” at “abc” (0.2)."
    check(plots.dropped_terms, ["abc", "a"], shares, says=says, **shown)


def test_errors_by_length_draws_medians_over_seeds():
    values = np.array([[[0.0, 1.0], [seed, -seed / 10]] for seed in range(5)])
    cells = {name: {0.1: values, 1.0: values} for name in "ab"}
    says = "“cosine 0.1” 1 and −0.2"
    figure = check(plots.errors_by_length, [1, 4], cells, says=says, titles=["a", "b"])
    first, _, third, _ = (axis.lines[0].get_xydata().tolist() for axis in figure.axes)
    assert (first, third) == ([[1, 0], [4, 2]], [[1, 1], [4, -0.2]])


def test_two_gradients_draws_means_over_seeds():
    live = {"small": {"exact": [[3.0, 1.0], [1.0, 1.0]], "as printed": [[4.0, 2.0], [2.0, 2.0]]}}
    runs = {"exact": np.array([[0.1, 0.3], [0.3, 0.5]]), "as printed": np.full((2, 2), 0.1)}
    right = check(plots.two_gradients, live, runs).axes[1]
    assert [0.2, 0.4] in [pytest.approx(ys(line)) for line in right.lines]


def test_valley_draws_paths_and_their_costs():
    points = np.array([(2.0, 1.0), (1.0, -1.0), (0.5, 0.1)])
    paths = {"one": points, "two": points[:, ::-1], "three": -points}
    figure = check(plots.valley, paths, (1.0, 10.0), says="“one” falls from 7 to 0.175")
    *maps, _, cost = figure.axes
    for axis, line, path in zip(maps, cost.lines, paths.values()):
        assert_close(axis.lines[1].get_xydata(), path)
        assert_close(ys(line), [x * x / 2 + 5 * y * y for x, y in path])


def test_schedule_draws_mu_and_the_speed_with_its_limit():
    mus, speeds = [0.9, 0.995, 0.995, 0.9], [1.0, 2.0, 3.0, 4.0]
    _, right = check(plots.schedule, mus, speeds, lines=[mus]).axes
    assert [ys(line) for line in right.lines[:2]] == [speeds, pytest.approx([10, 200, 200, 10])]


def test_by_epoch_draws_means_and_labels_every_line():
    rng, says = np.random.default_rng(0), "nDCG@10 by epoch, from 1 to 5: gamma, “0” 0.208"
    values = {str(k): 0.2 + rng.random((3, 5)) / 100 for k in range(6)}
    data = {"gamma": values, "n": {"1": np.zeros((3, 5))}}, "nDCG@10"
    lines = [runs.mean(axis=0) for runs in values.values()]
    axis, other = check(plots.by_epoch, *data, says=says, titles=["gamma", "n"], lines=lines).axes
    assert axis.get_ylim() == other.get_ylim() and axis.get_ylabel() == "nDCG@10"
    assert set(texts(axis)) == set(values) and names_are_apart(axis)


def test_overfitting_marks_epoch_with_best_mean_ranking():
    costs, ranking = (
        np.array([[4.0, 2.0, 1.0], [2.0, 1.0, 0.5]]),
        [[0.1, 0.4, 0.2], [0.3, 0.4, 0.3]],
    )
    left, right = check(plots.overfitting, costs, ranking, says="best after epoch 2").axes
    assert left.get_yscale() == "log" and ys(left.lines[2]) == [3.0, 1.5, 0.75]
    assert ys(right.lines[2]) == pytest.approx([0.2, 0.4, 0.25])
    assert [axis.lines[3].get_xdata()[0] for axis in (left, right)] == [2, 2]
    assert texts(right) == ["best: epoch 2"]


def test_by_seconds_and_movement_draw_lines():
    runs = {"msrd": {"ours": ([1, 2], [0.5, 0.7])}}
    check(plots.by_seconds, runs, "nDCG@10", says="0.7", lines=[[0.5, 0.7]])
    n_met, moved = np.array([0, 1, 9, 90]), np.array([0, 1.0, 2, 4])
    check(plots.movement, n_met, {"Adam": moved}, says="Adam")


def test_ten_times_draws_ratios_and_labels_both_values():
    data = {"held": (28.9, 288.0), "touched": (6.8, 6.8)}
    shown = {"rows": list(data), "texts": ["28.9 → 288.0", "6.8 → 6.8"], "widths": [288 / 28.9, 1]}
    check(
        plots.ten_times,
        data,
        says="“held” 9.97 and “touched” 1. In numbers: 28.9 to 288 and 6.8 to 6.8.",
        **shown,
    )


def test_coasting_draws_dense_and_lazy_weights_and_marks_updates_with_gradient():
    dense, lazy = np.array([1.0, 1.5, 2.0, 2.2]), np.array([0.0, 1.5, 1.5, 2.2])
    says = "“dense: moved in every update” 1, 1.5, 2 and 2.2"
    (axis,) = check(plots.coasting, dense, lazy, [1, 3], says=says).axes
    assert [ys(line) for line in axis.lines] == [list(dense), list(lazy), [1.5, 2.2]]
    assert xs(axis.lines[2]) == [2, 4]  # updates are numbered from 1


def test_packed_draws_padded_and_packed_batch():
    data = [["a"], ["b", "c", "d"], ["e", "$"]]
    figure = check(plots.packed, data, says="9 words are computed; packed, the longest first, 6.")
    boxes = [[p for p in axis.patches if isinstance(p, Rectangle)] for axis in figure.axes]
    assert list(map(len, boxes)) == [9, 6]
    # the first words of all texts, then the second words, then the third
    order = [text for text in texts(figure.axes[1]) if "\n" in text]
    assert order == ["b\n1", "e\n2", "a\n3", "c\n4", "\\$\n5", "d\n6"]


def test_rows_that_wait_shades_updates_with_gradients():
    ways = {"dense": np.arange(5.0), "sparse": np.zeros(5)}
    (axis,) = check(plots.rows_that_wait, ways, [1, 3], lines=ways.values()).axes
    # Matplotlib 3.8 draws polygons; later versions draw rectangles, whose path is a unit square
    paths = [box.get_patch_transform().transform_path(box.get_path()) for box in axis.patches]
    shaded = [path.get_extents() for path in paths]
    assert [(box.x0, box.width) for box in shaded] == [(0, 1), (2, 1)]
