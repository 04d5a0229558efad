"""The rules by which the sample data are made: clicks, the engine, grades, words, wordings."""

import random

import pytest

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
