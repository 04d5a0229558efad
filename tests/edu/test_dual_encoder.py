import threading
from contextlib import nullcontext

import joblib
import numpy as np
import pytest
from conftest import CELLS, HASHING, TEXTS, unit_model
from hypothesis import given
from hypothesis import strategies as st
from refusal import refused

from lstm_edu import LSTM, Bidirectional, DualEncoder
from lstm_edu.cells.lstm import State, peephole, step
from lstm_edu.gradients import cost
from lstm_edu.models import dual_encoder


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
    assert (model.score("abc", iter(["ab b", "ca"])) == model.score("abc", ["ab b", "ca"])).all()
    assert model.similarity([[1, 2, 3]], [[1, 2, 3]]) == pytest.approx(1)
    assert model.rank("a", ["c", "c"]) and model.rank("a", []) == []
    assert model.encode_query([]).shape == (0, 3)


@pytest.mark.parametrize("size", [8, 32, 96])
def test_same_words_have_the_same_score_to_the_bit(size):
    """As many as fill a kernel of BLAS, and some more, which it adds in another order."""
    for seed in range(4):
        model = DualEncoder(LSTM(size), HASHING, seed)
        scores = model.score("abc", ["ca", *["ab b"] * 33, "AB  b"])
        assert len(set(scores[1:].tolist())) == 1


@pytest.mark.parametrize("n_jobs, backend", [(2, None), (None, "threading"), (2, "loky")])
def test_many_texts_are_embedded_by_joblib_bit_for_bit(monkeypatch, n_jobs, backend):
    model = unit_model(LSTM(5), dtype="float32")
    texts = [f"{text} {other}" for text in TEXTS for other in TEXTS]
    whole = model.encode_query(texts)
    monkeypatch.setattr(dual_encoder, "TASK", 7)
    if backend != "loky":  # whose processes have blocks of their own
        monkeypatch.setattr(dual_encoder, "BLOCK", 3)
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
    """All other arguments: tests/edu/test_arguments.py."""
    with refused("text: has no words"):
        unit_model(LSTM(3)).trace(" ")
    words = unit_model(LSTM(3)).trace("Cab a  abc b", "document").words
    assert words == ["cab", "a", "abc", "b"]


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
