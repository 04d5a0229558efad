"""Checks of notebooks 10a and 10b: an exact test of a difference, BM25 by an inverted index.

The first input of each check is one for which every mistake that it knows gives another answer, so
that the right one is named.
"""

import itertools
import math
import warnings

import numpy as np
from scipy import stats

from .report import call, hold_against, passed
from .speed import hold_quick
from .stages import hold

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


def check_exact_p(function):
    """``exact_p(differences)``, held against all signs, tried one by one, where queries are few.

    50 queries are held against the exact null distribution of Wilcoxon's test in SciPy.
    """
    what = "exact_p(differences)"
    inputs = [
        np.array([-3, 4, 0, 4, -3, 4]),
        *(
            rng.integers(-9, 10, 5 + k)
            for k, rng in enumerate(map(np.random.default_rng, range(5)))
        ),
        # a sum of 0; all below 0; all above; all 0; one query; one difference far above the others
        *map(
            np.array, ([3, -1, -2, 5, -5], [-3, -4, -5, -1], [2, 2, 7], [0, 0, 0], [4], [-1], [0])
        ),
        np.array([1, -2, 1000, 3]),
    ]
    for differences in inputs:
        given = {"differences": differences}
        n_above, n_other = int((differences > 0).sum()), int((differences != 0).sum())
        signs = np.array(list(itertools.product([-1, 1], repeat=len(differences))))
        sums, real = signs @ differences, differences.sum()
        expected = float((abs(sums) >= abs(real)).mean())
        got = call(what, function, given)
        length = math.sqrt((differences.astype(float) ** 2).sum())
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")  # of one query there is no variance
            t_test = float(stats.ttest_1samp(differences, 0).pvalue)
        told = [
            (
                "one-sided: a sum as far below zero counts, too, so compare absolute values",
                float((sums >= real).mean()),
            ),
            (
                "one-sided: a sum as far below zero counts, too, so compare absolute values",
                float((sums >= abs(real)).mean()),
            ),
            (
                "twice the one-sided share counts a sum of 0 double",
                float(2 * (sums >= abs(real)).mean()),
            ),
            (
                "sums as far from zero as the real one count, too: >=, not >",
                float((abs(sums) > abs(real)).mean()),
            ),
            (
                "this is 1 - p: the share of sums that are nearer to zero",
                float((abs(sums) < abs(real)).mean()),
            ),
            (
                "the 1 / (1 + …) is for signs drawn at random; "
                "here all of them are there, the real ones too",
                float((1 + (abs(sums) >= abs(real)).sum()) / (1 + len(sums))),
            ),
            (
                "this is the number of choices; divide by 2^n, the number of all",
                float((abs(sums) >= abs(real)).sum()),
            ),
            (
                "this is the sign test, which looks only at how many differences are above zero",
                float(stats.binomtest(n_above, n_other).pvalue) if n_other else None,
            ),
            (
                "this is the t-test, which takes the differences for normal",
                t_test,
            ),
            (
                "this is the normal approximation; the exact share is asked for",
                float(2 * stats.norm.sf(abs(real) / length)) if length else None,
            ),
            (
                "sums as far from zero as the real one: this is the share of the real sum alone",
                float((sums == real).mean()),
            ),
            (
                "sums as far from zero as the real one: this is the share of the same size alone",
                float((abs(sums) == abs(real)).mean()),
            ),
            (
                "sums as far from zero as the real one: not those below it",
                float((sums <= real).mean()),
            ),
        ]
        nearly = np.ndim(got) == 0 and isinstance(got, float) and abs(got - expected) < 0.05
        simpler = [
            (
                "with a single query it is wrong already: both sums are as far from 0, so p is 1",
                {"differences": np.array([3])},
                1.0,
            ),
            (
                "with two queries, 1 and 2, it is wrong already: "
                "of the sums 3, 1, -1 and -3 two are as far from 0 as the real one",
                {"differences": np.array([1, 2])},
                0.5,
            ),
            (
                "nearly: are the signs drawn at random? All 2^n are to be counted"
                if nearly
                else "with two queries it is right: is every sum in its place, and none rolled "
                "over the end?",
                given,
                expected,
            ),
        ]
        hold(what, function, given, expected, told, simpler)
    hold_quick(
        what,
        function,
        {"differences": np.arange(19) - 6},
        "you go through all 2^n choices of signs: for 50 queries that takes years. "
        "Many choices have the same sum; count them together",
    )
    for seed, n in enumerate([50, 50, 80]):  # of 80 queries 2^n is no whole number of 64 bits
        rng = np.random.default_rng(seed)
        differences = np.arange(1, n + 1) * rng.choice([-1, 1], n, p=[0.35, 0.65])
        given = {"differences": rng.permutation(differences)}
        expected, got = (
            float(stats.wilcoxon(differences, method="exact").pvalue),
            call(what, function, given),
        )
        told = [("2^80 is too large for a whole number of 64 bits: keep shares, not counts", got)]
        hold_against(what, got, expected, given, told * (n == 80))
    passed("check_exact_p", len(inputs) + 3)
