"""Exercises for lesson 12: aligned relevance, its gradient, and how often partners are nearest.

On the first input of an exercise, every known mistake gives a different result, so that the check's
message names the mistake that was made.
"""

import numpy as np

from ..engine import slips
from .active_cells import outputs


def _texts():
    # (n_query_words, n_title_words); each of the last three pairs includes a text of one word
    sizes = (5, 3), (3, 7), (7, 2), (4, 6), (9, 5), (1, 4), (4, 1), (1, 1)
    for seed, lengths in enumerate(sizes):
        rng = np.random.default_rng(seed)
        size = 1e-4 if seed == 4 else 1  # one input with tiny outputs
        y = [size * outputs(rng, n, 4) * rng.uniform(0.5, 2, (n, 1)) for n in lengths]
        if seed == 3:  # a query word has nearly the same cosine with two title words
            y[1][:2] = y[0][0] + 1e-3 * rng.standard_normal((2, 4))
        yield dict(zip(("y_Q", "y_D"), y))


def _texts_with_repeats():
    """Return the inputs of `_texts`, with a repeated and a dissimilar word in the first query."""
    inputs = list(_texts())
    y_Q, y_D = inputs[0].values()
    y_Q[1], y_Q[2] = y_Q[0], -y_D.sum(axis=0)
    inputs[0]["y_D"] = y_D[::-1]
    return inputs


@slips.check("R", _texts_with_repeats)
def aligned_relevance(y_Q, y_D):
    """Return R(Q, D): the mean over the query's words of the largest cosine.

    Parameters
    ----------
    y_Q : (n_query_words, n_cells)
    y_D : (n_title_words, n_cells)

    Returns
    -------
    float
    """
    x_Q = y_Q / np.linalg.norm(y_Q, axis=1, keepdims=True)
    x_D = y_D / np.linalg.norm(y_D, axis=1, keepdims=True)
    return (x_Q @ x_D.T).max(axis=1).mean()


@slips.check("dy_Q, dy_D", _texts)
def aligned_backward(y_Q, y_D):
    """Return the gradient of R(Q, D) with respect to every word's output.

    Parameters
    ----------
    y_Q : (n_query_words, n_cells)
    y_D : (n_title_words, n_cells)

    Returns
    -------
    dy_Q : (n_query_words, n_cells)
    dy_D : (n_title_words, n_cells)
    """
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


def _near_and_same():
    rows = [
        ([0.8, 0.8, 0.1, 0.4], [1, 0, 1, 0]),  # a tie; only the first is a partner
        ([0.9, 0.1, 0.6, 0.4], [0, 0, 0, 0]),  # no title word is a partner
        ([0.95, 0.95, 0.2, 0.1], [1, 1, 0, 0]),  # a tie of two partners
        ([-0.9, 0.1, 0.4, -0.2], [0, 1, 1, 0]),
        ([0.601, 0.6, 0.0, 0.1], [0, 1, 0, 0]),  # nearly a tie
        ([0.7, 0.7 + 1e-7, 0.3, 0.2], [1, 0, 0, 1]),
        ([0.5, 0.5, 0.5, 0.1], [0, 1, 0, 0]),
        ([0.5, 0.1, 0.5, 0.2], [0, 0, 1, 0]),
        ([0.1, 0.6, 0.2, 0.6], [0, 0, 0, 1]),
        ([0.3, 0.9, 0.2, 0.1], [0, 1, 0, 0]),
        ([-0.9, -0.3, -0.2, -0.6], [0, 0, 1, 0]),
        ([0.3, 0.1 + 0.2, 0.2, 0.1], [1, 0, 0, 0]),  # nearly a tie
    ]
    R, same = zip(*rows)
    inputs = [{"R": np.array(R), "same": np.array(same, bool)}]
    for seed, shape in enumerate(((5, 4), (3, 6), (6, 3), (2, 9), (4, 4), (1, 5), (3, 12))):
        rng = np.random.default_rng(seed)
        R = rng.choice([0.1, 0.4, 0.7, 0.9], shape) - 0.3  # R has ties
        same = rng.random(shape) < 0.4
        same[0, :3], same[1:2] = [True, False, True], False
        inputs.append({"R": R, "same": same})
    return inputs


@slips.check("hits, chance", _near_and_same)
def found_share(R, same):
    """Return how often the nearest title word is a partner.

    Also return how often it would be a partner by chance. Query words without
    a partner don't count.

    Parameters
    ----------
    R : (n_query_words, n_title_words)
    same : (n_query_words, n_title_words) of bool
        Whether two words are partners. At least one row has a True.

    Returns
    -------
    hits, chance : float
    """
    nearest = R == R.max(axis=1, keepdims=True)
    hits = (nearest & same).sum(axis=1) / nearest.sum(axis=1)
    asked = same.any(axis=1)
    return hits[asked].mean(), same[asked].mean()
