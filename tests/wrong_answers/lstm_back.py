"""Wrong answers for the checks of `lstm_course/exercises/lstm_back.py`."""

import numpy as np
from wrong_answers._replaced import said


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def back(
    p,
    z,
    c,
    c_before,
    dy,
    later,
    gate=sigmoid,
    twice=False,
    overwritten=False,
    carried=True,
    transposed=True,
):
    """The lesson's loop for one word, with the bugs that are asked for."""
    o, f, i = (gate(z[k]) for k in "123")
    yg, h = np.tanh(z["4"]), np.tanh(c)
    do = dy * h * (o * (1 - o) if twice else 1)
    dc = later + dy * o * (1 - h**2)
    dz = {
        "1": do * o * (1 - o),
        "2": dc * c_before * f * (1 - f),
        "3": dc * yg * i * (1 - i),
        "4": dc * i * (1 - yg**2),
    }
    dy = sum((p["Wrec" + k].T if transposed else p["Wrec" + k]) @ dz[k] for k in "1234")
    if overwritten:
        dc = later + dy * o * (1 - h**2)
    return dz, dy, f * dc if carried else dc


def of_twice(x):
    return 0.5 * (np.tanh(x) + 1)


def mended_too_much(p, z, c, c_before, dy, later):
    """Both factors o (1 - o) are taken away."""
    dz, _, later = back(p, z, c, c_before, dy, later)
    dz["1"] = dy * np.tanh(c)
    return dz, sum(p["Wrec" + k].T @ dz[k] for k in "1234"), later


def with_peepholes(p, z, c, c_before, dy, later, one=1, two=1, three=1, late=False, carried=False):
    """The lesson's loop for one word.

    Which peepholes are there, and whether they come too late or are carried by f.
    """
    o, f, i = (sigmoid(z[k]) for k in "123")
    yg, h = np.tanh(z["4"]), np.tanh(c)
    dz = {"1": dy * h * o * (1 - o)}
    to_c = one * p["Wp1"] * dz["1"]
    dc = later + dy * o * (1 - h**2) + (0 if late else to_c)
    dz |= {"2": dc * c_before * f * (1 - f), "3": dc * yg * i * (1 - i), "4": dc * i * (1 - yg**2)}
    dWp = {"Wp1": dz["1"] * c, "Wp2": dz["2"] * c_before, "Wp3": dz["3"] * c_before}
    dc = dc + (to_c if late else 0)
    seen = two * p["Wp2"] * dz["2"] + three * p["Wp3"] * dz["3"]
    return (
        dz,
        dWp,
        sum(p["Wrec" + k].T @ dz[k] for k in "1234"),
        f * (dc + seen) if carried else f * dc + seen,
    )


def old_c_for_the_output_gate(p, z, c, c_before, dy, later):
    """c(t-1) for c(t) in (E9)."""
    dz, dWp, *rest = with_peepholes(p, z, c, c_before, dy, later)
    return dz, dWp | {"Wp1": dz["1"] * c_before}, *rest


def new_c_for_the_forget_gate(p, z, c, c_before, dy, later):
    """c(t) for c(t-1) in (E9)."""
    dz, dWp, *rest = with_peepholes(p, z, c, c_before, dy, later)
    return dz, dWp | {"Wp2": dz["2"] * c}, *rest


def full_matrices(p, z, c, c_before, dy, later):
    """Outer products, as for the paper's full peepholes."""
    dz, _, *rest = with_peepholes(p, z, c, c_before, dy, later)
    return dz, {"Wp" + k: np.outer(dz[k], c if k == "1" else c_before) for k in "123"}, *rest


def dWp_forgotten(*given):
    """Three of four."""
    dz, _, dy, later = with_peepholes(*given)
    return dz, dy, later


WRONG = {
    "check_three_bugs": [
        *said(
            (
                "One bug of three left: 0.5 (tanh(x) + 1).",
                lambda p, z, c, c_before, dy, later: back(
                    p, z, c, c_before, dy, later, gate=of_twice
                ),
            ),
            (
                "One bug of three left: o (1 - o) twice.",
                lambda p, z, c, c_before, dy, later: back(p, z, c, c_before, dy, later, twice=True),
            ),
            (
                "One bug of three left: dy(t-1) for dy(t).",
                lambda p, z, c, c_before, dy, later: back(
                    p, z, c, c_before, dy, later, overwritten=True
                ),
            ),
            (
                "Only the sigmoid is mended.",
                lambda p, z, c, c_before, dy, later: back(
                    p, z, c, c_before, dy, later, twice=True, overwritten=True
                ),
            ),
            (
                "Only the order is mended.",
                lambda p, z, c, c_before, dy, later: back(
                    p, z, c, c_before, dy, later, gate=of_twice, twice=True
                ),
            ),
        ),
        mended_too_much,
        *said(
            (
                "A new bug in the place of the old one.",
                lambda p, z, c, c_before, dy, later: back(
                    p, z, c, c_before, dy, later, carried=False
                ),
            ),
            (
                "The matrices of the way forward.",
                lambda p, z, c, c_before, dy, later: back(
                    p, z, c, c_before, dy, later, transposed=False
                ),
            ),
            (
                "One of three.",
                lambda p, z, c, c_before, dy, later: back(p, z, c, c_before, dy, later)[0],
            ),
        ),
    ],
    "check_peepholes_back": [
        *said(
            (
                "The old backward pass, with dWp.",
                lambda *given: with_peepholes(*given, one=0, two=0, three=0),
            ),
            ("Wp1 in (E3).", lambda *given: with_peepholes(*given, one=0)),
            ("Wp2 and Wp3 in (E6).", lambda *given: with_peepholes(*given, two=0, three=0)),
            ("Wp2 in (E6).", lambda *given: with_peepholes(*given, two=0)),
            (
                "The other gates use dc before it is complete.",
                lambda *given: with_peepholes(*given, late=True),
            ),
            (
                "The peepholes' errors are multiplied by f.",
                lambda *given: with_peepholes(*given, carried=True),
            ),
        ),
        old_c_for_the_output_gate,
        new_c_for_the_forget_gate,
        full_matrices,
        dWp_forgotten,
    ],
}
