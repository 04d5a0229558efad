"""TREC's files and folders of BEIR on the command line."""

import json
import os

import pytest
from small_log import HASHING, PAIRS

import lstm_edu
from lstm_edu.__main__ import main
from lstm_edu.cli import rank
from lstm_edu.data import beir, trec
from lstm_edu.data.readers import Judged
from lstm_edu.ranking.ndcg import evaluate_run

HEADER = "query-id\tcorpus-id\tscore\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A model that has not learned, the judgments in each form, and titles with docids."""
    monkeypatch.chdir(tmp_path)
    lstm_edu.DualEncoder(lstm_edu.LSTM(8), HASHING).save("m.npz")
    titles = [f"{title}" for _, title in PAIRS]
    titles[5] = titles[6]  # a tie
    docids = [f"d{j}" for j in range(len(titles))]
    grades = lambda k: [3 * (j == k) for j in range(len(titles))]
    judgments = [Judged(f"q{k}", q, docids, titles, grades(k)) for k, (q, _) in enumerate(PAIRS)]
    rows = (
        f"{s.qid}\t{s.query}\t{d}\t{t}\t{g}\n"
        for s in judgments
        for d, t, g in zip(s.docids, s.titles, s.grades)
    )
    files = {"judgments.tsv": "".join(rows), "titles.txt": "".join(f"{t}\n" for t in titles)}
    os.makedirs("beir/qrels")
    objects = [{"_id": f"d{k}", "title": "", "text": t} for k, t in enumerate(titles)]
    files["beir/corpus.jsonl"] = "".join(json.dumps(found) + "\n" for found in objects)
    objects = [{"_id": s.qid, "text": s.query} for s in judgments]
    files["beir/queries.jsonl"] = "".join(json.dumps(found) + "\n" for found in objects)
    files["beir/qrels/test.tsv"] = HEADER + "".join(f"q{k}\td{k}\t3\n" for k in range(len(PAIRS)))
    files["beir/qrels/dev.tsv"] = HEADER + "q0\td0\t3\nq0\td1\t0\n"
    files["beir/qrels/train.tsv"] = "not to be read\n"
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    trec.write_qrels("qrels.txt", "queries.tsv", "documents.tsv", judgments)
    return tmp_path


def said(capsys, *arguments):
    assert main([*map(str, arguments)]) == 0
    return capsys.readouterr().out


def test_a_model_s_run_is_written_and_is_worth_what_the_model_is(folder, capsys):
    plain = said(capsys, "evaluate", "m.npz", "judgments.tsv")
    assert said(capsys, "evaluate", "m.npz", "judgments.tsv", "--run", "run.txt") == plain
    for judgments in ("judgments.tsv", "qrels.txt"):
        assert said(capsys, "evaluate", "run.txt", judgments) == plain
    texts = "--queries", "queries.tsv", "--documents", "documents.tsv"
    assert said(capsys, "evaluate", "m.npz", "qrels.txt", *texts) == plain
    assert said(capsys, "evaluate", "m.npz", "qrels.txt", *texts, "--run", "again.txt") == plain
    assert (folder / "again.txt").read_bytes() == (folder / "run.txt").read_bytes()
    found = json.loads(said(capsys, "evaluate", "run.txt", "qrels.txt", "--json", "--ndcg=linear"))
    model = lstm_edu.load("m.npz")
    judgments = lstm_edu.read_judgments("judgments.tsv")
    assert found == lstm_edu.evaluate(model, judgments, "linear") | {"ndcg": "linear"}
    run = trec.read_run("run.txt")
    first = judgments[0]
    scores = dict(zip(first.docids, model.score(first.query, first.titles).tolist()))
    assert run["q0"] == pytest.approx(scores, abs=1e-6)  # alone, or in a block of all queries
    assert run["q0"]["d5"] == run["q0"]["d6"]  # the same words, the same score, to the last bit


