"""Tests that resumed training equals uninterrupted training and overwrites no other run's file."""

import numpy as np
import pytest
from refusal import refused
from small_log import HASHING, PAIRS, SETTINGS, Stop, new_model, stop_after

import lstm_edu
from lstm_edu import LSTM, RNN, AlignedEncoder, Bidirectional, DualEncoder, LetterTrigrams, train
from lstm_edu._util import array_files


def cut_off(tmp_path, **changed):
    """Interrupt a training run at the end of its third epoch; return its checkpoint's path."""
    path, settings = tmp_path / "m.npz", SETTINGS | changed
    with pytest.raises(Stop):
        train(new_model(), PAIRS, checkpoint=path, callback=stop_after(3), **settings)
    return path


VARIANTS = [
    {"average": None},
    {"held_out": 0.2, "patience": 2, "step_size": 0.05},
    {"momentum": "schedule", "n_negatives": 3},
    {"optimizer": "adam", "n_negatives": 3, "average": None},
    {"optimizer": "adam", "held_out": 0.2},
]


@pytest.mark.parametrize("changed", VARIANTS)
def test_training_resumed_after_any_epoch_writes_same_file(tmp_path, changed):
    settings, whole, path = SETTINGS | changed, tmp_path / "whole.npz", tmp_path / "m.npz"
    expected = train(new_model(), PAIRS, checkpoint=whole, **settings)
    for epochs in range(1, len(expected["cost"]) + 1):
        path.unlink(missing_ok=True)
        with pytest.raises(Stop):
            train(new_model(), PAIRS, checkpoint=path, callback=stop_after(epochs), **settings)
        assert path.exists() == (epochs > 1)
        history = train(new_model(), PAIRS, checkpoint=path, resume=True, **settings)
        assert path.read_bytes() == whole.read_bytes()
        assert history["cost"] == expected["cost"]
    model = new_model()
    train(model, PAIRS, **settings)
    model.save(path)
    assert path.read_bytes() == whole.read_bytes()


def test_train_replaces_file_only_with_overwrite(tmp_path):
    path, other = cut_off(tmp_path), SETTINGS | {"seed": 3, "epochs": 1}
    before = path.read_bytes()

    def unread():
        pytest.fail("`train` has read the pairs")
        yield

    with refused("m.npz: exists; resume=True goes on from it, "):
        train(new_model(), unread(), checkpoint=path, **other)
    assert path.read_bytes() == before
    train(new_model(), PAIRS, checkpoint=path, overwrite=True, **other)
    assert lstm_edu.load(path).training["settings"]["seed"] == 3


CUT = DualEncoder(LSTM(8), LetterTrigrams(HASHING.trigrams, 3), tied=False)
FEWER = DualEncoder(LSTM(8), LetterTrigrams(HASHING.trigrams[1:]), tied=False)
ALIGNED = AlignedEncoder(LSTM(8), HASHING, tied=False)
OTHER_RUNS = [
    ({"seed": 3}, "its seed is 2, not 3"),
    ({"epochs": 7}, "its epochs is 6, not 7; to train it for longer, start a new run from it"),
    ({"gamma": 3.0}, "its gamma is 10.0, not 3.0"),
    ({"optimizer": "adam"}, "its optimizer is 'nesterov', not 'adam'"),
    ({"model": new_model(RNN(8))}, "its cell is 'LSTM', not 'RNN'"),
    ({"model": new_model(LSTM(9))}, "its n_cells is 8, not 9"),
    ({"model": new_model(Bidirectional(LSTM(8)))}, "its cell is 'LSTM', not 'Bidirect.*"),
    ({"model": CUT, "pairs": PAIRS[1:], "epochs": None}, "its max_words is None, not 3"),
    ({"model": FEWER}, "its number of letter trigrams is 103, not 102"),
    ({"model": new_model(seed=1)}, "its training began with other weights"),
    ({"pairs": PAIRS[1:], "epochs": None}, "it was trained on other pairs, or in another order"),
    ({"model": ALIGNED}, "its model is 'DualEncoder', not 'AlignedEncoder'"),
]


@pytest.mark.parametrize("changed, said", OTHER_RUNS)
def test_resume_error_states_difference_from_checkpoint(tmp_path, changed, said):
    path = cut_off(tmp_path)
    before, given = path.read_bytes(), {"model": new_model(), "pairs": PAIRS} | SETTINGS
    with refused(f"cannot resume, it is of another run: {said}$"):
        train(**given | changed, checkpoint=path, resume=True)
    assert path.read_bytes() == before


NORMS = {f"gradient_norm_{side}": [1.0] for side in ("query", "document")}
NOT_FAR = "cannot resume|does not say how far"
FORGED = [
    ("settings", 5, NOT_FAR),
    ("history", {"cost": ["a"], **NORMS}, NOT_FAR),
    ("history", {"cost": [1.0, 1.0], **NORMS}, NOT_FAR),
    ("history", dict.fromkeys(["cost", *NORMS], [1.0] * 9), NOT_FAR),
    ("trained.query.b", np.nan, "trained.query.b has values that are not finite; it is damaged"),
    ("v.query.W", -1e-30, "an average of squares has negative numbers; it is damaged"),
    ("v.query.W", None, "v.query.W is missing; it is damaged"),
]


@pytest.mark.parametrize("name, wrong, said", FORGED)
def test_resume_refuses_forged_checkpoint(tmp_path, name, wrong, said):
    path = cut_off(tmp_path, optimizer="adam")
    arrays, meta = array_files.read_arrays(path, "lstm_edu model", [2])
    if name not in arrays:
        meta["training"][name] = wrong
    elif wrong is None:
        del arrays[name]
    else:
        np.put(arrays[name], 1, wrong)
    array_files.write_arrays(path, arrays, meta)
    with refused(said):
        how = SETTINGS | {"optimizer": "adam"}
        train(new_model(), PAIRS, checkpoint=path, resume=True, **how)


TAKEN = "m.npz: another program has written it, so it stays unchanged; this training stops, and"


def at_epoch(epoch, do):
    """Return a callback that calls ``do`` after a given epoch, before its checkpoint is saved."""

    def callback(model, history):
        if len(history["cost"]) == epoch:
            do()

    return callback


@pytest.mark.parametrize("how, epoch", [({}, 1), ({"overwrite": True}, 2), ({"resume": True}, 6)])
def test_train_keeps_file_of_another_program_and_saves_next_to_it(tmp_path, how, epoch):
    path, whole = tmp_path / "m.npz", tmp_path / "whole.npz"
    train(new_model(), PAIRS, checkpoint=whole, **SETTINGS)
    if "overwrite" in how:
        path.write_text("to be replaced", encoding="utf-8")
    other = at_epoch(epoch, lambda: new_model(seed=9).save(path))
    with refused(TAKEN) as error:
        train(new_model(), PAIRS, checkpoint=path, callback=other, **how, **SETTINGS)
    assert (lstm_edu.load(path).query.weights["W"] == new_model(seed=9).query.weights["W"]).all()
    (kept,) = {*tmp_path.glob("m.*")} - {path}
    assert str(error.value).endswith(f"checkpoint is {kept}")
    assert len(lstm_edu.load(kept).training["history"]["cost"]) == epoch
    train(new_model(), PAIRS, checkpoint=kept, resume=True, **SETTINGS)
    assert kept.read_bytes() == whole.read_bytes()
