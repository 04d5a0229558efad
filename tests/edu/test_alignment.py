"""Which words say the same, by the sample's word files, and whether the nearest is one of them."""

import numpy as np
import pytest
from conftest import HASHING, unit_model
from refusal import refused

from lstm_course.sample import synthetic_needs, wordings
from lstm_course.sample.paraphrases import KINDS, partners
from lstm_edu import LSTM, AlignedEncoder, Bidirectional
from lstm_edu.analysis import alignment


def named(query, title, topic):
    """The pairs of words that say the same, by kind."""
    same, q, t = partners(query, title, topic), query.split(), title.split()
    assert list(same) == list(KINDS)
    return {kind: {(q[i], t[j]) for i, j in np.argwhere(same[kind])} for kind in KINDS}


def test_names_of_a_thing_are_partners_word_by_word():
    found = named("flights chicago nyc", "cheap airfare chicago to new york", "travel")
    assert found["thing"] == {("nyc", "new"), ("nyc", "york"), ("chicago", "chicago")}
    assert found["intent"] == {("flights", "cheap"), ("flights", "airfare")}  # "to" is filler
    assert not found["site"]


def test_a_site_is_written_as_one_word_or_as_two():
    found = named("login skywren", "your sky wren profile and settings", "travel")
    assert found["site"] == {("skywren", "sky"), ("skywren", "wren")}
    assert found["intent"] == {("login", "profile"), ("login", "settings")}
    assert not found["thing"]


def test_plurals_and_short_forms_are_known_and_misspelled_words_are_not():
    assert ("hrs", "road") in named("hrs boston denver", "boston denver road", "travel")["intent"]
    assert not named("lodigng in rome", "suites downtown rome", "travel")["intent"]
    (kind,) = [kind for kind, found in named("rome", "rome", "travel").items() if found]
    assert kind == "thing"


def test_the_maker_s_own_names_are_found():
    """Of each need about one thing, its name in the query and its name in the title, as written."""
    words = wordings.read_words()
    needs = [need for need in synthetic_needs.all_needs(words) if need.about == "entity"]
    for need in needs[::97]:
        sides = need.things[0].split(" > ")
        query, title = (side.split(" | ")[0] for side in (sides[0], sides[-1]))
        assert partners(query, title, need.topic)["thing"].all()


def test_only_words_that_the_title_has_otherwise_are_counted_and_ties_are_shared():
    R = np.array([[0.9, 0.1, 0.2], [0.5, 0.5, 0.1], [0.1, 0.2, 0.3], [0.9, 0.1, 0.1]])
    same = np.array([[1, 0, 0], [0, 1, 1], [1, 0, 0], [0, 0, 0]], bool)
    hits, chance = alignment.right_partners(R, same, "rome inn sleep the", "rome hotels suites")
    # rome is in the title, "the" has no partner; inn is as near to rome as to hotels
    assert hits.tolist() == [0.5, 0] and chance.tolist() == [2 / 3, 1 / 3]
    with refused("^R, same, query, title: of shapes"):
        alignment.right_partners(R, same, "rome inn sleep", "rome hotels suites")


@pytest.mark.parametrize("query, title", [("rome", ""), ("", "rome"), ("rome", "rome"), ("", "")])
def test_where_no_word_is_asked_about_nothing_is_counted(query, title):
    shape = len(query.split()), len(title.split())
    R, same = np.zeros(shape), np.ones(shape, bool)
    assert [len(x) for x in alignment.right_partners(R, same, query, title)] == [0, 0]


def test_the_cosines_are_those_of_the_score():
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
