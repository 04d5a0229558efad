"""Wrong answers for the checks of `lstm_course/exercises/lstm_gradient.py`."""

import numpy as np
from wrong_answers._replaced import said


def adds_in_place(dy, dz1, from_later, o, c, Wp1):
    """Writes into what the caller still needs."""
    from_later += dy * o * (1 - np.tanh(c) ** 2) + Wp1.T @ dz1
    return from_later


WRONG = {
    "check_error_of_c": [
        *said(
            (
                "1 - h. Told: not 1 - h",
                lambda dy, dz1, from_later, o, c, Wp1: (
                    from_later + dy * o * (1 - np.tanh(c)) + Wp1.T @ dz1
                ),
            ),
            (
                "The sign. Told: added, not subtracted",
                lambda dy, dz1, from_later, o, c, Wp1: (
                    from_later + dy * o * (1 - np.tanh(c) ** 2) - Wp1.T @ dz1
                ),
            ),
            (
                "(E3) without its last term.",
                lambda dy, dz1, from_later, o, c, Wp1: from_later + dy * o * (1 - np.tanh(c) ** 2),
            ),
            (
                "The cell state's own way back is forgotten.",
                lambda dy, dz1, from_later, o, c, Wp1: dy * o * (1 - np.tanh(c) ** 2) + Wp1.T @ dz1,
            ),
            (
                "c is taken for tanh(c).",
                lambda dy, dz1, from_later, o, c, Wp1: (
                    from_later + dy * o * (1 - c**2) + Wp1.T @ dz1
                ),
            ),
            (
                "The matrix of the way forward.",
                lambda dy, dz1, from_later, o, c, Wp1: (
                    from_later + dy * o * (1 - np.tanh(c) ** 2) + Wp1 @ dz1
                ),
            ),
            (
                "dy for dh.",
                lambda dy, dz1, from_later, o, c, Wp1: (
                    from_later + dy * (1 - np.tanh(c) ** 2) + Wp1.T @ dz1
                ),
            ),
            (
                "dz1 has o (1 - o) already.",
                lambda dy, dz1, from_later, o, c, Wp1: (
                    from_later + dy * o * (1 - np.tanh(c) ** 2) + Wp1.T @ (dz1 * o * (1 - o))
                ),
            ),
        ),
        adds_in_place,
    ],
    "check_coupled_gates": [
        *said(
            (
                "yg is forgotten. Told: this is through f alone",
                lambda dc, c_before, i, yg: (
                    -dc * c_before * i * (1 - i),
                    dc * i * (1 - yg**2),
                    (1 - i) * dc,
                ),
            ),
            (
                "The last without dc. Told: dc is missing",
                lambda dc, c_before, i, yg: (
                    dc * (yg - c_before) * i * (1 - i),
                    dc * i * (1 - yg**2),
                    1 - i,
                ),
            ),
            (
                "As if f did not depend on i.",
                lambda dc, c_before, i, yg: (
                    dc * yg * i * (1 - i),
                    dc * i * (1 - yg**2),
                    (1 - i) * dc,
                ),
            ),
            (
                "The sign of 1 - i.",
                lambda dc, c_before, i, yg: (
                    dc * (yg + c_before) * i * (1 - i),
                    dc * i * (1 - yg**2),
                    (1 - i) * dc,
                ),
            ),
            (
                "di for dz3.",
                lambda dc, c_before, i, yg: (
                    dc * (yg - c_before),
                    dc * i * (1 - yg**2),
                    (1 - i) * dc,
                ),
            ),
            (
                "i for 1 - i.",
                lambda dc, c_before, i, yg: (
                    dc * (yg - c_before) * i * (1 - i),
                    dc * i * (1 - yg**2),
                    i * dc,
                ),
            ),
            (
                "yg is a tanh.",
                lambda dc, c_before, i, yg: (
                    dc * (yg - c_before) * i * (1 - i),
                    dc * i * yg * (1 - yg),
                    (1 - i) * dc,
                ),
            ),
        ),
    ],
}
