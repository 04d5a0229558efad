"""Tests of the search for a trained row's settings, with mocked training runs."""

import numpy as np
import pytest
from small_table import PAIRS

from lstm_edu.cells.rnn import RNN
from lstm_edu.training.loop import NotFiniteError
from lstm_tools.table_iv import held_out, search, trained
from lstm_tools.table_iv.trained import TRAINED, Row


class MockTrainings:
    """Mock of training runs that have a known nDCG for each setting.

    The best gamma is 20, and the best epoch 3. The best step size is 4e-4 on a part of the log, and
    ``whole`` on the whole log.
    """

    def __init__(self, monkeypatch, whole=1e-4):
        self.asked, self.whole = [], whole
        monkeypatch.setattr(trained, "train", self.train)
        for module in trained, search:
            monkeypatch.setattr(module, "evaluate", self.evaluate)

    def train(self, model, pairs, step_size, gamma, callback, epochs, **rest):
        self.asked.append([step_size, gamma, epochs, pairs, rest])
        self.best_step = 4e-4 if len(pairs) <= 300 else self.whole
        for self.epoch in range(1, epochs + 1):
            if callback and callback(model, {}):
                break
        self.asked[-1].append(self.epoch)

    def evaluate(self, model, judgments):
        step_size, gamma = self.asked[-1][:2]
        off = abs(np.log2(step_size / self.best_step)) / 20 + abs(self.epoch - 3) / 100
        return {"nDCG@10": 0.9 - off + gamma / 1000}


@pytest.mark.parametrize("whole", [4e-4, 1e-4, 4e-4 / 64])
def test_by_budget_finds_best_setting_within_budget(monkeypatch, whole):
    mock = MockTrainings(monkeypatch, whole)
    chosen = search.search(Row(RNN(2)), PAIRS, epochs=9, part=300)
    # the best step size on a part of the log need not be the best on the whole log
    assert chosen == {"step_size": whole, "gamma": 20.0, "epochs": 3}
    # divide the step size by 4 until nDCG no longer improves
    steps = [4e-4 / 4**k for k in range(int(np.log2(4e-4 / whole) / 2) + 2)]
    first, last = mock.asked[: -len(steps)], mock.asked[-len(steps) :]
    assert len(first) == len({tuple(task[:2]) for task in first}) <= search.BUDGET
    assert all(epochs == 4 == done and len(pairs) <= 300 for _, _, epochs, pairs, _, done in first)
    kept, _ = held_out.searches(PAIRS, most=search.SEARCHES)
    assert [task[:4] for task in last] == [[step, 20.0, 9, kept] for step in steps]
    assert {task[-1] for task in last} == {8}  # five epochs brought no improvement
    assert all(set(pairs) <= set(kept) for _, _, _, pairs, _, _ in first)
    monkeypatch.setattr(search, "BUDGET", 2)
    mock.asked.clear()
    search.search(Row(RNN(2)), PAIRS, epochs=4)
    assert len({tuple(task[:2]) for task in mock.asked if task[2] == 2}) == 2


def test_search_trains_rows_with_adam_or_with_settings_from_paper(monkeypatch):
    mock = MockTrainings(monkeypatch)
    search.search(Row(RNN(2), "batch"), PAIRS[:300], epochs=1)
    by_adam, mock.asked = mock.asked, []
    search.search(Row(RNN(2), 6), PAIRS[:300], epochs=1)
    for *_, rest, _ in by_adam:
        assert not rest.keys() & {"n_negatives", "optimizer", "momentum", "average"}
    for *_, rest, _ in mock.asked:
        wanted = dict(n_negatives=6, momentum="schedule", average=None, clip=10.0)
        assert wanted.items() <= rest.items()
    of_n = [TRAINED[row].n for row in TRAINED if row.startswith("lstm_96_n")]
    assert of_n == [2, 4, 6, 8]


FEW = PAIRS[:150]


def chosen_by(monkeypatch, value, epochs=16):
    """Return the settings found with mocked training runs whose nDCG@10 ``value`` computes."""
    asked, splits = [], [held_out.searches(FEW, most=5, seed=seed) for seed in range(3)]

    def by_epoch(row, pairs, judgments, seed, step_size, gamma, epochs):
        assert (pairs, judgments) == splits[seed]  # training excludes held-out queries
        asked.append((step_size, gamma, seed))
        return [value(step_size, gamma, seed, epoch) for epoch in range(1, epochs + 1)]

    monkeypatch.setattr(search, "SEARCHES", 5)
    monkeypatch.setattr(Row, "ndcg_by_epoch", by_epoch)
    chosen = search.search(Row(RNN(2), "batch"), FEW, epochs)
    assert len(set(asked)) == len(asked)  # no setting is trained twice
    return chosen


def test_from_defaults_keeps_defaults_unless_others_are_better_on_every_split(monkeypatch):
    """Only settings and epochs with a higher nDCG on all three splits may replace the defaults."""
    default = {"step_size": 0.002, "gamma": 10.0, "epochs": 15}  # the defaults for a small log
    assert chosen_by(monkeypatch, lambda *_: 0.5) == default
    for better in (0.004, 10.0), (0.001, 10.0), (0.002, 5.0), (0.002, 20.0):
        # much better on average, but worse on one of the three splits
        twice = lambda step, gamma, seed, _, better=better: (
            0.5 + ((step, gamma) == better) * (-0.001 if seed == 2 else 0.1)
        )
        assert chosen_by(monkeypatch, twice) == default
        always = lambda step, gamma, seed, _, better=better: 0.5 + ((step, gamma) == better) / 1e4
        assert chosen_by(monkeypatch, always) == default | dict(zip(("step_size", "gamma"), better))
    by_chance = lambda step, gamma, seed, epoch: 0.5 + (epoch == 3) * (0.1 if seed else -0.001)
    assert chosen_by(monkeypatch, by_chance) == default
    assert chosen_by(monkeypatch, lambda *_: 0.5, epochs=4) == default | {"epochs": 4}


@pytest.mark.parametrize("best", [0.016, 0.00025])
def test_from_defaults_changes_step_while_ndcg_rises(monkeypatch, best):
    value = lambda step, gamma, seed, epoch: (
        1 - abs(np.log2(step / best)) / 9 + (gamma == 20) / 50 - abs(epoch - 7) / 100 + seed / 10
    )
    assert chosen_by(monkeypatch, value) == {"step_size": best, "gamma": 20.0, "epochs": 7}


def test_by_budget_rejects_step_size_at_which_cost_overflows(monkeypatch):
    mock = MockTrainings(monkeypatch)

    def overflow(model, pairs, step_size, **rest):
        if step_size > 1e-4:
            raise NotFiniteError("step_size: the cost is not finite")
        mock.train(model, pairs, step_size, **rest)

    monkeypatch.setattr(trained, "train", overflow)
    assert search.search(Row(RNN(2)), PAIRS[:300], epochs=2)["step_size"] <= 1e-4
