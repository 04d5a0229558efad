"""Exercises for lesson 01: letter trigrams of words, and words that share all of them."""

import random
from collections import Counter

import numpy as np

from lstm_edu.text.hashing import LetterTrigrams, letter_trigrams

from ..engine import slips
from ..engine.forms import in_form
from ..sample.wordings import misspell
from .nearest_word import KNOWN, misspelled


def _words():
    # every known mistake changes the trigrams of "banana"; İ has two characters in lower case
    words = ["banana", "a", "at", "Rome", "7eleven", "Café", "rock-n'roll", "aaaa", "ßa#", "İzmir"]
    return [{"word": word} for word in words + [misspelled(seed)[0] for seed in range(5)]]


@slips.check("the list of trigrams", _words, name="letter_trigrams")
def cut(word):
    """List the letter trigrams of a word, in order, with repeats."""
    marked = f"#{word.lower()}#"
    return [marked[k : k + 3] for k in range(len(marked) - 2)]


def _words_and_trigrams():
    for seed in range(7):
        rng = random.Random(seed)
        words = [*rng.sample(KNOWN, 2), "banana", misspell("hotel", rng)]
        known = LetterTrigrams.fit(words).trigrams
        trigrams = [trigram for trigram in known if trigram == "ana" or rng.random() < 0.6]
        rng.shuffle(trigrams)  # rows must follow the given order, not the alphabet
        # add a repeated word, a non-ASCII letter, and a trigram that occurs three times in a word
        if seed == 5:
            words += ["Café", "aaaaa", words[0]]
            trigrams = [*trigrams[1:], "fé#", "#ca", "aaa"]
        words = [] if seed == 6 else words
        yield {"words": words, "trigrams": trigrams}


@slips.check("W_h", _words_and_trigrams, name="hashing_operator")
def W_h(words, trigrams):
    """Count how often each trigram (row) occurs in each word (column).

    Returns
    -------
    (n_trigrams, n_words)
    """
    row = {trigram: k for k, trigram in enumerate(trigrams)}
    counts = np.zeros((len(trigrams), len(words)))
    for column, word in enumerate(words):
        for trigram in letter_trigrams(word):
            if trigram in row:
                counts[row[trigram], column] += 1
    return counts


def _anagrams(word):
    """List all distinct orders of a word's letters."""
    texts, counts = [""], Counter(word)
    for _ in word:
        texts = [t + letter for t in texts for letter in counts if t.count(letter) < counts[letter]]
    return texts


def _strings():
    rng = np.random.default_rng(0)
    # include non-ASCII letters, and bbabaabbba: it shares its trigrams with bbbabbaaba, although no
    # single swap of substrings turns one into the other
    cases = "inkingin abacab hotel statistics abababbbba aaaééaéaa bbabaabbba".split()
    cases += ["".join(rng.choice(list("ab"), 8)) for _ in range(4)]
    return [{"word": word} for word in cases]


def _descriptions(got, others, given):
    """Return the table's mistakes that describe the answer, as (text, value) pairs."""
    word, got = given["word"], in_form(got, others)
    anagrams = [other for other in _anagrams(word) if other != word]
    distinct = [w for w in anagrams if set(letter_trigrams(w)) == set(letter_trigrams(word))]
    texts = isinstance(got, list) and all(isinstance(other, str) for other in got)
    found, wanted = set(got if texts else others), set(others)
    fits = [True] * 2 + [found == wanted and len(got) > len(others), found == wanted]
    fits += [found < wanted, bool(found - {word} - wanted)]
    values = [sorted([word, *others]), sorted(distinct), *[got] * 4]
    texts = slips.table(__file__)["collisions"]
    return [(t, v) for t, v, fit in zip(texts, values, fits) if fit]


@slips.check("the list of words", _strings, of_answer=_descriptions, name="collisions")
def with_the_same_trigrams(word):
    """List all other strings with the same trigram counts, in alphabetical order.

    Every such string is an anagram, because trigram counts determine the counts of the letters.
    """
    counts = Counter(letter_trigrams(word))
    return sorted(w for w in _anagrams(word) if w != word and Counter(letter_trigrams(w)) == counts)
