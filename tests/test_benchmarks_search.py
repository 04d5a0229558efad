"""The benchmarks of search among many titles, exact and by an approximate index."""

import json
import sys

import pytest
from conftest import ROOT
from processes import python
from refusal import refused

from lstm_edu import LSTM, DualEncoder, LetterTrigrams

HERE = ROOT / "benchmarks"


def test_json_to_standard_output_is_json_alone():
    done = python(HERE / "search.py", "--titles", "2000", "--json")
    assert json.loads(done.stdout)["search"]["titles"] == 2000


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
    assert "10000 lists: recall@10 1.0" in approximate.table({"approximate": found})
    titles = (tmp_path / "titles.txt").read_text(encoding="utf-8").splitlines()
    assert len(set(titles)) == 2000
    # what is there is not made again
    (tmp_path / "titles.txt").write_text("", encoding="utf-8")
    assert approximate.measure(tmp_path, 3000)["seconds"] == seconds


def test_without_faiss_the_benchmark_says_so(approximate, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "faiss", None)
    with refused("this benchmark needs faiss: pip install faiss-cpu"):
        approximate.measure(tmp_path, 20)
