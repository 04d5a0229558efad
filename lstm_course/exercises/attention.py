"""Exercises for lesson 09: attention over the words of a text, and its gradient.

On the first input of an exercise, every known mistake gives a different result, so that the check's
message names the mistake that was made.
"""

import numpy as np
from scipy.special import softmax

from ..engine import slips
from .active_cells import outputs


def _outputs_and_u():
    cases = []
    for seed in range(3, 7):
        rng = np.random.default_rng(seed)
        cases.append((outputs(rng, n_words=seed, n_cells=4), 2 * rng.standard_normal(4)))
    # Edge cases: large scores (all negative, all positive, with two outliers), ties, a single word.
    y = np.abs(cases[-1][0])
    y[1] += 1
    u = np.array([3000.0, 2000.0, 3000.0, 4000.0])
    cases += [(y, -u), (y, u), (y * [[-1]] + 5 * np.eye(6, 4, -2), u), (y, 0 * u), (y[:1], u)]
    # large scores, two of them equal and one close to them
    twice = np.array([[1000.0, 0.5], [1000.0, -0.5], [999.0, 0.25]])
    cases.append((twice, np.array([1.0, 0.0])))
    return [{"y": y, "u": u} for y, u in cases]


@slips.check("a, y_A", _outputs_and_u)
def attention(y, u):
    """Return the attention weights of the words, and the embedding.

    Parameters
    ----------
    y : (n_words, n_cells)
    u : (n_cells,)

    Returns
    -------
    a : (n_words,)
    embedding : (n_cells,)
    """
    s = y @ u
    e = np.exp(s - s.max())
    a = e / e.sum()
    return a, a @ y


def _with_errors():
    # the last three: as many words as cells, a single word, and large scores and errors
    for seed, n_words in enumerate([3, 5, 7, 9, 11, 4, 1, 5]):
        rng = np.random.default_rng(seed)
        y = outputs(rng, n_words, n_cells=4)
        u, error = rng.standard_normal((2, 4)) * (50 if seed == 7 else 1)
        yield {"y": y, "u": u, "error": error}


@slips.check("dy, du", _with_errors)
def attention_backward(y, u, error):
    """Return the errors of every word's output and of u.

    Parameters
    ----------
    y : (n_words, n_cells)
    u : (n_cells,)
    error : (n_cells,)
        Gradient of the cost with respect to the embedding.

    Returns
    -------
    dy : (n_words, n_cells)
    du : (n_cells,)
    """
    a = softmax(y @ u)
    da = y @ error
    ds = a * (da - a @ da)
    dy = np.outer(a, error) + np.outer(ds, u)
    du = ds @ y
    return dy, du
