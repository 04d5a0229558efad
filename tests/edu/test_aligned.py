"""Tests of AlignedEncoder: exact gradients, scores, training and files."""

import warnings

import numpy as np
import pytest
from aligned_models import PAIRS, embedding_on_and_off, every_cell, every_cell_and_embedding, unit
from conftest import HASHING, TEXTS, clicks, worst_difference
from refusal import refused
from small_log import resumed

import lstm_edu
from lstm_edu import LSTM, RNN, AlignedEncoder
from lstm_edu.cells import DSSM
from lstm_edu.gradients import aligned, minibatch
from lstm_edu.gradients.minibatch import Examples


def by_definition(model, query, title):
    """Compute the score R(Q, D) from the definition, in a loop over the traces' words."""
    q, d = model.trace(query).y, model.trace(title, "document").y

    def cos(u, v):
        return u @ v / np.linalg.norm(u) / np.linalg.norm(v)

    R = np.mean([max(cos(yq, yd) for yd in d) for yq in q])
    if model.relevance.embedding:
        sides = zip((model.query, model.document), (q, d))
        embedding = lambda params, y: model.cell.embedding(
            np, lambda left: params, list(y[:, None])
        )
        R = (R + cos(*(embedding(side.params, y)[0] for side, y in sides))) / 2
    return R


@every_cell_and_embedding
def test_aligned_gradient_matches_complex_steps_and_autograd(cell, with_embedding):
    model, examples = unit(cell, with_embedding), clicks(2, n_pairs=3)
    for truncate in (None, 2):  # maximum number of steps back from the last word
        how = {"truncate": truncate}
        by_hand = lstm_edu.check_gradient(model, *examples, verbose=False, **how)
        assert by_hand.error < 1e-9 and by_hand.n_elements == model.n_parameters
        found = lstm_edu.cost_and_gradient(model, *examples, **how)
        autograd = lstm_edu.cost_and_gradient(model, *examples, method="autograd", **how)
        assert autograd[0] == pytest.approx(found[0], rel=1e-12)
        assert worst_difference(autograd[1], found[1]) < 1e-9


def flagged(queries, documents, query, clicked, unclicked):
    """Make `Examples` that give each query's unclicked titles as a mask instead of indices."""
    among = np.zeros((len(query), len(documents.order)), bool)
    np.put_along_axis(among, unclicked, True, axis=1)
    return Examples(queries, documents, query, clicked, among)


ONE, TWO = [["cc"], ["ab"], ["cab"]], [["cc", ""], ["ab", "ab"], ["cab", "a c"]]


@pytest.mark.parametrize("most", [1, 1 << 20])
@pytest.mark.parametrize("drawn, form", [(TWO, Examples), (ONE, flagged)], ids=["drawn", "flags"])
@pytest.mark.filterwarnings("ignore:.*(zero, their cosine|no letter trigram)")
def test_aligned_gradient_is_exact_for_any_block_size_and_with_masks(
    monkeypatch, most, drawn, form
):
    """Use one query per block, or one block for all; ``TWO`` has an empty and a repeated title."""
    model = unit(RNN(3), with_embedding=True)
    texts = ["a b", "cab", "a b"], ["ab", "b c a", "cc"], drawn
    total, expected = lstm_edu.cost_and_gradient(model, *texts, method="autograd")
    monkeypatch.setattr(aligned, "MOST", most)
    monkeypatch.setattr(minibatch, "Examples", form)
    l, found = lstm_edu.cost_and_gradient(model, *texts)
    assert l == pytest.approx(total, rel=1e-12) and worst_difference(found, expected) < 1e-10


@every_cell
@embedding_on_and_off
def test_aligned_score_equals_definition(cell, with_embedding):
    model = unit(cell, with_embedding)
    q, d = model.encode_query(TEXTS[:4]), model.encode_document(TEXTS)
    R = model.similarity(q, d)
    assert R.shape == (4, len(TEXTS)) and (np.abs(R) <= 1).all()
    for (k, j), value in np.ndenumerate(R):
        assert value == pytest.approx(by_definition(model, TEXTS[k], TEXTS[j]), abs=1e-12)
    np.testing.assert_allclose(model.score(TEXTS[2], TEXTS), R[2], atol=1e-12)
    drawn = np.random.default_rng(0).integers(len(TEXTS), size=25)
    chosen = model.relevance.chosen
    part = model.similarity(chosen(q, [3, 1, 2, 0]), chosen(d, drawn))
    np.testing.assert_allclose(part, R[[3, 1, 2, 0]][:, drawn], atol=1e-12)
    ranked = model.rank(TEXTS[2], TEXTS)
    assert [title for title, _ in ranked] == [TEXTS[j] for j in np.argsort(-R[2], kind="stable")]


