"""Tests of the LSTM's step, Eq. (2), and of embeddings, ranking and the cost."""

from contextlib import nullcontext

import joblib
import numpy as np
import pytest
from conftest import HASHING, TEXTS, unit_model
from hypothesis import given
from hypothesis import strategies as st

from lstm_edu import LSTM, Bidirectional, DualEncoder
from lstm_edu.cells.lstm import State, step
from lstm_edu.gradients import cost
from lstm_edu.models import encoder


def test_lstm_step_equals_equation_2():
    """Compute Eq. (2) in loops over scalars, for an LSTM with full peepholes and a forget gate."""
    rng = np.random.default_rng(0)
    m, n = 3, 5
    shapes = {"W": (m, n), "Wrec": (m, m), "Wp": (m, m), "b": m}
    p = {f"{w}{k}": rng.standard_normal(shape) for w, shape in shapes.items() for k in "1234"}
    l, y, c = rng.integers(0, 3, n), rng.standard_normal(m), rng.standard_normal(m)

    def z(k, r, c_seen):
        seen = {"W": l, "Wrec": y, "Wp": c_seen}
        return p[f"b{k}"][r] + sum(
            p[f"{w}{k}"][r, j] * x[j] for w, x in seen.items() for j in range(len(x))
        )

    def sigma(x):
        return 1 / (1 + np.exp(-x))

    yg = [np.tanh(z(4, r, [])) for r in range(m)]
    i, f = ([sigma(z(k, r, c)) for r in range(m)] for k in (3, 2))
    c_new = [f[r] * c[r] + i[r] * yg[r] for r in range(m)]
    o = [sigma(z(1, r, c_new)) for r in range(m)]
    expected = State([o[r] * np.tanh(c_new[r]) for r in range(m)], c_new, o, f, i, yg)
    for found, e in zip(step(p, l, y, c), expected):
        np.testing.assert_allclose(found, e, rtol=1e-13)
    plain = {name: w for name, w in p.items() if name[-1] != "2" and not name.startswith("Wp")}
    without = step(plain, l, y, c)
    assert (without.f == 1).all() and (without.c == c + without.i * without.yg).all()


def test_backward_cell_of_bidirectional_reads_words_in_reverse():
    model = unit_model(Bidirectional(LSTM(2)))
    forward = DualEncoder(LSTM(2), HASHING, dtype="float64")
    for name, w in forward.query.params.items():
        w[...] = model.query.params["backward." + name]
    turned = forward.encode_query([" ".join(t.split()[::-1]) for t in TEXTS])
    np.testing.assert_allclose(model.encode_query(TEXTS)[:, 2:], turned, atol=1e-14)


def test_rank_sorts_by_cosine():
    model = unit_model(LSTM(3))
    ranked = model.rank("abc a", TEXTS)
    scores = [score for _, score in ranked]
    assert scores == sorted(scores, reverse=True)
    q, d = model.encode_query(["abc a", "b"]), model.encode_document(TEXTS)
    R = model.similarity(q, d)
    lengths = np.outer(np.linalg.norm(q, axis=1), np.linalg.norm(d, axis=1))
    np.testing.assert_allclose(R, q @ d.T / lengths, rtol=1e-12)
    assert dict(ranked) == pytest.approx(dict(zip(TEXTS, R[0])))
    assert model.rank("a", []) == [] and model.encode_query([]).shape == (0, 3)


@pytest.mark.parametrize("n_jobs, backend", [(2, None), (None, "threading"), (2, "loky")])
def test_parallel_encoding_with_joblib_is_bit_identical(monkeypatch, n_jobs, backend):
    model = unit_model(LSTM(5), dtype="float32")
    texts = [f"{text} {other}" for text in TEXTS for other in TEXTS]
    whole = model.encode_query(texts)
    monkeypatch.setattr(encoder, "TASK", 7)
    if backend != "loky":  # loky's workers import the unpatched module
        monkeypatch.setattr(encoder, "BLOCK", 3)
    expected = model.encode_query(texts)
    np.testing.assert_allclose(expected, whole, atol=1e-6)
    with joblib.parallel_config(backend) if backend else nullcontext():
        found = model.encode_query(texts, n_jobs)
    assert found.tobytes() == expected.tobytes() and found.shape == expected.shape


def test_warns_once_about_texts_without_known_trigrams(monkeypatch):
    monkeypatch.setattr(encoder, "TASK", 2)
    said = "3 of 5 texts have no letter trigram that the model knows"
    with pytest.warns(UserWarning, match=said) as warned:
        y = unit_model(LSTM(3)).encode_query(["漢字", TEXTS[0], TEXTS[1], "語", "語", "文"])
    assert len(warned) == 1 and warned[0].filename == __file__
    assert y[0].tobytes() == y[3].tobytes() != y[1].tobytes()


def test_tied_sides_start_with_equal_weights_in_separate_arrays():
    apart, alike = (DualEncoder(LSTM(3), HASHING, seed=1, tied=tied) for tied in (False, True))
    for name, w in alike.query.weights.items():
        other = alike.document.weights[name]
        assert np.array_equal(w, other) and not np.shares_memory(w, other)
        assert np.array_equal(w, apart.query.weights[name])
        assert not np.array_equal(w, apart.document.weights[name])


# ---- Cosine and loss

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


def test_loss_equals_hand_computed_values_even_for_large_gamma():
    l, alpha = cost.loss(np.array([[0.0], [0.2]]), 10.0)
    np.testing.assert_allclose(l, [np.log(2), np.log(1 + np.exp(-2))])
    np.testing.assert_allclose(alpha[:, 0], [-5, -10 * np.exp(-2) / (1 + np.exp(-2))])
    l, alpha = cost.loss(np.array([[-2.0, 0.5], [2.0, 1.0]]), 1e6)
    np.testing.assert_allclose(l, [2e6, 0])
    np.testing.assert_allclose(alpha, [[-1e6, 0], [0, 0]], atol=1e-300)
