"""A model of aligned words as others are used: kept in a file, its titles encoded beforehand."""

import pickle

import numpy as np
import pytest
from aligned_models import PAIRS, every_cell_and_both, unit
from conftest import HASHING, TEXTS
from refusal import refused
from small_log import gone_on_with

import lstm_edu
from lstm_edu import GRU, LSTM, RNN, AlignedEncoder, Bidirectional
from lstm_edu.cells import DSSM
from lstm_edu.gradients import aligned
from lstm_edu.models.aligned_encoder import chosen


@every_cell_and_both
def test_it_is_saved_loaded_and_gone_on_with(cell, both, tmp_path):
    make = lambda: AlignedEncoder(cell, HASHING, seed=1, with_embedding=both)
    again, path = gone_on_with(make, PAIRS, tmp_path)
    loaded = lstm_edu.load(path)
    assert isinstance(loaded, AlignedEncoder) and loaded.cell == cell
    assert loaded.relevance.embedding is both
    assert (loaded.score("abc", TEXTS) == again.score("abc", TEXTS)).all()
    loaded.save(tmp_path / "again.npz")
    assert (tmp_path / "again.npz").read_bytes() == path.read_bytes()


def test_a_run_is_not_gone_on_with_by_another_kind_of_model(tmp_path):
    aligned = (AlignedEncoder(LSTM(2), HASHING, with_embedding=both) for both in (False, True))
    kinds = [lstm_edu.DualEncoder(LSTM(2), HASHING), *aligned]

    def stop(model, history):
        return True

    for k, model in enumerate(kinds):
        path = tmp_path / f"{k}.npz"
        lstm_edu.train(model, PAIRS, epochs=2, checkpoint=path, callback=stop)
        for other in kinds[:k] + kinds[k + 1 :]:
            with refused("cannot resume, it is of another run: its"):
                lstm_edu.train(other, PAIRS, epochs=2, checkpoint=path, resume=True)


def test_what_cannot_be_aligned_is_refused(tmp_path):
    with refused("^cell: .*must be a cell that reads word by word"):
        AlignedEncoder(DSSM(4, 3), HASHING)
    model, other = unit(RNN(2)), unit(RNN(3))
    q, d = model.encode_query(["ab"]), model.encode_document(TEXTS)
    wrong = [np.zeros((1, 2)), None, (q.y, q.starts), other.encode_query(["ab"])]
    wrong += [q._replace(starts=np.array(starts, int)) for starts in ([0, 2], [])]
    wrong += [chosen(d, [1, 2])._replace(starts=np.array([0, 4, 3, 5]))]
    for words in wrong:
        with refused("^queries(.starts)?: .*must be "):
            model.similarity(words, d)
        with refused("^documents(.starts)?: .*must be "):
            model.similarity(q, words)
    for name in ("queries", "documents"):  # no cosine of 0 for what has no length
        given = {"queries": q, "documents": d}
        given[name] = given[name]._replace(y=1e200 * given[name].y)
        with refused(rf"^{name}.y: .*finite numbers, and their squares"):
            model.similarity(**given)
    with refused("^queries: "):
        unit(RNN(2), both=True).similarity(q, d)


def test_titles_are_encoded_beforehand(monkeypatch):
    """Whatever is done with them later, in whatever order and part."""
    model = unit(Bidirectional(GRU(2)), both=True)
    d, q = model.encode_document(TEXTS), model.encode_query(TEXTS)
    R = model.similarity(q, d)
    rng = np.random.default_rng(0)
    which, asked = rng.integers(len(TEXTS), size=25), rng.permutation(len(TEXTS))
    part = model.similarity(chosen(q, asked), chosen(d, which))
    np.testing.assert_allclose(part, R[asked][:, which], atol=1e-12)
    monkeypatch.setattr(aligned, "AT_ONCE", 7)
    np.testing.assert_allclose(model.similarity(q, d), R, atol=1e-12)


@pytest.mark.parametrize("n_jobs", [None, 2])
def test_many_texts_are_encoded_in_parts(monkeypatch, n_jobs):
    model = unit(LSTM(3), both=True, dtype="float32")
    texts = [f"{text} {other}" for text in TEXTS for other in TEXTS]
    whole = model.encode_document(texts)
    monkeypatch.setattr("lstm_edu.models.dual_encoder.BLOCK", 3)
    monkeypatch.setattr("lstm_edu.models.dual_encoder.TASK", 7)
    found = model.encode_document(texts, n_jobs)
    assert (found.starts == whole.starts).all()
    np.testing.assert_allclose(found.y, whole.y, atol=1e-6)
    np.testing.assert_allclose(found.embeddings, whole.embeddings, atol=1e-6)


def test_another_machine_is_sent_no_model_with_each_part(monkeypatch):
    """The weights that it needs come by themselves, once; see `dual_encoder.encode`."""
    sent, encode = [], lstm_edu.models.aligned_encoder.encode

    def watched(model, side, what, *given):
        sent.append(len(pickle.dumps(what)))
        return encode(model, side, what, *given)

    monkeypatch.setattr(lstm_edu.models.aligned_encoder, "encode", watched)
    for both in (False, True):
        AlignedEncoder(LSTM(64), HASHING, with_embedding=both).encode_document(TEXTS)
    assert len(sent) == 2 and max(sent) < 1000
