"""Wrong answers for the checks of `lstm_course/exercises/complex_step.py`."""

import numpy as np
from wrong_answers._replaced import said


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


def moves_the_input(f, w, h=1e-30):
    """Adds a complex number to a real array in place."""
    gradient = np.zeros(w.shape)
    for index in np.ndindex(w.shape):
        w[index] += 1j * h
        gradient[index] = f(w).imag / h
    return gradient


WRONG = {
    "check_complex_step": [
        central,
        one_sided,
        never_moved_back,
        *said(
            (
                "The wrong half of the complex number.",
                lambda f, w, h=1e-30: np.array(
                    [f(w + 1j * h * step.reshape(w.shape)).real / h for step in np.eye(w.size)]
                ).reshape(w.shape),
            ),
            (
                "h is missing.",
                lambda f, w, h=1e-30: np.array(
                    [f(w + 1j * h * step.reshape(w.shape)).imag for step in np.eye(w.size)]
                ).reshape(w.shape),
            ),
            ("No unit vector.", lambda f, w, h=1e-30: f(w + 1j * h).imag / h),
        ),
        moves_the_input,
    ],
}