def test_encode_returns_outputs_of_all_words_and_start_of_each_text():
    model = unit(LSTM(3))
    texts = ["ab ba", "", "abc a cab", "AB  ba"]
    with pytest.warns(match="1 of 3 texts has no letter trigram"):
        words = model.encode_document(texts)
    assert words.starts.tolist() == [0, 2, 2, 5, 7] and words.y.shape == (7, 3)
    y = model.trace("abc a cab", "document").y
    np.testing.assert_allclose(words.y[2:5], y, rtol=0, atol=1e-14)
    assert (words.y[:2] == words.y[5:]).all()  # equal words have identical outputs
    nothing = model.encode_query([])
    assert model.similarity(nothing, words).shape == (0, 4)


@embedding_on_and_off
def test_aligned_score_of_text_without_words_is_zero_with_exact_gradient(with_embedding):
    model = unit(LSTM(3), with_embedding)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        assert (model.score("", TEXTS) == 0).all()
        scores = model.score("ab ba", ["", "abc", " "])
        assert scores[0] == scores[2] == 0 != scores[1]
        for texts in (([""], ["ab"], [["ba"]]), (["ab"], [""], [["ba", ""]]), ([""], [""], [[""]])):
            by_hand = lstm_edu.check_gradient(model, *texts, verbose=False)
            assert by_hand.error < 1e-9 and np.isfinite(by_hand.value)
            by_autograd = lstm_edu.check_gradient(model, *texts, method="autograd", verbose=False)
            assert by_autograd.error < 1e-9


def test_aligned_scores_are_at_most_one():
    """Score texts against themselves, because float32 rounds some of these cosines above 1."""
    for seed in range(8):
        model = AlignedEncoder(LSTM(5), HASHING, seed, scale=1.0, with_embedding=True)
        scores = np.concatenate([model.score(text, TEXTS) for text in TEXTS])
        assert np.abs(scores).max() <= 1 and np.sum(scores > 0.9999) >= len(TEXTS)


@embedding_on_and_off
def test_aligned_gradient_is_exact_for_repeated_title_words(with_embedding):
    """Rounding must not decide which of several equal title words has the largest cosine."""
    query, title = "nyc bus", "bus york bus york nyc bus york"
    hashing = lstm_edu.LetterTrigrams.fit([query, title])
    for n, seed in np.ndindex(6, 2):
        given = RNN(n + 2), hashing, seed, "float64", 1.0
        model = AlignedEncoder(*given, tied=False, with_embedding=with_embedding)
        for side in (model.query, model.document):
            side.weights["Wrec"][...] = 0
        examples = model, [query], [title], [["nyc bus"]]
        for method in ("bptt", "autograd"):
            check = lstm_edu.check_gradient(*examples, method=method, verbose=False)
            assert check.error < 1e-9, (n, seed, method)


# ---- Files and encoded titles


@every_cell_and_embedding
def test_aligned_encoder_resumes_training_and_loads(cell, with_embedding, tmp_path):
    make = lambda: AlignedEncoder(cell, HASHING, seed=1, with_embedding=with_embedding)
    again, path = resumed(make, PAIRS, tmp_path)
    loaded = lstm_edu.load(path)
    assert isinstance(loaded, AlignedEncoder) and loaded.cell == cell
    assert loaded.relevance.embedding is with_embedding
    assert (loaded.score("abc", TEXTS) == again.score("abc", TEXTS)).all()


def test_aligned_encoder_refuses_unsupported_cells_methods_and_encodings():
    with refused("^cell: .*must be a cell that reads word by word"):
        AlignedEncoder(DSSM(4, 3), HASHING)
    with refused("^method: 'printed'; the appendix prints no gradient"):
        lstm_edu.cost_and_gradient(unit(RNN(2)), *clicks(1), method="printed")
    model, other = unit(RNN(2)), unit(RNN(3))
    q, d = model.encode_query(["ab"]), model.encode_document(TEXTS)
    wrong = [np.zeros((1, 2)), None, (q.y, q.starts), other.encode_query(["ab"])]
    wrong += [q._replace(starts=np.array(starts, int)) for starts in ([0, 2], [])]
    wrong += [model.relevance.chosen(d, [1, 2])._replace(starts=np.array([0, 4, 3, 5]))]
    for words in wrong:
        with refused("^queries(.starts)?: .*must be "):
            model.similarity(words, d)
        with refused("^documents(.starts)?: .*must be "):
            model.similarity(q, words)
    with refused(r"^documents.y: .*finite numbers, and their squares"):
        model.similarity(q, d._replace(y=1e200 * d.y))
    with refused("^queries.embeddings: "):
        unit(RNN(2), with_embedding=True).similarity(q, d)


def test_encoding_in_blocks_equals_encoding_at_once(monkeypatch):
    model = unit(LSTM(3), with_embedding=True, dtype="float32")
    texts = [f"{text} {other}" for text in TEXTS for other in TEXTS]
    whole = model.encode_document(texts)
    monkeypatch.setattr("lstm_edu.models.encoder.BLOCK", 3)
    monkeypatch.setattr("lstm_edu.models.encoder.TASK", 7)
    for found, expected in zip(model.encode_document(texts, 2), whole):
        np.testing.assert_allclose(found, expected, atol=1e-6)
