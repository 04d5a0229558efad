"""Exercises for lesson 03: the cosine (3) and the cost of clicks (5)."""

import numpy as np

from ..engine import slips
from ..engine.calling import refuse_overflow
from ..engine.forms import in_form


def _embeddings():
    rng = np.random.default_rng(30)
    return [
        {"yq": rng.normal(size=(N, m)), "yd": rng.normal(size=(M, m))}
        for N, M, m in [(2, 3, 4), (5, 2, 3), (1, 6, 5), (4, 4, 3)]
    ] + [{"yq": np.array([[3e-40, 4e-40]]), "yd": np.array([[1.0, 0.0], [0.0, 2e-9]])}]  # tiny


@slips.check("the cosine", _embeddings)
def cosine(yq, yd):
    """Return the cosine of each query with each document, Eq. (3).

    Parameters
    ----------
    yq : (N, m)
    yd : (M, m)

    Returns
    -------
    (N, M)
    """
    a = yq @ yd.T  # inner products, (N, M)
    q_length = np.linalg.norm(yq, axis=1, keepdims=True)
    d_length = np.linalg.norm(yd, axis=1)
    return a / (q_length * d_length)


def differences(seed):
    """Generate inputs for `cost`. The last three have exponentials outside the range of float64.

    Those of the last input are outside even an 80-bit long double's range. In its first row the
    exponents are equal, so that the largest term isn't the sum. In its second row they are far
    apart, so that the smallest term can't replace the largest.
    """
    rng = np.random.default_rng(seed)
    sizes = ((3, 2), 2.5), ((1, 4), 10.0), ((4, 5), 1.5)
    usual = [{"delta": rng.uniform(-1, 1, size), "gamma": gamma} for size, gamma in sizes]
    wrong, right = rng.uniform(-2, -1, (1, 3)), rng.uniform(1, 2, (1, 3))
    near = np.vstack([wrong, rng.uniform(-0.01, 0.01, (1, 3))])
    last = {"delta": np.array([[-2.0, -2.0], [2.0, -2.0]]), "gamma": 1e4}
    return [*usual, {"delta": near, "gamma": 1e3}, {"delta": right, "gamma": 1e3}, last]


def right_if_small(got, expected, given):
    """Return a list with the mistake, as (text, value), if only large exponents make it wrong."""
    got = in_form(got, expected)
    if np.shape(got) != expected.shape or not isinstance(got, np.ndarray):
        return []
    small = np.abs(given["gamma"] * given["delta"]).max(axis=1) < 300
    right = not small.all() and np.allclose(got[small], expected[small], rtol=1e-9)
    text = "right where the exponents are small. Where they are not: "
    text += "take m = max(0, max_j(-gamma Delta_j)) out of the sum, and clip nothing"
    return [(text, got if right else None)]


def _of_large_exponents(function):
    reason = (
        "no exponent that you give to np.exp may be above 0, not even for a value that you drop"
    )
    refuse_overflow("the cost", function, differences(31)[-1], reason)
    return -1


# arguments of `slips.check` for exercises whose answer must not overflow for any gamma
SIMPLER = slips.table(__file__)["simpler"]["cost"]
ANY_GAMMA = {"simpler": SIMPLER, "of_answer": right_if_small}


@slips.check("the cost", lambda: differences(31), parts=True, then=_of_large_exponents, **ANY_GAMMA)
def cost(delta, gamma):
    """Return the loss of each pair, Eq. (5), without overflow for any gamma.

    Parameters
    ----------
    delta : (N, n)
        The differences of cosines.
    gamma : float

    Returns
    -------
    (N,)
    """
    x = -gamma * delta
    m = np.maximum(0, x.max(axis=1))
    return m + np.log(np.exp(-m) + np.exp(x - m[:, None]).sum(axis=1))
