"""Checks of notebook 09: active cells, and the words that they detect.

The first input of each check is one at which every mistake that it knows gives another answer, so
that the right one is named.
"""

import numpy as np

from lstm_edu.analysis import inspection

from ..engine.minimize import hold
from ..engine.report import passed


def check_most_active_cells(function):
    """``most_active_cells(y, n)``, held against the package's."""
    # words, cells and n; in the end a single word, all cells, one cell
    cases = [(3 + seed, 9, 4 - seed % 2) for seed in range(1, 6)] + [
        (1, 6, 6),
        (5, 5, 1),
        (2, 1, 1),
    ]
    for seed, (n_words, n_cells, n) in enumerate(cases, start=1):
        y = outputs(np.random.default_rng(seed), n_words, n_cells)
        given = {"y": y, "n": n}
        order = np.argsort(np.abs(y[-1]))
        in_order = np.sort(order[-n:])
        hold(
            "most_active_cells(y, n)",
            function,
            given,
            inspection.most_active_cells(y, n),
            [
                (
                    "a cell far below zero is as active as one far above: take |y|",
                    np.argsort(-y[-1])[:n],
                ),
                ("these are the least active cells: argsort puts the smallest first", order[:n]),
                ("the right cells, but the most active must come first", order[-n:]),
                ("all cells, in the right order: take the first n", order[::-1]),
                (
                    "these are the cells' values; their numbers are asked for",
                    np.abs(y[-1])[order[::-1][:n]],
                ),
                (
                    "these are the cells' values; their numbers are asked for",
                    y[-1][order[::-1][:n]],
                ),
                (
                    "these are the cells after the first word; take the last",
                    np.argsort(-np.abs(y[0]))[:n],
                ),
                (
                    "these are the cells with the largest mean over the words; "
                    "take the last word alone",
                    np.argsort(-np.abs(y).mean(axis=0))[:n],
                ),
                (
                    "these are words, not cells: a row of y is a word, a column is a cell",
                    np.argsort(-np.abs(y[:, -1]))[:n],
                ),
                (
                    "these are the cells with the largest |y| at any word; take the last word",
                    np.argsort(-np.abs(y).max(axis=0))[:n],
                ),
                ("one cell too few: the first n are asked for", order[::-1][: n - 1]),
                ("one cell too many: the first n are asked for", order[::-1][: n + 1]),
                ("these are not the first n: the most active is left out", order[::-1][1 : n + 1]),
                (
                    "argsort of argsort gives the rank of each cell; the cells are asked for",
                    np.argsort(order)[::-1][:n],
                ),
                ("the right cells, by their numbers: the most active must come first", in_order),
            ],
            [
                (
                    "of one cell it is wrong already: its number, in an array",
                    {"y": y[:, :1], "n": 1},
                    np.array([0]),
                ),
                (
                    "the most active cell alone is wrong already: |y[-1]| is largest there",
                    {"y": y, "n": 1},
                    order[-1:],
                ),
                (
                    "the most active cell alone is right; then come the next ones, n in all",
                    given,
                    order[::-1][:n],
                ),
            ],
        )
    passed("check_most_active_cells", len(cases))


