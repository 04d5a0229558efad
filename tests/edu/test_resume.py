"""A run that is killed and resumed ends with the file of an uninterrupted run, byte for byte."""

import os
import random
import re
import subprocess
import sys
import time

import numpy as np
import pytest
from conftest import names_can_wait
from refusal import refused
from small_log import PAIRS, SETTINGS, Stop, new_model, stop_after

import lstm_edu
from lstm_edu import RNN, train
from lstm_edu._util import array_files
from lstm_edu.training.settings import OPTIMIZERS


def cut_off(tmp_path, **changed):
    """The checkpoint of a run that ended in its third epoch."""
    path, settings = tmp_path / "m.npz", SETTINGS | changed
    with pytest.raises(Stop):
        train(new_model(), PAIRS, checkpoint=path, callback=stop_after(3), **settings)
    return path


WAYS = [
    {},
    {"average": None},
    {"held_out": 0.2},
    {"held_out": 0.2, "patience": 2, "step_size": 0.05},
    {"momentum": "schedule", "n_negatives": 3, "average": None},
    {"optimizer": "adam"},
    {"optimizer": "adam", "n_negatives": 3, "average": None},
    {"optimizer": "adam", "held_out": 0.2, "patience": 2, "step_size": 0.05},
]


@pytest.mark.parametrize("changed", WAYS)
def test_resumed_after_any_epoch(tmp_path, changed):
    settings = SETTINGS | changed
    whole = tmp_path / "whole.npz"
    expected = train(new_model(), PAIRS, checkpoint=whole, **settings)
    for epochs in range(1, len(expected["cost"]) + 1):
        path = tmp_path / "m.npz"
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


@pytest.mark.parametrize("finished", [False, True])
def test_a_checkpoint_is_replaced_only_when_asked(tmp_path, finished):
    path = cut_off(tmp_path)
    if finished:
        train(new_model(), PAIRS, checkpoint=path, resume=True, **SETTINGS)
    before, other = path.read_bytes(), SETTINGS | {"seed": 3, "epochs": 1}

    def unread():
        pytest.fail("the pairs were read")
        yield

    with refused("m.npz: is there already; resume=True goes on from it, "):
        train(new_model(), unread(), checkpoint=path, **other)
    assert path.read_bytes() == before
    train(new_model(), PAIRS, checkpoint=path, overwrite=True, **other)
    assert lstm_edu.load(path).training["settings"]["seed"] == 3


OTHERS = [
    ({"seed": 3}, "its seed is 2, not 3"),
    ({"epochs": 7}, "its epochs is 6, not 7"),
    ({"gamma": 3.0}, "gamma"),
    ({"optimizer": "adam"}, "its optimizer is 'nesterov', not 'adam'"),
]


@pytest.mark.parametrize("changed, said", OTHERS)
def test_another_runs_file_is_not_resumed(tmp_path, changed, said):
    path = tmp_path / "m.npz"
    train(new_model(), PAIRS, checkpoint=path, **SETTINGS)
    before = path.read_bytes()
    with refused("cannot resume, it is of another run: .*" + said):
        train(new_model(), PAIRS, checkpoint=path, resume=True, **(SETTINGS | changed))
    others = (new_model(RNN(8)), PAIRS), (new_model(seed=1), PAIRS), (new_model(), PAIRS[1:])
    for model, pairs in others:
        with refused("cannot resume, it is of another run"):
            train(model, pairs, checkpoint=path, resume=True, **SETTINGS)
    assert path.read_bytes() == before


def says(**changed):
    return lambda arrays, training: training.update(changed)


def holds(name, wrong):
    return lambda arrays, training: np.put(arrays[name], 1, wrong)


def lacks(name):
    return lambda arrays, training: arrays.pop(name)


NORMS = "gradient_norm_query", "gradient_norm_document"
HISTORIES = [[1], {"cost": 5}, {}]
for costs, n in ((["a"], 1), ([1.0, 1.0], 1), ([1.0] * 9, 9)):
    HISTORIES += [{"cost": costs, **dict.fromkeys(NORMS, [1.0] * n)}]
