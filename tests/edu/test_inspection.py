"""Tests of detections, keywords, topic shares and error norms on small examples and models."""

import numpy as np
import pytest
from conftest import TEXTS, unit_model
from refusal import refused

from lstm_edu import LSTM, RNN, Bidirectional, DualEncoder, LetterTrigrams, cost_and_gradient
from lstm_edu.analysis import inspection
from lstm_edu.cells import DSSM
from lstm_edu.text.hashing import letter_trigrams

# outputs y of 3 words and 4 cells; the last word's |y| is 4, 3, 2, 0
Y = np.array([[4.0, 0, 0, 0], [4, 3, 0, 1], [4, 3, -2, 0]])


def test_detections_are_changes_above_share_of_mean_final_output():
    cells = inspection.most_active_cells(Y, 3)
    assert cells.tolist() == [0, 1, 2]
    found = inspection.detections(Y, cells, 0.5)  # the mean |y| of these cells is 3
    assert np.argwhere(found).tolist() == [[1, 1], [2, 2]] and found.shape == (3, 3)
    # the threshold, 2.7, lies between changes of 2 and 3
    assert np.argwhere(inspection.detections(Y, cells, 0.9)).tolist() == [[1, 1]]
    # a change equal to the threshold, 3, is not detected
    assert not inspection.detections(Y, cells, 1.0).any()
    assert (inspection.detections(10 * Y, cells, 0.5) == found).all()


def test_assigned_cells_is_nan_at_first_word_of_each_direction():
    model, text = unit_model(Bidirectional(LSTM(12))), TEXTS[4]
    counts = inspection.assigned_cells(model, text)
    assert np.argwhere(np.isnan(counts)).tolist() == [[0, 0], [1, 4]] and counts.shape == (2, 5)
    forward, backward = np.hsplit(model.trace(text).y, 2)
    for y, found in ((forward, counts[0]), (backward[::-1], counts[1, ::-1])):
        top = np.argsort(-np.abs(y[-1]))[:10]
        bound = 0.2 * np.mean(np.abs(y[-1, top]))
        expected = (np.abs(np.diff(y[:, top], axis=0)) > bound).sum(axis=1)
        assert found[1:].tolist() == expected.tolist() and len(set(expected)) > 1


def test_keyword_needs_enough_cells_in_every_direction_that_counts_it():
    nan = np.nan
    counts = np.array([[nan, 4, 5, 10, 9], [5, 9, 5, 4, nan]])
    assert inspection.keywords(counts).tolist() == [True, False, True, False, True]
    # the forward direction has no count for the first word
    assert inspection.keywords(counts[:1]).tolist() == [False, False, True, True, True]
    assert inspection.keywords(counts, n=10, share=0.3).tolist() == [True] * 5


def test_words_by_cell_lists_words_marked_by_detections():
    model, text = unit_model(LSTM(8)), TEXTS[5]
    y = model.trace(text).y
    top = inspection.most_active_cells(y, 5)
    found = inspection.words_by_cell(model, text)
    assert set(found) <= set(top.tolist()) and found
    for cell, column in zip(top, inspection.detections(y, top).T):
        assert found.get(int(cell), []) == [word for word, hit in zip(text.split(), column) if hit]
    for cell, said in ((Bidirectional(LSTM(2)), "left to right"), (DSSM(4, 3), "a DSSM; must")):
        with refused(said):
            inspection.words_by_cell(unit_model(cell), text)


def test_topic_share_exceeds_chance_when_cells_match_topics():
    rng = np.random.default_rng(0)
    topics = rng.integers(4, size=400)
    embeddings = 0.1 * rng.standard_normal((400, 12))
    assert inspection.active(embeddings).sum(axis=1).tolist() == [5] * 400
    chance = inspection.shuffled_topic_shares(inspection.active(embeddings), topics, 200)
    share = inspection.topic_share(inspection.active(embeddings), topics)
    assert np.percentile(chance, 0.1) < share < np.percentile(chance, 99.9)
    for k in range(4):  # make three cells active for each topic
        embeddings[topics == k, 3 * k : 3 * k + 3] = -5
    found = inspection.active(embeddings, 3)
    assert inspection.topic_share(found, topics) == 1.0 > chance.max()
    counts = inspection.cells_by_topic(found, topics)
    np.testing.assert_array_equal(counts, np.kron(np.diag(np.bincount(topics)), np.ones((3, 1))))
    mixed = np.array([[True], [True], [True], [False]])
    assert inspection.topic_share(mixed, np.array([0, 0, 1, 1])) == pytest.approx(2 / 3)


UNIQUE = "ab cd ef", "gh ij", "kl mn op qr"  # no two words share a trigram


@pytest.mark.parametrize("cell", [RNN(4), LSTM(4, True, "full")], ids=str)
@pytest.mark.parametrize("side", ["query", "document"])
def test_error_norms_equal_column_norms_of_input_weight_gradient(cell, side):
    """Use words that share no trigram, so that each column of W's gradient is due to one word."""
    hashing = LetterTrigrams.fit(UNIQUE)
    model = DualEncoder(cell, hashing, 0, "float64", scale=1.0, tied=False)
    given = UNIQUE[:1], UNIQUE[1:2], [UNIQUE[2:]]
    distance, norm = inspection.error_norms(model, *given, side=side)
    gradient = cost_and_gradient(model, *given)[1][side]
    W = np.concatenate([g for name, g in gradient.items() if name.strip("1234") == "W"])
    expected = []
    for text in UNIQUE[:1] if side == "query" else UNIQUE[1:]:
        for k, word in enumerate(reversed(text.split())):
            column = hashing.trigrams.index(letter_trigrams(word)[0])
            expected.append((k, np.linalg.norm(W[:, column])))
    found = sorted(zip(distance.tolist(), norm.tolist()))
    np.testing.assert_allclose(found, sorted(expected), rtol=1e-9)
