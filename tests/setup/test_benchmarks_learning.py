"""The benchmarks of what is learned, and how soon, on little."""

import importlib.util
import json
import shutil

import numpy as np
import pytest
from conftest import ROOT

import lstm_edu
from lstm_course.sample import synthetic
from lstm_edu import LSTM, DualEncoder, LetterTrigrams, train
from lstm_edu.gradients import minibatch
from lstm_edu.models.dual_encoder import Side
from lstm_edu.table_iv import tuning
from lstm_edu.text.hashing import plain
from lstm_edu.training import held_out, minibatches
from lstm_edu.training.settings import usual_epochs

HERE = ROOT / "benchmarks"


@pytest.fixture(autouse=True)
def importable(monkeypatch):
    monkeypatch.syspath_prepend(str(HERE))


def test_rows_that_wait_are_those_of_train(monkeypatch):
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
        keep = lambda model, _: last.append(model.query.weights["W"].copy())
        history = train(ours, pairs, optimizer="adam", callback=keep, **how)
        assert found == pytest.approx(history["held_out"], abs=1e-6)
        np.testing.assert_allclose(waiting.query.weights["W"], last[-1], atol=1e-5)
        assert min(adam_rows.apart(waiting, moving, start)) > 1e-3


def test_a_choice_is_held_against_the_defaults_by_queries_that_chose_nothing(monkeypatch):
    import choices

    learned, settings = [], []

    class Zero:
        def score(self, query, titles):
            return np.zeros(len(titles))

    def fit(cell, pairs, n, seed, aligned, **chosen):
        learned.extend(plain(query) for query, _ in pairs)
        settings.append(chosen)
        return Zero()

    monkeypatch.setattr(choices.trained, "fit", fit)
    asked = set(choices.held_out_ndcg("sample", "align_96", None, 4))
    assert len(asked) > 1000 and asked.isdisjoint(learned)
    assert settings == [{"step_size": 0.002, "gamma": 10.0, "epochs": 15}]
    pairs = lstm_edu.read_pairs(ROOT / "data_samples" / "train_pairs.tsv")
    for seed in range(3):
        _, chosen_by = held_out.searches(pairs, most=tuning.SEARCHES, seed=seed)
        assert asked.isdisjoint(search.query for search in chosen_by)


def test_the_interval_of_a_choice_is_of_queries_and_splits():
    from choices import told

    one = [{"a": 0.4, "b": 0.8}, {"b": 0.7, "c": 0.3}]
    other = [{"a": 0.4, "b": 0.6}, {"b": 0.6, "c": 0.1}]
    found = told(one, other)
    of_queries, of_splits = np.array([0, 0.15, 0.2]), np.array([0.1, 0.15])
    half = 1.96 * np.sqrt(of_queries.var(ddof=1) / 3 + of_splits.var(ddof=1) / 2)
    ends = (found["mean"], found["low"], found["high"])
    mean = of_queries.mean()
    assert ends == pytest.approx((mean, mean - half, mean + half), abs=1e-4)
    assert found["queries"] == 3 and found["by split"] == pytest.approx([0.1, 0.15])
    assert told(one)["by split"] == [0.6, 0.5]


def test_a_smaller_log_is_the_beginning_of_the_sample(monkeypatch, tmp_path):
    import log_size

    monkeypatch.setattr(log_size, "SIZES", (100, 300))
    log_size.write_log(tmp_path / "sample.tsv", "sample")
    sample = lstm_edu.read_pairs(ROOT / "data_samples" / "train_pairs.tsv")
    assert lstm_edu.read_pairs(tmp_path / "sample.tsv") == sample[:300]


