"""Exercises on what moves the cost of clicks: derivatives (8) and by gamma, hinge.

What is expected comes from autograd.
"""

import autograd.numpy as anp
import numpy as np
from autograd import grad
from autograd.scipy.special import logsumexp

from ..engine.minimize import hold
from ..engine.report import call, passed
from .cosine_and_cost import EDGES, differences, right_if_small, simple, with_0


def check_alpha(alpha):
    """The derivative of the loss by each difference of cosines, Eq. (8), for any gamma.

    Parameters
    ----------
    alpha : function of delta (N, n), gamma
        Returns (N, n).

    Raises
    ------
    Wrong
    """
    inputs = differences(32)
    for given in inputs:
        delta, gamma = given.values()
        expected = grad(lambda delta: anp.sum(logsumexp(with_0(-gamma * delta), axis=1)))(delta)
        with np.errstate(all="ignore"):
            e = np.exp(-gamma * delta)
            sums = e.sum(axis=1, keepdims=True)
            reasons = [
                (
                    "e^(-gamma Delta) leaves the range of numbers, and inf / inf is no number: "
                    "divide above and below by e^m first, as for the cost",
                    -gamma * e / (1 + sums),
                ),
                (
                    "the minus of (8) is missing: "
                    "a clicked title that gets further ahead lowers the cost",
                    -expected,
                ),
                (
                    "the gamma before the fraction is missing: the chain rule through -gamma Delta",
                    expected / gamma,
                ),
                (
                    "the 1 in the denominator is missing: it belongs to the clicked title",
                    -gamma * e / sums,
                ),
                (
                    "the denominator sums over all titles of the pair, not over title j alone",
                    -gamma * e / (1 + e),
                ),
                (
                    "the denominator sums over the titles of one pair: sum(axis=1, keepdims=True)",
                    -gamma * e / (1 + e.sum()),
                ),
                ("this is the numerator alone", -gamma * e),
                (
                    "the exponent is -gamma Delta: its sign",
                    -gamma / e / (1 + (1 / e).sum(axis=1, keepdims=True)),
                ),
                (
                    "gamma is missing in the exponents",
                    -gamma * np.exp(-delta) / (1 + np.exp(-delta).sum(axis=1, keepdims=True)),
                ),
                (
                    "one number for each title, (N, n): the sum over j is in the denominator alone",
                    expected.sum(axis=1),
                ),
            ]
        got = call("alpha", alpha, given)
        reasons += right_if_small(got, expected, -gamma * delta)
        hold("alpha", alpha, given, expected, reasons, simple(_alpha, given))
    passed("check_alpha", len(inputs) - EDGES)


