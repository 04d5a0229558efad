"""Confidence intervals for means over queries, and tests of differences between rankers."""

import numpy as np

from .._util import arguments


def interval(values, n_draws=2000, seed=0):
    """Compute the mean over queries and its 95 % bootstrap interval.

    Parameters
    ----------
    values : (n_queries,)

    Returns
    -------
    mean, low, high : float
        If all values are 1, every bootstrap mean would be 1, so ``low`` is instead Clopper and
        Pearson's bound for a proportion, .025 ** (1 / n_queries).
    """
    values = arguments.array("values", values, "n_queries")
    n_draws, seed = arguments.integer("n_draws", n_draws, 1), arguments.seed(seed)
    if not len(values):
        arguments.refuse("values", values, "of at least one query")
    if (values == 1).all():
        return 1.0, 0.025 ** (1 / len(values)), 1.0
    rng = np.random.default_rng(seed)
    # draw in blocks of 100, to save memory
    n, upto = len(values), [*range(0, n_draws, 100), n_draws]
    drawn = (values[rng.integers(n, size=(k, n))] for k in np.diff(upto))
    means = np.concatenate([sample.mean(axis=1) for sample in drawn])
    return float(values.mean()), *map(float, np.percentile(means, [2.5, 97.5]))


def permutation_p(differences, n_draws=10_000, seed=0):
    """Test whether the mean of paired differences is 0, with a permutation test.

    Parameters
    ----------
    differences : (n_queries,)
        The difference for each query, for instance between two rankers' nDCG. NaNs are left out.
    n_draws : int
        The number of random sign assignments.
    seed : int

    Returns
    -------
    float
        The two-sided p value.
    """
    differences = arguments.array("differences", differences, "n_queries", finite=False)
    n_draws, seed = arguments.integer("n_draws", n_draws, 1), arguments.seed(seed)
    differences = differences[~np.isnan(differences)]
    rng, observed = np.random.default_rng(seed), abs(differences.sum())
    larger = 0
    for start in range(0, n_draws, 500):
        drawn = rng.random((min(500, n_draws - start), len(differences)))
        sums = np.where(drawn < 0.5, -1, 1) @ differences
        larger += int((abs(sums) >= observed - 1e-12).sum())
    return (1 + larger) / (1 + n_draws)


def holm(p):
    """Correct p values for multiple testing with Holm's method (1979).

    Parameters
    ----------
    p : (n_tests,)

    Returns
    -------
    list of float
        The corrected p values, in the given order.
    """
    p = [arguments.number("p", each, 0, 1) for each in arguments.array("p", p, "n_tests")]
    order, corrected, largest = np.argsort(p, kind="stable"), np.empty(len(p)), 0.0
    for rank, k in enumerate(order):
        largest = max(largest, min(1.0, (len(p) - rank) * p[k]))
        corrected[k] = largest
    return corrected.tolist()
