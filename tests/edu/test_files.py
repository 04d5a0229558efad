"""Model files: whole or not at all, nothing run, every damage a clear error."""

import io
import json
import os
import pickle
import struct
import sys
import zipfile

import numpy as np
import pytest
from conftest import CELLS, HASHING, TEXTS, cell_name, unit_model
from refusal import memory, refused

import lstm_edu
from lstm_edu import LSTM, DualEncoder, InputError
from lstm_edu._util import array_files, files
from lstm_edu.models.model_file import pack
from lstm_edu.text.hashing import RULE


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
    assert (again.cell, again.dtype) == (cell, model.dtype)
    assert (again.hashing.trigrams, again.hashing.rule) == (HASHING.trigrams, RULE)
    assert (again.encode_query(TEXTS) == model.encode_query(TEXTS)).all()
    assert (again.encode_document(TEXTS) == model.encode_document(TEXTS)).all()
    for side in ("query", "document"):
        for name, w in getattr(model, side).weights.items():
            found = getattr(again, side).weights[name]
            assert found.tobytes() == w.tobytes() and found.flags.writeable
    again.save(tmp_path / f"again.{format}")
    assert path.read_bytes() == (tmp_path / f"again.{format}").read_bytes()


@FORMATS
def test_a_truncated_file_is_refused_wherever_it_ends(tmp_path, format):
    saved = in_format(format, tmp_path)
    DualEncoder(LSTM(2), HASHING).save(saved)
    whole = saved.read_bytes()
    for length in [*range(0, len(whole), 97), len(whole) - 1]:
        saved.write_bytes(whole[:length])
        with refused("damaged or cut short"):
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
    whole, bomb = {n: npy(a) for n, a in good.items()}, npy(np.array(Bomb(), object))
    zeros = npy(np.zeros(10_000_000))
    other = npy(np.frombuffer(b'{"format": "x", "version": 1}', np.uint8))
    hostile = {
        "a pickle": lambda: saved.write_bytes(pickle.dumps(Bomb())),
        "a pickle for an array": lambda: npz(saved, **whole | {"query.b": bomb}),
        "a pickle for the facts": lambda: npz(saved, meta=npy(np.array([Bomb()], object))),
        "an array larger than the file": lambda: npz(saved, meta=header),
        "a zip bomb": lambda: npz(saved, meta=zeros, compression=zipfile.ZIP_DEFLATED),
        "no facts": lambda: npz(saved, **{n: a for n, a in whole.items() if n != "meta"}),
        "no weights": lambda: npz(saved, meta=whole["meta"]),
        "another format": lambda: npz(saved, **whole | {"meta": other}),
        "a text": lambda: saved.write_text("hello", encoding="utf-8"),
        "nothing": lambda: saved.write_bytes(b""),
        "no numbers": lambda: npz(saved, **whole | {"query.W": npy(good["query.W"] * np.nan)}),
    }
    for changed in (
        *({"cell": "os"}, {"dtype": "O"}, {"dtype": "float16"}, {"training": 7}),
        *({"arguments": wrong} for wrong in ({"n_cells": 10**9}, {"n_cells": -1}, 3)),
        *({"trigrams": wrong} for wrong in (["abc"], "abc", [["a"]])),
        {"bidirectional": True},
    ):
        text = np.frombuffer(json.dumps(meta | changed).encode(), np.uint8)
        hostile[str(changed)] = lambda text=text: npz(saved, **whole | {"meta": npy(text)})
    for name, write in hostile.items():
        write()
        with refused() as error:
            lstm_edu.load(saved)
        assert "\n" not in str(error.value), name
    assert not (tmp_path / "went off").exists()


def overlapping(path, content, n):
    """A file of one stored member that its list of members names so often."""
    npz(path, a=content)
    data = path.read_bytes()
    start = data.index(b"PK\1\2")
    entry, end = data[start:-22], data[-22:]
    entries = [entry.replace(b"a.npy", b"%05d" % k) for k in range(n)]
    sizes = struct.pack("<2H2L", n, n, n * len(entry), start)
    path.write_bytes(data[:start] + b"".join(entries) + end[:8] + sizes + end[-2:])


def test_a_file_takes_no_more_memory_than_it_is_long(saved, monkeypatch):
    """Whatever it says, before anything of it is unpacked."""
    good = dict(np.load(saved))
    arrays = {n: npy(a) for n, a in good.items() if n != "meta"}
    spaces = np.frombuffer(good["meta"].tobytes() + b" " * 30_000_000, np.uint8)
    facts, zeros = npy(good["meta"]), npy(np.zeros(10**7))
    big, deflated = npy(np.zeros(100_000)), zipfile.ZIP_DEFLATED
    hostile = {
        "overlapping members": lambda: overlapping(saved, big, 200),
        "deflated facts": lambda: npz(saved, meta=npy(spaces), compression=deflated, **arrays),
        "deflated weights": lambda: npz(saved, meta=facts, a=zeros, compression=deflated),
        "many facts": lambda: npz(saved, meta=npy(spaces), **arrays),
    }
    for name, write in hostile.items():
        write()
        said = "'meta.npy' is compressed" if "deflated" in name else "not behind|of itself"
        assert load_fails(saved, said) < 4_000_000, name
    # as many as there are of arrays they may be
    monkeypatch.setattr(array_files, "MOST_FACTS", 0)
    npz(saved, meta=npy(spaces[:5000]), a=npy(np.zeros(1000)), **arrays)
    assert lstm_edu.load(saved).cell == LSTM(2)


