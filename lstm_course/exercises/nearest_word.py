"""Check of notebook 01: the word with the most similar letter trigrams."""

import random

import numpy as np

from lstm_edu.text.hashing import LetterTrigrams

from ..engine.forms import in_form
from ..engine.report import call, hold_against, passed
from ..sample.wordings import misspell

KNOWN = """
    accommodation banana bandana boston breakfast cabana denver desert dessert discount hostel
    hostels hotel hotels lodging map maps motel museum museums recipe recipes reservation
    reservations shanghai statistics weather
""".split()


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
        # beside those that are counted: on these all of MEASURES part from the cosine, and from
        # each other
        ("ann", ["nn", "annnnnn", "aaann"]),
        ("nanannnn", ["naananana", "nan", "nnnn"]),
        ("aannaa", ["nannannan", "anan", "aanananna", "nann"]),
        ("banana", ["bananas", "banana", "bandana"]),
        ("bananan", ["ban", "bananabanana", "banana", "cabana"]),
        ("hotl", ["hotelhotels", "hot", "hotel", "motel"]),
        *map(misspelled, range(6)),
    ]
    given = [{"word": word, "known": known} for word, known in cases]
    got = [in_form(call("the nearest word", function, each), "") for each in given]
    told = [
        text
        for text, measure in MEASURES
        if got == [known[np.argmax(measure(*_counts(word, known)))] for word, known in cases]
    ]
    if all(g == word if word in known else g in known for g, (word, known) in zip(got, cases)):
        told.append(
            "these have much in common, but not the largest cosine: the product of the counts, "
            "summed, over the lengths, each the root of the sum of squares"
        )
    if not any(g == word for g, (word, known) in zip(got, cases)):
        told.append("a word that is known is its own nearest: leave none out")
    told.append("follow your scores for this word: which of the known ones has the largest?")
    for each, answer in zip(given, got):
        word, known = each.values()
        nearest = known[int(np.argmax(_cosines(*_counts(word, known))))]
        hold_against("the nearest word", answer, nearest, each, [(told[0], answer)])
    passed("check_nearest_word", len(cases) - 4)


def _cosines(L, l):
    return L @ l / np.linalg.norm(L, axis=1) / np.linalg.norm(l)


def _shares(L, l):
    return np.minimum(L, l).sum(axis=1) / np.maximum(L, l).sum(axis=1)


MEASURES = [  # what is likely to be taken for the cosine of counts L, a row a word, and l
    (
        "the products are not divided by the lengths of the vectors, so that long words win",
        lambda L, l: L @ l,
    ),
    ("a trigram that a word holds twice counts twice", lambda L, l: _cosines(L > 0, l > 0)),
    ("this is the least similar word", lambda L, l: -_cosines(L, l)),
    (
        "divide by the length of a vector, the root of the sum of squares, not by the sum",
        lambda L, l: L @ l / L.sum(axis=1),
    ),
    (
        "divide by the length of a vector, not by the root of the number of trigrams or letters: "
        "the squares of the counts are added",
        lambda L, l: L @ l / np.sqrt(L.sum(axis=1)),
    ),
    (
        "divide by the length of a vector, not by its square",
        lambda L, l: L @ l / (L**2).sum(axis=1),
    ),
    (
        "the two lengths are multiplied, not added",
        lambda L, l: L @ l / (np.linalg.norm(L, axis=1) + np.linalg.norm(l)),
    ),
    (
        "this word has the largest share of common trigrams; the cosine is asked for",
        _shares,
    ),
    (
        "this word shares most of its different trigrams; the cosine is asked for, of the counts",
        lambda L, l: _shares(L > 0, l > 0),
    ),
    (
        "this word has the most trigrams in common; the cosine divides by the lengths",
        lambda L, l: np.minimum(L, l).sum(axis=1),
    ),
    (
        "this word's counts differ least; the cosine is asked for",
        lambda L, l: -np.abs(L - l).sum(axis=1),
    ),
    (
        "this word's counts are at the smallest distance; the cosine is asked for",
        lambda L, l: -((L - l) ** 2).sum(axis=1),
    ),
]


def misspelled(seed):
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
    return np.array(L, float), l.astype(float)
