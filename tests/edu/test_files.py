"""Tests that model files load exactly, execute no code, and are refused if damaged."""

import io
import json
import os
import pickle
import struct
import zipfile

import numpy as np
import pytest
from conftest import CELLS, HASHING, TEXTS, cell_name, unit_model
from refusal import memory, refused

import lstm_edu
from lstm_edu import LSTM, DualEncoder, InputError
from lstm_edu._util import array_files
from lstm_edu.models.model_file import pack


def in_format(format, path):
    """Return a path for a model file; skip the test if the format's package is not installed."""
    if format == "safetensors":
        pytest.importorskip("safetensors", reason="the extra `safetensors` is not installed")
    return path / f"m.{format}"


FORMATS = pytest.mark.parametrize("format", ["npz", "safetensors"])


@FORMATS
@pytest.mark.parametrize("cell", [CELLS[7], CELLS[-1]], ids=cell_name)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_load_restores_saved_model_exactly(tmp_path, cell, dtype, format):
    path, model = in_format(format, tmp_path), unit_model(cell, dtype=dtype)
    model.save(path)
    again = lstm_edu.load(path)
    assert (again.cell, again.dtype) == (cell, model.dtype)
    assert again.hashing.trigrams == HASHING.trigrams
    assert (again.encode_query(TEXTS) == model.encode_query(TEXTS)).all()
    for side in ("query", "document"):
        for name, w in getattr(model, side).weights.items():
            found = getattr(again, side).weights[name]
            assert found.tobytes() == w.tobytes() and found.flags.writeable
    assert again.hashing.max_words is None
    again.save(tmp_path / f"again.{format}")
    assert path.read_bytes() == (tmp_path / f"again.{format}").read_bytes()


@FORMATS
@pytest.mark.parametrize("kind", [DualEncoder, lstm_edu.AlignedEncoder])
def test_model_file_with_max_words_has_version_4(tmp_path, kind, format):
    path = in_format(format, tmp_path)
    kind(LSTM(2), lstm_edu.LetterTrigrams(HASHING.trigrams, 3)).save(path)
    assert lstm_edu.load(path).hashing.max_words == 3 and type(lstm_edu.load(path)) is kind
    _, meta = array_files.read_arrays(path, "lstm_edu model", [4])
    assert meta["max_words"] == 3


@FORMATS
def test_load_refuses_truncated_file_and_changed_bytes(tmp_path, format):
    """Change every 13th byte; a few changes, such as to the zip's dates, are harmless."""
    path, model = in_format(format, tmp_path), DualEncoder(LSTM(2), HASHING)
    model.save(path)
    whole, n_refused = path.read_bytes(), 0
    for length in [*range(1, len(whole), 97), len(whole) - 1]:
        path.write_bytes(whole[:length])
        check_load_fails(path)
    for k in range(0, len(whole), 13):
        path.write_bytes(whole[:k] + bytes([whole[k] ^ 0x55]) + whole[k + 1 :])
        try:
            assert (lstm_edu.load(path).encode_query(TEXTS) == model.encode_query(TEXTS)).all()
        except InputError:
            n_refused += 1
    assert n_refused > 0.8 * len(whole) / 13


def check_load_fails(path, said="not an lstm_edu model file, or damaged|looks like"):
    """Check that `load` refuses a file, and return the peak memory use in bytes."""
    with memory() as taken, refused(said):
        lstm_edu.load(path)
    return taken()


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


def test_load_of_hostile_file_executes_no_code(saved, tmp_path, monkeypatch):
    monkeypatch.setenv("BOMB", str(tmp_path / "went off"))
    good = dict(np.load(saved))
    meta = json.loads(good["meta"].tobytes())
    header = npy(np.zeros(3))[:128].replace(b"(3,)", b"(9000000000000000000,)")
    long = "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }" + " " * 20_000
    version_2 = b"\x93NUMPY\2\0" + struct.pack("<L", len(long)) + long.encode() + b"\0" * 8
    whole, bomb = {n: npy(a) for n, a in good.items()}, npy(np.array(Bomb(), object))
    other = npy(np.frombuffer(b'{"format": "x", "version": 1}', np.uint8))
    hostile = {
        "a pickle": pickle.dumps(Bomb()),
        "a pickle for an array": whole | {"query.b": bomb},
        "a pickle for the facts": {"meta": npy(np.array([Bomb()], object))},
        "an array larger than the file": {"meta": header},
        "a negative shape": whole | {"query.W": npy(good["query.W"]).replace(b"(15, ", b"(-1, ")},
        "a header on which NumPy gives a long message": {"meta": version_2},
        "no facts": {n: a for n, a in whole.items() if n != "meta"},
        "no weights": {"meta": whole["meta"]},
        "another format": whole | {"meta": other},
        "a text": b"hello",
        "no numbers": whole | {"query.W": npy(good["query.W"] * np.nan)},
    }
    for changed in (
        *({"cell": "os"}, {"dtype": "O"}, {"dtype": "float16"}, {"training": 7}),
        *({"arguments": wrong} for wrong in ({"n_cells": 10**9}, {"n_cells": -1}, 3)),
        *({"trigrams": wrong} for wrong in (["abc"], "abc", [["a"]])),
        *(
            {"version": 1},
            {"version": 7},
            {"max_words": 0},
            {"max_words": [2]},
            {"with_embedding": 5},
        ),
    ):
        text = np.frombuffer(json.dumps(meta | changed).encode(), np.uint8)
        hostile[str(changed)] = whole | {"meta": npy(text)}
    for name, content in hostile.items():
        if isinstance(content, bytes):
            saved.write_bytes(content)
        else:
            npz(saved, **content)
        with refused() as error:
            lstm_edu.load(saved)
        assert "allow" not in str(error.value), name
        assert ("this lstm_edu reads versions 2 to 4" in str(error.value)) == ("version" in name)
    assert not (tmp_path / "went off").exists()


