"""The benchmarks choose by no query that they measure with, and time the same computation."""

import numpy as np
import pytest
from conftest import ROOT

import lstm_edu
from lstm_edu import LSTM, DualEncoder, LetterTrigrams, train
from lstm_edu._util.threads import two_threads
from lstm_edu.table_iv import tuning
from lstm_edu.training import held_out


@pytest.fixture(autouse=True)
def importable(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))


class Zero:
    """A model that ranks all titles alike."""

    def score(self, query, titles):
        return np.zeros(len(titles))


def test_choice_is_measured_on_queries_that_neither_chose_nor_trained(monkeypatch, tmp_path):
    import choices

    pairs = lstm_edu.read_pairs(ROOT / "data_samples" / "train_pairs.tsv")[:4000]
    log = "".join(f"{query}\t{title}\n" for query, title in pairs)
    (tmp_path / "train_pairs.tsv").write_text(log, encoding="utf-8")
    monkeypatch.setattr(choices.harness, "folder_of", lambda name: str(tmp_path))
    learned, settings = set(), []

    def fit(cell, pairs, n, seed, aligned, **chosen):
        learned.update(query for query, _ in pairs)
        settings.append(chosen)
        return Zero()

    monkeypatch.setattr(choices.trained, "fit", fit)
    asked = set(choices.held_out_ndcg("small", "align_96", None, 4))
    assert len(asked) > 100 and asked.isdisjoint(learned)
    assert settings[0]["step_size"] == 0.002 and settings[0]["gamma"] == 10
    for seed in range(3):
        _, chosen_by = held_out.searches(pairs, most=tuning.SEARCHES, seed=seed)
        assert asked.isdisjoint(search.query for search in chosen_by)


def test_rows_that_wait_are_those_of_train(monkeypatch):
    import adam_rows

    monkeypatch.setattr(adam_rows, "BATCH_SIZE", 4)
    pairs = [(f"word{k} one", f"title{k} of word{k % 5}") for k in range(40)]
    hashing = LetterTrigrams.fit(text for pair in pairs for text in pair)
    how = adam_rows.SETTINGS["the paper's"] | {"epochs": 2, "seed": 1, "step_size": 0.01}
    waiting, ours = (DualEncoder(LSTM(4), hashing) for _ in range(2))
    found = adam_rows.train(waiting, pairs, False, **how)
    how |= {"batch_size": adam_rows.BATCH_SIZE, "held_out": adam_rows.HELD_OUT}
    last = []
    keep = lambda model, _: last.append(model.query.weights["W"].copy())
    history = train(ours, pairs, optimizer="adam", callback=keep, **how)
    assert found == pytest.approx(history["held_out"], abs=1e-6)
    np.testing.assert_allclose(waiting.query.weights["W"], last[-1], atol=1e-5)


@pytest.fixture
def minibatch(monkeypatch):
    """The benchmark of a step, and a small model with the texts and examples of a minibatch."""
    import paper_scale
    import step

    scale = paper_scale.Scale(60, 4, 16, 4)
    model = DualEncoder(LSTM(scale.n_cells), paper_scale.hashing(scale.n_trigrams), scale=0.3)
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


def test_refuses_to_time_what_does_not_agree(minibatch):
    step, model, _, examples = minibatch
    sides = model.query, model.document
    l, gradient = step.minibatch_gradient(sides, examples, step.SETTINGS["gamma"])
    step.agree(model, examples, {"itself": (l.sum(), gradient)})
    gradient[1]["b"][0] += 1e-3 * np.abs(gradient[1]["b"]).max()
    with pytest.raises(AssertionError, match="a little off: b"):
        step.agree(model, examples, {"a little off": (l.sum(), gradient)})
