"""Exercise for lesson 10b: one step of the EM algorithm for PLSA.

On the first input, every known mistake gives a different result, so that the check's message names
the mistake that was made.
"""

import numpy as np

from ..engine import slips


def _logs():
    # the sizes are (n_titles, n_topics, n_words)
    sizes = [(4, 3, 5), (3, 2, 6), (6, 4, 3), (1, 2, 3), (5, 1, 4), (3, 4, 1), (2, 2, 2), (4, 2, 4)]
    every = [_topics(seed, *size) for seed, size in enumerate(sizes)]
    # topics with P(word) = 0, and titles with P(topic) near 0
    every[6] = {
        "n": np.array([[2, 0], [1, 3]]),
        "P_z": np.array([[1.0, 0.0], [1 - 1e-6, 1e-6]]),
        "P_w": np.array([[1.0, 0.0], [0.25, 0.75]]),
    }
    # a word that appears in no title and has probability 0 under every topic
    every[7]["n"][:, 1], every[7]["P_w"][:, 1] = 0, 0
    every[7]["P_w"] /= every[7]["P_w"].sum(axis=1, keepdims=True)
    return every


def _topics(seed, n_titles, n_topics, n_words):
    """Generate word counts, P(z | D) and P(w | z), with at least one word in each title."""
    rng = np.random.default_rng(seed)
    n = rng.integers(0, 4, (n_titles, n_words))
    n[:, -1] += n.sum(axis=1) == 0
    P_z = rng.dirichlet(np.ones(n_topics), n_titles)
    P_w = rng.dirichlet(np.ones(n_words), n_topics)
    return {"n": n, "P_z": P_z, "P_w": P_w}


@slips.check("P(z|D), P(w|z)", _logs)
def em_step(n, P_z, P_w):
    """Take one EM step for PLSA.

    Parameters
    ----------
    n : (n_titles, n_words) of int
    P_z : (n_titles, n_topics)
    P_w : (n_topics, n_words)

    Returns
    -------
    P_z, P_w
        The new probabilities. Each row sums to 1.
    """
    P = P_z @ P_w  # P(w | D)
    ratio = n / np.where(n > 0, P, 1)
    new_z = P_z * (ratio @ P_w.T)
    new_w = P_w * (P_z.T @ ratio)
    return (new_z / new_z.sum(axis=1, keepdims=True), new_w / new_w.sum(axis=1, keepdims=True))
