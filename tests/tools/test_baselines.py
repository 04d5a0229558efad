"""Tests of Table IV's baselines: scores against formulas, and scores of texts without words."""

import numpy as np
import pytest
from conftest import ROOT, unit_model
from refusal import refused

import lstm_edu
from lstm_edu.cells.bag import Bag
from lstm_edu.cells.clsm import CLSM
from lstm_edu.cells.dssm import DSSM
from lstm_tools.table_iv import held_out
from lstm_tools.table_iv.bm25 import BM25
from lstm_tools.table_iv.doc2vec import Doc2Vec
from lstm_tools.table_iv.plsa import PLSA
from lstm_tools.table_iv.skip_thought import SkipThought
from lstm_tools.table_iv.terms import terms
from lstm_tools.table_iv.ulm import ULM


def test_only_clsm_with_window_of_several_words_depends_on_word_order():
    def same(cell, a, b):
        y = unit_model(cell).encode_query([a, b])
        return bool(np.allclose(y[0], y[1], atol=1e-12))

    for cell in (Bag(3), DSSM(4, 3), CLSM(1, 4, 3)):
        assert same(cell, "ab c a", "a c ab")
    assert not same(CLSM(3, 8, 3), "ab c a", "a c ab")
    # swap only the last two words
    assert not same(CLSM(5, 8, 3), "ab c a b", "ab c b a")


PAIRS = [
    ("cheap hotel", "Hotels in Oslo"),
    ("hotel oslo", "oslo hotel: cheap rooms"),
    ("flight oslo", "flights to oslo"),
    ("flight rome", "rome flight deals, cheap"),
]
ROWS = {  # functions that make a row, keyed by the library that the row needs
    "bm25s": lambda path: BM25(),
    "sklearn": lambda path: PLSA(2),
    "numpy": lambda path: ULM(2.0),
    "gensim": lambda path: Doc2Vec(epochs=1, vector_size=3, sample=0.01),
    "autograd": lambda path: SkipThought(sentences=str(path)),
}


@pytest.mark.filterwarnings("ignore:.*zero")
@pytest.mark.parametrize("library, make", [*ROWS.items()], ids=ROWS)
def test_rows_score_texts_without_words_and_raise_error_before_fit(tmp_path, library, make):
    pytest.importorskip(library)
    (tmp_path / "s.txt").write_text("a hotel\na cheap hotel\nto rome\n" * 4, encoding="utf-8")
    row = make(tmp_path / "s.txt")
    with refused(f"^{type(row).__name__}: is not fitted; call fit first$"):
        row.score("hotel", ["oslo"])
    row.fit(PAIRS)
    scores = row.score("hotel", ["oslo", "", "?"])
    assert np.isfinite(scores).all()
    assert (row.score("", ["oslo", "", "?"]) == 0).all()
    if hasattr(row, "scores"):
        first, second = row.scores(iter(["rome", "hotel"]), iter([["oslo"], ["oslo", "", "?"]]))
        np.testing.assert_allclose(second, scores, atol=1e-6)
        assert first.shape == (1,) and row.scores([], []) == []
    if type(row) in (ULM, PLSA, Doc2Vec):
        with refused("none of the (titles|texts) has a word"):
            row.fit([("--", "!"), ("?", "?")])


def test_terms_splits_words_at_punctuation():
    assert terms("Spider-Man: 3, Zoë's") == ["spider", "man", "3", "zoë", "s"]
    assert terms("don\u00b4t") == terms("don't") == ["don", "t"]
    # combining marks that Unicode doesn't compose with their letter into one character
    assert terms("हिन्दी, x\u0301y") == ["हिन्दी", "x\u0301y"]


