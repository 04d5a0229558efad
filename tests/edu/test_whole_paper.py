"""Tests that gradient, cost, updates and nDCG of `whole_paper.py` equal the package's."""

import re

import numpy as np
import pytest
from conftest import HASHING, ROOT, cell_name, clicks, unit_model, worst_difference

import lstm_edu
from lstm_edu import LSTM, RNN, whole_paper
from lstm_edu.ranking.ndcg import ndcg

COLUMNS = {trigram: k for k, trigram in enumerate(HASHING.trigrams)}
CELLS = [RNN(3), *(LSTM(3, forget, Wp) for forget in (False, True) for Wp in (None, "full"))]


@pytest.mark.parametrize("cell", CELLS, ids=cell_name)
def test_whole_paper_cost_and_gradient_equal_package(cell):
    model, (queries, clicked, unclicked) = unit_model(cell), clicks(3, n_pairs=6)
    expected = lstm_edu.cost_and_gradient(model, queries, clicked, unclicked, gamma=4.0)
    sides = [model.query.params, model.document.params]
    titles = [[title, *others] for title, others in zip(clicked, unclicked)]
    cost, gradient = whole_paper.cost_and_gradient(sides, queries, titles, 4.0, COLUMNS)
    assert cost == pytest.approx(expected[0], rel=1e-12)
    assert worst_difference(dict(zip(("query", "document"), gradient)), expected[1]) < 1e-9


def test_training_follows_equation_6_with_schedule_and_clipping(monkeypatch):
    slope = lambda p: {"W": 7 * p["W"]}
    found = lambda sides, *_: (0.0, [slope(p) for p in sides])
    monkeypatch.setattr(whole_paper, "cost_and_gradient", found)
    # only the first side's gradient is clipped
    sides = [{"W": np.array([3.0, 4.0])}, {"W": np.array([0.1, 0.2])}]
    expected, pairs = [p["W"].copy() for p in sides], [("a", "b"), ("c", "d")]
    whole_paper.train(sides, pairs, {}, epochs=100, batch_size=2, n=1, step=0.01, clip=10.0)
    for w, p in zip(expected, sides):
        change = np.zeros(2)
        for k in range(100):
            mu = 0.9 if k in (0, 1, 98, 99) else 0.995
            g = 7 * (w + mu * change)
            change = mu * change - 0.01 * g * min(1, 10 / np.linalg.norm(g))
            w = w + change
        np.testing.assert_allclose(p["W"], w, rtol=1e-12)


def test_never_draws_clicked_title_as_unclicked(monkeypatch):
    seen = []
    record = lambda sides, queries, titles, *_: (0.0, seen.extend(zip(queries, titles)) or [{}, {}])
    monkeypatch.setattr(whole_paper, "cost_and_gradient", record)
    pairs = [("a", "x"), ("a", "y"), ("b", "x"), ("c", "z")]
    whole_paper.train([{}, {}], pairs, {}, epochs=20, batch_size=3, n=2)
    assert len(seen) == 80 and {(query, titles[0]) for query, titles in seen} == set(pairs)
    assert not {(query, d) for query, titles in seen for d in titles[1:]} & set(pairs)
    assert {d for query, titles in seen if query == "c" for d in titles[1:]} == {"x", "y"}


def test_whole_paper_ndcg_equals_package():
    rng = np.random.default_rng(0)
    for n in (1, 3, 12):
        scores, grades = rng.normal(size=n), rng.integers(0, 5, n)
        grades[0] = 1
        assert whole_paper.ndcg(scores, grades.tolist()) == pytest.approx(ndcg(scores, grades, 10))


def test_main_trains_on_log_and_prints_ndcg(tmp_path, capsys):
    words = "oslo cairo kyoto lima quito perth".split()
    pairs = [(f"hotel {a}", f"inns in {a}") for a in words] * 20
    rows = [f"{a}\thotel {a}\t{b}\tinns in {b}\t{int(a == b)}" for a in words for b in words]
    for name, lines in (("train_pairs", map("\t".join, pairs)), ("judgments", rows)):
        (tmp_path / f"{name}.tsv").write_text("\n".join(lines), encoding="utf-8")
    whole_paper.main(tmp_path, n_cells=8, epochs=60)
    *costs, said = capsys.readouterr().out.splitlines()
    assert len(costs) == 60 and said == "nDCG@10 1.000 of 6 judged queries"


def test_whole_paper_imports_only_numpy_and_standard_library():
    source = (ROOT / "lstm_edu" / "whole_paper.py").read_text(encoding="utf-8")
    found = re.findall(r"^\s*(?:import|from) (\S+)", source, re.MULTILINE)
    assert sorted(found) == ["numpy", "pathlib", "sys", "typing"]
