"""Tests of lesson 15: losses with weighted titles, rules that set the weights, and wanted titles.

A title is wanted for a query if it is graded Good or Excellent, whether it was clicked or not.
"""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import lstm_edu
from lstm_course.lessons import negatives
from lstm_course.sample import synthetic
from lstm_course.sample.synthetic_judgments import grade
from lstm_course.sample.wanted import wanted_titles
from lstm_course.sample.wordings import read_words
from lstm_edu.gradients.plain import Examples, Read
from lstm_edu.training import minibatches

N = 300  # pairs in a minibatch that is the whole log, and so contains wanted titles


@pytest.fixture(scope="module")
def sample():
    return synthetic.generate(0, n_pairs=300, n_queries=1)


@pytest.fixture(scope="module")
def log(sample):
    hashing = lstm_edu.LetterTrigrams.fit(text for pair in sample.pairs for text in pair)
    return minibatches.from_pairs(sample.pairs, hashing)


@pytest.fixture(scope="module")
def wanted(sample, log):
    return negatives.marked(log, sample.pairs, wanted_titles(sample))


def test_wanted_titles_returns_titles_graded_good_or_excellent(sample):
    words, expected = read_words(), {query: {} for query, _ in sample.pairs}
    for (query, _), (need, _) in zip(sample.pairs, sample.searched):
        for (_, title), (_, page) in zip(sample.pairs, sample.searched):
            best = max(grade(need, page, words), expected[query].get(title, 0))
            if best >= 2:
                expected[query][title] = best
    assert wanted_titles(sample) == expected


def test_weighted_loss_matches_formula_and_its_gradient_matches_differences():
    rng = np.random.default_rng(0)
    yq, yd = rng.normal(size=(3, 4)), rng.normal(size=(5, 4))
    weights = rng.choice([0, 0.5, 1, 7], (4, 5))
    query, clicked = np.array([0, 2, 1, 2]), np.array([1, 0, 4, 3])
    weights[np.arange(4), clicked] = 0
    examples = Examples(None, None, query, clicked, weights > 0)

    def cost(yq, yd):
        both = Read(yq), Read(yd)
        return negatives.with_weights(weights).cost_gradient(*both, examples, 5.0)

    l, errors = cost(yq, yd)
    R = lstm_edu.gradients.cost.cosine(yq, yd)[query]
    e = weights * np.exp(5 * (R - R[np.arange(4), clicked][:, None]))
    assert_allclose(l, np.log1p(e.sum(axis=1)), rtol=1e-12)
    for y, error in zip((yq, yd), errors):
        for place in np.ndindex(y.shape):
            y[place] += 1e-6
            up = cost(yq, yd)[0].sum()
            y[place] -= 2e-6
            slope = (up - cost(yq, yd)[0].sum()) / 2e-6
            y[place] += 1e-6
            assert slope == pytest.approx(error.y[place], abs=1e-7)


def both(wanted):
    return negatives.Hardest(2, 5, negatives.without(wanted, negatives.whole_batch), wanted)


# name: (function that makes the rule, sum of each pair's weights or None if it varies)
RULES = {
    "whole": (lambda wanted: negatives.whole_batch, None),
    "part": (lambda wanted: negatives.part_of_batch(3), 3),
    "drawn": (lambda wanted: negatives.drawn(4), 4),
    "times": (lambda wanted: negatives.times(2.5, negatives.drawn(4)), 10),
    "spared": (lambda wanted: negatives.without(wanted, negatives.whole_batch), None),
    "hardest": (lambda wanted: negatives.Hardest(2, 5), 2),
    "both": (both, None),
}


@pytest.mark.parametrize("name", RULES)
def test_each_rule_weights_only_the_unclicked_titles_that_it_should(name, sample, log, wanted):
    make, total = RULES[name]
    rule, pairs, rng = make(wanted), np.arange(N), np.random.default_rng(0)
    hashing = lstm_edu.LetterTrigrams.fit(text for pair in sample.pairs for text in pair)
    model = lstm_edu.DualEncoder(lstm_edu.LSTM(4), hashing, seed=0)
    if name in ("hardest", "both"):
        rule.look(model, log, sample.pairs)
        R = model.similarity(
            *(f(t) for f, t in zip((model.encode_query, model.encode_document), zip(*sample.pairs)))
        )
        for q, mined in list(zip(log.query, rule.mined[log.query]))[:40]:
            k = list(log.query).index(q)
            out = log.clicked[[q]].toarray()[0]
            if rule.spared is not None:
                out = out | wanted[[q]].toarray()[0]
            of_titles = dict(zip(log.title, R[k]))
            best = sorted((d for d in of_titles if not out[d]), key=lambda d: -of_titles[d])[:5]
            assert_allclose([of_titles[d] for d in mined], [of_titles[d] for d in best], atol=1e-6)
    titles, weights = rule(log, pairs, rng)
    assert set(log.title[pairs]) <= set(titles) and list(titles) == sorted(set(titles))
    clicked = log.clicked[log.query[pairs]][:, titles].toarray()
    assert not weights[clicked].any() and (weights.sum(axis=1) > 0).all()
    if total:
        assert_allclose(weights.sum(axis=1), total)
    of_batch = np.isin(titles, log.title[pairs])
    good = wanted[log.query[pairs]][:, titles].toarray()
    if name == "whole":
        assert (weights == ~clicked).all()
    if name == "part":
        assert not weights[:, ~of_batch].any()
    if name in ("spared", "both"):
        assert (weights[:, of_batch] == ~(clicked | good)[:, of_batch]).all()
        assert not weights[good].any()
