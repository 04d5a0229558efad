"""The questions and answers: what the files hold, and that the generator makes them as it says."""

import random
from collections import Counter
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


def test_the_package_reads_what_is_written(made):
    pairs = lstm_edu.read_pairs(DATA / "train_pairs.tsv")
    judgments = lstm_edu.read_judgments(DATA / "judgments.tsv")
    assert len(pairs) == 10_000 and len(judgments) == len(made.facts) == 300
    assert {len(search.titles) for search in judgments} == {questions.N_CANDIDATES}
    assert {max(search.grades) for search in judgments} == {1}
    assert [search.qid for search in judgments] == [row[0] for row in made.facts]
    assert not {question for _, question, *_ in made.judgments} & {q for q, _ in made.pairs}


@pytest.fixture(scope="module")
def marked():
    """Made of wordings that each begin with their own mark: about, and side and number."""
    words = questions.read_words()
    for about, file in words["facts"].items():
        for side in ("question", "answer"):
            file[side] = [f"{about} {side}{k} {file[side][k]}" for k in range(len(file[side]))]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(questions, "read_words", lambda: words)
        patch.setattr(questions, "MISSPELLED", 0)
        patch.setattr(questions, "WRONG", 0)
        return questions.generate(1, n_pairs=4000, n_questions=100)


def mark(text):
    return tuple(text.split()[:2])


def in_order(text):
    """The places that a text names, each a name and a kind."""
    found = set()
    for name in filter(text.__contains__, WORDS["names"]):
        for kind, called in WORDS["kinds"].items():
            for word in called.replace(" > ", " | ").split(" | "):
                at = f" {text} ".find(f" {name} {word} ")
                found |= {(at, name, kind)} if at >= 0 else set()
    return [place for _, *place in sorted(found)]


def places_in(text):
    return {tuple(place) for place in in_order(text)}


def test_a_pair_is_a_question_and_an_answer_to_it(marked):
    for question, answer in marked.pairs:
        assert mark(question)[0] == mark(answer)[0]
        assert places_in(question) & places_in(answer)


def test_every_case_is_what_it_says(marked):
    rows = {row[0]: row for row in marked.facts}
    wordings = {mark(question) for question, _ in marked.pairs}
    named = " | ".join(text for pair in marked.pairs for text in pair)
    new = [name for name in WORDS["names"] if name not in named]
    assert len(new) == questions.N_NEW
    for qid, question, *_ in marked.judgments:
        _, about, case, misspelled = rows[qid]
        assert mark(question)[0] == about and not misspelled
        assert (case == "reworded") == (mark(question) not in wordings), question
        assert (case == "new") == any(name in question for name in new), question
        assert (case == "order") == (about in ("way", "before"))
    cases = Counter(row[2] for row in marked.facts)
    assert cases == {"known": 40, "reworded": 20, "order": 20, "new": 20}


def test_the_right_answers_give_the_fact_and_the_others_do_not(marked):
    rows, by_question = {row[0]: row for row in marked.facts}, {}
    for qid, question, _, text, grade in marked.judgments:
        by_question.setdefault((qid, question), {0: [], 1: []})[grade].append(text)
    for (qid, question), texts in by_question.items():
        _, about, case, _ = rows[qid]
        for text in texts[1]:
            assert mark(text)[0] == about and places_in(question) & places_in(text)
        same_place = [text for text in texts[0] if places_in(question) & places_in(text)]
        assert sum(mark(text)[0] != about for text in same_place) >= 3, question
        assert sum(mark(text)[0] == about for text in texts[0]) >= 6
        if case == "order":  # every answer names them in the order that is asked for
            turned = in_order(texts[1][0])[::-1]
            found = [text for text in texts[0] if in_order(text) == turned]
            assert sum(mark(text)[0] == about for text in found) >= 3


def test_what_is_asked_is_in_no_pair_with_another_value_either():
    """Each of two places may draw the other: then there are two values, and here one is judged."""
    made = questions.generate(9)
    taught = {(fact.about, fact.places) for fact in (fact_of(told) for _, told in made.pairs)}
    judged = [fact_of(text) for _, _, _, text, grade in made.judgments if grade]
    assert not [fact for fact in judged if (fact.about, fact.places) in taught]


def test_what_an_answer_says_is_the_fact_that_it_was_written_for():
    rng = random.Random(5)
    facts = rng.sample(questions.all_facts(WORDS, rng), 1500)
    assert {fact.about for fact in facts} == set(WORDS["facts"])
    for fact in facts:
        assert fact_of(questions.answer(fact, WORDS, rng)) == fact
    with pytest.raises(InputError, match="no wording gives 'the linden gym is nice'"):
        fact_of("the linden gym is nice")


def test_reciprocal_ranks_go_over_all_questions():
    longest = SimpleNamespace(score=lambda query, titles: list(map(len, titles)))
    judgments = lstm_edu.read_judgments(DATA / "judgments.tsv")[:20]
    each = [reciprocal_rank([*map(len, one.titles)], one.grades) for one in judgments]
    assert reciprocal_ranks(longest, judgments).tolist() == each
