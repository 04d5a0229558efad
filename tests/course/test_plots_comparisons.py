import numpy as np
from drawn import legend, texts, ticks, titles, xs, ys

from lstm_course import plots


def test_by_overlap_draws_means_and_intervals_of_every_ranker():
    values = {
        "BM25": [(0.3, 0.2, 0.5), (0.7, 0.6, 0.75)],
        "LSTM": [(0.8, 0.7, 0.9), (0.8, 0.75, 0.9)],
    }
    axis = plots.by_overlap(values, ["none", "some"], "share").axes[0]
    assert ticks(axis, "x") == ["none", "some"] and axis.get_xlabel() == "share"
    assert legend(axis) == ["BM25", "LSTM"]
    looks = set()
    for bars, triples in zip(axis.containers, values.values()):
        line, _, (whiskers,) = bars
        ends = [segment[:, 1] for segment in whiskers.get_segments()]
        np.testing.assert_allclose(np.column_stack([ys(line), ends]), triples)
        looks.add((line.get_marker(), line.get_linestyle()))
    assert len(looks) == 2  # told apart in grey, too


def test_by_chance_draws_every_difference_and_both_sides_of_the_observed():
    rng = np.random.default_rng(0)
    draws = {"a": rng.normal(0, 0.01, 500), "b": rng.normal(0, 0.02, 500)}
    observed = {"a": 0.3, "b": -0.01}
    figure = plots.by_chance(draws, observed, "difference")
    assert titles(figure) == list(draws)
    for axis, seen in zip(figure.axes, observed.values()):
        assert sum(bar.get_height() for bar in axis.patches) == 500
        assert [line.get_xdata()[0] for line in axis.lines] == [seen, -seen]
        assert axis.get_xlim()[0] < -0.3 and 0.3 < axis.get_xlim()[1]


def test_rows_beyond_the_limits_that_panels_share_are_arrows_with_their_own_ranks():
    points = {"bm25": (-7.0, -8.0, -6.0), "plsa": (-9.0, -9.5, -8.5), "rnn": (1.0, 0.5, 1.5)}
    (axis,) = plots.in_one_order({"ours": points}, list(points), limits=(-3, 2)).axes
    marks = [line for line in axis.lines if line.get_marker() in "<>so"]
    found = [(line.get_xdata()[0], line.get_marker()) for line in marks]
    assert found == [(-3, "<"), (-3, "<"), (1, "o")]
    assert texts(axis) == ["2", "3", "1"] and axis.get_xlim()[1] == 2 + 0.3 * 5


def test_in_one_order_keeps_the_first_sets_order_and_ranks_what_it_has():
    paper = {"bm25": (0.30, None, None), "rnn": (0.42, None, None), "lstm_32": (0.42, None, None)}
    ours = {"bm25": (0.6, 0.5, 0.7), "lstm_32": (0.5, 0.4, 0.55), "lstm_best": (0.9, 0.8, 0.95)}
    order = ["bm25", "rnn", "lstm_32", "lstm_best"]
    figure = plots.in_one_order({"paper": paper, "ours": ours}, order, {"ours": -1.0}, "nDCG@3")
    left, right = figure.axes
    assert ticks(left) == order and left.get_ylim() == (3.5, -0.5)
    assert titles(figure) == ["paper", "ours, τ = -1.00"] and "nDCG@3" in figure.get_supxlabel()
    ranks = [{text.get_position()[1]: text.get_text() for text in x.texts} for x in (left, right)]
    # lstm_best is not the paper's: no rank
    assert ranks == [{0: "3", 1: "1", 2: "1"}, {0: "1", 2: "2"}]
    marks = [line for line in right.lines if line.get_marker() in "so"]
    found = {ys(line)[0]: (xs(line)[0], line.get_marker()) for line in marks}
    assert found == {0: (0.6, "s"), 2: (0.5, "o"), 3: (0.9, "o")}
    bars = [line for line in right.lines if len(set(xs(line))) == 2 and len(set(ys(line))) == 1]
    ends = {ys(line)[0]: xs(line) for line in bars}
    assert [ends[k] for k in (0, 2, 3)] == [[0.5, 0.7], [0.4, 0.55], [0.8, 0.95]]


def test_a_ladder_has_its_foot_below_and_each_step_with_its_interval():
    above = {"bag_300": (0, 0, 0), "dssm_batch": (1, -1, 3), "lstm_best": (2.5, 1.5, 3.5)}
    labels = {"bag_300": "a bag, 2 s", "dssm_batch": "two layers", "lstm_best": "both ways"}
    figure = plots.ladder({"msrd": above, "onet": {"bag_300": (0, 0, 0)}}, labels)
    left, right = figure.axes
    assert ticks(left) == list(labels.values())
    assert left.get_ylim()[0] < left.get_ylim()[1]  # the first at the bottom
    zero, *drawn = left.lines
    assert xs(zero) == [0, 0] and len(drawn) == 6 and len(right.lines) == 3
    for k, (mean, low, high) in enumerate(above.values()):
        bar, dot = drawn[2 * k : 2 * k + 2]
        assert xs(bar) == [low, high] and set(ys(bar)) == {k}
        assert (xs(dot), ys(dot)) == ([mean], [k])
        assert dot.get_marker() == ("o" if k == 2 else "s")
    assert "above a bag" in figure._supxlabel.get_text()
    figure = plots.ladder(dict.fromkeys("abcd", above), labels)
    assert [axis.get_subplotspec().rowspan.start for axis in figure.axes] == [0, 0, 1, 1]
    assert figure.axes[0].get_shared_x_axes().joined(*figure.axes[:2])
    assert not figure.axes[0].get_shared_x_axes().joined(*figure.axes[::2][:2])
