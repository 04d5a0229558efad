"""Qrels and runs as TREC has them, held against ir-measures on a set with ties."""

import itertools
import json
import os
import re
import string

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ir_measures_values import FILE, GAINS, means_over_orders, orders, values

import lstm_edu
from lstm_edu import InputError
from lstm_edu.data import trec
from lstm_edu.data.clicks import Judged
from lstm_edu.ranking.ndcg import DEPTHS, evaluate_run, ndcg, run_of

STORED = json.loads(FILE.read_text(encoding="utf-8"))
QRELS, RUN = STORED["qrels"], STORED["run"]


def ours(qrels, run):
    """nDCG of each query that has a relevant document, as `values` gives it."""
    return {
        kind: {
            qid: {
                str(k): evaluate_run({**run, qid: run.get(qid, {})}, {qid: grades}, kind)[
                    f"nDCG@{k}"
                ]
                for k in DEPTHS
            }
            for qid, grades in qrels.items()
            if max(grades.values()) > 0
        }
        for kind in GAINS
    }


def as_read(qrels):
    """Grades below 0 are read as 0."""
    return {qid: {d: max(g, 0) for d, g in grades.items()} for qid, grades in qrels.items()}


def differences(found, expected):
    """Where two tables of values by kind, query and depth differ."""
    assert found.keys() == expected.keys()
    return [
        (kind, qid)
        for kind in found
        for qid, by_depth in found[kind].items()
        if by_depth != pytest.approx(expected[kind][qid], abs=1e-12)
    ]


# --- against ir-measures ---


def test_ties_count_with_the_mean_of_what_ir_measures_says_of_every_order():
    tied = [len(set(ranked.values())) < len(ranked) for ranked in RUN.values()]
    assert all(tied) and len(tied) > 8
    assert not differences(ours(as_read(QRELS), RUN), STORED["means_over_orders"])


def test_a_written_run_has_the_ranks_that_ir_measures_gives_it(tmp_path):
    """So that scores which fall with the rank, and are never equal, have its values."""
    path = tmp_path / "run.txt"
    trec.write_run(path, RUN)
    by_rank = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        qid, _, docid, rank, _, _ = line.split()
        by_rank.setdefault(qid, {})[docid] = -float(rank)
    assert not differences(ours(as_read(QRELS), by_rank), STORED["values"])
    found = evaluate_run(by_rank, as_read(QRELS), "linear")
    assert (found["n_queries"], found["n_left_out"]) == (9, 1)
    of_all = [by_depth["10"] for by_depth in STORED["values"]["linear"].values()]
    # its mean is over the query that has nothing relevant, too
    assert found["nDCG@10"] * 9 == pytest.approx(np.mean(of_all) * 10, abs=1e-12)


def test_the_stored_values_are_what_ir_measures_says():
    pytest.importorskip("ir_measures", reason="ir-measures is not installed")
    assert not differences(values(QRELS, RUN), STORED["values"])
    assert not differences(means_over_orders(QRELS, RUN), STORED["means_over_orders"])


@given(
    st.dictionaries(st.integers(0, 20).map(str), st.integers(-1, 4), min_size=1),
    st.dictionaries(st.integers(0, 20).map(str), st.integers(-9, 9), min_size=1),
)
def test_without_ties_ir_measures_says_the_same(grades, ranked):
    pytest.importorskip("ir_measures", reason="ir-measures is not installed")
    grades |= {"relevant": 1}
    for order in itertools.islice(orders(ranked), 3):
        assert not differences(
            ours(as_read({"q": grades}), {"q": order}), values({"q": grades}, {"q": order})
        )


# --- runs ---

IDS = st.text(st.characters(codec="utf-8"), min_size=1).filter(
    lambda text: text.split() == [text] and text[0] != "\ufeff" and "\0" not in text
)
FLOATS = st.floats(allow_nan=False, allow_infinity=False)
RUNS = st.dictionaries(
    IDS,
    st.dictionaries(IDS, FLOATS | FLOATS.filter(lambda x: abs(x) < 1e38).map(np.float32)),
    min_size=1,
).filter(lambda run: all(run.values()))


@given(RUNS)
def test_a_run_is_read_as_it_was_written(tmp_path_factory, run):
    path = tmp_path_factory.getbasetemp() / "run.txt"
    trec.write_run(path, run)
    found = trec.read_run(path)
    assert found == run and list(found) == list(run)
    for of_query in found.values():
        scores = list(of_query.values())
        assert scores == sorted(scores, reverse=True)
        for _, tied in itertools.groupby(of_query, of_query.get):
            tied = list(tied)
            assert tied == sorted(tied, reverse=True)


