"""Wrong answers for the checks of `lstm_course/exercises/cost_gradient.py`."""

import numpy as np
from scipy.special import logsumexp
from wrong_answers._replaced import said
from wrong_answers.cost import right_cost


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


def hardest_alone(delta, margin):
    """Only the title that is nearest to the clicked one."""
    hardest = delta == delta.min(axis=1, keepdims=True)
    return np.maximum(0, margin - delta.min(axis=1)), -1.0 * (hardest & (delta < margin))


WRONG = {
    "check_alpha": [
        *said(
            (
                "One number for a pair. Told: one number for each title",
                lambda delta, gamma: right_alpha(delta, gamma).sum(axis=1),
            ),
            (
                "The minus of (8) is taken for the one of (7).",
                lambda delta, gamma: -right_alpha(delta, gamma),
            ),
            (
                "The inner derivative is missing.",
                lambda delta, gamma: right_alpha(delta, gamma) / gamma,
            ),
            (
                "A softmax among the unclicked titles.",
                lambda delta, gamma: (
                    -gamma * np.exp(-gamma * delta - logsumexp(-gamma * delta, axis=1)[:, None])
                ),
            ),
        ),
        each_title_alone,
        inf_by_inf,
        all_pairs_in_the_denominator,
    ],
    "check_hinge": [
        *said(
            (
                "Delta alone. Told: the margin is missing",
                lambda delta, margin: (
                    np.maximum(0, -delta).sum(axis=1),
                    np.where(delta < 0, -1.0, 0.0),
                ),
            ),
            (
                "How many. Told: this counts the titles",
                lambda delta, margin: (
                    (delta < margin).sum(axis=1),
                    np.where(delta < margin, -1.0, 0.0),
                ),
            ),
            (
                "Charges what is ahead.",
                lambda delta, margin: (
                    np.maximum(0, delta - margin).sum(axis=1),
                    np.where(delta > margin, 1.0, 0.0),
                ),
            ),
            (
                "What is far behind earns something.",
                lambda delta, margin: ((margin - delta).sum(axis=1), np.full(delta.shape, -1.0)),
            ),
            (
                "The derivative outside the margin.",
                lambda delta, margin: (
                    np.maximum(0, margin - delta).sum(axis=1),
                    np.full(delta.shape, -1.0),
                ),
            ),
            (
                "The derivative's sign.",
                lambda delta, margin: (
                    np.maximum(0, margin - delta).sum(axis=1),
                    np.where(delta < margin, 1.0, 0.0),
                ),
            ),
        ),
        hardest_alone,
        *said(
            (
                "The derivative grows with what is missing.",
                lambda delta, margin: (
                    np.maximum(0, margin - delta).sum(axis=1),
                    -np.maximum(0, margin - delta),
                ),
            ),
            (
                "One of the two only.",
                lambda delta, margin: np.maximum(0, margin - delta).sum(axis=1),
            ),
        ),
    ],
    "check_gamma_gradient": [
        *said(
            (
                "Not derived. Told: this is the loss itself",
                lambda delta, gamma: np.log(1 + np.exp(-gamma * delta).sum(axis=1)),
            ),
            (
                "alpha, summed over nothing. Told: asked for is that by gamma",
                lambda delta, gamma: right_alpha(delta, gamma),
            ),
            (
                "The factor gamma of alpha is left in.",
                lambda delta, gamma: (right_alpha(delta, gamma) * delta).sum(axis=1),
            ),
            (
                "Delta is missing.",
                lambda delta, gamma: (right_alpha(delta, gamma) / gamma).sum(axis=1),
            ),
            (
                "The sign.",
                lambda delta, gamma: -(right_alpha(delta, gamma) / gamma * delta).sum(axis=1),
            ),
            (
                "One number for each title instead of each pair.",
                lambda delta, gamma: right_alpha(delta, gamma) / gamma * delta,
            ),
        ),
    ],
}
