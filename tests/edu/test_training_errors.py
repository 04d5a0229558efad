"""What `train` refuses or warns of, and that nothing comes of it."""

import copy

import numpy as np
import pytest
from refusal import refused
from small_log import PAIRS, Stop, new_model, stop_after

import lstm_edu
from lstm_edu import PAPER, RNN, InputError, train
from lstm_edu.training import loop as training
from lstm_edu.training.settings import OPTIMIZERS

BAD_SETTINGS = [
    ({"momentum": 1.0}, "momentum: 1.0"),
    ({"momentum": 0.9}, "momentum: 0.9; must be None for .* 'adam', .* 'nesterov' has"),
    (PAPER | {"optimizer": "adam"}, "momentum: 'schedule'; must be None for .* 'adam'"),
    ({"n_negatives": 48}, "n_negatives: 48; a query has only 47 unclicked titles"),
    ({"average": 1.0}, "average"),
    ({"held_out": 1.0}, "held_out"),
    ({"held_out": 0.999}, "held_out: 0.999; no query is left"),
    ({"patience": 3}, "patience: needs held-out"),
    ({"patience": 0, "held_out": 0.1}, "patience: 0"),
    ({"method": "autograd"}, "method"),
    ({"resume": True}, "resume: needs a checkpoint"),
    ({"batch_size": 1}, "batch_size: 1; with n_negatives 'batch' it must be at least 2"),
    ({"checkpoint": "/nowhere/m.npz"}, "/nowhere/m.npz: the folder /nowhere does not exist"),
]


@pytest.mark.parametrize("changed, said", BAD_SETTINGS)
def test_bad_settings(changed, said):
    with refused(said):
        train(new_model(), PAIRS, **changed)


def test_no_pairs():
    with refused("pairs: none"):
        train(new_model(), [])


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_too_large_a_step_is_said(recwarn, optimizer):
    settings = dict(step_size=1e38, clip=1e38, epochs=5, optimizer=optimizer)
    with refused("cost is not finite in epoch|step_size"):
        train(new_model(RNN(8)), PAIRS, **settings)
    assert len(recwarn) == 0


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
@pytest.mark.parametrize("average", [None, 0.998])
def test_weights_that_are_no_numbers_are_not_saved(tmp_path, average, optimizer):
    model, before = new_model(), new_model()
    with refused("the cost is not finite in epoch 1, try a smaller one"):
        how = dict(epochs=1, average=average, optimizer=optimizer, checkpoint=tmp_path / "m.npz")
        train(model, PAIRS, step_size=3e38, clip=1e38, **how)
    assert not (tmp_path / "m.npz").exists()
    assert all((w == before.query.weights[name]).all() for name, w in model.query.weights.items())


def test_a_title_without_known_trigrams_is_trained_on_with_a_warning():
    with pytest.warns(UserWarning, match="1 of 49 texts hold no letter trigram"):
        history = train(new_model(), PAIRS + [("hotel oslo", "ЖЖЖ")], epochs=2)
    assert np.isfinite(history["cost"]).all()


def all_weights(model):
    sides = model.query, model.document
    return np.concatenate([w.ravel() for side in sides for w in side.weights.values()])


def interrupted(model, monkeypatch, update, by=KeyboardInterrupt, **settings):
    """Train a model until something ends it in the midst of this update, after it has moved W."""
    real, n = training.update, []

    def ended(*given):
        done = real(*given)
        n.append(done)
        if len(n) == update:
            raise by
        return done

    with monkeypatch.context() as patch, pytest.raises(by):
        patch.setattr(training, "update", ended)
        train(model, PAIRS, **settings)


@pytest.mark.parametrize("by", [KeyboardInterrupt, MemoryError, InputError])
@pytest.mark.parametrize("average", [None, 0.998])
@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_weights_that_are_no_numbers_are_given_back(tmp_path, monkeypatch, optimizer, average, by):
    """Whatever ends the epoch; and with them what the model says of its training."""
    model = new_model()
    train(model, PAIRS, epochs=1)
    before, training_before = all_weights(model), copy.deepcopy(model.training)
    how = dict(optimizer=optimizer, average=average, step_size=3e38, clip=1e38, batch_size=8)
    interrupted(model, monkeypatch, 5, by, epochs=2, **how)
    assert (all_weights(model) == before).all() and model.training == training_before
    model.save(tmp_path / "m.npz")
    assert lstm_edu.load(tmp_path / "m.npz").training == training_before