def test_what_a_run_looks_like(tmp_path):
    path = tmp_path / "run.txt"
    trec.write_run(path, {"q": {"a": 0.25, "b": np.float32(0.1), "c": 0.25}}, tag="mine")
    assert path.read_bytes() == (
        b"q Q0 c 1 0.25 mine\nq Q0 a 2 0.25 mine\nq Q0 b 3 0.10000000149011612 mine\n"
    )
    assert trec.n_columns(path) == len(trec.RUN)


@pytest.mark.parametrize(
    "run, tag, said",
    [
        ({"a b": {"d": 1.0}}, "t", "qid 'a b': cannot stand in TREC's files"),
        ({"": {"d": 1.0}}, "t", "qid '': cannot"),
        ({"\ufeffq": {"d": 1.0}}, "t", "qid '\\ufeffq': cannot"),  # would be taken for a mark
        ({"q": {"d\u00a0e": 1.0}}, "t", "docid 'd\\xa0e': cannot"),
        ({"q": {"d": 1.0}}, "my run", "tag 'my run': cannot"),
        ({"q": {"d": float("nan")}}, "t", "run['q']['d']: nan; must be a number"),
        ({"q": {"d": float("inf")}}, "t", "run['q']['d']: inf; must be a number"),
    ],
)
def test_what_cannot_stand_in_a_run(tmp_path, run, tag, said):
    with pytest.raises(InputError, match=re.escape(said)) as error:
        trec.write_run(tmp_path / "run.txt", run, tag)
    assert "\n" not in str(error.value) and not os.listdir(tmp_path)


@pytest.mark.parametrize(
    "text, said",
    [
        ("q Q0 d 1 0.5\n", "run.txt:1: 5 column(s); expected 6: qid Q0 docid rank score tag"),
        ("q Q0 d 1 0.5 t\n\n", "run.txt:2: 0 column(s)"),
        ("q Q0 d 1 high t\n", "run.txt:1: score 'high'; must be a number"),
        ("q Q0 d 1 nan t\n", "run.txt:1: score 'nan'; must be a number"),
        ("q Q0 d 1 1 t\nq Q0 e 1 -inf t\n", "run.txt:2: score '-inf'"),
        (
            "q Q0 d 1 1 t\nr Q0 d 1 1 t\nq Q0 d 1 1 t\n",
            "run.txt:3: document 'd' of qid 'q' has been ranked before",
        ),
        ("", "run.txt: is empty; expected lines of qid Q0 docid rank score tag"),
    ],
)
def test_bad_runs(tmp_path, text, said):
    path = tmp_path / "run.txt"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=re.escape(f"{tmp_path}{os.sep}{said}")):
        trec.read_run(path)


def test_a_run_is_measured_by_what_it_ranks():
    grades = {"q": {"a": 3, "b": 1, "c": 0}, "r": {"a": 1}}
    perfect = {"q": {"a": 2.0, "b": 1.0, "c": 0.0}, "r": {"a": 0.0}}
    assert evaluate_run(perfect, grades)["nDCG@10"] == 1.0
    # somebody else's document takes the first place, another is not ranked
    worse = {"q": {"x": 9.0, "b": 1.0}, "r": {"a": 0.0}, "unknown": {"a": 1.0}}
    expected = (1 / np.log2(3)) / (7 + 1 / np.log2(3))
    assert evaluate_run(worse, grades)["nDCG@10"] == pytest.approx((expected + 1) / 2)
    # a query without a ranking counts
    assert evaluate_run({"q": perfect["q"]}, grades)["nDCG@10"] == 0.5
    assert evaluate_run({"q": {}, "r": perfect["r"]}, grades)["nDCG@10"] == 0.5
    with pytest.raises(InputError, match="run: ranks none of the 2 judged queries"):
        evaluate_run({"s": {"a": 1.0}}, grades)
    with pytest.raises(InputError, match="no query has a title of grade 1"):
        evaluate_run(perfect, {"q": {"a": 0}})
    assert np.isnan(ndcg([1.0], [0], 3, judged=[0, 0])) and ndcg([], [], 3, judged=[1]) == 0.0


class Lengths:
    def score(self, query, titles):
        return np.array([len(title) / 3 for title in titles], "float32")


