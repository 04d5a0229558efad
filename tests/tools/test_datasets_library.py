"""What the library ir_datasets itself reads: sets of its own registry, and sets of local files."""

import json
import locale

import pytest
from conftest import ROOT
from processes import python
from refusal import refused
from trec_files import write_three

from lstm_edu.data.datasets import from_ir_datasets
from lstm_edu.data.trec import read_qrels

QRELS = "q2 0 d2 1\nq1 0 d1 3\nq2 0 d1 -2\nq1 0 d3 0\n"

# Three sets of the library's own registry, in the files that it keeps after a download: what is
# read, by its own classes, is what they would give.
KEPT = {
    "cranfield/docs.txt": (
        ".I 1\n.T\nflow over\na wing .\n.A\nby me\n.B\nj. 1950.\n"
        ".W\nflow over\na wing . an experiment .\n"
        ".I 2\n.T\n.A\n.B\n.W\nheat in plates .\n.I 3\n.T\nshells\n.A\n.B\n.W\nshells .\n"
    ),
    "cranfield/queries.txt": (
        ".I 001\n.W\nwhat flows over\na wing .\n.I 004\n.W\nhow do plates heat .\n"
    ),
    "cranfield/qrels.txt": "1 1 4\n1 3 -1\n2 2 2\n2 1 1\n2 99 3\n",
    "nfcorpus/collection.tsv": (
        "MED-1\thttp://a\tStatin use and breast cancer\tAn abstract.\n"
        "MED-2\thttp://b\t\tNo title here.\nMED-3\thttp://c\tUnused\tX.\n"
    ),
    "nfcorpus/test/queries.titles.tsv": "PLAIN-1\tdo statins cause cancer\nPLAIN-2\tunjudged\n",
    "nfcorpus/test/queries.all.tsv": (
        "PLAIN-1\tdo statins cause cancer and all the page says\nPLAIN-2\tunjudged\n"
    ),
    "nfcorpus/test/qrels": "PLAIN-1 0 MED-1 3\nPLAIN-1 0 MED-2 1\n",
    "msmarco-passage/irds_version.txt": "v2",
    "msmarco-passage/collection.tsv": (
        "0\tThe presence of communication.\n1\tAndrogen receptor\u2028 defined.\n"
    ),
    "msmarco-passage/dev/small/queries.tsv": "300674\thow many years\n",
    "msmarco-passage/dev/small/qrels": "300674\t0\t1\t1\n",
}
READ = """
import json, sys
from lstm_edu import InputError
from lstm_edu.data.datasets import from_ir_datasets
for name, judged in json.loads(sys.argv[1]):
    try:
        print(json.dumps(from_ir_datasets(name, judged=judged)))
    except InputError as error:
        print(json.dumps(str(error)))
"""


def test_sets_of_the_librarys_own_registry_are_read_from_its_files(tmp_path):
    pytest.importorskip("ir_datasets", reason="ir_datasets is missing")
    for name, text in KEPT.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    wanted = [("cranfield", 0), ("cranfield", 1), ("nfcorpus/test", 1)]
    wanted += [("msmarco-passage/dev/small", 0), ("msmarco-passage/dev/small", 1)]
    wanted += [("nfcorpus", 1), ("msmarco-passage/eval/small", 0)]
    # in a new process, because the library looks for its folder when imported
    home = {"IR_DATASETS_HOME": str(tmp_path), "PYTHONUTF8": "1"}
    run = python("-c", READ, json.dumps(wanted), cwd=ROOT, **home)
    flow, heat = "flow over a wing .", "heat in plates ."  # a title; without one, all there is
    flows, plates = "what flows over a wing .", "how do plates heat ."
    cancer = ["Statin use and breast cancer", "No title here."]
    msmarco, lacks = "msmarco-passage/dev/small", "a set with queries, docs and qrels is needed"
    assert [json.loads(line) for line in run.stdout.splitlines()] == [
        [[[flows, flow], [plates, heat], [plates, flow]], []],
        [
            [],
            [
                ["1", flows, ["1", "3"], [flow, "shells"], [4, 0]],
                ["2", plates, ["2", "1", "99"], [heat, flow, ""], [2, 1, 3]],
            ],
        ],
        [[], [["PLAIN-1", "do statins cause cancer", ["MED-1", "MED-2"], cancer, [3, 1]]]],
        [[["how many years", "Androgen receptor defined."]], []],
        f"{msmarco}: the documents of each search have one grade, so any order is right; "
        "take it for training alone (judged=0)",
        f"nfcorpus: has no queries, qrels; {lacks}",
        f"msmarco-passage/eval/small: has no qrels; {lacks}",
    ]


