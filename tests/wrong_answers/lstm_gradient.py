"""Wrong answers to the exercises of notebook 05a."""

import numpy as np


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def no_peephole(dy, dz1, from_later, o, c, Wp1):
    """(E3) without its last term."""
    return from_later + dy * o * (1 - np.tanh(c) ** 2)


def nothing_from_later(dy, dz1, from_later, o, c, Wp1):
    """The cell state's own way back is forgotten."""
    return dy * o * (1 - np.tanh(c) ** 2) + Wp1.T @ dz1


def slope_at_c(dy, dz1, from_later, o, c, Wp1):
    """c is taken for tanh(c)."""
    return from_later + dy * o * (1 - c**2) + Wp1.T @ dz1


def peephole_not_transposed(dy, dz1, from_later, o, c, Wp1):
    """The matrix of the way forward."""
    return from_later + dy * o * (1 - np.tanh(c) ** 2) + Wp1 @ dz1


def output_gate_missing(dy, dz1, from_later, o, c, Wp1):
    """dy for dh."""
    return from_later + dy * (1 - np.tanh(c) ** 2) + Wp1.T @ dz1


def derivative_twice(dy, dz1, from_later, o, c, Wp1):
    """dz1 has o (1 - o) already."""
    return from_later + dy * o * (1 - np.tanh(c) ** 2) + Wp1.T @ (dz1 * o * (1 - o))


def adds_in_place(dy, dz1, from_later, o, c, Wp1):
    """Writes into what the caller still needs."""
    from_later += dy * o * (1 - np.tanh(c) ** 2) + Wp1.T @ dz1
    return from_later


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


def sigmoid_of_2x(p, z, c, c_before, dy, later):
    """One bug of three left: 0.5 (tanh(x) + 1)."""
    return back(p, z, c, c_before, dy, later, gate=of_twice)


def applied_twice(p, z, c, c_before, dy, later):
    """One bug of three left: o (1 - o) twice."""
    return back(p, z, c, c_before, dy, later, twice=True)


def dy_overwritten(p, z, c, c_before, dy, later):
    """One bug of three left: dy(t-1) for dy(t)."""
    return back(p, z, c, c_before, dy, later, overwritten=True)


def two_left(p, z, c, c_before, dy, later):
    """Only the sigmoid is mended."""
    return back(p, z, c, c_before, dy, later, twice=True, overwritten=True)


def other_two_left(p, z, c, c_before, dy, later):
    """Only the order is mended."""
    return back(p, z, c, c_before, dy, later, gate=of_twice, twice=True)


def mended_too_much(p, z, c, c_before, dy, later):
    """Both factors o (1 - o) are taken away."""
    dz, _, later = back(p, z, c, c_before, dy, later)
    dz["1"] = dy * np.tanh(c)
    return dz, sum(p["Wrec" + k].T @ dz[k] for k in "1234"), later


def f_lost(p, z, c, c_before, dy, later):
    """A new bug in the place of the old one."""
    return back(p, z, c, c_before, dy, later, carried=False)


def Wrec_not_transposed(p, z, c, c_before, dy, later):
    """The matrices of the way forward."""
    return back(p, z, c, c_before, dy, later, transposed=False)


def only_dz(p, z, c, c_before, dy, later):
    """One of three."""
    return back(p, z, c, c_before, dy, later)[0]


def one_place_of_i(dc, c_before, i, yg):
    """As if f did not depend on i."""
    return dc * yg * i * (1 - i), dc * i * (1 - yg**2), (1 - i) * dc


def plus_c(dc, c_before, i, yg):
    """The sign of 1 - i."""
    return dc * (yg + c_before) * i * (1 - i), dc * i * (1 - yg**2), (1 - i) * dc


def error_of_the_gate(dc, c_before, i, yg):
    """di for dz3."""
    return dc * (yg - c_before), dc * i * (1 - yg**2), (1 - i) * dc


def c_carried_by_i(dc, c_before, i, yg):
    """i for 1 - i."""
    return dc * (yg - c_before) * i * (1 - i), dc * i * (1 - yg**2), i * dc


def slope_of_a_sigmoid(dc, c_before, i, yg):
    """yg is a tanh."""
    return dc * (yg - c_before) * i * (1 - i), dc * i * yg * (1 - yg), (1 - i) * dc


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


def none_yet(*given):
    """The old backward pass, with dWp."""
    return with_peepholes(*given, one=0, two=0, three=0)


def output_peephole_missing(*given):
    """Wp1 in (E3)."""
    return with_peepholes(*given, one=0)


def old_peepholes_missing(*given):
    """Wp2 and Wp3 in (E6)."""
    return with_peepholes(*given, two=0, three=0)


def forget_peephole_missing(*given):
    """Wp2 in (E6)."""
    return with_peepholes(*given, two=0)


def output_peephole_too_late(*given):
    """The other gates use dc before it is complete."""
    return with_peepholes(*given, late=True)


def carried_by_f(*given):
    """The peepholes' errors are multiplied by f."""
    return with_peepholes(*given, carried=True)


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


def slope_of_h_alone(dy, dz1, from_later, o, c, Wp1):
    """1 - h. Told: not 1 - h"""
    return from_later + dy * o * (1 - np.tanh(c)) + Wp1.T @ dz1


def subtracts_the_peephole(dy, dz1, from_later, o, c, Wp1):
    """The sign. Told: added, not subtracted"""
    return from_later + dy * o * (1 - np.tanh(c) ** 2) - Wp1.T @ dz1


def through_f_alone(dc, c_before, i, yg):
    """yg is forgotten. Told: this is through f alone"""
    return -dc * c_before * i * (1 - i), dc * i * (1 - yg**2), (1 - i) * dc


def dc_forgotten(dc, c_before, i, yg):
    """The last without dc. Told: dc is missing"""
    return dc * (yg - c_before) * i * (1 - i), dc * i * (1 - yg**2), 1 - i


WRONG = {
    "check_error_of_c": [
        slope_of_h_alone,
        subtracts_the_peephole,
        no_peephole,
        nothing_from_later,
        slope_at_c,
        peephole_not_transposed,
        output_gate_missing,
        derivative_twice,
        adds_in_place,
    ],
    "check_three_bugs": [
        sigmoid_of_2x,
        applied_twice,
        dy_overwritten,
        two_left,
        other_two_left,
        mended_too_much,
        f_lost,
        Wrec_not_transposed,
        only_dz,
    ],
    "check_coupled_gates": [
        through_f_alone,
        dc_forgotten,
        one_place_of_i,
        plus_c,
        error_of_the_gate,
        c_carried_by_i,
        slope_of_a_sigmoid,
    ],
    "check_peepholes_back": [
        none_yet,
        output_peephole_missing,
        old_peepholes_missing,
        forget_peephole_missing,
        output_peephole_too_late,
        carried_by_f,
        old_c_for_the_output_gate,
        new_c_for_the_forget_gate,
        full_matrices,
        dWp_forgotten,
    ],
}
