"""Public sets by name: pairs and judgments from anything with the calls of ir_datasets."""

import re
import sys
import types
from typing import NamedTuple

import pytest

from lstm_edu import InputError
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

    def __init__(self, queries, docs, qrels, broken=False):
        self.entries, self.broken = dict(queries=queries, docs=docs, qrels=qrels), broken

    def __getattr__(self, name):
        what, _, verb = name.partition("_")
        if what == "has":
            return lambda: self.entries[verb] is not None
        if verb != "iter":
            raise AttributeError(name)
        return lambda: (
            (_ for _ in ()).throw(OSError("no route\nto host"))
            if self.broken and what == "docs"
            else iter(self.entries[what])
        )


@pytest.fixture
def fake(monkeypatch):
    queries = [
        Topic("1", " wing\n flow ", "x"),
        Topic("2", "heat", "y"),
        Topic("3", "not judged", "z"),
    ]
    docs = [
        Doc("a", "Flow over a\twing", "b"),
        Doc("b", "", "Heat  in plates"),
        Doc("c", "Plates", ""),
        Doc("e", " ", " "),
        Doc("f", "unused", ""),
    ]
    qrels = [
        Qrel("1", "a", 3),
        Qrel("1", "c", -1),
        Qrel("2", "b", 1),
        Qrel("2", "c", 0),
        Qrel("2", "gone", 2),
        Qrel("2", "e", 2),
        Qrel("2", "b", 0),
        Qrel("7", "a", 1),
    ]
    sets = {
        "cranfield": Fake(queries, docs, qrels),
        "clicks": Fake(queries, docs, [row for row in qrels if row.relevance > 0]),
        "docs-only": Fake(None, docs, None),
        "far": Fake(queries, docs, qrels, broken=True),
    }
    monkeypatch.setitem(sys.modules, "ir_datasets", types.SimpleNamespace(load=sets.__getitem__))


def test_pairs_and_judgments_by_name(fake):
    assert from_ir_datasets("cranfield", judged=0) == (
        [("wing flow", "Flow over a wing"), ("heat", "Heat in plates")],
        [],
    )
    assert from_ir_datasets("cranfield", judged=1) == (
        [],
        [
            ("1", "wing flow", ["a", "c"], ["Flow over a wing", "Plates"], [3, 0]),
            ("2", "heat", ["b", "c"], ["Heat in plates", "Plates"], [1, 0]),
        ],
    )
    assert from_ir_datasets("clicks", judged=0, n_queries=1) == (
        [("wing flow", "Flow over a wing")],
        [],
    )


def test_no_query_is_in_both(monkeypatch):
    queries = [Query(str(k), f"{'Query' if k % 2 else 'query'} {k // 2}") for k in range(400)]
    of_all = Fake(
        queries,
        [Doc("a", "A", ""), Doc("b", "B", "")],
        [Qrel(q.query_id, d, g) for q in queries for d, g in (("a", 1), ("b", 0))],
    )
    monkeypatch.setitem(
        sys.modules, "ir_datasets", types.SimpleNamespace(load={"all": of_all}.__getitem__)
    )
    Query.default_text = lambda self: self.text
    pairs, judgments = from_ir_datasets("all", judged=0.25)
    trained, judged = (
        {text.lower() for text in texts}
        for texts in ((q for q, _ in pairs), (s.query for s in judgments))
    )
    assert not trained & judged and len(trained | judged) == 200 and 30 < len(judged) < 70


@pytest.mark.parametrize(
    "name, how, said",
    [
        ("nowhere", {}, "name: 'nowhere' is no set that ir_datasets knows"),
        ("docs-only", {}, "docs-only: has no queries, qrels"),
        ("far", {}, "far: ir_datasets could not read it (OSError: no route to host)"),
        ("clicks", dict(judged=1), "clicks: the documents of each search have one grade"),
        ("cranfield", dict(judged=2), "judged: 2; must be a number from 0 to 1"),
        ("cranfield", dict(n_queries=0), "n_queries: 0; must be"),
    ],
)
def test_what_ir_datasets_cannot_give_is_said_in_one_line(fake, name, how, said):
    with pytest.raises(InputError, match="^" + re.escape(said) + "[^\n]*$"):
        from_ir_datasets(name, **how)
