"""Check of notebook 10b: BM25 by an inverted index.

The first input is one for which every mistake that is known gives another answer, so that the right
one is named.
"""

import math

import numpy as np

from ..engine.minimize import hold
from ..engine.report import passed

TRAVEL = "cheap flights to boston and hotels near the airport".split()


def check_bm25(function):
    """``bm25(query, postings, lengths, k1, b)``, held against sums without an index.

    These are every title's own, over the words of the query.
    """
    what = "bm25(query, postings, lengths, k1, b)"
    # k1 and b; in the last of them: no query, one title, places in no order, an empty title
    settings = [(1.2, 0.75)] * 3 + [(2.0, 0.5)] * 2 + [(1.2, 0.0), (1.2, 1.0), (0.0, 0.75)]
    settings += [(1.2, 0.75)] * 3
    for seed, (k1, b) in enumerate(settings):
        rng = np.random.default_rng(seed)
        titles = [rng.choice(TRAVEL[:-1], size).tolist() for size in rng.integers(2, 9, 6)]
        # the last word is in no title
        query = [*rng.choice(TRAVEL[:-1], 2, replace=False).tolist(), TRAVEL[-1]]
        query = query if seed % 2 else query + query[:1]
        query = [] if seed == 8 else query
        titles = titles[:1] if seed == 9 else titles
        titles = [*titles[1:], []] if seed == 10 else titles
        postings = {
            word: [(k, title.count(word)) for k, title in enumerate(titles) if word in title]
            for word in TRAVEL[:-1]
        }
        postings = {word: places[:: -1 if seed == 10 else 1] for word, places in postings.items()}
        postings = {word: places for word, places in postings.items() if places}
        given = {
            "query": query,
            "postings": postings,
            "lengths": np.array(list(map(len, titles))),
            "k1": k1,
            "b": b,
        }
        told = [
            (
                "a title's score is the sum over the words of the query; "
                "here the last of them has replaced the sum (= for +=?)",
                _bm25(titles, query, k1, b, last=True),
            ),
            (
                "the rarity log(1 + …) has lost its 1: "
                "then a word that most titles have takes away from their score",
                _bm25(titles, query, k1, b, plus=0),
            ),
            (
                "the rarity uses the number of titles that have the word, "
                "not how often it stands in all of them",
                _bm25(titles, query, k1, b, every=True),
            ),
            (
                "the rarity is missing: a rare word counts more",
                _bm25(titles, query, k1, b, rarity=False),
            ),
            (
                "times k1 + 1, as other texts print it; the formula above hasn't this factor",
                _bm25(titles, query, k1, b) * (k1 + 1),
            ),
            (
                "the length is missing: a word counts less in a title that is longer than the mean",
                _bm25(titles, query, k1, 0),
            ),
            ("the lengths must be divided by their mean", _bm25(titles, query, k1, b, mean=1)),
            (
                "the mean length over a title's own length: turned upside down",
                _bm25(titles, query, k1, b, inverse=True),
            ),
            ("b and 1 - b are exchanged", _bm25(titles, query, k1, 1 - b)),
            (
                "how often the word stands in the title, tf, was taken for 1",
                _bm25(titles, query, k1, b, once=True),
            ),
            (
                "the query holds a word twice, and the sum over its words has it twice",
                _bm25(titles, list(dict.fromkeys(query)), k1, b),
            ),
            (
                "the logarithm to the base 2; the natural one is asked for",
                _bm25(titles, query, k1, b) / math.log(2),
            ),
            (
                "the logarithm to the base 10; the natural one is asked for",
                _bm25(titles, query, k1, b) / math.log(10),
            ),
            (
                "the rarity is log(1 + (N - n_w + 0.5) / (n_w + 0.5)): turned upside down",
                _bm25(titles, query, k1, b, inside=lambda N, n: 1 + (n + 0.5) / (N - n + 0.5)),
            ),
            (
                "this is log(N / n_w): 0.5 is added to N - n_w and to n_w before they are divided",
                _bm25(titles, query, k1, b, inside=lambda N, n: N / n),
            ),
            (
                "0.5 is added to N - n_w and to n_w, not subtracted",
                _bm25(titles, query, k1, b, inside=lambda N, n: 1 + (N - n - 0.5) / (n + 0.5)),
            ),
            (
                "the rarity has N - n_w, the titles that do not have the word",
                _bm25(titles, query, k1, b, inside=lambda N, n: 1 + (N + 0.5) / (n + 0.5)),
            ),
            (
                "tf stands above and below: tf / (tf + …); the one below is missing",
                _bm25(titles, query, k1, b, below=0),
            ),
            (
                "tf stands above and below: tf / (tf + …); above it is 1",
                _bm25(titles, query, k1, b, above=lambda tf: 1),
            ),
            ("k1 is missing before the bracket", _bm25(titles, query, 1.0, b)),
            (
                "the mean is that of all titles' lengths: the median stands in its place",
                _bm25(titles, query, k1, b, mean=float(np.median(list(map(len, titles))))),
            ),
            (
                "the mean is that of all titles' lengths: the longest stands in its place",
                _bm25(titles, query, k1, b, mean=max(map(len, titles))),
            ),
        ]
        word, *_ = [*postings, ""]
        simpler = [
            (
                "with a query of no words it is wrong already: 0 for each title",
                given | {"query": []},
                np.zeros(len(titles)),
            ),
            (
                "with b = 0, where lengths do not count, and a single word it is wrong already: "
                "look at the rarity, and at tf / (tf + k1)",
                given | {"query": [word], "b": 0.0},
                _bm25(titles, [word], k1, 0.0),
            ),
            (
                "with b = 0 it is right: look at the lengths, b |D| / mean, in k1 (1 - b + …)",
                given | {"query": [word]},
                _bm25(titles, [word], k1, b),
            ),
            (
                "with a single word it is right: each word of the query adds to the scores",
                given,
                _bm25(titles, query, k1, b),
            ),
        ]
        hold(what, function, given, _bm25(titles, query, k1, b), told, simpler)
    passed("check_bm25", len(settings))


def _bm25(
    titles,
    query,
    k1,
    b,
    plus=1,
    rarity=True,
    every=False,
    mean=None,
    inverse=False,
    once=False,
    last=False,
    inside=None,
    below=1,
    above=lambda tf: tf,
):
    """BM25 of every title by the formula, (n_titles,); the later arguments make it wrong."""
    mean = mean or sum(map(len, titles)) / len(titles)
    scores = np.zeros(len(titles))
    for place, title in enumerate(titles):
        for word in query:
            met = sum(other.count(word) if every else word in other for other in titles)
            tf, length = title.count(word), len(title) / mean
            tf = min(tf, 1) if once else tf
            if not tf:
                continue
            damping = k1 * (1 - b + b * (1 / length if inverse else length))
            part = above(tf) / (below * tf + damping or math.nan)
            if rarity:
                odds = plus + (len(titles) - met + 0.5) / (met + 0.5)
                odds = inside(len(titles), met) if inside else odds
                part *= math.log(odds) if odds > 0 else math.nan
            scores[place] = part if last else scores[place] + part
    return scores
