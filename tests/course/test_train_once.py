"""Tests of `train_once`, which stores a model and reloads it when the settings are the same."""

import contextlib
import json
from pathlib import Path

import numpy as np
import pytest
from refusal import refused
from small_log import PAIRS, new_model

from lstm_course.lessons import sent
from lstm_course.lessons.training import kept_file, train_once
from lstm_edu import LSTM

HOW = {"epochs": 2, "batch_size": 16, "seed": 0}
# changes that a student may try, as (arguments of new_model, pairs, settings)
CHANGES = {
    "epochs": ({}, PAIRS, {"epochs": 1}),
    "seed": ({}, PAIRS, {"seed": 1}),
    "first weights": ({"seed": 1}, PAIRS, {}),
    "step": ({}, PAIRS, {"step_size": 0.01}),
    "cells": ({"cell": LSTM(5)}, PAIRS, {}),
    "half of the log": ({}, PAIRS[:24], {}),
}


@pytest.fixture(autouse=True)
def _folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def test_train_once_loads_stored_model_only_for_equal_settings(capsys):
    def trained(start, pairs, how):
        model = new_model(**start)
        train_once("m", model, pairs, **HOW | how)
        return model.query.weights["W"].tobytes(), capsys.readouterr().out.split()[0]

    runs = {"as in the lesson": ({}, PAIRS, {}), **CHANGES}
    first = {name: trained(*run) for name, run in runs.items()}
    assert {said for _, said in first.values()} == {"Trained"}
    assert len(list(Path().iterdir())) == len(runs)
    assert {name: trained(*run) for name, run in runs.items()} == {
        name: (weights, "Loaded") for name, (weights, _) in first.items()
    }


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 damaged"])
def test_train_once_replaces_unusable_file(content, capsys):
    path = Path(kept_file("m", new_model(), PAIRS, **HOW))
    path.write_bytes(content)
    train_once("m", new_model(), PAIRS, **HOW)
    assert capsys.readouterr().out.startswith("Trained")
    assert train_once("m", new_model(), PAIRS, **HOW)["cost"]
    assert capsys.readouterr().out.startswith("Loaded")


def test_browser_loads_sites_model_unless_damaged_or_user_chooses_training(monkeypatch, capsys):
    def trained():
        model = new_model()
        history = train_once("m", model, PAIRS, **HOW)
        return model, history, capsys.readouterr().out

    exact, history, _ = trained()
    (file,) = Path().iterdir()
    Path("site").mkdir()
    sent.write([file], "site")
    file.unlink()
    monkeypatch.setattr(sent, "SITE", "site")
    monkeypatch.setattr(sent, "read", lambda name: Path("site", name).read_bytes())
    model, again, said = trained()
    assert said.startswith(f"Loaded {file}, which came with this site") and not file.exists()
    assert again["cost"] == history["cost"]
    w, rounded = exact.query.weights["W"], model.query.weights["W"]
    assert 0 < np.abs(rounded - w).max() <= np.abs(w).max() / 127

    # run the printed line, which makes `train_once` train
    exec(said.splitlines()[-1], {})
    assert trained()[2].startswith("Trained") and file.exists()

    file.unlink()
    monkeypatch.setattr(sent, "SITE", "site")
    Path("site", file).write_bytes(Path("site", file).read_bytes()[:-1])
    assert trained()[2].startswith("Trained")
    file.unlink()
    Path("site", sent.DIGESTS).write_text(json.dumps({"m-00000000.npz": ""}), encoding="utf-8")
    assert trained()[2].startswith("Trained")


def test_train_once_refuses_bad_settings():
    with refused("epochs: 0"):
        train_once("m", new_model(), PAIRS, epochs=0)


def test_train_once_prints_trained_after_resuming_interrupted_training(capsys):
    def interrupt(_, history):
        if len(history["cost"]) == 2:
            raise KeyboardInterrupt

    for callback in (interrupt, None):
        with contextlib.suppress(KeyboardInterrupt):
            train_once("m", new_model(), PAIRS, **HOW | {"epochs": 3}, callback=callback)
    assert capsys.readouterr().out.startswith("Trained")
