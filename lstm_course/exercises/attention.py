"""Checks of notebook 09: attention over the words of a text, and its gradient.

The first input of each check is one at which every mistake that it knows gives another answer, so
that the right one is named.
"""

import autograd.numpy as anp
import numpy as np
from autograd import grad

from ..engine.minimize import hold
from ..engine.report import passed
from .active_cells import outputs

ALMOST = "s(t) are the scores, and the weights are their softmax"


def check_attention(function):
    """``attention(y, u)``, held against autograd.

    The weights are the derivative of log sum exp s, the embedding is that with respect to u.
    """
    cases = []
    for seed in range(3, 7):
        rng = np.random.default_rng(seed)
        cases.append((outputs(rng, n_words=seed, n_cells=4), 2 * rng.standard_normal(4)))
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
        y = outputs(rng, n_words, n_cells=4)
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


def _log_sum_exp(s):
    return anp.max(s) + anp.log(anp.sum(anp.exp(s - anp.max(s))))


def _softmax(s):
    return grad(_log_sum_exp)(s)
