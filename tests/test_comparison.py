"""Table IV: the search of settings, and a small comparison from end to end."""

import datetime
import functools
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
import types

import joblib
import numpy as np
import pytest
from conftest import PATIENCE, ROOT, until

import lstm_edu
from lstm_edu import InputError, plots
from lstm_edu.__main__ import main
from lstm_edu.cells.rnn import RNN
from lstm_edu.files import MissingError
from lstm_edu.table_iv import comparison, memory, parts, processes, results, tuning
from lstm_edu.table_iv.skip_thought_files import FILES
from lstm_edu.training import held_out
from lstm_edu.training.train import NotFiniteError

PAIRS = lstm_edu.read_pairs(ROOT / "data_samples" / "train_pairs.tsv")[:1200]
JUDGMENTS = lstm_edu.read_judgments(ROOT / "data_samples" / "judgments.tsv")[:40]
JUDGMENTS[7] = JUDGMENTS[7]._replace(
    grades=[0] * len(JUDGMENTS[7].grades)
)  # nothing relevant: counted, and left out
SMALL = dict(epochs=2, search_pairs=500)
ROWS = "bm25", "dssm", "lstm_32"


def without_times(result):
    return [
        {name: value for name, value in row.items() if name not in ("seconds", "memory")}
        for row in result["rows"]
    ]


def test_a_part_of_the_log_keeps_queries_whole():
    some = tuning.some_queries(PAIRS, 300)
    assert 250 < len(some) <= 300 and set(some) <= set(PAIRS)
    queries = {query for query, _ in some}
    assert len(some) == sum(query in queries for query, _ in PAIRS)
    assert tuning.some_queries(PAIRS, 10**6) == PAIRS and tuning.some_queries(PAIRS, 1)


class Pretence:
    """Trainings whose quality is known.

    gamma 20 is best; on a part step 4e-4, on the whole log a quarter of that (or ``whole``) after
    epoch 3.
    """

    def __init__(self, monkeypatch, whole=1e-4):
        self.asked, self.whole = [], whole
        monkeypatch.setattr(tuning, "train", self.train)
        monkeypatch.setattr(tuning, "evaluate", self.evaluate)

    def train(self, model, pairs, step_size, gamma, callback, epochs, **rest):
        self.asked.append([step_size, gamma, epochs, pairs, rest])
        self.best_step = 4e-4 if len(pairs) <= 300 else self.whole
        for self.epoch in range(1, epochs + 1):
            if callback(model, {"cost": [0.0] * self.epoch}):
                break
        self.asked[-1].append(self.epoch)

    def evaluate(self, model, held):
        step_size, gamma = self.asked[-1][:2]
        self.held = held
        return {
            "nDCG@10": 0.9
            - abs(np.log2(step_size / self.best_step)) / 20
            + gamma / 1000
            - abs(self.epoch - 3) / 100
        }


@pytest.mark.parametrize("whole", [4e-4, 1e-4, 4e-4 / 64])
def test_the_search_keeps_to_its_budget_and_takes_the_best(monkeypatch, whole):
    pretence = Pretence(monkeypatch, whole)
    chosen, tried = tuning.search(RNN(2), 4, PAIRS, epochs=9, part=300)
    assert chosen == {
        "step_size": whole,
        "gamma": 20.0,
        "epochs": 3,
    }  # what is best on a part need not be on the whole
    # down to one that is no better than the one before it
    steps = [4e-4 / 4**k for k in range(int(np.log2(4e-4 / whole) / 2) + 2)]
    first, last = pretence.asked[: -len(steps)], pretence.asked[-len(steps) :]
    assert len(first) == len({tuple(task[:2]) for task in first}) <= tuning.BUDGET
    assert len(first) + len(steps) == len(tried)
    assert all(epochs == 4 == done and len(pairs) <= 300 for _, _, epochs, pairs, _, done in first)
    kept, held = held_out.searches(PAIRS, most=tuning.SEARCHES)
    assert [task[:4] for task in last] == [[step, 20.0, 9, kept] for step in steps]
    assert pretence.held == held  # the rest of the log is not read
    assert {task[-1] for task in last} == {8}  # five epochs without a better one: given up
    assert all(set(pairs) <= set(kept) for _, _, _, pairs, _, _ in first)
    assert tried["step 0.0004, gamma 20"] == 0.91 and tried[f"step {whole:.2g}, by epoch"][:4] == [
        0.9,
        0.91,
        0.92,
        0.91,
    ]
    monkeypatch.setattr(tuning, "BUDGET", 2)
    pretence.asked.clear()
    step_size = tuning.search(RNN(2), 4, PAIRS, epochs=4)[0]["step_size"]
    assert step_size in {task[0] for task in pretence.asked}
    assert len({tuple(task[:2]) for task in pretence.asked if task[2] == 2}) == 2


