"""Skip-Thought's encoder: against its equations, batches and all, and its cosines."""

import numpy as np
import pytest
from released_skip_thought import N_BI, N_UNI, released
from scipy.special import expit

from lstm_edu.table_iv import skip_thought
from lstm_edu.table_iv.skip_thought import SkipThought


def by_hand(uni, bi, tables, rows):
    """The authors' equations, unit by unit."""

    def state(p, prefix, x):
        n = p[f"{prefix}_Ux"].shape[0]
        names = "W", "U", "b", "Wx", "Ux", "bx"
        W, U, b, Wx, Ux, bx = (p[f"{prefix}_{name}"].astype(float) for name in names)
        h = [0.0] * n
        for x_t in x:
            old = np.array(h)
            for j in range(n):
                r = expit(x_t @ W[:, j] + old @ U[:, j] + b[j])
                u = expit(x_t @ W[:, n + j] + old @ U[:, n + j] + b[n + j])
                h[j] = u * old[j] + (1 - u) * np.tanh(x_t @ Wx[:, j] + bx[j] + r * (old @ Ux[:, j]))
        return np.array(h)

    u = state(uni, "encoder", tables["utable.npy"][rows].astype(float))
    x = tables["btable.npy"][rows].astype(float)
    b = np.concatenate([state(bi, "encoder", x), state(bi, "encoder_r", x[::-1])])
    return np.concatenate([u / np.linalg.norm(u), b / np.linalg.norm(b)])


@pytest.mark.parametrize("batch", [(1, 1), (2, 100), (100, 4), (100, 100)])
def test_the_encoder_from_its_equations(tmp_path, monkeypatch, batch):
    """Whatever is read at once."""
    monkeypatch.setattr(skip_thought, "BATCH", batch)
    files = released(tmp_path)
    model = SkipThought(str(tmp_path)).fit([("not", "read")]).model
    texts = {
        "Hotels in  MADRID": [2, 3, 4],
        "hotels, line\u2028line": [2, 5, 1, 1],
        "dup": [10],
        "zoë <eos> nowhere": [11, 0, 1],
        "cheap": [7],
        "in": [3],
    }
    vectors = skip_thought.encode(model, texts)
    assert vectors.shape == (len(texts), N_UNI + 2 * N_BI) and vectors.dtype == np.float32
    expected = [by_hand(*files, rows) for rows in texts.values()]
    np.testing.assert_allclose(vectors, expected, atol=2e-6)


def test_scores_are_cosines_whatever_is_read_together(tmp_path, monkeypatch):
    released(tmp_path)
    model = SkipThought(str(tmp_path))
    queries = ["hotels", "in madrid", "zoë"]
    titles = [["cheap hotels", "madrid", "in in in"], ["madrid , zoë"]]
    titles += [["cheap", "hotels", "zoë", "dup dup"]]
    found = model.scores(queries, titles)
    for query, some, scores in zip(queries, titles, found):
        q, *d = skip_thought.encode(model.model, [query, *some])
        expected = [q @ v / np.linalg.norm(q) / np.linalg.norm(v) for v in d]
        np.testing.assert_allclose(scores, expected, atol=1e-6)
        np.testing.assert_allclose(model.score(query, some), scores, atol=1e-6)
    assert found[2][2] == pytest.approx(1)  # the same text
    seen, encode = [], skip_thought.encode
    noted = lambda model, texts: seen.append(len(texts)) or encode(model, texts)
    monkeypatch.setattr(skip_thought, "encode", noted)
    monkeypatch.setattr(skip_thought, "MOST_TEXTS", 2)
    monkeypatch.setattr(skip_thought, "BATCH", (2, 3))
    for a, b in zip(model.scores(queries, titles), found):
        np.testing.assert_allclose(a, b, atol=1e-6)
    assert max(seen) <= 3 and len(seen) > 3  # a query and two titles at the most


def test_a_text_without_words_has_cosine_0(tmp_path):
    released(tmp_path)
    with pytest.warns(UserWarning, match="zero"):
        np.testing.assert_array_equal(SkipThought(str(tmp_path)).score("hotels", ["", " "]), [0, 0])


def test_fortran_order_and_float64_are_the_same(tmp_path):
    uni, bi, tables = released(tmp_path)
    other = tmp_path / "other"
    uni = {name: np.asfortranarray(w.astype(float)) for name, w in uni.items()}
    tables = {name: np.asfortranarray(table) for name, table in tables.items()}
    released(other, uni=uni, tables=tables)
    a, b = (SkipThought(str(path)) for path in (tmp_path, other))
    scores = [model.score("hotels", ["cheap madrid"]) for model in (a, b)]
    np.testing.assert_allclose(*scores, atol=1e-6)  # BLAS may read each order by other kernels
    assert a.n_parameters == sum(w.size for w in (*uni.values(), *bi.values(), *tables.values()))
    assert "12 words" in a.label
