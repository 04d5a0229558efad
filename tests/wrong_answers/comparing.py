"""Wrong answers for the checks of `lstm_course/exercises/comparing.py`."""

import numpy as np
from wrong_answers._replaced import replaced, said


def _peepholes(n_cells, peepholes):
    return {None: 0, "diagonal": n_cells, "full": n_cells**2}[peepholes]


def without_biases(n_trigrams, n_cells, forget_gate, peepholes):
    """No b1 … b4."""
    sums = 4 if forget_gate else 3
    return sums * n_cells * (n_trigrams + n_cells) + (sums - 1) * _peepholes(n_cells, peepholes)


def always_four(n_trigrams, n_cells, forget_gate, peepholes):
    """A forget gate that is not there."""
    return 4 * n_cells * (n_trigrams + n_cells + 1) + 3 * _peepholes(n_cells, peepholes)


def peephole_of_yg(n_trigrams, n_cells, forget_gate, peepholes):
    """A peephole for every sum, that of y_g included."""
    sums = 4 if forget_gate else 3
    return sums * n_cells * (n_trigrams + n_cells + 1) + sums * _peepholes(n_cells, peepholes)


def both_sides(n_trigrams, n_cells, forget_gate, peepholes):
    """Query and document together."""
    sums = 4 if forget_gate else 3
    return 2 * (
        sums * n_cells * (n_trigrams + n_cells + 1) + (sums - 1) * _peepholes(n_cells, peepholes)
    )


def recurrent_sees_trigrams(n_trigrams, n_cells, forget_gate, peepholes):
    """W_rec as large as W."""
    sums = 4 if forget_gate else 3
    return sums * n_cells * (2 * n_trigrams + 1) + (sums - 1) * _peepholes(n_cells, peepholes)


N_PARAMETERS = """
def n_parameters(n_trigrams, n_cells, forget_gate, peepholes):
    n_sums = 4 if forget_gate else 3
    in_each = {None: 0, 'diagonal': n_cells, 'full': n_cells ** 2}
    in_a_peephole = in_each[peepholes]
    sums = n_sums * n_cells * (n_trigrams + n_cells + 1)
    return sums + (n_sums - 1) * in_a_peephole
"""


def unpaired(a, b, draws):
    """Other queries for b than for a."""
    means = a[draws].mean(axis=1) - b[draws[::-1]].mean(axis=1)
    return (a - b).mean(), *np.percentile(means, [2.5, 97.5])


def difference_of_intervals(a, b, draws):
    """Two intervals, one minus the other."""
    low_a, high_a, low_b, high_b = (
        q for v in (a, b) for q in np.percentile(v[draws].mean(axis=1), [2.5, 97.5])
    )
    return (a - b).mean(), low_a - high_b, high_a - low_b


def normal_approximation(a, b, draws):
    """No draws at all."""
    d, error = a - b, 1.96 * (a - b).std(ddof=1) / np.sqrt(len(a))
    return d.mean(), d.mean() - error, d.mean() + error


def fractions_for_percent(a, b, draws):
    """0.025 is not 2.5 percent."""
    return (a - b).mean(), *np.percentile((a - b)[draws].mean(axis=1), [0.025, 0.975])


PAIRED = """
def paired_interval(a, b, draws):
    difference = a - b
    low, high = np.percentile(difference[draws].mean(axis=1), [2.5, 97.5])
    return difference.mean(), low, high
"""


WRONG = {
    "check_n_parameters": [
        without_biases,
        always_four,
        peephole_of_yg,
        both_sides,
        recurrent_sees_trigrams,
        *replaced(
            N_PARAMETERS,
            ("n_cells + 1)", "n_cells)"),
            ("n_sums * n_cells * (n_trigrams", "n_cells * (n_trigrams"),
            ("n_sums * n_cells * (n_trigrams", "n_sums * (n_trigrams"),
            ("(n_trigrams + n_cells + 1)", "(n_trigrams * n_cells + 1)"),
            ("(n_sums - 1) * in_a_peephole", "in_a_peephole"),
            ("sums + (n_sums - 1) * in_a_peephole", "sums"),
            ("(n_sums - 1)", "n_sums"),
            ("(n_sums - 1)", "(n_sums + 1)"),
            ("(n_sums - 1)", "(n_sums - 2)"),
            ("(n_trigrams + n_cells + 1)", "n_trigrams"),
        ),
    ],
    "check_paired_interval": [
        unpaired,
        difference_of_intervals,
        *said(
            (
                "Five percent on each side.",
                lambda a, b, draws: (
                    (a - b).mean(),
                    *np.percentile((a - b)[draws].mean(axis=1), [5, 95]),
                ),
            ),
            (
                "Where queries lie, not their mean.",
                lambda a, b, draws: ((a - b).mean(), *np.percentile(a - b, [2.5, 97.5])),
            ),
            (
                "The mean over the other axis.",
                lambda a, b, draws: (
                    (a - b).mean(),
                    *np.percentile((a - b)[draws].mean(axis=0), [2.5, 97.5]),
                ),
            ),
            (
                "The other way round.",
                lambda a, b, draws: (
                    (b - a).mean(),
                    *np.percentile((b - a)[draws].mean(axis=1), [2.5, 97.5]),
                ),
            ),
        ),
        normal_approximation,
        fractions_for_percent,
        *replaced(
            PAIRED,
            ("[2.5, 97.5]", "[0, 95]"),
            ("[2.5, 97.5]", "[2.5, 95]"),
            ("[2.5, 97.5]", "[97.5, 2.5]"),
            ("return difference.mean(), low, high", "return low, high, difference.mean()"),
            (".mean(axis=1)", ""),
            (".mean(axis=1)", ".sum(axis=1)"),
            (".mean(axis=1)", ".mean()"),
            (
                "np.percentile(difference[draws].mean(axis=1), [2.5, 97.5])",
                "np.sort(difference[draws].mean(axis=1))[[len(draws) // 40, -len(draws) // 40]]",
            ),
            ("return difference.mean()", "return difference[draws].mean()"),
            ("return difference.mean()", "return np.median(difference)"),
            ("a - b", "abs(a - b)"),
            ("return difference.mean(), low, high", "return difference.mean(), high - low"),
            (
                "return difference.mean(), low, high",
                "return difference.mean(), difference.mean() - low, high",
            ),
            (
                "np.percentile(difference[draws].mean(axis=1), [2.5, 97.5])",
                "np.percentile(difference[draws].mean(axis=1), [2.5, 97.5], method='lower')",
            ),
        ),
    ],
}