def test_many_queries_are_ranked_as_each_alone(folder, capsys, monkeypatch):
    model, titles = lstm_edu.load("m.npz"), trec.iter_documents("titles.txt")
    docids, texts = zip(*titles)
    monkeypatch.setattr(rank, "LINES", 7)  # block by block
    many = "--queries", "queries.tsv", "--top", "5"
    assert said(capsys, "rank", "m.npz", "titles.txt", *many, "--run", "run.txt") == ""
    run = trec.read_run("run.txt")
    assert list(run) == [f"q{k}" for k in range(len(PAIRS))]
    for k, (query, _) in enumerate(PAIRS):
        expected = dict(zip(docids, model.score(query, texts)))
        found = run[f"q{k}"]
        assert len(found) == 5 and found.keys() <= expected.keys()
        assert found == pytest.approx({docid: expected[docid] for docid in found}, abs=1e-6)
        assert min(found.values()) >= sorted(expected.values())[-5] - 1e-6
    said(capsys, "rank", "m.npz", "documents.tsv", *many, "--run", "named.txt")
    named = trec.read_run("named.txt")
    assert {q: {f"d{int(d) - 1}": s for d, s in of.items()} for q, of in run.items()} == named


def test_aligned_words_are_ranked_block_by_block_too(folder, capsys, monkeypatch):
    hashing = lstm_edu.load("m.npz").hashing
    model = lstm_edu.AlignedEncoder(lstm_edu.LSTM(8), hashing, scale=1.0, tied=False)
    model.save("aligned.npz")
    docids, texts = zip(*trec.iter_documents("titles.txt"))
    monkeypatch.setattr(rank, "LINES", 7 * 16)
    many = "--queries", "queries.tsv", "--top", "5", "--run", "run.txt"
    assert said(capsys, "rank", "aligned.npz", "titles.txt", *many) == ""
    for qid, found in trec.read_run("run.txt").items():
        expected = dict(zip(docids, model.score(PAIRS[int(qid[1:])][0], texts)))
        assert len(found) == 5
        assert found == pytest.approx({docid: expected[docid] for docid in found}, abs=1e-6)
        assert min(found.values()) >= sorted(expected.values())[-5] - 1e-6


def test_a_folder_of_beir_is_ranked_and_measured(folder, capsys):
    said(capsys, "rank", "m.npz", "documents.tsv", "--queries", "queries.tsv", "--run", "run.txt")
    assert said(capsys, "rank", "m.npz", "beir", "--run", "beir.txt") == ""
    assert (folder / "beir.txt").read_bytes() == (folder / "run.txt").read_bytes()
    expected = said(capsys, "evaluate", "run.txt", "qrels.txt", "--ignore-identical-ids")
    assert said(capsys, "evaluate", "beir.txt", "beir") == expected
    assert said(capsys, "evaluate", "m.npz", "beir", "--run", "own.txt") == expected
    assert (folder / "own.txt").read_bytes() == (folder / "beir.txt").read_bytes()


def write_beir(folder, texts, queries, judged):
    """A folder of BEIR, and the model's whole run of it by Python."""
    for name, texts_by_id in (("corpus", texts), ("queries", queries)):
        rows = [json.dumps({"_id": key, "text": text}) for key, text in texts_by_id.items()]
        (folder / "beir" / f"{name}.jsonl").write_text("\n".join(rows), encoding="utf-8")
    rows = [f"{qid}\t{docid}\t{grade}\n" for qid, docid, grade in judged]
    (folder / "beir" / "qrels" / "test.tsv").write_text(HEADER + "".join(rows), encoding="utf-8")
    model = lstm_edu.load("m.npz")
    return {q: dict(zip(texts, model.score(t, [*texts.values()]))) for q, t in queries.items() if t}


LACKING = [  # judged: a document that isn't there, empty, of a query without a text or any document
    [("a", "d0", 1), ("a", "d1", 0), ("a", "gone", 3), ("b", "none", 1)],
    [("a", "d0", 2), ("a", "d1", 1), ("a", "empty", 2), ("b", "d1", 0), ("b", "d0", 1)],
    [("a", "d0", 1), ("a", "d1", 0), ("nobody", "d0", 1), ("silent", "d1", 2)],
]


