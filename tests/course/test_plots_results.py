"""Tests of the figures in lstm_course.plots that show results, comparisons and alignments."""

import numpy as np
import pytest
from drawn import artists, check, texts, xs, ys

from lstm_course import plots

assert_close = np.testing.assert_allclose


def whiskers(bars, axis):
    """Return each error bar's mean, low and high end along axis 0 (x) or 1 (y)."""
    line, _, (ends,) = bars
    segments = [segment[:, axis] for segment in ends.get_segments()]
    return np.column_stack([(xs, ys)[axis](line), segments])


def test_cost_curve_uses_a_logarithmic_axis():
    history = {"cost": [3.0, 1.0]}
    says = "“training” 3 and 1. Guessing costs 2."
    check(plots.cost_curve, history, 2.0, says=says, lines=[[3, 1]], scales=["linear", "log"])


def test_training_curves_draws_mean_and_range_over_seeds():
    lstm = [[3.0, 1.0], [5.0, 2.0], [7.0, 6.0]]
    costs = {"LSTM": lstm, "RNN": [[6.0, 4.0]], "GRU": [[6.0, 3.0]]}
    lines = [[5, 3], [6, 4], [6, 3]]
    figure = check(plots.training_curves, costs, lines=lines)
    band = figure.axes[0].collections[0].get_paths()[0].vertices[:, 1]
    assert (band.min(), band.max()) == (1, 7)


def test_ndcg_bars_labels_bars_with_their_values():
    found = {"LSTM": {"nDCG@1": (0.5, 0.4, 0.6)}, "random order": {"nDCG@1": (0.2, 0.1, 0.3)}}
    says = "“LSTM” 0.5 and “random order” 0.2. The bars are nDCG@1."
    check(plots.ndcg_bars, found, says=says, heights=[0.5, 0.2], texts=["0.50", "0.20"])


def test_comparison_draws_best_row_first():
    ndcg = lambda mean: {"nDCG@10": {"mean": mean, "low": mean, "high": mean}}
    rows = [{"row": "b", **ndcg(0)}, {"row": "a", **ndcg(1)}]
    check(plots.comparison, {"rows": rows}, says="“a” 1 and “b” 0")


def test_errors_by_distance_draws_relative_or_absolute_medians():
    points = np.array([0, 0, 0, 1, 1, 1, 2]), np.array([1.0, 2.0, 3.0, 10.0, 20.0, 40.0, 7.0])
    for relative, line in ((True, [1, 10]), (False, [2, 20])):
        data = {"a": {"RNN": points}, "b": {"LSTM": points}}, relative, 3
        check(plots.errors_by_distance, *data, lines=[line], across=[[0, 1]])


def test_scores_by_grade_draws_a_box_per_grade_and_model():
    grades = np.repeat([0, 1, 2, 3], 101)
    scores = grades + np.tile(np.linspace(-1, 0, 101), 4)
    data = {"RNN": scores, "LSTM": scores + 0.1}, grades
    axis = check(plots.scores_by_grade, *data, says="RNN rises from −0.5 to 2.5").axes[0]
    boxes = [(bar.get_y(), bar.get_height()) for bar in axis.patches]
    assert_close(boxes, [(first + k, 0.5) for first in (-0.75, -0.65) for k in range(4)])


def test_intervals_counts_intervals_that_exclude_0():
    data = {"first": (1.0, 0.5, 2.0), "second": (-1.0, -2.0, 0.0)}, "gain"
    across = [[0.5, 2.0], [1.0]]
    says = "Apart from 0: 1 of 2."
    check(plots.intervals, *data, says=says, rows=["first", "second"], across=across)


def test_by_overlap_draws_mean_and_interval_per_group():
    values = {"BM25": [(0.3, 0.2, 0.5), (0.7, 0.6, 0.75)]}
    data, says = (
        (values, ["none", "some"], "share"),
        "“BM25” 0.3 and 0.7. The groups are “none” and “some”",
    )
    figure = check(plots.by_overlap, *data, says=says, columns=data[1], names=values)
    (bars,) = figure.axes[0].containers
    assert_close(whiskers(bars, 1), values["BM25"])


