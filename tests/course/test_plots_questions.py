"""The figures of lesson 13."""

import numpy as np
from drawn import ticks, xs, ys

from lstm_course import plots


def test_in_the_middle_lays_flat_and_keeps_who_is_near_whom():
    # on a plane of three dimensions, of other lengths: flat, nothing is lost of the directions
    angles = np.array([0.1, 0.2, 0.3, 1.2])
    units = np.stack([np.cos(angles), np.sin(angles), 0 * angles], axis=1)
    shares = ["same place, another fact", "right", "right", "same fact and kind"]
    axis = plots.in_the_middle(units * [[1], [5], [2], [3]], shares).axes[0]
    drawn = {some.get_label(): np.asarray(some.get_offsets()) for some in axis.collections}
    assert list(drawn) == ["right", "same place, another fact", "same fact and kind"]
    flat = np.concatenate([drawn[what] for what in (shares[0], "right", shares[3])])
    apart = np.linalg.norm(flat[:, None] - flat, axis=2)
    assert np.allclose(apart, np.linalg.norm(units[:, None] - units, axis=2))
    far = np.linalg.norm(units - units.mean(axis=0), axis=1)
    assert f"same fact and kind {far[3]:.3g}." in axis.figure.get_label()


def test_by_case_draws_each_ranker_s_mean_and_interval_at_its_case():
    values = {
        "BM25": {"known": (0.3, 0.2, 0.5), "new": (0.7, 0.6, 0.75)},
        "LSTM": {"known": (0.8, 0.7, 0.9), "new": (0.85, 0.75, 0.9)},
        "mine": {"known": (0.1, 0.05, 0.2), "new": (0.2, 0.1, 0.3)},
    }
    axis = plots.by_case(values, "nDCG@10").axes[0]
    assert ticks(axis) == ["known", "new"]
    assert "nDCG@10" in axis.get_xlabel()
    looks = set()
    for bars, found in zip(axis.containers, values.values()):
        line, _, (whiskers,) = bars
        ends = [segment[:, 0] for segment in whiskers.get_segments()]
        np.testing.assert_allclose(np.column_stack([xs(line), ends]), list(found.values()))
        assert list(np.rint(ys(line))) == [0, 1]
        looks.add(line.get_marker())
    assert len(looks) == 3  # told apart in grey, too


def test_comes_first_stacks_the_shares_of_what_is_said():
    counts = {
        "order": {"DSSM": {"turned round": 3, "right": 1}, "LSTM": {"right": 4}},
        "new": {"LSTM": {"right": 1, "another place": 1}},
    }
    axis = plots.comes_first(counts).axes[0]
    assert ticks(axis) == ["order, DSSM", "order, LSTM", "new, LSTM"]
    widths = {bars.get_label(): [bar.get_width() for bar in bars] for bars in axis.containers}
    assert widths.pop("right") == [0.25, 1, 0.5]
    assert widths == {"turned round": [0.75, 0, 0], "another place": [0, 0, 0.5]}
    turned = next(bars for bars in axis.containers if bars.get_label() == "turned round")
    assert turned[0].get_x() == 0.25
    assert "order, DSSM 1 of 4 (first in the others: 3 turned round);" in axis.figure.get_label()
    assert "order, LSTM 4 of 4;" in axis.figure.get_label()
