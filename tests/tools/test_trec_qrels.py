"""Qrels as TREC has them, with the texts of queries and documents."""

import os
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusal import refused
from trec_files import IDS, write_three

import lstm_edu
from lstm_edu.data import trec
from lstm_edu.data.readers import Judged


def test_qrels_are_read_as_judgments_are(tmp_path):
    paths = write_three(tmp_path, "q2 0 d2 1\nq1 0 d1 3\nq2 Q0 d1 -2\n\tq1 0   d3\t0\r\n")
    found = trec.read_qrels(*paths)
    assert [search.qid for search in found] == ["q2", "q1"]  # as they first appear
    again = tmp_path / "judgments.tsv"
    again.write_text(
        "q2\tflights\td2\tcheap flights\t1\nq2\tflights\td1\tShanghai hotels\t0\n"
        "q1\thotels in shanghai\td1\tShanghai hotels\t3\nq1\thotels in shanghai\td3\tweather\t0\n",
        encoding="utf-8",
    )
    assert lstm_edu.read_judgments(again) == found
    assert trec.read_grades(paths[0]) == {"q2": {"d2": 1, "d1": 0}, "q1": {"d1": 3, "d3": 0}}
    assert (trec.n_columns(paths[0]), trec.n_columns(again)) == (4, 6)


NAMES = {"qrels": "qrels.txt", "queries": "queries.tsv", "documents": "documents.tsv"}


BAD = [
    ("qrels", "q1 0 d1\n", ":1: 3 column(s); expected 4: qid 0 docid grade"),
    ("qrels", "q1 0 d1 1\nq1 0 d2 1.5\n", ":2: grade '1.5'; must be a whole number up to 100"),
    ("qrels", "q1 0 d1 101\n", ":1: grade '101'"),
    ("qrels", "q1 0 d1 " + "9" * 9000, ":1: grade '99"),
    ("qrels", "q1 0 d1 ٣\n", ":1: grade '٣'"),
    ("qrels", "q1 0 d1 1\nq2 0 d1 0\nq1 1 d1 0\n", ":3: document 'd1' of qid 'q1' was judged in"),
    ("qrels", "q2 0 d1 1\nq3 0 d1 0\nq3 0 d2 0\n", ":2: qid 'q3' is not in "),
    ("qrels", "q2 0 d1 1\nq1 0 d7 0\nq2 0 d7 0\n", ":2: docid 'd7' is not in "),
    ("qrels", "", ": is empty; expected lines of qid 0 docid grade"),
    ("queries", "q1\thotels\nq2 flights\n", ":2: 1 column(s); expected 2: qid <TAB> text"),
    ("documents", "d1\ta\nd1\ta\n", ":2: docid 'd1' has a text in line 1"),
]


@pytest.mark.parametrize("which, text, said", BAD)
def test_bad_qrels_and_texts(tmp_path, which, text, said):
    good = {"qrels": "q2 0 d2 1\nq1 0 d1 3\nq1 0 d3 0\nq2 0 d1 0\n"}
    paths = write_three(tmp_path, **good | {which: text})
    with refused(re.escape(f"{tmp_path}{os.sep}{NAMES[which]}{said}")):
        trec.read_qrels(*paths)
    paths[0].unlink()
    with refused("qrels.txt: No such file"):
        trec.read_qrels(*paths)


TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\t\n\r\0"), min_size=1).filter(
    lambda text: text.strip()
)


@st.composite
def judged(draw):
    titles = draw(st.dictionaries(IDS, TEXTS, min_size=1, max_size=6))
    queries = draw(st.dictionaries(IDS, TEXTS, min_size=1, max_size=4))
    searches = []
    for qid, query in queries.items():
        docids = draw(st.lists(st.sampled_from(sorted(titles)), min_size=1, unique=True))
        grades = [draw(st.integers(0, 100)) for _ in docids]
        searches.append(Judged(qid, query, docids, [titles[d] for d in docids], grades))
    return searches


@given(judged())
def test_qrels_are_read_as_they_were_written(tmp_path_factory, judgments):
    folder = tmp_path_factory.getbasetemp()
    paths = [folder / name for name in ("qrels.txt", "queries.tsv", "documents.tsv")]
    trec.write_qrels(*paths, judgments)
    assert trec.read_qrels(*paths) == judgments


GOOD = Judged("q", "a query", ["d", "e"], ["D", "E"], [1, 0])


NOT_TO_WRITE = [
    ([GOOD._replace(qid="q 1")], "qid 'q 1': cannot stand in TREC's files"),
    ([GOOD._replace(docids=["d", "e\t"])], "docid 'e\\t': cannot"),
    ([GOOD, GOOD], "qid 'q' comes twice"),
    ([GOOD._replace(docids=[], titles=[], grades=[])], "qid 'q' comes twice, or judges no"),
    ([GOOD._replace(docids=["d", "d"])], "judgments[0]: qid 'q' judges a document twice"),
    ([GOOD, GOOD._replace(qid="r", titles=["D", "F"])], "docid 'e' has two texts"),
    ([GOOD._replace(query="two\nlines")], "text 'two\\nlines'; must be one line"),
    ([GOOD._replace(titles=["D", " "])], "text ' '; must be"),
]


@pytest.mark.parametrize("judgments, said", NOT_TO_WRITE)
def test_what_cannot_be_written_as_qrels(tmp_path, judgments, said):
    with refused(re.escape(said)):
        trec.write_qrels(*(tmp_path / name for name in "abc"), judgments)
    assert not os.listdir(tmp_path)


@pytest.mark.parametrize("names", ["aab", "aba", "baa"])
def test_qrels_and_texts_are_three_files(tmp_path, names):
    with refused("a: is given for two of the three files"):
        trec.write_qrels(*(tmp_path / name for name in names), [GOOD])
    assert not os.listdir(tmp_path)
