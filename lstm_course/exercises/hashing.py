"""Exercises of notebook 01: words to letter trigrams, and words with the same ones."""

import random
from collections import Counter

import numpy as np

from lstm_edu.text.hashing import LetterTrigrams, letter_trigrams

from ..engine import slips
from ..engine.forms import in_form
from ..engine.report import call, hold_against, passed
from ..engine.sandbox import runner
from ..sample.wordings import misspell
from .nearest_word import KNOWN, misspelled


def cut(word):
    """The letter trigrams of a word, in order, with repeats."""
    marked = f"#{word.lower()}#"
    return [marked[k : k + 3] for k in range(len(marked) - 2)]


def _words():
    # at the first, each slip gives another answer; then İ, lower-cased to two, and marks
    words = ["banana", "a", "at", "Rome", "7eleven", "Café", "rock-n'roll", "aaaa", "ßa#", "İzmir"]
    return [{"word": word} for word in words + [misspelled(seed)[0] for seed in range(5)]]


def _short_words(_):
    return [{"word": "a"}, {"word": "it"}]


check_letter_trigrams = slips.check(
    "the list of trigrams", cut, _words, simpler=_short_words, name="letter_trigrams"
)


def W_h(words, trigrams):
    """How often each word (column) holds each trigram (row), (n_trigrams, n_words)."""
    row = {trigram: k for k, trigram in enumerate(trigrams)}
    counts = np.zeros((len(trigrams), len(words)))
    for column, word in enumerate(words):
        for trigram in letter_trigrams(word):
            if trigram in row:
                counts[row[trigram], column] += 1
    return counts


def _words_and_trigrams():
    for seed in range(7):
        rng = random.Random(seed)
        words = [*rng.sample(KNOWN, 2), "banana", misspell("hotel", rng)]
        known = LetterTrigrams.fit(words).trigrams
        trigrams = [trigram for trigram in known if trigram == "ana" or rng.random() < 0.6]
        rng.shuffle(trigrams)  # a row stands where its trigram does, in whatever order
        # a word that stands there twice, letters that are not ASCII, a trigram that a word holds
        # three times; then no word at all
        if seed == 5:
            words += ["Café", "aaaaa", words[0]]
            trigrams = [*trigrams[1:], "fé#", "#ca", "aaa"]
        words = [] if seed == 6 else words
        yield {"words": words, "trigrams": trigrams}


check_hashing_operator = slips.check("W_h", W_h, _words_and_trigrams, name="hashing_operator")


COLLISIONS = slips.table(__file__)["collisions"]


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
    rng, what = np.random.default_rng(0), "the list of words"
    # a letter that is not ASCII; to bbbabbaaba it takes two exchanges of stretches
    cases = "inkingin abacab hotel statistics abababbbba aaaééaéaa bbabaabbba".split()
    cases += ["".join(rng.choice(list("ab"), 8)) for _ in range(4)]
    for word in cases:
        given, counts = {"word": word}, Counter(letter_trigrams(word))
        # the counts of the trigrams give those of the letters, so every such string is an anagram
        with runner.timed():
            anagrams = {other: Counter(letter_trigrams(other)) for other in _anagrams(word)}
        same = sorted(other for other, held in anagrams.items() if held == counts)
        alike = sorted(other for other, held in anagrams.items() if held.keys() == counts.keys())
        others, distinct = ([w for w in words if w != word] for words in (same, alike))
        got = in_form(call(what, function, given), others)
        texts = isinstance(got, list) and all(isinstance(other, str) for other in got)
        found, wanted = set(got if texts else others), set(others)
        fits = [True] * 2 + [found == wanted and len(got) > len(others), found == wanted]
        fits += [found < wanted, bool(found - set(same))]
        values = [same, distinct, *[got] * 4]
        told = [(t, v) for t, v, fit in zip(COLLISIONS, values, fits) if fit]
        hold_against(what, got, others, given, told)
    passed("check_collisions", len(cases))


def _anagrams(word):
    """All orders of a word's letters, each once."""
    texts, counts = [""], Counter(word)
    for _ in word:
        texts = [t + letter for t in texts for letter in counts if t.count(letter) < counts[letter]]
    return texts
