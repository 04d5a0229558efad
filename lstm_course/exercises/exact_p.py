"""Check of notebook 10a: an exact test of a difference.

The first input is one for which every mistake that is known gives another answer, so that the right
one is named.
"""

import itertools
import math
import warnings

import numpy as np
from scipy import stats

from ..engine.minimize import hold
from ..engine.report import call, hold_against, passed
from ..engine.speed import hold_quick


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
