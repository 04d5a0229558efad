import numpy as np
import pytest
from drawn import legend, texts, ticks, xs, ys

from lstm_course import plots


def test_hashing_operator_shows_every_count_at_its_word_and_trigram():
    axis = plots.hashing_operator(["ana", "banana", "good"]).axes[0]
    words, trigrams = ticks(axis), ticks(axis, "x")
    assert words == ["ana", "banana", "good"]
    assert " ".join(trigrams) == "#an ana na# #ba ban nan #go goo ood od#"  # as first met
    counts = [[1, 1, 1, 0, 0, 0, 0, 0, 0, 0], [0, 2, 1, 1, 1, 1, 0, 0, 0, 0], 6 * [0] + 4 * [1]]
    assert axis.images[0].get_array().tolist() == counts
    shown = {tuple(map(int, text.get_position())): text.get_text() for text in axis.texts}
    assert shown == {(x, y): str(n) for (y, x), n in np.ndenumerate(counts) if n}


def test_growth_draws_both_counts_and_those_from_elsewhere():
    n_read, n_words, n_trigrams = np.array([[10, 20, 30], [8, 13, 18], [9, 12, 13]])
    left, right = plots.growth(n_read, n_words, n_trigrams, {"big": [(100, 40), (1000, 90)]}).axes
    words, trigrams = left.lines
    assert (ys(words), ys(trigrams)) == (list(n_words), list(n_trigrams))
    assert words.get_linestyle() != trigrams.get_linestyle()  # told apart in grey, too
    ours, theirs, one_a_word = right.lines
    assert (xs(ours), ys(ours)) == (list(n_words), list(n_trigrams))
    assert (xs(theirs), ys(theirs)) == ([100, 1000], [40, 90])
    assert xs(one_a_word) == ys(one_a_word) == [8, 1000]
    assert right.get_xscale() == right.get_yscale() == "log"
    assert {"big: 40", "big: 90", "our log"} <= set(texts(right))


def test_kept_draws_shares_beside_their_laws():
    shares = {"doubled": {4: 0.75, 5: 0.8}, "swapped": {4: 0.1, 5: 0.2}}
    axis = plots.kept(shares, {"n - 1": 1, "n - 4": 4}).axes[0]
    *laws, doubled, swapped = axis.lines
    for law, lost in zip(laws, (1, 4)):
        assert ys(law) == pytest.approx(1 - lost / law.get_xdata())
    assert (ys(doubled), ys(swapped)) == ([0.75, 0.8], [0.1, 0.2])
    assert np.abs(doubled.get_xdata() - [4, 5]).max() < 0.5
    assert doubled.get_marker() != swapped.get_marker()
    assert legend(axis) == ["doubled", "swapped"]


def test_similarities_writes_the_cosines_and_parts_the_groups():
    cosines = np.array([[1, 0.25, 0], [0.25, 1, 0], [0, 0, 1]])
    axis = plots.similarities(["a", "ab", "c"], cosines, [2, 1]).axes[0]
    written = {text.get_position(): text.get_text() for text in axis.texts}
    assert written == {(x, y): f"{R:.2f}" if R else "0" for (y, x), R in np.ndenumerate(cosines)}
    assert (axis.images[0].get_array() == cosines).all() and axis.images[0].get_clim() == (0, 1)
    across, down = axis.lines
    assert {*xs(across)} == {1.5} or {*ys(across)} == {1.5}
    assert {*xs(down)} == {1.5} or {*ys(down)} == {1.5}
