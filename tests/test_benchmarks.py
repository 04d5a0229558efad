"""The benchmarks: their data, their floor, that what they time computes the same, and that the
long ones run on little.
"""

import importlib.util
import json
import shutil
import subprocess
import sys

import numpy as np
import pytest
from conftest import ROOT

import lstm_edu
from lstm_edu import LSTM, DualEncoder, InputError, LetterTrigrams, letter_trigrams, train
from lstm_edu.data import synthetic
from lstm_edu.gradients import minibatch
from lstm_edu.model import Side
from lstm_edu.text import batch as batches
from lstm_edu.text import sentences
from lstm_edu.threads import two_threads
from lstm_edu.training import click_log
from lstm_edu.training.settings import usual_epochs
from lstm_edu.training.train import NotFiniteError

HERE = ROOT / "benchmarks"


@pytest.fixture
def scripts(monkeypatch):
    """The benchmarks importable, at a scale small enough for a test."""
    monkeypatch.syspath_prepend(str(HERE))
    import paper_scale
    import step

    monkeypatch.setitem(paper_scale.SCALES, "classroom", paper_scale.Scale(60, 4, 16, 4))
    monkeypatch.setattr(step, "TIMES", dict.fromkeys(step.TIMES, 1))
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
    assert (
        len(known) == 3000
        and np.mean([t in known for word in set(words) for t in letter_trigrams(word)]) > 0.95
    )
    assert len(paper_scale.hashing(50_000).trigrams) == 50_000
    assert {
        len(text.split())
        for text in paper_scale.texts(
            50, 9, np.array(["a", "b"]), np.random.default_rng(0), mixed=False
        )
    } == {9}


def test_the_floor_counts_what_it_says(scripts):
    import floor

    hashing = scripts[0].hashing(60)
    batch = batches.side_by_side(sentences.from_texts(["abc ab abc", "abc", "cab a"], hashing))
    n, distinct, touched, m, g = (
        6,
        4,
        len({t for word in ("abc", "ab", "cab", "a") for t in letter_trigrams(word)}),
        5,
        3,
    )
    counts = floor.counts(batch, LSTM(m))
    assert counts["flops"] == 3 * 2 * (n - 3) * m * g * m and counts["tanh"] == n * m * 4
    assert counts["bytes"] == 4 * (
        n * m * (2 * (g + 2) + g + 2 * g) + 4 * distinct * m * g + 8 * touched * m * g
    )


def test_every_way_takes_the_same_step(scripts):
    """By hand and by autograd, lazy and dense, with more trigrams; in PyTorch where that is."""
    paper_scale, step = scripts
    scale = paper_scale.SCALES["classroom"]
    model = DualEncoder(LSTM(scale.n_cells), paper_scale.hashing(scale.n_trigrams), scale=0.3)
    (texts, examples), *_ = step.minibatches(scale, model)
    rows = np.union1d(examples.queries.touched, examples.documents.touched)
    with two_threads() as threads:
        lazy, dense, wide = (
            step.ByHand(model, threads),
            step.ByHand(model, threads),
            step.ByHand(model, threads, 10),
        )
        ways = [
            lambda: lazy.lazy(examples),
            lambda: dense.dense(examples),
            lambda: wide.lazy(step.apart(examples, 10)),
        ]
        autograd = [
            step.autograd_step.Training(model, texts, step.SETTINGS, step.N_UPDATES, some)
            for some in (rows, None)
        ]
        weights = [[side.weights for side in way.run.sides] for way in (lazy, dense)] + [
            way.weights for way in autograd
        ]
        ways += [way.step for way in autograd]
        if step.torch_step:
            torch, tensors = (
                step.torch_step.Training(model, step.SETTINGS),
                step.torch_step.prepare(examples),
            )
            ways.append(lambda: torch.step(tensors, 1, step.N_UPDATES))
        for _ in range(2):
            for way in ways:
                way()
    if step.torch_step:
        weights.append(
            [dict(zip(step.torch_step.NAMES, map(np.asarray, side))) for side in torch.weights]
        )
    for side, batch in enumerate((examples.queries, examples.documents)):
        start = (model.query, model.document)[side].weights
        for other in weights[1:]:
            for name, w in weights[0][side].items():
                moved, expected = other[side][name] - start[name], w - start[name]
                np.testing.assert_allclose(
                    moved, expected, atol=1e-3 * np.abs(expected).max(), err_msg=name
                )
        np.testing.assert_allclose(
            wide.run.sides[side].weights["W"][batch.touched * 10],
            weights[0][side]["W"][batch.touched],
            atol=1e-6,
        )


