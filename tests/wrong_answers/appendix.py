"""Wrong answers for the checks of `lstm_course/exercises/appendix.py`."""

import numpy as np
from wrong_answers._replaced import said


def sent(delta_1, delta, b_f, b_i, b_g, Wrec, gates="1234", transposed=True):
    """(E7), of some of the gates, with the factors given."""
    dz = {"1": delta_1, "2": b_f * delta, "3": b_i * delta, "4": b_g * delta}
    return sum((Wrec[k].T if transposed else Wrec[k]) @ dz[k] for k in gates)


def recursion(f, i, yg, o, c, v, carried=None, factor=None, delta=None):
    """(28) and (27), with another f, b_i or delta."""
    carried, factor = (
        f if carried is None else carried,
        yg * i * (1 - i) if factor is None else factor,
    )
    dc = np.zeros(len(v))
    for t in range(1, len(f)):
        dc = carried[t] * dc + factor[t]
    return (o * (1 - np.tanh(c) ** 2) * v if delta is None else delta) * dc


def from_the_last(f, i, yg, o, c, v):
    """The loop runs backwards. Told: the loop runs backwards"""
    dc = np.zeros(len(v))
    for t in range(len(f) - 1, 0, -1):
        dc = f[t] * dc + yg[t] * i[t] * (1 - i[t])
    return (1 - np.tanh(c) ** 2) * o * v * dc


def up_to_the_last(f, i, yg, o, c, v):
    """The range ends one too early. Told: the last word is missing"""
    dc = np.zeros(len(v))
    for t in range(1, len(f) - 1):
        dc = f[t] * dc + yg[t] * i[t] * (1 - i[t])
    return (1 - np.tanh(c) ** 2) * o * v * dc


def forward(
    Wrec,
    o,
    f,
    i,
    yg,
    c,
    c_before,
    dc_before,
    dy_before,
    gates="234",
    own="1",
    transposed=False,
    seen=True,
    carried=True,
):
    """The right step, with what is left out or put in: gates that saw y(t-1), sums that have b1."""
    h, unit = np.tanh(c), np.eye(len(c))
    dz = {}
    for k in "1234":
        through_y = (Wrec[k].T if transposed else Wrec[k]) @ dy_before
        dz[k] = through_y * (k in gates or k == "1" and seen) + unit * (k in own)
    factors = {"2": c_before * f * (1 - f), "3": yg * i * (1 - i), "4": i * (1 - yg**2)}
    dc = f[:, None] * dc_before * carried + sum(b[:, None] * dz[k] for k, b in factors.items())
    return dc, (o * (1 - o) * h)[:, None] * dz["1"] + (o * (1 - h**2))[:, None] * dc


def called_zero(Wrec, o, f, i, yg, c, c_before, dc_before, dy_before):
    """(72) as printed. Told: (72) as printed"""
    dc, _ = forward(Wrec, o, f, i, yg, c, c_before, dc_before, dy_before)
    dz_1 = Wrec["1"] @ dy_before + np.eye(len(c))
    return dc, (o * (1 - o) * np.tanh(c))[:, None] * dz_1


def times_the_columns(Wrec, o, f, i, yg, c, c_before, dc_before, dy_before):
    """a * matrix. Told: multiplies its row"""
    h = np.tanh(c)
    dz = {k: Wrec[k] @ dy_before for k in "1234"}
    dz["1"] = dz["1"] + np.eye(len(c))
    dc = f * dc_before + c_before * f * (1 - f) * dz["2"] + yg * i * (1 - i) * dz["3"]
    dc = dc + i * (1 - yg**2) * dz["4"]
    return dc, o * (1 - o) * h * dz["1"] + o * (1 - h**2) * dc


def new_cell_state(Wrec, o, f, i, yg, c, c_before, dc_before, dy_before):
    """c(t) for c(t-1). Told: the old cell state"""
    dc, dy = forward(Wrec, o, f, i, yg, c, c_before, dc_before, dy_before)
    apart = ((c - c_before) * f * (1 - f))[:, None] * (Wrec["2"] @ dy_before)
    return dc + apart, dy + (o * (1 - np.tanh(c) ** 2))[:, None] * apart


def y_before_c(*given):
    """In the other order. Told: order"""
    return forward(*given)[::-1]


