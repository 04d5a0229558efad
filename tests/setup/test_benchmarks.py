"""The benchmarks choose by no query that they measure with, and time the same computation.

And `course.py about` names a number that is out of its range.
"""

from types import SimpleNamespace

import numpy as np
import pytest
from conftest import ROOT

import lstm_edu
from benchmarks import about as about_
from benchmarks.experiments import choices
from benchmarks.speed import paper_scale, step
from lstm_edu import LSTM, DualEncoder
from lstm_edu._util.threads import two_threads
from lstm_tools.table_iv import held_out, search


def test_choice_is_measured_on_queries_that_neither_chose_nor_trained(monkeypatch, tmp_path):
    pairs = lstm_edu.read_pairs(ROOT / "data_samples" / "train_pairs.tsv")[:1500]
    log = "".join(f"{query}\t{title}\n" for query, title in pairs)
    (tmp_path / "train_pairs.tsv").write_text(log, encoding="utf-8")
    monkeypatch.setattr(choices.harness, "folder_of", lambda name: str(tmp_path))
    learned, settings = set(), []

    def fit(row, pairs, seed, **chosen):
        learned.update(query for query, _ in pairs)
        settings.append(chosen)
        return SimpleNamespace(score=lambda query, titles: np.zeros(len(titles)))

    monkeypatch.setattr(choices.Row, "fit", fit)
    asked = set(choices.held_out_ndcg("small", "align_96", None, 4))
    assert len(asked) > 50 and asked.isdisjoint(learned)
    assert settings[0]["step_size"] == 0.002 and settings[0]["gamma"] == 10
    for seed in range(3):
        _, chosen_by = held_out.searches(pairs, most=search.SEARCHES, seed=seed)
        assert asked.isdisjoint(search.query for search in chosen_by)


@pytest.fixture
def minibatch(monkeypatch):
    """The benchmark of a step, and a small model with the texts and examples of a minibatch."""
    scale = paper_scale.Scale(60, 4, 16, 4)
    hashing = paper_scale.hashing(scale.n_trigrams)
    model = DualEncoder(LSTM(scale.n_cells), hashing, scale=0.3)
    texts, examples = next(step.examples_at(scale, model))
    return step, model, texts, examples


def test_every_way_takes_the_same_step(minibatch):
    """By hand and by autograd, lazy and dense; PyTorch's gradient, `step.agree` compares."""
    step, model, texts, examples = minibatch
    batches = examples.queries, examples.documents
    rows = np.union1d(*(batch.touched for batch in batches))
    given = model, texts, step.SETTINGS, step.N_UPDATES
    with two_threads() as threads:
        lazy, dense = (step.ByHand(model, threads) for _ in range(2))
        autograd = [step.autograd_step.Training(*given, some) for some in (rows, None)]
        ways = [lambda: lazy.lazy(examples), lambda: dense.dense(examples)]
        ways += [way.step for way in autograd]
        for way in [*ways, *ways]:
            way()
    weights = [[side.weights for side in way.run.sides] for way in (lazy, dense)]
    weights += [way.weights for way in autograd]
    for k, side in enumerate((model.query, model.document)):
        for name, start in side.weights.items():
            moved, *others = (way[k][name] - start for way in weights)
            atol = 1e-3 * np.abs(moved).max()
            for other in others:
                np.testing.assert_allclose(other, moved, atol=atol, err_msg=name)


@pytest.fixture
def about():
    """The module and the stored means by name."""
    stored = about_.read(about_.STORED)["trainings"]
    return about_, {name: about_.stored_range(stored, name)[0] for name in about_.NUMBERS}


@pytest.mark.parametrize(
    "name, factor, status, last",
    [
        ("seconds", 99, 0, "All are within their range."),
        ("cost", 1.01, 0, "Outside of its range: cost of"),
        ("gradient", 1e4, 1, "Outside of its range: a gradient's"),
    ],
)
def test_about_names_number_outside_and_fails_for_gradient_alone(
    name, factor, status, last, about, monkeypatch, capsys
):
    module, found = about
    found[name] *= factor
    monkeypatch.setattr("sys.argv", ["about.py"])
    monkeypatch.setattr(module, "measure", lambda: found)
    assert module.main() == status
    said = capsys.readouterr().out
    assert "\nBLAS " in said and said.splitlines()[-1].startswith(last)
