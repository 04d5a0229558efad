"""Public sets: files of TREC, ir_datasets by name."""
import re
import sys
import types
from typing import NamedTuple

import pytest

import lstm_edu
from lstm_edu import InputError
from lstm_edu.datasets import from_ir_datasets, read_qrels

QUERIES, DOCUMENTS = "q1\thotels in shanghai\nq2\tflights\nq9\tnobody judged this\n", "d1\tShanghai hotels\nd2\tcheap flights\nd3\tweather\n"
QRELS = "q2 0 d2 1\nq1 0 d1 3\nq2 Q0 d1 -2\n\tq1 0   d3\t0\r\n"


def trec(folder, qrels=QRELS, queries=QUERIES, documents=DOCUMENTS):
    paths = [folder / name for name in ("qrels.txt", "queries.tsv", "documents.tsv")]
    for path, text in zip(paths, (qrels, queries, documents)):
        path.write_bytes(text.encode() if isinstance(text, str) else text)
    return paths


def test_qrels_are_read_as_judgments_are(tmp_path):
    found = read_qrels(*trec(tmp_path))
    assert [search.qid for search in found] == ["q2", "q1"]                          # as they first appear
    again = tmp_path / "judgments.tsv"
    again.write_text("".join(f"{s.qid}\t{s.query}\t{d}\t{t}\t{g}\n" for s in found for d, t, g in zip(*s[2:])))
    assert again.read_text() == ("q2\tflights\td2\tcheap flights\t1\nq2\tflights\td1\tShanghai hotels\t0\n"
                                 "q1\thotels in shanghai\td1\tShanghai hotels\t3\nq1\thotels in shanghai\td3\tweather\t0\n")
    assert lstm_edu.read_judgments(again) == found


@pytest.mark.parametrize("which, text, said", [
    ("qrels", "q1 0 d1\n", "qrels.txt:1: 3 column(s); expected 4: qid 0 docid grade"),
    ("qrels", "q1 0 d1 1\n\nq2 0 d2 1\n", "qrels.txt:2: 0 column(s)"),
    ("qrels", "q1 0 d1 1\nq1 0 d2 1.5\n", "qrels.txt:2: grade '1.5'; must be a whole number up to 100"),
    ("qrels", "q1 0 d1 101\n", "qrels.txt:1: grade '101'"),
    ("qrels", "q1 0 d1 " + "9" * 9000, "qrels.txt:1: grade '99"),
    ("qrels", "q1 0 d1 ٣\n", "qrels.txt:1: grade '٣'"),
    ("qrels", "q1 0 d1 1\nq2 0 d1 0\nq1 1 d1 0\n", "qrels.txt:3: document 'd1' of qid 'q1' was judged in line 1"),
    ("qrels", "q2 0 d1 1\nq3 0 d1 0\nq3 0 d2 0\n", "qrels.txt:2: qid 'q3' is not in "),
    ("qrels", "q2 0 d1 1\nq1 0 d7 0\nq2 0 d7 0\n", "qrels.txt:2: docid 'd7' is not in "),
    ("qrels", "", "qrels.txt: is empty; expected lines of qid 0 docid grade"),
    ("qrels", b"q1 0 d1 1\nq1 0 d\xff 1\n", "qrels.txt:2: not UTF-8"),
    ("queries", "q1\thotels\nq2 flights\n", "queries.tsv:2: 1 column(s); expected 2: qid <TAB> text"),
    ("queries", "q1\thotels\nq2\tflights\nq1\tmotels\n", "queries.tsv:3: qid 'q1' has a text in line 1"),
    ("documents", "d1\ta\nd2\t \n", "documents.tsv:2: the text is empty"),
    ("documents", "d1\ta\nd1\ta\n", "documents.tsv:2: docid 'd1' has a text in line 1"),
])
def test_bad_trec_files(tmp_path, which, text, said):
    paths = trec(tmp_path, **{which: text})
    with pytest.raises(InputError, match=re.escape(f"{tmp_path}/{said}")) as error:
        read_qrels(*paths)
    assert "\n" not in str(error.value)
    paths[0].unlink()
    with pytest.raises(InputError, match="qrels.txt: No such file"):
        read_qrels(*paths)


# --- ir_datasets ---

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
        return lambda: (_ for _ in ()).throw(OSError("no route\nto host")) if self.broken and what == "docs" else iter(self.entries[what])


