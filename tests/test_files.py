"""Model files: whole or not at all, nothing run, every damage a clear error."""

import io
import json
import os
import pickle
import subprocess
import sys
import types
import zipfile

import numpy as np
import pytest
from conftest import CELLS, HASHING, TEXTS, cell_name, needs, unit_model

import lstm_edu
from lstm_edu import LSTM, DualEncoder, InputError, files
from lstm_edu.model import pack


def in_format(format, path):
    """A path for a model in one of the two formats; skips where that one's package is missing."""
    if format == "safetensors":
        pytest.importorskip("safetensors", reason="the extra `safetensors` is not installed")
    return path / f"m.{format}"


FORMATS = pytest.mark.parametrize("format", ["npz", "safetensors"])


@FORMATS
@pytest.mark.parametrize("cell", CELLS, ids=cell_name)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_what_is_saved_is_loaded(tmp_path, cell, dtype, format):
    path, model = in_format(format, tmp_path), unit_model(cell, dtype=dtype)
    model.save(path)
    again = lstm_edu.load(path)
    assert (again.cell, again.dtype, again.hashing.trigrams) == (
        cell,
        model.dtype,
        HASHING.trigrams,
    )
    assert (again.encode_query(TEXTS) == model.encode_query(TEXTS)).all()
    assert (again.encode_document(TEXTS) == model.encode_document(TEXTS)).all()
    for side in ("query", "document"):
        for name, w in getattr(model, side).weights.items():
            found = getattr(again, side).weights[name]
            assert found.tobytes() == w.tobytes() and found.flags.writeable
    again.save(tmp_path / f"again.{format}")
    assert path.read_bytes() == (tmp_path / f"again.{format}").read_bytes()


@pytest.fixture
def saved(tmp_path):
    path = tmp_path / "m.npz"
    DualEncoder(LSTM(2), HASHING).save(path)
    return path


@FORMATS
def test_a_truncated_file_is_refused_wherever_it_ends(tmp_path, format):
    saved = in_format(format, tmp_path)
    DualEncoder(LSTM(2), HASHING).save(saved)
    whole = saved.read_bytes()
    for length in [*range(0, len(whole), 97), len(whole) - 1]:
        saved.write_bytes(whole[:length])
        with pytest.raises(InputError, match="damaged or cut short"):
            lstm_edu.load(saved)


@FORMATS
def test_a_changed_byte_is_refused_or_does_not_matter(tmp_path, format):
    saved = in_format(format, tmp_path)
    DualEncoder(LSTM(2), HASHING).save(saved)
    model, whole = lstm_edu.load(saved), saved.read_bytes()
    refused = 0
    for k in range(0, len(whole), 13):
        saved.write_bytes(whole[:k] + bytes([whole[k] ^ 0x55]) + whole[k + 1 :])
        try:
            again = lstm_edu.load(saved)
            # a date in the zip, say
            assert (again.encode_query(TEXTS) == model.encode_query(TEXTS)).all()
        except InputError:
            refused += 1
    assert refused > 0.8 * len(range(0, len(whole), 13))


class Bomb:
    def __reduce__(self):
        return os.mkdir, (os.environ["BOMB"],)


def npz(path, **members):
    with zipfile.ZipFile(path, "w", members.pop("compression", zipfile.ZIP_STORED)) as archive:
        for name, content in members.items():
            archive.writestr(name + ".npy", content)


def npy(array):
    file = io.BytesIO()
    np.save(file, array, allow_pickle=True)
    return file.getvalue()


