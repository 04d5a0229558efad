"""Checks of notebook 01: words to letter trigrams."""

import random
from collections import Counter

import numpy as np

from ..data.wordings import misspell
from ..text.hashing import LetterTrigrams, letter_trigrams
from .report import call, hold_against, passed

KNOWN = """
    accommodation banana bandana boston breakfast cabana denver desert dessert discount hostel
    hostels hotel hotels lodging map maps motel museum museums recipe recipes reservation
    reservations shanghai statistics weather
""".split()


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
    cases = ["banana", "a", "Shanghai", "7eleven", *(_misspelled(seed)[0] for seed in range(6))]
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
            ("they come in the order in which they stand in the word", sorted(_pieces(marked))),
            (
                "they come in the order in which they stand in the word, with repeats",
                sorted(set(_pieces(marked))),
            ),
        ]
        given = {"word": word}
        hold_against(
            "the list of trigrams",
            call("the list of trigrams", function, given),
            letter_trigrams(word),
            given,
            mistakes,
        )
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
                    "each column is divided by its sum; W_h holds counts",
                    expected / np.maximum(expected.sum(axis=0), 1),
                ),
            ],
        )
    passed("check_hashing_operator", 5)


def check_nearest_word(function):
    """The known word with the most similar letter trigrams.

    Held against cosines of the rows of `LetterTrigrams.operator`.

    Parameters
    ----------
    function : function of word, and known, a list of words
        Returns the known word whose trigram counts have the largest cosine with those of the word.

    Raises
    ------
    Wrong
    """
    cases = [
        ("bananan", ["ban", "bananabanana", "banana", "cabana"]),
        ("hotl", ["hotelhotels", "hot", "hotel", "motel"]),
        *map(_misspelled, range(6)),
    ]
    for word, known in cases:
        given = {"word": word, "known": known}
        L, l = _counts(word, known)
        with np.errstate(all="ignore"):
            mistakes = [
                (
                    "the products are not divided by the lengths of the vectors, "
                    "so that long words win",
                    L @ l,
                ),
                ("a trigram that a word holds twice counts 2", _cosines(L > 0, l > 0)),
                ("this is the least similar word", -_cosines(L, l)),
                (
                    "divide by the length of a vector, "
                    "the root of the sum of squares, not by the sum",
                    L @ l / L.sum(axis=1),
                ),
                ("divide by the length of a vector, not by its square", L @ l / (L**2).sum(axis=1)),
                (
                    "this word has the largest share of common trigrams; the cosine is asked for",
                    _shares(L, l),
                ),
            ]
        hold_against(
            "the nearest word",
            call("the nearest word", function, given),
            known[int(np.argmax(_cosines(L, l)))],
            given,
            [(text, known[int(np.argmax(score))]) for text, score in mistakes],
        )
    passed("check_nearest_word", len(cases))


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
        got = call("the list of words", function, given)
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
                ("sort them", got if found == set(others) else None),
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


def _only_last(Wh):
    """What W_h is if all words are written into its last column."""
    return np.hstack([np.zeros_like(Wh[:, 1:]), Wh.sum(axis=1, keepdims=True)])


def _misspelled(seed):
    """A misspelled word, and known words, of which one is clearly the nearest."""
    rng = random.Random(seed)
    while True:
        known = rng.sample(KNOWN, 8)
        word = misspell(known[0], rng)
        scores = np.sort(_cosines(*_counts(word, known)))
        rng.shuffle(known)
        if scores[-1] - scores[-2] > 0.05:
            return word, known


def _counts(word, known):
    hashing = LetterTrigrams.fit([word, *known])
    l, *L = hashing.operator([word, *known]).toarray()
    return np.array(L), l


def _cosines(L, l):
    L, l = L.astype(float), l.astype(float)
    return L @ l / np.linalg.norm(L, axis=1) / np.linalg.norm(l)


def _shares(L, l):
    return np.minimum(L, l).sum(axis=1) / np.maximum(L, l).sum(axis=1)


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
