"""`encode` writes what Python encodes, and goes on if stopped; `rank --vectors`; `info`."""

import json

import numpy as np
import pytest
from small_log import HASHING, PAIRS, TRAIN, in_files

import lstm_edu
from lstm_edu.__main__ import main
from lstm_edu.cli import encode

TITLES = [title for _, title in PAIRS]
ENCODE = ["encode", "m.npz", "titles.txt", "--out", "v.npy", "--quiet"]
folder = pytest.fixture(in_files)


@pytest.fixture
def model(folder):
    """A model in m.npz, and its titles in titles.txt."""
    assert main([*TRAIN, "--epochs", "2", "--quiet"]) == 0
    write(folder, TITLES)
    return lstm_edu.load("m.npz")


def write(folder, titles):
    text = "".join(f"{title}\n" for title in titles)
    (folder / "titles.txt").write_text(text, encoding="utf-8", newline="\n")


def check_vectors(expected):
    """To float32's rounding: in blocks of other sizes BLAS adds in another order."""
    np.testing.assert_allclose(np.load("v.npy"), expected, rtol=0, atol=1e-6)


@pytest.mark.parametrize("side", ["query", "document"])
def test_it_writes_what_python_encodes(model, folder, side, monkeypatch):
    monkeypatch.setattr(encode, "LINES", 7)
    assert main([*ENCODE, "--side", side]) == 0
    by_python = getattr(model, f"encode_{side}")(TITLES)
    check_vectors(by_python)
    assert not (folder / "v.npy.parts").exists()


def test_stopped_it_goes_on_where_it_was(model, folder, monkeypatch, capsys):
    monkeypatch.setattr(encode, "LINES", 7)
    read, kind = [], type(model)
    whole = kind.encode_document

    def once(self, texts, n_jobs=None):
        if read:
            raise KeyboardInterrupt
        read.append(texts)
        return whole(self, texts, n_jobs)

    monkeypatch.setattr(kind, "encode_document", once)
    assert main(ENCODE) == 130
    assert "v.npy.parts keeps what is done" in capsys.readouterr().err
    assert not (folder / "v.npy").exists() and len(list((folder / "v.npy.parts").iterdir())) == 1

    def counted(self, texts, n_jobs=None):
        read.append(texts)
        return whole(self, texts, n_jobs)

    monkeypatch.setattr(kind, "encode_document", counted)
    assert main(ENCODE) == 0
    assert sorted(sum(read, [])) == sorted(TITLES)  # each title once
    check_vectors(whole(model, TITLES))


def test_a_part_that_is_damaged_or_of_other_titles_is_done_again(model, folder, monkeypatch):
    monkeypatch.setattr(encode, "LINES", 7)
    monkeypatch.setattr(encode.os, "remove", lambda path: None)  # keeps the parts
    assert main(ENCODE) == 0
    for k, part in enumerate((folder / "v.npy.parts").iterdir()):
        part.write_bytes(part.read_bytes()[: -1 - k])
    changed = [*TITLES[:3], "another title", *TITLES[4:]]
    write(folder, changed)
    assert main(ENCODE) == 0
    check_vectors(model.encode_document(changed))


@pytest.mark.parametrize("many", [False, True], ids=["a query", "a run"])
def test_ranking_by_vectors_is_ranking(model, folder, many, capsys):
    (folder / "q.tsv").write_text("1\thotel oslo\n2\tcheap bus\n", encoding="utf-8", newline="\n")
    assert main(ENCODE) == 0
    how = ["--queries", "q.tsv", "--run", "run.txt"] if many else ["--query", "hotel oslo"]
    command = ["rank", "m.npz", "titles.txt", "--top", "5", *how]
    said = []
    for more in ([], ["--vectors", "v.npy"]):
        assert main([*command, *more]) == 0
        out = capsys.readouterr().out
        said.append((folder / "run.txt").read_text(encoding="utf-8") if many else out)
    assert said[0] == said[1] and len(said[0].splitlines()) == (10 if many else 5)


def edited(titles):
    return [*titles[:1900], "cairo mower faucet", *titles[1901:]]


def swapped(titles):
    return [*titles[:700], titles[1500], *titles[701:1500], titles[700], *titles[1501:]]