@pytest.fixture
def fake(monkeypatch):
    queries = [Topic("1", " wing\n flow ", "x"), Topic("2", "heat", "y"), Topic("3", "not judged", "z")]
    docs = [Doc("a", "Flow over a\twing", "b"), Doc("b", "", "Heat  in plates"), Doc("c", "Plates", ""), Doc("e", " ", " "), Doc("f", "unused", "")]
    qrels = [Qrel("1", "a", 3), Qrel("1", "c", -1), Qrel("2", "b", 1), Qrel("2", "c", 0), Qrel("2", "gone", 2),
             Qrel("2", "e", 2), Qrel("2", "b", 0), Qrel("7", "a", 1)]
    sets = {"cranfield": Fake(queries, docs, qrels), "clicks": Fake(queries, docs, [row for row in qrels if row.relevance > 0]),
            "docs-only": Fake(None, docs, None), "far": Fake(queries, docs, qrels, broken=True)}
    monkeypatch.setitem(sys.modules, "ir_datasets", types.SimpleNamespace(load=sets.__getitem__))


def test_pairs_and_judgments_by_name(fake):
    assert from_ir_datasets("cranfield", judged=0) == ([("wing flow", "Flow over a wing"), ("heat", "Heat in plates")], [])
    assert from_ir_datasets("cranfield", judged=1) == ([], [("1", "wing flow", ["a", "c"], ["Flow over a wing", "Plates"], [3, 0]),
                                                            ("2", "heat", ["b", "c"], ["Heat in plates", "Plates"], [1, 0])])
    assert from_ir_datasets("clicks", judged=0, n_queries=1) == ([("wing flow", "Flow over a wing")], [])


def test_no_query_is_in_both(monkeypatch):
    queries = [Query(str(k), f"{'Query' if k % 2 else 'query'} {k // 2}") for k in range(400)]
    of_all = Fake(queries, [Doc("a", "A", ""), Doc("b", "B", "")], [Qrel(q.query_id, d, g) for q in queries for d, g in (("a", 1), ("b", 0))])
    monkeypatch.setitem(sys.modules, "ir_datasets", types.SimpleNamespace(load={"all": of_all}.__getitem__))
    Query.default_text = lambda self: self.text
    pairs, judgments = from_ir_datasets("all", judged=0.25)
    trained, judged = ({text.lower() for text in texts} for texts in ((q for q, _ in pairs), (s.query for s in judgments)))
    assert not trained & judged and len(trained | judged) == 200 and 30 < len(judged) < 70


@pytest.mark.parametrize("name, how, said", [
    ("nowhere", {}, "name: 'nowhere' is no set that ir_datasets knows"),
    ("docs-only", {}, "docs-only: has no queries, qrels"),
    ("far", {}, "far: ir_datasets could not read it (OSError: no route to host)"),
    ("clicks", dict(judged=1), "clicks: the documents of each search have one grade"),
    ("cranfield", dict(judged=2), "judged: 2; must be a share from 0 to 1"),
    ("cranfield", dict(n_queries=0), "n_queries: 0; must be"),
])
def test_what_ir_datasets_cannot_give_is_said_in_one_line(fake, name, how, said):
    with pytest.raises(InputError, match="^" + re.escape(said) + "[^\n]*$"):
        from_ir_datasets(name, **how)


def test_the_real_ir_datasets_reads_a_local_set(tmp_path, monkeypatch):
    monkeypatch.setenv("IR_DATASETS_HOME", str(tmp_path / "home"))
    ir_datasets = pytest.importorskip("ir_datasets", reason="ir_datasets is missing")
    qrels, queries, documents = trec(tmp_path, "q2 0 d2 1\nq2 0 d1 0\nq1 0 d1 3\nq1 0 d3 -1\n")
    monkeypatch.setattr(ir_datasets.registry, "_registered", dict(ir_datasets.registry._registered))
    ir_datasets.registry.register("lstm-edu-local", ir_datasets.create_dataset(str(documents), str(queries), str(qrels)))
    assert from_ir_datasets("lstm-edu-local", judged=1) == ([], read_qrels(qrels, queries, documents))
    assert from_ir_datasets("lstm-edu-local", judged=0)[0] == [("flights", "cheap flights"), ("hotels in shanghai", "Shanghai hotels")]
    with pytest.raises(InputError, match="'no-such-set' is no set"):
        from_ir_datasets("no-such-set")


def test_missing_libraries_are_said_in_one_line(monkeypatch):
    monkeypatch.setitem(sys.modules, "pooch", None)
    monkeypatch.setitem(sys.modules, "ir_datasets", None)
    with pytest.raises(InputError, match=r"fetch needs pooch: pip install 'lstm_edu\[data\]'"):
        lstm_edu.fetch("msrd")
    with pytest.raises(InputError, match=r"from_ir_datasets needs ir_datasets: pip install 'lstm_edu\[data\]'"):
        from_ir_datasets("cranfield")
    with pytest.raises(AttributeError, match="no attribute 'fetches'"):
        lstm_edu.fetches
