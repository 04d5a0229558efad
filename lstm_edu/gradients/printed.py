"""The LSTM's gradient as printed in appendix A, Eq. (14)-(44), which lacks some terms.

Lessons compare it with the exact gradient. The sign of (7) is corrected (alpha already has the
minus), x(t) in (24), (32), (40) is read as l(t), and contributions are summed over tau. `errors`
lists the missing terms.
"""

import numpy as np

from ..text.batch import back_in_time


def errors(cell, weights, batch, tape, dy, truncate=None):
    """Compute the errors as the appendix prints them, in place of `lstm_edu.LSTM.errors`.

    The derivation in appendix D treats factors that depend on y(t-1) or c(t-1) as constants, and so
    drops these terms:

    - (72): d diag(h(c(t))) / dW_rec1, the path from the output gate's weights through later cell
      states.
    - (78): d diag(o(t)) / dW_rec3, the path from the input gate's weights through later output
      gates (and, with peepholes, through o(t) itself).
    - (80): d diag(y_g(k)) / dW_rec3, the path through later y_g; likewise for the other gates.
    - (85), (95), (105): d f(t), d i(t), d y_g(t) in dc(t)/dW. Only the path through
      f(t) c(t-1) remains, not the paths through the gates' recurrent or peephole weights.
    - (43), (44): each gate's error goes back through that gate's W_reck alone, without the sum over
      the gates. (44) also lacks the gate's factor (b_f, b_i, b_g), and keeps only the part of
      c(t)'s error that comes from y(t): errors from c(t+1) and the peepholes do not go on to
      y(t-1).

    The printed gradient is exact for sentences of one word without peepholes. For an RNN the
    printed gradient (9)-(13) is exact at any length, except for the sign and for the bias, which is
    not printed.

    The products diag(delta^reck(t)) dc(t)/dW_reck of (21), summed over t, are computed in reverse:
    with e_k(s) = delta^reck(s) + f(s+1) o e_k(s+1), they are the sum over s of
    (e_k(s) o b_k(s)) y(s-1)^T. With ``truncate``, dc/dW starts at the first word that is not cut
    off.

    Parameters and result are as for `lstm_edu.LSTM.errors`, but without ``at_words``.
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
