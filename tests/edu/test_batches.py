"""Tests that batches, in one or two threads, give the same results as one text at a time."""

import numpy as np
import pytest
from aligned_models import unit
from conftest import CELLS, NETWORKS, TEXTS, clicks, unit_model, worst_difference
from small_log import PAIRS, new_model

from lstm_edu import LSTM, RNN, Attention, Bidirectional, train
from lstm_edu._util import threads
from lstm_edu.gradients import minibatch as gradients
from lstm_edu.gradients import parallel
from lstm_edu.text import lanes as in_parts
from lstm_edu.training.settings import OPTIMIZERS


@pytest.mark.filterwarnings("ignore:.*no letter trigram")
def test_encoding_batch_of_mixed_lengths_equals_tracing_each_text():
    for cell in [*CELLS, *NETWORKS]:
        model = unit_model(cell)
        for texts in (TEXTS, TEXTS[::-1], ["a"], ["", *TEXTS[3:5], ""]):
            for text, y in zip(texts, model.encode_query(texts)):
                expected = plain(cell, model.trace(text)) if text else 0
                np.testing.assert_allclose(y, expected, rtol=0, atol=1e-14)


def plain(cell, trace):
    """Compute the embedding of a text from its trace."""
    rows, half = trace.y, trace.y.shape[1] // 2
    if isinstance(cell, Attention):
        return trace.a @ rows
    if isinstance(cell, Bidirectional):
        return np.concatenate([rows[-1, :half], rows[0, half:]])
    return rows[-1]


@pytest.mark.parametrize("most", [2, 5, 100])
def test_gradient_of_split_batch_equals_gradient_of_whole_batch(monkeypatch, most):
    for name, value in {"LANE": 2, "SMALL": 1, "MOST_LANES": most, "COLUMNS": 2}.items():
        monkeypatch.setattr(in_parts, name, value)
    monkeypatch.setattr(parallel, "ENOUGH", 0)
    aligned = [unit(LSTM(2), True), unit(Attention(Bidirectional(RNN(2))))]
    for model in [*map(unit_model, CELLS), *aligned]:
        cell = model.cell
        examples = gradients.examples_of(model, *clicks(4, n_pairs=9))
        for batch in (examples.queries, examples.documents):
            lanes = in_parts.lanes(batch, cell.size)
            assert 2 <= len(lanes) <= most
            assert (np.concatenate([lane.order for lane in lanes]) == batch.order).all()
            assert all(lane.Wh.shape[0] == len(set(lane.token.tolist())) for lane in lanes)
            assert sum(len(lane.token) for lane in lanes) == len(batch.token)
        sides = model.query, model.document
        how = {"truncate": 4, "relevance": model.relevance}
        with threads.two_threads() as two:
            how_split = how | {"threads": two}
            l_split, split = gradients.minibatch_gradient(sides, examples, 10.0, **how_split)
        with monkeypatch.context() as one_lane:
            one_lane.setattr(in_parts, "SMALL", np.inf)
            l, whole = gradients.minibatch_gradient(sides, examples, 10.0, **how)
        np.testing.assert_allclose(l_split, l, rtol=1e-12)
        assert 0 < worst_difference(dict(enumerate(split)), dict(enumerate(whole))) < 1e-10


def test_gradient_is_float64_even_if_trigram_counts_are_float32():
    model = unit_model(LSTM(2))
    sides, examples = (model.query, model.document), gradients.examples_of(model, *clicks(4))
    low = examples.queries._replace(Wh=examples.queries.Wh.astype(np.float32))
    _, whole = gradients.minibatch_gradient(sides, examples, 10.0)
    _, found = gradients.minibatch_gradient(sides, examples._replace(queries=low), 10.0)
    np.testing.assert_array_equal(found[0]["W"], whole[0]["W"], strict=True)


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_one_and_two_threads_train_identical_weights(monkeypatch, optimizer):
    trained = []
    for enough in (0, np.inf):  # use two threads for all minibatches, or for none
        monkeypatch.setattr(parallel, "ENOUGH", enough)
        model = new_model()
        train(model, PAIRS, epochs=2, batch_size=16, optimizer=optimizer, seed=1)
        sides = model.query, model.document
        trained.append([w.tobytes() for side in sides for w in side.weights.values()])
    assert trained[0] == trained[1]