def test_every_row_is_trained_the_papers_way_but_those_past_it(monkeypatch):
    pretence = Pretence(monkeypatch)
    for row, (cell, n) in tuning.TRAINED.items():  # noqa: B007 (its cell does not matter here)
        pretence.asked.clear()
        tuning.search(RNN(2), n, PAIRS[:300], epochs=1)
        for _, _, _, _, rest, _ in pretence.asked:
            if row in ("lstm_96_adam", "lstm_best", "attention_96", "align_96"):
                assert not rest.keys() & {"n_negatives", "optimizer", "momentum", "average"}
            else:
                assert (rest["n_negatives"], rest["momentum"], rest["average"], rest["clip"]) == (
                    n,
                    "schedule",
                    None,
                    10.0,
                )
    assert [n for row, (_, n) in tuning.TRAINED.items() if row.startswith("lstm_96_n")] == [
        2,
        4,
        6,
        8,
    ]


def test_both_sides_of_every_trained_row_start_alike_and_learn_apart():
    for cell in (RNN(2), tuning.TRAINED["dssm"][0]):
        model = tuning.model_of(cell, PAIRS[:50], seed=1)
        first = model.query.weights["W"].copy()
        assert all(
            np.array_equal(w, model.document.weights[name])
            for name, w in model.query.weights.items()
        )
        lstm_edu.train(model, PAIRS[:50], epochs=1, progress=False)
        assert not np.array_equal(model.query.weights["W"], first) and not np.array_equal(
            model.query.weights["W"], model.document.weights["W"]
        )


def test_the_command_line_trains_a_row(tmp_path):
    """``train --paper`` with what a row's search has chosen gives its model, byte for byte."""
    log = tmp_path / "pairs.tsv"
    log.write_text("".join(f"{q}\t{d}\n" for q, d in PAIRS), encoding="utf-8")
    chosen = {"step_size": 0.0016, "gamma": 5.0, "epochs": 2}
    comparison._train("lstm_32", 3, PAIRS, chosen)[0].save(tmp_path / "row.npz")
    command = ["train", str(log), "--paper", "--cells", "32", "--seed", "3", "--quiet"]
    command += ["--step-size", "0.0016", "--gamma", "5", "--epochs", "2", "--out"]
    assert main([*command, str(tmp_path / "m.npz")]) == 0
    assert (tmp_path / "m.npz").read_bytes() == (tmp_path / "row.npz").read_bytes()
    assert main([*command, str(tmp_path / "apart.npz"), "--no-tied"]) == 0
    assert (tmp_path / "apart.npz").read_bytes() != (tmp_path / "row.npz").read_bytes()


def test_a_step_that_overflows_is_not_chosen(monkeypatch):
    pretence = Pretence(monkeypatch)

    def overflow(model, pairs, step_size, **rest):
        if step_size > 1e-4:
            raise NotFiniteError("step_size: the cost is not finite")
        pretence.train(model, pairs, step_size, **rest)

    monkeypatch.setattr(tuning, "train", overflow)
    assert tuning.search(RNN(2), 4, PAIRS[:300], epochs=2)[0]["step_size"] <= 1e-4


def test_only_an_overflow_counts_as_one():
    """Eight unclicked titles of three: not a step too large, for which every quality would be 0."""
    pairs = [(f"query {k}", f"title {k % 3}") for k in range(40)]
    with pytest.raises(InputError, match="^n_negatives: 8; a query has only 2 unclicked titles"):
        tuning.search(RNN(2), 8, pairs, epochs=1)


