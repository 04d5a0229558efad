"""Wrong answers to the exercises of notebook 07."""

import numpy as np
from wrong_answers._replaced import replaced


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


def _norms(errors):
    return [np.linalg.norm(e, axis=1)[::-1] for e in errors]


def _medians(norms, n):
    return np.array([np.median([v[d] for v in norms if len(v) > d]) for d in range(n + 1)])


def from_the_front(errors, n):
    """Counts the distance from the first word."""
    median = _medians([v[::-1] for v in _norms(errors)], n)
    return median / median[0]


def not_relative(errors, n):
    """The median norms themselves."""
    return _medians(_norms(errors), n)


def means(errors, n):
    """Means for medians."""
    norms = _norms(errors)
    mean = np.array([np.mean([v[d] for v in norms if len(v) > d]) for d in range(n + 1)])
    return mean / mean[0]


def each_relative(errors, n):
    """Divides within each text."""
    return _medians([v / v[0] for v in _norms(errors)], n)


def zeros_for_missing_words(errors, n):
    """Short texts are filled up with zeros."""
    padded = [np.append(v, np.zeros(20)) for v in _norms(errors)]
    return _medians(padded, n) / _medians(padded, n)[0]


def long_texts_only(errors, n):
    """Short texts are left out everywhere."""
    median = _medians([v for v in _norms(errors) if len(v) > n], n)
    return median / median[0]


def runs_out_of_words(errors, n):
    """Short texts have no word so far back."""
    return np.array([np.median([np.linalg.norm(e[-1 - d]) for e in errors]) for d in range(n + 1)])


def with_its_own_gate(f):
    """f(t) is in the product for c(t)."""
    return np.cumprod(f[::-1], axis=0)[::-1]


def from_the_first_word(f):
    """The product starts at the wrong end."""
    return np.cumprod(f, axis=0)


def next_gate_only(f):
    """One step, not all."""
    return np.vstack([f[1:], np.ones(f.shape[1])])


def last_word_first(f):
    """The rows are turned round."""
    return np.cumprod(np.vstack([f[1:], np.ones(f.shape[1])])[::-1], axis=0)


def sums_of_gates(f):
    """Adds up where factors multiply."""
    return np.cumsum(f[::-1], axis=0)[::-1]


def _dc_dc(
    gates="234",
    turn=False,
    dy=lambda before, now: before.o * (1 - np.tanh(before.c) ** 2),
    f=lambda now: now.f,
    doc="",
):
    def dc_dc(params, before, now):
        by_gate = {
            "2": before.c * now.f * (1 - now.f),
            "3": now.yg * now.i * (1 - now.i),
            "4": now.i * (1 - now.yg**2),
        }
        Wrec = {k: params["Wrec" + k].T if turn else params["Wrec" + k] for k in gates}
        return np.diag(f(now)) + sum(
            np.diag(by_gate[k]) @ Wrec[k] @ np.diag(dy(before, now)) for k in gates
        )

    dc_dc.__doc__ = doc
    return dc_dc


def straight_way_only(params, before, now):
    """As if no gate saw y(t-1)."""
    return np.diag(now.f)


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


def ninety_percent(a, b, draws):
    """Five percent on each side."""
    return (a - b).mean(), *np.percentile((a - b)[draws].mean(axis=1), [5, 95])


def of_single_queries(a, b, draws):
    """Where queries lie, not their mean."""
    return (a - b).mean(), *np.percentile(a - b, [2.5, 97.5])


def over_the_draws(a, b, draws):
    """The mean over the other axis."""
    return (a - b).mean(), *np.percentile((a - b)[draws].mean(axis=0), [2.5, 97.5])


def b_minus_a(a, b, draws):
    """The other way round."""
    return (b - a).mean(), *np.percentile((b - a)[draws].mean(axis=1), [2.5, 97.5])


def normal_approximation(a, b, draws):
    """No draws at all."""
    d, error = a - b, 1.96 * (a - b).std(ddof=1) / np.sqrt(len(a))
    return d.mean(), d.mean() - error, d.mean() + error


def fractions_for_percent(a, b, draws):
    """0.025 is not 2.5 percent."""
    return (a - b).mean(), *np.percentile((a - b)[draws].mean(axis=1), [0.025, 0.975])


N_PARAMETERS = """
def n_parameters(n_trigrams, n_cells, forget_gate, peepholes):
    n_sums = 4 if forget_gate else 3
    in_each = {None: 0, 'diagonal': n_cells, 'full': n_cells ** 2}
    in_a_peephole = in_each[peepholes]
    sums = n_sums * n_cells * (n_trigrams + n_cells + 1)
    return sums + (n_sums - 1) * in_a_peephole
"""

SHARE_LEFT = """
def share_left(errors, n):
    median = np.zeros(n + 1)
    for d in range(n + 1):
        at_d = [np.linalg.norm(e[-1 - d]) for e in errors if len(e) > d]
        median[d] = np.median(at_d)
    return median / median[0]
"""

MEMORY_PATH = """
def memory_path(f):
    found = np.ones_like(f)
    for t in range(len(f) - 2, -1, -1):
        found[t] = f[t + 1] * found[t + 1]
    return found
"""

