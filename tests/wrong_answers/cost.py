"""Wrong answers to the exercises of notebook 03."""

import numpy as np
from scipy.special import logsumexp


def inner_products(yq, yd):
    """Not divided by the lengths."""
    return yq @ yd.T


def titles_not_divided(yq, yd):
    """The lengths of the queries only."""
    return yq @ yd.T / np.linalg.norm(yq, axis=1, keepdims=True)


def length_of_the_array(yq, yd):
    """norm without axis: one number for all."""
    return yq @ yd.T / (np.linalg.norm(yq) * np.linalg.norm(yd))


def squared_lengths(yq, yd):
    """The root is missing."""
    return yq @ yd.T / ((yq**2).sum(axis=1)[:, None] * (yd**2).sum(axis=1))


def a_row_where_a_column_is_wanted(yq, yd):
    """keepdims is missing: NumPy lays the queries' lengths along the titles."""
    return yq @ yd.T / (np.linalg.norm(yq, axis=1) * np.linalg.norm(yd, axis=1))


def titles_first(yq, yd):
    """Titles in the rows."""
    return cosine(yq, yd).T


def divides_the_input(yq, yd):
    """Normalises the caller's array."""
    yq /= np.linalg.norm(yq, axis=1, keepdims=True)
    return cosine(yq, yd)


def cosine(yq, yd):
    return yq @ yd.T / np.outer(np.linalg.norm(yq, axis=1), np.linalg.norm(yd, axis=1))


def overflows(delta, gamma):
    """As printed."""
    return np.log(1 + np.exp(-gamma * delta).sum(axis=1))


def no_1(delta, gamma):
    """The clicked title is not in the sum."""
    return logsumexp(-gamma * delta, axis=1)


def plus_in_the_exponent(delta, gamma):
    """Rewards what should be punished."""
    return np.log1p(np.exp(gamma * delta).sum(axis=1))


def largest_without_0(delta, gamma):
    """m leaves the 1 out, and e^(-m) overflows where all titles are far behind."""
    m = (-gamma * delta).max(axis=1)
    return m + np.log(np.exp(-m) + np.exp(-gamma * delta - m[:, None]).sum(axis=1))


def m_not_added_again(delta, gamma):
    """m is taken out and forgotten."""
    m = np.maximum(0, (-gamma * delta).max(axis=1))
    return np.log(np.exp(-m) + np.exp(-gamma * delta - m[:, None]).sum(axis=1))


def m_and_still_1(delta, gamma):
    """The 1 is not divided by e^m."""
    m = np.maximum(0, (-gamma * delta).max(axis=1))
    return m + np.log(1 + np.exp(-gamma * delta - m[:, None]).sum(axis=1))


def clipped(delta, gamma):
    """Exponents are cut at 700 in the place of taking m out."""
    return np.log(1 + np.exp(np.minimum(-gamma * delta, 700)).sum(axis=1))


def in_bits(delta, gamma):
    """log2."""
    return right_cost(delta, gamma) / np.log(2)


def summed_over_pairs(delta, gamma):
    """Eq. (4) instead of (5)."""
    return right_cost(delta, gamma).sum()


def right_cost(delta, gamma):
    return logsumexp(np.hstack([np.zeros((len(delta), 1)), -gamma * delta]), axis=1)


def minus_too_few(delta, gamma):
    """The minus of (8) is taken for the one of (7)."""
    return -right_alpha(delta, gamma)


def no_gamma(delta, gamma):
    """The inner derivative is missing."""
    return right_alpha(delta, gamma) / gamma


def alpha_without_1(delta, gamma):
    """A softmax among the unclicked titles."""
    return -gamma * np.exp(-gamma * delta - logsumexp(-gamma * delta, axis=1)[:, None])


def each_title_alone(delta, gamma):
    """A sigmoid for each title."""
    e = np.exp(-gamma * delta)
    return -gamma * e / (1 + e)


def inf_by_inf(delta, gamma):
    """As printed."""
    e = np.exp(-gamma * delta)
    return -gamma * e / (1 + e.sum(axis=1, keepdims=True))


def all_pairs_in_the_denominator(delta, gamma):
    """sum without axis."""
    e = np.exp(-gamma * delta)
    return -gamma * e / (1 + e.sum())


def right_alpha(delta, gamma):
    return -gamma * np.exp(-gamma * delta - right_cost(delta, gamma)[:, None])


def hinge_turned_round(delta, margin):
    """Charges what is ahead."""
    return np.maximum(0, delta - margin).sum(axis=1), np.where(delta > margin, 1.0, 0.0)


def no_max(delta, margin):
    """What is far behind earns something."""
    return (margin - delta).sum(axis=1), np.full(delta.shape, -1.0)


def never_lets_go(delta, margin):
    """The derivative outside the margin."""
    return np.maximum(0, margin - delta).sum(axis=1), np.full(delta.shape, -1.0)


