"""Words aligned with words: the model beside the dual encoder, held against its own definition."""

import itertools
import warnings

import numpy as np
import pytest
from aligned_models import (
    PAIRS,
    alone_and_with_the_embedding,
    every_cell,
    every_cell_and_both,
    unit,
)
from conftest import HASHING, TEXTS, cell_name, clicks, sample, worst_difference
from refusal import refused

import lstm_edu
from lstm_edu import LSTM, RNN, AlignedEncoder, Attention, Bidirectional
from lstm_edu._util.threads import two_threads
from lstm_edu.gradients import aligned
from lstm_edu.gradients import minibatch as gradients
from lstm_edu.gradients.parallel import gradient_in_lanes as by_threads
from lstm_edu.text import lanes as in_parts


def by_definition(model, query, title):
    """R(Q, D) word by word, from what is shown of the reading."""
    q, d = model.trace(query).y, model.trace(title, "document").y

    def cos(u, v):
        return u @ v / np.linalg.norm(u) / np.linalg.norm(v)

    R = np.mean([max(cos(yq, yd) for yd in d) for yq in q])
    if model.relevance.embedding:
        read = [
            model.cell.embed(side.params, HASHING.operator(text.split()).toarray())
            for side, text in ((model.query, query), (model.document, title))
        ]
        R = (R + cos(*read)) / 2
    return R


@every_cell_and_both
def test_the_gradient_is_exact(cell, both):
    model, examples = unit(cell, both), clicks(2, n_pairs=3)
    by_hand = lstm_edu.check_gradient(model, *examples, verbose=False)
    assert by_hand.error < 1e-9 and by_hand.n_elements == model.n_parameters
    found = lstm_edu.cost_and_gradient(model, *examples)
    autograd = lstm_edu.cost_and_gradient(model, *examples, method="autograd")
    assert autograd[0] == pytest.approx(found[0], rel=1e-12)
    assert worst_difference(autograd[1], found[1]) < 1e-10


@pytest.mark.parametrize("cell", [RNN(2), Bidirectional(RNN(1)), Attention(LSTM(2))], ids=cell_name)
@pytest.mark.parametrize("both", sample([False, True], [True]))
def test_errors_that_arrive_at_every_word_are_cut_at_the_texts_last(cell, both):
    """By hand, by autograd and by complex steps, for every T; the longest text has 12 words."""
    model, examples = unit(cell, both), clicks(1, n_pairs=2)
    whole = lstm_edu.cost_and_gradient(model, *examples)[1]
    for truncate in range(13):
        how = {"truncate": truncate}
        _, found = lstm_edu.cost_and_gradient(model, *examples, **how)
        _, by_autograd = lstm_edu.cost_and_gradient(model, *examples, method="autograd", **how)
        assert worst_difference(by_autograd, found) < 1e-9
        assert (worst_difference(found, whole) < 1e-12) == (truncate >= 11)
        if truncate in (0, 5):
            assert lstm_edu.check_gradient(model, *examples, verbose=False, **how).error < 1e-9


def test_the_appendix_prints_no_gradient_for_it():
    for cell in (RNN(2), LSTM(2)):
        with refused("^method: 'printed'; the appendix prints no gradient"):
            lstm_edu.cost_and_gradient(unit(cell), *clicks(1), method="printed")
        with refused("^method: 'printed'"):
            lstm_edu.train(unit(cell), PAIRS, method="printed")


@every_cell
@alone_and_with_the_embedding
def test_the_score_is_the_definition(cell, both):
    model = unit(cell, both)
    q, d = model.encode_query(TEXTS[:4]), model.encode_document(TEXTS)
    R = model.similarity(q, d)
    assert R.shape == (4, len(TEXTS)) and (np.abs(R) <= 1).all()
    for (k, j), value in np.ndenumerate(R):
        assert value == pytest.approx(by_definition(model, TEXTS[k], TEXTS[j]), abs=1e-12)
    np.testing.assert_allclose(model.score(TEXTS[2], TEXTS), R[2], atol=1e-12)
    ranked = model.rank(TEXTS[2], TEXTS)
    assert [title for title, _ in ranked] == [TEXTS[j] for j in np.argsort(-R[2], kind="stable")]


