"""Wrong answers for the checks of `lstm_course/exercises/exact_p.py`."""

import itertools

import numpy as np
from scipy import stats
from wrong_answers._replaced import replaced, said


def _signs(differences):
    return np.array(list(itertools.product([-1, 1], repeat=len(differences))))


def counted_as_if_drawn(differences):
    """1 / (1 + n), where nothing is drawn."""
    larger = abs(_signs(differences) @ differences) >= abs(differences.sum())
    return (1 + larger.sum()) / (1 + len(larger))


def all_signs_tried(differences):
    """Right, and too slow."""
    if len(differences) > 20:
        raise AssertionError("the check must have noticed before")
    return (abs(_signs(differences) @ differences) >= abs(differences.sum())).mean()


def counts_of_64_bits(differences):
    """2^64 choices and more are counted as if there were none."""
    most = np.abs(differences).sum()
    count = np.zeros(2 * most + 1, np.int64)
    count[most] = 1
    for d in differences:
        count = np.roll(count, d) + np.roll(count, -d)
    far = np.abs(np.arange(-most, most + 1)) >= abs(differences.sum())
    return count[far].sum() / 2.0 ** len(differences)


def random_signs(differences):
    """10,000 draws."""
    signs = np.random.default_rng(0).choice([-1, 1], (10_000, len(differences)))
    return (abs(signs @ differences) >= abs(differences.sum())).mean()


EXACT_P = """
def exact_p(differences):
    most = np.abs(differences).sum()
    share = np.zeros(2 * most + 1)
    share[most] = 1
    for d in differences:
        share = (np.roll(share, d) + np.roll(share, -d)) / 2
    sums = np.arange(-most, most + 1)
    return share[np.abs(sums) >= abs(differences.sum())].sum()
"""


WRONG = {
    "check_exact_p": [
        *said(
            (
                "Only sums above.",
                lambda differences: (_signs(differences) @ differences >= differences.sum()).mean(),
            ),
            (
                "> for >=.",
                lambda differences: (
                    abs(_signs(differences) @ differences) > abs(differences.sum())
                ).mean(),
            ),
        ),
        counted_as_if_drawn,
        all_signs_tried,
        random_signs,
        counts_of_64_bits,
        *said(
            (
                "Counts the signs only.",
                lambda differences: (
                    stats.binomtest(
                        int((differences > 0).sum()), int((differences != 0).sum())
                    ).pvalue
                ),
            ),
            ("Another test.", lambda differences: stats.ttest_1samp(differences, 0).pvalue),
        ),
        *replaced(
            EXACT_P,
            ("np.abs(sums) >=", "sums >="),
            ("np.abs(sums) >=", "np.abs(sums) >"),
            ("np.abs(sums) >=", "np.abs(sums) <="),
            ("abs(differences.sum())", "differences.sum()"),
            ("abs(differences.sum())", "np.abs(differences).sum()"),
            (
                "return share[np.abs(sums) >= abs(differences.sum())].sum()",
                "return 2 * share[sums >= abs(differences.sum())].sum()",
            ),
            (
                "return share[np.abs(sums) >= abs(differences.sum())].sum()",
                "return share[most + differences.sum()]",
            ),
            ("np.roll(share, -d)) / 2", "np.roll(share, -d))"),
            ("np.roll(share, -d)) / 2", "np.roll(share, -d) + share) / 3"),
            ("share[most] = 1", "share[0] = 1"),
            ("np.abs(differences).sum()\n", "abs(differences.sum())\n"),
            ("np.abs(differences).sum()\n", "5 * np.abs(differences).max()\n"),
            ("].sum()", "].mean()"),
            ("].sum()", "].sum().round(3)"),
        ),
    ],
}