def test_by_chance_marks_observed_difference_with_both_signs():
    rng = np.random.default_rng(0)
    draws = {"a": rng.normal(0, 0.01, 500), "b": rng.normal(0, 0.02, 500)}
    observed = {"a": 0.3, "b": -0.01}
    says = "“a” is 0.3, and as far from 0 are 0 of 500 draws; “b” is −0.01"
    figure = check(plots.by_chance, draws, observed, "gain", says=says, titles=["a", "b"])
    for axis, seen in zip(figure.axes, observed.values()):
        assert sum(bar.get_height() for bar in axis.patches) == 500
        assert [line.get_xdata()[0] for line in axis.lines] == [seen, -seen]


def test_in_one_order_keeps_row_order_and_ranks_rows_per_data_set():
    paper = {"bm25": (0.30, None, None), "rnn": (0.42, None, None), "lstm_32": (0.42, None, None)}
    ours = {"bm25": (0.6, 0.5, 0.7), "lstm_32": (0.5, 0.4, 0.55), "lstm_best": (0.9, 0.8, 0.95)}
    order = ["bm25", "rnn", "lstm_32", "lstm_best"]
    data = {"paper": paper, "ours": ours}, order, {"ours": -1.0}, "nDCG@3", (0, 1)
    shown = {"rows": order, "titles": ["paper", "ours, τ = -1.00"]}
    says = "ours, τ = -1.00, “bm25” 0.6, “lstm_32” 0.5 and “lstm_best” 0.9."
    left, right = check(plots.in_one_order, *data, says=says, **shown).axes
    ranks = [{text.get_position()[1]: text.get_text() for text in x.texts} for x in (left, right)]
    # lstm_best has no rank, because the first data set, the paper, lacks it
    assert ranks == [{0: "3", 1: "1", 2: "1"}, {0: "1", 2: "2"}]


def test_ladder_draws_an_interval_per_row():
    above = {"bag_300": (0, 0, 0), "lstm_best": (2.5, 1.5, 3.5)}
    labels = {"bag_300": "a bag, 2 s", "lstm_best": "both ways"}
    shown = {"rows": labels.values(), "across": [[0, 0], [0, 0], [0], [1.5, 3.5], [2.5]]}
    says = "msrd, “both ways” 2.5"
    check(plots.ladder, {"msrd": above}, labels, says=says, **shown)


def test_wanted_by_rank_stacks_shares_of_grades():
    shares = {"Excellent": np.array([0.3, 0.1]), "Good": np.array([0.2, 0.05])}
    figure = check(plots.wanted_by_rank, shares, heights=[30, 10, 20, 5])
    assert [bar.get_y() for bar in figure.axes[0].patches] == pytest.approx([0, 0, 30, 10])


def test_in_the_middle_keeps_distances_between_unit_vectors():
    # three points lie in a plane, so the projection preserves their distances
    units = np.array([[0.6, 0.8, 0], [0.8, 0.6, 0], [0, 1, 0]])
    shares = ["right", "same place, another fact", "same fact and kind"]
    far = np.linalg.norm(units - units.mean(axis=0), axis=1)
    data = units * [[1], [5], [2]], shares
    (axis,) = check(plots.in_the_middle, *data, says=f"same fact and kind {far[2]:.3g}.").axes
    flat = np.concatenate([dots.get_offsets() for dots in axis.collections])
    apart = np.linalg.norm(flat[:, None] - flat, axis=2)
    assert_close(apart, np.linalg.norm(units[:, None] - units, axis=2), atol=1e-12)


def test_by_case_draws_a_mean_and_an_interval_per_case():
    values = {"BM25": {"known": (0.3, 0.2, 0.5), "new": (0.7, 0.6, 0.75)}}
    says = "“BM25” 0.3 and 0.7. The cases are known and new"
    figure = check(plots.by_case, values, says=says, rows=["known", "new"])
    (bars,) = figure.axes[0].containers
    assert_close(whiskers(bars, 0), list(values["BM25"].values()))


def test_comes_first_stacks_the_share_of_each_kind_of_answer():
    counts = {
        "order": {"DSSM": {"turned round": 3, "right": 1}, "LSTM": {"right": 4}},
        "new": {"LSTM": {"right": 1, "another place": 1}},
    }
    says = "“right” 0.25, 1 and 0.5, “turned round” 0.75, 0 and 0"
    rows = ["order, DSSM", "order, LSTM", "new, LSTM"]
    (axis,) = check(plots.comes_first, counts, says=says, rows=rows).axes
    shares = {bars.get_label(): [bar.get_width() for bar in bars] for bars in axis.containers}
    assert (shares["right"], shares["turned round"]) == ([0.25, 1, 0.5], [0.75, 0, 0])


