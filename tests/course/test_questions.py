"""Tests of the question-answering data, its generator, and reciprocal ranks on this data."""

import random
from types import SimpleNamespace

import pytest
from conftest import ROOT

import lstm_edu
from lstm_course.sample import questions
from lstm_course.sample.answer_values import fact_of
from lstm_edu._util.files import InputError
from lstm_edu.ranking.reciprocal_rank import reciprocal_rank, reciprocal_ranks

DATA = ROOT / "data_samples" / "questions"
WORDS = questions.read_words()


@pytest.fixture(scope="module")
def made():
    return questions.generate(0)


def test_stored_questions_are_readable_and_not_in_training_pairs(made):
    pairs = lstm_edu.read_pairs(DATA / "train_pairs.tsv")
    judgments = lstm_edu.read_judgments(DATA / "judgments.tsv")
    assert len(pairs) == 10_000 and len(judgments) == len(made.facts) == 300
    assert {len(search.titles) for search in judgments} == {questions.N_CANDIDATES}
    assert {max(search.grades) for search in judgments} == {1}
    assert [search.qid for search in judgments] == [row[0] for row in made.facts]
    assert not {question for _, question, *_ in made.judgments} & {q for q, _ in made.pairs}


def test_no_training_pair_states_a_fact_that_judgments_ask_for():
    """Compare facts without their values: no pair may state a judged fact with any value."""
    made = questions.generate(9)
    taught = {(fact.about, fact.places) for fact in (fact_of(answer) for _, answer in made.pairs)}
    judged = [fact_of(text) for _, _, _, text, grade in made.judgments if grade]
    assert not [fact for fact in judged if (fact.about, fact.places) in taught]


def test_fact_of_recovers_fact_from_its_answer_and_refuses_other_sentences():
    rng = random.Random(5)
    facts = rng.sample(questions.all_facts(WORDS, rng), 1500)
    assert {fact.about for fact in facts} == set(WORDS["facts"])
    for fact in facts:
        assert fact_of(questions.answer(fact, WORDS, rng)) == fact
    with pytest.raises(InputError, match="the linden gym is nice.* matches no wording"):
        fact_of("the linden gym is nice")


def test_reciprocal_ranks_returns_reciprocal_rank_of_each_question():
    longest = SimpleNamespace(score=lambda query, titles: list(map(len, titles)))
    judgments = lstm_edu.read_judgments(DATA / "judgments.tsv")[:20]
    each = [reciprocal_rank([*map(len, s.titles)], s.grades) for s in judgments]
    assert reciprocal_ranks(longest, judgments).tolist() == each
