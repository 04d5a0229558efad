"""Checks of notebook 09: active cells, the words that they detect, attention and its gradient.

The first seed of each check is one at which every mistake that it knows gives another answer, so
that the right one is named.
"""

import autograd.numpy as anp
import numpy as np
from autograd import grad

from ..inside import inspection
from .report import call, hold_against, passed

ALMOST = "s(t) are the scores, and the weights are their softmax"


def check_most_active_cells(function):
    """``most_active_cells(y, n)``, held against the package's."""
    for seed in range(1, 6):
        rng = np.random.default_rng(seed)
        y, n = _outputs(rng, n_words=3 + seed, n_cells=9), 4 - seed % 2
        given = {"y": y, "n": n}
        order = np.argsort(np.abs(y[-1]))
        hold_against(
            "most_active_cells(y, n)",
            call("most_active_cells(y, n)", function, given),
            inspection.most_active_cells(y, n),
            given,
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
            ],
        )
    passed("check_most_active_cells", 5)


def check_assigned_cells(function):
    """``assigned_cells(y, n, large)``, held against the package's detections."""
    for seed in range(71, 76):
        rng = np.random.default_rng(seed)
        y, n, large = _outputs(rng, n_words=10, n_cells=24), seed - 63, (0.3, 0.4, 0.2)[seed % 3]
        given = {"y": y, "n": n, "large": large}
        cells = inspection.most_active_cells(y, n)
        top, size = y[:, cells], np.abs(y[-1, cells])
        change, bound = np.diff(top, axis=0, prepend=0), large * size.mean()
        everywhere = np.abs(np.diff(y, axis=0, prepend=0))

        def counts(found):
            return np.append(0, found[1:].sum(axis=1))

        expected = inspection.detections(y, cells, large).sum(axis=1)
        hold_against(
            "assigned_cells(y, n, large)",
            call("assigned_cells(y, n, large)", function, given),
            expected,
            given,
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
            ],
        )
    passed("check_assigned_cells", 5)


def check_attention(function):
    """``attention(y, u)``, held against autograd.

    The weights are the derivative of log sum exp s, the embedding is that with respect to u.
    """
    for seed in range(3, 8):
        rng = np.random.default_rng(seed)
        y = _outputs(rng, n_words=seed, n_cells=4)
        u = rng.standard_normal(4) * (5000 if seed == 7 else 2)
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
        hold_against(
            "attention(y, u)", call("attention(y, u)", function, given), expected, given, told
        )
    passed("check_attention", 5)


def check_attention_backward(function):
    """``attention_backward(y, u, error)``, held against autograd through the forward equations."""
    for seed in range(5):
        rng = np.random.default_rng(seed)
        y = _outputs(rng, n_words=3 + 2 * seed, n_cells=4)
        u, error = rng.standard_normal((2, 4))
        given = {"y": y, "u": u, "error": error}
        expected = grad(lambda y, u: anp.dot(error, anp.dot(_softmax(anp.dot(y, u)), y)), (0, 1))(
            y, u
        )
        a = _softmax(y @ u)
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
        ]
        hold_against(
            "attention_backward(y, u, error)",
            call("attention_backward(y, u, error)", function, given),
            expected,
            given,
            told,
        )
    passed("check_attention_backward", 5)


def _outputs(rng, n_words, n_cells):
    """y(t) as a cell might give it, (n_words, n_cells): some words move it and some hardly do."""
    by_word = rng.random((n_words, 1)) * 1.2
    by_word[0] = 1
    return 0.6 * np.tanh(np.cumsum(by_word * rng.standard_normal((n_words, n_cells)), axis=0))


def _log_sum_exp(s):
    return anp.max(s) + anp.log(anp.sum(anp.exp(s - anp.max(s))))


def _softmax(s):
    return grad(_log_sum_exp)(s)