@given(st.lists(st.lists(st.tuples(st.integers(1, 5), st.integers(0, 3)), min_size=1, max_size=9)))
def test_a_model_and_its_run_are_worth_the_same(queries):
    judgments = [
        Judged(str(k), "q", *zip(*[(str(j), "x" * n, g) for j, (n, g) in enumerate(rows)]))
        for k, rows in enumerate(queries)
    ]
    if not any(any(search.grades) for search in judgments):
        return
    grades = {search.qid: dict(zip(search.docids, search.grades)) for search in judgments}
    run = run_of(Lengths(), iter(judgments))
    assert evaluate_run(run, grades) == lstm_edu.evaluate(Lengths(), judgments)


# --- qrels ---

QUERIES, DOCUMENTS = (
    "q1\thotels in shanghai\nq2\tflights\nq9\tnobody judged this\n",
    "d1\tShanghai hotels\nd2\tcheap flights\nd3\tweather\n",
)


def write_three(folder, qrels, queries=QUERIES, documents=DOCUMENTS):
    """Files of TREC's; also for the tests of ir_datasets."""
    paths = [folder / name for name in ("qrels.txt", "queries.tsv", "documents.tsv")]
    for path, text in zip(paths, (qrels, queries, documents)):
        path.write_bytes(text.encode() if isinstance(text, str) else text)
    return paths


def test_qrels_are_read_as_judgments_are(tmp_path):
    paths = write_three(tmp_path, "q2 0 d2 1\nq1 0 d1 3\nq2 Q0 d1 -2\n\tq1 0   d3\t0\r\n")
    found = trec.read_qrels(*paths)
    assert [search.qid for search in found] == ["q2", "q1"]  # as they first appear
    again = tmp_path / "judgments.tsv"
    again.write_text(
        "".join(f"{s.qid}\t{s.query}\t{d}\t{t}\t{g}\n" for s in found for d, t, g in zip(*s[2:])),
        encoding="utf-8",
    )
    assert again.read_text(encoding="utf-8") == (
        "q2\tflights\td2\tcheap flights\t1\nq2\tflights\td1\tShanghai hotels\t0\n"
        "q1\thotels in shanghai\td1\tShanghai hotels\t3\nq1\thotels in shanghai\td3\tweather\t0\n"
    )
    assert lstm_edu.read_judgments(again) == found
    assert trec.read_grades(paths[0]) == {"q2": {"d2": 1, "d1": 0}, "q1": {"d1": 3, "d3": 0}}
    assert (trec.n_columns(paths[0]), trec.n_columns(again)) == (4, 6)


@pytest.mark.parametrize(
    "which, text, said",
    [
        ("qrels", "q1 0 d1\n", "qrels.txt:1: 3 column(s); expected 4: qid 0 docid grade"),
        ("qrels", "q1 0 d1 1\n\nq2 0 d2 1\n", "qrels.txt:2: 0 column(s)"),
        (
            "qrels",
            "q1 0 d1 1\nq1 0 d2 1.5\n",
            "qrels.txt:2: grade '1.5'; must be a whole number up to 100",
        ),
        ("qrels", "q1 0 d1 101\n", "qrels.txt:1: grade '101'"),
        ("qrels", "q1 0 d1 " + "9" * 9000, "qrels.txt:1: grade '99"),
        ("qrels", "q1 0 d1 ٣\n", "qrels.txt:1: grade '٣'"),
        (
            "qrels",
            "q1 0 d1 1\nq2 0 d1 0\nq1 1 d1 0\n",
            "qrels.txt:3: document 'd1' of qid 'q1' was judged in line 1",
        ),
        ("qrels", "q2 0 d1 1\nq3 0 d1 0\nq3 0 d2 0\n", "qrels.txt:2: qid 'q3' is not in "),
        ("qrels", "q2 0 d1 1\nq1 0 d7 0\nq2 0 d7 0\n", "qrels.txt:2: docid 'd7' is not in "),
        ("qrels", "", "qrels.txt: is empty; expected lines of qid 0 docid grade"),
        ("qrels", b"q1 0 d1 1\nq1 0 d\xff 1\n", "qrels.txt:2: not UTF-8"),
        (
            "queries",
            "q1\thotels\nq2 flights\n",
            "queries.tsv:2: 1 column(s); expected 2: qid <TAB> text",
        ),
        (
            "queries",
            "q1\thotels\nq2\tflights\nq1\tmotels\n",
            "queries.tsv:3: qid 'q1' has a text in line 1",
        ),
        ("documents", "d1\ta\nd2\t \n", "documents.tsv:2: the text is empty"),
        ("documents", "d1\ta\nd1\ta\n", "documents.tsv:2: docid 'd1' has a text in line 1"),
    ],
)
def test_bad_qrels_and_texts(tmp_path, which, text, said):
    paths = write_three(
        tmp_path, **{"qrels": "q2 0 d2 1\nq1 0 d1 3\nq1 0 d3 0\nq2 0 d1 0\n", which: text}
    )
    with pytest.raises(InputError, match=re.escape(f"{tmp_path}{os.sep}{said}")) as error:
        trec.read_qrels(*paths)
    assert "\n" not in str(error.value)
    paths[0].unlink()
    with pytest.raises(InputError, match="qrels.txt: No such file"):
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