def overlapping(path, content, n):
    """Write a zip whose directory lists its only member n times."""
    npz(path, a=content)
    data = path.read_bytes()
    start = data.index(b"PK\1\2")
    entry, end = data[start:-22], data[-22:]
    entries = [entry.replace(b"a.npy", b"%05d" % k) for k in range(n)]
    sizes = struct.pack("<2H2L", n, n, n * len(entry), start)
    path.write_bytes(data[:start] + b"".join(entries) + end[:8] + sizes + end[-2:])


def test_load_refuses_oversized_content_without_allocating_it(saved, monkeypatch):
    good = dict(np.load(saved))
    arrays = {n: npy(a) for n, a in good.items() if n != "meta"}
    spaces = np.frombuffer(good["meta"].tobytes() + b" " * 30_000_000, np.uint8)
    facts, zeros = npy(good["meta"]), npy(np.zeros(10**7))
    big, deflated = npy(np.zeros(100_000)), zipfile.ZIP_DEFLATED
    for said, write in [
        ("an .npz of another program", lambda: overlapping(saved, big, 200)),
        ("a member is comp", lambda: npz(saved, meta=npy(spaces), compression=deflated)),
        ("a member is comp", lambda: npz(saved, meta=facts, a=zeros, compression=deflated)),
        ("bytes, too many for its arrays", lambda: npz(saved, meta=npy(spaces), **arrays)),
    ]:
        write()
        assert check_load_fails(saved, said) < 4_000_000
    # `save` also refuses metadata larger than eight times the arrays; without the patch, it would
    # accept up to 16 MiB
    monkeypatch.setattr(array_files, "MOST_FACTS", 0)
    large, whole = unit_model(LSTM(2)), saved.read_bytes()
    large.training = {"note": " " * 100_000}
    with refused("could not be read again: its metadata has 10"):
        large.save(saved)
    assert saved.read_bytes() == whole
    npz(saved, meta=npy(spaces[:5000]), a=npy(np.zeros(1000)), **arrays)
    assert lstm_edu.load(saved).cell == LSTM(2)


@FORMATS
def test_load_refuses_bytes_before_or_after_model(tmp_path, format):
    """Add junk, a NUL byte, a zip comment, a second end record, or a second model."""
    path = in_format(format, tmp_path)
    unit_model(LSTM(2)).save(path)
    whole = path.read_bytes()
    unit_model(LSTM(3)).save(path)
    other = path.read_bytes()
    a_comment = whole[:-2] + b"\4\0junk"  # "junk" as the zip's comment
    contents = [b"junk" + whole, other + whole, whole + other, whole + b"\0", whole + whole[-22:]]
    for content in (*contents, a_comment):
        path.write_bytes(content)
        check_load_fails(path)


def test_load_refuses_zip_with_gap_or_duplicate_member(saved):
    data, good = saved.read_bytes(), dict(np.load(saved))
    start = data.index(b"PK\1\2")
    end = bytearray(data[-22:])
    end[16:20] = struct.pack("<L", start + 5)
    saved.write_bytes(data[:start] + b"     " + data[start:-22] + end)
    check_load_fails(saved, "between or after")
    npz(saved, **{name: npy(array) for name, array in good.items()})
    with zipfile.ZipFile(saved, "a") as archive:
        archive.writestr("query.b", npy(good["query.b"] + 1))
    check_load_fails(saved, "a member comes twice")


def test_load_refuses_hostile_safetensors(tmp_path):
    saved = in_format("safetensors", tmp_path)
    from safetensors.numpy import save

    model = unit_model(LSTM(2))
    arrays, meta = pack(model)
    text = json.dumps(meta)
    sealed = array_files.seal(text, arrays).hexdigest() + text
    hostile = {
        "another program's": save(arrays, {"format": "pt"}),
        "no checksum": save(arrays, {"lstm_edu": text}),
        "other weights": save(arrays | {"query.b": arrays["query.b"] + 1}, {"lstm_edu": sealed}),
        "an array too few": save({"query.b": arrays["query.b"]}, {"lstm_edu": sealed}),
        "a header with a false length": (2**62).to_bytes(8, "little") + b"{}",
        "a vast header": (30_000_000).to_bytes(8, "little") + b" " * 30_000_000,
        "a pickle": pickle.dumps(Bomb),
        "nothing": b"",
    }
    for name, content in hostile.items():
        saved.write_bytes(content)
        assert check_load_fails(saved) < 1_000_000, name
    saved.write_bytes(save(arrays, {"lstm_edu": sealed}))
    assert (lstm_edu.load(saved).encode_query(TEXTS) == model.encode_query(TEXTS)).all()
    model.save(tmp_path / "m.npz")
    os.replace(tmp_path / "m.npz", saved)
    assert lstm_edu.load(saved).cell == LSTM(2)  # loads an .npz file despite its extension