@pytest.mark.parametrize("change", [edited, swapped, lambda t: t[1:], lambda t: [*t, "one more"]])
def test_vectors_of_another_list_are_refused_wherever_it_differs(model, folder, change, capsys):
    titles = [f"{title} {k}" for k, title in enumerate(TITLES * 42)][:2000]
    write(folder, titles)
    assert main(ENCODE) == 0
    model.encode_titles("titles.txt", "python.npy")
    command = ["rank", "m.npz", "titles.txt", "--query", titles[700]]
    plain = said(capsys, command)
    (folder / "titles.txt").write_bytes("".join(f"{t}\r\n" for t in titles).encode())
    np.save("unsealed.npy", np.load("v.npy"))  # all are encoded again
    for vectors in ("v.npy", "python.npy", "unsealed.npy"):
        assert said(capsys, [*command, "--vectors", vectors]) == plain
    write(folder, change(titles))
    for vectors in ("v.npy", "python.npy", "unsealed.npy"):
        assert main([*command, "--vectors", vectors]) == 2
        told = capsys.readouterr().err
        same = len(change(titles)) == len(titles)
        assert told.startswith(f"lstm_edu: {vectors}: {'not the' if same else '2,000'} vectors")


def said(capsys, command):
    assert main(command) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("side, changed", [("query", 0), ("document", 1e-6)])
def test_vectors_by_another_model_or_side_are_refused(folder, side, changed, capsys):
    model = lstm_edu.DualEncoder(lstm_edu.LSTM(16), HASHING)  # both sides begin alike
    model.save("m.npz")
    assert main([*ENCODE, "--side", side]) == 0
    model.document.params["b1"][3] += changed
    model.save("m.npz")
    command = ["rank", "m.npz", "titles.txt", "--vectors", "v.npy", "--query", "hotel"]
    assert main(command) == 2
    told = "lstm_edu: v.npy: not the vectors of titles.txt by m.npz\n"
    assert capsys.readouterr().err == told


SPOILT = [
    (lambda v: v[:, :-1], "v.npy: of shape (48, 15); the model's are (titles, 16)"),
    (lambda v: v[0], "v.npy: of shape (16,); the model's are (titles, 16)"),
]


@pytest.mark.parametrize("spoil, said", SPOILT)
def test_vectors_of_another_shape_are_refused(model, spoil, said, capsys):
    assert len(TITLES) == 48
    np.save("v.npy", spoil(model.encode_document(TITLES)))
    command = ["rank", "m.npz", "titles.txt", "--vectors", "v.npy", "--query", "hotel"]
    assert main(command) == 2
    assert capsys.readouterr().err == f"lstm_edu: {said}\n"


def test_aligned_words_have_no_one_vector(folder, capsys):
    assert main([*TRAIN, "--epochs", "1", "--quiet", "--aligned"]) == 0
    for command in (ENCODE, ["rank", "m.npz", "titles.txt", "--vectors", "v", "--query", "a"]):
        assert main(command) == 2
        assert "m.npz aligns words" in capsys.readouterr().err.replace(":", "")


def test_info_and_repr_say_what_a_model_is(model, capsys):
    assert main(["info", "m.npz"]) == 0
    said = dict(line.split(":", 1) for line in capsys.readouterr().out.splitlines())
    assert said["cell"].strip() == repr(model.cell)
    assert said["training"].strip() == "2 epochs" and said["file"].strip().startswith("npz, ")
    assert float(said["last cost"]) == round(model.training["history"]["cost"][-1], 4)
    assert main(["info", "m.npz", "--json"]) == 0
    size = model.hashing.size
    assert json.loads(capsys.readouterr().out)["letter trigrams"].startswith(f"{size} ")
    parts = f"{size} letter trigrams, {model.n_parameters:,} parameters, training: 2 epochs"
    assert repr(model) == f"DualEncoder({model.cell!r}, {parts})"
    new = lstm_edu.DualEncoder(model.cell, model.hashing)
    assert repr(new).endswith("training: none)")


def test_train_says_how_long_and_what_next(folder, capsys):
    assert main([*TRAIN, "--epochs", "2"]) == 0
    first, second, last = capsys.readouterr().out.splitlines()
    assert first.startswith("epoch   1 of 2  cost ") and first.endswith(" s to go")
    assert second.startswith("epoch   2 of 2  cost ") and "to go" not in second
    assert last == 'm.npz is trained: python -m lstm_edu rank m.npz TITLES --query "..."'
    assert main([*TRAIN, "--epochs", "3", "--resume"]) == 2
    assert capsys.readouterr().err.endswith("to train it for longer, --start-from it\n")
    other = "".join(f"{q} zzyzx\t{d}\n" for q, d in PAIRS)
    (folder / "other.tsv").write_text(other, encoding="utf-8", newline="\n")
    again = ["train", "other.tsv", "--out", "n.npz", "--start-from", "m.npz", "--epochs", "1"]
    assert main(again) == 0
    known, new = set(HASHING.trigrams), set(lstm_edu.letter_trigrams("zzyzx"))
    share = len(new - known) / len(new | known)
    assert f"{share:.1%} of this log's letter trigrams" in capsys.readouterr().err