def test_encoded_texts_are_one_array_and_where_each_starts():
    model = unit(LSTM(3))
    texts = ["ab ba", "", "abc a cab", "AB  ba"]
    with pytest.warns(match="1 of 3 texts hold no letter trigram"):
        words = model.encode_document(texts)
    assert words.starts.tolist() == [0, 2, 2, 5, 7] and words.y.shape == (7, 3)
    for text, start, end in zip(texts, words.starts, words.starts[1:]):
        if text:
            y = model.trace(text, "document").y
            np.testing.assert_allclose(words.y[start:end], y, rtol=0, atol=1e-14)
    assert (words.y[:2] == words.y[5:]).all()  # the same words, the same bits
    assert words.embeddings is None
    found = unit(Attention(LSTM(3)), both=True).encode_query(["ab ba", "abc a cab"])
    trace = unit(Attention(LSTM(3)), both=True).trace("abc a cab")
    np.testing.assert_allclose(found.embeddings[1], trace.a @ trace.y, rtol=1e-12)
    nothing = model.encode_query([])
    assert nothing.y.shape == (0, 3) and nothing.starts.tolist() == [0]
    assert model.similarity(nothing, words).shape == (0, 4)
    assert model.rank("ab", []) == []


@alone_and_with_the_embedding
def test_a_text_without_words_is_like_nothing(both):
    model = unit(LSTM(3), both)
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


def test_same_words_have_the_same_score_to_the_bit():
    model = unit(LSTM(5), dtype="float32")
    same = model.score("abc b", ["ab b", "ca", *TEXTS, "ab b", "AB  b"])
    assert same[0] == same[-1] == same[-2]
    one = model.scores(["abc b", "a"], [["ab b"], ["ca", "ab b"]])
    assert one[0][0] == pytest.approx(same[0], abs=1e-6) and len(one[1]) == 2


def test_no_score_is_above_one():
    """Each text with itself, by two sides that are equal; float32 rounds some cosines up."""
    for seed in range(8):
        model = AlignedEncoder(LSTM(5), HASHING, seed, scale=1.0, with_embedding=True)
        scores = np.concatenate([model.score(text, TEXTS) for text in TEXTS])
        assert np.abs(scores).max() <= 1 and np.sum(scores > 0.9999) >= len(TEXTS)


@pytest.mark.parametrize(
    "query, title",
    [("hotel hotel nyc", "york york bus york"), ("nyc bus", "bus york bus york nyc bus york")],
)
@alone_and_with_the_embedding
def test_a_word_said_again_takes_no_error_from_the_first(query, title, both):
    """Equal outputs have products that differ in their last bits, as BLAS takes edges by itself.

    Three ways to the same gradient: each decides for the first.
    """
    hashing = lstm_edu.LetterTrigrams.fit([query, title])
    for n, seed in np.ndindex(6, 4):
        given = RNN(n + 2), hashing, seed, "float64", 1.0
        model = AlignedEncoder(*given, tied=False, with_embedding=both)
        for side in (model.query, model.document):
            side.weights["Wrec"][...] = 0
        examples = model, [query], [title], [["nyc bus"]]
        assert lstm_edu.check_gradient(*examples, verbose=False).error < 1e-9, (n, seed)
        by_hand, by_autograd = (
            lstm_edu.cost_and_gradient(*examples, method=method)[1]
            for method in ("bptt", "autograd")
        )
        for side, name in itertools.product(by_hand, by_hand["query"]):
            expected = by_hand[side][name]
            np.testing.assert_allclose(by_autograd[side][name], expected, rtol=1e-9, atol=1e-12)


def test_what_was_said_before_is_not_looked_at_whatever_its_product():
    """However much further off the first seems, and however many come after it."""
    q, offsets = np.eye(2), np.array([0, 2, 4, 5])
    d = np.array([[0.6, 0.8], [0.8, 0.6], [0.8, 0.6], [1, 0], [1, 0]])  # of two titles, time-major
    for again, expected in (
        ([0, 0, 0, 0, 0], [[4, 3], [0, 1]]),
        ([0, 0, 0, 1, 1], [[2, 1], [0, 1]]),
        ([0, 0, 1, 1, 0], [[4, 1], [0, 1]]),
        ([0, 0, 1, 1, 1], [[0, 1], [0, 1]]),
    ):
        near, at = aligned._nearest(q, d, np.array(again, bool), offsets, 2)
        assert at.tolist() == expected
        assert (near == (q @ d.T)[np.arange(2)[:, None], at]).all()


