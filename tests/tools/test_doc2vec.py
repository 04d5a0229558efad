"""Tests of Doc2Vec: its settings, the choice of ``sample``, and its cosines."""

import numpy as np
import pytest

import lstm_edu
from lstm_tools.table_iv.doc2vec import SAMPLES, SETTINGS, Doc2Vec
from lstm_tools.table_iv.held_out import searches

pytest.importorskip("gensim", reason="gensim is missing")
WORDS = "bread cheese soup rice cake plum corn oslo rome the of in on at to and or with".split()
SMALL = dict(vector_size=8, epochs=10)


def drawn(n, seed=0):
    rng = np.random.default_rng(seed)
    return [tuple(" ".join(rng.choice(WORDS, 9)) for _ in "qd") for _ in range(n)]


def test_doc2vec_scores_are_cosines_of_trained_vectors():
    model = Doc2Vec(sample=0.01, **SMALL).fit(drawn(20), ["soup of the day", "--"])
    query, title = drawn(20)[5]
    a, b = (model.model.dv[model.row[tuple(text.split())]] for text in (query, title))
    scores = model.score(query, [title, query.upper() + "!", "soup of the day"])
    assert scores[:2] == pytest.approx([a @ b / np.sqrt(a @ a * (b @ b)), 1], abs=1e-5)
    assert len(model.row) == len({text for pair in drawn(20) for text in pair}) + 1
    assert "day" in model.model.wv  # `fit` reads texts without clicks, too
    # the vector of a new text is the same in each call, and 0 if no word of the text is known
    first = model.score("rice zzz", ["plum plum yyy", "zzz", ""])
    model.score("cake", ["corn corn corn corn corn"])
    np.testing.assert_array_equal(model.score("rice", ["plum plum", "--", "zzz"]), first)
    assert first[0] and not first[1:].any()


def test_doc2vec_uses_settings_from_paper_if_all_values_of_sample_tie():
    # without a log, or with one query, all values of ``sample`` tie, so `fit` keeps the paper's
    model = Doc2Vec().fit([], ["soup of the day"])
    assert model.sample == Doc2Vec(**SMALL).fit([("soup", "soup of the day")]).sample == 1e-4
    papers = SETTINGS | {"dm_concat": 0, "vector_size": 100, "epochs": 30, "workers": 1}
    assert {name: getattr(model.model, name) for name in papers} == papers


def test_doc2vec_chooses_sample_on_held_out_queries():
    pairs, others = drawn(60), [text for pair in drawn(20, seed=5) for text in pair]
    model, by_hand = Doc2Vec(**SMALL).fit(pairs, others), {}
    for sample in SAMPLES:
        kept, held_out = searches(pairs)
        row = Doc2Vec(sample=sample, **SMALL).fit(kept, [text for pair in pairs for text in pair])
        by_hand[sample] = lstm_edu.evaluate(row, held_out)["nDCG@10"]
    assert model.held_out == by_hand and len(set(by_hand.values())) > 1
    assert model.sample == max(SAMPLES, key=by_hand.get) == model.model.sample
