"""Tests of `train`'s warnings and errors, and that errors leave the model unchanged."""

import numpy as np
import pytest
from refusal import refused
from small_log import PAIRS, new_model

import lstm_edu
from lstm_edu import PAPER, train
from lstm_edu.training import loop as training
from lstm_edu.training.settings import OPTIMIZERS

REFUSED = [
    ({"momentum": 1.0}, "momentum: 1.0"),
    ({"momentum": 0.9}, "momentum: 0.9; must be None for .* 'adam', .* 'nesterov' has"),
    (PAPER | {"optimizer": "adam"}, "momentum: 'schedule'; must be None for .* 'adam'"),
    ({"n_negatives": 48}, "n_negatives: 48; a query has only 47 unclicked titles"),
    ({"average": 1.0}, "average"),
    ({"held_out": 0.999}, "held_out: 0.999; no query is left"),
    ({"patience": 3}, "patience: needs held-out"),
    ({"method": "autograd"}, "method"),
    ({"resume": True}, "resume: needs a checkpoint"),
    ({"batch_size": 1}, "batch_size: 1; must be at least 2 to have unclicked titles in it"),
    ({"checkpoint": "/nowhere/m.npz"}, "/nowhere/m.npz: the folder /nowhere does not exist"),
    ({"pairs": []}, "pairs: none"),
    ({"pairs": [("123", "456"), ("789", "012")]}, "^pairs: no query has a letter trigram that"),
    ({"pairs": [("oslo", "456"), ("lima", "012")]}, "^pairs: no title has a letter trigram that"),
]
ONE_QUERY = [("hotel oslo", title) for _, title in PAIRS[:9]]
OTHER_QUERY = [("lawn lima", title) for _, title in ONE_QUERY]
ALL_CLICKED = PAIRS[:1] * 3, ONE_QUERY, ONE_QUERY + OTHER_QUERY
for n in ("batch", 1):
    every = [{"pairs": pairs, "n_negatives": n} for pairs in ALL_CLICKED]
    REFUSED += [(changed, "^n_negatives: .*unclicked") for changed in every]
HELD_OUT = ONE_QUERY[:4] + [("lawn lima", title) for _, title in PAIRS[9:12]]
REFUSED += [({"pairs": HELD_OUT, "held_out": 0.5}, "every query has clicked all titles of the tr")]


@pytest.mark.parametrize("changed, said", REFUSED)
@pytest.mark.filterwarnings("ignore:.*letter trigram")
def test_refused_training_leaves_model_unchanged(changed, said):
    model = new_model()
    before = all_weights(model)
    with refused(said):
        train(model, **{"pairs": PAIRS, "epochs": 1} | changed)
    assert (all_weights(model) == before).all() and not model.training


def all_weights(model):
    sides = model.query, model.document
    return np.concatenate([w.ravel() for side in sides for w in side.weights.values()])


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
@pytest.mark.parametrize("average", [None, 0.998])
def test_train_restores_model_when_cost_overflows(tmp_path, recwarn, average, optimizer):
    model, path = new_model(), tmp_path / "m.npz"
    before = all_weights(model)
    how = dict(step_size=3e38, clip=1e38, average=average, optimizer=optimizer)
    with refused("the cost is not finite in epoch 1, try a smaller one"):
        train(model, PAIRS, epochs=1, checkpoint=path, **how)
    assert not path.exists() and (all_weights(model) == before).all()
    assert len(recwarn) == 0


SETTINGS = {"optimizer": "nesterov", "epochs": 7}


def test_train_records_finished_epochs_when_interrupted(saved, monkeypatch):
    model = new_model()
    before, real, done = all_weights(model), training.update, []

    def interrupted(*given):
        done.append(real(*given))
        if len(done) == 8:  # in the third epoch, because each has three minibatches
            raise KeyboardInterrupt
        return done[-1]

    monkeypatch.setattr(training, "update", interrupted)
    with pytest.raises(KeyboardInterrupt):
        train(model, PAIRS, batch_size=16, **SETTINGS)
    assert not (all_weights(model) == before).all()
    settings, history = (model.training[name] for name in ("settings", "history"))
    assert settings.items() >= SETTINGS.items() and model.training["finished"] is False
    assert {len(values) for values in history.values()} == {2}
    model.save(saved)
    assert lstm_edu.load(saved).training == model.training
    with refused("npz: cannot resume, .* is missing; it is damaged, or the model of a training"):
        train(new_model(), PAIRS, batch_size=16, checkpoint=saved, resume=True, **SETTINGS)


def test_train_warns_about_pairs_without_unclicked_title():
    """Also check that the mean cost excludes pairs without an unclicked title."""
    model, titles = new_model(), [title for _, title in ONE_QUERY]
    cost, _ = lstm_edu.cost_and_gradient(model, ["lawn lima"], titles[:1], [titles[1:]], gamma=10.0)
    with pytest.warns(UserWarning, match="9 of 10 pairs had no unclicked title") as warned:
        history = train(model, ONE_QUERY + OTHER_QUERY[:1], epochs=2, step_size=1e-12, seed=1)
    assert len(warned) == 1 and warned[0].filename == __file__
    assert history["cost"] == pytest.approx([cost, cost], rel=1e-5)
