"""Tests of the command line with TREC files and BEIR folders."""

import json
import os

import pytest
from small_log import HASHING, PAIRS, write_judgments

import lstm_edu
from lstm_edu.__main__ import main
from lstm_edu.readers import Judged
from lstm_tools.cli import rank
from lstm_tools.formats import beir, runs, trec
from lstm_tools.formats.runs import evaluate_run

TITLES = [title for _, title in PAIRS]
TITLES[5] = TITLES[6]  # two titles tie
DOCIDS = [f"d{j}" for j in range(len(TITLES))]


def write_beir(texts, queries, judged):
    """Write a folder in BEIR's format."""
    os.makedirs("beir/qrels", exist_ok=True)
    qrels = "".join(f"{qid}\t{docid}\t{grade}\n" for qid, docid, grade in judged)
    files = {"qrels/test.tsv": "query-id\tcorpus-id\tscore\n" + qrels, "qrels/train.tsv": "unread"}
    for name, texts_by_id in (("corpus", texts), ("queries", queries)):
        rows = [json.dumps({"_id": key, "text": text}) for key, text in texts_by_id.items()]
        files[f"{name}.jsonl"] = "\n".join(rows)
    for name, text in files.items():
        with open(f"beir/{name}", "w", encoding="utf-8") as file:
            file.write(text)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Write an untrained model, and the same queries, titles and judgments in each format."""
    monkeypatch.chdir(tmp_path)
    lstm_edu.DualEncoder(lstm_edu.LSTM(8), HASHING).save("m.npz")
    grades = lambda k: [3 * (j == k) for j in range(len(TITLES))]
    judgments = [Judged(f"q{k}", q, DOCIDS, TITLES, grades(k)) for k, (q, _) in enumerate(PAIRS)]
    write_judgments(tmp_path / "judgments.tsv", judgments)
    (tmp_path / "titles.txt").write_text("".join(f"{t}\n" for t in TITLES), encoding="utf-8")
    trec.write_qrels("qrels.txt", judgments)
    for name, texts in (("queries", [q for q, _ in PAIRS]), ("documents", TITLES)):
        rows = "".join(f"{name[0]}{k}\t{text}\n" for k, text in enumerate(texts))
        (tmp_path / f"{name}.tsv").write_text(rows, encoding="utf-8")
    queries = {search.qid: search.query for search in judgments}
    write_beir(dict(zip(DOCIDS, TITLES)), queries, [(f"q{k}", f"d{k}", 3) for k in range(48)])
    return tmp_path


def said(capsys, *arguments):
    assert main([*map(str, arguments)]) == 0
    return capsys.readouterr().out


def scores(texts, queries):
    """Return {qid: {docid: score}} for all queries and texts, computed in Python."""
    model = lstm_edu.load("m.npz")
    return {q: dict(zip(texts, model.score(t, [*texts.values()]))) for q, t in queries.items()}


def test_written_run_has_same_ndcg_as_model(folder, capsys):
    plain = said(capsys, "evaluate", "m.npz", "judgments.tsv")
    assert said(capsys, "evaluate", "m.npz", "judgments.tsv", "--run", "run.txt") == plain
    for judgments in ("judgments.tsv", "qrels.txt"):
        assert said(capsys, "evaluate", "run.txt", judgments) == plain
    texts = "--queries", "queries.tsv", "--documents", "documents.tsv"
    assert said(capsys, "evaluate", "m.npz", "qrels.txt", *texts, "--run", "again.txt") == plain
    assert (folder / "again.txt").read_bytes() == (folder / "run.txt").read_bytes()
    found = json.loads(said(capsys, "evaluate", "run.txt", "qrels.txt", "--json", "--ndcg=linear"))
    judgments = lstm_edu.read_judgments("judgments.tsv")
    expected = lstm_edu.evaluate(lstm_edu.load("m.npz"), judgments, "linear")
    assert found == expected | {"ndcg": "linear"}


@pytest.mark.parametrize("kind, lines", [(lstm_edu.DualEncoder, 7), (lstm_edu.AlignedEncoder, 112)])
def test_ranking_many_queries_equals_scoring_each_query(folder, capsys, monkeypatch, kind, lines):
    model = kind(lstm_edu.LSTM(8), HASHING, scale=1.0, tied=False)
    model.save("m.npz")
    monkeypatch.setattr(rank, "LINES", lines)  # `rank` reads seven titles at a time
    many = "--queries", "queries.tsv", "--top", "5"
    assert said(capsys, "rank", "m.npz", "titles.txt", *many, "--run", "run.txt") == ""
    run = runs.read_run("run.txt")
    assert list(run) == [f"q{k}" for k in range(len(PAIRS))]
    for query, found in zip(PAIRS, run.values()):
        expected = dict(zip(map(str, range(1, 49)), model.score(query[0], TITLES)))
        assert len(found) == 5 and min(found.values()) >= sorted(expected.values())[-5] - 1e-6
        assert found == pytest.approx({docid: expected[docid] for docid in found}, abs=1e-6)


def test_rank_and_evaluate_accept_beir_folder(folder, capsys):
    said(capsys, "rank", "m.npz", "documents.tsv", "--queries", "queries.tsv", "--run", "run.txt")
    assert said(capsys, "rank", "m.npz", "beir", "--run", "beir.txt") == ""
    assert (folder / "beir.txt").read_bytes() == (folder / "run.txt").read_bytes()
    expected = said(capsys, "evaluate", "run.txt", "qrels.txt", "--ignore-identical-ids")
    assert said(capsys, "evaluate", "m.npz", "beir", "--run", "evaluated.txt") == expected
    assert (folder / "evaluated.txt").read_bytes() == (folder / "beir.txt").read_bytes()


LACKING = [  # judgments that refer to missing or empty documents or queries
    [("a", "d0", 1), ("a", "d1", 0), ("a", "gone", 3), ("b", "none", 1)],
    [("a", "d0", 2), ("a", "d1", 1), ("a", "empty", 2), ("b", "d1", 0), ("b", "d0", 1)],
    [("a", "d0", 1), ("a", "d1", 0), ("nobody", "d0", 1), ("silent", "d1", 2)],
]


@pytest.mark.parametrize("judged", LACKING)
def test_evaluate_counts_texts_missing_from_beir_folder_as_not_found(folder, capsys, judged):
    texts = {"d0": "oslo inn guide", "d1": "lima pie guide"}
    queries = {"a": "hotel oslo", "b": "pizza lima"}
    write_beir(texts | {"empty": " "}, queries | {"silent": ""}, judged)
    grades = {}
    for qid, docid, grade in judged:
        grades.setdefault(qid, {})[docid] = grade
    expected = evaluate_run(scores(texts, queries), grades)
    assert main("rank m.npz beir --run r.txt".split()) == 0
    assert "they count as not found" in capsys.readouterr().err
    for source in ("m.npz", "r.txt"):
        assert main(["evaluate", source, "beir", "--json"]) == 0
        out, err = capsys.readouterr()
        assert json.loads(out).items() >= expected.items()
        assert "count as not found" in err
    with pytest.warns(UserWarning, match="they count as not found"):
        judgments = beir.read_beir("beir", train=None)[1]
    assert lstm_edu.evaluate(lstm_edu.load("m.npz"), judgments) == expected


@pytest.mark.parametrize("ignore, effect", [(True, "left out"), (False, "counted")])
def test_commands_ignore_hits_with_id_of_query_unless_disabled(folder, capsys, ignore, effect):
    option = [] if ignore else ["--no-ignore-identical-ids"]
    texts = {"x": "hotel oslo", "y": "oslo inn guide", "z": "hotel oslo guide", "7": "pizza pie"}
    queries = {"x": "hotel oslo", "7": "pizza pie"}
    judged = [("x", "y", 2), ("x", "z", 1), ("x", "x", 3), ("x", "7", 0)]
    judged += [("7", docid, int(docid == "z")) for docid in texts]
    write_beir(texts, queries, judged)
    run = scores(texts, queries)
    expected = evaluate_run(run, beir.read_grades("beir"), "exponential", ignore)
    assert main([*"rank m.npz beir --top 3 --run r.txt".split(), *option]) == 0
    assert "2 hits that are the query itself" in capsys.readouterr().err
    assert [len(hits) for hits in runs.read_run("r.txt").values()] == [3, 3]
    assert any(qid in hits for qid, hits in runs.read_run("r.txt").items()) != ignore
    runs.write_run("whole.txt", run)
    for source in ("m.npz", "whole.txt"):
        message = f"ignore_identical_ids: 2 hits that are the query itself, by its id, {effect}"
        assert message in said(capsys, "evaluate", source, "beir", *option)
        out = json.loads(said(capsys, "evaluate", source, "beir", "--json", *option))
        assert out == expected | {"ndcg": "exponential", "ignore_identical_ids": ignore}
    judgments = beir.read_beir("beir", None, ignore_identical_ids=ignore)[1]
    assert lstm_edu.evaluate(lstm_edu.load("m.npz"), judgments) == expected


ERRORS = [
    ("evaluate m.npz qrels.txt", "looks like TREC's qrels; expected judged queries, qid <TAB> q"),
    ("evaluate m.npz judgments.tsv --run judgments.tsv", "--run: judgments.tsv is an input"),
    ("rank m.npz titles.txt --queries queries.tsv --run titles.txt", "titles.txt is an input"),
    ("rank m.npz beir --run beir/corpus.jsonl", "corpus.jsonl is an input; must be another file"),
    ("evaluate m.npz qrels.txt --queries queries.tsv", "--documents: None; must be the name of"),
    ("rank m.npz twice.tsv --queries queries.tsv --run run.txt", "twice.tsv: two of the best"),
]


@pytest.mark.parametrize("arguments, expected", ERRORS)
def test_commands_report_error_in_one_line_and_write_nothing(folder, capsys, arguments, expected):
    (folder / "twice.tsv").write_text("d1\ta hotel\nd1\tan inn\n", encoding="utf-8")
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    assert main(arguments.replace("/", os.sep).split()) == 2
    out, err = capsys.readouterr()
    assert out == "" and err.count("\n") == 1 and err.startswith("lstm_edu: ")
    assert expected.replace("/", os.sep) in err
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


RUN = "q1 Q0 d1 0 0.5 t\nq1 Q0 d2 1 .25 t\nq2 Q0 d1 0 1e-3 t\n"
QRELS = "q1 0 d1 1\nq1 0 d2 0\nq2 0 d1 2\n"
JUDGED = "q1\toslo inn\td1\tinn\t1\nq1\toslo inn\td2\tpie\t0\nq2\tpie\td1\tinn\t2\n"
BEIR = "query-id\tcorpus-id\tscore\nq1\td1\t1\nq1\td2\t0\nq2\td1\t2\n"
UNTAGGED = RUN.replace(" t\n", "\n")
SIX, FOUR = "expected 6: qid Q0 docid rank score tag", "expected 4: qid 0 docid grade"
GRADES = "grade …; must be a whole number up to 100"
UNEXPECTED = [  # contents of run (None: evaluate a model) and judgments, part of the error message
    (UNTAGGED, QRELS, "run:1: looks like a TREC run without its last column, the tag; expected"),
    ("# mine\n" + RUN, QRELS, f"run:1: a comment; {SIX}"),
    ("\n" + RUN, QRELS, f"run:1: an empty line; {SIX}"),
    (RUN.replace(" ", ","), QRELS, f"1 column(s); {SIX}; it has commas"),
    (RUN.replace(" ", ", "), QRELS, f"6 column(s); {SIX}; it has commas"),
    (RUN.replace("1e-3", "x").replace(".25", "y"), QRELS, "score …; must be a number (2 lines: 2"),
    (QRELS, JUDGED, "run:1: looks like TREC's qrels; expected a TREC run, qid Q0 docid rank"),
    (JUDGED, QRELS, "run:1: looks like judged queries; expected a TREC run"),
    (RUN.replace("q", "Q"), QRELS, "have no qid in common: 'Q1', … and 'q1', …"),
    (RUN, RUN, "judgments:1: looks like a TREC run; expected judged queries, qid <TAB> query"),
    (RUN, "# mine\n" + QRELS, f"judgments:1: a comment; {FOUR}"),
    (RUN, "topic iter docno grade\n" + QRELS, "judgments:1: a header (topic <TAB> iter"),
    (RUN, QRELS.replace(" 0 ", " "), "judgments:1: looks like BEIR's qrels; expected"),
    (RUN, BEIR, "judgments:1: looks like BEIR's qrels; expected TREC's qrels, qid 0 docid grade"),
    (RUN, QRELS.replace(" ", ", "), f"4 column(s); {FOUR}; it has commas"),
    (RUN, "q 0 a x\nq 0 b 1.5\n", f"{GRADES} (2 lines: 1 'x', 2 '1.5')"),
    (RUN, "pie\tpie oslo guide\n", "judgments:1: 2 column(s); expected 5: qid <TAB> query <TAB>"),
    ("", QRELS, "run: looks like an empty file; expected a model or a TREC run"),
    (RUN, "", "judgments: is empty; expected judged queries"),
    (None, RUN, "judgments:1: looks like a TREC run; expected judged queries"),
]


@pytest.mark.parametrize("run, judgments, expected", UNEXPECTED)
def test_evaluate_error_states_kind_or_line_of_unexpected_file(
    folder, capsys, run, judgments, expected
):
    if run is not None:
        (folder / "run").write_text(run, encoding="utf-8", newline="\n")
    (folder / "judgments").write_text(judgments, encoding="utf-8", newline="\n")
    assert main(["evaluate", "m.npz" if run is None else "run", "judgments"]) == 2
    out, err = capsys.readouterr()
    assert out == "" and err.count("\n") == 1 and expected in err


@pytest.mark.parametrize("change", ["\ufeff{}", "{}"])
@pytest.mark.parametrize("judgments", [QRELS, QRELS.replace(" ", "\t"), JUDGED])
def test_evaluate_accepts_byte_order_mark_tabs_and_ranks_from_0(folder, capsys, change, judgments):
    (folder / "run").write_text(change.format(RUN.replace(" ", "\t")), encoding="utf-8")
    (folder / "judgments").write_text(change.format(judgments), encoding="utf-8")
    assert json.loads(said(capsys, "evaluate", "run", "judgments", "--json"))["nDCG@10"] == 1
