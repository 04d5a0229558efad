"""Wrong answers for the checks of `lstm_course/exercises/momentum.py`."""

import numpy as np
from wrong_answers._replaced import replaced, said


def momentum_without_return(k, n_updates):
    """Returns nothing."""
    0.9 if k < 0.02 * n_updates or k >= 0.98 * n_updates else 0.995


MOMENTUM = """
def momentum(k, n_updates):
    return 0.995 if 0.02 * n_updates <= k < 0.98 * n_updates else 0.9
"""


def without_root(gradient, threshold):
    """The square of the norm for the norm."""
    norm = sum((g**2).sum() for g in gradient.values())
    return {name: g * threshold / norm if norm > threshold else g for name, g in gradient.items()}


def always_scaled(gradient, threshold):
    """Short ones are lengthened."""
    norm = np.sqrt(sum((g**2).sum() for g in gradient.values()))
    return {name: g * threshold / norm for name, g in gradient.items()}


def sum_of_norms(gradient, threshold):
    """Norms do not add up, their squares do."""
    norm = sum(np.linalg.norm(g) for g in gradient.values())
    return {name: g * threshold / norm if norm > threshold else g for name, g in gradient.items()}


def to_unit_length(gradient, threshold):
    """Forgets the threshold when scaling."""
    norm = np.sqrt(sum((g**2).sum() for g in gradient.values()))
    return {name: g / norm if norm > threshold else g for name, g in gradient.items()}


def clips_in_place(gradient, threshold):
    """Right, but writes into the caller's arrays."""
    norm = np.sqrt(sum((g**2).sum() for g in gradient.values()))
    for g in gradient.values():
        g *= min(1, threshold / max(norm, 1e-300))
    return gradient


CLIP = """
def clip(gradient, threshold):
    norm = np.sqrt(sum((g ** 2).sum() for g in gradient.values()))
    factor = threshold / norm if norm > threshold else 1.0
    return {name: g * factor for name, g in gradient.items()}
"""


WRONG = {
    "check_momentum": [
        *said(
            (
                "0.9 in the middle, 0.995 at both ends.",
                lambda k, n_updates: 0.9 if 0.02 * n_updates <= k < 0.98 * n_updates else 0.995,
            ),
            ("Forgets the last 2 %.", lambda k, n_updates: 0.9 if k < 0.02 * n_updates else 0.995),
            (
                "Forgets the first 2 %.",
                lambda k, n_updates: 0.9 if k >= 0.98 * n_updates else 0.995,
            ),
            (
                "0.2 for 2 %.",
                lambda k, n_updates: 0.9 if k < 0.2 * n_updates or k >= 0.8 * n_updates else 0.995,
            ),
            (
                "Two updates for 2 % of them.",
                lambda k, n_updates: 0.9 if k < 2 or k >= n_updates - 2 else 0.995,
            ),
            (
                "No update is in both.",
                lambda k, n_updates: (
                    0.9 if k < 0.02 * n_updates and k >= 0.98 * n_updates else 0.995
                ),
            ),
        ),
        momentum_without_return,
        *replaced(
            MOMENTUM,
            ("0.02 * n_updates <= k", "0.02 * n_updates < k"),
            ("k < 0.98", "k <= 0.98"),
            (
                "0.02 * n_updates <= k < 0.98 * n_updates",
                "0.02 * n_updates < k <= 0.98 * n_updates",
            ),
            ("0.02 * n_updates <= k", "int(0.02 * n_updates) <= k"),
            ("k < 0.98 * n_updates", "k < round(0.98 * n_updates)"),
            ("0.02 * n_updates", "0.02"),
            ("k < 0.98 * n_updates", "k + 1 < 0.98 * n_updates"),
            ("k < 0.98 * n_updates", "n_updates - 1 - k >= 0.02 * n_updates"),
            (
                "0.02 * n_updates <= k < 0.98 * n_updates",
                "0.02 * n_updates <= k + 1 < 0.98 * n_updates",
            ),
            ("0.995 if", "0.95 if"),
            ("else 0.9", "else 0.0"),
        ),
    ],
    "check_clip": [
        *said(
            (
                "Each array by its own norm.",
                lambda gradient, threshold: (
                    {
                        name: g * min(1, threshold / max(np.linalg.norm(g), 1e-300))
                        for name, g in gradient.items()
                    }
                ),
            ),
            (
                "Each element by itself.",
                lambda gradient, threshold: (
                    {name: np.clip(g, -threshold, threshold) for name, g in gradient.items()}
                ),
            ),
        ),
        without_root,
        always_scaled,
        sum_of_norms,
        to_unit_length,
        clips_in_place,
        *replaced(
            CLIP,
            ("gradient.values()", "(gradient[n] for n in ('W', 'Wrec', 'b'))"),
            ("gradient.items()", "((n, gradient[n]) for n in ('W', 'Wrec', 'b'))"),
            ("norm > threshold", "norm > threshold + 1"),
            ("norm > threshold", "norm + 1 > threshold"),
            ("norm > threshold", "norm < threshold"),
            ("if norm > threshold else 1.0", ""),
            ("threshold / norm if", "norm / threshold if"),
            ("(g ** 2).sum()", "np.abs(g).sum()"),
            ("(g ** 2).sum()", "(g ** 2).mean()"),
            ("g * factor", "g"),
            ("g * factor", "g + factor"),
            ("g * factor", "g * factor ** 2"),
            ("np.sqrt(sum(", "max(("),
        ),
    ],
}
