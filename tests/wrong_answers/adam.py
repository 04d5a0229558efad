"""Wrong answers for the checks of `lstm_course/exercises/adam.py`."""

import numpy as np
from wrong_answers._replaced import replaced

ADAM = """
def adam(w, m, v, g, k, epsilon, beta1=0.9, beta2=0.999, tiny=1e-8):
    m = beta1 * m + (1 - beta1) * g
    v = beta2 * v + (1 - beta2) * g**2
    m_hat, v_hat = m / (1 - beta1**k), v / (1 - beta2**k)
    return w - epsilon * m_hat / (np.sqrt(v_hat) + tiny), m, v
"""


def _adam(right, wrong):
    """Adam with a piece of its code in the place of another."""
    assert ADAM.count(right) == 1
    names = {"np": np, "__name__": "__main__"}  # as in a notebook
    exec(ADAM.replace(right, wrong), names)
    names["adam"].__doc__ = f"{wrong!r} for {right!r}."
    return names["adam"]


WRONG = {
    "check_adam": [
        _adam("m / (1 - beta1**k), v / (1 - beta2**k)", "m, v"),
        _adam("m / (1 - beta1**k)", "m"),
        _adam("v / (1 - beta2**k)", "v"),
        _adam("m / (1 - beta1**k), v / (1 - beta2**k)", "m / (1 - beta1), v / (1 - beta2)"),
        _adam("    m_hat, v_hat", "    k = k + 1\n    m_hat, v_hat"),
        _adam("    m_hat, v_hat", "    k = k - 1\n    m_hat, v_hat"),
        _adam("1 - beta1**k), v / (1 - beta2**k", "1 - beta1 * k), v / (1 - beta2 * k"),
        _adam("tiny), m, v", "tiny), m_hat, v_hat"),
        _adam("beta1=0.9, beta2=0.999", "beta2=0.9, beta1=0.999"),
        _adam("g**2", "g"),
        _adam("np.sqrt(v_hat)", "v_hat"),
        _adam("np.sqrt(v_hat) + tiny", "np.sqrt(v_hat + tiny)"),
        _adam("(np.sqrt(v_hat) + tiny)", "np.sqrt(v_hat)"),
        _adam("w - epsilon", "w + epsilon"),
        _adam("epsilon * m_hat", "m_hat"),
        _adam("epsilon * m_hat", "epsilon * g"),
        _adam("(1 - beta1) * g\n", "g\n"),
        _adam("(1 - beta2) * g**2", "g**2"),
        _adam("    m = beta1 * m +", "    m *= beta1\n    m = m +"),
        _adam("w - epsilon", "-epsilon"),
        *replaced(
            ADAM,
            ("beta1 * m", "m"),
            ("beta2 * v", "v"),
            ("beta1 * m + (1 - beta1) * g", "(1 - beta1) * m + beta1 * g"),
            ("beta2 * v + (1 - beta2) * g**2", "(1 - beta2) * v + beta2 * g**2"),
            ("m / (1 - beta1**k)", "m * (1 - beta1**k)"),
            ("m / (1 - beta1**k)", "m / beta1**k"),
            ("    m = beta1 * m + (1 - beta1) * g", "    m = 0.9 * m + 0.1 * g"),
            ("+ tiny", "+ 1e-8"),
            ("/ (np.sqrt(v_hat) + tiny)", "* (np.sqrt(v_hat) + tiny)"),
            ("/ (np.sqrt(v_hat) + tiny)", ""),
            ("tiny), m, v", "tiny), v, m"),
            ("    m = beta1 * m + (1 - beta1) * g", "    beta1 * m + (1 - beta1) * g"),
            ("g**2", "abs(g)"),
            (
                "    m_hat, v_hat = m / (1 - beta1**k), v / (1 - beta2**k)",
                "    m_hat, v_hat = m / (1 - beta1**k), v / (1 - beta1**k)",
            ),
            ("np.sqrt(v_hat)", "np.sqrt(abs(m_hat))"),
            ("epsilon * m_hat", "epsilon * np.sign(m_hat)"),
        ),
    ],
}
