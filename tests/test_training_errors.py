"""What `train` refuses or warns of, and that nothing comes of it."""

import numpy as np
import pytest
from small_log import PAIRS, new_model

from lstm_edu import PAPER, RNN, InputError, train
from lstm_edu.training.settings import OPTIMIZERS


@pytest.mark.parametrize(
    "changed, said",
    [
        ({"epochs": 0}, "epochs: 0; must be None or a whole number from 1"),
        ({"batch_size": 2.5}, "batch_size: 2.5"),
        ({"gamma": 0}, "gamma: 0; must be a number above 0"),
        ({"gamma": -1.0}, "gamma"),
        ({"gamma": float("nan")}, "gamma"),
        ({"gamma": float("inf")}, "gamma"),
        ({"step_size": 0}, "step_size"),
        ({"clip": 0}, "clip"),
        ({"momentum": 1.0}, "momentum: 1.0"),
        ({"momentum": 0.9}, "momentum: 0.9; must be None for .* 'adam', .* 'nesterov' has"),
        ({"momentum": "fast"}, "momentum: 'fast'"),
        ({"optimizer": "sgd"}, "optimizer: 'sgd'; must be 'nesterov' or 'adam'"),
        ({"optimizer": None}, "optimizer: None; must be"),
        ({"optimizer": ["adam"]}, "optimizer: .'adam'.; must be"),
        (PAPER | {"optimizer": "adam"}, "momentum: 'schedule'; must be None for .* 'adam'"),
        ({"n_negatives": 48}, "n_negatives: 48; a query has only 47 unclicked titles"),
        ({"n_negatives": 0}, "n_negatives: 0"),
        ({"n_negatives": "all"}, "n_negatives: 'all'"),
        ({"average": 1.0}, "average"),
        ({"held_out": 1.0}, "held_out"),
        ({"held_out": 0.999}, "held_out: 0.999; no query is left"),
        ({"patience": 3}, "patience: needs held-out"),
        ({"patience": 0, "held_out": 0.1}, "patience: 0"),
        ({"seed": -1}, "seed"),
        ({"truncate": -1}, "truncate: -1"),
        ({"method": "autograd"}, "method"),
        ({"resume": True}, "resume: needs a checkpoint"),
        ({"n_negatives": True}, "n_negatives: True"),
        ({"gamma": 1e39}, "at most 1e.09"),
        ({"batch_size": 1}, "batch_size: 1; with n_negatives 'batch' it must be at least 2"),
        ({"checkpoint": "/nowhere/m.npz"}, "/nowhere/m.npz: the folder /nowhere does not exist"),
    ],
)
def test_bad_settings(changed, said):
    with pytest.raises(InputError, match=said):
        train(new_model(), PAIRS, **changed)


def test_no_pairs():
    with pytest.raises(InputError, match="pairs: none"):
        train(new_model(), [])
    with pytest.raises(InputError, match="only one title"):
        train(new_model(), PAIRS[:1] * 3)
    for pairs in (["ab", "cd"], [("a", "b", "c")], [("a", None)]):
        with pytest.raises(InputError, match=r"^pairs\[0\]: .* must be a .query, title. of two"):
            train(new_model(), pairs)


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_too_large_a_step_is_said(recwarn, optimizer):
    settings = dict(step_size=1e38, clip=1e38, epochs=5, optimizer=optimizer)
    with pytest.raises(InputError, match="cost is not finite in epoch|step_size"):
        train(new_model(RNN(8)), PAIRS, **settings)
    assert len(recwarn) == 0


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
@pytest.mark.parametrize("average", [None, 0.998])
def test_weights_that_are_no_numbers_are_not_saved(tmp_path, average, optimizer):
    model, before = new_model(), new_model()
    with pytest.raises(InputError, match="the cost is not finite in epoch 1, try a smaller one"):
        train(
            model,
            PAIRS,
            step_size=3e38,
            clip=1e38,
            epochs=1,
            average=average,
            optimizer=optimizer,
            checkpoint=tmp_path / "m.npz",
        )
    assert not (tmp_path / "m.npz").exists()
    assert all((w == before.query.weights[name]).all() for name, w in model.query.weights.items())


def test_a_title_without_known_trigrams_is_trained_on_with_a_warning():
    with pytest.warns(UserWarning, match="1 of 49 texts hold no letter trigram"):
        history = train(new_model(), PAIRS + [("hotel oslo", "ЖЖЖ")], epochs=2)
    assert np.isfinite(history["cost"]).all()
