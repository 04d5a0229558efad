"""Table IV: a small comparison from end to end."""

import datetime
import functools
import json
import os
import threading

import joblib
import numpy as np
import pytest
from conftest import PATIENCE, ROOT, sample
from refusal import refused
from small_table import JUDGMENTS, PAIRS, ROWS, SMALL, pretend_a_part

import lstm_edu
from lstm_course import plots
from lstm_edu.__main__ import main
from lstm_edu._util.files import MissingError
from lstm_edu.table_iv import comparison, memory, results, tuning


def without_times(result):
    timed = "seconds", "memory"
    return [{k: v for k, v in row.items() if k not in timed} for row in result["rows"]]


def test_judgments_that_tell_nothing_are_said_before_the_work(tmp_path):
    nothing = [judged._replace(grades=[0] * len(judged.grades)) for judged in JUDGMENTS]
    for judgments in ([], nothing):
        with refused("^judgments: no query has a title of grade 1 or more"):
            comparison.table_iv(PAIRS, judgments, str(tmp_path / "a"), ["ulm"], **SMALL)
    assert not (tmp_path / "a").exists()


def test_a_small_comparison_goes_on_where_it_stopped_and_is_repeatable(tmp_path):
    pytest.importorskip("bm25s")
    rows, said = ROWS, []
    compare = lambda say: comparison.table_iv(
        PAIRS, JUDGMENTS, str(tmp_path / "a"), rows, seeds=2, say=say.append, **SMALL
    )
    result = compare(said)
    assert said[0].startswith("7 parts, 0 of them there already; 2 at a time, about ")
    assert said[0].endswith(f" to go; kept in {tmp_path / 'a'}")
    begun = [line for line in said[1:] if not line.startswith("[")]
    whats = "searches its settings", "seed 0", "seed 1"
    told = [f"{row}: {what}" for row in rows[1:] for what in whats]
    assert sorted(begun) == sorted(["bm25: seed 0", *told])
    said = [line for line in said[1:] if line.startswith("[")]
    assert [line.split(" ")[0].strip("[,]") for line in said] == [f"{k}/7" for k in range(1, 8)]
    assert all(" to go] " in line for line in said[:-1])
    said = []
    assert [row["row"] for row in result["rows"]] == list(rows)
    bm25, dssm, lstm = result["rows"]
    assert 0 < bm25["nDCG@10"]["low"] <= bm25["nDCG@10"]["mean"] <= bm25["nDCG@10"]["high"] < 1
    assert bm25["seeds"] == 1 and lstm["seeds"] == 2 and lstm["parameters"] > 100_000
    assert lstm["memory"] is None if memory.peak_megabytes() is None else lstm["memory"] > 50
    assert set(lstm["chosen"]) == {"step_size", "gamma", "epochs"} and lstm["chosen"]["epochs"] <= 2
    best = max((bm25, dssm), key=lambda row: row["nDCG@10"]["mean"])
    assert best["p"] is None and all(row["against"] == best["row"] for row in result["rows"])
    assert 0 < lstm["p"] <= 1
    assert "lstm_32" in results.as_text(result) and "2^grade - 1" in results.as_text(result)
    axis = plots.comparison(result).axes[0]
    assert sorted(tick.get_text() for tick in axis.get_yticklabels()) == sorted(rows)
    # NaN for one, which no mean holds
    assert (result["metric"]["n_queries"], result["metric"]["n_left_out"]) == (39, 1)

    os.remove(tmp_path / "a" / "lstm_32_1.json")  # as if it had been stopped there
    written = lambda: {path: path.stat().st_mtime_ns for path in (tmp_path / "a").iterdir()}
    before = written()
    again = compare(said)
    assert len(said) == 3 and said[0].startswith("7 parts, 6 of them")
    assert said[1] == "lstm_32: seed 1" and said[2].startswith("[7/7] lstm_32 seed 1: ")
    assert before.items() <= written().items()

    assert without_times(again) == without_times(result)
    comparison.table_iv(PAIRS, JUDGMENTS, str(tmp_path / "b"), ["lstm_32"], jobs=1, **SMALL)
    # the same seed, the same numbers, whatever the number of jobs
    for name in sorted(os.listdir(tmp_path / "b")):
        if name.endswith(".json"):
            paths = (tmp_path / folder / name for folder in "ab")
            one, two = (json.loads(path.read_text(encoding="utf-8")) for path in paths)
            for part in (one, two):
                for name in ("seconds", "memory", "seal"):  # the last is over the others, too
                    del part[name]
            assert one == two
    assert len(os.listdir(tmp_path / "b")) == 3
    with refused("holds another comparison"):
        comparison.table_iv(PAIRS[:-1], JUDGMENTS, str(tmp_path / "a"), rows, **SMALL)


