"""Exercises on the gradient of the LSTM, (E3), and of one whose gates are coupled.

What is expected comes from autograd, through the package's sigmoid.
"""

import autograd.numpy as anp
import numpy as np
from autograd import grad

from lstm_edu.cells import lstm

from ..engine.minimize import hold
from ..engine.report import passed


def sigmoid(x):
    """The package's, which autograd can differentiate."""
    return lstm.sigmoid(x, anp)


def check_error_of_c(error_of_c):
    """The error of the cell state, (E3).

    Parameters
    ----------
    error_of_c : function of dy, dz1, from_later, o, c (each (m,)), Wp1 (m, m)
        Returns dc(t), (m,).

    Raises
    ------
    Wrong
    """
    rng, sizes = np.random.default_rng(50), [2, 3, 5]
    for m in sizes:
        dy, from_later, c, z = rng.normal(size=(4, m))
        Wp1 = rng.normal(size=(m, m))
        o, h = sigmoid(z), np.tanh(c)
        dz1, carried = dy * h * o * (1 - o), dy * o * (1 - h**2)
        given = {"dy": dy, "dz1": dz1, "from_later": from_later, "o": o, "c": c, "Wp1": Wp1}

        def through_y(c_):
            return dy @ (sigmoid(z + Wp1 @ (c_ - c)) * anp.tanh(c_))

        expected = from_later + grad(through_y)(c)
        reasons = [
            ("the peephole is missing: c(t) moved z1(t) as well, by Wp1", from_later + carried),
            ("what word t + 1 sends back is missing", expected - from_later),
            (
                "Wp1 is not transposed: errors go from the sum back to the cell state",
                from_later + carried + Wp1 @ dz1,
            ),
            (
                "the derivative of tanh at c is 1 - tanh(c)², not 1 - c²",
                expected - carried + dy * o * (1 - c**2),
            ),
            ("the derivative of tanh is missing", expected - carried + dy * o),
            ("dh is dy times the output gate: y = o ∘ h", expected - carried + dy * (1 - h**2)),
            (
                "dh is dy ∘ o, as y = o ∘ h; dy ∘ h is the error of o",
                expected - carried + dy * h * (1 - h**2),
            ),
            (
                "the derivative of tanh is 1 - h², not 1 + h²",
                expected - carried + dy * o * (1 + h**2),
            ),
            ("the derivative of tanh is 1 - h², not 1 - h", expected - carried + dy * o * (1 - h)),
            ("the error of c(t) through y is missing: dy ∘ o ∘ (1 - h²)", expected - carried),
            ("the peephole's part is added, not subtracted", from_later + carried - Wp1.T @ dz1),
            (
                "the peephole's part is a part of dc, added beside dh (1 - h²)",
                from_later + dy * o * (1 - h**2) * (Wp1.T @ dz1),
            ),
            (
                "the slope is that of tanh at c: o is not a part of it",
                expected - carried + dy * o * (1 - (o * h) ** 2),
            ),
            (
                "Wp1 meets the sum's error dz1 once; o (1 - o) is in dz1 already",
                from_later + carried + Wp1.T @ (dz1 * o * (1 - o)),
            ),
        ]
        hold("dc(t)", error_of_c, given, expected, reasons, of=_error_of_c)
    passed("check_error_of_c", len(sizes))


def check_coupled_gates(coupled_back):
    """The errors of a word whose forget gate is 1 - i.

    Parameters
    ----------
    coupled_back : function of dc, c_before, i, yg, each (m,)
        Returns dz3, dz4 and what goes to c(t-1), each (m,).

    Raises
    ------
    Wrong
    """
    rng, sizes = np.random.default_rng(52), [3, 1, 5]
    for m in sizes:
        dc, c_before, z3, z4 = rng.normal(size=(4, m))
        i, yg = sigmoid(z3), np.tanh(z4)
        given = {"dc": dc, "c_before": c_before, "i": i, "yg": yg}
        expected = grad(
            lambda z3, z4, c: dc @ ((1 - sigmoid(z3)) * c + sigmoid(z3) * anp.tanh(z4)), (0, 1, 2)
        )(z3, z4, c_before)
        slope = i * (1 - i)
        reasons = [
            (
                "i now stands in two places: it also opens the way for c(t-1), as 1 - i",
                (dc * yg * slope, None, None),
            ),
            ("the sign: f = 1 - i falls when i grows", (dc * (yg + c_before) * slope, None, None)),
            (
                "this is di, the error of the gate; "
                "that of its sum has the sigmoid's derivative, too",
                (dc * (yg - c_before), None, None),
            ),
            (
                "the sigmoid's derivative belongs to both places of i",
                (dc * (yg * slope - c_before), None, None),
            ),
            (
                "i (1 - i) is the sigmoid's derivative already",
                (dc * (yg - c_before) * slope**2, None, None),
            ),
            (
                "dz4 is the same as without coupling: b_g ∘ dc",
                (None, dc * i * (1 - i) * (1 - yg**2), None),
            ),
            ("yg is a tanh: its derivative is 1 - yg²", (None, dc * i * yg * (1 - yg), None)),
            ("the derivative of tanh is missing: this is dyg", (None, dc * i, None)),
            ("c(t-1) is carried by f = 1 - i", (None, None, dc * i)),
            ("c(t-1) is carried by f = 1 - i", (None, None, dc)),
            ("dc is missing: this is 1 - i alone", (None, None, 1 - i)),
            (
                "dc is missing: the error of c(t) multiplies every derivative",
                ((yg - c_before) * slope, None, None),
            ),
            ("the sign: f = 1 - i falls when i grows", (-dc * (yg - c_before) * slope, None, None)),
            (
                "this is through f alone; i opens the way for yg as well",
                (-dc * c_before * slope, None, None),
            ),
            ("i lets yg in: it is missing", (None, dc * (1 - yg**2), None)),
            ("1 - i is what is kept; yg comes in by i", (None, dc * (1 - i) * (1 - yg**2), None)),
            ("the derivative of tanh is 1 - yg², not 1 - yg", (None, dc * i * (1 - yg), None)),
        ]
        hold("(dz3, dz4, to c(t-1))", coupled_back, given, expected, reasons, of=_coupled)
    passed("check_coupled_gates", len(sizes))


def _error_of_c(dy, dz1, from_later, o, c, Wp1):
    return from_later + dy * o * (1 - np.tanh(c) ** 2) + Wp1.T @ dz1


def _coupled(dc, c_before, i, yg):
    return dc * (yg - c_before) * i * (1 - i), dc * i * (1 - yg**2), dc * (1 - i)
