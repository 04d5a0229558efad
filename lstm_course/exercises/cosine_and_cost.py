"""Exercises on the cost of clicks: cosine (3), cost (5).

What is expected comes from SciPy's cosine and logsumexp.
"""

import autograd.numpy as anp
import numpy as np
from autograd.scipy.special import logsumexp
from scipy.spatial.distance import cdist

from ..engine.forms import in_form
from ..engine.minimize import hold
from ..engine.report import call, passed


def check_cosine(cosine):
    """The cosine of every query with every title, Eq. (3).

    Parameters
    ----------
    cosine : function of yq (N, m), yd (M, m)
        Returns (N, M).

    Raises
    ------
    Wrong
    """
    rng, sizes = np.random.default_rng(30), [(2, 3, 4), (5, 2, 3), (1, 6, 5), (4, 4, 3)]
    for N, M, m in sizes:
        given = {"yq": rng.normal(size=(N, m)), "yd": rng.normal(size=(M, m))}
        yq, yd = given.values()
        products, q, d = yq @ yd.T, np.linalg.norm(yq, axis=1)[:, None], np.linalg.norm(yd, axis=1)
        reasons = [
            ("these are the inner products: Eq. (3) divides by both lengths", products),
            ("the lengths of the titles are missing", products / q),
            ("the lengths of the queries are missing", products / d),
            (
                "np.linalg.norm(yq) is the length of the whole array, one number; "
                "axis=1 gives one length for each row",
                products / np.linalg.norm(yq) / np.linalg.norm(yd),
            ),
            (
                "a length is the root of the sum of squares: the root is missing",
                products / q**2 / d**2,
            ),
            (
                "the lengths are added, and should be multiplied: |q| |d|",
                products / (q + d),
            ),
            (
                "a length is the root of the sum of squares, not the sum of absolute values",
                products / np.abs(yq).sum(axis=1)[:, None] / np.abs(yd).sum(axis=1),
            ),
            ("rows and columns are exchanged: a query is a row", (products / q / d).T),
            (
                "multiplied by the lengths, not divided: mind the brackets in a / (b * c)",
                products / q * d,
            ),
        ]
        expected = 1 - cdist(yq, yd, "cosine")
        simpler = [
            (
                "with one query and one title it is wrong already",
                {"yq": yq[:1], "yd": yd[:1]},
                expected[:1, :1],
            ),
            (
                "with one query and one title it is right: of several, each row has its own length",
                given,
                expected,
            ),
        ]
        hold("the cosine", cosine, given, expected, reasons, simpler)
    passed("check_cosine", len(sizes))


def check_cost(cost):
    """The loss of every pair, Eq. (5), for any gamma.

    Parameters
    ----------
    cost : function of delta (N, n), gamma
        Returns (N,).

    Raises
    ------
    Wrong
    """
    inputs = differences(31)
    for given in inputs:
        x = -given["gamma"] * given["delta"]
        largest, m = x.max(axis=1), np.maximum(0, x.max(axis=1))
        with np.errstate(all="ignore"):
            e, shifted = np.exp(x).sum(axis=1), np.exp(x - m[:, None]).sum(axis=1)
            reasons = [
                (
                    "e^(-gamma Delta) leaves the range of numbers: "
                    "take m = max(0, max_j(-gamma Delta_j)) out of the sum first",
                    np.log(1 + e),
                ),
                ("the 1 is missing: it belongs to the clicked title", logsumexp(x, axis=1)),
                ("the sign in the exponent: it is -gamma Delta", logsumexp(with_0(-x), axis=1)),
                ("gamma is missing", logsumexp(with_0(x / given["gamma"]), axis=1)),
                ("m was taken out, and has to be added again", np.log(np.exp(-m) + shifted)),
                ("with m taken out, the 1 becomes e^(-m)", m + np.log(1 + shifted)),
                (
                    "the 1 is e^0, an exponent as well: "
                    "m is the largest of 0 and all -gamma Delta_j",
                    largest + np.log(np.exp(-largest) + np.exp(x - largest[:, None]).sum(axis=1)),
                ),
                (
                    "this is in bits: Eq. (5) has the natural logarithm, np.log",
                    logsumexp(with_0(x), axis=1) / np.log(2),
                ),
                ("the sum over j is one for each pair: sum(axis=1)", np.log(1 + e.sum())),
                (
                    "one loss for each pair, (N,): their sum is Eq. (4)",
                    logsumexp(with_0(x), axis=1).sum(),
                ),
                (
                    "e^(-gamma Delta) leaves the range of numbers, "
                    "and one loss is wanted for each pair, (N,)",
                    np.log(1 + e).sum(),
                ),
                ("the sum over j, not the mean", np.log(1 + e / x.shape[1])),
                (
                    "the sum is not its largest part: where two are equal, log 2 is missing",
                    np.where(np.isfinite(np.log(1 + e)), np.log(1 + e), largest),
                ),
                (
                    "this is the largest of 0 and all -gamma Delta_j alone: it is taken out of "
                    "the sum, which remains",
                    m,
                ),
                ("this is the sum itself: Eq. (5) has its logarithm", 1 + e),
                (
                    "gamma multiplies Delta in the exponent, not the loss",
                    given["gamma"] * logsumexp(with_0(-given["delta"]), axis=1),
                ),
                ("the sign of the loss", -logsumexp(with_0(x), axis=1)),
            ]
        got, expected = call("the cost", cost, given), logsumexp(with_0(x), axis=1)
        reasons += right_if_small(got, expected, x)
        hold("the cost", cost, given, expected, reasons, simple(_log_of_sum, given), of=_log_of_sum)
    passed("check_cost", len(inputs) - EDGES)