def test_rows_that_wait_are_those_of_train(scripts, monkeypatch):
    import adam_rows

    monkeypatch.setattr(adam_rows, "BATCH_SIZE", 4)
    pairs = [(f"word{k} one", f"title{k} of word{k % 5}") for k in range(40)]
    hashing = LetterTrigrams.fit(text for pair in pairs for text in pair)
    for setting in adam_rows.SETTINGS.values():
        start, waiting, moving, ours = (DualEncoder(LSTM(4), hashing) for _ in range(4))
        how = setting | {"epochs": 2, "seed": 1, "step_size": 0.01}
        found = adam_rows.train(waiting, pairs, False, **how)
        adam_rows.train(moving, pairs, True, **how)
        how |= {"batch_size": adam_rows.BATCH_SIZE, "held_out": adam_rows.HELD_OUT}
        last = []
        history = train(
            ours,
            pairs,
            optimizer="adam",
            callback=lambda model, _: last.append(model.query.weights["W"].copy()),
            **how,
        )
        assert found == pytest.approx(history["held_out"], abs=1e-6)
        np.testing.assert_allclose(waiting.query.weights["W"], last[-1], atol=1e-5)
        assert min(adam_rows.apart(waiting, moving, start)) > 1e-3


def test_it_refuses_to_time_what_does_not_agree(scripts):
    paper_scale, step = scripts
    scale = paper_scale.SCALES["classroom"]
    model = DualEncoder(LSTM(scale.n_cells), paper_scale.hashing(scale.n_trigrams))
    (_, examples), *_ = step.minibatches(scale, model)
    l, gradient = step.minibatch_gradient(
        (model.query, model.document), examples, step.SETTINGS["gamma"]
    )
    step.agree(model, examples, {"itself": (l.sum(), gradient)})
    gradient[1]["b"][0] += 1e-3 * np.abs(gradient[1]["b"]).max()
    with pytest.raises(AssertionError, match="a little off: b"):
        step.agree(model, examples, {"a little off": (l.sum(), gradient)})


def test_the_figures_and_their_table(scripts):
    paper_scale, step = scripts
    with two_threads() as threads:
        found = {"classroom": step.measure("classroom", threads)}
    figures = found["classroom"]
    assert {"bptt_ms", "adam_ms", "autograd_ms", "torch_ms", "floor_ms"} <= figures.keys() and (
        figures["torch_ms"] is None
    ) == (step.torch_step is None)
    assert "classroom" in step.table(found)
    json.dumps(found)


def test_a_step_is_given_up_for_an_overflow_and_for_nothing_else(scripts, monkeypatch):
    import curves

    def fails(error):
        def train(*args, step_size, **settings):
            if step_size > 0.001:
                raise error
            return None, {"held_out": [0.5]}

        monkeypatch.setattr(curves, "train", train)
        return curves.search(LSTM(2), [], None, {}, 0.002)

    assert fails(NotFiniteError("step_size: the cost is not finite"))[0] == 0.001
    with pytest.raises(InputError, match="^held_out: no query is left"):
        fails(InputError("held_out: no query is left"))


