"""Errors of every quantity in the LSTM's Eq. (2), computed with autograd (lesson 05a)."""

import autograd.numpy as anp
import numpy as np
from autograd import grad

from lstm_edu.cells.lstm import sigmoid


def true_errors(p, l, v):
    """Differentiate v·y(T) with respect to every intermediate quantity and parameter of an LSTM.

    A zero is added to each quantity, and autograd differentiates with respect to these zeros, as in
    lesson 04.

    Parameters
    ----------
    p : dict of arrays
        The parameters, keyed by the paper's names. The forget gate's (``W2``, ...) and the
        peepholes' (``Wp1`` to ``Wp3``) may be missing.
    l : (T + 1, n_trigrams) array
        Row t is word t; row 0 is not read.
    v : (n_cells,) array
        The error of y(T).

    Returns
    -------
    errors : dict of (T + 1, n_cells) arrays
        The errors of ``y``, ``o``, ``h``, ``z1``, ``c``, ``i``, ``yg``, ``z3``, ``z4`` and,
        with a forget gate, of ``f`` and ``z2``; row t is word t.
    gradient : dict of arrays
        The derivatives with respect to ``p``.
    """
    forget = "W2" in p
    names = ["y", "o", "h", "z1", "c", "i", "yg", "z3", "z4", *(["f", "z2"] if forget else [])]
    zero = {name: np.zeros((len(l), len(v))) for name in names}

    def result(p, zero):
        y, c = zero["y"][0], zero["c"][0]
        for t in range(1, len(l)):
            e = {name: zero[name][t] for name in names}

            def z(k, seen=None):
                peephole = p[f"Wp{k}"] @ seen if f"Wp{k}" in p else 0
                return p[f"W{k}"] @ l[t] + p[f"Wrec{k}"] @ y + peephole + p[f"b{k}"] + e[f"z{k}"]

            yg = anp.tanh(z(4)) + e["yg"]
            i = sigmoid(z(3, c), anp) + e["i"]
            f = sigmoid(z(2, c), anp) + e["f"] if forget else 1
            c = f * c + i * yg + e["c"]
            o = sigmoid(z(1, c), anp) + e["o"]
            h = anp.tanh(c) + e["h"]
            y = o * h + e["y"]
        return v @ y

    gradient, errors = grad(result, (0, 1))(dict(p), zero)
    return errors, gradient