def test_hostile_files_run_nothing(saved, tmp_path, monkeypatch):
    monkeypatch.setenv("BOMB", str(tmp_path / "went off"))
    good = dict(np.load(saved))
    meta = json.loads(good["meta"].tobytes())
    header = npy(np.zeros(3))[:128].replace(b"(3,)", b"(9000000000000000000,)")
    hostile = {
        "a pickle": lambda: saved.write_bytes(pickle.dumps(Bomb())),
        "a pickle for an array": lambda: npz(
            saved,
            **{n: npy(a) for n, a in good.items()} | {"query.b": npy(np.array(Bomb(), object))},
        ),
        "a pickle for the facts": lambda: npz(saved, meta=npy(np.array([Bomb()], object))),
        "an array larger than the file": lambda: npz(saved, meta=header),
        "a zip bomb": lambda: npz(
            saved, meta=npy(np.zeros(10_000_000)), compression=zipfile.ZIP_DEFLATED
        ),
        "no facts": lambda: npz(saved, **{n: npy(a) for n, a in good.items() if n != "meta"}),
        "no weights": lambda: npz(saved, meta=npy(good["meta"])),
        "another format": lambda: npz(
            saved,
            **{n: npy(a) for n, a in good.items()}
            | {"meta": npy(np.frombuffer(b'{"format": "x", "version": 1}', np.uint8))},
        ),
        "a text": lambda: saved.write_text("hello", encoding="utf-8"),
        "nothing": lambda: saved.write_bytes(b""),
        "no numbers": lambda: npz(
            saved, **{n: npy(a * np.nan if n == "query.W" else a) for n, a in good.items()}
        ),
    }
    for changed in (
        {"cell": "os"},
        {"arguments": {"n_cells": 10**9}},
        {"arguments": {"n_cells": -1}},
        {"arguments": 3},
        {"dtype": "O"},
        {"dtype": "float16"},
        {"trigrams": ["abc"]},
        {"trigrams": "abc"},
        {"trigrams": [["a"]]},
        {"bidirectional": True},
        {"training": 7},
    ):
        text = np.frombuffer(json.dumps(meta | changed).encode(), np.uint8)
        hostile[str(changed)] = lambda text=text: npz(
            saved, **{n: npy(a) for n, a in good.items()} | {"meta": npy(text)}
        )
    for name, write in hostile.items():
        write()
        with pytest.raises(InputError) as error:
            lstm_edu.load(saved)
        assert "\n" not in str(error.value), name
    assert not (tmp_path / "went off").exists()


def test_hostile_safetensors(tmp_path):
    saved = in_format("safetensors", tmp_path)
    from safetensors.numpy import save

    model = unit_model(LSTM(2))
    arrays, meta = pack(model)
    text = json.dumps(meta)
    sealed = files._seal(text, arrays) + text
    hostile = {
        "another's": save(arrays, {"format": "pt"}),
        "no facts": save(arrays),
        "no checksum": save(arrays, {"lstm_edu": text}),
        "other weights": save(arrays | {"query.b": arrays["query.b"] + 1}, {"lstm_edu": sealed}),
        "one too few": save({"query.b": arrays["query.b"]}, {"lstm_edu": sealed}),
        "a header that lies": (2**62).to_bytes(8, "little") + b"{}",
        "a pickle": pickle.dumps(Bomb),
        "nothing": b"",
    }
    for name, content in hostile.items():
        saved.write_bytes(content)
        with pytest.raises(InputError, match="damaged or cut short") as error:
            lstm_edu.load(saved)
        assert "\n" not in str(error.value), name
    saved.write_bytes(save(arrays, {"lstm_edu": sealed}))
    assert (lstm_edu.load(saved).encode_query(TEXTS) == model.encode_query(TEXTS)).all()
    model.save(tmp_path / "m.npz")
    os.replace(tmp_path / "m.npz", saved)
    with pytest.raises(InputError, match="not an lstm_edu model file"):
        lstm_edu.load(saved)


def test_without_safetensors_that_is_said_before_an_hour_of_training(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "safetensors", None)
    monkeypatch.setitem(sys.modules, "safetensors.numpy", None)
    path, said = tmp_path / "m.safetensors", r'needs safetensors: pip install "lstm_edu\[safeten'
    for use in (files.check_writable, unit_model(LSTM(2)).save, lstm_edu.load):
        with pytest.raises(InputError, match=said):
            use(path)
    assert not os.listdir(tmp_path)


def test_another_version_says_so(saved):
    arrays, meta = files.read_arrays(saved, "lstm_edu model", [2])
    files.write_arrays(saved, arrays, meta | {"version": 7})
    with pytest.raises(
        InputError, match="an lstm_edu model file of version 7; this lstm_edu reads up to version 2"
    ):
        lstm_edu.load(saved)


def test_a_failed_write_leaves_the_old_file(saved, monkeypatch):
    whole = saved.read_bytes()

    def disk_full(file, **arrays):
        file.write(b"half")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(np, "savez", disk_full)
    with pytest.raises(InputError, match="m.npz: cannot be written .No space left on device"):
        DualEncoder(LSTM(3), HASHING).save(saved)
    assert saved.read_bytes() == whole and os.listdir(saved.parent) == ["m.npz"]


