"""A minibatch in parts, for threads and for workers: nothing is lost, and the bits are the same."""

import warnings

import numpy as np
import pytest
from small_log import PAIRS, new_model

from lstm_edu import train
from lstm_edu.gradients import parallel
from lstm_edu.text import batch as batches
from lstm_edu.text import lanes as in_parts
from lstm_edu.text import sentences
from lstm_edu.training.settings import OPTIMIZERS


@pytest.mark.parametrize("n", [1, 2, 3, 5, 60])
def test_parts_are_all_texts_once_and_bring_the_rows_they_touch(n):
    texts = [title for _, title in PAIRS[::3]] + ["lima", "", "Ж"]
    whole = _batch(texts)
    parts = in_parts.split(whole, n)
    assert len(parts) <= n
    assert sorted(np.concatenate([part.order for part in parts])) == list(range(len(texts)))
    for part in parts:
        assert len(part.touched) == part.Wh.shape[1] and part.Wh is part.Wh_touched
        for place, k in enumerate(part.order):
            tokens = part.token[[part.offsets[t] + place for t in range(part.lengths[place])]]
            found = np.zeros((len(tokens), whole.Wh.shape[1]))
            found[:, part.touched] = part.Wh[tokens].toarray()
            alone = _batch([texts[k]])
            own = [alone.token[alone.offsets[t]] for t in range(alone.lengths[0])]
            assert (found == alone.Wh.toarray()[own]).all()
    if n == 2:
        assert max(len(part.token) for part in parts) < 0.7 * len(whole.token)
        assert max(len(part.touched) for part in parts) < len(whole.touched)


def _batch(texts):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return batches.side_by_side(sentences.from_texts(texts, new_model().hashing))


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_one_thread_and_two_train_alike(monkeypatch, optimizer):
    """Small minibatches are one's work, large ones two's; the bits are the same."""
    trained = []
    for enough in (0, np.inf):
        monkeypatch.setattr(parallel, "ENOUGH", enough)
        model = new_model()
        train(model, PAIRS, epochs=2, batch_size=16, optimizer=optimizer, seed=1)
        sides = model.query, model.document
        trained.append([w.tobytes() for side in sides for w in side.weights.values()])
    assert trained[0] == trained[1]
