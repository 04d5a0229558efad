"""Table IV: the statistics against plain ones, and a small comparison from end to end."""
import itertools
import json
import os

import numpy as np
import pytest
from conftest import ROOT

import lstm_edu
from lstm_edu import InputError, comparison, plots
from lstm_edu.__main__ import main
from lstm_edu.files import MissingError
from lstm_edu.rnn import RNN

PAIRS = lstm_edu.read_pairs(ROOT / "data_samples" / "train_pairs.tsv")[:1200]
JUDGMENTS = lstm_edu.read_judgments(ROOT / "data_samples" / "judgments.tsv")[:40]
JUDGMENTS[7] = JUDGMENTS[7]._replace(grades=[0] * len(JUDGMENTS[7].grades))                    # nothing relevant: counted, and left out
SMALL = dict(epochs=2, search_pairs=500)


def test_permutation_p_is_that_of_all_signs():
    differences = np.random.default_rng(0).standard_normal(10) + 0.5
    signs = np.array(list(itertools.product([-1, 1], repeat=10)))
    exact = np.mean(abs(signs @ differences) >= abs(differences.sum()) - 1e-12)
    assert comparison.permutation_p(differences, 50_000) == pytest.approx(exact, abs=0.01)
    assert comparison.permutation_p(np.append(differences, np.nan)) == comparison.permutation_p(differences)
    assert comparison.permutation_p(np.zeros(20)) == 1.0
    assert comparison.permutation_p(np.ones(30)) == pytest.approx(1 / 10_001)


def test_holm_by_hand():
    assert comparison.holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert comparison.holm([0.9, 0.5]) == pytest.approx([1.0, 1.0]) and comparison.holm([]) == []


def test_a_part_of_the_log_keeps_queries_whole():
    some = comparison.some_queries(PAIRS, 300)
    assert 250 < len(some) <= 300 and set(some) <= set(PAIRS)
    queries = {query for query, _ in some}
    assert len(some) == sum(query in queries for query, _ in PAIRS)
    assert comparison.some_queries(PAIRS, 10 ** 6) == PAIRS and comparison.some_queries(PAIRS, 1)


def test_the_search_keeps_to_its_budget_and_takes_the_best(monkeypatch):
    asked = []

    def pretend(model, pairs, step_size, gamma, callback, epochs, **rest):
        asked.append((step_size, gamma))
        for epoch in range(epochs):
            callback(model, (step_size, gamma, epoch))

    def quality(model, held):                                        # best at step 1e-4, gamma 20, epoch 3
        step_size, gamma = asked[-1]
        counter[0] = counter[0] % 4 + 1
        return {"nDCG@10": 1 - abs(np.log2(step_size / 1e-4)) / 20 + gamma / 1000 - abs(counter[0] - 3) / 100}

    counter = [0]
    monkeypatch.setattr(comparison, "train", pretend)
    monkeypatch.setattr(comparison, "evaluate", quality)
    chosen, tried = comparison.search(RNN(2), 4, PAIRS, epochs=4)
    assert chosen == {"step_size": 1e-4, "gamma": 20.0, "epochs": 3}
    assert len(tried) == len(asked) == len(set(asked)) <= comparison.BUDGET
    monkeypatch.setattr(comparison, "BUDGET", 2)
    asked.clear()
    assert comparison.search(RNN(2), 4, PAIRS, epochs=4)[0]["step_size"] in {step for step, _ in asked} and len(asked) == 2