@pytest.mark.waits
@pytest.mark.parametrize("backend", ["threading", "loky"])
def test_what_is_done_first_does_not_matter(tmp_path, monkeypatch, backend):
    pretended = {"dssm": 0.4, "lstm_32": 0.0, "rnn": 0.2}
    results, said = [], []
    for jobs in (1, 3):
        # where three are worked on at a time, in threads of ours, the order of the ends is ours
        line = _InLine("lstm_32 rnn dssm".split()) if jobs == 3 and backend == "threading" else None
        pretend = functools.partial(pretend_a_part, pretended, line)
        monkeypatch.setattr(comparison, "in_a_process", pretend)
        with joblib.parallel_config(backend=backend):
            tell = lambda told: (said.append(told), line and line.end(told))
            given = PAIRS[:50], JUDGMENTS[:3], str(tmp_path / f"{jobs}"), list(pretended)
            results.append(comparison.table_iv(*given, seeds=3, jobs=jobs, say=tell))
    given = PAIRS[:50], JUDGMENTS[:3], str(tmp_path / "1"), list(pretended)  # all from the folder
    results.append(comparison.table_iv(*given, seeds=3, say=said.append))
    assert [row["row"] for row in results[0]["rows"]] == list(pretended)
    assert results[0] == results[1] == results[2]
    said = [line.split("] ")[1] for line in said if line.startswith("[")]
    assert len(said) == 24
    ends = [said[k].split()[0] for k in range(24) if " searched" in said[k]]
    assert ends[:3] == ["rnn", "lstm_32", "dssm"]
    if backend == "threading":  # three at a time were done in another order, or nothing is shown
        assert ends[3:] == ["lstm_32", "rnn", "dssm"]


class _InLine:
    """Lets the rows' searches end in an order that is given."""

    def __init__(self, rows):
        self.ended = {row: threading.Event() for row in rows}
        self.before = dict(zip(rows[1:], rows))

    def wait(self, row):
        if row in self.before:
            assert self.ended[self.before[row]].wait(PATIENCE)

    def end(self, line):
        """What is said of a part that is done."""
        row, _, what = line.split("] ")[-1].partition(" ")
        if what.startswith("searched"):
            self.ended[row].set()


def test_texts_without_a_known_trigram_are_no_news(recwarn):
    judgments = [JUDGMENTS[0]._replace(query="\u65e5\u672c")]
    data = comparison.Data(PAIRS[:50], judgments, "exponential", 1, 1, None, None)
    _, part = comparison._part(comparison.Task("dssm", "0", {"epochs": 1}), data)
    assert "ndcg" in part and not recwarn.list


def test_a_row_that_misses_something_says_what_and_is_tried_again(tmp_path, monkeypatch):
    monkeypatch.setattr(comparison, "in_a_process", lambda function, *given: function(*given))

    fit, said = comparison._fit, 'BM25 needs bm25s: pip install "lstm_edu[baselines]"'

    def missing(row, *rest):
        raise MissingError(said)

    monkeypatch.setattr(comparison, "_fit", missing)
    compared = lambda: comparison.table_iv(PAIRS, JUDGMENTS, str(tmp_path), ["bm25"], **SMALL)
    assert compared()["rows"] == [{"row": "bm25", "missing": said}]
    pytest.importorskip("bm25s")
    monkeypatch.setattr(comparison, "_fit", fit)
    (row,) = compared()["rows"]
    assert "nDCG@10" in row


def test_the_command(tmp_path, capsys):
    pytest.importorskip("bm25s")
    pairs, judgments = tmp_path / "pairs.tsv", str(ROOT / "data_samples" / "judgments.tsv")
    pairs.write_text("".join(f"{query}\t{title}\n" for query, title in PAIRS), encoding="utf-8")
    command = ["compare", str(pairs), judgments, "--rows", "bm25", "--folder", str(tmp_path / "c")]
    assert main([*command, "--json", "--figure", str(tmp_path / "c.png")]) == 0
    result = json.loads(capsys.readouterr().out)
    (row,) = result["rows"]
    assert datetime.date.fromisoformat(result["date"])
    assert (result["pairs"], result["seeds"]) == (len(PAIRS), 1)
    values = [value for value in row["by_query"] if value is not None]
    assert len(values) == result["metric"]["n_queries"]
    assert np.mean(values) == pytest.approx(row["nDCG@10"]["mean"], abs=1e-4)
    assert row["row"] == "bm25" and (tmp_path / "c.png").stat().st_size > 1000
    assert main(command) == 0
    assert capsys.readouterr().out.splitlines()[1].startswith("bm25 ")
    assert main([*command, "--jobs", "0"]) == 2
    assert "--jobs: 0; must be a whole number from 1" in capsys.readouterr().err
    assert main(["compare", str(pairs), judgments, "--rows", "bm26"]) == 2
    assert "rows: 'bm26'; must be of skip_thought, doc2vec, ulm, bm25" in capsys.readouterr().err


