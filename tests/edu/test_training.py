"""Tests that training lowers the cost, depends only on the seed, and stops early."""

import inspect

import numpy as np
import pytest
from conftest import cell_name
from small_log import HASHING, PAIRS, new_model

import lstm_edu
from lstm_edu import GRU, LSTM, RNN, Attention, Bidirectional, DualEncoder, train
from lstm_edu.training import settings as settings_
from lstm_edu.training.settings import OPTIMIZERS, usual_epochs

CELLS = RNN(12), LSTM(12, True, "full"), Bidirectional(GRU(8)), Attention(Bidirectional(RNN(8)))


def test_train_docstring_and_signature_name_every_setting():
    said = inspect.getdoc(train)
    for name in settings_.ABOUT:
        assert f"\n{name} : " in said and name in inspect.signature(train).parameters
    assert "**settings" not in said
    with pytest.raises(TypeError, match="unexpected keyword argument 'epoch'"):
        train(None, [], epoch=1)


@pytest.mark.parametrize("cell", CELLS, ids=cell_name)
def test_training_lowers_cost_of_every_cell(cell):
    model = DualEncoder(cell, HASHING, seed=1)
    history = train(model, PAIRS, epochs=40, batch_size=16, step_size=0.005, seed=1)
    assert history["cost"][-1] < 0.6 * history["cost"][0]
    assert {len(values) for values in history.values()} == {40}


def test_default_number_of_epochs_decreases_with_log_size(tmp_path, monkeypatch):
    given = [1, 27_000, 28_000, 110_000, 120_000, 10**9]
    assert [usual_epochs(n_pairs) for n_pairs in given] == [15, 15, 14, 4, 3, 3]
    monkeypatch.setattr(settings_, "PAIRS", 190)
    path = tmp_path / "m.npz"
    history = train(new_model(), PAIRS, held_out=0.2, checkpoint=path)
    n_kept = len(PAIRS) - round(0.2 * len(PAIRS))  # every pair has a different query
    assert len(history["cost"]) == round(190 / n_kept) != round(190 / len(PAIRS))
    assert lstm_edu.load(path).training["settings"]["epochs"] == len(history["cost"])
    before = path.read_bytes()
    train(new_model(), PAIRS, held_out=0.2, checkpoint=path, resume=True)
    assert path.read_bytes() == before


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_same_seed_gives_byte_identical_model_files(tmp_path, optimizer):
    for name, seed in (("a", 3), ("b", 3), ("c", 4)):
        model = new_model(seed=seed)
        settings = dict(epochs=3, batch_size=10, seed=seed, held_out=0.2, optimizer=optimizer)
        train(model, PAIRS, **settings)
        model.save(tmp_path / name)
    a, b, c = ((tmp_path / name).read_bytes() for name in "abc")
    assert a == b != c


def test_early_stopping_keeps_best_epoch():
    seen = []
    model = new_model()
    keep = lambda m, h: seen.append(m.query.weights["W"].copy()) or None
    how = dict(epochs=60, batch_size=16, step_size=0.05, held_out=0.2, patience=3)
    history = train(model, PAIRS, callback=keep, **how)
    best = int(np.argmax(history["held_out"]))
    assert len(seen) == len(history["held_out"]) == best + 4 < 60
    assert (model.query.weights["W"] == seen[best]).all()


def test_truncation_method_and_clipping_change_trained_weights():
    results = []
    for changed in ({}, {"truncate": 0}, {"method": "printed"}, {"clip": 1e-3}):
        model = new_model()
        train(model, PAIRS, epochs=1, **changed)
        results.append(model.query.weights["Wrec"].copy())
    for k in range(1, 4):
        assert not np.array_equal(results[0], results[k])
