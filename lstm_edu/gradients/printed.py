"""The LSTM's gradient exactly as appendix A prints it, Eq. (14)-(44), which is not the gradient.

It is here to be compared with the exact gradient. The sign of (7) is corrected (the minus is
already in alpha), x(t) in (24), (32), (40) is read as l(t), and contributions are summed over tau.
`errors` names the dropped terms.
"""

import numpy as np

from ..text.batch import back_in_time


def errors(cell, weights, batch, tape, dy, truncate=None):
    """What the appendix puts in the place of `lstm_edu.LSTM.errors`.

    What the derivation in appendix D drops, each because it takes as constant what moves with
    y(t-1) or c(t-1):

    - (72): d diag(h(c(t))) / dW_rec1, the way of the output gate's weights through later cell
      states.
    - (78): d diag(o(t)) / dW_rec3, that of the input gate's through later output gates (and, with
      peepholes, through o(t) itself).
    - (80): d diag(y_g(k)) / dW_rec3, that through later y_g; the same for the other gates.
    - (85), (95), (105): d f(t), d i(t), d y_g(t) in dc(t)/dW; the old cell state is carried by f(t)
      alone, no gate's own recurrent or peephole weights.
    - (43), (44): each gate's error goes back through its own W_reck only, not summed over the
      gates; in (44) the gate's own factor (b_f, b_i, b_g) is missing, and of the error of c(t) all
      but what comes from y(t): what c(t+1) and the peepholes send to c(t) does not go on to y(t-1).

    It is the true gradient for sentences of one word without peepholes, and for an RNN of any
    length: (9)-(13) are exact, the sign and the bias, which is not printed, aside.

    The products diag(delta^reck(t)) dc(t)/dW_reck of (21), summed over t, are gathered the other
    way round: with e_k(s) = delta^reck(s) + f(s+1) o e_k(s+1), they are the sum over s of
    (e_k(s) o b_k(s)) y(s-1)^T. With ``truncate``, dc/dW starts at the first word that is not cut
    off.

    Parameters and result are those of `lstm_edu.LSTM.errors`.
    """
    v = {gate: dy.copy() for gate in cell.columns}  # v of (15), then W_reck^T delta^reck
    e = {gate: np.zeros_like(dy) for gate in cell.columns}
    dz = {gate: np.zeros_like(tape.y) for gate in cell.columns}
    for rows, now, before in back_in_time(batch, truncate):
        o, i, yg, h = tape.o[now], tape.i[now], tape.yg[now], tape.h[now]
        f = tape.f[now] if cell.forget_gate else 1
        c_before = tape.c[before] if before else 0
        # b_f of (30), b_i of (22), b_g of (38)
        b = {"f": c_before * f * (1 - f), "i": yg * i * (1 - i), "yg": i * (1 - yg) * (1 + yg)}
        for gate, part in cell.columns.items():
            if gate == "o":
                delta = o * (1 - o) * h * v[gate][rows]  # (17), (43)
                dz[gate][now] = delta  # (16), (18)-(20)
            else:
                delta = (1 - h) * (1 + h) * o * v[gate][rows]  # (22), (44)
                e[gate][rows] += delta
                dz[gate][now] = e[gate][rows] * b[gate]  # (21)-(42)
                e[gate][rows] *= f
            v[gate][rows] = delta @ weights["Wrec"][:, part].T
    return dz