@pytest.fixture
def library(tmp_path, monkeypatch):
    """The real one, and a function that registers a set for the test."""
    monkeypatch.setenv("IR_DATASETS_HOME", str(tmp_path / "home"))
    ir_datasets = pytest.importorskip("ir_datasets", reason="ir_datasets is missing")
    monkeypatch.setattr(ir_datasets.registry, "_registered", dict(ir_datasets.registry._registered))
    made, register = ir_datasets.Dataset, ir_datasets.registry.register
    return ir_datasets, lambda *parts: register("lstm-edu-local", made(*parts))


def test_the_real_ir_datasets_reads_a_local_set(tmp_path, library):
    ir_datasets, register = library
    judged = "q2 0 d2 1\nq2 0 d1 0\nq1 0 d1 3\nq1 0 d3 -1\n"
    qrels, queries, documents = write_three(tmp_path, judged)
    register(ir_datasets.create_dataset(str(documents), str(queries), str(qrels)))
    expected = [], read_qrels(qrels, queries, documents)
    assert from_ir_datasets("lstm-edu-local", judged=1) == expected
    pairs = [("flights", "cheap flights"), ("hotels in shanghai", "Shanghai hotels")]
    assert from_ir_datasets("lstm-edu-local", judged=0)[0] == pairs
    with refused("'no-such-set' is no set"):
        from_ir_datasets("no-such-set")
    documents.unlink()
    with refused("^lstm-edu-local: ir_datasets could not read it .*documents.tsv"):
        from_ir_datasets("lstm-edu-local")


def test_letters_that_the_library_reads_in_the_system_s_encoding_are_no_text(
    tmp_path, library, monkeypatch
):
    """ir_datasets names no encoding when it opens a table; Windows' own is not UTF-8."""
    ir_datasets, register = library
    qrels, queries, docs = map(str, write_three(tmp_path, QRELS))
    register(ir_datasets.create_dataset(docs, queries, qrels))
    monkeypatch.setattr(locale, "getpreferredencoding", lambda do_setlocale=True: "cp1252")
    expected = from_ir_datasets("lstm-edu-local", judged=1)
    with open(docs, encoding="utf-8") as file:
        text = file.read()
    with open(docs, "w", encoding="utf-8", newline="\n") as file:
        file.write(text + "d9\tZürich\n")
    assert from_ir_datasets("lstm-edu-local", judged=1) == expected  # it is judged for no query
    with open(qrels, "a", encoding="utf-8", newline="\n") as file:
        file.write(f"{expected[1][0].qid} 0 d9 1\n")
    with refused("may have read its letters as cp1252, .* PYTHONUTF8=1"):
        from_ir_datasets("lstm-edu-local", judged=1)
    monkeypatch.setattr(locale, "getpreferredencoding", lambda do_setlocale=True: "UTF-8")
    assert "Z" in "".join(from_ir_datasets("lstm-edu-local", judged=1)[1][0].titles)


def test_a_real_set_of_pictures_is_no_set_of_texts(tmp_path, library):
    ir_datasets, register = library
    from ir_datasets.formats import ToucheImageDoc  # one of the classes that have no default_text

    qrels, queries, _ = write_three(tmp_path, QRELS)
    local = ir_datasets.create_dataset(None, str(queries), str(qrels))
    docs = ir_datasets.formats.BaseDocs()
    picture = lambda docid: ToucheImageDoc(docid, b"png", b"webp", "url", "phash", [])
    docs.docs_iter = lambda: map(picture, ("d1", "d2", "d3"))
    register(local, docs)
    for judged in (0, 1):
        said = "^lstm-edu-local: no query that has a text has a relevant document that has one$"
        with refused(said):
            from_ir_datasets("lstm-edu-local", judged=judged)