def test_aligned_words_frames_nearest_word_per_row():
    R = np.array([[0.1, 0.9, -0.4], [0.5, 0.2, 0.3]])
    data = R, ["inns", "$"], ["a", "hotels", "b"]
    says = "“inns” at “hotels” (0.9) and “$” at “a” (0.5); their mean, R, is 0.7."
    (axis,) = check(plots.aligned_words, *data, says=says, rows=["inns", r"\$"]).axes
    framed = [tuple(np.round(np.add(p.get_xy(), 0.47), 6)) for p in axis.patches]
    assert framed == [(1, 0), (0, 1)] and "−0.40" in texts(axis)  # (column, row) of each frame


def test_found_partners_draws_rates_with_intervals():
    rates = {"site": {"letters": (0.5, 0.4, 0.6), "chance": (0.25, None, None)}}
    shown = {"titles": ["site"], "across": [[0.4, 0.6], [0.5], [0.25]], "lines": [[0, 0], [0], [1]]}
    check(plots.found_partners, rates, says="“letters” 0.5 and “chance” 0.25", **shown)


def test_table_renders_escaped_html_and_aligned_text():
    table = plots.table([("a<b>", 1), ("c", 22)], "text", "n")
    assert "<td style='text-align: left'>a&lt;b&gt;</td>" in table._repr_html_()
    assert table._repr_html_().count("<tr>") == 3
    assert repr(table) == "text  n\na<b>  1\nc     22"


def test_attention_maps_writes_weight_of_every_pair_of_words():
    A = np.array([[0.1, 0.9], [0.75, 0.25]])
    says = "“one”: “inns” at “$” (0.9) and “$” at “inns” (0.75); “two”"
    panels = {"one": A, "two": np.eye(2)}
    figure = check(plots.attention_maps, panels, ["inns", "$"], says=says, rows=["inns", r"\$"])
    assert texts(figure.axes[0]) == ["0.10", "0.90", "0.75", "0.25"]
    assert [axis.get_title(loc="left") for axis in figure.axes] == ["one", "two"]


def test_by_length_draws_every_cost_and_a_line_of_proportional_growth():
    costs = {"LSTM": {"time": {"8": 1.0, "32": 4.1}, "memory": {"8": 1.0, "32": 3.9}}}
    costs["Transformer"] = {"time": {"8": 1.0, "32": 6.0}, "memory": {"8": 1.0, "32": 9.0}}
    figure = check(plots.by_length, costs, scales=["log", "log"])
    assert [ys(line) for line in figure.axes[1].lines] == [[1, 3.9], [1, 9], [1, 4]]


def test_by_rank_draws_estimates_next_to_true_values():
    values = {"exchange": [(1, 1, 1), (0.4, 0.3, 0.6)], "EM": [(1, 1, 1), (0.5, 0.5, 0.5)]}
    data = {"a": values}, {"a": [1, 0.5]}, "theta"
    figure = check(plots.by_rank, *data, lines=[[1, 0.5]])
    bars = figure.axes[0].containers
    assert_close(whiskers(bars[0], 1), [(1, 1, 1), (0.4, 0.3, 0.6)])


def test_by_size_draws_mean_and_interval_per_log_size():
    leads = {"plain": {10: (1, 0, 2)}, "known": {10: (2, 1, 3), 100: (-1, -2, 0)}}
    says = "by clicks in the log: b, “plain” 1 and “known” 2 and −1"
    figure = check(plots.by_size, {"b": leads}, "points", says=says)
    assert_close(whiskers(figure.axes[0].containers[1], 1), [(2, 1, 3), (-1, -2, 0)])
    assert [text.get_text() for text in figure.axes[0].get_xticklabels()] == ["10", "100"]


def test_progress_shows_numbers_of_students_by_exercise_and_outcome():
    outcomes = {"right at the first try": [5, 0], "right later": [1, 2], "not right": [0, 4]}
    figure = check(
        plots.progress,
        ["01.1", "01.2"],
        outcomes,
        "students",
        says="right at the first try 5, most in 01.1 (5); right later 3, most in 01.2 (2) and 01.1",
        widths=[5, 0, 1, 2, 0, 4],
        rows=["01.1", "01.2"],
    )
    assert [text.get_text() for text in figure.legends[0].get_texts()] == list(outcomes)
    assert [bar.get_x() for bar in figure.axes[0].patches] == [0, 0, 5, 0, 6, 2]
    shown = [text.get_text() for text in artists(figure) if text.get_visible()]
    assert shown == ["5", "1", "2", "4"]