def check_hinge(hinge):
    """The hinge cost of every pair, and its derivative by each difference of cosines.

    Parameters
    ----------
    hinge : function of delta (N, n), margin
        Returns the loss (N,) and the derivative (N, n).

    Raises
    ------
    Wrong
    """
    rng, sizes = np.random.default_rng(33), [(3, 4), (2, 6), (1, 4), (4, 1)]
    for N, n in sizes:
        given = {"delta": rng.uniform(-1, 1, (N, n)), "margin": rng.uniform(0.2, 0.6)}
        delta, margin = given.values()
        l = np.array([sum(max(0.0, margin - d) for d in row) for row in delta])
        dl = grad(lambda delta: anp.sum(anp.maximum(0, margin - delta)))(delta)
        reasons = [
            (
                "the other way round: nothing is to pay where Delta is larger than the margin",
                (np.maximum(0, delta - margin).sum(axis=1), None),
            ),
            (
                "max(0, …) is missing: "
                "a title that is further behind than the margin must not earn anything",
                ((margin - delta).sum(axis=1), None),
            ),
            (
                "all unclicked titles of a pair are added, not only the one that is highest",
                (np.maximum(0, margin - delta.min(axis=1)), None),
            ),
            ("the titles of a pair are added, not averaged", (l / n, None)),
            ("one loss for each pair: sum(axis=1)", (l.sum(), None)),
            ("the margin is missing", (np.maximum(0, -delta).sum(axis=1), None)),
            (
                "the margin is to be kept: it is margin - Delta, not margin + Delta",
                (np.maximum(0, margin + delta).sum(axis=1), None),
            ),
            (
                "this counts the titles within the margin; each adds margin - Delta",
                ((delta < margin).sum(axis=1), None),
            ),
            ("the order: the loss first, then its derivative", (dl, l)),
            (
                "the derivative is -1 where Delta < margin, not where Delta < 0",
                (None, np.where(delta < 0, -1.0, 0.0)),
            ),
            (
                "the other way round: the derivative is 0 where nothing is to pay, Delta > margin",
                (None, -1.0 - dl),
            ),
            (
                "the derivative is 0 where nothing is to pay, Delta > margin",
                (None, np.full((N, n), -1.0)),
            ),
            ("the sign of the derivative: margin - Delta falls when Delta grows", (None, -dl)),
            (
                "the derivative is -1 wherever there is something to pay, however much: "
                "that would be the square of the hinge, halved",
                (None, -np.maximum(0, margin - delta)),
            ),
        ]
        hold("(l, dl/dDelta)", hinge, given, (l, dl), reasons)
    passed("check_hinge", len(sizes))


def check_gamma_gradient(gamma_gradient):
    """The derivative of every pair's loss, Eq. (5), by gamma.

    Parameters
    ----------
    gamma_gradient : function of delta (N, n), gamma
        Returns (N,).

    Raises
    ------
    Wrong
    """
    rng, sizes = np.random.default_rng(34), [(2, 3), (3, 4), (1, 1), (4, 6)]
    for N, n in sizes:
        given = {"delta": rng.uniform(-1, 1, (N, n)), "gamma": rng.uniform(2, 6)}
        delta, gamma = given.values()
        expected = grad(
            lambda gammas: anp.sum(logsumexp(with_0(-gammas[:, None] * delta), axis=1))
        )(np.full(N, gamma))
        e = np.exp(-gamma * delta)
        P = e / (1 + e.sum(axis=1, keepdims=True))
        reasons = [
            (
                "sum_j alpha_j Delta_j: alpha has a factor gamma, "
                "which comes from the derivative by Delta and not by gamma",
                gamma * expected,
            ),
            ("the inner derivative of -gamma Delta_j by gamma is -Delta_j", -P.sum(axis=1)),
            ("the minus of the inner derivative, -Delta_j, is missing", -expected),
            ("the 1 in the denominator is missing", -(delta * e).sum(axis=1) / e.sum(axis=1)),
            (
                "the sum over the unclicked titles is missing: one number for each pair, (N,)",
                -delta * P,
            ),
            ("one number for each pair, (N,): sum(axis=1)", expected.sum()),
            ("the sum over j, not the mean", expected / n),
            (
                "the denominator sums over all titles of the pair, not over title j alone",
                -(delta * e / (1 + e)).sum(axis=1),
            ),
            ("this is the numerator alone: it is divided by 1 + its sum", -(delta * e).sum(axis=1)),
            ("this is the loss itself; asked for is its derivative", np.log(1 + e.sum(axis=1))),
            ("the derivative by Delta is alpha; asked for is that by gamma", -gamma * P),
        ]
        simpler = simple(lambda delta, gamma: _alpha(delta, gamma, delta).sum(axis=1), given)
        hold("dl/dgamma", gamma_gradient, given, expected, reasons, simpler)
    passed("check_gamma_gradient", len(sizes))


def _alpha(delta, gamma, inner=None):
    """The derivative by Delta, (8); or, if what multiplies gamma is given, its parts by gamma."""
    x = with_0(-gamma * delta)
    P = np.exp(x - logsumexp(x, axis=1)[:, None])[:, 1:]
    return -(gamma if inner is None else inner) * P