def test_places_that_cannot_be_written(tmp_path):
    (tmp_path / "file").write_text("", encoding="utf-8")
    model = unit_model(LSTM(2))
    for path, said in (
        (tmp_path / "no" / "m.npz", "does not exist"),
        (tmp_path / "file" / "m.npz", "is a file, not a folder"),
        (tmp_path, "is a folder"),
        ("", "must be the name of a file"),
        (f"{tmp_path}/none/", "is no name of a file"),
        (tmp_path / ("x" * 300), "cannot be written"),
    ):
        with pytest.raises(InputError, match=said):
            model.save(path)
    with pytest.raises(InputError, match="No such file"):
        lstm_edu.load(tmp_path / "none.npz")
    with pytest.raises(InputError, match="Is a directory|Permission denied"):  # POSIX, Windows
        lstm_edu.load(tmp_path)


@needs("named pipes")
def test_a_pipe_is_no_place(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InputError, match="is a device or a pipe"):
        unit_model(LSTM(2)).save(tmp_path / "pipe")


def test_a_file_that_another_program_has_open_is_said(saved, monkeypatch):
    """Windows moves nothing onto a file that is open or mapped."""
    whole = saved.read_bytes()

    def in_use(part, path):
        raise PermissionError(13, "The process cannot access the file", part, 32, path)

    monkeypatch.setattr(os, "replace", in_use)
    with pytest.raises(InputError) as error:
        unit_model(LSTM(3)).save(saved)
    assert str(error.value).startswith(f"{saved}: cannot be written (")
    assert "\n" not in str(error.value)
    assert saved.read_bytes() == whole and os.listdir(saved.parent) == ["m.npz"]


def test_two_writers_do_not_disturb_each_other(saved):
    """Each writes beside the file under a name of its own.

    What a killed one left is removed, what a running one writes is not.
    """
    mine, running = saved.parent / "m.npz.part", saved.parent / f"m.npz.{os.getppid()}.part"
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    left = saved.parent / f"m.npz.{dead.pid}.part"
    for path in (mine, running, left):
        path.write_text("", encoding="utf-8")
    unit_model(LSTM(3)).save(saved)
    assert (
        mine.exists()
        and running.exists()
        and not left.exists()
        and lstm_edu.load(saved).cell == LSTM(3)
    )


def test_what_cannot_be_removed_is_left(saved, monkeypatch):
    """Another run was quicker, or Windows has it open."""
    left, remove = saved.parent / "m.npz.7.part", os.remove
    left.write_bytes(b"")

    def only_our_own(path):
        if os.path.samefile(path, left):
            raise PermissionError(13, "The process cannot access the file")
        remove(path)

    monkeypatch.setattr(files, "_is_running", lambda pid: False)
    monkeypatch.setattr(os, "remove", only_our_own)
    unit_model(LSTM(3)).save(saved)
    assert lstm_edu.load(saved).cell == LSTM(3) and left.exists()


@pytest.mark.parametrize(
    "process, error, waited, running",
    [
        (0, 87, None, False),  # nobody has the number
        (0, 5, None, True),  # somebody whom we may not ask
        (4, 0, 0x102, True),
        (4, 0, 0, False),  # ended, though somebody still holds it
    ],
)
def test_no_signal_is_sent_to_a_process_of_windows(monkeypatch, process, error, waited, running):
    """There os.kill(pid, 0) is Ctrl-C for somebody's process."""
    import ctypes

    closed = []
    kernel = types.SimpleNamespace(
        OpenProcess=lambda access, inherit, pid: process,
        WaitForSingleObject=lambda process, milliseconds: waited,
        CloseHandle=closed.append,
    )
    monkeypatch.setattr(ctypes, "WinDLL", lambda name, use_last_error: kernel, raising=False)
    monkeypatch.setattr(ctypes, "get_last_error", lambda: error, raising=False)
    monkeypatch.setattr(os, "kill", lambda *_: pytest.fail("a signal was sent"))
    with monkeypatch.context() as windows:
        windows.setattr(os, "name", "nt")
        found = files._is_running(1234)
    assert found == running and closed == [process] * bool(process)


@needs("links for every user")
def test_a_link_stays_a_link(saved):
    link = saved.parent / "link.npz"
    link.symlink_to(saved)
    unit_model(LSTM(3)).save(link)
    assert link.is_symlink() and lstm_edu.load(saved).cell == LSTM(3)
