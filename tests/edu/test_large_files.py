"""Tests of streaming logs and lists of titles that may be larger than memory."""

import os

import numpy as np
import pytest
from conftest import needs
from refusal import refused
from small_log import HASHING, PAIRS

from lstm_edu import LSTM, DualEncoder, LetterTrigrams, read_pairs, train
from lstm_edu.readers import iter_pairs, read_titles
from lstm_tools import nearest, vectors


def test_training_on_streamed_log_writes_same_file_as_on_list(tmp_path):
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


@pytest.fixture
def encoded(tmp_path, monkeypatch):
    """Encode a file of titles in blocks; return the model and the paths of titles and vectors."""
    monkeypatch.setattr("lstm_tools.vectors.LINES", 7)
    path = tmp_path / "titles.txt"
    path.write_text("".join(f"{title}\n" for _, title in PAIRS), encoding="utf-8")
    model = DualEncoder(LSTM(4), HASHING)
    vectors.encode_titles(model, path, tmp_path / "expected.npy")
    return model, path, tmp_path / "expected.npy"


@needs("links for every user")
def test_encode_titles_refuses_to_overwrite_its_input(encoded, tmp_path):
    model, path, _ = encoded
    before, links = path.read_bytes(), [tmp_path / "hard", tmp_path / "soft"]
    os.link(path, links[0])
    os.symlink(path, links[1])
    for read, written in [(path, path), *((path, link) for link in links), (links[1], path)]:
        with refused("^out: .* is an input; must be another file"):
            vectors.encode_titles(model, read, written)
    assert path.read_bytes() == before


def test_encode_titles_writes_searchable_vectors_skips_header_and_refuses_empty_line(
    encoded, tmp_path
):
    model, path, out = encoded
    expected = model.encode_document(read_titles(path))
    found = np.load(out, mmap_mode="r")
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, expected, atol=1e-7)
    queries = model.encode_query(["hotel oslo", "pizza"])
    (_, scores), (_, best) = (nearest.top(queries, titles, 3) for titles in (found, expected))
    np.testing.assert_allclose(scores, best, rtol=0, atol=1e-5)
    path.write_text("title\ninn\n", encoding="utf-8")
    with pytest.warns(UserWarning, match="left out as a header"):
        vectors.encode_titles(model, path, out, header=True)
    assert len(np.load(out)) == 1
    before = out.read_bytes()
    path.write_text("inn\n\n", encoding="utf-8")
    with refused("titles.txt:2: an empty line"):
        vectors.encode_titles(model, path, out)
    assert out.read_bytes() == before
    assert sorted(os.listdir(tmp_path)) == ["expected.npy", "titles.txt"]
