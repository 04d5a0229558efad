"""Checks of notebook 10: BM25 by an inverted index, an exact test of a difference.

The first input of each check is one for which every mistake that it knows gives another answer, so
that the right one is named.
"""

import itertools
import math

import numpy as np
from scipy import stats

from .report import call, hold_against, passed
from .speed import hold_quick

TRAVEL = "cheap flights to boston and hotels near the airport".split()


def check_bm25(function):
    """``bm25(query, postings, lengths, k1, b)``, held against sums without an index.

    These are every title's own, over the words of the query.
    """
    what = "bm25(query, postings, lengths, k1, b)"
    for seed in range(5):
        rng = np.random.default_rng(seed)
        titles = [rng.choice(TRAVEL[:-1], size).tolist() for size in rng.integers(2, 9, 6)]
        # the last word is in no title
        query = [*rng.choice(TRAVEL[:-1], 2, replace=False).tolist(), TRAVEL[-1]]
        query = query if seed % 2 else query + query[:1]
        k1, b = (1.2, 0.75) if seed < 3 else (2.0, 0.5)
        postings = {
            word: [(k, title.count(word)) for k, title in enumerate(titles) if word in title]
            for word in TRAVEL[:-1]
        }
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
        ]
        hold_against(what, call(what, function, given), _bm25(titles, query, k1, b), given, told)
    passed("check_bm25", 5)


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
):
    """BM25 of every title by the formula, (n_titles,); the later arguments make it wrong."""
    mean = mean or sum(map(len, titles)) / len(titles)
    scores = np.zeros(len(titles))
    for place, title in enumerate(titles):
        for word in query:
            met = sum(other.count(word) if every else word in other for other in titles)
            tf, length = title.count(word), len(title) / mean
            tf = min(tf, 1) if once else tf
            part = tf / (tf + k1 * (1 - b + b * (1 / length if inverse else length)))
            if rarity and tf:
                inside = plus + (len(titles) - met + 0.5) / (met + 0.5)
                part *= math.log(inside) if inside > 0 else math.nan
            if tf:
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
    ]
    for differences in inputs:
        given = {"differences": differences}
        n_above, n_other = int((differences > 0).sum()), int((differences != 0).sum())
        signs = np.array(list(itertools.product([-1, 1], repeat=len(differences))))
        sums, real = signs @ differences, differences.sum()
        expected = float((abs(sums) >= abs(real)).mean())
        got = call(what, function, given)
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
                float(stats.binomtest(n_above, n_other).pvalue),
            ),
            (
                "this is the t-test, which takes the differences for normal",
                float(stats.ttest_1samp(differences, 0).pvalue),
            ),
            (
                "this is the normal approximation; the exact share is asked for",
                float(
                    2 * stats.norm.sf(abs(real) / math.sqrt((differences.astype(float) ** 2).sum()))
                ),
            ),
        ]
        if (
            np.ndim(got) == 0
            and isinstance(got, (float, np.floating))
            and abs(got - expected) < 0.05
        ):
            told.append(("nearly: are the signs drawn at random? All 2^n are to be counted", got))
        hold_against(what, got, expected, given, told)
    hold_quick(
        what,
        function,
        {"differences": np.arange(19) - 6},
        "you go through all 2^n choices of signs: for 50 queries that takes years. "
        "Many choices have the same sum; count them together",
    )
    for seed in range(2):
        rng = np.random.default_rng(seed)
        differences = np.arange(1, 51) * rng.choice([-1, 1], 50, p=[0.35, 0.65])
        given = {"differences": rng.permutation(differences)}
        hold_against(
            what,
            call(what, function, given),
            float(stats.wilcoxon(differences, method="exact").pvalue),
            given,
        )
    passed("check_exact_p", len(inputs) + 2)
