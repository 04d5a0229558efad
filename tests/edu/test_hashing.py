"""Tests of the letter trigrams of single words and of many words at once."""

from unicodedata import normalize

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusal import refused

from lstm_edu import LetterTrigrams, letter_trigrams
from lstm_edu.text.hashing import plain, words


def test_splits_word_into_letter_trigrams():
    assert letter_trigrams("good") == ["#go", "goo", "ood", "od#"]
    assert letter_trigrams("Good") == letter_trigrams("good")
    assert letter_trigrams("a") == ["#a#"]
    assert letter_trigrams("ana") == ["#an", "ana", "na#"]
    assert letter_trigrams("banana").count("ana") == 2


def test_words_splits_text_at_white_space_and_lowercases_it():
    found = words("  Hotels in\tShanghai 2015\u00a0cheap ")
    assert found == ["hotels", "in", "shanghai", "2015", "cheap"]
    assert words("J\u030cA") == words("j\u030ca") == words("\u01f0a") == ["\u01f0a"]


SPELLINGS = ["h\u00f4tel", "ho\u0302tel", "HO\u0302TEL", "\uff48\u00d4\uff54\uff45\uff4c"]


@pytest.mark.parametrize("typed", SPELLINGS)
def test_equivalent_unicode_spellings_of_word_have_equal_trigrams(typed):
    assert words(f"{typed}\u3000Tokyo") == ["h\u00f4tel", "tokyo"]
    assert letter_trigrams(typed) == ["#h\u00f4", "h\u00f4t", "\u00f4te", "tel", "el#"]
    hashing = LetterTrigrams.fit(["h\u00f4tel"])
    assert hashing.operator([typed]).sum() == 5 and not hashing.dropped([typed]).any()


@given(st.text())
def test_plain_does_not_change_words_of_text(text):
    assert words(plain(text)) == words(text) and len(words(text)) == len(text.split())
    assert words(normalize("NFD", text)) == words(normalize("NFC", text)) == words(text)


def test_min_count_counts_repeated_occurrences():
    assert LetterTrigrams.fit(["ba ab"]).trigrams == ["#ab", "#ba", "ab#", "ba#"]  # sorted
    assert "ana" in LetterTrigrams.fit(["banana"], min_count=2).trigrams
    assert LetterTrigrams.fit(["no no", "now"], min_count=3).trigrams == ["#no"]
    with refused("no letter trigram occurs 9"):
        LetterTrigrams.fit(["banana"], min_count=9)


ANY = st.text(alphabet=st.characters() | st.sampled_from("ab#\n İΣς\ud800"), max_size=6)
THREE = st.text(alphabet="ab#s\nİσς\ud800😀", min_size=3, max_size=3)


@given(st.lists(ANY, max_size=12), st.sets(THREE, max_size=9))
def test_operator_counts_same_trigrams_as_letter_trigrams(vocabulary, others):
    """Use arbitrary characters, unknown and repeated trigrams, and small blocks."""
    from_words = {trigram for word in vocabulary[::2] for trigram in letter_trigrams(word)}
    hashing = LetterTrigrams([*others, *from_words - others])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("lstm_edu.text.many_words.BLOCK", 5)
        Wh = hashing.operator(iter(vocabulary), "float32")
    assert Wh.shape == (len(vocabulary), hashing.size)
    assert Wh.dtype == np.float32 and Wh.has_canonical_format
    for word, row, n_dropped in zip(vocabulary, Wh.toarray(), hashing.dropped(vocabulary)):
        counts = [letter_trigrams(word).count(trigram) for trigram in hashing.trigrams]
        assert row.tolist() == counts and n_dropped == len(letter_trigrams(word)) - sum(counts)


def test_operator_distinguishes_trigrams_of_highest_code_points():
    hashing = LetterTrigrams(["`\U0010ffffc", "a\U0010ffffc", "c`\U0010ffff", "ca\U0010ffff"])
    words = ["a\U0010ffffc", "`\U0010ffffc", "ca\U0010ffff", "c`\U0010ffff"]
    assert (hashing.operator(words).toarray() == np.eye(4)[[1, 0, 3, 2]]).all()


def test_collisions_group_words_with_equal_trigrams():
    hashing = LetterTrigrams.fit(["aaabaa aabaaa good"])
    groups = hashing.collisions(["aaabaa", "good", "aabaaa", "good", "zzz", "yyy"])
    assert groups == [["aaabaa", "aabaaa"], ["zzz", "yyy"]]
    assert hashing.collisions(["aaabaa", "good"]) == []
