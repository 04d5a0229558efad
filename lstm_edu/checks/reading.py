"""Checks of notebook 09: active cells, the words that they detect, attention and its gradient.

The first seed of each check is one at which every mistake that it knows gives another answer, so
that the right one is named.
"""

import autograd.numpy as anp
import numpy as np
from autograd import grad

from ..inside import inspection
from .report import passed
from .stages import hold

ALMOST = "s(t) are the scores, and the weights are their softmax"


def check_most_active_cells(function):
    """``most_active_cells(y, n)``, held against the package's."""
    # words, cells and n; in the end a single word, all cells, one cell
    cases = [(3 + seed, 9, 4 - seed % 2) for seed in range(1, 6)] + [
        (1, 6, 6),
        (5, 5, 1),
        (2, 1, 1),
    ]
    for seed, (n_words, n_cells, n) in enumerate(cases, start=1):
        y = _outputs(np.random.default_rng(seed), n_words, n_cells)
        given = {"y": y, "n": n}
        order = np.argsort(np.abs(y[-1]))
        in_order = np.sort(order[-n:])
        by_sign = in_order[np.argsort(-y[-1, in_order])]
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
                ("the right cells, by y: order them by |y|", by_sign),
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
        (_outputs(np.random.default_rng(seed), 10, 24), seed - 63, (0.3, 0.4, 0.2)[seed % 3])
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
                    "a change has to be above the bound; one that is just the bound is not: >",
                    counts(np.abs(change) >= bound),
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
                (
                    "the bound takes the sum of the |y|, not their mean",
                    counts(np.abs(change) > large * size.sum()),
                ),
                (
                    "the bound is `large` times the mean |y|; `large` is missing",
                    counts(np.abs(change) > size.mean()),
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


def check_attention(function):
    """``attention(y, u)``, held against autograd.

    The weights are the derivative of log sum exp s, the embedding is that with respect to u.
    """
    cases = []
    for seed in range(3, 7):
        rng = np.random.default_rng(seed)
        cases.append((_outputs(rng, n_words=seed, n_cells=4), 2 * rng.standard_normal(4)))
    # large scores: all below 0, all above 0, one far above the others, one far below; then words
    # with the same score, and a single word
    y = np.abs(cases[-1][0])
    y[1] += 1
    u = np.array([3000.0, 2000.0, 3000.0, 4000.0])
    cases += [(y, -u), (y, u), (y * [[-1]] + 5 * np.eye(6, 4, -2), u), (y, 0 * u), (y[:1], u)]
    for y, u in cases:
        given = {"y": y, "u": u}
        s = y @ u
        expected = grad(_log_sum_exp)(s), grad(lambda u: _log_sum_exp(anp.dot(y, u)))(u)
        a = expected[0]
        with np.errstate(all="ignore"):
            naive, positive, root = np.exp(s) / np.exp(s).sum(), np.exp(s), _softmax(s / 2)
            told = [
                (
                    "a(t) must sum to 1 over the words: divide by the sum of the exponentials",
                    (positive, positive @ y),
                ),
                (ALMOST, (s, s @ y)),
                (ALMOST, (s / s.sum(), s / s.sum() @ y)),
                (
                    "exp overflows for large scores, and inf / inf is NaN: "
                    "subtract the largest score first, which changes no weight",
                    (naive, naive @ y),
                ),
                (
                    "u is not used: the scores are u^T y(t)",
                    (_softmax(y.sum(axis=1)), _softmax(y.sum(axis=1)) @ y),
                ),
                (
                    "the scores are u^T y(t), not divided by the root of the number of cells",
                    (root, root @ y),
                ),
                (
                    "each word has its own sigmoid here; in a softmax they share a sum of 1",
                    (1 / (1 + np.exp(-s)), 1 / (1 + np.exp(-s)) @ y),
                ),
                (
                    "minus the scores: the word with the largest score has the largest weight",
                    (_softmax(-s), _softmax(-s) @ y),
                ),
                ("this is the last output, as without attention", (a, y[-1])),
                ("this is the mean of the outputs: weigh them by a(t)", (a, y.mean(axis=0))),
                (
                    "this is the output of the word with the largest weight; "
                    "all words count, by their weights",
                    (a, y[a.argmax()]),
                ),
                (
                    "divided by the number of words: the weights sum to 1 already",
                    (a, a @ y / len(y)),
                ),
                (
                    "these are the weighed outputs; their sum over the words is asked for",
                    (a, a[:, None] * y),
                ),
                (
                    "the two are in the other order: weights first, then the embedding",
                    (expected[1], a),
                ),
            ]
            told += [
                (
                    "the largest score is to be subtracted: with another number, "
                    "exp overflows, or all of them are 0",
                    answer,
                )
                for answer in (
                    (e / e.sum(), e / e.sum() @ y)
                    for e in (
                        np.exp(s - number)
                        for number in (
                            s.mean(),
                            s.min(),
                            s[0],
                            s[-1],
                            np.abs(s).max(),
                            np.median(s),
                        )
                    )
                )
            ]
            e, base_2 = np.exp(s - s.max()), _softmax(s * np.log(2))
            told += [
                ("a(t) must sum to 1 over the words: divide by the sum", (e, e @ y)),
                ("divide by the sum of the exponentials, not the largest", (e / e.max(), a @ y)),
                (
                    "divide by the sum of the exponentials, not their mean",
                    (a * len(y), a * len(y) @ y),
                ),
                ("the embedding is the sum of a(t) y(t), not of s(t) y(t)", (a, s @ y)),
                (
                    "the embedding is the sum of a(t) y(t): the weights are missing",
                    (a, y.sum(axis=0)),
                ),
                (
                    "the embedding is a number for each cell, this is one for each word",
                    (a, a * y.sum(axis=1)),
                ),
                ("the base is e, not 2", (base_2, base_2 @ y)),
            ]
        simpler = [
            (
                "with a single word it is wrong already: its weight is 1, the embedding its output",
                {"y": y[:1], "u": 0 * u},
                (np.ones(1), y[0]),
            ),
            (
                "with u = 0 it is wrong already: all weights are the same, and y_A is the mean",
                {"y": y, "u": 0 * u},
                (np.full(len(y), 1 / len(y)), y.mean(axis=0)),
            ),
            (
                "with u = 0 it is right: look at the scores, y @ u, and at what exp makes of them",
                given,
                expected,
            ),
        ]
        hold("attention(y, u)", function, given, expected, told, simpler)
    passed("check_attention", len(cases))


def check_attention_backward(function):
    """``attention_backward(y, u, error)``, held against autograd through the forward equations."""
    # in the end as many words as cells, a single word, and scores that are large
    for seed, n_words in enumerate([3, 5, 7, 9, 11, 4, 1, 5]):
        rng = np.random.default_rng(seed)
        y = _outputs(rng, n_words, n_cells=4)
        u, error = rng.standard_normal((2, 4))
        u = u * 50 if seed == 7 else u
        given = {"y": y, "u": u, "error": error}
        expected = grad(lambda y, u: anp.dot(error, anp.dot(_softmax(anp.dot(y, u)), y)), (0, 1))(
            y, u
        )
        s = y @ u
        a = _softmax(s)
        da, direct = y @ error, np.outer(a, error)

        def with_scores(ds):
            return direct + np.outer(ds, u), ds @ y

        ds = a * (da - a @ da)
        told = [
            (
                "y(t) is used twice: "
                "this is the way through the sum, and the way through its score s(t) is missing",
                (direct, None),
            ),
            (
                "y(t) is used twice: "
                "this is the way through its score s(t), and the way through the sum is missing",
                (np.outer(ds, u), None),
            ),
            (
                "the way through the sum: "
                "y(t) has the weight a(t) there, so it gets a(t) times the error, not all of it",
                (np.tile(error, (len(y), 1)) + np.outer(ds, u), None),
            ),
            (
                "the error reaches the last word alone, as without attention; "
                "each word has a share in y_A",
                (np.vstack([np.zeros((len(y) - 1, 4)), error]), None),
            ),
            (
                "the derivative of softmax: a(t) (1 - a(t)) is only its diagonal; "
                "a score moves the weights of all other words, too",
                with_scores(a * (1 - a) * da),
            ),
            (
                "the derivative of softmax: the sum over the words, sum_t a(t) da(t), "
                "is missing, by which raising one score lowers the other weights",
                with_scores(a * da),
            ),
            (
                "the derivative of softmax: the error of a(t) was taken for that of s(t)",
                with_scores(da),
            ),
            (
                "the derivative of softmax: the mean of da must be weighed by a(t)",
                with_scores(a * (da - da.mean())),
            ),
            ("the derivative of softmax has its sign turned", with_scores(-ds)),
            (
                "du sums the errors of the scores, each times its y(t); this is the embedding",
                (None, a @ y),
            ),
            ("du sums the errors of the scores s(t), not of the weights a(t)", (None, da @ y)),
            ("u is used for every word: sum over the words", (None, ds[:, None] * y)),
            ("the two are in the other order: dy first, then du", expected[::-1]),
            (
                "y(t) comes into its score by u: dy gets ds(t) u, not ds(t) y(t)",
                (direct + ds[:, None] * y, None),
            ),
            (
                "y(t) comes into its score by u: dy gets ds(t) u, not a(t) u",
                (np.outer(a, error + u), None),
            ),
            (
                "dy has a row for each word: this is the sum over the words",
                (expected[0].sum(axis=0), None),
            ),
            ("the two ways add: + between them", (direct - np.outer(ds, u), None)),
            ("da(t) is the error times y(t); u stands in its place", with_scores(a * (s - a @ s))),
            (
                "the derivative of softmax: ds(t) = a(t) (da(t) - sum), the sum over all words; "
                "here a(t) stands outside of one of the two alone",
                with_scores(a * da - a @ da),
            ),
            (
                "the derivative of softmax: the sum of da is weighed by a(t)",
                with_scores(a * (da - da.sum())),
            ),
            (
                "the derivative of softmax: a(t) is missing before the bracket",
                with_scores(da - a @ da),
            ),
            (
                "the derivative of softmax: a(t) stands there twice",
                with_scores(a * a * (da - a @ da)),
            ),
        ]
        alike = {"y": np.tile(y[:1], (len(y), 1)), "u": u, "error": error}
        simpler = [
            (
                "with a single word it is wrong already: its weight stays 1, whatever the score, "
                "so dy is the error, and du is 0",
                {"y": y[:1], "u": u, "error": error},
                (error[None], np.zeros(4)),
            ),
            (
                "with words that are all alike it is wrong already: da is the same, ds is 0, "
                "and dy is the error times a(t)",
                alike,
                (np.tile(error / len(y), (len(y), 1)), np.zeros(4)),
            ),
            (
                "where ds = 0 it is right: look at da(t), at ds(t) = a(t) (da(t) - weighed sum), "
                "and at where ds goes",
                given,
                expected,
            ),
        ]
        hold("attention_backward(y, u, error)", function, given, expected, told, simpler)
    passed("check_attention_backward", 8)


def _outputs(rng, n_words, n_cells):
    """y(t) as a cell might give it, (n_words, n_cells): some words move it and some hardly do."""
    by_word = rng.random((n_words, 1)) * 1.2
    by_word[0] = 1
    return 0.6 * np.tanh(np.cumsum(by_word * rng.standard_normal((n_words, n_cells)), axis=0))


def _log_sum_exp(s):
    return anp.max(s) + anp.log(anp.sum(anp.exp(s - anp.max(s))))


def _softmax(s):
    return grad(_log_sum_exp)(s)
