"""Wrong answers for the checks of `lstm_course/exercises/aligning.py`."""

import numpy as np
from wrong_answers._replaced import replaced

RELEVANCE = """
def aligned_relevance(y_Q, y_D):
    x_Q = y_Q / np.linalg.norm(y_Q, axis=1, keepdims=True)
    x_D = y_D / np.linalg.norm(y_D, axis=1, keepdims=True)
    return (x_Q @ x_D.T).max(axis=1).mean()
"""


def products(y_Q, y_D):
    """No cosines. Told: divide by both lengths"""
    return (y_Q @ y_D.T).max(axis=1).mean()


def last_outputs(y_Q, y_D):
    """Eq. (3). Told: the last outputs"""
    q, d = y_Q[-1], y_D[-1]
    return q @ d / np.sqrt(q @ q * (d @ d))


BACKWARD = """
def aligned_backward(y_Q, y_D):
    l_Q = np.linalg.norm(y_Q, axis=1, keepdims=True)
    l_D = np.linalg.norm(y_D, axis=1, keepdims=True)
    x_Q, x_D = y_Q / l_Q, y_D / l_D
    s = (x_Q @ x_D.T).argmax(axis=1)
    dx_Q, dx_D = x_D[s] / len(s), np.zeros_like(x_D)
    for t, found in enumerate(s):
        dx_D[found] += x_Q[t] / len(s)
    dy_Q = (dx_Q - (dx_Q * x_Q).sum(axis=1, keepdims=True) * x_Q) / l_Q
    dy_D = (dx_D - (dx_D * x_D).sum(axis=1, keepdims=True) * x_D) / l_D
    return dy_Q, dy_D
"""


def along_x_stays(y_Q, y_D):
    """Divides by the length, as if that stood still. Told: the part along x drops out"""
    l_Q, l_D = (np.linalg.norm(y, axis=1, keepdims=True) for y in (y_Q, y_D))
    s = (y_Q / l_Q @ (y_D / l_D).T).argmax(axis=1)
    dx_D = np.zeros_like(y_D)
    np.add.at(dx_D, s, y_Q / l_Q / len(s))
    return (y_D / l_D)[s] / len(s) / l_Q, dx_D / l_D


SHARE = """
def found_share(R, same):
    nearest = R == R.max(axis=1, keepdims=True)
    hits = (nearest & same).sum(axis=1) / nearest.sum(axis=1)
    asked = same.any(axis=1)
    return hits[asked].mean(), same[asked].mean()
"""


def first_of_equals(R, same):
    """argmax. Told: argmax takes the first"""
    asked = same.any(axis=1)
    return same[asked, R[asked].argmax(axis=1)].mean(), same[asked].mean()


def one_in_the_title(R, same):
    """1 over the number of the title's words. Told: several partners"""
    nearest = R == R.max(axis=1, keepdims=True)
    hits = (nearest & same).sum(axis=1) / nearest.sum(axis=1)
    return hits[same.any(axis=1)].mean(), 1 / R.shape[1]


WRONG = {
    "check_aligned_relevance": [
        products,
        last_outputs,
        *replaced(
            RELEVANCE,
            (".max(axis=1).mean()", ".max(axis=0).mean()"),
            (".max(axis=1).mean()", ".max(axis=1).sum()"),
            (".max(axis=1).mean()", ".max()"),
            (".max(axis=1).mean()", ".mean()"),
            (".max(axis=1).mean()", ".min(axis=1).mean()"),
            (".max(axis=1).mean()", ".max(axis=1)"),
            ("(x_Q @ x_D.T)", "np.abs(x_Q @ x_D.T)"),
            ("x_Q = y_Q / np.linalg.norm(y_Q, axis=1, keepdims=True)", "x_Q = y_Q"),
            ("x_D = y_D / np.linalg.norm(y_D, axis=1, keepdims=True)", "x_D = y_D"),
        ),
    ],
    "check_aligned_backward": [
        along_x_stays,
        *replaced(
            BACKWARD,
            ("dx_D[found] +=", "dx_D[found] ="),
            ("x_D[s] / len(s)", "x_D[s]"),
            ("x_Q[t] / len(s)", "x_Q[t]"),
            ("x_Q[t] / len(s)", "x_Q[t] / len(x_D)"),
            ("* x_Q) / l_Q", "* x_Q)"),
            ("* x_D) / l_D", "* x_D)"),
            ("return dy_Q, dy_D", "return dy_D, dy_Q"),
            ("return dy_Q, dy_D", "return dx_Q, dx_D"),
            ("return dy_Q, dy_D", "return -dy_Q, -dy_D"),
            ("return dy_Q, dy_D", "return dy_Q, 0 * dy_D"),
        ),
    ],
    "check_found_share": [
        first_of_equals,
        one_in_the_title,
        *replaced(
            SHARE,
            ("hits[asked].mean()", "hits.mean()"),
            ("same[asked].mean()", "same.mean()"),
            ("hits[asked].mean()", "hits[asked].sum()"),
            ("(nearest & same).sum(axis=1) / nearest.sum(axis=1)", "(nearest & same).any(axis=1)"),
            (
                "return hits[asked].mean(), same[asked].mean()",
                "return same[asked].mean(), hits[asked].mean()",
            ),
            ("R.max(axis=1, keepdims=True)", "R.max()"),
        ),
    ],
}
