"""Tests of reading and writing qrels, runs, queries and documents in TREC's formats."""

import itertools
import os
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from refusal import refused
from trec_files import IDS, write_three

from lstm_edu.readers import Judged, iter_pairs, read_judgments
from lstm_tools.formats import runs, trec


def test_read_qrels_returns_searches_in_file_order(tmp_path):
    paths = write_three(tmp_path, "q2 0 d2 1\nq1 0 d1 3\nq2 Q0 d1 -2\n\tq1 0   d3\t0\r\n")
    found = trec.read_qrels(*paths)
    assert [search.qid for search in found] == ["q2", "q1"]  # in the order of the qrels file
    titles = ["Shanghai hotels", "weather"]
    assert found[1] == ("q1", "hotels in shanghai", ["d1", "d3"], titles, [3, 0])
    assert trec.read_grades(paths[0]) == {"q2": {"d2": 1, "d1": 0}, "q1": {"d1": 3, "d3": 0}}


BAD_QRELS = [
    (0, "q1 0 d1\n", ":1: 3 column(s); expected 4: qid 0 docid grade"),
    (0, "q1 0 d1 1\nq1 0 d2 1.5\n", ":2: grade '1.5'; must be a whole number up to 100"),
    (0, "q1 0 d1 1\nq2 0 d1 0\nq1 1 d1 0\n", ":3: document 'd1' of qid 'q1' was judged in"),
    (0, "q2 0 d1 1\nq3 0 d1 0\nq3 0 d2 0\n", ":2: qid 'q3' is not in "),
    (1, "q1\thotels\nq2 flights\n", ":2: 1 column(s); expected 2: qid <TAB> text"),
    (2, "d1\ta\nd1\ta\n", ":2: docid 'd1' has a text in line 1"),
]


@pytest.mark.parametrize("number, text, said", BAD_QRELS)
def test_read_qrels_error_reports_file_and_line(tmp_path, number, text, said):
    paths = write_three(tmp_path, "q2 0 d2 1\nq1 0 d1 3\nq1 0 d3 0\nq2 0 d1 0\n")
    paths[number].write_text(text, encoding="utf-8")
    with refused(re.escape(f"{paths[number]}{said}")):
        trec.read_qrels(*paths)


OF_QUERY = st.dictionaries(IDS, st.integers(0, 100), min_size=1, max_size=6)


@settings(max_examples=30)
@given(st.dictionaries(IDS, OF_QUERY, min_size=1, max_size=4))
def test_read_grades_returns_grades_written_by_write_qrels(tmp_path_factory, grades):
    path = tmp_path_factory.getbasetemp() / "qrels.txt"
    judgments = [Judged(qid, "", [*of], [*of], [*of.values()]) for qid, of in grades.items()]
    trec.write_qrels(path, judgments)
    assert trec.read_grades(path) == grades


GOOD = Judged("q", "a query", ["d", "e"], ["D", "E"], [1, 0])
NOT_TO_WRITE = [
    ([GOOD._replace(qid="q 1")], "qid 'q 1': does not fit into TREC's files"),
    ([GOOD._replace(qid="#")], "qid '#': does not fit into TREC's files"),
    ([GOOD, GOOD], "must be with distinct qids"),
]


@pytest.mark.parametrize("judgments, said", NOT_TO_WRITE)
def test_write_qrels_refuses_content_that_could_not_be_read_back(tmp_path, judgments, said):
    with refused(re.escape(said)):
        trec.write_qrels(tmp_path / "qrels.txt", judgments)
    assert not os.listdir(tmp_path)


FLOATS = st.floats(allow_nan=False, allow_infinity=False)
RUNS = st.dictionaries(
    IDS,
    st.dictionaries(IDS, FLOATS | FLOATS.filter(lambda x: abs(x) < 1e38).map(np.float32)),
    min_size=1,
).filter(lambda run: all(run.values()))


