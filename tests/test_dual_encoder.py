import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext

import joblib
import numpy as np
import pytest
import threadpoolctl
from conftest import CELLS, HASHING, TEXTS, cell_name, unit_model
from hypothesis import given
from hypothesis import strategies as st
from refusal import refused

from lstm_edu import LSTM, RNN, Attention, Bidirectional, DualEncoder
from lstm_edu.cells.lstm import State, peephole, sigmoid, step
from lstm_edu.gradients import cost
from lstm_edu.models import dual_encoder
from lstm_edu.text import batch as batches
from lstm_edu.text import sentences


def test_the_step_is_equation_2_written_with_sums():
    """Against loops over scalars, for full peepholes and a forget gate."""
    rng = np.random.default_rng(0)
    m, n = 3, 5
    shapes = {"W": (m, n), "Wrec": (m, m), "b": m}
    p = {f"{w}{k}": rng.standard_normal(shape) for w, shape in shapes.items() for k in "1234"}
    p |= {f"Wp{k}": rng.standard_normal((m, m)) for k in "123"}
    l, y, c = rng.integers(0, 3, n), rng.standard_normal(m), rng.standard_normal(m)

    def z(k, r, c_seen):
        total = (
            p[f"b{k}"][r]
            + sum(p[f"W{k}"][r, j] * l[j] for j in range(n))
            + sum(p[f"Wrec{k}"][r, j] * y[j] for j in range(m))
        )
        return total + (
            sum(p[f"Wp{k}"][r, j] * c_seen[j] for j in range(m)) if c_seen is not None else 0
        )

    def sigma(x):
        return 1 / (1 + np.exp(-x))

    yg = [np.tanh(z(4, r, None)) for r in range(m)]
    i, f = ([sigma(z(k, r, c)) for r in range(m)] for k in (3, 2))
    c_new = [f[r] * c[r] + i[r] * yg[r] for r in range(m)]
    o = [sigma(z(1, r, c_new)) for r in range(m)]
    expected = State([o[r] * np.tanh(c_new[r]) for r in range(m)], c_new, o, f, i, yg)
    for found, e in zip(step(p, l, y, c), expected):
        np.testing.assert_allclose(found, e, rtol=1e-13)
    without = step(
        {name: w for name, w in p.items() if name[-1] != "2" and not name.startswith("Wp")}, l, y, c
    )
    assert (without.f == 1).all() and (without.c == c + without.i * without.yg).all()


@given(st.floats(-700, 700))
def test_sigmoid(x):
    assert sigmoid(x) == pytest.approx(1 / (1 + np.exp(-x)), abs=1e-15)


def test_a_diagonal_peephole_is_a_full_one_with_zeros():
    Wp, c = np.arange(1.0, 4), np.array([1.0, -1, 2])
    assert (peephole(Wp, c) == peephole(np.diag(Wp), c)).all()


def test_writing_params_in_place_changes_the_model():
    for cell in CELLS:
        model = unit_model(cell)
        before = model.encode_query(TEXTS)
        for name, w in model.query.params.items():
            kept = w.copy()
            w[...] = 0
            assert not np.array_equal(model.encode_query(TEXTS), before), name
            w[...] = kept
        assert (model.encode_query(TEXTS) == before).all()
        with pytest.raises(TypeError):
            model.query.params["b1"] = 0  # would change nothing, so it is not allowed


def test_a_trigrams_row_is_contiguous():
    for w in (unit_model(LSTM(3)).query.weights["W"], unit_model(RNN(3)).document.weights["W"]):
        assert w.flags.c_contiguous and w.shape[0] == HASHING.size


def test_the_papers_size():
    """3 gates x 96 cells x about 50,000 trigrams are the paper's 14.4 million, on one side."""
    assert int(np.prod(LSTM(96).shapes(50_000)["W"])) == 14_400_000
    model = DualEncoder(RNN(4), HASHING)
    assert model.n_parameters == 2 * (4 * HASHING.size + 16 + 4)


@pytest.mark.parametrize("cell", CELLS, ids=cell_name)
def test_trace(cell):
    model = unit_model(cell)
    text = "Cab a  abc b"
    trace = model.trace(text, side="document")
    assert trace.words == ["cab", "a", "abc", "b"]
    base = getattr(cell, "cell", cell)
    for name in ("y", "c", "o", "f", "i", "yg") if isinstance(base, LSTM) else ("y",):
        assert getattr(trace, name).shape == (4, cell.size)
    y = model.encode_document([text])[0]
    half = cell.size // 2
    end = trace.y[-1]
    if isinstance(cell, Bidirectional):
        end = np.concatenate([trace.y[-1, :half], trace.y[0, half:]])
    if isinstance(cell, Attention):
        end = trace.a @ trace.y
    np.testing.assert_allclose(y, end, atol=1e-14)
    if isinstance(base, LSTM):
        np.testing.assert_allclose(trace.y, trace.o * np.tanh(trace.c))
        assert base.forget_gate or (trace.f == 1).all()


