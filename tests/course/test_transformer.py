"""Tests of the Transformer: its properties, and its agreement with PyTorch."""

import numpy as np
import pytest
from conftest import HASHING, TEXTS, unit_model

import lstm_edu
from lstm_course.transformer import EPSILON, PLACES, Transformer
from lstm_edu.text import batch as batches
from lstm_edu.text import sentences

LONG = " ".join([TEXTS[5]] * 4)  # 48 words, more than the Transformer has positions


def test_embedding_depends_on_word_order_only_with_positions():
    words, rng = TEXTS[5].split(), np.random.default_rng(0)
    texts = [" ".join(rng.permutation(words)) for _ in range(20)]
    for positions in (True, False):
        y = unit_model(Transformer(6, 2, 5, positions)).encode_query(texts)
        apart = np.abs(y - y[0]).max(axis=1) / np.abs(y[0]).max()
        assert (apart[1:] > 1e-3).all() if positions else (apart < 1e-12).all()


@pytest.mark.filterwarnings("ignore:.*letter trigram")
def test_embedding_does_not_depend_on_other_texts_in_batch():
    model = unit_model(Transformer(6, 2, 5))
    together = model.encode_query(["", *TEXTS, LONG])
    alone = np.concatenate([model.encode_query([text]) for text in ("", *TEXTS, LONG)])
    np.testing.assert_allclose(together, alone, rtol=1e-12, atol=1e-14)
    assert (together[0] == 0).all() and len(LONG.split()) > PLACES


def test_refuses_n_heads_that_does_not_divide_n_cells():
    with pytest.raises(lstm_edu.InputError, match="n_heads: 4; must be a divisor of n_cells, 6"):
        Transformer(6, 4)


def test_embeddings_and_gradient_match_pytorch():
    """Compare with PyTorch's `TransformerEncoderLayer`.

    The layer's input, and the mean of its output over the words, are computed here.
    """
    torch = pytest.importorskip("torch", reason="the extra `torch` is not installed")
    cell = Transformer(6, 2, 5)
    weights = unit_model(cell).query.weights
    w = {name: torch.tensor(value, requires_grad=True) for name, value in weights.items()}
    layer = torch.nn.TransformerEncoderLayer(6, 2, 5, 0.0, layer_norm_eps=EPSILON, batch_first=True)
    layer = layer.double().train()
    given = {
        "self_attn.in_proj_weight": torch.cat([w[name].T for name in ("Wq", "Wk", "Wv")]),
        "self_attn.in_proj_bias": torch.zeros(18, dtype=torch.double),
        "self_attn.out_proj.weight": w["Wo"].T,
        "self_attn.out_proj.bias": torch.zeros(6, dtype=torch.double),
        **{f"linear{k}.weight": w[f"W{k}"].T for k in (1, 2)},
        **{f"linear{k}.bias": w[f"b{k}"] for k in (1, 2)},
        **{f"norm{k}.weight": 1 + w[f"gain{k}"] for k in (1, 2)},
        **{f"norm{k}.bias": w[f"shift{k}"] for k in (1, 2)},
    }
    texts = [*TEXTS, LONG]
    batch = batches.side_by_side(sentences.from_texts(texts, HASHING, "float64"))
    n_words, T = torch.tensor(batch.lengths), max(batch.lengths)
    L = np.zeros((len(texts), T, HASHING.size))
    for row, k in enumerate(batch.order):
        L[row, : batch.lengths[row]] = HASHING.operator(texts[k].split()).toarray()
    x = torch.tensor(L) @ w["W"] + w["P"][np.minimum(np.arange(T), PLACES - 1)]
    is_padding = torch.arange(T) >= n_words[:, None]
    r = torch.func.functional_call(layer, given, (x,), {"src_key_padding_mask": is_padding})
    y = (r * ~is_padding[:, :, None]).sum(axis=1) / n_words[:, None]
    found, tape = cell.forward(weights, batch)
    np.testing.assert_allclose(found, y.detach().numpy(), rtol=1e-11)
    dy = np.random.default_rng(0).standard_normal(found.shape)
    (y * torch.tensor(dy)).sum().backward()
    for name, g in cell.backward(weights, batch, tape, dy).items():
        expected = w[name].grad.numpy()
        expected = expected[batch.touched] if name == "W" else expected
        np.testing.assert_allclose(g, expected, rtol=1e-9, atol=1e-10 * np.abs(expected).max())


def test_learns_to_distinguish_word_orders():
    pairs = [("a b", "ab cc"), ("b a", "ba cc")] * 8
    model = lstm_edu.DualEncoder(Transformer(8, 2, 8), HASHING, seed=0)
    lstm_edu.train(model, pairs, epochs=60, batch_size=8, n_negatives=1, progress=False)
    assert model.rank("a b", ["ba cc", "ab cc"])[0][0] == "ab cc"
    assert model.rank("b a", ["ab cc", "ba cc"])[0][0] == "ba cc"
