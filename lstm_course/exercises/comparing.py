"""Checks of notebook 07: models of equal size, and their difference with a paired interval.

What is expected comes from the cells' own shapes and from `lstm_edu.ranking.ndcg.interval`.
"""

import numpy as np

from lstm_edu.cells.lstm import LSTM
from lstm_edu.ranking.ndcg import interval

from ..engine.minimize import hold
from ..engine.report import passed


def check_n_parameters(n_parameters):
    """How many parameters an LSTM has.

    Parameters
    ----------
    n_parameters : function of n_trigrams, n_cells, forget_gate, peepholes
        Arguments as `lstm_edu.LSTM`'s. Returns a whole number.

    Raises
    ------
    Wrong
    """
    kinds = [
        (False, None),
        (True, None),
        (False, "diagonal"),
        (True, "diagonal"),
        (False, "full"),
        (True, "full"),
    ]
    cases = [
        (*(int(k) for k in np.random.default_rng(seed).integers([20, 5], [3000, 50])), *kind)
        for seed, kind in enumerate(kinds)
    ]
    cases += [(7, 1, True, "full"), (1, 7, False, "diagonal")]  # one cell, one trigram
    for n, m, forget_gate, peepholes in cases:
        given = {"n_trigrams": n, "n_cells": m, "forget_gate": forget_gate, "peepholes": peepholes}
        expected = sum(
            int(np.prod(shape)) for shape in LSTM(m, forget_gate, peepholes).shapes(n).values()
        )
        sums, peephole = 3 + forget_gate, {None: 0, "diagonal": m, "full": m * m}[peepholes]

        def count(sums=sums, biases=1, peepholes=sums - 1, recurrent=m, peephole=peephole):
            return sums * m * (n + recurrent + biases) + peepholes * peephole

        reasons = [
            ("the biases b1 … b4 are parameters, too", count(biases=0)),
            ("W_rec is m times m, not n times m", count(recurrent=n)),
            ("the recurrent weights are missing", count(recurrent=0)),
            ("without the forget gate there are no W2, Wrec2, b2 and Wp2", count(4, peepholes=3)),
            ("y_g has no peephole: only the gates see c", count(peepholes=sums)),
            ("y_g is a sum of its own, beside the gates", count(sums - 1)),
            ("each gate has a W_p of its own", count(peepholes=1)),
            ("the peepholes are missing", count(peepholes=0)),
            ("diagonal peepholes are a number for each cell", count(peephole=m * m)),
            ("full peepholes are m times m", count(peephole=m)),
            ("count one side: the model has two of them", 2 * expected),
            ("there are n_sums of W, W_rec and b, and n_cells rows in each", count() // sums),
            ("one bias a sum: b has a number for each cell", count(biases=1 / m)),
            (
                "peepholes have another number of columns: count them apart",
                count(peepholes=sums + 1),
            ),
            ("W is n_cells times n_trigrams, W_rec n_cells times n_cells", sums * m * (n * m + 1)),
            (
                "without the forget gate, the input and the output gate still have their peepholes",
                count(peepholes=sums - 2),
            ),
        ]
        plain = given | {"peepholes": None}
        simpler = [
            (
                "without peepholes it is wrong already: each of the n_sums sums has W, "
                "n_cells x n_trigrams, W_rec, n_cells x n_cells, and b, n_cells numbers",
                plain,
                count(peepholes=0),
            ),
            (
                "without peepholes it is right: of the n_sums sums all but that of y_g have a "
                "peephole, of in_a_peephole numbers",
                given,
                expected,
            ),
        ]
        hold(
            "the number of parameters",
            n_parameters,
            given,
            expected,
            reasons,
            simpler,
            tolerance=0,
        )
    passed("check_n_parameters", len(cases))


def check_paired_interval(paired_interval):
    """The mean difference of two models and its 95 % bootstrap interval, over the same queries.

    Parameters
    ----------
    paired_interval : function of a, b, draws
        a and b (n_queries,); draws (n_draws, n_queries) of int, the queries of each draw. Returns
        mean, low, high.

    Raises
    ------
    Wrong
    """
    for seed in range(7):
        rng = np.random.default_rng(seed)
        n, n_draws = (30 + 5 * seed, 400) if seed < 5 else ((12, 12), (1, 40))[seed - 5]
        hard = rng.random(n)  # a query that is hard is so for both models
        a, b = hard + 0.1 * rng.standard_normal((2, n)) + [[0.05], [0.0]]
        drawing = np.random.default_rng(seed)  # as `interval` draws
        draws = np.array([drawing.integers(n, size=n) for _ in range(n_draws)])
        expected = interval(a - b, n_draws, seed)
        means, mean = (a - b)[draws].mean(axis=1), (a - b).mean()
        unpaired = a[draws].mean(axis=1) - b[draws[::-1]].mean(axis=1)
        ends = [np.percentile(values[draws].mean(axis=1), [2.5, 97.5]) for values in (a, b)]

        def ends_of(values, *percent):
            return (mean, *np.percentile(values, percent or (2.5, 97.5)))

        apart = (
            "the interval of a minus that of b: "
            "queries that are hard for both count twice; draw differences"
        )
        error = 1.96 * (a - b).std(ddof=1) if n > 1 else 0.0
        ordered, medians = np.sort(means), np.median((a - b)[draws], axis=1)
        reasons = [
            ("a and b are drawn apart; a draw takes the same queries for both", ends_of(unpaired)),
            (apart, (mean, *(ends[0] - ends[1]))),
            (apart, (mean, ends[0][0] - ends[1][1], ends[0][1] - ends[1][0])),
            (
                "these percentiles hold 90 % of the draws; 95 % leave out 2.5 % on each side",
                ends_of(means, 5, 95),
            ),
            (
                "these percentiles are in fractions; np.percentile takes 2.5 and 97.5",
                ends_of(means, 0.025, 0.975),
            ),
            (
                "the percentiles of single queries' differences; take the mean of every draw first",
                ends_of(a - b),
            ),
            (
                "the percentiles of all drawn differences; "
                "take the mean of every draw first, axis=1",
                ends_of((a - b)[draws]),
            ),
            (
                "the mean goes over the draws; it goes over the queries of a draw, axis=1",
                ends_of((a - b)[draws].mean(axis=0)),
            ),
            (
                "single draws; between two of them np.percentile goes in proportion",
                (mean, ordered[int(0.025 * n_draws)], ordered[int(0.975 * n_draws)]),
            ),
            (
                "single draws; between two of them np.percentile goes in proportion",
                (mean, ordered[int(0.025 * n_draws)], ordered[int(0.975 * n_draws) - 1]),
            ),
            ("low comes before high", (mean, expected[2], expected[1])),
            ("the mean comes first, then low and high", (*expected[1:], mean)),
            ("5 % in all, 2.5 on each side: here it is one side", ends_of(means, 0, 95)),
            ("5 % in all, 2.5 on each side: here it is one side", ends_of(means, 5, 100)),
            ("95 % of the draws: from 2.5 to 97.5", ends_of(means, 2.5, 95)),
            ("95 % of the draws: from 2.5 to 97.5", ends_of(means, 5, 97.5)),
            ("the sums of the draws; their means are asked for", ends_of(means * n)),
            ("the medians of the draws; their means are asked for", ends_of(medians)),
            ("the difference is a - b", (-mean, *np.percentile(-means, [2.5, 97.5]))),
            (
                "the mean is that of the queries as they are, not of the draws",
                (means.mean(), *expected[1:]),
            ),
            ("the spread of queries, not of their mean", (mean, mean - error, mean + error)),
            (
                "the normal approximation; the percentiles of the draws are asked for",
                (mean, mean - error / n**0.5, mean + error / n**0.5),
            ),
            (
                "the smallest and the largest draw: the more draws, the wider",
                (mean, means.min(), means.max()),
            ),
        ]
        given = {"a": a, "b": b, "draws": draws}
        as_they_are = np.tile(np.arange(n), (3, 1))  # each query once
        simpler = [
            (
                "where each draw has every query once, all three numbers are the mean of a - b",
                given | {"draws": as_they_are},
                (mean, mean, mean),
            ),
            (
                "where each draw has every query once it is right: take a mean for each draw, "
                "axis=1, and two percentiles of these means",
                given,
                expected,
            ),
        ]

        def three(*given):
            got = paired_interval(*given)
            return tuple(got) if isinstance(got, (list, np.ndarray)) else got

        hold("mean, low, high", three, given, expected, reasons, simpler)
    passed("check_paired_interval", 7)