def test_judgments_and_seeds_that_tell_nothing_are_said_before_the_work(tmp_path):
    nothing = [judged._replace(grades=[0] * len(judged.grades)) for judged in JUDGMENTS]
    for judgments in ([], nothing):
        with pytest.raises(InputError, match="^judgments: no query has a title of grade 1 or more"):
            comparison.table_iv(PAIRS, judgments, str(tmp_path / "a"), ["ulm"], **SMALL)
    with pytest.raises(InputError, match="^seeds: 0; must be a whole number from 1$"):
        comparison.table_iv(PAIRS, JUDGMENTS, str(tmp_path / "a"), ["rnn"], seeds=0, **SMALL)
    assert not (tmp_path / "a").exists()


def test_a_small_comparison_goes_on_where_it_stopped_and_is_repeatable(tmp_path):
    pytest.importorskip("bm25s")
    rows, said = ROWS, []
    result = comparison.table_iv(
        PAIRS, JUDGMENTS, str(tmp_path / "a"), rows, seeds=2, say=said.append, **SMALL
    )
    assert said[0].startswith("7 parts, 0 of them there already; 2 at a time, about ")
    assert said[0].endswith(f" to go; kept in {tmp_path / 'a'}")
    begun = [line for line in said[1:] if not line.startswith("[")]
    assert sorted(begun) == sorted(
        ["bm25: seed 0"]
        + [
            f"{row}: {what}"
            for row in rows[1:]
            for what in ("searches its settings", "seed 0", "seed 1")
        ]
    )
    said = [line for line in said[1:] if line.startswith("[")]
    assert [line.split(" ")[0].strip("[,") for line in said] == [f"{k}/7" for k in range(1, 7)] + [
        "7/7]"
    ]
    assert all(" to go] " in line for line in said[:-1])
    said = []
    assert [row["row"] for row in result["rows"]] == list(rows)
    bm25, dssm, lstm = result["rows"]
    assert 0 < bm25["nDCG@10"]["low"] <= bm25["nDCG@10"]["mean"] <= bm25["nDCG@10"]["high"] < 1
    assert (
        bm25["seeds"] == 1
        and lstm["seeds"] == 2
        and lstm["parameters"] > 100_000
        and (lstm["memory"] is None if memory.peak_megabytes() is None else lstm["memory"] > 50)
    )
    assert set(lstm["chosen"]) == {"step_size", "gamma", "epochs"} and lstm["chosen"]["epochs"] <= 2
    best = max((bm25, dssm), key=lambda row: row["nDCG@10"]["mean"])
    assert (
        best["p"] is None
        and all(row["against"] == best["row"] for row in result["rows"])
        and 0 < lstm["p"] <= 1
    )
    assert "lstm_32" in results.as_text(result) and "2^grade - 1" in results.as_text(result)
    axis = plots.comparison(result).axes[0]
    assert sorted(tick.get_text() for tick in axis.get_yticklabels()) == sorted(rows)
    assert (
        result["metric"]["n_queries"] == 39 and result["metric"]["n_left_out"] == 1
    )  # NaN for one, which no mean holds

    os.remove(tmp_path / "a" / "lstm_32_1.json")  # as if it had been stopped there
    before = {
        name: os.stat(tmp_path / "a" / name).st_mtime_ns for name in os.listdir(tmp_path / "a")
    }
    again = comparison.table_iv(
        PAIRS, JUDGMENTS, str(tmp_path / "a"), rows, seeds=2, say=said.append, **SMALL
    )
    assert (
        len(said) == 3
        and said[0].startswith("7 parts, 6 of them")
        and said[1] == "lstm_32: seed 1"
        and said[2].startswith("[7/7] lstm_32 seed 1: ")
        and {name: os.stat(tmp_path / "a" / name).st_mtime_ns for name in before} == before
    )

    assert without_times(again) == without_times(result)
    comparison.table_iv(
        PAIRS, JUDGMENTS, str(tmp_path / "b"), ["lstm_32"], seeds=2, jobs=1, **SMALL
    )
    for name in sorted(
        os.listdir(tmp_path / "b")
    ):  # the same seed, the same numbers, whatever the number of jobs
        if name.endswith(".json"):
            one, two = (
                json.loads((tmp_path / folder / name).read_text(encoding="utf-8"))
                for folder in "ab"
            )
            for part in (one, two):
                for name in ("seconds", "memory", "seal"):  # the last is over the others, too
                    del part[name]
            assert one == two
    assert len(os.listdir(tmp_path / "b")) == 4
    with pytest.raises(InputError, match="holds another comparison"):
        comparison.table_iv(PAIRS[:-1], JUDGMENTS, str(tmp_path / "a"), rows, **SMALL)