def test_json_to_standard_output_is_json_alone():
    done = subprocess.run(
        [sys.executable, HERE / "search.py", "--titles", "2000", "--json"],
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    assert json.loads(done.stdout)["search"]["titles"] == 2000


def test_the_table_that_the_readme_shows(scripts):
    import table

    step = {
        "bptt_ms": 50.0,
        "torch_ms": None,
        "autograd_ms": 1000.0,
        "floor_ms": 25.0,
        "dense_ms": 60.0,
        "ten_times_dense_ms": 600.0,
        "ratios": {"ten times the trigrams / bptt": 1.01},
    }
    text = table.table(
        {"date": "2026-01-01", "paper": step, "classroom": step},
        {"epoch": {"pairs": 200_000, "epoch_s": 17.0, "peak_mb": 600}},
        {"encode": {"titles_per_second": 100_000}},
        {"search": {"titles": 1_000_000, "ms_per_query": 5.0, "peak_mb": 700}},
    )
    assert (
        "| 50.0 ms | 50.0 ms |" in text
        and "| 1,000.0 ms (20.0) |" in text
        and "| not measured | not measured |" in text
    )
    assert "1.01 of the step (10.0 with the dense update)" in text and "100,000" in text


@pytest.fixture
def approximate(scripts, tmp_path, monkeypatch):
    """The benchmark of an approximate index, with a model that has not learned."""
    import approximate

    monkeypatch.setattr(approximate, "PROBES", (1, 10_000))
    hashing = LetterTrigrams.fit(["hotels in shanghai", "fix a thermostat", "boston to denver"])
    DualEncoder(LSTM(8), hashing).save(tmp_path / "model.npz")
    return approximate


def test_an_index_that_looks_into_every_list_finds_what_the_exact_search_finds(
    approximate, tmp_path
):
    pytest.importorskip("faiss", reason="faiss is not installed")
    found = approximate.measure(tmp_path, 2000)
    one, every = found["approximate"]
    assert every["recall"] == 1.0 > one["recall"] > 0.1
    seconds = found["seconds"]
    assert seconds["model"] is None and len(seconds["index"]) == len(seconds["titles"]) == 2
    assert "10000 lists: recall@10 1.0" in approximate.table({"approximate": found})
    titles = (tmp_path / "titles.txt").read_text(encoding="utf-8").splitlines()
    assert len(set(titles)) == 2000
    # what is there is not made again
    (tmp_path / "titles.txt").write_text("", encoding="utf-8")
    assert approximate.measure(tmp_path, 3000)["seconds"] == seconds


def test_without_faiss_the_benchmark_says_so(approximate, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "faiss", None)
    with pytest.raises(InputError, match="this benchmark needs faiss: pip install faiss-cpu"):
        approximate.measure(tmp_path, 20)


@pytest.fixture
def quality(monkeypatch):
    """`quality.py`, with models and curves small enough for a test."""
    monkeypatch.syspath_prepend(str(HERE))
    import quality

    small = {way: (lstm_edu.LSTM(3), *how[1:]) for way, how in quality.WAYS.items()}
    monkeypatch.setattr(quality, "WAYS", small)
    monkeypatch.setattr(quality, "LSTM", lstm_edu.LSTM(3))
    monkeypatch.setattr(quality, "EPOCHS", {"log": 2})
    return quality


def test_how_soon_a_model_is_good(quality, tmp_path):
    folder = tmp_path / "log"
    folder.mkdir()
    synthetic_log = synthetic.generate(0, n_pairs=150, n_queries=20)
    (folder / "train_pairs.tsv").write_text(
        "".join(f"{query}\t{title}\n" for query, title in synthetic_log.pairs), encoding="utf-8"
    )
    shutil.copy(ROOT / "data_samples" / "judgments.tsv", folder)
    curves, judged = quality.curves(str(folder), 1), quality.judged(str(folder), 1)
    torch_too = importlib.util.find_spec("torch") is not None
    assert len(curves) == len(quality.WAYS) + torch_too * (1 + len(quality.RATES))
    for (run,) in curves.values():
        assert len(run["ndcg"]) == len(run["seconds"]) == 2 and all(0 < x <= 1 for x in run["ndcg"])
        assert 0 <= run["seconds"][0] <= run["seconds"][1]
    assert len(judged["by epoch"]) == usual_epochs(150) and judged["queries"] == 400
    assert judged["nDCG@10"]["mean"] == judged["by epoch"][-1]
    text = quality.table({"curves": {"log": curves}, "judged": {"log": judged}})
    assert all(way in text for way in curves)


def test_pytorch_s_gradient_given_every_shortcut_is_ours(quality):
    pytest.importorskip("torch")
    log = synthetic.generate(0, n_pairs=300, n_queries=20)
    hashing = lstm_edu.LetterTrigrams.fit(text for pair in log.pairs for text in pair)
    model = lstm_edu.DualEncoder(lstm_edu.LSTM(5), hashing, scale=0.5, tied=False)
    numbers = click_log.from_pairs(log.pairs, hashing)
    rng = np.random.default_rng(0)
    examples = next(click_log.minibatches(numbers, np.arange(300), 64, "batch", rng))
    batches = [batch._replace(Wh=batch.Wh_touched) for batch in examples[:2]]
    sides = [
        Side(side.cell, side.weights | {"W": side.weights["W"][batch.touched]})
        for side, batch in zip((model.query, model.document), batches)
    ]
    examples = examples._replace(queries=batches[0], documents=batches[1])
    l, gradient = minibatch.minibatch_gradient(sides, examples, 10.0)
    by_torch = quality.torch_gradient(sides, examples, 10.0, "bptt", None, map)
    assert np.allclose(by_torch[0], l, atol=1e-4)
    for own, other in zip(gradient, by_torch[1]):
        for name, g in own.items():
            assert np.abs(other[name] - g).max() < 1e-4 * np.abs(g).max()


def test_the_curves_that_the_defaults_were_chosen_by(monkeypatch):
    monkeypatch.syspath_prepend(str(HERE))
    import defaults

    monkeypatch.setattr(defaults, "MOST", 3)
    for name in ("tied adam .002", "nesterov .002"):
        found = defaults.curve("120", name, 0)
        assert len(found["ndcg"]) == len(found["seconds"]) == 3 and "error" not in found


def test_what_torch_compile_changes(monkeypatch):
    """Without compiling, which takes minutes: that the ways are measured, and told."""
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
    stored = json.loads((HERE / "torch_compile.json").read_text(encoding="utf-8"))
    assert "of eager" in torch_compile.shown(stored) and stored["paper"]["rounds"] >= 30


def test_what_alignment_brings_and_whether_it_is_right(monkeypatch, tmp_path):
    monkeypatch.syspath_prepend(str(HERE))
    import alignment

    sample, short = lstm_edu.sample(), tmp_path / "sample"
    short.mkdir()
    for name, n in (("train_pairs.tsv", 60), ("judgments.tsv", 240), ("needs.tsv", 16)):
        lines = (sample / name).read_text(encoding="utf-8").splitlines()[:n]
        (short / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    monkeypatch.setattr(lstm_edu, "sample", lambda: short)
    path = tmp_path / "found.json"
    path.write_text(
        json.dumps({"interval": "", "sets": {"msrd": {"kept": True}}}), encoding="utf-8"
    )
    given = ["sample", "--cells", "2", "--epochs", "1", "--seeds", "2", "--json", str(path)]
    alignment.main(given)
    sets = json.loads(path.read_text(encoding="utf-8"))["sets"]
    assert sets["msrd"] == {"kept": True}  # a set that was not measured stays
    found = sets["sample"]
    assert found["above the dual encoder"]["dual encoder"]["mean"] == 0
    kept = {name: own["bytes kept of a title"] for name, own in found["cost"].items()}
    assert kept["dual encoder"] == kept["attention"] == 4 * 4 < kept["aligned words"]
    assert kept["aligned words and embeddings"] == kept["aligned words"] + 16
    intent = found["aligned"]["intent"]
    assert intent["letters"]["queries"] == intent["chance"]["queries"] > 0
    assert set(intent["above letters"]) == {*found["cost"], "untrained"}


def test_open_questions_are_all_stored_and_come_out_again(monkeypatch):
    monkeypatch.syspath_prepend(str(HERE))
    import open_questions

    stored = json.loads((HERE / "open_questions.json").read_text(encoding="utf-8"))
    assert {*open_questions.QUESTIONS, "D8", "date"} == stored.keys()
    for seed, run in enumerate(stored["B7"]["ours"][:2]):
        left = open_questions.share_left(open_questions.new(open_questions.RNN, seed), 8)
        assert left == pytest.approx(run["left"], rel=1e-2)