@pytest.mark.parametrize("average", [None, 0.998])
def test_a_training_that_is_interrupted_is_told_of_as_such(tmp_path, monkeypatch, average):
    model = new_model()
    train(model, PAIRS, epochs=2, optimizer="adam")
    assert model.training["finished"]
    for update, n_epochs in ((2, 0), (5, 1), (9, 2)):  # of three an epoch
        before = all_weights(model)
        how = dict(optimizer="nesterov", average=average, batch_size=16, epochs=7)
        interrupted(model, monkeypatch, update, **how)
        assert not (all_weights(model) == before).all()
        assert model.training["settings"]["optimizer"] == "nesterov"
        assert model.training["settings"]["epochs"] == 7
        assert model.training["finished"] is False
        assert {len(values) for values in model.training["history"].values()} == {n_epochs}
        model.save(tmp_path / "m.npz")
        assert lstm_edu.load(tmp_path / "m.npz").training == model.training


def test_what_a_callback_ends_is_told_of_with_its_last_epoch():
    model = new_model()
    with pytest.raises(Stop):
        train(model, PAIRS, epochs=7, callback=stop_after(3))
    assert model.training["finished"] is False and len(model.training["history"]["cost"]) == 3


ONE_QUERY = [("hotel oslo", title) for _, title in PAIRS[:9]]


OTHER_QUERY = [("lawn lima", title) for _, title in ONE_QUERY]


@pytest.mark.parametrize("n_negatives", ["batch", 1])
@pytest.mark.parametrize("pairs", [PAIRS[:1] * 3, ONE_QUERY, ONE_QUERY + OTHER_QUERY])
def test_a_log_whose_queries_have_clicked_all(pairs, n_negatives):
    model = new_model()
    before = all_weights(model)
    with refused("^n_negatives: .*unclicked"):
        train(model, pairs, n_negatives=n_negatives, epochs=1)
    assert (all_weights(model) == before).all() and not model.training


@pytest.mark.parametrize("seed", range(4))
def test_titles_of_held_out_queries_are_not_there_to_be_unclicked(seed):
    pairs = ONE_QUERY[:4] + [("lawn lima", title) for _, title in PAIRS[9:12]]
    with refused("every query has clicked all titles of the training pairs"):
        train(new_model(), pairs, held_out=0.5, seed=seed, epochs=1)


def test_pairs_that_teach_nothing_are_told_of_and_do_not_lower_the_cost():
    model, titles = new_model(), [title for _, title in ONE_QUERY]
    cost, _ = lstm_edu.cost_and_gradient(model, ["lawn lima"], titles[:1], [titles[1:]], gamma=10.0)
    with pytest.warns(UserWarning, match="9 of 10 pairs had no unclicked title") as warned:
        history = train(model, ONE_QUERY + OTHER_QUERY[:1], epochs=2, step_size=1e-12, seed=1)
    assert len(warned) == 1 and warned[0].filename == __file__
    assert history["cost"] == pytest.approx([cost, cost], rel=1e-5)


@pytest.mark.filterwarnings("ignore:.* pairs had no unclicked title")
def test_an_epoch_in_which_by_chance_no_pair_teaches():
    """Each minibatch may be of one query; of some seeds all are."""
    pairs, costs = ONE_QUERY[:2] + PAIRS[20:21] * 2, []
    for seed in range(9):
        costs += train(new_model(), pairs, batch_size=2, epochs=1, seed=seed)["cost"]
    assert min(costs) == 0 and np.isfinite(costs).all()


@pytest.mark.parametrize("n_negatives", ["batch", 3])
def test_nothing_is_told_where_every_pair_teaches(recwarn, n_negatives):
    train(new_model(), PAIRS, epochs=1, n_negatives=n_negatives, batch_size=16)
    assert len(recwarn) == 0
