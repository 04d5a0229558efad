"""Checks of notebook 06: the parts of Algorithm 1, and all of it: momentum, clipping, the loop."""

from itertools import product

import numpy as np

from ..training import nesterov
from .report import call, hold_against, left, passed
from .stages import hold

RESTARTS = "change starts from 0 in every epoch: an epoch's end is no reason to stop"
HERE = "the gradient is taken at Lambda; (6) takes it at Lambda + mu change"
CLIPPED = {
    "gradient": "",
    "change": "the change is clipped; Algorithm 1 clips the gradient",
    "nothing": "nothing is clipped",
    "always": "a gradient below the threshold is made longer; it should stay as it is",
}


def check_momentum(momentum):
    """The schedule of mu in Algorithm 1.

    Parameters
    ----------
    momentum : function of k, n_updates
        Returns mu of update k = 0, 1, … n_updates - 1.

    Raises
    ------
    Wrong
    """
    # 2 % of 200 and 50 are whole numbers, so that < and <= differ; of 7 they are none
    counts = (200, 137, 50, 333, 1049, 7, 1)
    for n in counts:
        mu = np.array([call("mu", momentum, {"k": k, "n_updates": n}) for k in range(n)])
        k = np.arange(n)
        first, last = k < 0.02 * n, k >= 0.98 * n
        expected = np.array([nesterov.momentum("schedule", j, n) for j in k])

        def slow(*ends, fast=0.995):
            return np.where(np.any(ends, axis=0), 0.9, fast)

        reasons = [
            ("0.9 and 0.995 are exchanged", 1.895 - expected),
            ("the last 2 % have 0.9, too", slow(first)),
            ("the first 2 % have 0.9, too", slow(last)),
            ("2 % is 0.02, not 0.2", slow(k < 0.2 * n, k >= 0.8 * n)),
            ("2 % of the updates, not 2 updates", slow(k < 2, k >= n - 2)),
            ("k is compared with shares: 2 % of the updates are 0.02 n_updates", slow(k < 0.02)),
            (
                "k is compared with shares: 2 % of the updates are 0.02 n_updates",
                slow(k < 0.02, k >= 0.98),
            ),
            (
                "`and` where `or` is meant: no update is among the first and among the last",
                slow(first & last),
            ),
            (
                "0.995 stands for the updates between, and for no others: mind `<` and `>`",
                slow(True | first),
            ),
            (
                "update k = 0.02 n_updates is not among the first: <, not <=",
                slow(k <= 0.02 * n, last),
            ),
            ("update k = 0.98 n_updates is among the last: >=, not >", slow(first, k > 0.98 * n)),
            (
                "update k = 0.02 n_updates is not among the first, k = 0.98 n_updates is among the "
                "last",
                slow(k <= 0.02 * n, k > 0.98 * n),
            ),
            *(
                (
                    "0.02 n_updates need not be whole: compare with it as it is, without rounding",
                    slow(k < rounded(0.02 * n), k >= upper),
                )
                for rounded in (np.floor, np.round, np.ceil)
                for upper in (0.98 * n, rounded(0.98 * n), n - rounded(0.02 * n))
            ),
            ("updates are numbered from 0, not from 1", slow(k + 1 < 0.02 * n, k + 1 >= 0.98 * n)),
            ("updates are numbered from 0, not from 1", slow(k + 1 <= 0.02 * n, k + 1 > 0.98 * n)),
            ("updates are numbered from 0, not from 1", slow(k - 1 < 0.02 * n, k - 1 >= 0.98 * n)),
            ("between, mu is 0.995", slow(first, last, fast=mu[n // 2])),
            ("at both ends, mu is 0.9", np.where(first | last, mu[0], 0.995)),
        ]
        got = None if all(m is None for m in mu) else mu
        for where, what in (
            (~(first | last), "between"),
            (last, "at the end"),
            (first, "at first"),
        ):
            if np.array_equal(mu[~where], expected[~where]):
                reasons.append((f"it is wrong {what} alone: which k are these?", mu))
        reasons.append(("hold k against two bounds: 0.02 n_updates and 0.98 n_updates", mu))
        given = {"k": f"0, 1, … {n - 1}, one after the other", "n_updates": n}
        hold_against("mu", got, expected, given, reasons)
    passed("check_momentum", len(counts))


def check_clip(clip):
    """Algorithm 1's clipping of a gradient.

    Parameters
    ----------
    clip : function of gradient, threshold
        gradient a dict of arrays. Returns such a dict.

    Raises
    ------
    Wrong
    """
    whole_side = {"W": (4, 6), "Wrec": (3, 6), "b": (6,)}
    # shapes, and the threshold as a share of the norm; the names are those of any cell
    cases = [
        (whole_side, 0.3),
        (whole_side, 1.3),
        (whole_side, 0.45),
        ({"b": (5,)}, 0.25),
        ({"W": (2, 3), "Wrec": (2, 2), "b": (2,)}, 1.3),
        ({"W1": (4, 6), "Wrec1": (3, 6), "b1": (6,), "Wp1": (3,), "W2": (4, 6)}, 0.4),
        (whole_side, 0.999),
        (whole_side, 1.001),
        (whole_side, None),  # all of it is 0
    ]
    for seed, (shapes, share) in enumerate(cases):
        rng = np.random.default_rng(seed)
        # long and short ones, so that a threshold may be below 1, and far above
        size = (1, 1, 50, 0.01)[seed % 4] * (share is not None)
        gradient = {name: size * rng.standard_normal(shape) for name, shape in shapes.items()}
        norm = {name: np.linalg.norm(g) for name, g in gradient.items()}
        whole = np.sqrt(sum(n**2 for n in norm.values()))
        threshold = float(whole * share) if share else 1.3
        expected = {name: g.copy() for name, g in gradient.items()}
        nesterov.clip(expected, threshold)

        def scaled(by):
            return {name: g * by for name, g in gradient.items()}

        def shorten(length):
            return threshold / length if length > threshold else 1.0

        with np.errstate(all="ignore"):
            reasons = [
                (
                    "every array is clipped by its own norm; "
                    "the norm is that of the whole gradient",
                    {name: g * shorten(norm[name]) for name, g in gradient.items()},
                ),
                (
                    "every element is clipped by itself, which turns the gradient; "
                    "all of it gets one factor",
                    {name: np.clip(g, -threshold, threshold) for name, g in gradient.items()},
                ),
                ("a gradient that is short enough stays as it is", scaled(threshold / whole)),
                ("a gradient that is too long is scaled down", gradient),
                (
                    "the norm is the root of the sum of all squares: the root is missing",
                    scaled(shorten(whole**2)),
                ),
                (
                    "the arrays' norms are added; add their squares and take the root",
                    scaled(shorten(sum(norm.values()))),
                ),
                (
                    "the norm is the root of the sum of squares, not the largest element",
                    scaled(shorten(max(np.abs(g).max() for g in gradient.values()))),
                ),
                (
                    "the gradient is divided by its norm; its length should be the threshold",
                    scaled(1 / whole),
                ),
                (
                    "the norm of the last array alone: it has overwritten the others'",
                    scaled(shorten([*norm.values()][-1])),
                ),
                (
                    "the norm is that of all arrays, whatever their names: gradient.values()",
                    {
                        name: g * shorten(whole)
                        for name, g in gradient.items()
                        if name in whole_side
                    },
                ),
                (
                    "the norm is the root of the sum of squares, not of absolute values",
                    scaled(shorten(sum(np.abs(g).sum() for g in gradient.values()))),
                ),
                ("the factor is threshold / norm, not norm / threshold", scaled(whole / threshold)),
                (
                    "a gradient is clipped if its norm is above the threshold: "
                    "here the comparison is the other way round",
                    scaled(1 if whole > threshold else threshold / whole),
                ),
            ]
        given = {"gradient": gradient, "threshold": threshold}
        simpler = [
            (
                "a gradient that is short enough is wrong already: it stays as it is",
                given | {"threshold": 2 * whole + 1},
                gradient,
            ),
            (
                "a gradient that is short enough is right; of one that is too long, "
                "every array is multiplied by threshold / norm",
                given,
                expected,
            ),
        ]
        hold("the gradient", clip, given, expected, reasons, simpler)
    passed("check_clip", len(cases))


def check_algorithm_1(algorithm_1):
    """Algorithm 1, mended.

    Parameters
    ----------
    algorithm_1 : function of Lambda, batches, gradient_at, mu, epsilon, th_G
        Lambda (n,); batches a list of epochs, each a list of minibatches; gradient_at a function of
        parameters and a minibatch. Returns Lambda after the last update.

    Raises
    ------
    Wrong
    """
    for seed in range(4):
        rng = np.random.default_rng(seed)
        # gradients of all lengths: some are clipped, some are not
        X = rng.lognormal(sigma=1.5, size=(20, 1)) * rng.standard_normal((20, 5))
        target, Lambda = rng.standard_normal(20), rng.standard_normal(5)
        Lambda[seed] = 0  # a parameter may be 0 at first
        batches = [np.array_split(rng.permutation(20), 5) for _ in range(5 - seed)]
        mu, epsilon, th_G = rng.uniform(0.7, 0.95), 0.3, rng.uniform(1.5, 2.5)

        def gradient_at(Lambda, batch):
            return X[batch].T @ (np.tanh(X[batch] @ Lambda) - target[batch])

        given = {
            "Lambda": Lambda,
            "batches": batches,
            "gradient_at": gradient_at,
            "mu": mu,
            "epsilon": epsilon,
            "th_G": th_G,
        }
        bugs = list(product([False, True], [False, True], CLIPPED))[1:]
        reasons = [
            (
                left([RESTARTS * restarts, HERE * here, CLIPPED[clipped]], "Algorithm 1"),
                _with_bugs(**given, restarts=restarts, here=here, clipped=clipped),
            )
            for restarts, here, clipped in bugs
        ]
        reasons += [
            (
                f"this is after the first {of}: the `return` stands too far to the right",
                _with_bugs(**given | {"batches": part}),
            )
            for of, part in (("epoch", batches[:1]), ("minibatch", [batches[0][:1]]))
        ]
        reasons += [
            (text, _with_bugs(**given | {"batches": part}))
            for text, part in (
                ("the epochs go from the first to the last", batches[::-1]),
                ("the minibatches of an epoch go from the first to the last", _backwards(batches)),
                ("the last epoch is left out", batches[:-1]),
                ("the first epoch is left out", batches[1:]),
            )
        ]
        simpler = [
            (text, given | changed, _by_package(**given | changed))
            for text, changed in (
                (
                    "a single update is wrong already, where change is still 0 and nothing is "
                    "clipped: Lambda - epsilon gradient",
                    {"batches": [batches[0][:1]], "th_G": 1e9},
                ),
                (
                    "a single update is right as long as nothing is clipped: "
                    "the gradient is scaled to the norm th_G if it is longer",
                    {"batches": [batches[0][:1]], "th_G": 0.01},
                ),
                (
                    "the first update is right, and the second is not: it takes the gradient at "
                    "Lambda + mu change, and its change is mu times the first, minus its own step",
                    {"batches": [batches[0][:2]], "th_G": 1e9},
                ),
                (
                    "single updates are right: is every minibatch of every epoch gone through, "
                    "each once and in order?",
                    {},
                ),
            )
        ]
        hold("Lambda", algorithm_1, given, _by_package(**given), reasons, simpler)
    passed("check_algorithm_1", 4)


def _backwards(batches):
    return [epoch[::-1] for epoch in batches]


def _by_package(Lambda, batches, gradient_at, mu, epsilon, th_G):
    """Algorithm 1, by what `lstm_edu.train` does in an update."""
    weights, velocity = {"b": Lambda.copy()}, {"b": 0 * Lambda}
    for batch in (batch for epoch in batches for batch in epoch):
        nesterov.look_ahead(weights, velocity, mu)
        gradient = {"b": gradient_at(weights["b"], batch)}
        nesterov.clip(gradient, th_G)
        nesterov.correct(weights, velocity, gradient, epsilon, None)
    return weights["b"]


def _with_bugs(
    Lambda, batches, gradient_at, mu, epsilon, th_G, restarts=False, here=False, clipped="gradient"
):
    """Algorithm 1 with some of its bugs; arguments that are not `algorithm_1`'s say which."""

    def clip(v):
        return v * (
            th_G / np.linalg.norm(v) if clipped == "always" else min(1, th_G / np.linalg.norm(v))
        )

    change = 0 * Lambda
    for epoch in batches:
        change = 0 * change if restarts else change
        for batch in epoch:
            g = gradient_at(Lambda if here else Lambda + mu * change, batch)
            change = mu * change - epsilon * (clip(g) if clipped in ("gradient", "always") else g)
            change = clip(change) if clipped == "change" else change
            Lambda = Lambda + change
    return Lambda