def check_assigned_cells(function):
    """``assigned_cells(y, n, large)``, held against the package's detections."""
    cases = [
        (outputs(np.random.default_rng(seed), 10, 24), seed - 63, (0.3, 0.4, 0.2)[seed % 3])
        for seed in range(71, 76)
    ]
    # changes that are just the bound, exact in binary, are not above it; none is above 0 where
    # nothing changes; a single word
    even = np.array([[0.5, 0.5, -0.25], [0.25, 0.5, 0.0], [0.5, -0.5, -0.125], [0.5, -0.5, 0.0]])
    cases += [(even, 2, 0.5), (even, 2, 2.0), (even, 3, 0.0), (cases[0][0][:1], 3, 0.3)]
    cases += [(cases[0][0], 1, 0.3), (cases[0][0], 24, 0.3)]  # one cell, all cells
    for y, n, large in cases:
        given = {"y": y, "n": n, "large": large}
        cells = inspection.most_active_cells(y, n)
        top, size = y[:, cells], np.abs(y[-1, cells])
        change, bound = np.diff(top, axis=0, prepend=0), large * size.mean()
        everywhere = np.abs(np.diff(y, axis=0, prepend=0))

        def counts(found):
            return np.append(0, found[1:].sum(axis=1))

        expected = inspection.detections(y, cells, large).sum(axis=1)
        hold(
            "assigned_cells(y, n, large)",
            function,
            given,
            expected,
            [
                (
                    "a change has to be above the bound; one that is just the bound is not: >",
                    counts(np.abs(change) >= bound),
                ),
                (
                    "these are the first n cells; take the n most active ones, y[:, cells]",
                    counts(everywhere[:, :n] > bound),
                ),
                (
                    "the change is squared; take its absolute value",
                    counts(change**2 > bound),
                ),
                (
                    "the bound takes the mean of |y|: the absolute value comes before the mean",
                    counts(np.abs(change) > large * abs(top[-1].mean())),
                ),
                (
                    "the word read first is not counted: "
                    "y starts at 0, so that word changes every cell (footnote 3)",
                    (np.abs(change) > bound).sum(axis=1),
                ),
                (
                    "one count is missing: the word read first has one, too, and it is 0",
                    expected[1:],
                ),
                (
                    "this says which cells detect which words; count the cells of each word",
                    inspection.detections(y, cells, large),
                ),
                (
                    "a cell that falls has changed, too: take the absolute value of y(t) - y(t-1)",
                    counts(change > bound),
                ),
                (
                    "a cell that goes from -0.5 to 0.5 has changed by 1: "
                    "take the difference first, then its absolute value",
                    counts(np.abs(np.diff(np.abs(top), axis=0, prepend=0)) > bound),
                ),
                (
                    "this counts cells whose y(t) is large; its change y(t) - y(t-1) has to be",
                    counts(np.abs(top) > bound),
                ),
                (
                    "the bound is not `large` itself, "
                    "but `large` times the mean |y| of the n cells after the last word",
                    counts(np.abs(change) > large),
                ),
                (
                    "the bound takes the mean |y| of the n most active cells, not of all cells",
                    counts(np.abs(change) > large * np.abs(y[-1]).mean()),
                ),
                (
                    "the bound takes the mean of |y|: "
                    "without the absolute value, cells above and below zero cancel",
                    counts(np.abs(change) > large * top[-1].mean()),
                ),
                (
                    "the bound takes the mean |y| after the last word, not over all words",
                    counts(np.abs(change) > large * np.abs(top).mean()),
                ),
                (
                    "the bound is the same for all n cells, `large` times their mean; "
                    "this takes each cell's own |y|",
                    counts(np.abs(change) > large * size),
                ),
                (
                    "the bound takes the mean |y| of the n cells, not the largest",
                    counts(np.abs(change) > large * size.max()),
                ),
                (
                    "only the n most active cells are asked; this counts all",
                    counts(everywhere > bound),
                ),
                (
                    "these are the cells that change little: > the bound",
                    counts(np.abs(change) < bound),
                ),
                (
                    "the sum over the words; count the cells of each word, axis=1",
                    np.vstack([np.zeros(change.shape[1]), np.abs(change)[1:] > bound]).sum(axis=0),
                ),
                (
                    "the count is over the words; count the cells of each word, axis=1",
                    (np.abs(change) > bound).sum(axis=0),
                ),
                (
                    "the words are compared with the next one; y(t) - y(t-1) is a change at word t",
                    np.append((np.abs(change[1:]) > bound).sum(axis=1), 0),
                ),
                *(
                    (
                        "the bound is too large: `large` times the mean |y|, not times the sum, "
                        "and not the mean itself",
                        counts(np.abs(change) > wrong),
                    )
                    for wrong in (large * size.sum(), size.mean())
                ),
                (
                    "the mean of the changes, not a count",
                    np.append(0, (np.abs(change)[1:] > bound).mean(axis=1)),
                ),
                (
                    "the bound takes the median |y| of the n cells, not the mean",
                    counts(np.abs(change) > large * np.median(size)),
                ),
                (
                    "the bound takes the |y| after the last word, not after the first",
                    counts(np.abs(change) > large * np.abs(top[0]).mean()),
                ),
            ],
            [
                (
                    "with a single word it is wrong already: the word read first gets 0",
                    {"y": y[:1], "n": n, "large": large},
                    np.zeros(1, int),
                ),
                (
                    "with one cell and two words it is wrong already: 0 for the first word, for "
                    "the second 1 if |y(2) - y(1)| is above `large` times |y(2)|",
                    {"y": y[:2, :1], "n": 1, "large": large},
                    np.array([0, int(_moves(y[:2, 0], large))]) if len(y) > 1 else np.zeros(1, int),
                ),
                (
                    "with one cell and two words it is right: "
                    "count the cells of each word by a bound that is the same for all",
                    given,
                    expected,
                ),
            ],
        )
    passed("check_assigned_cells", len(cases))


def _moves(y, large):
    return abs(y[1] - y[0]) > large * abs(y[1])


def outputs(rng, n_words, n_cells):
    """y(t) as a cell might give it, (n_words, n_cells): some words move it and some hardly do."""
    by_word = rng.random((n_words, 1)) * 1.2
    by_word[0] = 1
    return 0.6 * np.tanh(np.cumsum(by_word * rng.standard_normal((n_words, n_cells)), axis=0))
