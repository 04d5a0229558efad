"""The rules by which the sample data are made: clicks, the engine, grades, words, wordings."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lstm_course.sample import synthetic_judgments, synthetic_needs, wordings
from lstm_course.sample.wordings import Need

WORDS = wordings.read_words()


BOSTON_DENVER = Need("travel", "pair", ("boston", "denver"), "flights")
HOTELS = Need("travel", "entity", ("shanghai",), "hotels")
SITE = Need("travel", "site", ("sky thimble",), "login")


GRADES = [
    (HOTELS, {}, 3),
    (HOTELS, {"intent": "weather"}, 1),
    (HOTELS, {"things": ("madrid",), "intent": "hostels"}, 0),
    (HOTELS, {"topic": "moving"}, 0),
    (BOSTON_DENVER, {"things": ("boston", "miami")}, 1),
    (BOSTON_DENVER, {"things": ("miami", "denver")}, 1),
    (BOSTON_DENVER, {"things": ("denver", "boston")}, 0),
    (BOSTON_DENVER, {"things": ("miami", "boston")}, 0),
    (SITE, {"intent": "jobs"}, 1),
    (SITE, {"things": ("lodge wren",)}, 0),
]


@pytest.mark.parametrize("asked, changes, expected", GRADES)
def test_grade_rule(asked, changes, expected):
    assert synthetic_judgments.grade(asked, asked._replace(**changes), WORDS) == expected


def test_every_wording_can_be_written():
    rng = random.Random(0)
    for need in synthetic_needs.all_needs(WORDS):
        for text in (wordings.ask(need, WORDS, rng).text, wordings.write_title(need, WORDS, rng)):
            assert text and text == " ".join(text.lower().split())
            assert not set(text) & set("(){}|>\t"), text


LETTERS = st.text("abcdefghijklmnopqrstuvwxyz0123456789", min_size=2, max_size=20)


@given(LETTERS.filter(lambda word: len(set(word)) > 1), st.integers(0, 1000))
def test_misspelling_is_one_keystroke(word, seed):
    wrong = wordings.misspell(word, random.Random(seed))
    assert wrong and wrong != word and " " not in wrong
    assert abs(len(wrong) - len(word)) <= 1
    if len(wrong) == len(word):
        assert sum(a != b for a, b in zip(word, wrong)) <= 2
    else:
        short, long = sorted([word, wrong], key=len)
        assert any(long[:k] + long[k + 1 :] == short for k in range(len(long)))


PLURALS = "hotel hotels|city cities|day days|dress dresses|brush brushes|pancakes pancakes"
PLURALS += "|pet_mouse pet_mice|phone phones"


@pytest.mark.parametrize("row", PLURALS.split("|"))
def test_plural(row):
    one, many = (word.replace("_", " ") for word in row.split())
    assert wordings.plural(one, WORDS.common["plurals"]) == many