NO_TRAININGS = [says(settings=5), says(finished="yes"), says(finished=None)]
NO_TRAININGS += [says(history=wrong) for wrong in HISTORIES]
FORGED = [("nesterov", change, "cannot resume|does not say how far") for change in NO_TRAININGS]
FORGED += [
    ("nesterov", holds("trained.query.b", float("nan")), "state trained.query.b is not finite$"),
    ("adam", holds("m.document.b", float("-inf")), "state m.document.b is not finite$"),
    ("adam", holds("v.document.Wrec", float("inf")), "state v.document.Wrec is not finite$"),
    ("adam", holds("v.query.W", -1e-30), "state v.query.W has negative numbers$"),
    ("adam", lacks("v.query.W"), "state v.query.W is missing"),
]


@pytest.mark.parametrize("optimizer, change, said", FORGED)
def test_a_forged_checkpoint_is_not_resumed(tmp_path, optimizer, change, said):
    path = cut_off(tmp_path, optimizer=optimizer)
    arrays, meta = array_files.read_arrays(path, "lstm_edu model", [2])
    change(arrays, meta["training"])
    array_files.write_arrays(path, arrays, meta)
    with refused(said):
        how = SETTINGS | {"optimizer": optimizer}
        train(new_model(), PAIRS, checkpoint=path, resume=True, **how)


def test_what_save_writes_of_an_interrupted_training_is_no_checkpoint(tmp_path):
    for epochs in (1, 2):
        path, model = tmp_path / f"{epochs}.npz", new_model()
        with pytest.raises(Stop):
            train(model, PAIRS, callback=stop_after(epochs), **SETTINGS)
        model.save(path)
        assert lstm_edu.load(path).training == model.training
        with refused("npz: cannot resume, it is the model of a training"):
            train(new_model(), PAIRS, checkpoint=path, resume=True, **SETTINGS)


def check_killed_and_resumed(tmp_path, n_kills, seed, optimizer):
    """Kill `train --resume` at random moments; check the file in between and at the end."""
    log, whole, path = tmp_path / "pairs.tsv", tmp_path / "whole.npz", tmp_path / "m.npz"
    log.write_text("".join(f"{q}\t{d}\n" for q, d in PAIRS), encoding="utf-8")
    settings = f"--cells 96 --epochs {20 + 12 * n_kills} --batch-size 12 --quiet"
    command = [sys.executable, "-m", "lstm_edu", "train", str(log), *settings.split()]
    command += ["--optimizer", optimizer, "--out"]
    subprocess.run([*command, whole], check=True)
    moments, n = random.Random(seed), 0
    while n < n_kills:
        process = subprocess.Popen([*command, path, "--resume"])
        seen = path.stat().st_mtime_ns if path.exists() else 0
        while not path.exists() or path.stat().st_mtime_ns == seen:  # until it is training
            if process.poll() is not None:
                break
            time.sleep(0.001)
        epochs, end = 0, time.monotonic() + moments.uniform(0, 0.15)
        # on a machine so fast that the run would end before all kills, after ten epochs
        while time.monotonic() < end and epochs < 10:
            now = path.stat().st_mtime_ns
            epochs, seen = epochs + (now != seen), now
            time.sleep(0.001)
        process.kill()
        process.wait()
        if lstm_edu.load(path).training["finished"]:  # whole at every moment
            # on a machine so busy that it came to its end before the kill: once more
            assert path.read_bytes() == whole.read_bytes()
            path.unlink()
        else:
            n += 1
    subprocess.run([*command, path, "--resume"], check=True)
    assert path.read_bytes() == whole.read_bytes()
    left = set(os.listdir(tmp_path)) - {"m.npz", "pairs.tsv", "whole.npz"}
    assert all(re.fullmatch(r"m\.npz\.[0-9a-f]{16}\.part", name) for name in left)
    # a file without a name is gone with who wrote it, unless they had just named it
    assert len(left) <= (1 + n_kills // 20 if names_can_wait(tmp_path) else n_kills)


@pytest.mark.waits(6)
@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_killed_at_3_random_moments(tmp_path, optimizer):
    check_killed_and_resumed(tmp_path, 3, seed=0, optimizer=optimizer)


@pytest.mark.soak
@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_killed_at_300_random_moments(tmp_path, optimizer, share, tally):
    n = share(300)
    check_killed_and_resumed(tmp_path, n, seed=1, optimizer=optimizer)
    tally(f"train, {optimizer}, killed at random moments", n, [])
