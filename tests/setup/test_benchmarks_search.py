"""The benchmarks of search among many titles by an approximate index."""

import pytest
from conftest import ROOT

from lstm_edu import LSTM, DualEncoder, LetterTrigrams

HERE = ROOT / "benchmarks"


@pytest.fixture
def approximate(tmp_path, monkeypatch):
    """The benchmark of an approximate index, with a model that has not learned."""
    monkeypatch.syspath_prepend(str(HERE))
    import approximate

    monkeypatch.setattr(approximate, "PROBES", (1, 10_000))
    hashing = LetterTrigrams.fit(["hotels in shanghai", "fix a thermostat", "boston to denver"])
    DualEncoder(LSTM(8), hashing).save(tmp_path / "model.npz")
    return approximate


def test_an_index_that_looks_into_every_list_finds_what_the_exact_search_finds(
    approximate, tmp_path
):
    pytest.importorskip("faiss", reason="faiss is not installed")
    found = approximate.measure(tmp_path, 2000)
    one, every = found["approximate"]
    assert every["recall"] == 1.0 > one["recall"] > 0.1
    seconds = found["seconds"]
    assert seconds["model"] is None and len(seconds["index"]) == len(seconds["titles"]) == 2
    titles = (tmp_path / "titles.txt").read_text(encoding="utf-8").splitlines()
    assert len(set(titles)) == 2000
    # what is there is not made again
    (tmp_path / "titles.txt").write_text("", encoding="utf-8")
    assert approximate.measure(tmp_path, 3000)["seconds"] == seconds
