"""Wrong answers for the checks of `lstm_course/exercises/rnn_gradient.py`."""

import numpy as np
from wrong_answers._replaced import said
from wrong_answers.truncated import right_weights


def back_from_mean(Wrec, y, v, last, every, recur=1.0):
    """last: the error of y(T); every: what is added to that of each y(t) before it."""
    delta, dy = np.zeros_like(y), last
    for t in range(len(y) - 1, 0, -1):
        delta[t] = (1 - y[t] ** 2) * dy
        dy = every + recur * Wrec.T @ delta[t]
    return delta


def added_after_the_slope(Wrec, y, v):
    """v/T does not pass tanh."""
    T, delta = len(y) - 1, np.zeros_like(y)
    delta[T] = v / T
    for t in range(T - 1, 0, -1):
        delta[t] = v / T + (1 - y[t] ** 2) * (Wrec.T @ delta[t + 1])
    return delta


def all_divided(Wrec, y, v):
    """1/T at every step back."""
    T = len(y) - 1
    return back_from_mean(Wrec, y, v, v / T, v / T, recur=1 / T)


def _mean(back=lambda Wrec: Wrec.T, slope=lambda y: 1 - y**2, to=0):
    def send_back_mean(Wrec, y, v):
        T, delta = len(y) - 1, np.zeros_like(y)
        dy = v / T
        for t in range(T, to, -1):
            delta[t] = slope(y[t]) * dy
            dy = v / T + back(Wrec) @ delta[t]
        return delta

    return send_back_mean


mean_untransposed = _mean(back=lambda Wrec: Wrec)
mean_untransposed.__doc__ = "Wrec for its transpose. Told: Wrec is not transposed"


mean_no_slope = _mean(slope=lambda y: 1)
mean_no_slope.__doc__ = "tanh is not derived. Told: the derivative of tanh is missing"


mean_stops_early = _mean(to=1)
mean_stops_early.__doc__ = "Without the first word. Told: the first word is missing"


WRONG = {
    "check_send_back": [
        *said(
            ("1 + y². Told: not 1 + y²", lambda Wrec, y, delta: (1 + y**2) * (Wrec.T @ delta)),
            ("The matrix of the way forward.", lambda Wrec, y, delta: (1 - y**2) * (Wrec @ delta)),
            (
                "y is taken for the sum inside tanh.",
                lambda Wrec, y, delta: (1 - np.tanh(y) ** 2) * (Wrec.T @ delta),
            ),
            ("y (1 - y).", lambda Wrec, y, delta: y * (1 - y) * (Wrec.T @ delta)),
            ("The error of y(t-1), not of the sum.", lambda Wrec, y, delta: Wrec.T @ delta),
            (
                "The two factors in the wrong order.",
                lambda Wrec, y, delta: Wrec.T @ ((1 - y**2) * delta),
            ),
            ("`*` for `@`.", lambda Wrec, y, delta: (1 - y) * (1 + y) * Wrec.T * delta),
        ),
    ],
    "check_weights_gradient": [
        *said(
            (
                "y(t) for y(t-1).",
                lambda delta, y, L: right_weights(delta, y, L) | {"Wrec": delta[1:].T @ y[1:]},
            ),
            (
                "The words are not added up.",
                lambda delta, y, L: (
                    {
                        "W": np.outer(delta[-1], L[-1]),
                        "Wrec": np.outer(delta[-1], y[-2]),
                        "b": delta[-1],
                    }
                ),
            ),
            (
                "As in the paper, which prints no gradient for b.",
                lambda delta, y, L: ({"W": delta[1:].T @ L, "Wrec": delta[1:].T @ y[:-1]}),
            ),
            (
                "delta(T) for the sum.",
                lambda delta, y, L: right_weights(delta, y, L) | {"b": delta[-1]},
            ),
            (
                "Wrec transposed.",
                lambda delta, y, L: right_weights(delta, y, L) | {"Wrec": y[:-1].T @ delta[1:]},
            ),
            (
                "delta(t-1) with l(t).",
                lambda delta, y, L: right_weights(delta, y, L) | {"W": delta[:-1].T @ L},
            ),
            (
                "Averaged.",
                lambda delta, y, L: (
                    {name: value / len(L) for name, value in right_weights(delta, y, L).items()}
                ),
            ),
            (
                "T + 1 rows and T rows do not fit.",
                lambda delta, y, L: right_weights(delta, y, L) | {"W": delta.T @ L},
            ),
        ),
    ],
    "check_mean_embedding": [
        mean_untransposed,
        mean_no_slope,
        mean_stops_early,
        *said(
            ("The lesson's send_back.", lambda Wrec, y, v: back_from_mean(Wrec, y, v, v, 0)),
            ("1/T is missing.", lambda Wrec, y, v: back_from_mean(Wrec, y, v, v, v)),
            (
                "v/T at the last word alone.",
                lambda Wrec, y, v: back_from_mean(Wrec, y, v, v / (len(y) - 1), 0),
            ),
            (
                "The way through the next word is forgotten.",
                lambda Wrec, y, v: back_from_mean(
                    Wrec, y, v, v / (len(y) - 1), v / (len(y) - 1), recur=0
                ),
            ),
            (
                "Divides by T + 1.",
                lambda Wrec, y, v: back_from_mean(Wrec, y, v, v / len(y), v / len(y)),
            ),
        ),
        added_after_the_slope,
        all_divided,
    ],
}
