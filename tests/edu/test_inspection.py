"""What a model's cells do at each word, on traces by hand and on models of known weights."""

import numpy as np
import pytest
from conftest import TEXTS, unit_model
from refusal import refused

from lstm_edu import LSTM, RNN, Bidirectional
from lstm_edu.analysis import inspection

# three words, four cells; at the end |y| is 4, 3, 2 and 0
Y = np.array([[4.0, 0, 0, 0], [4, 3, 0, 1], [4, 3, -2, 0]])


def test_detections_are_changes_larger_than_a_part_of_the_mean_final_output():
    cells = inspection.most_active_cells(Y, 3)
    assert cells.tolist() == [0, 1, 2]
    found = inspection.detections(Y, cells, 0.5)  # |y| mean 3
    assert np.argwhere(found).tolist() == [[1, 1], [2, 2]] and found.shape == (3, 3)
    assert np.argwhere(inspection.detections(Y, cells, 0.9)).tolist() == [[1, 1]]  # 2 < 2.7 < 3
    assert not inspection.detections(Y, cells, 1.0).any()  # a change must be larger, not as large
    assert (inspection.detections(10 * Y, cells, 0.5) == found).all()


def test_every_direction_counts_its_own_words_but_the_one_it_reads_first():
    model, text = unit_model(Bidirectional(LSTM(12))), TEXTS[4]
    counts = inspection.assigned_cells(model, text)
    assert counts.shape == (2, 5) and np.isnan(counts[0, 0]) and np.isnan(counts[1, -1])
    assert np.isnan(counts).sum() == 2
    for direction, name in enumerate(("forward", "backward")):  # alone, as a model of its own
        one = unit_model(LSTM(12))
        for k, w in one.query.weights.items():
            w[...] = model.query.weights[f"{name}.{k}"]
        turned = " ".join(text.split()[:: -1 if direction else 1])
        alone = inspection.assigned_cells(one, turned)[0]
        np.testing.assert_array_equal(counts[direction], alone[::-1] if direction else alone)
    y = model.trace(text).y[:, :12]
    top = np.argsort(-np.abs(y[-1]))[:10]
    expected = [
        sum(abs(y[t, k] - y[t - 1, k]) > 0.2 * np.mean(np.abs(y[-1, top])) for k in top)
        for t in range(1, 5)
    ]
    assert counts[0, 1:].tolist() == expected and len(set(expected)) > 1


def test_keywords_need_more_than_four_of_ten_in_every_direction_that_counts():
    nan = np.nan
    counts = np.array([[nan, 4, 5, 10, 9], [5, 9, 5, 4, nan]])
    assert inspection.keywords(counts).tolist() == [True, False, True, False, True]
    # the first word: nobody counts it
    assert inspection.keywords(counts[:1]).tolist() == [False, False, True, True, True]
    assert inspection.keywords(np.array([[nan], [nan]])).tolist() == [False]
    assert inspection.keywords(counts, n=10, share=0.3).tolist() == [True, True, True, True, True]


def test_words_by_cell_lists_what_each_of_the_most_active_cells_detects():
    model, text = unit_model(LSTM(8)), TEXTS[5]
    y = model.trace(text).y
    top = inspection.most_active_cells(y, 5)
    found = inspection.words_by_cell(model, text)
    assert set(found) <= set(top.tolist()) and found
    for cell, column in zip(top, inspection.detections(y, top).T):
        assert found.get(int(cell), []) == [word for word, hit in zip(text.split(), column) if hit]
    with refused("left to right"):
        inspection.words_by_cell(unit_model(Bidirectional(LSTM(2))), text)


def test_topics_that_cells_know_are_told_from_those_they_do_not():
    rng = np.random.default_rng(0)
    topics = rng.integers(4, size=400)
    embeddings = 0.1 * rng.standard_normal((400, 12))
    assert inspection.active(embeddings).sum(axis=1).tolist() == [5] * 400
    chance = inspection.shuffled_topic_shares(inspection.active(embeddings), topics, 200)
    share = inspection.topic_share(inspection.active(embeddings), topics)
    assert np.percentile(chance, 0.1) < share < np.percentile(chance, 99.9)
    for k in range(4):  # three cells for each topic, and one for all
        embeddings[topics == k, 3 * k : 3 * k + 3] = -5
    found = inspection.active(embeddings, 3)
    assert inspection.topic_share(found, topics) == 1.0 > chance.max()
    counts = inspection.cells_by_topic(found, topics)
    np.testing.assert_array_equal(counts, np.kron(np.diag(np.bincount(topics)), np.ones((3, 1))))
    mixed = np.array([[True], [True], [True], [False]])
    assert inspection.topic_share(mixed, np.array([0, 0, 1, 1])) == pytest.approx(2 / 3)


@pytest.mark.parametrize("cell", [RNN(4), LSTM(4), LSTM(4, True, "full")], ids=str)
@pytest.mark.parametrize("side", ["query", "document"])
def test_error_norms_are_those_of_the_gradient_of_what_enters_each_word(cell, side):
    """The gradient with respect to W l(t) from complex steps.

    One word's trigrams get an extra, private column.
    """
    model = unit_model(cell)
    query, clicked, unclicked = TEXTS[4], TEXTS[3], TEXTS[9]
    distance, norm = inspection.error_norms(model, [query], [clicked], [[unclicked]], side=side)
    texts = [query] if side == "query" else [clicked, unclicked]
    for text in texts:
        words = text.split()
        for t in range(len(words)):
            gradient = _gradient_of_inputs(model, query, clicked, unclicked, side, text, t)
            expected = np.linalg.norm(gradient)
            found = norm[distance == len(words) - 1 - t]
            assert np.abs(found - expected).min() < 1e-9 * max(expected, 1e-3), (text, t)
    assert sorted(distance) == sorted(d for text in texts for d in range(len(text.split())))


def _gradient_of_inputs(model, query, clicked, unclicked, side, text, t):
    """By complex steps through the plain step.

    An input of its own for word t, one number a unit inside every gate.
    """
    params = {name: np.array(p) for name, p in getattr(model, side).params.items()}
    inputs = [name for name in params if name.strip("1234") == "W"]
    m, h = model.cell.n_cells, 1e-30
    gradient = []
    for name in inputs:
        for k in range(m):

            def embedding(which, words_of, nudged):
                L = model.hashing.operator(words_of.split()).toarray()
                L = np.hstack([L, np.zeros((len(L), 1))])
                p = {
                    n: np.hstack([w, np.zeros((m, 1))]) if n.strip("1234") == "W" else w
                    for n, w in getattr(model, which).params.items()
                }
                if nudged:
                    L[t, -1] = 1
                    p[name] = p[name].astype(complex)
                    p[name][k, -1] = 1j * h
                return model.cell.read(p, L)[-1].y

            read = ("query", query), ("document", clicked), ("document", unclicked)
            q, d, u = (embedding(*own, own == (side, text)) for own in read)
            R = [(q * y).sum() / np.sqrt((q * q).sum() * (y * y).sum()) for y in (d, u)]
            gradient.append(np.log(1 + np.exp(-10.0 * (R[0] - R[1]))).imag / h)
    return gradient
