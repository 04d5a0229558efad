"""Public sets by name: pairs and judgments from anything with the calls of ir_datasets."""

import sys
import types
from typing import NamedTuple

import pytest

from lstm_edu.data.datasets import from_ir_datasets


class Query(NamedTuple):
    query_id: str
    text: str


class Topic(NamedTuple):
    query_id: str
    title: str
    description: str

    def default_text(self):
        return self.title


class Doc(NamedTuple):
    doc_id: str
    title: str
    body: str

    def default_text(self):
        return f"{self.title} {self.body}"


class Qrel(NamedTuple):
    query_id: str
    doc_id: str
    relevance: int


class Fake:
    """A set with the calls of ir_datasets."""

    def __init__(self, queries, docs, qrels):
        self.entries = dict(queries=queries, docs=docs, qrels=qrels)

    def __getattr__(self, name):
        what, _, verb = name.partition("_")
        if what == "has":
            return lambda: self.entries[verb] is not None
        if verb != "iter":
            raise AttributeError(name)
        return lambda: iter(self.entries[what])


@pytest.fixture
def fake(monkeypatch):
    texts = " wing\n flow ", "heat", "not judged"
    queries = [Topic(str(k), text, "x") for k, text in enumerate(texts, 1)]
    docs = [Doc("a", "Flow over a\twing", "b"), Doc("b", "", "Heat  in plates")]
    docs += [Doc("c", "Plates", ""), Doc("e", " ", " "), Doc("f", "unused", "")]
    rows = "1 a 3|1 c -1|2 b 1|2 c 0|2 gone 2|2 e 2|2 b 0|7 a 1"
    qrels = [Qrel(qid, d, int(g)) for qid, d, g in (row.split() for row in rows.split("|"))]
    sets = {
        "cranfield": Fake(queries, docs, qrels),
        "clicks": Fake(queries, docs, [row for row in qrels if row.relevance > 0]),
    }
    monkeypatch.setitem(sys.modules, "ir_datasets", types.SimpleNamespace(load=sets.__getitem__))


def test_pairs_and_judgments_by_name(fake):
    pairs = [("wing flow", "Flow over a wing"), ("heat", "Heat in plates")]
    assert from_ir_datasets("cranfield", judged=0) == (pairs, [])
    wing = "1", "wing flow", ["a", "c"], ["Flow over a wing", "Plates"], [3, 0]
    titles = ["Heat in plates", "Plates", "", ""]
    heat = "2", "heat", ["b", "c", "gone", "e"], titles, [1, 0, 2, 2]
    unasked = "7", "", ["a"], [""], [1]
    with pytest.warns(UserWarning, match="cranfield: has no text of 2 of 5 judged docids"):
        assert from_ir_datasets("cranfield", judged=1) == ([], [wing, heat, unasked])
    assert from_ir_datasets("clicks", judged=0, n_queries=1) == (pairs[:1], [])


def test_no_query_is_in_both(monkeypatch):
    queries = [Query(str(k), f"{'Query' if k % 2 else 'query'} {k // 2}") for k in range(400)]
    qrels = [Qrel(q.query_id, d, g) for q in queries for d, g in (("a", 1), ("b", 0))]
    of_all = Fake(queries, [Doc("a", "A", ""), Doc("b", "B", "")], qrels)
    monkeypatch.setitem(
        sys.modules, "ir_datasets", types.SimpleNamespace(load={"all": of_all}.__getitem__)
    )
    Query.default_text = lambda self: self.text
    pairs, judgments = from_ir_datasets("all", judged=0.25)
    trained = {query.lower() for query, _ in pairs}
    judged = {search.query.lower() for search in judgments}
    assert not trained & judged and len(trained | judged) == 200 and 30 < len(judged) < 70
