"""Wrong answers for the checks of `lstm_course/exercises/truncated.py`."""

import numpy as np
from wrong_answers._replaced import said


def right_weights(delta, y, L):
    return {"W": delta[1:].T @ L, "Wrec": delta[1:].T @ y[:-1], "b": delta[1:].sum(axis=0)}


def cut(params, L, y, v, words):
    """The gradient of the last so many words."""
    T, delta, dy = len(L), np.zeros_like(y), v
    for t in range(T, max(0, T - words), -1):
        delta[t] = (1 - y[t] ** 2) * dy
        dy = params["Wrec"].T @ delta[t]
    return right_weights(delta, y, L)


def first_words_kept(params, L, y, v, truncate):
    """Cut at the wrong end."""
    T, delta, dy = len(L), np.zeros_like(y), v
    for t in range(T, 0, -1):
        delta[t] = (1 - y[t] ** 2) * dy
        dy = params["Wrec"].T @ delta[t]
    delta[truncate + 2 :] = 0
    return right_weights(delta, y, L)


def runs_past_the_first_word(params, L, y, v, truncate):
    """No bound at the first word: negative rows count from the end."""
    T, delta, dy = len(L), np.zeros_like(y), v
    for t in range(T, T - 1 - truncate, -1):
        delta[t] = (1 - y[t] ** 2) * dy
        dy = params["Wrec"].T @ delta[t]
    return right_weights(delta, y, L)


def text_cut_as_well(params, L, y, v, truncate):
    """As if the text started at the first word that contributes."""
    start = max(0, len(L) - 1 - truncate)
    y = y[start:].copy()
    y[0] = 0
    return cut(params, L[start:], y, v, len(L))


def v_for_delta(params, L, y, v, truncate):
    """tanh' is missing at the last word."""
    T, delta = len(L), np.zeros_like(y)
    delta[T] = v
    for t in range(T - 1, max(0, T - 1 - truncate), -1):
        delta[t] = (1 - y[t] ** 2) * (params["Wrec"].T @ delta[t + 1])
    return right_weights(delta, y, L)


def _truncated(back=lambda Wrec: Wrec.T, slope=lambda y, t: 1 - y[t] ** 2, forwards=False):
    def truncated(params, L, y, v, truncate):
        T, delta = len(L), np.zeros_like(y)
        delta[T] = (1 - y[T] ** 2) * v
        times = range(T - 1, max(0, T - 1 - truncate), -1)
        for t in reversed(times) if forwards else times:
            delta[t] = slope(y, t) * (back(params["Wrec"]) @ delta[t + 1])
        return {"W": delta[1:].T @ L, "Wrec": delta[1:].T @ y[:-1], "b": delta[1:].sum(axis=0)}

    return truncated


truncated_untransposed = _truncated(back=lambda Wrec: Wrec)
truncated_untransposed.__doc__ = "Wrec for its transpose. Told: Wrec is not transposed"


truncated_no_slope = _truncated(slope=lambda y, t: 1)
truncated_no_slope.__doc__ = "tanh is not derived. Told: the derivative of tanh is missing"


slope_beside = _truncated(slope=lambda y, t: 1 - y[t + 1] ** 2)
slope_beside.__doc__ = "The slope of the next word. Told: that of its own output"


WRONG = {
    "check_truncated_gradient": [
        truncated_untransposed,
        truncated_no_slope,
        slope_beside,
        *said(
            (
                "truncate words instead of truncate steps.",
                lambda params, L, y, v, truncate: cut(params, L, y, v, max(1, truncate)),
            ),
            (
                "truncate + 2 words.",
                lambda params, L, y, v, truncate: cut(params, L, y, v, truncate + 2),
            ),
            ("The whole gradient.", lambda params, L, y, v, truncate: cut(params, L, y, v, len(L))),
        ),
        first_words_kept,
        runs_past_the_first_word,
        text_cut_as_well,
        v_for_delta,
    ],
}
