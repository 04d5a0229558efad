"""Tests of the functions that read folders in BEIR's format."""

import json
import re

import pytest
from refusal import refused

from lstm_tools.formats import beir

CORPUS = [
    {"_id": "d1", "title": "Flow over\ta wing", "text": "It flows.", "metadata": {"url": "x"}},
    {"_id": "d2", "title": "", "text": "Heat  in\nplates"},
    {"_id": "d3", "title": None, "text": "Plates"},
    {"_id": "d4", "text": " "},
    {"_id": "d5", "title": "Unused", "text": "x"},
]
SEARCHES = [
    {"_id": "q1", "text": " wing\n flow "},
    {"_id": "q2", "text": "heat", "metadata": {}},
    {"_id": "q3", "text": ""},
    {"_id": "q4", "text": "nobody judged this"},
]
HEADER = "query-id\tcorpus-id\tscore\n"
SPLITS = {
    "test": "q1\td1\t3\nq1\td3\t-1\nq1\td4\t1\nq1\tgone\t2\nq3\td1\t1\n",
    "train": "q2\td2\t1\nq2\td3\t0\nq2\td4\t2\nq3\td1\t1\n",
    "dev": "q2\td2\t1\nq1\td1\t1\n",
}


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "qrels").mkdir()
    for name, objects in (("corpus", CORPUS), ("queries", SEARCHES)):
        text = "".join(json.dumps(found) + "\n" for found in objects)
        (tmp_path / f"{name}.jsonl").write_text(text, encoding="utf-8")
    for name, text in SPLITS.items():
        (tmp_path / "qrels" / f"{name}.tsv").write_text(HEADER + text, encoding="utf-8")
    return tmp_path


def test_read_beir_returns_pairs_and_judgments(folder):
    pairs, docids = [("heat", "Heat in plates")], ["d1", "d3", "d4", "gone"]
    titles = ["Flow over a wing", "Plates", "", ""]
    judgments = [("q1", "wing flow", docids, titles, [3, 0, 1, 2]), ("q3", "", ["d1"], [""], [1])]
    with pytest.warns(UserWarning, match="has no text for 2 of 5 judged docids; they count as not"):
        assert beir.read_beir(folder) == (pairs, judgments)
    assert beir.read_beir(str(folder), test=None) == (pairs, [])
    assert beir.read_beir(folder, train=None) == ([], judgments)
    more = [*pairs, ("wing flow", "Flow over a wing")]
    assert beir.read_beir(folder, train="dev") == (more, judgments)
    (folder / "qrels" / "train.tsv").unlink()
    assert beir.read_beir(folder) == ([], judgments)


def test_reads_grades_queries_and_corpus_from_beir_folder(folder):
    assert beir.read_grades(folder)["q1"] == {"d1": 3, "d3": 0, "d4": 1, "gone": 2}
    assert beir.read_queries(folder) == {"q1": "wing flow"}
    assert beir.read_queries(folder, "dev") == {"q2": "heat", "q1": "wing flow"}
    texts = ["Flow over a wing", "Heat in plates", "Plates", "Unused"]
    assert list(beir.iter_corpus(folder)) == list(zip(["d1", "d2", "d3", "d5"], texts))


def test_read_beir_refuses_split_with_one_grade_per_query_or_no_relevant_document(folder):
    with refused("same grade, so any order is right; rank its whole corpus"):
        beir.read_beir(folder, test="dev")
    (folder / "queries.jsonl").write_text('{"_id": "q8", "text": "a"}\n', encoding="utf-8")
    with refused("no query with a text has a relevant document"):
        beir.read_beir(folder)


NO_JSON = f"not JSON at column …, Expecting value; expected one object per line, {beir.ENTRY}"
BAD_LINES = [
    ("corpus.jsonl", 2 * '{"_id": "d3", "text": "a"}\n', ":2: docid 'd3' has a text in line 1"),
    ("corpus.jsonl", '{"_id": "d1", "text": "a"}\n{"_id": ', ":2: not JSON at column 9, Expecting"),
    ("corpus.jsonl", "[" * 99_999, ":1: JSON that Python cannot read; expected one"),
    ("corpus.jsonl", '["d1", "a"]', ":1: not an object but a list; expected one"),
    ("queries.jsonl", '"oslo inn"', ":1: not an object but a text; expected one"),
    ("queries.jsonl", "[\n]", f": 2 of 2 lines are bad: {NO_JSON} (2 lines: 1, 2)"),
    ("queries.jsonl", '{"_id": "a", "text": ""},', ":1: not JSON at column 25, text after the"),
    ("corpus.jsonl", '{"id": "a", "text": "b"}', ':1: "_id" is missing, the keys are "id", "'),
    ("queries.jsonl", '{"_id": "a", "query": "b"}', ':1: "text" is missing, the keys are "_id"'),
    ("corpus.jsonl", '{"_id": 7, "text": "a"}', ':1: "_id" is a number; expected one object'),
    ("corpus.jsonl", '{"_id": " ", "text": "a"}', ':1: "_id" is empty; expected'),
    ("corpus.jsonl", '{"_id": "a", "text": null, "title": "b"}', ':1: "text" is null; expected'),
    ("corpus.jsonl", '{"_id": "a", "text": "b", "title": NaN}', ':1: "title" is a number; exp'),
    ("corpus.jsonl", '{"_id": "a", "text": "b", "title": []}', ':1: "title" is a list; expected'),
    ("corpus.jsonl", '{"_id": "a", "text": "\\udc00"}', ':1: "text" has half of a surrogate pair'),
    ("corpus.jsonl", 2 * "{}\n" + "7", ': 3 of 3 lines are bad: "_id" is missing, the keys are'),
    ("corpus.jsonl", b'{"_id": "d\xff"}\n', ":1: not UTF-8"),
    ("queries.jsonl", '{"_id": "\u00a0q1", "text": "a"}\n', ":1: qid '\\xa0q1': does not fit"),
    ("qrels/test.tsv", "q1\td1\t1\n", ":1: not a header; expected query-id <TAB>"),
    ("qrels/test.tsv", HEADER + "q1 \td1\t1\n", ":2: qid 'q1 ': does not fit into TREC's files"),
    ("qrels/test.tsv", HEADER + 2 * "q1\td1\t1\n", ":3: document 'd1' of qid 'q1' was judged in"),
    ("qrels/test.tsv", "q 0 d 1\n", ":1: not a header; expected query-id <TAB> corpus-id <TAB> "),
    ("qrels/test.tsv", "corpus-id\tquery-id\tscore\n" + "d\tq\t1\n", ":1: not a header; expected"),
    ("qrels/test.tsv", None, ": there is no such file; splits: dev, train"),
]


@pytest.mark.parametrize("file, text, said", BAD_LINES)
def test_read_beir_error_reports_file_and_line(folder, file, text, said):
    path = folder / file
    if text is None:
        path.unlink()
    else:
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    said = re.escape(f"{path}{said}")
    with refused(f"^{said}"):
        beir.read_beir(folder)
