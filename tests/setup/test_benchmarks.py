"""Tests of the benchmarks `choices` and `step`, and of `course.py about`."""

import importlib
import pathlib
import re
from types import SimpleNamespace

import numpy as np
import pytest
import yaml
from conftest import ROOT

from benchmarks import about as about_
from benchmarks.experiments import choices
from benchmarks.speed import paper_scale, step
from lstm_edu import LSTM, DualEncoder
from lstm_edu._util.threads import two_threads
from lstm_tools.table_iv import held_out, search

EXPERIMENTS = sorted(pathlib.Path(choices.__file__).parent.glob("[a-z]*.py"))


@pytest.mark.parametrize("name", [path.stem for path in EXPERIMENTS])
def test_experiment_can_be_imported_and_documents_its_command(name):
    module = importlib.import_module(f"benchmarks.experiments.{name}")
    assert not hasattr(module, "main") or f"benchmarks.experiments.{name}" in module.__doc__


def test_choices_are_evaluated_on_queries_unused_in_search_and_training(monkeypatch):
    folder, pairs, judgments = choices.experiment.data()
    pairs, learned, settings = pairs[:1500], set(), []
    small = choices.experiment.Data(folder, pairs, judgments)
    monkeypatch.setattr(choices.experiment, "data", lambda name: small)

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
def minibatch():
    """Return a small model and one minibatch, as texts and as `Examples`."""
    scale = paper_scale.Scale(60, 4, 16, 4)
    hashing = paper_scale.hashing(scale.n_trigrams)
    model = DualEncoder(LSTM(scale.n_cells), hashing, scale=0.3)
    return model, *next(step.examples_at(scale, model))


def test_bptt_autograd_and_dense_update_take_the_same_step(minibatch):
    """Compare weights after two steps. `step.agree` also compares PyTorch, if it is installed."""
    model, texts, examples = minibatch
    gradient = step.autograd_step.gradient_of(model, texts, examples)
    step.agree(model, examples, {"autograd": gradient})
    with two_threads() as threads:
        lazy, dense = (step.Training(model, threads) for _ in range(2))
        autograd = step.Training(model, threads, gradient)
        for _ in range(2):
            lazy.step(examples)
            dense.dense(examples)
            autograd.step(examples)
    sides = lambda training: (training.run.model.query, training.run.model.document)
    by_hand, *others = map(sides, (lazy, dense, autograd))
    for k, side in enumerate((model.query, model.document)):
        for name, start in side.weights.items():
            moved = by_hand[k].weights[name] - start
            atol = 1e-3 * np.abs(moved).max()
            for other in others:
                found = other[k].weights[name] - start
                np.testing.assert_allclose(found, moved, atol=atol, err_msg=name)


@pytest.fixture
def about():
    """Return the module `benchmarks.about`, and a dict of each quantity's stored mean."""
    stored = about_.stored("about")["trainings"]
    return about_, {name: about_.stored_range(stored, name)[0] for name in about_.NUMBERS}


@pytest.mark.parametrize(
    "name, factor, status, last",
    [
        ("seconds", 99, 0, "All are within their range."),
        ("cost", 1.01, 0, "Outside of its range: cost of"),
        ("gradient", 1e4, 1, "Outside of its range: a gradient's"),
    ],
)
def test_about_reports_value_out_of_range_and_fails_only_for_gradient(
    name, factor, status, last, about, monkeypatch, capsys
):
    module, found = about
    found[name] *= factor
    monkeypatch.setattr("sys.argv", ["about.py"])
    monkeypatch.setattr(module, "measure", lambda: found)
    assert module.main() == status
    said = capsys.readouterr().out
    *_, verdict, _, _, row = said.splitlines()
    assert "\nBLAS " in said and verdict.startswith(last)
    assert row.count("|") == _rows()[0].count("|") and format(found["cost"], ".4f") in row


def _rows():
    """Return the lines of the table in book/pages/reproductions.md."""
    page = (ROOT / "book" / "pages" / "reproductions.md").read_text(encoding="utf-8")
    return re.findall(r"^\|.*\|$", page, re.M)


def test_reproductions_page_shows_stored_ranges_and_complete_rows():
    """Check the row of expected ranges. Values in readers' rows may lie outside these ranges."""
    head, _, expected, *rows = _rows()
    trainings = about_.stored("about")["trainings"]
    cells = [cell.strip() for cell in expected.split("|")[6:-2]]
    for cell, (name, (_, form)) in zip(cells, about_.NUMBERS.items(), strict=True):
        low, high = (format(x, form) for x in about_.stored_range(trainings, name)[1:])
        assert cell == (low if low == high else f"{low} to {high}"), name
    assert rows and {row.count("|") for row in rows} == {head.count("|")}
    form = yaml.safe_load((ROOT / ".github/ISSUE_TEMPLATE/reproduction.yml").read_bytes())
    parts = {part.get("id"): part for part in form["body"]}
    assert {"name", "description"} < form.keys() and parts["row"]["validations"]["required"]
