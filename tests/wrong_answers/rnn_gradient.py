"""Wrong answers to the exercises of notebook 04."""

import numpy as np


def not_transposed(Wrec, y, delta):
    """The matrix of the way forward."""
    return (1 - y**2) * (Wrec @ delta)


def tanh_of_y(Wrec, y, delta):
    """y is taken for the sum inside tanh."""
    return (1 - np.tanh(y) ** 2) * (Wrec.T @ delta)


def slope_of_a_sigmoid(Wrec, y, delta):
    """y (1 - y)."""
    return y * (1 - y) * (Wrec.T @ delta)


def no_slope(Wrec, y, delta):
    """The error of y(t-1), not of the sum."""
    return Wrec.T @ delta


def slope_before_the_matrix(Wrec, y, delta):
    """The two factors in the wrong order."""
    return Wrec.T @ ((1 - y**2) * delta)


def element_by_element(Wrec, y, delta):
    """`*` for `@`."""
    return (1 - y) * (1 + y) * Wrec.T * delta


def row_too_late(delta, y, L):
    """y(t) for y(t-1)."""
    return right_weights(delta, y, L) | {"Wrec": delta[1:].T @ y[1:]}


def last_word_alone(delta, y, L):
    """The words are not added up."""
    return {"W": np.outer(delta[-1], L[-1]), "Wrec": np.outer(delta[-1], y[-2]), "b": delta[-1]}


def no_bias(delta, y, L):
    """As in the paper, which prints no gradient for b."""
    return {"W": delta[1:].T @ L, "Wrec": delta[1:].T @ y[:-1]}


def bias_of_the_last_word(delta, y, L):
    """delta(T) for the sum."""
    return right_weights(delta, y, L) | {"b": delta[-1]}


def row_times_column(delta, y, L):
    """Wrec transposed."""
    return right_weights(delta, y, L) | {"Wrec": y[:-1].T @ delta[1:]}


def words_off_by_one(delta, y, L):
    """delta(t-1) with l(t)."""
    return right_weights(delta, y, L) | {"W": delta[:-1].T @ L}


def mean_over_words(delta, y, L):
    """Averaged."""
    return {name: value / len(L) for name, value in right_weights(delta, y, L).items()}


def all_rows_of_delta(delta, y, L):
    """T + 1 rows and T rows do not fit."""
    return right_weights(delta, y, L) | {"W": delta.T @ L}


def right_weights(delta, y, L):
    return {"W": delta[1:].T @ L, "Wrec": delta[1:].T @ y[:-1], "b": delta[1:].sum(axis=0)}


def cut(params, L, y, v, words):
    """The gradient of the last so many words."""
    T, delta, dy = len(L), np.zeros_like(y), v
    for t in range(T, max(0, T - words), -1):
        delta[t] = (1 - y[t] ** 2) * dy
        dy = params["Wrec"].T @ delta[t]
    return right_weights(delta, y, L)


def one_word_too_few(params, L, y, v, truncate):
    """truncate words instead of truncate steps."""
    return cut(params, L, y, v, max(1, truncate))


def one_word_too_many(params, L, y, v, truncate):
    """truncate + 2 words."""
    return cut(params, L, y, v, truncate + 2)


def nothing_cut(params, L, y, v, truncate):
    """The whole gradient."""
    return cut(params, L, y, v, len(L))


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


def central(f, w, h=6e-6):
    """Central differences: half of the digits."""
    steps = h * np.eye(w.size).reshape(w.size, *w.shape)
    return np.array([(f(w + step) - f(w - step)) / (2 * h) for step in steps]).reshape(w.shape)


def one_sided(f, w, h=1e-8):
    """A difference quotient."""
    return np.array(
        [(f(w + h * step.reshape(w.shape)) - f(w)) / h for step in np.eye(w.size)]
    ).reshape(w.shape)


def never_moved_back(f, w, h=1e-30):
    """One copy for all elements."""
    moved, gradient = w.astype(complex), np.zeros(w.shape)
    for index in np.ndindex(w.shape):
        moved[index] += 1j * h
        gradient[index] = f(moved).imag / h
    return gradient


def real_part(f, w, h=1e-30):
    """The wrong half of the complex number."""
    return np.array(
        [f(w + 1j * h * step.reshape(w.shape)).real / h for step in np.eye(w.size)]
    ).reshape(w.shape)


def not_divided(f, w, h=1e-30):
    """h is missing."""
    return np.array(
        [f(w + 1j * h * step.reshape(w.shape)).imag for step in np.eye(w.size)]
    ).reshape(w.shape)


def all_at_once(f, w, h=1e-30):
    """No unit vector."""
    return f(w + 1j * h).imag / h


def moves_the_input(f, w, h=1e-30):
    """Adds a complex number to a real array in place."""
    gradient = np.zeros(w.shape)
    for index in np.ndindex(w.shape):
        w[index] += 1j * h
        gradient[index] = f(w).imag / h
    return gradient


def back_from_mean(Wrec, y, v, last, every, recur=1.0):
    """last: the error of y(T); every: what is added to that of each y(t) before it."""
    delta, dy = np.zeros_like(y), last
    for t in range(len(y) - 1, 0, -1):
        delta[t] = (1 - y[t] ** 2) * dy
        dy = every + recur * Wrec.T @ delta[t]
    return delta


def last_output(Wrec, y, v):
    """The lesson's send_back."""
    return back_from_mean(Wrec, y, v, v, 0)


def sum_of_outputs(Wrec, y, v):
    """1/T is missing."""
    return back_from_mean(Wrec, y, v, v, v)


def last_output_by_T(Wrec, y, v):
    """v/T at the last word alone."""
    return back_from_mean(Wrec, y, v, v / (len(y) - 1), 0)


def one_arrow(Wrec, y, v):
    """The way through the next word is forgotten."""
    return back_from_mean(Wrec, y, v, v / (len(y) - 1), v / (len(y) - 1), recur=0)


def y0_counted(Wrec, y, v):
    """Divides by T + 1."""
    return back_from_mean(Wrec, y, v, v / len(y), v / len(y))


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


def one_plus_y(Wrec, y, delta):
    """1 + y². Told: not 1 + y²"""
    return (1 + y**2) * (Wrec.T @ delta)


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
        one_plus_y,
        not_transposed,
        tanh_of_y,
        slope_of_a_sigmoid,
        no_slope,
        slope_before_the_matrix,
        element_by_element,
    ],
    "check_weights_gradient": [
        row_too_late,
        last_word_alone,
        no_bias,
        bias_of_the_last_word,
        row_times_column,
        words_off_by_one,
        mean_over_words,
        all_rows_of_delta,
    ],
    "check_truncated_gradient": [
        truncated_untransposed,
        truncated_no_slope,
        slope_beside,
        one_word_too_few,
        one_word_too_many,
        nothing_cut,
        first_words_kept,
        runs_past_the_first_word,
        text_cut_as_well,
        v_for_delta,
    ],
    "check_complex_step": [
        central,
        one_sided,
        never_moved_back,
        real_part,
        not_divided,
        all_at_once,
        moves_the_input,
    ],
    "check_mean_embedding": [
        mean_untransposed,
        mean_no_slope,
        mean_stops_early,
        last_output,
        sum_of_outputs,
        last_output_by_T,
        one_arrow,
        y0_counted,
        added_after_the_slope,
        all_divided,
    ],
}
