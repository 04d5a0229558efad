"""Checks of notebook 06: momentum by the update, and clipping by the norm."""

import numpy as np

from lstm_edu.training import nesterov

from ..engine.minimize import hold
from ..engine.report import call, hold_against, passed


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
                    "nothing is clipped here, and the norm of all of it is above the threshold",
                    gradient if whole > threshold else None,
                ),
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