def load_fails(path, said="damaged"):
    """The memory that it takes to say so."""
    with memory() as taken, refused(said) as error:
        lstm_edu.load(path)
    assert "damaged or cut short" in str(error.value)
    return taken()


def test_a_header_of_safetensors_is_not_read_if_it_is_vast(tmp_path):
    saved = in_format("safetensors", tmp_path)
    saved.write_bytes((30_000_000).to_bytes(8, "little") + b" " * 30_000_000)
    assert load_fails(saved, "30,000,000 bytes of itself") < 1_000_000


@FORMATS
def test_what_could_not_be_read_is_not_written(tmp_path, monkeypatch, format):
    path = in_format(format, tmp_path)
    monkeypatch.setattr(array_files, "MOST_FACTS", 5000)
    model = unit_model(LSTM(1))
    model.training = {"notes": "x" * 9000}
    with refused("bytes beside the arrays; at most 5,000"):
        model.save(path)
    assert not os.listdir(tmp_path)


@FORMATS
def test_nothing_comes_before_or_after_a_model(tmp_path, format):
    """Two models in a row are not one of them."""
    path = in_format(format, tmp_path)
    unit_model(LSTM(2)).save(path)
    whole = path.read_bytes()
    unit_model(LSTM(3)).save(path)
    other = path.read_bytes()
    a_comment = whole[:-2] + b"\4\0junk"  # in a zip
    for content in (
        *(b"junk" + whole, other + whole, whole + other),
        *(whole + b"\0", whole + whole[-22:], a_comment),
    ):
        path.write_bytes(content)
        load_fails(path)
    path.write_bytes(whole)
    assert lstm_edu.load(path).cell == LSTM(2)


def test_two_members_of_one_name_are_refused(saved):
    good = dict(np.load(saved))
    with zipfile.ZipFile(saved, "w") as archive:
        for name in good:
            archive.writestr(name + ".npy", npy(good[name]))
        archive.writestr("query.b", npy(good["query.b"] + 1))
    assert load_fails(saved, "member 'query.b' is there twice") < 50 * saved.stat().st_size


def test_a_gap_between_members_is_refused(saved):
    data = saved.read_bytes()
    start = data.index(b"PK\1\2")
    end = bytearray(data[-22:])
    end[16:20] = struct.pack("<L", start + 5)
    saved.write_bytes(data[:start] + b"     " + data[start:-22] + end)
    assert load_fails(saved, "before or after") < 50 * saved.stat().st_size


def test_what_is_said_of_a_damaged_file_is_a_line_without_advice(saved):
    header = "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }" + " " * 20_000
    version_2 = b"\x93NUMPY\2\0" + struct.pack("<L", len(header)) + header.encode() + b"\0" * 8
    npz(saved, meta=version_2)
    with refused() as error:
        lstm_edu.load(saved)
    assert "allow" not in str(error.value)


def test_hostile_safetensors(tmp_path):
    saved = in_format("safetensors", tmp_path)
    from safetensors.numpy import save

    model = unit_model(LSTM(2))
    arrays, meta = pack(model)
    text = json.dumps(meta)
    sealed = array_files.seal(text, arrays).hexdigest() + text
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
        with refused("damaged or cut short") as error:
            lstm_edu.load(saved)
        assert "\n" not in str(error.value), name
    saved.write_bytes(save(arrays, {"lstm_edu": sealed}))
    assert (lstm_edu.load(saved).encode_query(TEXTS) == model.encode_query(TEXTS)).all()
    model.save(tmp_path / "m.npz")
    os.replace(tmp_path / "m.npz", saved)
    with refused("not an lstm_edu model file"):
        lstm_edu.load(saved)


def test_without_safetensors_that_is_said_before_an_hour_of_training(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "safetensors", None)
    monkeypatch.setitem(sys.modules, "safetensors.numpy", None)
    path, said = tmp_path / "m.safetensors", r'needs safetensors: pip install "lstm_edu\[safeten'
    for use in (files.check_writable, unit_model(LSTM(2)).save, lstm_edu.load):
        with refused(said):
            use(path)
    assert not os.listdir(tmp_path)


def test_another_version_says_so(saved):
    arrays, meta = array_files.read_arrays(saved, "lstm_edu model", [2])
    array_files.write_arrays(saved, arrays, meta | {"version": 7})
    with refused("an lstm_edu model file of version 7; this lstm_edu reads up to version 3"):
        lstm_edu.load(saved)
