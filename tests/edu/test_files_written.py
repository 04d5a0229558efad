"""Tests that `save` is atomic, keeps permissions and never overwrites another program's file."""

import errno
import os

import numpy as np
import pytest
from conftest import HASHING, needs, unit_model
from refusal import refused

import lstm_edu
from lstm_edu import LSTM, DualEncoder
from lstm_edu._util import files


def no_space(file, **arrays):
    file.write(b"half")
    raise OSError(28, "No space left on device")


def in_use(part, path):
    # Windows raises this error if the file is in use
    raise PermissionError(13, "The process cannot access the file", part, 32, path)


@pytest.mark.parametrize("of, name, fails", [(np, "savez", no_space), (os, "replace", in_use)])
def test_failed_save_keeps_old_file(saved, monkeypatch, of, name, fails):
    whole = saved.read_bytes()
    monkeypatch.setattr(of, name, fails)
    with refused("m.npz: cannot be written .(No space left|The process cannot access)"):
        DualEncoder(LSTM(3), HASHING).save(saved)
    assert saved.read_bytes() == whole and os.listdir(saved.parent) == ["m.npz"]


W = np.zeros((3, 9), np.float32)  # has the shape and dtype of a valid Wrec
WRONG = [
    ("Wrec", W * np.nan, "Wrec has values that are not finite$"),
    ("Wrec", W.astype(float), "Wrec is float"),
    ("Wrec", W[:1], "Wrec is float"),
    ("Wrec", None, ".*Wrec"),
    ("Wrec", [1.0], ".*Wrec"),
    ("head", W, ".*head"),
]


@pytest.mark.parametrize("name, w, said", WRONG)
@pytest.mark.parametrize("kind", [DualEncoder, lstm_edu.AlignedEncoder])
@pytest.mark.parametrize("side", ["query", "document"])
def test_save_and_train_refuse_weights_that_load_would_refuse(saved, kind, side, name, w, said):
    whole, model = saved.read_bytes(), kind(LSTM(3), HASHING)
    getattr(model, side).weights[name] = w
    with refused(f"^model: {side}.{said}"):
        model.save(saved)
    with refused(f"^model: {side}.{said}"):  # `train` refuses what it couldn't save
        lstm_edu.train(model, [("a b", "ab"), ("c", "cab")], epochs=1)
    assert saved.read_bytes() == whole and os.listdir(saved.parent) == ["m.npz"]


def test_save_and_load_refuse_unusable_paths(tmp_path):
    (tmp_path / "file").write_text("", encoding="utf-8")
    model = unit_model(LSTM(2))
    for path, said in (
        (tmp_path / "no" / "m.npz", "does not exist"),
        (tmp_path / "file" / "m.npz", "does not exist"),
        (tmp_path, "is a folder"),
        ("", "^(path: )?''.*( name of a file|not a file name)"),
        (f"{tmp_path}/none/", "is not a file name"),
        (tmp_path / ("x" * 300), "cannot be written"),
    ):
        with refused(said):
            files.check_writable(path)
        with refused(said):
            model.save(path)
    with refused("No such file"):
        lstm_edu.load(tmp_path / "none.npz")
    with refused("looks like a folder; expected an lstm_edu model file"):
        lstm_edu.load(tmp_path)


@needs("named pipes")
def test_save_refuses_pipe(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with refused("is a folder or a device"):
        unit_model(LSTM(2)).save(tmp_path / "pipe")


def test_save_gives_new_file_default_permissions_and_keeps_permissions_of_old_file(saved):
    other, new = saved.parent / "other", saved.parent / "new.npz"
    other.write_text("", encoding="utf-8")
    unit_model(LSTM(2)).save(new)
    assert new.stat().st_mode == other.stat().st_mode  # the user's umask determines both
    saved.chmod(0o640)
    before = saved.stat().st_mode  # on Windows, this is not 0o640
    unit_model(LSTM(3)).save(saved)
    assert saved.stat().st_mode == before and lstm_edu.load(saved).cell == LSTM(3)
    assert sorted(os.listdir(saved.parent)) == ["m.npz", "new.npz", "other"]


def test_save_refuses_to_replace_read_only_file(saved):
    """`save` must check the file's mode, because administrators may write to any file."""
    whole = saved.read_bytes()
    saved.chmod(0o444)
    for write in (files.check_writable, unit_model(LSTM(3)).save):
        with refused("m.npz: is read-only$"):
            write(saved)
    assert saved.read_bytes() == whole and os.listdir(saved.parent) == ["m.npz"]
    saved.chmod(0o644)


@needs("links for every user")
def test_save_replaces_target_of_link(saved):
    link = saved.parent / "link.npz"
    link.symlink_to(saved)
    unit_model(LSTM(3)).save(link)
    assert link.is_symlink() and lstm_edu.load(saved).cell == LSTM(3)


@pytest.mark.parametrize("links", ["links", "no links", "no os.link"])
def test_replace_creates_new_file_but_refuses_to_overwrite_existing_one(
    tmp_path, monkeypatch, links
):
    """Simulate file systems with and without hard links, and Python in a browser."""

    def refuse(*_):
        raise OSError(errno.EPERM, "Operation not permitted")

    if links == "no links":
        monkeypatch.setattr(os, "link", refuse)
    if links == "no os.link":
        monkeypatch.delattr(os, "link")
    path = tmp_path / "m.npz"
    written = files.replace(path, lambda file: file.write(b"first"), None)
    assert path.read_bytes() == b"first" and written == files.digest(path)
    with pytest.raises(files.TakenError):
        files.replace(path, lambda file: file.write(b"second"), None)
    # another program creates the file after the check
    monkeypatch.setattr(files, "digest", lambda path: None)
    with pytest.raises(files.TakenError):
        files.replace(path, lambda file: file.write(b"second"), None)
    assert path.read_bytes() == b"first" and os.listdir(tmp_path) == ["m.npz"]
