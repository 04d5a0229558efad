"""The benchmarks of speed: their data and floor; what is timed computes the same."""

import numpy as np
import pytest
from conftest import ROOT

from lstm_edu import LSTM, DualEncoder, letter_trigrams
from lstm_edu._util.threads import two_threads
from lstm_edu.text import batch as batches
from lstm_edu.text import sentences

HERE = ROOT / "benchmarks"


@pytest.fixture
def scripts(monkeypatch):
    """The benchmarks importable, at a scale small enough for a test."""
    monkeypatch.syspath_prepend(str(HERE))
    import paper_scale
    import step

    monkeypatch.setitem(paper_scale.SCALES, "classroom", paper_scale.Scale(60, 4, 16, 4))
    return paper_scale, step


def test_the_synthetic_log(scripts):
    paper_scale, _ = scripts
    pairs, again, others = (list(paper_scale.pairs(4000, 3000, seed)) for seed in (0, 0, 1))
    assert pairs == again != others and len(pairs) == 4000
    for side, mean in ((0, 3.5), (1, 9)):
        lengths = np.array([len(pair[side].split()) for pair in pairs])
        assert abs(lengths.mean() - mean) < 0.15 and lengths.min() >= 1 and len(set(lengths)) > 5
    words = [word for pair in pairs for text in pair for word in text.split()]
    counts = np.sort(np.unique(words, return_counts=True)[1])[::-1]
    assert 1.6 < counts[0] / counts[1] < 2.4 and 7 < counts[0] / counts[9] < 13  # Zipf's law
    known = set(paper_scale.hashing(3000).trigrams)
    assert len(known) == 3000
    assert np.mean([t in known for word in set(words) for t in letter_trigrams(word)]) > 0.95
    words, rng = np.array(["a", "b"]), np.random.default_rng(0)
    made = paper_scale.texts(50, 9, words, rng, mixed=False)
    assert {len(text.split()) for text in made} == {9}


def test_the_floor_counts_what_it_says(scripts):
    import floor

    hashing = scripts[0].hashing(60)
    batch = batches.side_by_side(sentences.from_texts(["abc ab abc", "abc", "cab a"], hashing))
    n, distinct, m, g = 6, 4, 5, 3
    touched = len({t for word in ("abc", "ab", "cab", "a") for t in letter_trigrams(word)})
    counts = floor.counts(batch, LSTM(m))
    assert counts["flops"] == 3 * 2 * (n - 3) * m * g * m and counts["tanh"] == n * m * 4
    moved = n * m * (2 * (g + 2) + g + 2 * g) + 4 * distinct * m * g + 8 * touched * m * g
    assert counts["bytes"] == 4 * moved


def test_every_way_takes_the_same_step(scripts):
    """By hand and by autograd, lazy and dense, with more trigrams; in PyTorch where that is."""
    paper_scale, step = scripts
    scale = paper_scale.SCALES["classroom"]
    model = DualEncoder(LSTM(scale.n_cells), paper_scale.hashing(scale.n_trigrams), scale=0.3)
    (texts, examples), *_ = step.examples_at(scale, model)
    rows = np.union1d(examples.queries.touched, examples.documents.touched)
    with two_threads() as threads:
        lazy = step.ByHand(model, threads)
        dense = step.ByHand(model, threads)
        wide = step.ByHand(model, threads, 10)
        ways = [lambda: lazy.lazy(examples), lambda: dense.dense(examples)]
        ways += [lambda: wide.lazy(step.apart(examples, 10))]
        given = model, texts, step.SETTINGS, step.N_UPDATES
        autograd = [step.autograd_step.Training(*given, some) for some in (rows, None)]
        weights = [[side.weights for side in way.run.sides] for way in (lazy, dense)]
        weights += [way.weights for way in autograd]
        ways += [way.step for way in autograd]
        if step.torch_step:
            torch = step.torch_step.Training(model, step.SETTINGS)
            tensors = step.torch_step.prepare(examples)
            ways.append(lambda: torch.step(tensors, 1, step.N_UPDATES))
        for _ in range(2):
            for way in ways:
                way()
    if step.torch_step:
        named = lambda side: dict(zip(step.torch_step.NAMES, map(np.asarray, side)))
        weights.append([named(side) for side in torch.weights])
    for side, batch in enumerate((examples.queries, examples.documents)):
        start = (model.query, model.document)[side].weights
        for other in weights[1:]:
            for name, w in weights[0][side].items():
                moved, expected = other[side][name] - start[name], w - start[name]
                atol = 1e-3 * np.abs(expected).max()
                np.testing.assert_allclose(moved, expected, atol=atol, err_msg=name)
        own, expected = wide.run.sides[side].weights["W"], weights[0][side]["W"][batch.touched]
        np.testing.assert_allclose(own[batch.touched * 10], expected, atol=1e-6)


def test_it_refuses_to_time_what_does_not_agree(scripts):
    paper_scale, step = scripts
    scale = paper_scale.SCALES["classroom"]
    model = DualEncoder(LSTM(scale.n_cells), paper_scale.hashing(scale.n_trigrams))
    (_, examples), *_ = step.examples_at(scale, model)
    sides = model.query, model.document
    l, gradient = step.minibatch_gradient(sides, examples, step.SETTINGS["gamma"])
    step.agree(model, examples, {"itself": (l.sum(), gradient)})
    gradient[1]["b"][0] += 1e-3 * np.abs(gradient[1]["b"]).max()
    with pytest.raises(AssertionError, match="a little off: b"):
        step.agree(model, examples, {"a little off": (l.sum(), gradient)})


def test_what_torch_compile_changes(monkeypatch):
    """Without compiling, which takes minutes: that the ways are measured."""
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    monkeypatch.syspath_prepend(str(HERE))
    import torch_compile

    monkeypatch.setattr(torch, "compile", lambda function: function)
    found = torch_compile.measure(6, 3, 4, rounds=3)
    assert list(found["ratios"]) == ["eager", "compiled", "nn.LSTM"]
    assert found["ratios"]["eager"] == [1, 1, 1] and found["eager_ms"] > 0
    monkeypatch.setattr(torch, "compile", lambda function: lambda *given: 2 * function(*given))
    with pytest.raises(AssertionError):  # what is timed computes the same
        torch_compile.measure(6, 3, 4, rounds=1)