@pytest.mark.waits
@pytest.mark.parametrize("backend", ["threading", "loky"])
def test_what_is_done_first_does_not_matter(tmp_path, monkeypatch, backend):
    pretended = {"dssm": 0.4, "lstm_32": 0.0, "rnn": 0.2}
    results, said = [], []
    for jobs in (1, 3):
        # where three are worked on at a time, in threads of ours, the order of the ends is ours
        line = _InLine("lstm_32 rnn dssm".split()) if jobs == 3 and backend == "threading" else None
        pretend = functools.partial(_pretend, pretended, line)
        monkeypatch.setattr(comparison, "in_a_process", pretend)
        with joblib.parallel_config(backend=backend):
            results.append(
                comparison.table_iv(
                    PAIRS[:50],
                    JUDGMENTS[:3],
                    str(tmp_path / f"{jobs}"),
                    list(pretended),
                    seeds=3,
                    jobs=jobs,
                    say=lambda told: (said.append(told), line and line.end(told)),
                )
            )
    results.append(
        comparison.table_iv(
            PAIRS[:50],
            JUDGMENTS[:3],
            str(tmp_path / "1"),
            list(pretended),
            seeds=3,
            say=said.append,
        )
    )  # all from the folder
    assert [row["row"] for row in results[0]["rows"]] == list(pretended) and results[0] == results[
        1
    ] == results[2]
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


def _pretend(shares, line, function, row, what, chosen, *rest):
    if line and what == "search":
        line.wait(row)
    facts = (
        {"chosen": {"step_size": len(row)}}
        if what == "search"
        else {
            "chosen": chosen,
            "parameters": 1,
            "ndcg": [[shares[row], 0.1 + 0.1 * int(what), 0.1 + 0.1 * int(what)]] * 3,
        }
    )
    return row, what, facts | {"seconds": 1.0, "memory": 1}


@pytest.mark.parametrize("system, unit", [("linux", 1024), ("darwin", 1024**2)])
def test_memory_in_megabytes_on_every_system(monkeypatch, system, unit):
    """Linux counts in kilobytes, macOS in bytes; Windows has another way, psutil's."""
    told = types.SimpleNamespace(
        RUSAGE_SELF=0, getrusage=lambda who: types.SimpleNamespace(ru_maxrss=300 * unit)
    )
    monkeypatch.setattr(memory, "resource", told)
    with monkeypatch.context() as elsewhere:
        elsewhere.setattr(sys, "platform", system)
        found = memory.peak_megabytes()
    assert found == 300 and memory.in_words(found) == "300 MB"


@pytest.mark.parametrize("told, found", [({"peak_wset": 300 << 20}, 300), ({"rss": 1}, None)])
def test_memory_without_resource_is_psutil_s_or_none(monkeypatch, told, found):
    process = types.SimpleNamespace(memory_info=lambda: types.SimpleNamespace(**told))
    monkeypatch.setattr(memory, "resource", None)
    monkeypatch.setitem(sys.modules, "psutil", types.SimpleNamespace(Process=lambda: process))
    assert memory.peak_megabytes() == found
    monkeypatch.setitem(sys.modules, "psutil", None)
    assert memory.peak_megabytes() is None


def test_memory_that_nobody_tells_is_said_to_be_unmeasured(tmp_path, monkeypatch):
    pretended = {"dssm": 0.1, "rnn": 0.0}

    def unmeasured(*arguments):
        row, what, part = _pretend(pretended, None, *arguments)
        return row, what, part | {"memory": None if row == "rnn" or what == "search" else 7}

    monkeypatch.setattr(comparison, "in_a_process", unmeasured)
    said = []
    result = comparison.table_iv(
        PAIRS[:50], JUDGMENTS[:3], str(tmp_path), list(pretended), jobs=1, say=said.append
    )
    assert [row["memory"] for row in json.loads(json.dumps(result["rows"]))] == [7, None]
    _, dssm, rnn, *_ = results.as_text(result).splitlines()
    assert "  7  " in dssm and "  not measured  " in rnn
    done = [line for line in said if line.startswith("[")]
    assert {line.split(", ")[-1] for line in done} == {"memory not measured", "7 MB"}


