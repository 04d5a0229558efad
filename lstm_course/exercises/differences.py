"""Exercises for lesson 08: content minus filler words, and each factor's share of a difference."""

from itertools import permutations

import numpy as np

from ..engine import slips


def _read_queries():
    for seed in range(7):
        rng = np.random.default_rng(seed)
        roles = [rng.choice(["c", "f"], n, p=[0.7, 0.3]) for n in rng.integers(2, 9, 8)]
        roles += [np.array(list(text)) for text in ("cc", "f", "cfc", "fcff", "cf")]
        # edge cases: negative values in one input, equal values in the last query
        values = [rng.random(len(role)) - 0.4 * (seed == 5) for role in roles]
        values[-1][:] = 0.25
        if seed == 6:  # only one query has both kinds of words
            values, roles = values[8:11], roles[8:11]
        if seed == 3:  # a sum of 0, values of 0, a repeated query
            values += map(np.array, ([0.3, -0.3, 0.5], [0, 0.5], [0.5, 0, 0.4], [0, 0.5]))
            roles += [np.array(list(text)) for text in ("ccf", "cf", "cff", "cf")]
        yield {"values": values, "roles": roles}
    yield {"values": [np.array([0.5, 0.5, 0.2, 0.1])], "roles": [np.array(list("cccf"))]}
    yield {"values": [np.array([0.5, 0.2])], "roles": [np.array(list("cc"))]}  # no filler words


@slips.check("content minus filler", _read_queries)
def content_minus_filler(values, roles):
    """Return each query's content-word mean minus its filler-word mean.

    Queries without both kinds of words are left out.
    """
    return np.array(
        [
            v[role == "c"].mean() - v[role == "f"].mean()
            for v, role in zip(values, roles)
            if {"c", "f"} <= set(role)
        ]
    )


def _factors():
    # the last five are edge cases: zero, negative, equal products, a single factor, all equal
    for seed, n in enumerate([2, 2, 3, 3, 4, 3, 3, 3, 1, 2]):
        content, filler = np.random.default_rng(seed).uniform(0.1, 1, (2, n))
        if seed == 5:
            content[0] = filler[1] = 0
        if seed == 6:
            content[0] *= -1
        if seed == 7:
            content = filler[[1, 0, 2]]  # the products are equal
        if seed == 9:
            content[1], filler[1] = content[0], filler[0]
        yield {"content": content, "filler": filler}


@slips.check("the array of parts", _factors)
def split(content, filler):
    """Return each factor's part of content.prod() - filler.prod().

    Returns
    -------
    (n_factors,)
    """
    parts = np.zeros(len(content))
    orders = list(permutations(range(len(content))))
    for order in orders:
        now = np.array(filler)
        for k in order:
            before, now[k] = now.prod(), content[k]
            parts[k] += now.prod() - before
    return parts / len(orders)
