"""Exercises of notebook 06: momentum by the update, and clipping by the norm."""

import numpy as np

from ..engine import slips
from ..engine.report import call, hold_against, passed


def momentum(k, n_updates):
    """mu of update k of Algorithm 1."""
    return 0.995 if 0.02 * n_updates <= k < 0.98 * n_updates else 0.9


def check_momentum(function):
    """mu of update k of Algorithm 1."""
    # 2 % of 150 is a whole number, so that < and <= differ; of 137, 7 and 1 it is none
    counts = (150, 137, 7, 1)
    for n in counts:
        every = [{"k": k, "n_updates": n} for k in range(n)]
        expected = np.array([slips.answer(momentum, given) for given in every])
        mu = np.array([call("mu", function, given) for given in every])

        def schedule(of, every=every):
            return np.array([of(**given) for given in every])

        def reasons(mu=mu, n=n):
            told = [
                (text, schedule(slips.slipped(momentum, *places)))
                for text, *places in slips.rows(momentum)
            ]
            slow = expected == 0.9
            told.append(("between, mu is 0.995", np.where(slow, 0.9, mu[n // 2])))
            told.append(("at both ends, mu is 0.9", np.where(slow, mu[0], 0.995)))
            k = np.arange(n)
            for what, where in (
                ("between", ~slow),
                ("at the end", slow & (k > n / 2)),
                ("at first", slow & (k < n / 2)),
            ):
                if np.array_equal(mu[~where], expected[~where]):
                    told.append((f"it is wrong {what} alone: which k are these?", mu))
            return [*told, ("hold k against two bounds: 0.02 n_updates and 0.98 n_updates", mu)]

        given = {"k": f"0, 1, … {n - 1}, one after the other", "n_updates": n}
        got = None if all(m is None for m in mu) else mu
        hold_against("mu", got, expected, given, reasons)
    passed("check_momentum", len(counts))


slips.with_table(check_momentum, momentum)


def clip(gradient, threshold):
    """The gradient of one side, scaled to the norm threshold if longer."""
    norm = np.sqrt(sum((g**2).sum() for g in gradient.values()))
    factor = threshold / norm if norm > threshold else 1.0
    return {name: g * factor for name, g in gradient.items()}


def _gradients():
    whole, b = {"W": (4, 6), "Wrec": (3, 6), "b": (6,)}, {"b": (5,)}
    small = {"W": (2, 3), "Wrec": (2, 2), "b": (2,)}
    others = {"W1": (4, 6), "Wrec1": (3, 6), "b1": (6,), "Wp1": (3,), "W2": (4, 6)}
    # shapes, and the threshold as a share of the norm, None where all of it is 0; the names are
    # those of any cell
    every = [whole, whole, whole, b, small, others, whole, whole, whole, b]
    shares = 0.3, 1.3, 0.45, 0.25, 1.3, 0.4, 0.999, 1.001, None, 0.9999
    for seed, (shapes, share) in enumerate(zip(every, shares)):
        rng = np.random.default_rng(seed)
        # long and short ones, so that a threshold may be below 1, and far above
        size = (1, 1, 50, 0.01)[seed % 4] * (share is not None)
        gradient = {name: size * rng.standard_normal(shape) for name, shape in shapes.items()}
        threshold = float(_norm(gradient) * share) if share else 1.3
        yield {"gradient": gradient, "threshold": threshold}


def _norm(gradient):
    return np.sqrt(sum(np.linalg.norm(g) ** 2 for g in gradient.values()))


def _short_enough(given):
    return [given | {"threshold": 2 * _norm(given["gradient"]) + 1}]


check_clip = slips.check("the gradient", clip, _gradients, simpler=_short_enough)
