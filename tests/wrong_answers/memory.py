"""Wrong answers for the checks of `lstm_course/exercises/memory.py`."""

import numpy as np
from wrong_answers._replaced import replaced, said

MEMORY_PATH = """
def memory_path(f):
    found = np.ones_like(f)
    for t in range(len(f) - 2, -1, -1):
        found[t] = f[t + 1] * found[t + 1]
    return found
"""


def _dc_dc(
    gates="234",
    turn=False,
    dy=lambda before, now: before.o * (1 - np.tanh(before.c) ** 2),
    f=lambda now: now.f,
    doc="",
):
    def dc_dc(params, before, now):
        by_gate = {
            "2": before.c * now.f * (1 - now.f),
            "3": now.yg * now.i * (1 - now.i),
            "4": now.i * (1 - now.yg**2),
        }
        Wrec = {k: params["Wrec" + k].T if turn else params["Wrec" + k] for k in gates}
        return np.diag(f(now)) + sum(
            np.diag(by_gate[k]) @ Wrec[k] @ np.diag(dy(before, now)) for k in gates
        )

    dc_dc.__doc__ = doc
    return dc_dc


def straight_way_only(params, before, now):
    """As if no gate saw y(t-1)."""
    return np.diag(now.f)


DC_DC = """
def dc_dc(params, before, now):
    dy = before.o * (1 - np.tanh(before.c) ** 2)
    by_f = (before.c * now.f * (1 - now.f))[:, None] * params['Wrec2']
    by_i = (now.yg * now.i * (1 - now.i))[:, None] * params['Wrec3']
    by_yg = (now.i * (1 - now.yg ** 2))[:, None] * params['Wrec4']
    return np.diag(now.f) + (by_f + by_i + by_yg) * dy
"""


WRONG = {
    "check_memory_path": [
        *said(
            ("f(t) is in the product for c(t).", lambda f: np.cumprod(f[::-1], axis=0)[::-1]),
            ("The product starts at the wrong end.", lambda f: np.cumprod(f, axis=0)),
            ("One step, not all.", lambda f: np.vstack([f[1:], np.ones(f.shape[1])])),
            (
                "The rows are turned round.",
                lambda f: np.cumprod(np.vstack([f[1:], np.ones(f.shape[1])])[::-1], axis=0),
            ),
            ("Adds up where factors multiply.", lambda f: np.cumsum(f[::-1], axis=0)[::-1]),
        ),
        *replaced(
            MEMORY_PATH,
            ("    return found", "    return np.cumprod(f[::-1], axis=0)[::-1] / f"),
            ("    return found", "    return np.prod(f, axis=0) / np.cumprod(f, axis=0)"),
            ("f[t + 1] * found", "f[t] * found"),
            ("f[t + 1] * found[t + 1]", "f[t + 1]"),
            ("f[t + 1] * found", "f[t + 1] + found"),
            ("range(len(f) - 2, -1, -1)", "range(len(f) - 2, 0, -1)"),
            ("range(len(f) - 2, -1, -1)", "range(len(f) - 1)"),
            ("    return found", "    return found[::-1]"),
            ("    return found", "    return found[0]"),
            ("np.ones_like(f)", "np.zeros_like(f)"),
            ("f[t + 1] * found", "(1 - f[t + 1]) * found"),
        ),
    ],
    "check_dc_dc": [
        straight_way_only,
        _dc_dc("34", doc="No way through the forget gate."),
        _dc_dc("23", doc="No way through y_g."),
        _dc_dc("24", doc="No way through the input gate."),
        _dc_dc(turn=True, doc="W_rec transposed, as for errors."),
        _dc_dc(dy=lambda before, now: before.o, doc="No derivative of tanh."),
        _dc_dc(dy=lambda before, now: np.ones(4), doc="y(t-1) taken for c(t-1)."),
        _dc_dc(
            dy=lambda before, now: now.o * (1 - np.tanh(now.c) ** 2), doc="o and c a word too late."
        ),
        _dc_dc(
            dy=lambda before, now: before.o * (1 - before.y**2),
            doc="1 - y^2 for the derivative of tanh(c).",
        ),
        _dc_dc(f=lambda now: np.ones(4), doc="As without a forget gate."),
        *replaced(
            DC_DC,
            ("(1 - now.f)", "now.f"),
            ("now.f * (1 - now.f)", "now.f"),
            ("now.i * (1 - now.i)", "(1 - now.i)"),
            ("now.f * (1 - now.f)", "(1 - now.f ** 2)"),
            ("1 - now.yg ** 2", "now.yg * (1 - now.yg)"),
            ("(1 - now.yg ** 2)", "now.yg"),
            ("1 - now.yg ** 2", "1 + now.yg ** 2"),
            ("by_f + by_i + by_yg", "by_f - by_i + by_yg"),
            ("np.diag(now.f)", "now.f"),
            ("np.diag(now.f)", "np.diag(before.c * now.f)"),
            ("np.diag(now.f)", "np.diag(before.f)"),
            ("(by_f + by_i + by_yg) * dy", "dy[:, None] * (by_f + by_i + by_yg)"),
            ("(by_f + by_i + by_yg) * dy", "(by_f + by_i + by_yg) @ dy"),
            ("np.tanh(before.c) ** 2", "before.c ** 2"),
            ("before.c * now.f", "now.c * now.f"),
            ("now.yg * now.i", "before.yg * now.i"),
            ("[:, None] * params['Wrec2']", "* params['Wrec2']"),
            ("params['Wrec2']", "params['Wrec3']"),
            ("params['Wrec3']", "params['Wrec4']"),
            ("params['Wrec4']", "params['Wrec4'].T"),
        ),
    ],
}