def test_bm25_score_equals_formula():
    pytest.importorskip("bm25s")
    ranked = ["a hotel in oslo", "cheap flights", "oslo hotel: cheap rooms"]
    query = "cheap oslo hotel"
    titles = [terms(title) for title in dict.fromkeys([*(t for _, t in PAIRS), *ranked])]
    mean = np.mean([len(title) for title in titles])

    def score(title):
        total = 0
        for word in terms(query):
            df = sum(word in other for other in titles)
            tf = title.count(word)
            rare = np.log(1 + (len(titles) - df + 0.5) / (df + 0.5))
            total += rare * tf / (tf + 1.2 * (1 - 0.75 + 0.75 * len(title) / mean))
        return total

    found = BM25().fit(PAIRS).score(query, ranked)
    np.testing.assert_allclose(found, [score(terms(title)) for title in ranked], rtol=1e-5)


def test_ulm_score_equals_formula():
    model = ULM(mu=2.0).fit(PAIRS)
    words = [word for _, title in PAIRS for word in terms(title)]
    for title in ("oslo oslo hotel", "", "rome"):
        found = terms(title)
        background = {"oslo": words.count("oslo") / len(words), "zebra": 0.5 / len(words)}
        shares = [(found.count(w) + 2.0 * p) / (len(found) + 2.0) for w, p in background.items()]
        expected = sum(map(np.log, shares))
        assert model.score("Oslo, zebra", [title])[0] == pytest.approx(expected, rel=1e-12)


def test_ulm_fit_chooses_best_mu_on_held_out_queries():
    pairs = lstm_edu.read_pairs(ROOT / "data_samples" / "train_pairs.tsv")[:1000]
    model = ULM().fit(pairs)
    assert model.mu == max(model.held_out, key=model.held_out.get)
    kept, searches = held_out.searches(pairs)
    assert model.held_out[30.0] == lstm_edu.evaluate(ULM(30.0).fit(kept), searches)["nDCG@10"]


def test_held_out_searches_list_all_clicked_titles_and_similar_unclicked_titles():
    pairs = lstm_edu.read_pairs(ROOT / "data_samples" / "train_pairs.tsv")[:3000]
    kept, searches = held_out.searches(pairs, share=0.2, n_candidates=5, most=50)
    titles = {title for _, title in pairs}
    assert len(searches) == 50
    assert not {search.query for search in searches} & {query for query, _ in kept}
    for search in searches:
        clicked = {title for query, title in pairs if query == search.query}
        assert {t for t, grade in zip(search.titles, search.grades) if grade} == clicked
        assert len(search.titles) == len(set(search.titles)) == len(clicked) + 5
        has_word = lambda title: bool(set(search.query.split()) & set(title.split()))
        shares = [has_word(t) for t, grade in zip(search.titles, search.grades) if not grade]
        assert sum(shares) == min(5, sum(map(has_word, titles - clicked)))


def two_topics():
    """Generate pairs whose titles have four words, all from one of two topics."""
    rng = np.random.default_rng(0)
    stays, flights = "hotel inn hostel rooms lodging", "flight airline tickets plane airport"
    topics = [stays.split(), flights.split()]
    titles = [" ".join(rng.choice(topics[k % 2], 4, replace=False)) for k in range(60)]
    return [(title.split()[0], title) for title in titles]


def test_plsa_score_equals_log_probability_from_nmf_factors():
    pytest.importorskip("sklearn")
    pairs = two_topics()
    model = PLSA(2, prior=0.0, n_iterations=300).fit(pairs)
    np.testing.assert_allclose(model.words.sum(axis=1), 1, rtol=1e-6)
    titles = [title for _, title in pairs][:6]
    W, H = model.nmf.transform(model._counts(titles)), model.nmf.components_
    V = W @ H
    word = model.column["hotel"]
    P = V[:, word] / V.sum(axis=1)  # P(word | title) from the NMF factors
    expected = np.log(0.95 * P + 0.05 * model.background[word])
    np.testing.assert_allclose(model.score("hotel", titles), expected, rtol=1e-4)
    with_prior = PLSA(2, prior=1.0, n_iterations=300).fit(pairs)
    np.testing.assert_allclose(with_prior.words, (model.words + model.background) / 2, atol=1e-4)
