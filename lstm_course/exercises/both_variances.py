"""Exercise for lesson 10a: an interval that allows for other queries and training runs."""

import numpy as np

from ..engine import slips


def _trainings():
    # (k, m, n): the two models have k and m training runs, and there are n queries
    for seed, (k, m, n) in enumerate([(3, 3, 8), (2, 5, 6), (4, 2, 4), (3, 3, 40), (2, 2, 2)]):
        rng = np.random.default_rng(seed)
        queries, trainings = 0.2 * rng.standard_normal(n), 0.1 * rng.standard_normal((k + m, 1))
        values = 0.6 + queries + trainings + 0.05 * rng.standard_normal((k + m, n))
        yield {"ours": values[:k].round(3), "theirs": values[k:].round(3)}


@slips.check("mean, low, high", _trainings)
def difference(ours, theirs):
    """Return two models' mean difference in nDCG and its 95 % interval.

    Parameters
    ----------
    ours : (k, n_queries)
        nDCG, one row per training run.
    theirs : (m, n_queries)

    Returns
    -------
    mean, low, high : float
    """
    d = ours.mean(axis=0) - theirs.mean(axis=0)
    of_queries = d.var(ddof=1) / len(d)
    pooled = (ours.mean(axis=1).var(ddof=1) + theirs.mean(axis=1).var(ddof=1)) / 2
    of_trainings = pooled * (1 / len(ours) + 1 / len(theirs))
    half = 1.96 * np.sqrt(of_queries + of_trainings)
    return d.mean(), d.mean() - half, d.mean() + half
