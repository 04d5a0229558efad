"""End-to-end tests of small comparisons of Table IV's rows."""

import json
import os
import sys

import joblib
import numpy as np
import pytest
from conftest import ROOT, sample
from processes import python
from small_log import write_judgments, write_table
from small_table import JUDGMENTS, PAIRS, SMALL, pretended

from lstm_edu import InputError
from lstm_edu.__main__ import main
from lstm_tools.table_iv import comparison, memory, search


@pytest.fixture
def files(tmp_path, monkeypatch):
    """Change to a folder with a log and judgments, and return its path."""
    monkeypatch.chdir(tmp_path)
    write_table(tmp_path / "pairs.tsv", PAIRS)
    write_judgments(tmp_path / "judgments.tsv", JUDGMENTS)
    return tmp_path


COMPARE = ["compare", "pairs.tsv", "judgments.tsv", "--folder", "c"]


def test_compare_computes_only_missing_parts_when_repeated(files, capsys):
    pytest.importorskip("bm25s")
    command = [*COMPARE, *"--rows bm25,lstm_32 --seeds 2 --epochs 2 --search-pairs 200".split()]
    assert main([*command, "--json", "--figure", "c.png"]) == 0
    out, err = capsys.readouterr()
    result, said = json.loads(out), err.splitlines()
    assert said[0] == "1 parts, 0 finished before; 1 at a time; stored in c"
    assert said[-1].startswith("[3/3] ")
    bm25, lstm = result["rows"]
    for row in (bm25, lstm):
        values = [value for value in row["by_query"] if value is not None]
        mean = row["nDCG@10"]["mean"]
        # the means exclude the query without a relevant title
        assert len(values) == 39 and np.mean(values) == pytest.approx(mean, abs=1e-4)
        assert 0 < row["nDCG@10"]["low"] < mean < row["nDCG@10"]["high"] < 1
        assert row["memory"] is None if memory.peak_megabytes() is None else row["memory"] > 50
    assert (bm25["row"], bm25["against"], bm25["p"], bm25["seeds"]) == ("bm25", "bm25", None, 1)
    assert 0 < lstm["p"] <= 1 and len(set(lstm["by_seed"])) == 2
    assert os.path.getsize("c.png") > 1000

    (part,) = (files / "c").glob("lstm_32_seed_1_*.json")
    part.unlink()  # as if interrupted before this part was computed
    assert main(command) == 0
    out, err = capsys.readouterr()
    assert out.splitlines()[1].startswith("bm25 ") and "2^grade - 1" in out
    first, begun, _ = err.splitlines()
    assert first.startswith("3 parts, 2 finished before") and begun == "lstm_32 seed 1 …"
    # values for each seed and query, which only JSON contains, are also unchanged
    assert main([*command, "--json"]) == 0
    resumed = json.loads(capsys.readouterr().out)["rows"]
    timed = {"seconds": 0, "memory": 0}
    assert [row | timed for row in resumed] == [row | timed for row in result["rows"]]


def test_table_iv_gives_same_results_for_any_number_of_jobs(tmp_path, monkeypatch):
    compare, worked = pretended(monkeypatch)
    one = compare(tmp_path / "1", ["dssm", "skip_thought"], sentences=None, seeds=3, jobs=1)
    assert one["rows"][0]["by_seed"] == [0.1, 0.2, 0.3] and worked[-1] == ("dssm", 0)
    with joblib.parallel_config(backend="loky"):
        assert one == compare(tmp_path / "3", ["dssm", "skip_thought"], seeds=3, jobs=3)
    assert one == compare(tmp_path / "1", ["dssm", "skip_thought"], seeds=3) and not worked


IN_A_BROWSER = """
import sys
sys.modules["_multiprocessing"] = None  # as in Pyodide
from small_table import JUDGMENTS, PAIRS, comparison
sys.platform = "emscripten"
how = {"epochs": 1, "search_pairs": 50}
print(len(comparison.table_iv(PAIRS[:50], JUDGMENTS, sys.argv[1], ["ulm", "dssm"], **how)["rows"]))
"""