def test_the_backward_cell_reads_the_mirrored_text():
    model = unit_model(Bidirectional(LSTM(2)))
    forward = DualEncoder(LSTM(2), HASHING, dtype="float64")
    for name, w in forward.query.params.items():
        w[...] = model.query.params["backward." + name]
    turned = forward.encode_query([" ".join(t.split()[::-1]) for t in TEXTS])
    np.testing.assert_allclose(model.encode_query(TEXTS)[:, 2:], turned, atol=1e-14)


def test_rank_and_similarity():
    model = unit_model(LSTM(3))
    ranked = model.rank("abc a", TEXTS)
    assert [score for _, score in ranked] == sorted((score for _, score in ranked), reverse=True)
    assert sorted(title for title, _ in ranked) == sorted(TEXTS)
    q, d = model.encode_query(["abc a", "b"]), model.encode_document(TEXTS)
    R = model.similarity(q, d)
    assert R.shape == (2, len(TEXTS))
    for r, c in np.ndindex(R.shape):
        assert R[r, c] == pytest.approx(q[r] @ d[c] / np.linalg.norm(q[r]) / np.linalg.norm(d[c]))
    assert dict(ranked)["b c a b"] == pytest.approx(R[0, TEXTS.index("b c a b")])
    same = model.score("abc", ["ab b", "ca", "ab b", "ab b", "ab  b"])
    assert same[0] == same[2] == same[3] == same[4]  # the same words, the same score, to the bit
    assert (model.score("abc", iter(["ab b", "ca"])) == model.score("abc", ["ab b", "ca"])).all()
    assert model.similarity([[1, 2, 3]], [[1, 2, 3]]) == pytest.approx(1)
    assert model.rank("a", ["c", "c"]) and model.rank("a", []) == []


def test_python_threads_share_the_limit_on_blas():
    pools = threadpoolctl.threadpool_info
    limits = lambda: [pool["num_threads"] for pool in pools() if pool["user_api"] == "blas"]
    before = limits()
    model = unit_model(LSTM(3))
    expected = model.encode_query(TEXTS)
    with ThreadPoolExecutor(4) as executor:
        found = list(executor.map(lambda _: model.encode_query(TEXTS), range(50)))
    assert len(found) == 50 and all((y == expected).all() for y in found)
    assert limits() == before


def test_many_texts_are_embedded_in_blocks(monkeypatch):
    model = unit_model(LSTM(3))
    whole = model.encode_query(TEXTS * 3)
    monkeypatch.setattr("lstm_edu.models.dual_encoder.BLOCK", 3)
    np.testing.assert_allclose(model.encode_query(TEXTS * 3), whole, atol=1e-14)
    assert model.encode_query([]).shape == (0, 3)


@pytest.mark.parametrize("n_jobs, backend", [(2, None), (None, "threading"), (2, "loky")])
def test_many_texts_are_embedded_by_joblib_bit_for_bit(monkeypatch, n_jobs, backend):
    model = unit_model(LSTM(5), dtype="float32")
    texts = [f"{text} {other}" for text in TEXTS for other in TEXTS]
    whole = model.encode_query(texts)
    monkeypatch.setattr(dual_encoder, "TASK", 7)
    expected = (model.encode_query(texts), model.encode_document(texts))
    here = threading.get_ident()
    np.testing.assert_allclose(expected[0], whole, atol=1e-6)
    embed = dual_encoder.Side.embed

    def elsewhere(side, batch):
        assert threading.get_ident() != here
        return embed(side, batch)

    if n_jobs == 2:
        monkeypatch.setattr(dual_encoder.Side, "embed", elsewhere)
    with joblib.parallel_config(backend) if backend else nullcontext():
        found = model.encode_query(texts, n_jobs), model.encode_document(texts, n_jobs=n_jobs)
    for y, e in zip(found, expected):
        assert y.tobytes() == e.tobytes() and y.shape == e.shape


