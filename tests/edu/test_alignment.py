"""Tests of word cosines, and of the sample's pairs of synonyms in a query and a title."""

import numpy as np
import pytest
from conftest import HASHING, unit_model
from refusal import refused

from lstm_course.sample.paraphrases import KINDS, partners
from lstm_edu import LSTM, AlignedEncoder, Bidirectional
from lstm_edu.analysis import alignment

# the word "to" has no synonym
FLIGHTS = "flights chicago nyc", "cheap airfare chicago to new york"
LOGIN = "login skywren", "your sky wren profile and settings"
SAME = [
    (FLIGHTS, "thing", ["chicago chicago", "nyc new", "nyc york"]),
    (FLIGHTS, "intent", ["flights airfare", "flights cheap"]),
    (LOGIN, "site", ["skywren sky", "skywren wren"]),
    (("lodigng in rome", "suites downtown rome"), "intent", []),  # "lodigng" is misspelled
    (("rome", "rome"), "thing", ["rome rome"]),
    (("rome", "rome"), "intent", []),
]


@pytest.mark.parametrize("texts, kind, expected", SAME)
def test_partners_returns_word_pairs_with_same_meaning(texts, kind, expected):
    same, (q, t) = partners(*texts, "travel"), (text.split() for text in texts)
    assert list(same) == list(KINDS)
    assert sorted(f"{q[i]} {t[j]}" for i, j in np.argwhere(same[kind])) == expected


def test_right_partners_skips_query_words_that_occur_in_title():
    R = np.array([[0.9, 0.1, 0.2], [0.5, 0.5, 0.1], [0.1, 0.2, 0.3], [0.9, 0.1, 0.1]])
    same = np.array([[1, 0, 0], [0, 1, 1], [1, 0, 0], [0, 0, 0]], bool)
    hits, chance = alignment.right_partners(R, same, "rome inn sleep the", "rome hotels suites")
    # "rome" is in the title, "the" has no partner, and "inn" is as close to "rome" as to "hotels"
    assert hits.tolist() == [0.5, 0] and chance.tolist() == [2 / 3, 1 / 3]
    with refused("^R, same, query, title: of shapes"):
        alignment.right_partners(R, same, "rome inn sleep", "rome hotels suites")


def test_word_and_letter_cosines_equal_expected_values():
    model = AlignedEncoder(Bidirectional(LSTM(2)), HASHING, dtype="float64", scale=1.0)
    R = alignment.word_cosines(model, "ab b", "cab abc a")
    assert R.shape == (2, 3)
    assert np.isclose(R.max(axis=1).mean(), model.score("ab b", ["cab abc a"]))
    dual = unit_model(LSTM(3))
    y = dual.trace("ab b").y, dual.trace("cab", "document").y
    expected = [[q @ y[1][0] / np.linalg.norm(q) / np.linalg.norm(y[1][0])] for q in y[0]]
    assert np.allclose(alignment.word_cosines(dual, "ab b", "cab"), expected)
    letters = alignment.letter_cosines(HASHING, "abc", "abc c")
    assert np.isclose(letters[0, 0], 1) and letters[0, 1] < 1
