"""Writing a file: whole or not at all, wherever it stands, whatever ends it, and beside others."""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from conftest import HASHING, needs, unit_model
from refusal import refused

import lstm_edu
from lstm_edu import LSTM, DualEncoder
from lstm_edu._util import files


def test_a_failed_write_leaves_the_old_file(saved, monkeypatch):
    whole = saved.read_bytes()

    def disk_full(file, **arrays):
        file.write(b"half")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(np, "savez", disk_full)
    with refused("m.npz: cannot be written .No space left on device"):
        DualEncoder(LSTM(3), HASHING).save(saved)
    assert saved.read_bytes() == whole and os.listdir(saved.parent) == ["m.npz"]


@pytest.mark.parametrize("kind", [DualEncoder, lstm_edu.AlignedEncoder])
@pytest.mark.parametrize("side", ["query", "document"])
@pytest.mark.parametrize("wrong", [np.nan, -np.inf])
def test_what_load_would_refuse_is_not_written(saved, kind, side, wrong):
    whole, model = saved.read_bytes(), kind(LSTM(3), HASHING)
    getattr(model, side).params["Wrec3"][1, 2] = wrong
    said = f"^model: of its {side} side, Wrec holds values that are not finite$"
    with refused(said):
        model.save(saved)
    with refused(said):  # nor trained, which could save nothing
        lstm_edu.train(model, [("a b", "ab"), ("c", "cab")], epochs=1)
    assert saved.read_bytes() == whole and os.listdir(saved.parent) == ["m.npz"]


@pytest.mark.parametrize("name, w", [("Wrec", None), ("Wrec", [1.0]), ("head", np.ones(3))])
@pytest.mark.parametrize("kind", [DualEncoder, lstm_edu.AlignedEncoder])
def test_weights_that_are_missing_added_or_no_arrays_are_not_written(saved, kind, name, w):
    whole, model = saved.read_bytes(), kind(LSTM(3), HASHING)
    model.query.weights[name] = w
    with refused(f"^model: of its query side, .*{name}"):
        model.save(saved)
    del model.query.weights[name]
    model.query.weights.pop("W", None)
    with refused("^model: of its query side, the weights are .*, not W, "):
        model.save(saved)
    assert saved.read_bytes() == whole


def test_a_record_of_training_that_is_none_is_not_written(saved):
    whole, model = saved.read_bytes(), DualEncoder(LSTM(3), HASHING)
    model.training = "three epochs"
    with refused("^model.training: 'three epochs'; must be a dict"):
        model.save(saved)
    assert saved.read_bytes() == whole


def test_weights_of_another_type_or_shape_are_not_written(saved):
    whole, model = saved.read_bytes(), DualEncoder(LSTM(2), HASHING)
    w = model.document.weights["Wrec"]
    for wrong in (w.astype(np.float64), w[:1]):
        model.document.weights["Wrec"] = wrong
        with refused("^model: of its document side, Wrec is float"):
            model.save(saved)
    assert saved.read_bytes() == whole


def test_places_that_cannot_be_written(tmp_path):
    (tmp_path / "file").write_text("", encoding="utf-8")
    model = unit_model(LSTM(2))
    for path, said in (
        (tmp_path / "no" / "m.npz", "does not exist"),
        (tmp_path / "file" / "m.npz", "is a file, not a folder"),
        (tmp_path, "is a folder"),
        ("", "name of a file"),
        (f"{tmp_path}/none/", "is no name of a file"),
        (tmp_path / ("x" * 300), "cannot be written"),
    ):
        with refused(said):
            files.check_writable(path)
        with refused(said):
            model.save(path)
    with refused("No such file"):
        lstm_edu.load(tmp_path / "none.npz")
    with refused("Is a directory|Permission denied"):  # POSIX, Windows
        lstm_edu.load(tmp_path)


