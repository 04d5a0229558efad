"""Tests of `encode`, which can resume, and `rank --vectors`, which checks the vectors' origin."""

import gzip
import pathlib

import numpy as np
import pytest
from small_log import PAIRS, TRAIN, in_files

import lstm_edu
from lstm_edu.__main__ import main
from lstm_tools import vectors

TITLES = [title for _, title in PAIRS]
ENCODE = ["encode", "m.npz", "titles.txt", "--out", "v.npy", "--quiet"]
RANK = ["rank", "m.npz", "titles.txt", "--query", "hotel oslo"]
folder = pytest.fixture(in_files)


@pytest.fixture
def model(folder):
    """Train and return a model; save it as m.npz, and write its titles to titles.txt."""
    assert main([*TRAIN, "--epochs", "2", "--quiet"]) == 0
    write(folder, TITLES)
    return lstm_edu.load("m.npz")


def write(folder, titles):
    text = "".join(f"{title}\n" for title in titles)
    (folder / "titles.txt").write_text(text, encoding="utf-8", newline="\n")


def check_vectors(expected):
    """Compare v.npy with ``expected`` up to rounding, because BLAS may reorder sums."""
    np.testing.assert_allclose(np.load("v.npy"), expected, rtol=0, atol=1e-6)


@pytest.mark.parametrize("side", ["query", "document"])
def test_encode_writes_same_vectors_as_python(model, folder, side, monkeypatch):
    monkeypatch.setattr(vectors, "LINES", 7)
    assert main([*ENCODE, "--side", side]) == 0
    check_vectors(getattr(model, f"encode_{side}")(TITLES))
    assert not (folder / "v.npy.parts").exists()


def test_encode_resumes_and_replaces_damaged_parts(model, folder, monkeypatch, capsys):
    monkeypatch.setattr(vectors, "LINES", 7)
    read, kind, whole, stop = [], type(model), type(model).encode_document, [True]

    def counted(self, texts, n_jobs=None):
        if read and stop:
            raise KeyboardInterrupt
        read.append(texts)
        return whole(self, texts, n_jobs)

    monkeypatch.setattr(kind, "encode_document", counted)
    assert main(ENCODE) == 130
    assert "v.npy.parts keeps the finished blocks" in capsys.readouterr().err
    assert not (folder / "v.npy").exists() and len(list((folder / "v.npy.parts").iterdir())) == 1
    stop.clear()
    monkeypatch.setattr(vectors.os, "remove", lambda path: None)  # keep all parts
    assert main(ENCODE) == 0
    assert sorted(sum(read, [])) == sorted(TITLES)  # each title is encoded once
    check_vectors(whole(model, TITLES))
    for k, part in enumerate((folder / "v.npy.parts").iterdir()):
        part.write_bytes(part.read_bytes()[: -1 - k])  # truncate the part
    with part.open("wb") as file:
        np.savez(file, vectors=np.zeros(3))  # an .npz file with the extension .npy
    write(folder, changed := [*TITLES[:3], "another title", *TITLES[4:]])
    assert main(ENCODE) == 0
    check_vectors(whole(model, changed))


LISTS = {
    "edited": lambda titles: [*titles[:190], "cairo mower faucet", *titles[191:]],
    "swapped": lambda titles: [*titles[:70], titles[71], titles[70], *titles[72:]],
    "longer": lambda titles: [*titles, "one more"],
}


@pytest.mark.parametrize("change", LISTS)
def test_rank_refuses_vectors_of_different_titles(model, folder, change, capsys):
    titles = [f"{title} {k}" for k, title in enumerate(TITLES * 5)][:200]
    changed = LISTS[change](titles)
    write(folder, titles)
    assert main(ENCODE) == main(RANK) == 0
    vectors.encode_titles(model, "titles.txt", "python.npy")
    plain = capsys.readouterr().out
    (folder / "titles.txt").write_bytes("".join(f"{t}\r\n" for t in titles).encode())
    np.save("unsealed.npy", np.load("v.npy"))  # no checksum, so `rank` encodes all titles again
    every = "v.npy", "python.npy", "unsealed.npy"
    for name in every:
        assert main([*RANK, "--vectors", name]) == 0 and capsys.readouterr().out == plain
    write(folder, changed)
    for name in every:
        assert main([*RANK, "--vectors", name]) == 2
        error = capsys.readouterr().err
        same = len(changed) == len(titles)
        assert error.startswith(f"lstm_edu: {name}: {'not the' if same else '200'} vectors")


def test_rank_refuses_vectors_of_wrong_model_side_shape_or_file(model, capsys):
    def said(vectors):
        assert main([*RANK, "--vectors", vectors]) == 2
        return capsys.readouterr().err

    assert main([*ENCODE, "--side", "query"]) == 0
    assert said("v.npy") == "lstm_edu: v.npy: not the vectors of titles.txt by m.npz\n"
    assert main(ENCODE) == 0
    model.document.params["b1"][3] += 1e-6
    model.save("m.npz")
    assert said("v.npy") == "lstm_edu: v.npy: not the vectors of titles.txt by m.npz\n"
    for shape, dtype in [((48, 15), "float32"), ((), "float32"), ((48, 16), "complex64")]:
        np.save("spoilt.npy", np.zeros(shape, dtype))
        expected = f"{dtype} of shape {shape}; the model's are float32 of (titles, 16)\n"
        assert said("spoilt.npy") == "lstm_edu: spoilt.npy: " + expected
    np.savez("other.npz", vectors=np.zeros((48, 16)))
    np.save("objects.npy", np.array([[{}]]), allow_pickle=True)
    pathlib.Path("v.gz").write_bytes(gzip.compress(pathlib.Path("v.npy").read_bytes()))
    for name, kind in {
        "m.npz": "a model of lstm_edu, as .npz",
        "v.gz": "vectors in an .npy, gzipped",
        "other.npz": "an .npz of another program",
        "objects.npy": "pickled Python objects in an .npy",
        ".": "a folder",
    }.items():
        expected = f"{name}: looks like {kind}; expected vectors that encode has written"
        assert said(name) == f"lstm_edu: {expected}{'; gunzip it first' * ('.gz' in name)}\n"