def test_texts_that_hold_nothing_known_are_said_once(monkeypatch):
    monkeypatch.setattr(dual_encoder, "TASK", 2)
    with pytest.warns(UserWarning) as said:
        y = unit_model(LSTM(3)).encode_query(["漢字", TEXTS[0], TEXTS[1], "語", "語", "文"])
    assert [str(warning.message) for warning in said] == [
        "3 of 5 texts hold no letter trigram that the model knows"
    ]
    assert said[0].filename == __file__ and y[0].tobytes() == y[3].tobytes()
    assert not np.array_equal(y[0], y[1])


def test_tied_sides_start_alike_and_are_two():
    apart, alike = (DualEncoder(LSTM(3), HASHING, seed=1, tied=tied) for tied in (False, True))
    for name, w in alike.query.weights.items():
        other = alike.document.weights[name]
        assert np.array_equal(w, other) and not np.shares_memory(w, other)
        assert np.array_equal(w, apart.query.weights[name])
        assert not np.array_equal(w, apart.document.weights[name])


def test_a_text_without_words_has_no_trace():
    """All other arguments: tests/test_arguments.py."""
    with refused("text: has no words"):
        unit_model(LSTM(3)).trace(" ")
    assert type(LSTM(np.int64(2)).n_cells) is int


# Cosine and loss

finite = st.floats(-1, 1, allow_subnormal=False).filter(lambda x: x == 0 or abs(x) > 1e-3)


@given(
    st.lists(st.lists(finite, min_size=3, max_size=3), min_size=1, max_size=4), st.floats(1e-3, 1e9)
)
@pytest.mark.filterwarnings("ignore:.*zero, their cosine")
def test_cost_is_finite_for_any_embeddings_and_gamma(y, gamma):
    for dtype in (np.float32, np.float64):
        y_ = np.array(y, dtype)
        clicked, unclicked = np.zeros(len(y_), int), np.full((len(y_), 2), len(y_) - 1)
        for form in (unclicked, np.arange(len(y_)) != clicked[:, None]):
            l, dyq, dyd = cost.cost_gradient(y_, y_[::-1], clicked, form, gamma)
            assert np.isfinite(l).all() and np.isfinite(dyq).all() and np.isfinite(dyd).all()
            assert l.dtype == dyq.dtype == dyd.dtype == dtype and (l >= 0).all()


def test_loss_by_hand_and_for_large_gamma():
    l, alpha = cost.loss(np.array([[0.0], [0.2]]), 10.0)
    np.testing.assert_allclose(l, [np.log(2), np.log(1 + np.exp(-2))])
    np.testing.assert_allclose(alpha[:, 0], [-5, -10 * np.exp(-2) / (1 + np.exp(-2))])
    l, alpha = cost.loss(np.array([[-2.0, 0.5], [2.0, 1.0]]), 1e6)
    np.testing.assert_allclose(l, [2e6, 0])
    np.testing.assert_allclose(alpha, [[-1e6, 0], [0, 0]], atol=1e-300)


def test_a_zero_embedding_has_cosine_zero_and_a_warning():
    with pytest.warns(UserWarning, match="1 of 2 embeddings are zero"):
        R = cost.cosine(np.array([[0.0, 0.0], [1.0, 0.0]]), np.array([[1.0, 1.0]]))
    np.testing.assert_allclose(R, [[0], [np.sqrt(0.5)]])


FEW = st.lists(st.sampled_from("abc"), max_size=5).map(" ".join)


@given(st.lists(FEW, min_size=1, max_size=6), st.integers(0, 6))
@pytest.mark.filterwarnings("ignore:.*no letter trigram")
def test_a_batch_holds_each_word_at_its_place(texts, truncate):
    read = sentences.from_texts(texts, HASHING)
    batch = batches.side_by_side(read)
    L = batch.Wh.toarray()
    for way, b in ((1, batch), (-1, batches.backwards(batch))):
        for s, text in enumerate(batch.order):
            expected = HASHING.operator(texts[text].split()[::way]).toarray()
            for t in range(batch.lengths[s]):
                assert (L[b.token[b.offsets[t] + s]] == expected[t]).all()
    assert (batch.Wh_touched.toarray() == L[:, batch.touched]).all()
    assert L.sum() == L[:, batch.touched].sum()
    backwards = list(batches.back_in_time(batch, truncate))
    for t, (rows, now, before) in enumerate(backwards[::-1]):
        reached = [s for s, n in enumerate(batch.lengths) if n > t and n - 1 - t <= truncate]
        assert list(range(rows.start, rows.stop)) == reached
        assert list(range(now.start, now.stop)) == [batch.offsets[t] + s for s in reached]
        assert (before is None) == (t == 0)
        if before:
            earlier = [batch.offsets[t - 1] + s for s in reached]
            assert list(range(before.start, before.stop)) == earlier
    assert len(backwards) == max(batch.lengths)
