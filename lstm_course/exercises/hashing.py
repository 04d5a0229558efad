"""Checks of notebook 01: words to letter trigrams, and words with the same ones."""

import random
from collections import Counter

import numpy as np

from lstm_edu.text.hashing import LetterTrigrams, letter_trigrams

from ..engine.forms import in_form
from ..engine.minimize import hold
from ..engine.report import call, hold_against, passed
from ..sample.wordings import misspell
from .nearest_word import KNOWN, misspelled


def check_letter_trigrams(function):
    """The letter trigrams of a word, held against `lstm_edu.letter_trigrams`.

    Parameters
    ----------
    function : function of word
        Returns the trigrams in order, with repeats, as a list of texts.

    Raises
    ------
    Wrong
    """
    cases = [
        "banana",
        "a",
        "Shanghai",
        "7eleven",
        *(misspelled(seed)[0] for seed in range(6)),
    ]
    for word in cases:
        marked = f"#{word.lower()}#"
        mistakes = [
            ("the marks # before and after the word are missing", _pieces(word.lower())),
            ("a word is lower-cased first", _pieces(f"#{word}#")),
            (
                "the last trigram is missing: a text of n characters has n - 2 of them",
                _pieces(marked)[:-1],
            ),
            (
                "the last piece is too short: a text of n characters has n - 2 trigrams",
                _pieces(marked) + [marked[-2:]],
            ),
            (
                "the last pieces are too short: a text of n characters has n - 2 trigrams",
                _pieces(marked) + [marked[-2:], "#"],
            ),
            (
                "the trigrams are cut one after the other, and should overlap",
                [marked[k : k + 3] for k in range(0, len(marked), 3)],
            ),
            (
                "a trigram that the word holds twice counts twice, at both of its places",
                list(dict.fromkeys(_pieces(marked))),
            ),
            (
                "these are pairs of letters: a trigram holds three",
                [marked[k : k + 2] for k in range(len(marked) - 1)],
            ),
            (
                "these hold four letters: a trigram holds three",
                [marked[k : k + 4] for k in range(len(marked) - 3)],
            ),
            ("the first trigram is missing: the loop begins at 0", _pieces(marked)[1:]),
            ("the loop runs backwards", _pieces(marked)[::-1]),
            ("they come in the order in which they stand in the word", sorted(_pieces(marked))),
            (
                "they come in the order in which they stand in the word, with repeats",
                sorted(set(_pieces(marked))),
            ),
        ]
        given = {"word": word}
        simpler = [
            ("a word of one letter has one trigram, #a#", {"word": "a"}, ["#a#"]),
            ("a word of two letters has two trigrams", {"word": "it"}, ["#it", "it#"]),
        ]
        hold("the list of trigrams", function, given, letter_trigrams(word), mistakes, simpler)
    passed("check_letter_trigrams", len(cases))


def check_hashing_operator(function):
    """W_h of Eq. (1), held against `LetterTrigrams.operator`.

    Parameters
    ----------
    function : function of words and trigrams, lists of texts
        Returns an array (n_trigrams, n_words) of counts; trigrams that are not in the list are left
        out.

    Raises
    ------
    Wrong
    """
    for seed in range(5):
        rng = random.Random(seed)
        words = [*rng.sample(KNOWN, 2), "banana", misspell("hotel", rng)]
        trigrams = [
            trigram
            for trigram in LetterTrigrams.fit(words).trigrams
            if trigram == "ana" or rng.random() < 0.6
        ]
        rng.shuffle(trigrams)  # a row stands where its trigram does, in whatever order
        given = {"words": words, "trigrams": trigrams}
        got = call("W_h", function, given)
        expected, unknown = (
            LetterTrigrams(trigrams).operator(words).toarray().T,
            LetterTrigrams(trigrams).dropped(words),
        )
        hold_against(
            "W_h",
            got,
            expected,
            given,
            [
                (
                    "a trigram that a word holds twice counts 2: add 1 each time, do not set 1",
                    np.minimum(expected, 1),
                ),
                (
                    "the shape is (trigrams, words): "
                    "a row for each trigram, a column for each word",
                    expected.T,
                ),
                (
                    "a trigram that is not known is left out; the place -1 is that of the last one",
                    np.vstack([expected[:-1], expected[-1] + unknown]),
                ),
                (
                    "the trigrams of a word that is not the last are overwritten: "
                    "does each word have its own column?",
                    _only_last(expected),
                ),
                (
                    "row k belongs to trigram k of the list as it is given, not sorted",
                    expected[np.argsort(trigrams)],
                ),
                (
                    "the rows stand in the order in which the words bring the trigrams",
                    expected[_met(words, trigrams)],
                ),
                ("this is 0 or 1 for all words together", np.sign(expected.sum(axis=1))),
                ("the words are added up: a column for each word", expected.sum(axis=1)),
                (
                    "each column is divided by its length; W_h holds counts",
                    expected / np.maximum(np.linalg.norm(expected, axis=0), 1),
                ),
                (
                    "the marks # before and after a word are missing",
                    _of_pieces(words, trigrams, "{}"),
                ),
                ("the columns stand in reverse order", expected[:, ::-1]),
                (
                    "each column is divided by its sum; W_h holds counts",
                    expected / np.maximum(expected.sum(axis=0), 1),
                ),
            ],
        )
    passed("check_hashing_operator", 5)