def test_computes_parts_where_no_process_can_be_started(tmp_path):
    path = os.pathsep.join(filter(None, sys.path))
    assert python("-c", IN_A_BROWSER, tmp_path, PYTHONPATH=path).stdout.split() == ["2"]


def test_row_with_missing_package_is_reported_and_retried(tmp_path, monkeypatch):
    monkeypatch.setattr(comparison, "in_a_process", lambda function, *given: function(*given))
    compared = lambda: comparison.table_iv(PAIRS, JUDGMENTS, str(tmp_path), ["bm25"], **SMALL)
    with monkeypatch.context() as without:
        without.setitem(sys.modules, "bm25s", None)
        (row,) = compared()["rows"]
    assert row["missing"] == 'BM25 needs bm25s: pip install "lstm_edu[baselines]"'
    pytest.importorskip("bm25s")
    assert "nDCG@10" in compared()["rows"][0]


ALL_ROWS = " ".join(comparison.ROWS)
FITTED_AND_TRAINED = "ulm bag_300"


@pytest.mark.parametrize("names", sample([ALL_ROWS, FITTED_AND_TRAINED], [FITTED_AND_TRAINED]))
def test_runs_every_row_of_table_iv(tmp_path, monkeypatch, names):
    """Tune, train or fit every row on a small log."""
    pytest.importorskip("gensim")  # its extra contains all baselines' libraries
    monkeypatch.setattr(comparison, "in_a_process", lambda function, *given: function(*given))
    monkeypatch.setattr(search, "BUDGET", 1)
    text = (ROOT / "data_samples" / "sentences.txt").read_text(encoding="utf-8")
    (tmp_path / "sentences.txt").write_text(text[:5000], encoding="utf-8")
    few = dict(epochs=1, search_pairs=100, sentences=str(tmp_path / "sentences.txt"), jobs=1)
    data = PAIRS[:150], JUDGMENTS[:25], str(tmp_path / "c")
    result = comparison.table_iv(*data, names.split(), **few)
    rows = {row["row"]: row for row in result["rows"]}
    assert " ".join(rows) == names
    for name, row in rows.items():
        for depth in ("nDCG@1", "nDCG@3", "nDCG@10"):
            assert 0 < row[depth]["low"] < row[depth]["mean"] < row[depth]["high"] < 1, name
    # no two rows have the same scores, so they have different models
    assert len({tuple(row["by_query"]) for row in rows.values()}) == len(rows)


def test_compare_refuses_bad_lines_unless_skip_bad_is_given(files, monkeypatch, capsys):
    def refuse(pairs, *_):
        raise InputError(f"{len(pairs)} pairs")

    monkeypatch.setattr(comparison, "table_iv", refuse)
    (files / "pairs.tsv").write_text("a\tb\nc\nd\n", encoding="utf-8")
    for more, said in ([], "--skip-bad leaves them out: 1 column"), (["--skip-bad"], "1 pairs\n"):
        assert main([*COMPARE, *more]) == 2
        assert said in capsys.readouterr().err


FIGURES = [
    ("s.png", "--figure: s.png is an input; must be another file"),
    ("t.xyz", "--figure: 't.xyz'; must end in .png, .svg, .pdf"),
    ("m.svg", "m.svg: is a folder"),
]


@pytest.mark.parametrize("figure, said", FIGURES)
def test_compare_refuses_bad_figure_before_computing(files, monkeypatch, capsys, figure, said):
    monkeypatch.setattr(comparison, "table_iv", None)
    os.mkdir("m.svg")
    (files / "s.png").write_text("a text\n", encoding="utf-8")
    before = {path: path.read_bytes() for path in files.rglob("*") if path.is_file()}
    assert main([*COMPARE, "--sentences", "s.png", "--figure", figure]) == 2
    error = capsys.readouterr().err
    assert error.startswith("lstm_edu: ") and error.count("\n") == 1 and said in error
    assert {path: path.read_bytes() for path in files.rglob("*") if path.is_file()} == before