DC_DC = """
def dc_dc(params, before, now):
    dy = before.o * (1 - np.tanh(before.c) ** 2)
    by_f = (before.c * now.f * (1 - now.f))[:, None] * params['Wrec2']
    by_i = (now.yg * now.i * (1 - now.i))[:, None] * params['Wrec3']
    by_yg = (now.i * (1 - now.yg ** 2))[:, None] * params['Wrec4']
    return np.diag(now.f) + (by_f + by_i + by_yg) * dy
"""

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
    "check_share_left": [
        from_the_front,
        not_relative,
        means,
        each_relative,
        zeros_for_missing_words,
        long_texts_only,
        runs_out_of_words,
        *replaced(
            SHARE_LEFT,
            ("range(n + 1)", "range(n)"),
            ("range(n + 1)", "range(1, n + 1)"),
            ("e[-1 - d]", "e[-d]"),
            ("e[-1 - d]", "e[d]"),
            ("np.linalg.norm(e[-1 - d])", "np.linalg.norm(e[-1 - d]) ** 2"),
            ("np.linalg.norm(e[-1 - d])", "np.abs(e[-1 - d]).max()"),
            ("np.linalg.norm(e[-1 - d])", "e[-1 - d].sum()"),
            ("np.median(at_d)", "sorted(at_d)[len(at_d) // 2]"),
            ("np.median(at_d)", "np.mean(at_d)"),
            ("np.median(at_d)", "np.max(at_d)"),
            ("len(e) > d", "len(e) > d + 1"),
            ("/ median[0]", ""),
            ("/ median[0]", "/ median.max()"),
            ("/ median[0]", "/ median.sum()"),
            ("/ median[0]", "- median[0]"),
            ("/ median[0]", "/ median"),
        ),
    ],
    "check_memory_path": [
        with_its_own_gate,
        from_the_first_word,
        next_gate_only,
        last_word_first,
        sums_of_gates,
        *replaced(
            MEMORY_PATH,
            ("    return found", "    return np.cumprod(f[::-1], axis=0)[::-1] / f"),
            ("    return found", "    return np.prod(f, axis=0) / np.cumprod(f, axis=0)"),
            ("f[t + 1] * found", "f[t] * found"),
            ("f[t + 1] * found[t + 1]", "f[t + 1]"),
            ("f[t + 1] * found", "f[t + 1] + found"),
            ("range(len(f) - 2, -1, -1)", "range(len(f) - 2, 0, -1)"),
            ("range(len(f) - 2, -1, -1)", "range(len(f) - 1)"),
            ("    return found", "    return found[::-1]"),
            ("    return found", "    return found[0]"),
            ("np.ones_like(f)", "np.zeros_like(f)"),
            ("f[t + 1] * found", "(1 - f[t + 1]) * found"),
        ),
    ],
    "check_dc_dc": [
        straight_way_only,
        _dc_dc("34", doc="No way through the forget gate."),
        _dc_dc("23", doc="No way through y_g."),
        _dc_dc("24", doc="No way through the input gate."),
        _dc_dc(turn=True, doc="W_rec transposed, as for errors."),
        _dc_dc(dy=lambda before, now: before.o, doc="No derivative of tanh."),
        _dc_dc(dy=lambda before, now: np.ones(4), doc="y(t-1) taken for c(t-1)."),
        _dc_dc(
            dy=lambda before, now: now.o * (1 - np.tanh(now.c) ** 2), doc="o and c a word too late."
        ),
        _dc_dc(
            dy=lambda before, now: before.o * (1 - before.y**2),
            doc="1 - y^2 for the derivative of tanh(c).",
        ),
        _dc_dc(f=lambda now: np.ones(4), doc="As without a forget gate."),
        *replaced(
            DC_DC,
            ("(1 - now.f)", "now.f"),
            ("now.f * (1 - now.f)", "now.f"),
            ("now.i * (1 - now.i)", "(1 - now.i)"),
            ("now.f * (1 - now.f)", "(1 - now.f ** 2)"),
            ("1 - now.yg ** 2", "now.yg * (1 - now.yg)"),
            ("(1 - now.yg ** 2)", "now.yg"),
            ("1 - now.yg ** 2", "1 + now.yg ** 2"),
            ("by_f + by_i + by_yg", "by_f - by_i + by_yg"),
            ("np.diag(now.f)", "now.f"),
            ("np.diag(now.f)", "np.diag(before.c * now.f)"),
            ("np.diag(now.f)", "np.diag(before.f)"),
            ("(by_f + by_i + by_yg) * dy", "dy[:, None] * (by_f + by_i + by_yg)"),
            ("(by_f + by_i + by_yg) * dy", "(by_f + by_i + by_yg) @ dy"),
            ("np.tanh(before.c) ** 2", "before.c ** 2"),
            ("before.c * now.f", "now.c * now.f"),
            ("now.yg * now.i", "before.yg * now.i"),
            ("[:, None] * params['Wrec2']", "* params['Wrec2']"),
            ("params['Wrec2']", "params['Wrec3']"),
            ("params['Wrec3']", "params['Wrec4']"),
            ("params['Wrec4']", "params['Wrec4'].T"),
        ),
    ],
    "check_paired_interval": [
        unpaired,
        difference_of_intervals,
        ninety_percent,
        of_single_queries,
        over_the_draws,
        b_minus_a,
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