WRONG = {
    "check_sent_back": [
        *said(
            (
                "(44) as it stands. Told: (44) as printed",
                lambda delta_1, delta, b_f, b_i, b_g, Wrec: sent(delta_1, delta, 1, 1, 1, Wrec),
            ),
            ("Wrec as it stands. Told: transposed", lambda *given: sent(*given, transposed=False)),
            (
                "Three of four. Told: the share of gate 1 is missing",
                lambda *given: sent(*given, gates="234"),
            ),
            (
                "One of four, as (44) keeps them apart. Told: what gate 2 sends alone",
                lambda *given: sent(*given, gates="2"),
            ),
            (
                "Not added up. Told: the shape is (4, 4)",
                lambda *given: np.array([sent(*given, gates=k) for k in "1234"]),
            ),
            (
                "b_i for gate 2. Told: b_f is gate 2's",
                lambda delta_1, delta, b_f, b_i, b_g, Wrec: sent(
                    delta_1, delta, b_i, b_f, b_g, Wrec
                ),
            ),
            (
                "dc for dz_1. Told: is delta_1, not delta",
                lambda delta_1, delta, b_f, b_i, b_g, Wrec: sent(delta, delta, b_f, b_i, b_g, Wrec),
            ),
            (
                "A factor too many. Told: dz_1 already",
                lambda delta_1, delta, b_f, b_i, b_g, Wrec: sent(
                    delta_1 * delta, delta, b_f, b_i, b_g, Wrec
                ),
            ),
            (
                "The factors alone. Told: dc is missing",
                lambda delta_1, delta, b_f, b_i, b_g, Wrec: sent(delta_1, 1, b_f, b_i, b_g, Wrec),
            ),
            (
                "b_g left out. Told: the factor of gate 4 is missing",
                lambda delta_1, delta, b_f, b_i, b_g, Wrec: sent(delta_1, delta, b_f, b_i, 1, Wrec),
            ),
        ),
    ],
    "check_appendix_recursion": [
        from_the_last,
        up_to_the_last,
        *said(
            (
                "The last word alone.",
                lambda f, i, yg, o, c, v: recursion(f, i, yg, o, c, v, carried=0 * f),
            ),
            (
                "The paper's experiments have no forget gate; here there is one.",
                lambda f, i, yg, o, c, v: recursion(f, i, yg, o, c, v, carried=np.ones_like(f)),
            ),
            (
                "f(t-1) for f(t).",
                lambda f, i, yg, o, c, v: recursion(
                    f, i, yg, o, c, v, carried=np.vstack([f[:1], f[:-1]])
                ),
            ),
            (
                "b_g for b_i.",
                lambda f, i, yg, o, c, v: recursion(f, i, yg, o, c, v, factor=i * (1 - yg**2)),
            ),
            ("dc/db3 alone.", lambda f, i, yg, o, c, v: recursion(f, i, yg, o, c, v, delta=1)),
            (
                "delta without o.",
                lambda f, i, yg, o, c, v: recursion(
                    f, i, yg, o, c, v, delta=(1 - np.tanh(c) ** 2) * v
                ),
            ),
        ),
    ],
    "check_carried_forward": [
        *said(
            (
                "(85): the gates do not move. Told: the first term alone",
                lambda *given: forward(*given, gates=""),
            ),
            (
                "One term of (E10). Told: the forget gate saw y(t-1)",
                lambda *given: forward(*given, gates="34"),
            ),
            (
                "Another. Told: the input gate saw y(t-1)",
                lambda *given: forward(*given, gates="24"),
            ),
            ("The last. Told: y_g saw y(t-1)", lambda *given: forward(*given, gates="23")),
            (
                "What c(t-1) owes to b1. Told: f ∘ dc(t-1) is missing",
                lambda *given: forward(*given, carried=False),
            ),
            ("b1 itself. Told: b1 itself is missing", lambda *given: forward(*given, own="")),
            (
                "b1 in all sums. Told: the bias of the output gate alone",
                lambda *given: forward(*given, own="1234"),
            ),
            (
                "Wrec transposed. Told: this goes forward",
                lambda *given: forward(*given, transposed=True),
            ),
            (
                "dz_1 is the unit matrix. Told: z_1 saw y(t-1)",
                lambda *given: forward(*given, seen=False),
            ),
        ),
        called_zero,
        times_the_columns,
        new_cell_state,
        y_before_c,
    ],
}
