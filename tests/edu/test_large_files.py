"""Logs and lists of titles larger than memory are read in passing, and no text is kept."""

import os
import subprocess
import sys
import weakref

import numpy as np
import pytest
from conftest import needs
from hypothesis import given
from hypothesis import strategies as st
from refusal import refused
from small_log import HASHING, PAIRS

from lstm_edu import LSTM, DualEncoder, LetterTrigrams, read_pairs, train
from lstm_edu.data.readers import iter_pairs, read_titles
from lstm_edu.ranking import nearest
from lstm_edu.text import sentences
from lstm_edu.training import minibatches


class Text(str):
    """A text that can be watched."""


def test_of_pairs_that_come_one_by_one_none_is_kept():
    alive, most = weakref.WeakSet(), []

    def one_by_one():
        for query, title in PAIRS * 5:
            pair = Text(query), Text(title)
            for text in pair:
                alive.add(text)
            most.append(len(list(alive)))
            yield pair

    hashing = LetterTrigrams.fit(text for pair in one_by_one() for text in pair)
    assert hashing.trigrams == HASHING.trigrams
    model = DualEncoder(LSTM(2), hashing)
    train(model, one_by_one(), epochs=1)
    assert len(most) == 2 * 5 * len(PAIRS) and max(most) <= 4


def test_a_file_read_in_passing_trains_the_same_model(tmp_path):
    path, models = tmp_path / "pairs.tsv", []
    more = [(q.upper(), f" {d}") for q, d in PAIRS]
    path.write_text("".join(f"{q}\t{d}\n" for q, d in PAIRS[::2] + more), encoding="utf-8")
    assert list(iter_pairs(path)) == read_pairs(path)
    for read in (read_pairs, iter_pairs):
        hashing = LetterTrigrams.fit(text for pair in read(path) for text in pair)
        how = {"batch_size": 16, "held_out": 0.2, "checkpoint": tmp_path / "m.npz"}
        train(DualEncoder(LSTM(4), hashing), read(path), epochs=2, **how)
        models.append((tmp_path / "m.npz").read_bytes())
        (tmp_path / "m.npz").unlink()
    assert models[0] == models[1]


def test_a_bad_line_is_named_when_it_comes_and_nothing_is_trained(tmp_path):
    path = tmp_path / "pairs.tsv"
    path.write_text("".join(f"{q}\t{d}\n" for q, d in PAIRS) + "hotel\n", encoding="utf-8")
    model = DualEncoder(LSTM(2), HASHING)
    before, reading = model.query.weights["W"].copy(), iter_pairs(path)
    assert [next(reading) for _ in PAIRS] == PAIRS
    for read in (
        lambda: next(reading),
        lambda: train(model, iter_pairs(path), checkpoint=tmp_path / "m.npz"),
    ):
        with refused(f"pairs.tsv:{len(PAIRS) + 1}: 1 column"):
            read()
    assert (model.query.weights["W"] == before).all() and not (tmp_path / "m.npz").exists()


FEW = st.lists(st.sampled_from(["a", "B", "b", "ab", "Ж"]), min_size=1, max_size=3).map("  ".join)


@pytest.mark.filterwarnings("ignore:.*no letter trigram")
@given(st.lists(st.tuples(FEW, FEW), min_size=1, max_size=30))
def test_texts_are_numbered_in_the_order_in_which_they_come(pairs):
    """Against a dictionary of the texts themselves."""
    known = LetterTrigrams(["#a#", "#b#", "#ab", "ab#", "#ж#"])
    log = minibatches.from_pairs(iter(pairs), known)
    read_as = zip(map(list, zip(*pairs)), (log.query, log.title), (log.queries, log.titles))
    for texts, ids, read in read_as:
        plain = [" ".join(text.lower().split()) for text in texts]
        distinct = list(dict.fromkeys(plain))
        assert [distinct[k] for k in ids] == plain
        expected = sentences.from_texts(distinct, known)
        assert read.ids.tolist() == expected.ids.tolist()
        assert read.starts.tolist() == expected.starts.tolist()
        assert (read.Wh != expected.Wh).nnz == 0