def test_texts_without_a_known_trigram_are_no_news(recwarn):
    part = comparison._part(
        "dssm",
        "0",
        {"epochs": 1},
        PAIRS[:50],
        [JUDGMENTS[0]._replace(query="\u65e5\u672c")],
        "exponential",
        1,
        1,
        None,
        None,
    )[2]
    assert "ndcg" in part and not recwarn.list


def test_a_row_that_misses_something_says_what_and_is_tried_again(tmp_path, monkeypatch):
    monkeypatch.setattr(
        comparison, "in_a_process", lambda function, *arguments: function(*arguments)
    )

    def missing(row, *rest):
        raise MissingError('BM25 needs bm25s: pip install "lstm_edu[baselines]"')

    fit = comparison._fit
    monkeypatch.setattr(comparison, "_fit", missing)
    assert comparison.table_iv(PAIRS, JUDGMENTS, str(tmp_path), ["bm25"], **SMALL)["rows"] == [
        {"row": "bm25", "missing": 'BM25 needs bm25s: pip install "lstm_edu[baselines]"'}
    ]
    pytest.importorskip("bm25s")
    monkeypatch.setattr(comparison, "_fit", fit)
    assert (
        "nDCG@10"
        in comparison.table_iv(PAIRS, JUDGMENTS, str(tmp_path), ["bm25"], **SMALL)["rows"][0]
    )


def test_the_command(tmp_path, capsys):
    pytest.importorskip("bm25s")
    pairs, judgments = tmp_path / "pairs.tsv", str(ROOT / "data_samples" / "judgments.tsv")
    pairs.write_text("".join(f"{query}\t{title}\n" for query, title in PAIRS), encoding="utf-8")
    command = ["compare", str(pairs), judgments, "--rows", "bm25", "--folder", str(tmp_path / "c")]
    assert main([*command, "--json", "--figure", str(tmp_path / "c.png")]) == 0
    result = json.loads(capsys.readouterr().out)
    (row,) = result["rows"]
    assert datetime.date.fromisoformat(result["date"]) and (result["pairs"], result["seeds"]) == (
        len(PAIRS),
        1,
    )
    values = [value for value in row["by_query"] if value is not None]
    assert len(values) == result["metric"]["n_queries"] and np.mean(values) == pytest.approx(
        row["nDCG@10"]["mean"], abs=1e-4
    )
    assert row["row"] == "bm25" and (tmp_path / "c.png").stat().st_size > 1000
    assert main(command) == 0
    assert capsys.readouterr().out.splitlines()[1].startswith("bm25 ")
    assert (
        main([*command, "--jobs", "0"]) == 2
        and "--jobs: 0; must be a whole number from 1" in capsys.readouterr().err
    )
    assert main(["compare", str(pairs), judgments, "--rows", "bm26"]) == 2
    assert "rows: 'bm26'; must be of skip_thought, doc2vec, ulm, bm25" in capsys.readouterr().err