EDGES = 1  # of `differences`, beside the random inputs that are counted


def differences(seed):
    """Differences of cosines, the last three with a gamma whose exponentials float64 cannot hold.

    Among them are two that are equal, so that the largest alone does not stand for the sum, and two
    that are far apart, so that the smallest does not stand for the largest.
    """
    rng = np.random.default_rng(seed)
    usual = [
        {"delta": rng.uniform(-1, 1, size), "gamma": gamma}
        for size, gamma in (((3, 2), 3.0), ((1, 4), 10.0), ((4, 5), 1.5))
    ]
    wrong, right = rng.uniform(-2, -1, (1, 3)), rng.uniform(1, 2, (1, 3))
    return [
        *usual,
        {"delta": np.vstack([wrong, rng.uniform(-0.01, 0.01, (1, 3))]), "gamma": 1000.0},
        {"delta": right, "gamma": 1000.0},
        {"delta": np.array([[-2.0, -2.0], [2.0, -2.0]]), "gamma": 1000.0},
    ]


def right_if_small(got, expected, x):
    """A reason for what is right as long as e^x is a number that float64 holds."""
    got = in_form(got, expected)
    if np.shape(got) != expected.shape or not isinstance(got, np.ndarray):
        return []
    small = np.abs(x).max(axis=1) < 300
    right = not small.all() and np.allclose(got[small], expected[small], rtol=1e-9)
    text = (
        "right where the exponents are small. Where they are not: "
        "take m = max(0, max_j(-gamma Delta_j)) out of the sum, and clip nothing"
    )
    return [(text, got if right else None)]


def _log_of_sum(delta, gamma):
    return logsumexp(with_0(-gamma * delta), axis=1)


def simple(of, given):
    """Where a cost of pairs, or its derivative, can begin to be wrong; `of` has the right one."""
    inputs = [
        ("with one pair and Delta = 0 it is wrong already", [0.0], 1.0),
        ("with one pair and one Delta above 0 it is wrong already, gamma 1", [0.5], 1.0),
        ("with a Delta below 0 it is wrong already, gamma 1", [-0.25], 1.0),
        ("with two Delta for one pair it is wrong already, gamma 1", [0.5, -0.25], 1.0),
        ("it is right with gamma 1, and wrong with gamma 3", [0.5, -0.25], 3.0),
    ]
    inputs = [(text, np.array([row]), gamma) for text, row, gamma in inputs]
    inputs.append(
        ("it is right with one pair: what of several, or of large ones?", *given.values())
    )
    return [(text, {"delta": d, "gamma": g}, of(d, g)) for text, d, g in inputs]


def with_0(x):
    """The exponent 0 of the 1 in Eq. (5) before the others."""
    return anp.concatenate([anp.zeros((len(x), 1)), x], axis=1)
