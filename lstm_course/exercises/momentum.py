"""Exercises for lesson 06: the schedule of momentum, and gradient clipping by norm."""

import functools

import numpy as np

from ..engine import slips


def _every_update():
    # 2 % of 150 is an integer, so < and <= differ; for 137, 7 and 1 they don't
    return [{"k": np.arange(n), "n_updates": n} for n in (150, 137, 7, 1)]


def _schedule(momentum):
    """Wrap the student's function, which returns one update's mu, to return every update's mu."""

    @functools.wraps(momentum)
    def schedule(k, n_updates):
        mu = [momentum(each, n_updates) for each in k.tolist()]
        return None if all(m is None for m in mu) else np.array(mu)

    return schedule


def _where_it_is_wrong(mu, expected, given):
    """Return mistakes, as (text, value), inferred from the updates whose mu is right."""
    if np.shape(mu) != expected.shape:
        return []
    k, n, slow = *given.values(), expected == 0.9
    found = [("between, mu is 0.995", np.where(slow, 0.9, mu[n // 2]))]
    found.append(("at both ends, mu is 0.9", np.where(slow, mu[0], 0.995)))
    for place, where in (
        ("between", ~slow),
        ("at the end", slow & (k > n / 2)),
        ("at first", slow & (k < n / 2)),
    ):
        if np.array_equal(mu[~where], expected[~where]):
            found.append((f"it is wrong {place} alone: which k are these?", mu))
    return [*found, ("compare k with two bounds: 0.02 n_updates and 0.98 n_updates", mu)]


@slips.check("mu", _every_update, around=_schedule, of_answer=_where_it_is_wrong)
def momentum(k, n_updates):
    """Return mu of update k of Algorithm 1."""
    return 0.995 if 0.02 * n_updates <= k < 0.98 * n_updates else 0.9


def _gradients():
    whole, b = {"W": (4, 6), "Wrec": (3, 6), "b": (6,)}, {"b": (5,)}
    small = {"W": (2, 3), "Wrec": (2, 2), "b": (2,)}
    others = {"W1": (4, 6), "Wrec1": (3, 6), "b1": (6,), "Wp1": (3,), "W2": (4, 6)}
    # each input's shapes of weights, and its threshold / norm, or None for a zero gradient
    every = [whole, whole, whole, b, small, others, whole, whole, whole, b]
    shares = 0.3, 1.3, 0.45, 0.25, 1.3, 0.4, 0.999, 1.001, None, 0.9999
    for seed, (shapes, share) in enumerate(zip(every, shares)):
        rng = np.random.default_rng(seed)
        # scale the gradients so that some thresholds are far above 1 and others below 1
        size = (1, 1, 50, 0.01)[seed % 4] * (share is not None)
        gradient = {name: size * rng.standard_normal(shape) for name, shape in shapes.items()}
        threshold = float(_norm(gradient) * share) if share else 1.3
        yield {"gradient": gradient, "threshold": threshold}


def _norm(gradient):
    return np.sqrt(sum(np.linalg.norm(g) ** 2 for g in gradient.values()))


@slips.check("the gradient", _gradients)
def clip(gradient, threshold):
    """Scale a gradient to norm ``threshold`` if its norm is larger."""
    norm = np.sqrt(sum((g**2).sum() for g in gradient.values()))
    factor = threshold / norm if norm > threshold else 1.0
    return {name: g * factor for name, g in gradient.items()}
