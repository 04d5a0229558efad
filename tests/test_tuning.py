"""The search for a trained row's settings, and how such a row is trained."""

import numpy as np
import pytest
from small_table import PAIRS

import lstm_edu
from lstm_edu import InputError
from lstm_edu.__main__ import main
from lstm_edu.cells.rnn import RNN
from lstm_edu.table_iv import comparison, tuning
from lstm_edu.training import held_out
from lstm_edu.training.loop import NotFiniteError


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