@pytest.mark.parametrize("judged", LACKING)
def test_every_way_counts_what_a_folder_lacks_as_not_found(folder, capsys, judged):
    texts = {"d0": "oslo inn guide", "d1": "lima pie guide"}
    queries = {"a": "hotel oslo", "b": "pizza lima", "silent": " "}
    run = write_beir(folder, texts | {"empty": " "}, queries | {"silent": ""}, judged)
    run = {qid: {d: s for d, s in run[qid].items() if d in texts} for qid in ("a", "b")}
    grades = {}
    for qid, docid, grade in judged:
        grades.setdefault(qid, {})[docid] = grade
    expected = evaluate_run(run, grades)
    assert main("rank m.npz beir --run r.txt".split()) == 0
    told = capsys.readouterr().err
    assert "they count as not found" in told and "corpus.jsonl" in told or "queries.jsonl" in told
    for what in ("m.npz", "r.txt"):
        assert main(["evaluate", what, "beir", "--json"]) == 0
        out, err = capsys.readouterr()
        assert json.loads(out).items() >= expected.items()
        assert "count as not found" in err
    with pytest.warns(UserWarning, match="they count as not found"):
        judgments = beir.read_beir("beir", train=None)[1]
    assert lstm_edu.evaluate(lstm_edu.load("m.npz"), judgments) == expected


def test_hit_that_is_the_query_itself_is_left_out_as_beir_does(folder, capsys):
    texts = {"x": "hotel oslo", "y": "oslo inn guide", "z": "hotel oslo guide", "7": "pizza pie"}
    judged = [("x", "y", 2), ("x", "z", 1), ("x", "x", 3), ("x", "7", 0)]
    judged += [("7", docid, int(docid == "z")) for docid in texts]
    run = write_beir(folder, texts, {"x": "hotel oslo", "7": "pizza pie"}, judged)
    assert all(max(scores, key=scores.get) == qid for qid, scores in run.items())
    for option, ignore, does in (
        ([], True, "left out"),
        (["--no-ignore-identical-ids"], False, "counted"),
    ):
        expected = evaluate_run(run, beir.read_grades("beir"), "exponential", ignore)
        assert main([*"rank m.npz beir --top 3 --run r.txt".split(), *option]) == 0
        assert "2 hits that are the query itself" in capsys.readouterr().err
        assert [len(of) for of in trec.read_run("r.txt").values()] == [3, 3]
        assert any(qid in of for qid, of in trec.read_run("r.txt").items()) != ignore
        trec.write_run("whole.txt", run)
        for what in ("m.npz", "whole.txt"):
            out = said(capsys, "evaluate", what, "beir", *option)
            assert (
                f"ignore_identical_ids: 2 hits that are the query itself, by its id, {does}" in out
            )
            out = json.loads(said(capsys, "evaluate", what, "beir", "--json", *option))
            assert out == expected | {"ndcg": "exponential", "ignore_identical_ids": ignore}
        judgments = beir.read_beir("beir", None, ignore_identical_ids=ignore)[1]
        assert lstm_edu.evaluate(lstm_edu.load("m.npz"), judgments) == expected