def test_all_rows_of_table_iv(tmp_path, monkeypatch):
    """Each of them fitted, searched, trained and told, on little."""
    for extra in ("bm25s", "sklearn", "gensim"):
        pytest.importorskip(extra)
    monkeypatch.setattr(
        comparison, "in_a_process", lambda function, *arguments: function(*arguments)
    )
    monkeypatch.setattr(tuning, "BUDGET", 2)
    text = (ROOT / "data_samples" / "sentences.txt").read_text(encoding="utf-8").split("\n")[:150]
    (tmp_path / "sentences.txt").write_text("\n".join(text), encoding="utf-8")
    pairs = PAIRS[:250]
    result = comparison.table_iv(
        pairs,
        JUDGMENTS,
        str(tmp_path / "c"),
        epochs=2,
        search_pairs=100,
        sentences=str(tmp_path / "sentences.txt"),
        jobs=1,
    )
    rows = {row["row"]: row for row in result["rows"]}
    assert " ".join(rows) == (
        "skip_thought doc2vec ulm bm25 plsa dssm clsm_1 clsm_3 clsm_5 rnn lstm_32 lstm_64 "
        "lstm_96_n2 lstm_96_n4 lstm_96_n6 lstm_96_n8 bilstm_96 lstm_96_adam lstm_best gru "
        "attention_96 align_96"
    )
    n = lstm_edu.LetterTrigrams.fit(text for pair in pairs for text in pair).size
    assert {
        name: rows[name]["parameters"]
        for name in ("dssm", "clsm_3", "rnn", "lstm_96_n4", "bilstm_96", "attention_96", "align_96")
    } == {
        "dssm": 2 * (n * 288 + 288 + 288 * 96 + 96),
        "clsm_3": 2 * (3 * n * 288 + 288 + 288 * 96 + 96),
        "rnn": 2 * (n * 288 + 288 * 288 + 288),
        "lstm_96_n4": 2 * 3 * 96 * (n + 96 + 1),
        "bilstm_96": 2 * 2 * 3 * 96 * (n + 96 + 1),
        "attention_96": 2 * (2 * 3 * 96 * (n + 96 + 1) + 2 * 96),
        "align_96": 2 * 2 * 3 * 96 * (n + 96 + 1),
    }
    for name, row in rows.items():
        for depth in ("nDCG@1", "nDCG@3", "nDCG@10"):
            assert 0 < row[depth]["low"] < row[depth]["mean"] < row[depth]["high"] < 1, name
        assert (
            row["seconds"] >= 0
            and (row["memory"] is None if memory.peak_megabytes() is None else row["memory"] > 0)
            and (row["p"] is None) == (name == row["against"])
        )
    assert len({tuple(row["by_query"]) for row in rows.values()}) == len(
        comparison.ROWS
    )  # no row is another's under its own name
    assert len(results.as_text(result).splitlines()) == 1 + len(comparison.ROWS) + 2