def test_a_small_comparison_goes_on_where_it_stopped_and_is_repeatable(tmp_path):
    pytest.importorskip("bm25s")
    rows = "bm25", "dssm", "lstm_32"
    said = []
    result = comparison.compare(PAIRS, JUDGMENTS, str(tmp_path / "a"), rows, seeds=2, say=said.append, **SMALL)
    assert len(said) == 7 and [row["row"] for row in result["rows"]] == list(rows)
    bm25, dssm, lstm = result["rows"]
    assert 0 < bm25["nDCG@10"]["low"] <= bm25["nDCG@10"]["mean"] <= bm25["nDCG@10"]["high"] < 1
    assert bm25["seeds"] == 1 and lstm["seeds"] == 2 and lstm["parameters"] > 100_000 and lstm["memory"] > 50
    assert set(lstm["chosen"]) == {"step_size", "gamma", "epochs"} and lstm["chosen"]["epochs"] <= 2
    best = max((bm25, dssm), key=lambda row: row["nDCG@10"]["mean"])
    assert best["p"] is None and all(row["against"] == best["row"] for row in result["rows"]) and 0 < lstm["p"] <= 1
    assert "lstm_32" in comparison.table(result) and "2^grade - 1" in comparison.table(result)
    axis = plots.comparison(result).axes[0]
    assert sorted(tick.get_text() for tick in axis.get_yticklabels()) == sorted(rows)
    assert result["metric"]["n_queries"] == 39 and result["metric"]["n_left_out"] == 1                  # NaN for one, which no mean holds

    os.remove(tmp_path / "a" / "lstm_32_1.json")                        # as if it had been stopped there
    before = {name: os.stat(tmp_path / "a" / name).st_mtime_ns for name in os.listdir(tmp_path / "a")}
    said.clear()
    again = comparison.compare(PAIRS, JUDGMENTS, str(tmp_path / "a"), rows, seeds=2, say=said.append, **SMALL)
    assert len(said) == 1 and {name: os.stat(tmp_path / "a" / name).st_mtime_ns for name in before} == before

    def without_times(result):
        return [{name: value for name, value in row.items() if name not in ("seconds", "memory")} for row in result["rows"]]

    assert without_times(again) == without_times(result)
    with pytest.raises(InputError, match="holds another comparison"):
        comparison.compare(PAIRS[:-1], JUDGMENTS, str(tmp_path / "a"), rows, **SMALL)


def test_a_row_that_misses_something_says_what_and_is_tried_again(tmp_path, monkeypatch):
    monkeypatch.setattr(comparison, "_in_a_process", lambda function, *arguments: function(*arguments))

    def missing(row, *rest):
        raise MissingError("BM25 needs bm25s: pip install 'lstm_edu[baselines]'")

    fit = comparison._fit
    monkeypatch.setattr(comparison, "_fit", missing)
    assert comparison.compare(PAIRS, JUDGMENTS, str(tmp_path), ["bm25"], **SMALL)["rows"] == [
        {"row": "bm25", "missing": "BM25 needs bm25s: pip install 'lstm_edu[baselines]'"}]
    pytest.importorskip("bm25s")
    monkeypatch.setattr(comparison, "_fit", fit)
    assert "nDCG@10" in comparison.compare(PAIRS, JUDGMENTS, str(tmp_path), ["bm25"], **SMALL)["rows"][0]


def test_the_command(tmp_path, capsys):
    pytest.importorskip("bm25s")
    pairs, judgments = tmp_path / "pairs.tsv", str(ROOT / "data_samples" / "judgments.tsv")
    pairs.write_text("".join(f"{query}\t{title}\n" for query, title in PAIRS))
    command = ["compare", str(pairs), judgments, "--rows", "bm25", "--folder", str(tmp_path / "c")]
    assert main([*command, "--json", "--figure", str(tmp_path / "c.png")]) == 0
    row, = json.loads(capsys.readouterr().out)["rows"]
    assert row["row"] == "bm25" and (tmp_path / "c.png").stat().st_size > 1000
    assert main(command) == 0
    assert capsys.readouterr().out.splitlines()[1].startswith("bm25 ")
    assert main(["compare", str(pairs), judgments, "--rows", "bm26"]) == 2
    assert "rows: 'bm26'; must be of skip_thought, doc2vec, ulm, bm25" in capsys.readouterr().err
