"""Tests of `from_ir_datasets` on small local files that are registered as a data set."""

import locale

import pytest
from refusal import refused
from trec_files import write_three

from lstm_tools.formats.datasets import from_ir_datasets


@pytest.fixture
def register(tmp_path, monkeypatch):
    """Return a function that registers three files as the data set "local"."""
    monkeypatch.setenv("IR_DATASETS_HOME", str(tmp_path / "home"))
    ir_datasets = pytest.importorskip("ir_datasets", reason="ir_datasets is missing")
    registry, every = ir_datasets.registry, ir_datasets.registry._registered

    def register(*texts, docs=None):
        monkeypatch.setattr(registry, "_registered", dict(every))
        paths = write_three(tmp_path, *texts)
        qrels, queries, documents = map(str, paths)
        made = ir_datasets.create_dataset(documents, queries, qrels)
        if docs is not None:
            monkeypatch.setattr(made._constituents[0], "docs_iter", lambda: iter(docs))
        registry.register("local", made)
        return paths

    return register


QUERIES = "1\t wing  flow \n2\theat\n3\tnot judged\n"
DOCUMENTS = "a\tFlow over a wing\nb\tHeat  in plates\nc\tPlates\ne\t \nf\tunused\n"
QRELS = "1 a 3|1 c -1|2 b 1|2 c 0|2 gone 2|2 e 2|2 b 0|7 a 1"


def as_qrels(rows):
    return "".join("{} 0 {} {}\n".format(*row.split()) for row in rows.split("|"))


def test_from_ir_datasets_reads_pairs_and_judgments_of_local_files(register):
    _, _, documents = register(as_qrels(QRELS), QUERIES, DOCUMENTS)
    pairs = [("wing flow", "Flow over a wing"), ("heat", "Heat in plates")]
    with pytest.warns(UserWarning, match="local: has no text for 2 of 5 judged docids"):
        assert from_ir_datasets("local", judged=0) == (pairs, [])
        assert from_ir_datasets("local", judged=0, n_queries=1) == (pairs[:1], [])
    wing = "1", "wing flow", ["a", "c"], ["Flow over a wing", "Plates"], [3, 0]
    titles = ["Heat in plates", "Plates", "", ""]
    heat = "2", "heat", ["b", "c", "gone", "e"], titles, [1, 0, 2, 2]
    unasked = "7", "", ["a"], [""], [1]
    with pytest.warns(UserWarning, match="local: has no text for 1 of 3 judged qids"):
        assert from_ir_datasets("local", judged=1) == ([], [wing, heat, unasked])
    with refused("^nfcorpus: has no queries, qrels; must have queries, docs, qrels"):
        from_ir_datasets("nfcorpus")
    documents.unlink()
    with refused("^local: ir_datasets could not read it .*documents.tsv"):
        from_ir_datasets("local")


def test_from_ir_datasets_reads_title_or_text_of_document(register):
    from ir_datasets.datasets.cranfield import CranfieldDoc
    from ir_datasets.formats import ToucheImageDoc  # a document class without default_text

    docs = [CranfieldDoc("a", "flow", "a body", "me", "j."), CranfieldDoc("b", "", "heat", "", "")]
    docs.append(ToucheImageDoc("c", b"png", b"webp", "url", "phash", []))
    register(as_qrels("1 a 1|1 b 2"), QUERIES, docs=docs)
    assert from_ir_datasets("local", judged=0)[0] == [("wing flow", "flow"), ("wing flow", "heat")]
    assert from_ir_datasets("local", judged=1)[1][0].titles == ["flow", "heat"]
    register(as_qrels("1 a 1|1 b 1"), QUERIES, docs=docs)
    with refused("^local: .* have the same grade, so any order is right; use it only for training"):
        from_ir_datasets("local", judged=1)
    register(as_qrels("1 c 1"), QUERIES, docs=docs)
    with refused("^local: no query with a text has a relevant document with a text$"):
        from_ir_datasets("local", judged=0)


def test_from_ir_datasets_shares_no_query_between_pairs_and_judgments(register):
    queries = [f"{k}\t{'Query' if k % 2 else 'query'} {k // 2}\n" for k in range(400)]
    qrels = as_qrels("|".join(f"{k} {d}" for k in range(400) for d in ("a 1", "c 0")))
    register(qrels, "".join(queries), DOCUMENTS)
    pairs, judgments = from_ir_datasets("local", judged=0.25)
    trained = {query.lower() for query, _ in pairs}
    judged = {search.query.lower() for search in judgments}
    assert not trained & judged and len(trained | judged) == 200 and 30 < len(judged) < 70


def test_refuses_judged_non_ascii_text_unless_default_encoding_is_utf_8(register, monkeypatch):
    """Simulate Windows, where ir_datasets opens tables in the default encoding, cp1252."""
    monkeypatch.setattr(locale, "getpreferredencoding", lambda do_setlocale=True: "cp1252")
    rows = "1 a 1|1 c 0"
    register(as_qrels(rows), QUERIES, DOCUMENTS + "d\tZürich\n")  # not ASCII, but `d` isn't judged
    assert from_ir_datasets("local", judged=1)[1][0].titles == ["Flow over a wing", "Plates"]
    register(as_qrels(rows + "|1 d 1"), QUERIES, DOCUMENTS + "d\tZürich\n")
    with refused("may have read its letters as cp1252, .* PYTHONUTF8=1"):
        from_ir_datasets("local", judged=1)
    monkeypatch.setattr(locale, "getpreferredencoding", lambda do_setlocale=True: "UTF-8")
    assert len(from_ir_datasets("local", judged=1)[1][0].titles) == 3
