"""Tests of the Skip-Thought trainer: cost, gradient, held-out passages, and refused files."""

import autograd.numpy as anp
import numpy as np
import pytest
from autograd import grad
from refusal import refused

from lstm_edu import readers
from lstm_tools.table_iv import skip_thought_cost, skip_thought_encoder, skip_thought_trainer
from lstm_tools.table_iv.skip_thought import SkipThought

KINDS = (
    "hotel inn hostel rooms lodging suite".split(),
    "flight airline tickets plane airport seat".split(),
)


@pytest.fixture(scope="module")
def text(tmp_path_factory):
    """Write a text file with two kinds of passages that share no word."""
    rng, path = np.random.default_rng(0), tmp_path_factory.mktemp("text") / "sentences.txt"
    line = lambda k: " ".join(rng.choice(KINDS[k % 2], rng.integers(1, 4), replace=False)) + "\n"
    passages = ["".join(line(k) for _ in range(4)) for k in range(120)]
    path.write_text("\n".join(passages), encoding="utf-8")
    return str(path)


@pytest.fixture
def fast(monkeypatch):
    settings = dict(N_UNITS=8, WORD_SIZE=6, BATCH_SIZE=32, STEP_SIZE=0.1, EPOCHS=2)
    for name, value in settings.items():
        monkeypatch.setattr(skip_thought_trainer, name, value)


def plain_cost(weights, triples):
    """Compute the cost in loops over single words, without batches or padding."""

    def step(prefix, x, h):
        names = "W", "U", "b", "Wx", "Ux", "bx"
        W, U, b, Wx, Ux, bx = (weights[f"{prefix}_{name}"] for name in names)
        n = Ux.shape[0]
        gates = 1 / (1 + anp.exp(-(anp.dot(x, W) + anp.dot(h, U) + b)))
        new = anp.tanh(anp.dot(x, Wx) + gates[:n] * anp.dot(h, Ux) + bx)
        return gates[n:] * h + (1 - gates[n:]) * new

    total = 0.0
    for before, read, after in triples:
        last = []
        for prefix, order in (("encoder", read), ("encoder_r", read[::-1])):
            if f"{prefix}_U" in weights:
                h = anp.zeros(weights[f"{prefix}_Ux"].shape[0])
                for k in order:
                    h = step(prefix, weights["Wemb"][k], h)
                last.append(h)
        for prefix, said in (("decoder_f", after), ("decoder_b", before)):
            h, x = anp.concatenate(last), anp.zeros(weights["Wemb"].shape[1])
            for k in [*said, 0]:
                h = step(prefix, x, h)
                z = anp.dot(h, weights["ff_logit_W"]) + weights["ff_logit_b"]
                total = total + anp.log(anp.sum(anp.exp(z))) - z[k]
                x = weights["Wemb"][k]
    return total / len(triples)


@pytest.mark.parametrize("prefixes", [["encoder"], ["encoder", "encoder_r"]])
def test_skip_thought_cost_and_gradient_agree_with_plain_loop(prefixes):
    rng = np.random.default_rng(1)
    start = skip_thought_trainer.start(7, 3, 4, prefixes, rng)
    start = {name: w + 0.5 * rng.standard_normal(w.shape) for name, w in start.items()}
    triples = [([2, 3, 4, 5], [6, 2], [3]), ([1], [3, 3], [5, 6, 1]), ([4, 4], [2, 5], [])]
    plain = float(plain_cost(start, triples))
    assert skip_thought_cost.cost(start, triples) == pytest.approx(plain, rel=1e-12)
    found = grad(skip_thought_cost.cost)(start, triples)
    expected = grad(plain_cost)(start, triples)
    for name in start:
        np.testing.assert_allclose(found[name], expected[name], rtol=1e-9, atol=1e-12, err_msg=name)


def test_skip_thought_encodes_like_its_trainer(text, fast, monkeypatch):
    fit, trained = skip_thought_trainer._fit, []
    recorded = lambda *given: trained.append(fit(*given)) or trained[-1]
    monkeypatch.setattr(skip_thought_trainer, "_fit", recorded)
    row = SkipThought(sentences=text).fit([])
    uni, bi = trained
    encoders = [w.size for k, w in [*uni.items(), *bi.items()] if k.startswith("encoder")]
    assert row.n_parameters == sum(encoders) + uni["Wemb"].size + bi["Wemb"].size
    ids = np.array([[row.model.row[word]] for word in ("hotel", "seat", "inn")])
    h, hb = (skip_thought_cost.encode(weights, ids)[0] for weights in (uni, bi))
    vector = skip_thought_encoder.encode(row.model, ["hotel seat inn"])[0]
    expected = np.concatenate([h / np.linalg.norm(h), hb / np.linalg.norm(hb)])
    np.testing.assert_allclose(vector, expected, atol=1e-6)


def test_held_out_passages_do_not_change_trained_weights(text, fast, tmp_path, monkeypatch):
    # one epoch, because held-out passages select the best of several epochs
    monkeypatch.setattr(skip_thought_trainer, "EPOCHS", 1)
    held_out = np.random.default_rng([0, 3]).permutation(120)[:12]
    passages = readers.read_passages(text)
    others = [["other words"] * 4 if k in held_out else p for k, p in enumerate(passages)]
    lines = [[*passage, ""] for passage in others]
    (tmp_path / "s.txt").write_text("\n".join(sum(lines, [])), encoding="utf-8")
    paths = text, str(tmp_path / "s.txt")
    a, b = (skip_thought_trainer.train(path) for path in paths)
    assert a.row == b.row
    np.testing.assert_array_equal(a.utable, b.utable)
    for name, w in a.uni[0].items():
        np.testing.assert_array_equal(w, b.uni[0][name], err_msg=name)


def test_train_refuses_text_without_passage_of_three_sentences(tmp_path):
    path = tmp_path / "s.txt"
    for content, said in (
        (b"one\ntwo\n\nthree\n", "no passage has three sentences"),
        (b"", "is empty; expected one sentence a line"),
    ):
        path.write_bytes(content)
        with refused(said):
            SkipThought(sentences=str(path)).fit([])