def test_the_interval_at_a_size_is_of_queries_and_trainings():
    from log_size import together, told

    runs = {
        "lstm": [[0.9, 0.7, 0.2, np.nan], [0.8, 0.8, 0.3, np.nan]],
        "bag": [[0.5, 0.6, 0.4, np.nan], [0.6, 0.6, 0.6, np.nan]],
        "bm25": [[0.4, 0.5, 0.3, np.nan]],
    }
    trained = lambda run: {"by_query": run, "held_out": 0.5, "seconds": 1}
    rows = {name: together(list(map(trained, some))) for name, some in runs.items()}
    found = told(rows, {(10, "bag"): rows["bag"] | {"by_seed": [0.3, 0.4]}})
    pooled = np.mean([np.var(two, ddof=1) for two in ([0.6, 1.9 / 3], [0.5, 0.6], [0.3, 0.4])])
    lstm, bag, bm25 = ([0.85, 0.75, 0.25], [0.55, 0.6, 0.5], [0.4, 0.5, 0.3])
    for name, values, n in (("lstm", lstm, 2), ("bm25", bm25, 0)):
        of_trainings = pooled / n if n else 0
        half = 1.96 * np.sqrt(np.var(values, ddof=1) / 3 + of_trainings)
        assert found[name]["nDCG@10"] == pytest.approx(np.mean(values), abs=1e-4)
        assert found[name]["half"] == pytest.approx(half, abs=1e-4)
    above = found["lstm above"]["bag"]
    apart = np.subtract(lstm, bag)
    half = 196 * np.sqrt(np.var(apart, ddof=1) / 3 + pooled)
    assert above["high"] - above["low"] == pytest.approx(2 * half, abs=0.03)
    assert above["mean"] == pytest.approx(100 * apart.mean(), abs=0.01)


@pytest.fixture
def quality(monkeypatch):
    """`quality.py`, with models and curves small enough for a test."""
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
    pairs = "".join(f"{query}\t{title}\n" for query, title in synthetic_log.pairs)
    (folder / "train_pairs.tsv").write_text(pairs, encoding="utf-8")
    shutil.copy(ROOT / "data_samples" / "judgments.tsv", folder)
    curves, judged = quality.curves(str(folder), 1), quality.judged(str(folder), 1)
    torch_too = importlib.util.find_spec("torch") is not None
    assert len(curves) == len(quality.WAYS) + torch_too * (1 + len(quality.RATES))
    for (run,) in curves.values():
        assert len(run["ndcg"]) == len(run["seconds"]) == 2 and all(0 < x <= 1 for x in run["ndcg"])
        assert 0 <= run["seconds"][0] <= run["seconds"][1]
    assert len(judged["by epoch"]) == usual_epochs(150) and judged["queries"] == 400
    assert judged["nDCG@10"]["mean"] == judged["by epoch"][-1]


def test_pytorch_s_gradient_given_every_shortcut_is_ours(quality):
    pytest.importorskip("torch")
    log = synthetic.generate(0, n_pairs=300, n_queries=20)
    hashing = lstm_edu.LetterTrigrams.fit(text for pair in log.pairs for text in pair)
    model = lstm_edu.DualEncoder(lstm_edu.LSTM(5), hashing, scale=0.5, tied=False)
    numbers = minibatches.from_pairs(log.pairs, hashing)
    rng = np.random.default_rng(0)
    examples = next(minibatches.of_epoch(numbers, np.arange(300), 64, "batch", rng))
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


def test_what_alignment_brings_and_whether_it_is_right(monkeypatch, tmp_path):
    import alignment

    sample, short = lstm_edu.sample(), tmp_path / "sample"
    short.mkdir()
    for name, n in (("train_pairs.tsv", 60), ("judgments.tsv", 240), ("needs.tsv", 16)):
        lines = (sample / name).read_text(encoding="utf-8").splitlines()[:n]
        (short / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    monkeypatch.setattr(lstm_edu, "sample", lambda: short)
    path = tmp_path / "found.json"
    stored = {"interval": "", "sets": {"msrd": {"kept": True}}}
    path.write_text(json.dumps(stored), encoding="utf-8")
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


def test_open_questions_are_all_stored_and_come_out_again():
    import open_questions

    stored = json.loads((HERE / "open_questions.json").read_text(encoding="utf-8"))
    assert {*open_questions.QUESTIONS, "D8", "date"} == stored.keys()
    for seed, run in enumerate(stored["B7"]["ours"][:2]):
        left = open_questions.share_left(open_questions.new(open_questions.RNN, seed), 8)
        assert left == pytest.approx(run["left"], rel=1e-2)
