"""Algorithm 1: every cell and setting learns, from a seed the same, and stops where it should."""

from dataclasses import replace

import numpy as np
import pytest
from conftest import CELLS, cell_name
from small_log import HASHING, PAIRS, new_model

import lstm_edu
from lstm_edu import PAPER, Bidirectional, DualEncoder, train
from lstm_edu.training import held_out, minibatches
from lstm_edu.training import settings as settings_
from lstm_edu.training.settings import OPTIMIZERS, usual_epochs


def _wider(cell, n_cells):
    """The same of more cells, or of two thirds as many in each of two directions."""
    if not hasattr(cell, "cell"):
        return replace(cell, n_cells=n_cells)
    two = isinstance(cell, Bidirectional)
    return replace(cell, cell=_wider(cell.cell, 2 * n_cells // 3 if two else n_cells))


@pytest.mark.parametrize("cell", CELLS, ids=cell_name)
def test_every_cell_learns(cell):
    model = DualEncoder(_wider(cell, 12), HASHING, seed=1)
    history = train(model, PAIRS, epochs=40, batch_size=16, step_size=0.005, seed=1)
    assert history["cost"][-1] < 0.6 * history["cost"][0]
    assert {len(values) for values in history.values()} == {40}
    for w in (*model.query.weights.values(), *model.document.weights.values()):
        assert w.dtype == np.float32


def held(model):
    """nDCG@10 of the clicked titles of all queries."""
    log = minibatches.from_pairs(PAIRS, HASHING)
    queries = np.arange(len(PAIRS))
    return held_out.ndcg(model, log, queries, np.arange(len(PAIRS)))


SETTINGS = [
    {"n_negatives": 4, "gamma": 5.0},
    PAPER | {"epochs": 60},
    {"truncate": 1},
    {"method": "printed"},
    {"n_negatives": 47, "momentum": "schedule", "optimizer": "nesterov", "step_size": 0.001},
    PAPER | {"optimizer": "adam", "momentum": None, "step_size": 0.01, "epochs": 60},
]


@pytest.mark.parametrize("settings", SETTINGS)
def test_every_setting_learns(settings):
    model = new_model()
    before = held(model)
    train(model, PAIRS, **({"epochs": 30, "batch_size": 16, "step_size": 0.01} | settings))
    assert held(model) > before + 0.3


@pytest.mark.parametrize(
    "n_pairs, epochs", [(1, 15), (27_000, 15), (28_000, 14), (110_000, 4), (120_000, 3), (10**9, 3)]
)
def test_how_many_epochs_a_log_gets_when_nobody_says(n_pairs, epochs):
    assert usual_epochs(n_pairs) == epochs


def test_epochs_that_nobody_gave_are_those_of_the_pairs_to_train_on(tmp_path, monkeypatch):
    monkeypatch.setattr(settings_, "PAIRS", 190)
    path = tmp_path / "m.npz"
    history = train(new_model(), PAIRS, held_out=0.2, checkpoint=path)
    n_kept = len(PAIRS) - round(0.2 * len(PAIRS))  # each has a query of its own
    assert len(history["cost"]) == round(190 / n_kept) != round(190 / len(PAIRS))
    assert lstm_edu.load(path).training["settings"]["epochs"] == len(history["cost"])
    before = path.read_bytes()
    train(new_model(), PAIRS, held_out=0.2, checkpoint=path, resume=True)
    assert path.read_bytes() == before


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_same_seed_same_bytes(tmp_path, optimizer):
    for name, seed in (("a", 3), ("b", 3), ("c", 4)):
        model = new_model(seed=seed)
        settings = dict(epochs=3, batch_size=10, seed=seed, held_out=0.2, optimizer=optimizer)
        train(model, PAIRS, **settings)
        model.save(tmp_path / name)
    a, b, c = ((tmp_path / name).read_bytes() for name in "abc")
    assert a == b != c


def test_early_stopping_keeps_the_best_epoch():
    seen = []
    model = new_model()
    keep = lambda m, h: seen.append(m.query.weights["W"].copy()) or None
    how = dict(epochs=60, batch_size=16, step_size=0.05, held_out=0.2, patience=3)
    history = train(model, PAIRS, callback=keep, **how)
    best = int(np.argmax(history["held_out"]))
    assert len(seen) == len(history["held_out"]) == best + 4 < 60
    assert (model.query.weights["W"] == seen[best]).all()


def test_callback_stops():
    stop = lambda model, history: np.bool_(len(history["cost"]) == 2)
    history = train(new_model(), PAIRS, epochs=9, callback=stop)
    assert len(history["cost"]) == 2


def test_truncation_and_method_reach_the_gradient():
    results = []
    for changed in ({}, {"truncate": 0}, {"method": "printed"}, {"clip": 1e-3}):
        model = new_model()
        train(model, PAIRS, epochs=1, **changed)
        results.append(model.query.weights["Wrec"].copy())
    for k in range(1, 4):
        assert not np.array_equal(results[0], results[k])