@pytest.mark.parametrize(
    "judgments, said",
    [
        ([GOOD._replace(qid="q 1")], "qid 'q 1': cannot stand in TREC's files"),
        ([GOOD._replace(docids=["d", "e\t"])], "docid 'e\\t': cannot"),
        ([GOOD, GOOD], "qid 'q' comes twice"),
        ([GOOD._replace(docids=[], titles=[], grades=[])], "qid 'q' comes twice, or judges no"),
        ([GOOD._replace(docids=["d", "d"])], "qid 'q' judges a document twice"),
        ([GOOD, GOOD._replace(qid="r", titles=["D", "F"])], "docid 'e' has two texts"),
        ([GOOD._replace(query="two\nlines")], "text 'two\\nlines'; must be one line"),
        ([GOOD._replace(titles=["D", " "])], "text ' '; must be"),
        (
            [GOOD._replace(grades=[1, -1])],
            "judgments[0].grades: [1, -1]; must be whole numbers from 0 to 100",
        ),
        ([GOOD._replace(grades=[1, 0.5])], "judgments[0].grades: [1, 0.5]; must be"),
    ],
)
def test_what_cannot_be_written_as_qrels(tmp_path, judgments, said):
    with pytest.raises(InputError, match=re.escape(said)) as error:
        trec.write_qrels(*(tmp_path / name for name in "abc"), judgments)
    assert "\n" not in str(error.value) and not os.listdir(tmp_path)


@pytest.mark.parametrize("names", ["aab", "aba", "baa"])
def test_qrels_and_texts_are_three_files(tmp_path, names):
    with pytest.raises(InputError, match="a: is given for two of the three files"):
        trec.write_qrels(*(tmp_path / name for name in names), [GOOD])
    assert not os.listdir(tmp_path)


# --- what is to be ranked ---


def test_documents_have_ids_or_the_numbers_of_their_lines(tmp_path):
    path = tmp_path / "titles.txt"
    path.write_text("a title\nanother\n", encoding="utf-8")
    assert list(trec.iter_documents(path)) == [("1", "a title"), ("2", "another")]
    path.write_text("d7\ta title\nd1\tanother\n", encoding="utf-8")
    assert list(trec.iter_documents(path)) == [("d7", "a title"), ("d1", "another")]
    assert trec.read_queries(path) == {"d7": "a title", "d1": "another"}


@pytest.mark.parametrize(
    "read, text, said",
    [
        (trec.iter_documents, "d1\ta\nb\n", "f.tsv:2: 1 column(s); expected 2: docid <TAB> title"),
        (trec.iter_documents, "a\nd1\tb\n", "f.tsv:2: 2 column(s); expected 1: title"),
        (trec.iter_documents, "d1\ta\nd 2\tb\n", "f.tsv:2: docid 'd 2': cannot stand in TREC's"),
        (trec.iter_documents, "", "f.tsv: is empty; expected a title a line"),
        (trec.read_queries, "q1\ta\nq 2\tb\n", "f.tsv:2: qid 'q 2': cannot stand in TREC's"),
        (trec.read_queries, "q1\ta\nq1\tb\n", "f.tsv:2: qid 'q1' has come before"),
    ],
)
def test_bad_lists(tmp_path, read, text, said):
    path = tmp_path / "f.tsv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=re.escape(f"{tmp_path}{os.sep}{said}")):
        list(read(path))


def test_the_first_line_tells_what_a_file_is(tmp_path):
    path = tmp_path / "f"
    for text, n in (("a b\tc\u00a0d\n1 2\n", 4), ("", 0), ("a\0b c d e f g", None)):
        path.write_text(text, encoding="utf-8")
        assert trec.n_columns(path) == n
    assert trec.n_columns(tmp_path) is None and trec.n_columns(tmp_path / "none") is None
    for name in ("m.npz", "m.safetensors"):
        if name.endswith("safetensors"):
            pytest.importorskip("safetensors", reason="safetensors is not installed")
        hashing = lstm_edu.LetterTrigrams.fit([string.ascii_lowercase])
        lstm_edu.DualEncoder(lstm_edu.LSTM(2), hashing).save(tmp_path / name)
        assert trec.n_columns(tmp_path / name) is None
