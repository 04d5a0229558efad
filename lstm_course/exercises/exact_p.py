"""Exercise for lesson 10a: an exact permutation test of a paired difference.

On the first input, every known mistake gives a different result, so that the check's message names
the mistake that was made.
"""

import numpy as np
from scipy import stats  # noqa: F401 - used by the mistakes in exact_p.toml

from ..engine import slips
from ..engine.minimize import check_answer
from ..engine.speed import check_speed

WHAT = "exact_p(differences)"


def _differences():
    every = [np.array([2, -1, 4, -4, 1, 2, 4])]
    every += [
        rng.integers(-9, 10, 5 + k) for k, rng in enumerate(map(np.random.default_rng, range(5)))
    ]
    # Edge cases: sum 0, all negative, all positive, all 0, a single query, one dominant difference.
    every += [[3, -1, -2, 5, -5], [-3, -4, -5, -1], [2, 2, 7], [0, 0, 0], [4], [-1], [0]]
    every += [[1, -2, 1000, 3], [200_000, 1]]
    return [{"differences": np.array(differences)} for differences in every]


def _of_many(function):
    given = {"differences": np.arange(18) - 6}
    check_speed(WHAT, function, exact_p, given, *slips.table(__file__)["slow"])
    for seed, n in enumerate([50, 50, 80]):  # 2^80 overflows 64-bit integers
        rng = np.random.default_rng(seed)
        differences = np.arange(1, n + 1) * rng.choice([-1, 1], n, p=[0.35, 0.65])
        given = {"differences": rng.permutation(differences)}
        wide = "2^80 is too large for a whole number of 64 bits: keep shares, not counts"
        reason = wide if n == 80 else ()
        check_answer(WHAT, function, given, slips.answer(exact_p, given), reason)
    # 1 - (1 - p) loses a p below 2^-53
    given, text = {"differences": np.arange(1, 61)}, "a small p is neither cut nor lost in rounding"
    check_answer(WHAT, function, given, 2.0**-59, text, tolerance=1e-20)
    return 4


@slips.check(WHAT, _differences, then=_of_many)
def exact_p(differences):
    """Return the exact two-sided p-value of the paired permutation test.

    Parameters
    ----------
    differences : (n,) of int

    Returns
    -------
    float
    """
    most = np.abs(differences).sum()
    share = np.zeros(2 * most + 1)
    share[most] = 1  # the middle element belongs to sum 0
    for d in differences:
        share = (np.roll(share, d) + np.roll(share, -d)) / 2
    sums = np.arange(-most, most + 1)
    return share[np.abs(sums) >= abs(differences.sum())].sum()
