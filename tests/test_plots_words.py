import numpy as np
import pytest

from lstm_course import plots


def labels(ticks):
    return [tick.get_text() for tick in ticks]


def test_hashing_operator_shows_every_count_at_its_word_and_trigram():
    axis = plots.hashing_operator(["ana", "banana", "good"]).axes[0]
    words, trigrams = labels(axis.get_yticklabels()), labels(axis.get_xticklabels())
    assert words == ["ana", "banana", "good"]
    # as first met
    assert trigrams == ["#an", "ana", "na#", "#ba", "ban", "nan", "#go", "goo", "ood", "od#"]
    shown = {
        (words[int(y)], trigrams[int(x)]): text.get_text()
        for text in axis.texts
        for x, y in [text.get_position()]
    }
    assert shown == {
        ("ana", "#an"): "1",
        ("ana", "ana"): "1",
        ("ana", "na#"): "1",
        ("banana", "#ba"): "1",
        ("banana", "ban"): "1",
        ("banana", "ana"): "2",
        ("banana", "nan"): "1",
        ("banana", "na#"): "1",
        **{("good", trigram): "1" for trigram in ("#go", "goo", "ood", "od#")},
    }
    assert axis.images[0].get_array()[1].tolist() == [0, 2, 1, 1, 1, 1, 0, 0, 0, 0]


def test_growth_draws_both_counts_and_those_from_elsewhere():
    n_read, n_words, n_trigrams = (
        np.array([10, 20, 30]),
        np.array([8, 13, 18]),
        np.array([9, 12, 13]),
    )
    left, right = plots.growth(n_read, n_words, n_trigrams, {"big": [(100, 40), (1000, 90)]}).axes
    assert [line.get_ydata().tolist() for line in left.lines] == [
        n_words.tolist(),
        n_trigrams.tolist(),
    ]
    assert left.lines[0].get_linestyle() != left.lines[1].get_linestyle()  # told apart in grey, too
    ours, theirs, one_a_word = right.lines
    assert (
        ours.get_xdata().tolist() == n_words.tolist()
        and ours.get_ydata().tolist() == n_trigrams.tolist()
    )
    assert list(theirs.get_xdata()) == [100, 1000] and list(theirs.get_ydata()) == [40, 90]
    assert list(one_a_word.get_xdata()) == list(one_a_word.get_ydata()) == [8, 1000]
    assert right.get_xscale() == right.get_yscale() == "log"
    assert {"big: 40", "big: 90", "our log"} <= {text.get_text() for text in right.texts}


def test_kept_draws_shares_beside_their_laws():
    axis = plots.kept(
        {"doubled": {4: 0.75, 5: 0.8}, "swapped": {4: 0.1, 5: 0.2}}, {"n - 1": 1, "n - 4": 4}
    ).axes[0]
    law, other_law, doubled, swapped = axis.lines
    assert law.get_ydata() == pytest.approx(
        1 - 1 / law.get_xdata()
    ) and other_law.get_ydata() == pytest.approx(1 - 4 / other_law.get_xdata())
    assert (list(doubled.get_ydata()), list(swapped.get_ydata())) == ([0.75, 0.8], [0.1, 0.2])
    assert (
        np.abs(doubled.get_xdata() - [4, 5]).max() < 0.5
        and doubled.get_marker() != swapped.get_marker()
    )
    assert labels(axis.get_legend().get_texts()) == ["doubled", "swapped"]


def test_similarities_writes_the_cosines_and_parts_the_groups():
    cosines = [[1, 0.25, 0], [0.25, 1, 0], [0, 0, 1]]
    axis = plots.similarities(["a", "ab", "c"], cosines, [2, 1]).axes[0]
    assert {text.get_position(): text.get_text() for text in axis.texts} == {
        (0, 0): "1.00",
        (1, 0): "0.25",
        (2, 0): "0",
        (0, 1): "0.25",
        (1, 1): "1.00",
        (2, 1): "0",
        (0, 2): "0",
        (1, 2): "0",
        (2, 2): "1.00",
    }
    assert axis.images[0].get_array().tolist() == cosines and axis.images[0].get_clim() == (0, 1)
    assert [
        sorted(
            {*line.get_xdata()}
            if line.get_xdata()[0] == line.get_xdata()[1]
            else {*line.get_ydata()}
        )
        for line in axis.lines
    ] == [[1.5], [1.5]]