def pulls_the_wrong_way(delta, margin):
    """The derivative's sign."""
    return np.maximum(0, margin - delta).sum(axis=1), np.where(delta < margin, 1.0, 0.0)


def hardest_alone(delta, margin):
    """Only the title that is nearest to the clicked one."""
    hardest = delta == delta.min(axis=1, keepdims=True)
    return np.maximum(0, margin - delta.min(axis=1)), -1.0 * (hardest & (delta < margin))


def as_of_a_square(delta, margin):
    """The derivative grows with what is missing."""
    return np.maximum(0, margin - delta).sum(axis=1), -np.maximum(0, margin - delta)


def hinge_without_derivative(delta, margin):
    """One of the two only."""
    return np.maximum(0, margin - delta).sum(axis=1)


def alpha_times_delta(delta, gamma):
    """The factor gamma of alpha is left in."""
    return (right_alpha(delta, gamma) * delta).sum(axis=1)


def no_inner_derivative(delta, gamma):
    """Delta is missing."""
    return (right_alpha(delta, gamma) / gamma).sum(axis=1)


def gamma_minus_missing(delta, gamma):
    """The sign."""
    return -(right_alpha(delta, gamma) / gamma * delta).sum(axis=1)


def not_summed(delta, gamma):
    """One number for each title instead of each pair."""
    return right_alpha(delta, gamma) / gamma * delta


def largest_for_infinite(delta, gamma):
    """inf is patched with the largest exponent. Told: log 2 is missing"""
    l = np.log(1 + np.exp(-gamma * delta).sum(axis=1))
    return np.where(np.isfinite(l), l, (-gamma * delta).max(axis=1))


def one_pair_as_a_list(delta, gamma):
    """As a list, and right for small exponents only. Told: clip nothing"""
    return list(np.log(1 + np.exp(np.minimum(-gamma * delta, 600)).sum(axis=1)))


def no_logarithm(delta, gamma):
    """The sum. Told: has its logarithm"""
    return 1 + np.exp(-gamma * delta).sum(axis=1)


def gamma_in_front(delta, gamma):
    """gamma times the loss. Told: not the loss"""
    return gamma * np.log(1 + np.exp(-delta).sum(axis=1))


def sums_of_absolute_values(yq, yd):
    """The other norm. Told: not the sum of absolute values"""
    return yq @ yd.T / (np.abs(yq).sum(axis=1)[:, None] * np.abs(yd).sum(axis=1))


def lengths_together(yq, yd):
    """|q| + |d|. Told: the lengths are added"""
    return yq @ yd.T / (np.linalg.norm(yq, axis=1)[:, None] + np.linalg.norm(yd, axis=1))


def never_ends(yq, yd):
    """An endless loop. Told: seconds of processor time"""
    while True:
        pass


def alpha_summed(delta, gamma):
    """One number for a pair. Told: one number for each title"""
    return right_alpha(delta, gamma).sum(axis=1)


def no_margin(delta, margin):
    """Delta alone. Told: the margin is missing"""
    return np.maximum(0, -delta).sum(axis=1), np.where(delta < 0, -1.0, 0.0)


def counted(delta, margin):
    """How many. Told: this counts the titles"""
    return (delta < margin).sum(axis=1), np.where(delta < margin, -1.0, 0.0)


def the_loss_itself(delta, gamma):
    """Not derived. Told: this is the loss itself"""
    return np.log(1 + np.exp(-gamma * delta).sum(axis=1))


def by_delta(delta, gamma):
    """alpha, summed over nothing. Told: asked for is that by gamma"""
    return right_alpha(delta, gamma)


WRONG = {
    "check_cosine": [
        sums_of_absolute_values,
        lengths_together,
        never_ends,
        inner_products,
        titles_not_divided,
        length_of_the_array,
        squared_lengths,
        a_row_where_a_column_is_wanted,
        titles_first,
        divides_the_input,
    ],
    "check_cost": [
        largest_for_infinite,
        one_pair_as_a_list,
        no_logarithm,
        gamma_in_front,
        overflows,
        no_1,
        plus_in_the_exponent,
        largest_without_0,
        m_not_added_again,
        m_and_still_1,
        clipped,
        in_bits,
        summed_over_pairs,
    ],
    "check_alpha": [
        alpha_summed,
        minus_too_few,
        no_gamma,
        alpha_without_1,
        each_title_alone,
        inf_by_inf,
        all_pairs_in_the_denominator,
    ],
    "check_hinge": [
        no_margin,
        counted,
        hinge_turned_round,
        no_max,
        never_lets_go,
        pulls_the_wrong_way,
        hardest_alone,
        as_of_a_square,
        hinge_without_derivative,
    ],
    "check_gamma_gradient": [
        the_loss_itself,
        by_delta,
        alpha_times_delta,
        no_inner_derivative,
        gamma_minus_missing,
        not_summed,
    ],
}