def test_a_folder_of_its_own_for_each_comparison(monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", "cache")
    monkeypatch.setenv("LOCALAPPDATA", "local")
    data = PAIRS, JUDGMENTS, "exponential", 16, 8_000
    for system, cache in (("linux", "cache"), ("win32", "local"), ("darwin", "Caches")):
        monkeypatch.setattr(sys, "platform", system)
        folder = parts.folder_of(*data)
        assert folder.split(os.sep)[-3:-1] == [cache, "lstm_edu"]
        assert folder == parts.folder_of(*data)
        assert folder != parts.folder_of(PAIRS[1:], *data[1:])
        assert folder != parts.folder_of(*data[:3], 8, *data[4:])


def pretended(monkeypatch):
    """A comparison of which nothing is fitted; which rows were, a list of (row, what)."""
    worked = []

    def pretend(function, row, what, *rest):
        worked.append((row, what))
        return _pretend({"dssm": 0.1, "skip_thought": 0.2}, None, function, row, what, *rest)

    def compare(folder, rows, said=None, **more):
        worked.clear()
        say = None if said is None else said.append
        return comparison.table_iv(PAIRS[:50], JUDGMENTS[:3], str(folder), rows, say=say, **more)

    monkeypatch.setattr(comparison, "in_a_process", pretend)
    return compare, worked


def test_sentences_that_changed_are_read_again_and_nothing_else_is(tmp_path, monkeypatch):
    compare, worked = pretended(monkeypatch)
    text, said = tmp_path / "sentences.txt", []
    text.write_text("a b\nc d\n", encoding="utf-8")
    rows, some = ["skip_thought", "dssm"], {"sentences": str(text)}
    compare(tmp_path / "c", rows, **some)
    assert sorted(worked) == [("dssm", "0"), ("dssm", "search"), ("skip_thought", "0")]
    compare(tmp_path / "c", rows, said, **some)
    assert not worked and not said
    shutil.copy(text, tmp_path / "elsewhere.txt")  # the same by another name
    compare(tmp_path / "c", rows, said, sentences=str(tmp_path / "elsewhere.txt"))
    assert not worked and not said
    text.write_text("a b\nc e\n", encoding="utf-8")
    compare(tmp_path / "c", rows, said, **some)
    path = tmp_path / "c" / "skip_thought_0.json"
    assert worked == [("skip_thought", "0")]
    assert said[0] == f"{path}: what it was made of has changed; it is made again"


@pytest.mark.parametrize("file", FILES)
def test_files_of_skip_thought_that_changed_are_read_again(tmp_path, monkeypatch, file):
    compare, worked = pretended(monkeypatch)
    folder = tmp_path / "model"
    folder.mkdir()
    for name in FILES:
        (folder / name).write_bytes(name.encode())
    compare(tmp_path / "c", ["skip_thought"], skip_thought=str(folder))
    assert worked
    compare(tmp_path / "c", ["skip_thought"], skip_thought=str(folder))
    assert not worked
    (folder / file).write_bytes(b"other")
    compare(tmp_path / "c", ["skip_thought"], skip_thought=str(folder))
    assert worked


DAMAGE = {
    "empty": lambda text: "",
    "cut short": lambda text: text[: len(text) // 2],
    "another number": lambda text: text.replace("0.1", "0.9", 1),
    "no number": lambda text: text.replace("0.1", "NaN", 1),
    "no dict": lambda text: "[1]",
    "deep": lambda text: "[" * 100_000,
    "as it was before there were checksums": lambda text: "{" + text.split(", ", 2)[2],
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_part_is_named_and_made_again(tmp_path, monkeypatch, damage):
    compare, worked = pretended(monkeypatch)
    whole, said = compare(tmp_path, ["dssm"]), []
    path = tmp_path / "dssm_0.json"
    text = path.read_text(encoding="utf-8")
    path.write_text(DAMAGE[damage](text), encoding="utf-8")
    assert path.read_text(encoding="utf-8") != text
    assert compare(tmp_path, ["dssm"], said) == whole and worked == [("dssm", "0")]
    assert said[0] == f"{path}: is damaged; it is made again"
    assert path.read_text(encoding="utf-8") == text


def test_a_part_of_another_seed_or_of_bytes_that_are_no_text_is_made_again(tmp_path, monkeypatch):
    compare, worked = pretended(monkeypatch)
    compare(tmp_path, ["dssm"], seeds=2)
    shutil.copy(tmp_path / "dssm_0.json", tmp_path / "dssm_1.json")
    (tmp_path / "dssm_0.json").write_bytes(b"\xff\xfe{}")
    compare(tmp_path, ["dssm"], seeds=2)
    assert sorted(worked) == [("dssm", "0"), ("dssm", "1")]


def test_what_a_search_chose_before_is_not_shown_as_what_it_chooses_now(tmp_path, monkeypatch):
    compare, worked = pretended(monkeypatch)
    compare(tmp_path, ["dssm"], said := [])
    search = tmp_path / "dssm_search.json"
    part = json.loads(search.read_text(encoding="utf-8"))
    inputs, _ = part.pop("inputs"), part.pop("seal")
    parts.write(str(search), part | {"chosen": {"step_size": 99}}, inputs)
    said.clear()
    (row,) = compare(tmp_path, ["dssm"], said)["rows"]
    assert row["chosen"] == {"step_size": 99} and worked == [("dssm", "0")]
    assert "dssm: other settings are chosen now; seed 0 is made again" in said


def test_what_cannot_be_is_said_before_the_work_and_claims_no_folder(tmp_path, monkeypatch):
    compare, worked = pretended(monkeypatch)
    (tmp_path / "no_text").write_bytes(b"\xff\n")
    folder = tmp_path / "c"
    for rows, more, said in (
        ([], {}, "rows: ''; must be of"),
        (["bm26"], {}, "rows: 'bm26'; must be of"),
        (["dssm"], {"seeds": 0}, "seeds: 0; must be a whole number from 1"),
        (["dssm"], {"seeds": 10**30}, "seeds: .* at most 1000"),
        (["dssm"], {"epochs": 0}, "epochs: 0; must be a whole number from 1"),
        (["dssm"], {"epochs": 10**400}, "epochs: .* at most 100000"),
        (["dssm"], {"jobs": 10**9}, "jobs: .* at most 1000"),
        (["dssm"], {"search_pairs": -1}, "search_pairs: -1; must be a whole number from 1"),
        (["skip_thought"], {"sentences": str(tmp_path / "none")}, "none: No such file|none: "),
        (["skip_thought"], {"sentences": str(tmp_path)}, "must be a file"),
        (["skip_thought"], {"sentences": str(tmp_path / "no_text")}, "no_text:1: not UTF-8"),
    ):
        with pytest.raises(InputError, match=said):
            compare(folder, rows, **more)
        assert not worked and not folder.exists()
    folder.mkdir()
    (folder / "dssm_0.json").mkdir()
    with pytest.raises(InputError, match="dssm_0.json: is a folder, not a file to write"):
        compare(folder, ["dssm"])
    (folder / "comparison.txt").write_text("?", encoding="utf-8")
    with pytest.raises(InputError, match="comparison.txt: is damaged; remove it if"):
        compare(folder, ["dssm"])
    assert not worked


def test_a_comparison_that_failed_has_not_claimed_its_folder(tmp_path, monkeypatch):
    """Titles are too few for the negatives of the row: the log is not what was meant."""
    few = [(f"query {k}", f"title {k % 3}") for k in range(40)]
    monkeypatch.setattr(comparison, "in_a_process", lambda function, *rest: function(*rest))
    with pytest.raises(InputError, match="n_negatives: 8"):
        comparison.table_iv(few, JUDGMENTS[:3], str(tmp_path), ["lstm_96_n8"], jobs=1, **SMALL)
    compare, worked = pretended(monkeypatch)
    compare(tmp_path, ["dssm"])
    assert worked
    with pytest.raises(InputError, match="holds another comparison"):
        comparison.table_iv(few, JUDGMENTS[:3], str(tmp_path), ["dssm"], **SMALL)


@pytest.mark.parametrize(
    "figure, said",
    [
        ("t.xyz", "--figure: 't.xyz'; must end in .png, .svg, .pdf"),
        ("t", "--figure: 't'; must end in"),
        ("", "'': is no name of a file"),
        ("t.json", "--figure: 't.json'; must end in"),
        ("none/t.png", "none does not exist"),
        ("folder.png", "folder.png: is a folder"),
        ("pairs.svg", "--figure: pairs.svg is to be read, not written"),
    ],
)
def test_a_figure_that_cannot_be_is_refused_before_the_work(
    tmp_path, monkeypatch, capsys, figure, said
):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(comparison, "table_iv", None)
    (tmp_path / "folder.png").mkdir()
    (tmp_path / "pairs.svg").write_text("a b\tc d\n", encoding="utf-8")
    judgments = str(ROOT / "data_samples" / "judgments.tsv")
    assert main(["compare", "pairs.svg", judgments, "--folder", "c", "--figure", figure]) == 2
    error = capsys.readouterr().err
    assert error.startswith("lstm_edu: ") and error.count("\n") == 1 and said in error
    assert not (tmp_path / "c").exists()


def _end_me(row):
    os._exit(7)


def _say_where(row, path):
    with open(path, "w", encoding="utf-8") as file:
        file.write(str(os.getpid()))
    time.sleep(PATIENCE)


def test_a_part_whose_process_is_killed_is_said_in_a_line():
    with pytest.raises(InputError, match=r"^dssm: its process was ended .*\(exit code 7\)"):
        processes.in_a_process(_end_me, "dssm")


PARENT = """
import signal, sys
from test_comparison import _say_where
from lstm_edu.table_iv.processes import in_a_process
if __name__ == "__main__":
    # where the shell that started the tests ignores Ctrl-C, as in the background
    signal.signal(signal.SIGINT, signal.default_int_handler)
    in_a_process(_say_where, "dssm", sys.argv[1])
"""


@pytest.mark.parametrize("how", ["kill", "terminate", "interrupt"])
def test_no_process_lives_on_when_its_parent_is_killed(tmp_path, how):
    psutil = pytest.importorskip("psutil")
    if how == "interrupt" and os.name == "nt":
        pytest.skip("there is no SIGINT for one process on Windows")
    (tmp_path / "parent.py").write_text(PARENT, encoding="utf-8")
    path = tmp_path / "pid"
    environment = os.environ | {
        "PYTHONPATH": os.pathsep.join([str(ROOT / "tests"), str(ROOT), *sys.path])
    }
    parent = subprocess.Popen(
        [sys.executable, tmp_path / "parent.py", path], env=environment, stderr=subprocess.DEVNULL
    )
    pid = int(
        until(lambda: path.exists() and path.read_text(encoding="utf-8"), "the part is at work")
    )
    part = psutil.Process(pid)
    if how == "interrupt":
        parent.send_signal(signal.SIGINT)
    else:
        getattr(parent, how)()
    parent.wait()
    until(lambda: not part.is_running() or part.status() == "zombie", "the part ended")