ALL_ROWS = (
    "skip_thought doc2vec ulm bm25 plsa dssm clsm_1 clsm_3 clsm_5 rnn lstm_32 lstm_64 "
    "lstm_96_n2 lstm_96_n4 lstm_96_n6 lstm_96_n8 bilstm_96 lstm_96_adam lstm_best gru "
    "attention_96 align_96 bag_300 dssm_batch clsm_1_batch rnn_batch gru_batch"
)
EACH_KIND = (  # without other windows, sizes and n; make soak has them all
    "skip_thought doc2vec ulm bm25 plsa dssm clsm_3 rnn lstm_96_n4 bilstm_96 lstm_96_adam gru "
    "attention_96 align_96 bag_300 dssm_batch"
)


@pytest.mark.parametrize("names", sample([ALL_ROWS, EACH_KIND], [EACH_KIND]))
def test_all_rows_of_table_iv(tmp_path, monkeypatch, names):
    """Each of them fitted, searched, trained and told, on little."""
    for extra in ("bm25s", "sklearn", "gensim"):
        pytest.importorskip(extra)
    monkeypatch.setattr(comparison, "in_a_process", lambda function, *given: function(*given))
    monkeypatch.setattr(tuning, "BUDGET", 1)
    text = (ROOT / "data_samples" / "sentences.txt").read_text(encoding="utf-8").split("\n")[:150]
    (tmp_path / "sentences.txt").write_text("\n".join(text), encoding="utf-8")
    pairs = PAIRS[:150]
    few = dict(epochs=1, search_pairs=100, sentences=str(tmp_path / "sentences.txt"), jobs=1)
    asked = list(comparison.ROWS) if names == ALL_ROWS else names.split()
    result = comparison.table_iv(pairs, JUDGMENTS[:25], str(tmp_path / "c"), asked, **few)
    rows = {row["row"]: row for row in result["rows"]}
    assert " ".join(rows) == names and " ".join(comparison.ROWS) == ALL_ROWS
    n = lstm_edu.LetterTrigrams.fit(text for pair in pairs for text in pair).size
    expected = {
        "dssm": 2 * (n * 288 + 288 + 288 * 96 + 96),
        "clsm_3": 2 * (3 * n * 288 + 288 + 288 * 96 + 96),
        "rnn": 2 * (n * 288 + 288 * 288 + 288),
        "lstm_96_n4": 2 * 3 * 96 * (n + 96 + 1),
        "bilstm_96": 2 * 2 * 3 * 96 * (n + 96 + 1),
        "attention_96": 2 * (2 * 3 * 96 * (n + 96 + 1) + 2 * 96),
        "align_96": 2 * 2 * 3 * 96 * (n + 96 + 1),
    }
    assert {name: rows[name]["parameters"] for name in expected} == expected
    for name, row in rows.items():
        for depth in ("nDCG@1", "nDCG@3", "nDCG@10"):
            assert 0 < row[depth]["low"] < row[depth]["mean"] < row[depth]["high"] < 1, name
        assert row["seconds"] >= 0
        assert row["memory"] is None if memory.peak_megabytes() is None else row["memory"] > 0
        assert (row["p"] is None) == (name == row["against"])
    # no row is another's under its own name
    assert len({tuple(row["by_query"]) for row in rows.values()}) == len(rows)
    assert len(results.as_text(result).splitlines()) == 1 + len(rows) + 2


NO_FIGURES = [
    ("t.xyz", "--figure: 't.xyz'; must end in .png, .svg, .pdf"),
    ("", "'': is no name of a file"),
    ("none/t.png", "none does not exist"),
    ("folder.png", "folder.png: is a folder"),
]


@pytest.mark.parametrize("figure, said", NO_FIGURES)
def test_a_figure_that_cannot_be_is_refused_before_the_work(
    tmp_path, monkeypatch, capsys, figure, said
):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(comparison, "table_iv", None)
    (tmp_path / "folder.png").mkdir()
    (tmp_path / "pairs.tsv").write_text("a b\tc d\n", encoding="utf-8")
    judgments = str(ROOT / "data_samples" / "judgments.tsv")
    assert main(["compare", "pairs.tsv", judgments, "--folder", "c", "--figure", figure]) == 2
    error = capsys.readouterr().err
    assert error.startswith("lstm_edu: ") and error.count("\n") == 1 and said in error
    assert not (tmp_path / "c").exists()