@settings(max_examples=30)
@given(RUNS)
def test_read_run_returns_scores_written_by_write_run(tmp_path_factory, run):
    path = tmp_path_factory.getbasetemp() / "run.txt"
    runs.write_run(path, run)
    found = runs.read_run(path)
    assert found == run and list(found) == list(run)
    for of_query in found.values():
        scores = list(of_query.values())
        assert scores == sorted(scores, reverse=True)
        for _, tied in itertools.groupby(of_query, of_query.get):
            tied = list(tied)
            assert tied == sorted(tied, reverse=True)


def test_write_run_sorts_by_decreasing_score(tmp_path):
    path = tmp_path / "run.txt"
    runs.write_run(path, {"q": {"a": 0.25, "b": np.float32(0.1), "c": 0.25}}, tag="mine")
    assert path.read_bytes() == (
        b"q Q0 c 1 0.25 mine\nq Q0 a 2 0.25 mine\nq Q0 b 3 0.10000000149011612 mine\n"
    )


NO_RUNS = [
    ({"a b": {"d": 1.0}}, "t", "qid 'a b': does not fit into TREC's files"),
    ({"\ufeffq": {"d": 1.0}}, "t", "qid '\\ufeffq': does not fit"),  # a byte-order mark
    ({"q": {"d": 1.0}}, "my run", "tag 'my run': does not fit"),
    ({"q": {"d": float("inf")}}, "t", "run['q']['d']: inf; must be a number"),
]


@pytest.mark.parametrize("run, tag, said", NO_RUNS)
def test_write_run_refuses_content_that_could_not_be_read_back(tmp_path, run, tag, said):
    with refused(re.escape(said)):
        runs.write_run(tmp_path / "run.txt", run, tag)
    assert not os.listdir(tmp_path)


BAD_LISTS = [
    (runs.read_run, 2 * "q Q0 d 1 1 t\n" + "r Q0 d 1 1 t\n", ":2: document 'd' is ranked twice"),
    (trec.iter_documents, "d1\ta\nb\n", ":2: 1 column(s); expected 2: docid <TAB> title"),
    *[
        (runs.read_run, f"q Q0 d 1 {score} t\n", f":1: score '{score}'; must be a number")
        for score in ("high", "3_1", "\uff17", "0x7", "2e999")
    ],
    (runs.read_run, "qid Q0 docid rank score tag\n", ":1: a header (qid <TAB> Q0"),
]


@pytest.mark.parametrize("read, text, said", BAD_LISTS)
def test_reader_error_reports_line(tmp_path, read, text, said):
    path = tmp_path / "f.tsv"
    path.write_text(text, encoding="utf-8")
    with refused(re.escape(f"{path}{said}")):
        list(read(path))


FILES = {  # for each reader, a header and two lines of data
    runs.read_run: ("qid Q0 docid rank Score tag", "q Q0 d 1 .5 t", "q Q0 e 2 -2E-1 t"),
    trec.read_grades: ("topic iteration document judgment", "q 0 d 1", "q 0 e 0"),
    trec.iter_documents: ("Nummer\tTitel", "d\ta b", "e\tf"),
    iter_pairs: ("a\tb\tc", "a\tb", "c\td"),
    read_judgments: ("qid\tquery\tdocid\ttitle\tgrade", "q\ta\td\tb\t0", "q\ta\te\tb\t1"),
}


@pytest.mark.parametrize("read", FILES)
def test_readers_skip_header_on_request(tmp_path, read):
    path, (header, *lines) = tmp_path / "f.tsv", FILES[read]

    def read_lines(*lines, **how):
        path.write_text("\n".join(lines), encoding="utf-8")
        found = read(path, **how)
        return found if isinstance(found, dict) else list(found)

    with pytest.warns(UserWarning, match=f"{re.escape(str(path))}:1: left out as a header"):
        below = read_lines(header, *lines, header=True)
    assert below == read_lines(*lines)
    with refused(f"{re.escape(str(path))}: is empty below its header"), pytest.warns(UserWarning):
        read_lines(header, header=True)
