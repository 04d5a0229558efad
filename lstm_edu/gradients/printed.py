"""The LSTM's gradient exactly as appendix A prints it, Eq. (14)-(44), which is not the gradient.

Kept to be compared with the exact one. The sign of (7) is corrected (the minus is already in alpha), x(t) in (24), (32), (40)
is read as l(t), and contributions are summed over tau. `errors` says what it leaves out.
"""

import numpy as np

from ..cells import rnn
from ..text import sentences


def errors(cell, weights, batch, tape, dy, truncate=None):
    """What the appendix puts in the place of `lstm_edu.cells.lstm.exact_errors`.

    What the derivation in appendix D drops, each because it takes as constant what moves with y(t-1) or c(t-1):

    - (72): d diag(h(c(t))) / dW_rec1, the way of the output gate's weights through later cell states.
    - (78): d diag(o(t)) / dW_rec3, that of the input gate's through later output gates (and, with peepholes,
      through o(t) itself).
    - (80): d diag(y_g(k)) / dW_rec3, that through later y_g; the same for the other gates.
    - (85), (95), (105): d f(t), d i(t), d y_g(t) in dc(t)/dW; the old cell state is carried by f(t) alone,
      no gate's own recurrent or peephole weights.
    - (43), (44): each gate's error goes back through its own W_reck only, not summed over the gates; in (44)
      the gate's own factor (b_f, b_i, b_g) is missing, and of the error of c(t) all but what comes from y(t):
      what c(t+1) and the peepholes send to c(t) does not go on to y(t-1).

    It is the true gradient for sentences of one word without peepholes, and for an RNN of any length: (9)-(13)
    are exact, the sign and the bias, which is not printed, aside.

    The products diag(delta^reck(t)) dc(t)/dW_reck of (21), summed over t, are gathered the other way
    round: with e_k(s) = delta^reck(s) + f(s+1) o e_k(s+1), they are the sum over s of
    (e_k(s) o b_k(s)) y(s-1)^T. With ``truncate``, dc/dW starts at the first word that is not cut off.

    Parameters and result are those of `lstm_edu.cells.lstm.exact_errors`.
    """
    if isinstance(cell, rnn.RNN):
        return rnn.exact_errors(cell, weights, batch, tape, dy, truncate)
    v = {k: dy.copy() for k in cell.gates}  # v of (15), then W_reck^T delta^reck
    e = {k: np.zeros_like(dy) for k in cell.gates}
    dz = {k: np.zeros_like(tape.y) for k in cell.gates}
    for t in reversed(range(len(batch.offsets) - 1)):
        rows = sentences.rows(batch, t, truncate)
        now = slice(batch.offsets[t] + rows.start, batch.offsets[t] + rows.stop)
        o, i, yg, h = tape.o[now], tape.i[now], tape.yg[now], tape.h[now]
        f = tape.f[now] if cell.forget_gate else 1
        c_before = tape.c[batch.offsets[t - 1] :][rows] if t else 0
        # b_f of (30), b_i of (22), b_g of (38)
        b = {"2": c_before * f * (1 - f), "3": yg * i * (1 - i), "4": i * (1 - yg) * (1 + yg)}
        for k, part in cell.gates.items():
            if k == "1":
                delta = o * (1 - o) * h * v[k][rows]  # (17), (43)
                dz[k][now] = delta  # (16), (18)-(20)
            else:
                delta = (1 - h) * (1 + h) * o * v[k][rows]  # (22), (44)
                e[k][rows] += delta
                dz[k][now] = e[k][rows] * b[k]  # (21)-(42)
                e[k][rows] *= f
            v[k][rows] = delta @ weights["Wrec"][:, part].T
    return dz
