"""Exercises for lesson 07: number of parameters, and the interval of a paired difference."""

from itertools import product

import numpy as np

from ..engine import slips


def _sizes():
    sizes = []
    for seed, kind in enumerate(product((None, "diagonal", "full"), (False, True))):
        drawn = np.random.default_rng(seed).integers([20, 5], [3000, 50])
        sizes.append((*map(int, drawn), *kind[::-1]))
    # add one cell, one trigram, and a number of parameters that overflows 32 bits
    sizes += [(7, 1, True, "full"), (1, 7, False, "diagonal"), (10**6, 1000, True, None)]
    names = "n_trigrams", "n_cells", "forget_gate", "peepholes"
    return [dict(zip(names, size)) for size in sizes]


@slips.check("the number of parameters", _sizes, tolerance=0)
def n_parameters(n_trigrams, n_cells, forget_gate, peepholes):
    """Count the parameters of an LSTM."""
    n_sums = 4 if forget_gate else 3
    in_each = {None: 0, "diagonal": n_cells, "full": n_cells**2}
    in_a_peephole = in_each[peepholes]
    sums = n_sums * n_cells * (n_trigrams + n_cells + 1)
    return sums + (n_sums - 1) * in_a_peephole


def _two_models():
    for seed in range(7):
        rng = np.random.default_rng(seed)
        n, n_draws = (30 + 5 * seed, 400) if seed < 5 else ((12, 12), (1, 40))[seed - 5]
        hard = rng.random(n)  # shared by both models, as hard queries are hard for both
        ahead = -0.05 if seed == 4 else 0.05
        a, b = hard + 0.1 * rng.standard_normal((2, n)) + [[ahead], [0.0]]
        draws = np.random.default_rng(seed).integers(n, size=(n_draws, n))
        if seed == 3:  # include tied queries, and repeated draws
            b[::4], draws[100:] = a[::4], draws[0]
        yield {"a": a, "b": b, "draws": draws}


@slips.check("mean, low, high", _two_models)
def paired_interval(a, b, draws):
    """Return the mean of a - b and the ends of its 95 % bootstrap interval."""
    difference = a - b
    low, high = np.percentile(difference[draws].mean(axis=1), [2.5, 97.5])
    return difference.mean(), low, high
