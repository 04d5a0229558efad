"""Wrong answers for the checks of `lstm_course/exercises/sigmoid.py`."""

import numpy as np
from scipy.special import expit
from wrong_answers._replaced import said


def the_gate(share, n_words):
    """f, not b2."""
    return share ** (1 / (n_words - 1))


def one_word_more(share, n_words):
    """The first word is taken to be forgotten at its own time, too."""
    f = share ** (1 / n_words)
    return np.log(f / (1 - f))


def wrong_sign(share, n_words):
    """log((1 - f) / f)."""
    f = share ** (1 / (n_words - 1))
    return np.log((1 - f) / f)


def only_log(share, n_words):
    """log f."""
    return np.log(share) / (n_words - 1)


def divided(share, n_words):
    """The share divided, not its root."""
    f = share / (n_words - 1)
    return np.log(f / (1 - f))


def odds(share, n_words):
    """Without the logarithm. Told: its logarithm is b2"""
    f = share ** (1 / (n_words - 1))
    return f / (1 - f)


WRONG = {
    "check_sigmoid": [
        *said(
            (
                "Overflows at -1000, which NumPy only warns of, and is halved. Told: 0.5 times",
                lambda x: 0.5 * expit(x),
            ),
            ("From 0 to 2. Told: halve it", lambda x: 1 + np.tanh(0.5 * x)),
            ("The published slip.", lambda x: 0.5 * (1 + np.tanh(x))),
            ("The sign of the exponent.", lambda x: 1 / (1 + np.exp(x))),
            ("From -1 to 1.", lambda x: np.tanh(x / 2)),
            ("The bracket.", lambda x: 1 + 0.5 * np.tanh(x / 2)),
            ("NaN for a large x.", lambda x: np.exp(x) / (1 + np.exp(x))),
            ("2x for x/2.", lambda x: 0.5 * (1 + np.tanh(2 * x))),
        ),
    ],
    "check_forget_bias": [odds, the_gate, one_word_more, wrong_sign, only_log, divided],
}