@needs("named pipes")
def test_a_pipe_is_no_place(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with refused("is a device or a pipe"):
        unit_model(LSTM(2)).save(tmp_path / "pipe")


def test_a_file_that_another_program_has_open_is_said(saved, monkeypatch):
    """Windows moves nothing onto a file that is open or mapped."""
    whole = saved.read_bytes()

    def in_use(part, path):
        raise PermissionError(13, "The process cannot access the file", part, 32, path)

    monkeypatch.setattr(os, "replace", in_use)
    with refused() as error:
        unit_model(LSTM(3)).save(saved)
    assert str(error.value).startswith(f"{saved}: cannot be written (")
    assert saved.read_bytes() == whole and os.listdir(saved.parent) == ["m.npz"]


@needs("way to replace a file that is open")
def test_threads_that_save_to_one_path_are_never_in_each_others_way(saved):
    """Nor in that of who reads meanwhile."""
    models = [unit_model(LSTM(2)), unit_model(LSTM(3))]
    failed, n_read = [], []

    def save(model):
        for _ in range(60):
            model.save(saved)

    def read():
        while not n_read or not all(writer.done() for writer in writers):
            try:
                n_read.append(lstm_edu.load(saved).cell in (LSTM(2), LSTM(3)))
            except Exception as error:
                failed.append(error)
                n_read.append(False)

    with ThreadPoolExecutor(4) as pool:
        writers = [pool.submit(save, model) for model in models]
        readers = [pool.submit(read) for _ in range(2)]
    assert [future.exception() for future in [*writers, *readers]] == [None] * 4
    assert not failed and n_read and all(n_read)
    assert os.listdir(saved.parent) == ["m.npz"]


def test_what_looks_like_a_part_is_left_alone(saved):
    """Whoever made it: what goes away is what the call made itself."""
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    parts = f"{os.getpid()} {dead.pid} notes.999999 20231121120000 \u00b2 0123456789abcdef"
    others = ["m.npz.part", *(f"m.npz.{part}.part" for part in parts.split())]
    for name in others:
        (saved.parent / name).write_text("mine", encoding="utf-8")
    unit_model(LSTM(3)).save(saved)
    assert lstm_edu.load(saved).cell == LSTM(3)
    for name in others:
        assert (saved.parent / name).read_text(encoding="utf-8") == "mine"
    assert sorted(os.listdir(saved.parent)) == sorted(["m.npz", *others])


@pytest.mark.parametrize("nameless", [True, False])
def test_a_new_file_may_be_read_by_whom_any_other_may(saved, monkeypatch, nameless):
    if not nameless:
        monkeypatch.delattr(os, "O_TMPFILE", raising=False)
    other, new = saved.parent / "other", saved.parent / "new.npz"
    other.write_text("", encoding="utf-8")
    unit_model(LSTM(2)).save(new)
    assert new.stat().st_mode == other.stat().st_mode  # as the user's umask has it
    saved.chmod(0o640)
    before = saved.stat().st_mode  # on Windows it says nothing of others
    unit_model(LSTM(3)).save(saved)
    assert saved.stat().st_mode == before and lstm_edu.load(saved).cell == LSTM(3)
    assert sorted(os.listdir(saved.parent)) == ["m.npz", "new.npz", "other"]


def test_what_is_read_only_is_not_replaced(saved):
    """Not even by the administrator, who may write to anything."""
    whole = saved.read_bytes()
    saved.chmod(0o444)
    for write in (files.check_writable, unit_model(LSTM(3)).save):
        with refused("m.npz: is read-only$"):
            write(saved)
    assert saved.read_bytes() == whole and os.listdir(saved.parent) == ["m.npz"]
    saved.chmod(0o644)


def test_a_long_name_is_a_name(tmp_path):
    path = tmp_path / ("x" * 240 + ".npz")
    unit_model(LSTM(2)).save(path)
    assert lstm_edu.load(path).cell == LSTM(2)


@needs("links for every user")
def test_a_link_stays_a_link(saved):
    link = saved.parent / "link.npz"
    link.symlink_to(saved)
    unit_model(LSTM(3)).save(link)
    assert link.is_symlink() and lstm_edu.load(saved).cell == LSTM(3)