@pytest.fixture
def encoded(tmp_path, monkeypatch):
    """A model, the file of its titles, read block by block, and what they are encoded to."""
    monkeypatch.setattr("lstm_edu.models.dual_encoder.LINES", 7)
    path = tmp_path / "titles.txt"
    path.write_text("".join(f"{title}\n" for _, title in PAIRS), encoding="utf-8")
    model = DualEncoder(LSTM(4), HASHING)
    model.encode_titles(path, tmp_path / "expected.npy")
    return model, path, tmp_path / "expected.npy"


@needs("named pipes")
def test_titles_come_through_a_pipe(encoded, tmp_path):
    model, path, expected = encoded
    os.mkfifo(tmp_path / "pipe")
    code = "import sys; open(sys.argv[2], 'wb').write(open(sys.argv[1], 'rb').read())"
    writer = subprocess.Popen([sys.executable, "-c", code, path, tmp_path / "pipe"])
    model.encode_titles(tmp_path / "pipe", tmp_path / "out.npy")
    assert not writer.wait()
    assert (tmp_path / "out.npy").read_bytes() == expected.read_bytes()


def during(model, monkeypatch, happens):
    """Something happens when the second block of titles is encoded."""
    encode, calls = model.encode_document, []

    def encode_document(*args):
        calls.append(args)
        if len(calls) == 2:
            happens()
        return encode(*args)

    monkeypatch.setattr(model, "encode_document", encode_document)


def test_a_file_of_titles_that_grows_meanwhile(encoded, tmp_path, monkeypatch):
    model, path, expected = encoded

    def grow():
        with open(path, "a", encoding="utf-8", newline="") as file:
            file.write("oslo inn\n" * 5)

    during(model, monkeypatch, grow)
    model.encode_titles(path, tmp_path / "out.npy")
    found = np.load(tmp_path / "out.npy")
    assert len(found) == len(PAIRS) + 5  # the last block is another, and its sums are rounded so
    np.testing.assert_allclose(found[: len(PAIRS)], np.load(expected), rtol=0, atol=1e-7)


def test_a_file_of_titles_that_shrinks_meanwhile(encoded, tmp_path, monkeypatch):
    model, path, expected = encoded
    before = expected.read_bytes()
    during(model, monkeypatch, lambda: path.write_text("a\n", encoding="utf-8"))
    with refused("titles.txt: was cut short while it was read"):
        model.encode_titles(path, expected)
    assert expected.read_bytes() == before
    assert sorted(os.listdir(tmp_path)) == ["expected.npy", "titles.txt"]


@pytest.mark.parametrize("link", [None, os.link, os.symlink])
def test_titles_are_not_replaced_by_what_they_are_encoded_to(encoded, tmp_path, link):
    model, path, _ = encoded
    before, out = path.read_bytes(), path if link is None else tmp_path / "link"
    if link is not None:
        try:
            link(path, out)
        except OSError:
            pytest.skip("no links here")
    for read, written in ((path, out), (out, path)):
        with refused("^out: .* is to be read, not written"):
            model.encode_titles(read, written)
    assert path.read_bytes() == before


def test_titles_are_encoded_and_searched_from_file_to_file(encoded, tmp_path):
    model, path, out = encoded
    expected = model.encode_document(read_titles(path))
    found = np.load(out, mmap_mode="r")
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, expected, atol=1e-7)
    queries = model.encode_query(["hotel oslo", "pizza"])
    (_, scores), (_, best) = (nearest.top(queries, titles, 3) for titles in (found, expected))
    np.testing.assert_allclose(scores, best, rtol=0, atol=1e-5)
    before = out.read_bytes()
    path.write_text("inn\n\n", encoding="utf-8")
    with refused("titles.txt:2: the title is empty"):
        model.encode_titles(path, out)
    assert out.read_bytes() == before
    assert sorted(os.listdir(tmp_path)) == ["expected.npy", "titles.txt"]