ERRORS = [
    ("evaluate m.npz qrels.txt", "qrels.txt: has the columns of qrels, which hold no texts"),
    ("evaluate m.npz beir --queries queries.tsv", "--queries, --documents: qrels need both"),
    ("evaluate m.npz qrels.txt --queries queries.tsv", "--queries, --documents: qrels need"),
    ("evaluate m.npz judgments.tsv --run m.npz", "--run: m.npz is to be read, not written"),
    ("evaluate m.npz judgments.tsv --run judgments.tsv", "--run: judgments.tsv is to be read"),
    # before anything is scored
    ("evaluate none.npz judgments.tsv --run no/run.txt", "no/run.txt: the folder"),
    ("rank none.npz titles.txt --queries queries.tsv --run no/run.txt", "no/run.txt: the fol"),
    ("evaluate m.npz spaces.tsv --run run.txt", "docid 'd 1': cannot stand in TREC's files"),
    ("evaluate old.txt judgments.tsv --run run.txt", "--run: old.txt is no model that could"),
    ("evaluate old.txt judgments.tsv", "run: ranks none of the 48 judged queries"),
    ("evaluate m.npz spaces.tsv", "spaces.tsv:1: docid 'd 1': cannot stand in TREC's files"),
    ("evaluate bad.txt judgments.tsv", "bad.txt:2: 5 column(s); expected 6: qid Q0 docid"),
    ("rank m.npz titles.txt", "--query: is missing; for many queries, --queries and --run"),
    ("rank m.npz titles.txt --queries queries.tsv", "--query: is missing; for many queries"),
    ("rank m.npz titles.txt --query a --run run.txt", "--run: is for the queries of a file"),
    ("rank m.npz titles.txt --run run.txt", "--run: is for the queries of a file"),
    ("rank m.npz titles.txt --queries queries.tsv --run titles.txt", "titles.txt is to be"),
    ("rank m.npz beir --run beir/corpus.jsonl", "corpus.jsonl is to be read, not written"),
    ("rank m.npz beir --run beir/qrels/dev.tsv", "dev.tsv is to be read, not written"),
    ("rank m.npz twice.tsv --queries queries.tsv --run run.txt", "twice.tsv: a docid of the"),
    ("rank m.npz titles.txt --queries bad.tsv --run run.txt", "bad.tsv:2: qid 'q 2': cannot"),
    ("rank m.npz bad.tsv --queries queries.tsv --run run.txt", "bad.tsv:2: docid 'q 2': cann"),
]


@pytest.mark.parametrize("arguments, expected", ERRORS)
def test_errors_are_one_line_and_nothing_is_written(folder, capsys, arguments, expected):
    for name, text in {
        "spaces.tsv": "q\thotel oslo\td 1\toslo inn guide\t1\n",
        "old.txt": "r1 Q0 d1 1 0.5 tag\n",
        "bad.txt": "q1 Q0 d1 1 0.5 tag\nq1 Q0 d2 2 0.5\n",
        "twice.tsv": "d1\thotel oslo\nd1\toslo inn\n",
        "bad.tsv": "q1\tone\nq 2\ttwo\n",
    }.items():
        (folder / name).write_text(text, encoding="utf-8")
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    assert main(arguments.replace("/", os.sep).split()) == 2
    out, err = capsys.readouterr()
    assert out == "" and err.count("\n") == 1 and err.startswith("lstm_edu: ")
    assert expected.replace("/", os.sep) in err
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


@pytest.mark.parametrize("headed", ["documents", "queries", "both", "both, unknown"])
def test_a_header_costs_no_query_and_no_title(folder, capsys, headed):
    """Whether both files have one, or one alone."""
    model, qrels = ["rank", "m.npz"], ["evaluate", "m.npz", "qrels.txt"]
    before = said(capsys, *qrels, "--queries", "queries.tsv", "--documents", "documents.tsv")
    names = {"queries": "Query ID\tquery", "documents": "_id\tText"}
    names |= {"queries": "Nr.\tFrage", "documents": "Nr.\tTitel"} if "unknown" in headed else {}
    for name, header in names.items():
        text = (folder / f"{name}.tsv").read_text(encoding="utf-8")
        first = f"{header}\n" if name in headed or "both" in headed else ""
        (folder / f"{name}.tsv").write_text(first + text, encoding="utf-8")
    both = "--queries", "queries.tsv", "--documents", "documents.tsv", "--header"
    n_told = 2 if "both" in headed else 1
    assert main([*qrels, *both]) == 0
    out, err = capsys.readouterr()
    assert out == before and err.count("left out as a header") == n_told
    assert main([*model, "documents.tsv", *both[:2], "--run", "run.txt", "--header"]) == 0
    assert capsys.readouterr().err.count("left out as a header") == n_told
    lines = (folder / "queries.tsv").read_text("utf-8").splitlines()
    assert len(trec.read_run("run.txt")) == len(lines) - lines[0].startswith(("Nr.", "Query"))