@pytest.mark.parametrize("dtype, size", [("float32", 96), ("float64", 7), ("float32", 1)])
def test_an_output_is_said_before_in_its_own_title_only(dtype, size):
    """-0 is 0, and it matters not how the array lies in memory."""
    letters = np.random.default_rng(0).standard_normal((4, size)).astype(dtype)
    letters[3] = 0
    said = [("a", 0), ("b", 1), ("b", 0), ("b", 1), ("d", 0), ("a", 1), ("d", 0), ("a", 0)]
    words, title = np.array([letters["abcd".index(one)] for one, _ in said]), [k for _, k in said]
    words[6] *= -1
    expected = [pair in said[:k] for k, pair in enumerate(said)]
    assert sum(expected) == 3
    for given in (words, np.asfortranarray(words), np.repeat(words, 2, axis=1)[:, ::2]):
        assert aligned._said_before(given, np.array(title)).tolist() == expected


@pytest.mark.parametrize("words, times", [(1, 5), (9, 1)])
def test_a_step_is_the_same_however_little_is_held_at_a_time(monkeypatch, words, times):
    """And never more than is said."""
    model, held = unit(Bidirectional(LSTM(2)), both=True), []
    sides, nearest = (model.query, model.document), aligned._nearest

    def watched(q, d, again, offsets, n_titles):
        held.append(len(q) * n_titles)
        return nearest(q, d, again, offsets, n_titles)

    def watched_pairs(R, block, gamma):
        held_pairs.append(len(block.pairs) * len(block.titles))
        return loss_gradient(R, block, gamma)

    held_pairs, loss_gradient = [], aligned._loss_gradient
    monkeypatch.setattr(aligned, "_nearest", watched)
    monkeypatch.setattr(aligned, "_loss_gradient", watched_pairs)
    queries, *titles = clicks(4, n_pairs=30)
    queries = times * [" ".join(query.split()[:words]) for query in queries[: 30 // times]]
    examples = gradients.examples_of(model, queries, *titles)
    among = np.zeros((30, len(examples.documents.order)), bool)
    np.put_along_axis(among, examples.unclicked, True, axis=1)
    among[np.arange(30), examples.clicked] = False
    for given in (examples, examples._replace(unclicked=among)):
        found = {}
        for most in (1, 300, 1 << 20):
            monkeypatch.setattr(aligned, "MOST", most)
            held.clear()
            held_pairs.clear()
            how = {"relevance": model.relevance}
            found[most] = gradients.minibatch_gradient(sides, given, 10.0, **how)
            longest = given.queries.lengths.max() * len(given.documents.order)
            assert max(held) <= max(most, longest) and (len(held) > 1 or most > 300)
            of_one = np.bincount(given.query).max() * len(given.documents.order)
            assert max(held_pairs) <= max(most, of_one)
        for most in (1, 300):
            np.testing.assert_allclose(found[most][0], found[1 << 20][0], rtol=1e-12)
            both = (dict(enumerate(found[k][1])) for k in (most, 1 << 20))
            assert worst_difference(*both) < 1e-10


@pytest.mark.parametrize("cell", [LSTM(2), Attention(Bidirectional(RNN(2)))], ids=cell_name)
@alone_and_with_the_embedding
def test_lanes_change_nothing_but_the_order_of_sums(monkeypatch, cell, both):
    for name, value in {"LANE": 2, "SMALL": 1, "MOST_LANES": 5, "COLUMNS": 2}.items():
        monkeypatch.setattr(in_parts, name, value)
    model = unit(cell, both)
    examples, sides = gradients.examples_of(model, *clicks(4, 9)), (model.query, model.document)
    how = {"truncate": 4, "relevance": model.relevance}
    l, whole = gradients.minibatch_gradient(sides, examples, 10.0, **how)
    with two_threads() as two:
        l_split, split = by_threads(sides, examples, 10.0, threads=two, **how)
    np.testing.assert_allclose(l_split, l, rtol=1e-12)
    assert worst_difference(dict(enumerate(split)), dict(enumerate(whole))) < 1e-10


@pytest.mark.parametrize("optimizer", ["adam", "nesterov"])
@pytest.mark.parametrize("n_negatives", [1, "batch"])
def test_it_learns(optimizer, n_negatives):
    model = AlignedEncoder(LSTM(4), HASHING, seed=1)
    how = {"optimizer": optimizer, "step_size": 0.01, "n_negatives": n_negatives}
    history = lstm_edu.train(model, PAIRS, epochs=30, batch_size=4, held_out=0.3, **how)
    assert history["cost"][-1] < 0.7 * history["cost"][0]
    assert len(history["held_out"]) == 30 and 0 <= min(history["held_out"])
    judged = [lstm_edu.data.readers.Judged("q", "ab ba", ["1", "2"], ["abc", "ac"], [1, 0])]
    assert lstm_edu.evaluate(model, judged)["n_queries"] == 1
