"""Tests of the click log in training: minibatches, unclicked titles, and held-out queries."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusal import memory
from small_log import HASHING, PAIRS, new_model

from lstm_edu import InputError, LetterTrigrams
from lstm_edu.ranking import ndcg as ranking
from lstm_edu.training import held_out, minibatches

KNOWN = LetterTrigrams.fit(["a b c d k l m n o p"])
TITLES = st.sampled_from(["k", "l", "m", "n", "K ", "o p"])
pairs_strategy = st.lists(st.tuples(st.sampled_from("abcd"), TITLES), min_size=1, max_size=30)


@given(pairs_strategy, st.integers(1, 5), st.integers(0, 9))
def test_sample_unclicked_draws_distinct_unclicked_titles(pairs, n, seed):
    log = minibatches.from_pairs(pairs, KNOWN)
    try:
        minibatches.check_negatives(log, np.arange(len(pairs)), n)
    except InputError as error:
        assert "unclicked titles" in str(error)
        return
    drawn = minibatches.sample_unclicked(log, log.query, n, np.random.default_rng(seed))
    clicked = set(zip(log.query, log.title))
    for q, row in zip(log.query, drawn):
        assert len(set(row)) == n and not any((q, t) in clicked for t in row)


@given(pairs_strategy, st.integers(1, 7), st.integers(0, 9))
def test_of_epoch_marks_unclicked_titles_of_each_query(pairs, batch_size, seed):
    log = minibatches.from_pairs(pairs, KNOWN)
    clicked = set(zip(log.query.tolist(), log.title.tolist()))
    order = np.random.default_rng(seed).permutation(len(pairs))
    n_seen = 0
    rng, every = np.random.default_rng(seed), np.arange(len(pairs))
    for examples in minibatches.of_epoch(log, every, batch_size, "batch", rng):
        pairs_now = order[n_seen : n_seen + batch_size]
        queries, titles = np.unique(log.query[pairs_now]), np.unique(log.title[pairs_now])
        assert (queries[examples.query] == log.query[pairs_now]).all()
        assert (titles[examples.clicked] == log.title[pairs_now]).all()
        expected = [[(q, t) not in clicked for t in titles] for q in log.query[pairs_now].tolist()]
        assert (examples.unclicked == np.array(expected)).all()
        assert minibatches.n_teaching(examples) == sum(map(any, expected))
        n_seen += len(examples.query)
    assert n_seen == len(pairs)


def test_from_pairs_assigns_one_index_to_texts_with_same_words():
    pairs = [("Hotels  in oslo", "Oslo"), ("hotels in OSLO", "lima"), ("oslo", "oslo ")]
    log = minibatches.from_pairs(pairs, HASHING)
    assert log.query.tolist() == [0, 0, 1] and log.title.tolist() == [0, 1, 0]


def test_from_pairs_keeps_no_texts_in_memory():
    words = ["hotel" * 10, "shanghai" * 10]
    texts = [" ".join(words[k >> bit & 1] for bit in range(12)) for k in range(4096)]
    with memory() as peak:
        minibatches.from_pairs(zip(texts, texts), LetterTrigrams.fit(words))
    assert peak() < sum(map(len, texts))


def test_sample_unclicked_draws_titles_uniformly():
    pairs = [("a", "k")] * 50 + [("b", t) for t in "lmn"]
    log = minibatches.from_pairs(pairs, KNOWN)
    drawn = minibatches.sample_unclicked(log, np.zeros(6000, int), 1, np.random.default_rng(0))
    counts = np.bincount(drawn.ravel(), minlength=4)
    assert counts[0] == 0 and (abs(counts[1:] - 2000) < 150).all()


def test_split_holds_out_queries_with_all_their_pairs():
    log = minibatches.from_pairs(PAIRS + [(q, "another title") for q, _ in PAIRS], HASHING)
    kept, (queries, _) = held_out.split(log, 0.25, 0)
    assert len(queries) == 12 and not set(log.query[kept]) & set(queries)
    assert len(kept) == 2 * (48 - 12)


@pytest.mark.parametrize("is_constant", [False, True])
def test_held_out_ndcg_equals_mean_ndcg_of_queries(is_constant):
    model = new_model()
    for side in (model.query, model.document) if is_constant else ():
        for name, w in side.weights.items():
            w[...] = name == "b"  # b is 1, other weights 0, so that all embeddings are equal
    log = minibatches.from_pairs(PAIRS + [(PAIRS[0][0], PAIRS[5][1])], HASHING)
    titles = [title for _, title in PAIRS]
    scores = model.scores([q for q, _ in PAIRS], [titles] * len(PAIRS))
    judged = lambda k, t: int(t == k or (k, t) == (0, 5))
    grades = [[judged(k, t) for t in range(len(titles))] for k in range(len(scores))]
    expected = np.mean([ranking.ndcg(s, g, 10) for s, g in zip(scores, grades)])
    found = held_out.ndcg(model, log, np.arange(len(PAIRS)), np.arange(len(titles)))
    assert found == pytest.approx(expected, abs=1e-6)