def check_collisions(function):
    """All strings with the letter trigrams of a word, held against a search through all anagrams.

    Parameters
    ----------
    function : function of word
        Returns all other strings with the same trigrams, each as often, as a sorted list.

    Raises
    ------
    Wrong
    """
    rng = np.random.default_rng(0)
    cases = [
        "inkingin",
        "abacab",
        "hotel",
        "statistics",
        "abababbbba",
        *("".join(rng.choice(list("ab"), 8)) for _ in range(5)),
    ]
    for word in cases:
        given, counts = {"word": word}, Counter(letter_trigrams(word))
        # the counts of the trigrams give those of the letters, so every such string is an anagram
        anagrams = {other: Counter(letter_trigrams(other)) for other in _anagrams(word)}
        same = sorted(other for other in anagrams if anagrams[other] == counts)
        distinct = sorted(
            other for other in anagrams if anagrams[other].keys() == counts.keys() and other != word
        )
        others = [other for other in same if other != word]
        got = in_form(call("the list of words", function, given), others)
        found = (
            set(got)
            if isinstance(got, list) and all(isinstance(other, str) for other in got)
            else set(others)
        )
        hold_against(
            "the list of words",
            got,
            others,
            given,
            [
                ("the word itself is among them", same),
                ("these hold the same trigrams, but not all of them as often", distinct),
                (
                    "each of them once",
                    got if found == set(others) and len(got) > len(others) else None,
                ),
                ("sort them: from a to z", got if found == set(others) else None),
                (
                    "some are missing: are all ways followed, or only the first that goes on?",
                    got if found < set(others) else None,
                ),
                (
                    "not all of these have the word's trigrams, each as often and none besides: "
                    "count them, the marks # included",
                    got if found - set(same) else None,
                ),
            ],
        )
    passed("check_collisions", len(cases))


def _pieces(marked):
    return [marked[k : k + 3] for k in range(len(marked) - 2)]


def _met(words, trigrams):
    """Places of the trigrams, in the order in which the words hold them; then of the others."""
    met = dict.fromkeys(piece for word in words for piece in letter_trigrams(word))
    order = [trigrams.index(piece) for piece in met if piece in trigrams]
    return order + [k for k in range(len(trigrams)) if k not in order]


def _of_pieces(words, trigrams, marked):
    return np.array(
        [[_pieces(marked.format(word)).count(trigram) for word in words] for trigram in trigrams]
    )


def _only_last(Wh):
    """What W_h is if all words are written into its last column."""
    return np.hstack([np.zeros_like(Wh[:, 1:]), Wh.sum(axis=1, keepdims=True)])


def _anagrams(word):
    """All orders of a word's letters, each once."""
    texts, counts = [""], Counter(word)
    for _ in word:
        texts = [
            text + letter
            for text in texts
            for letter in counts
            if text.count(letter) < counts[letter]
        ]
    return texts
