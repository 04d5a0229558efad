"""Exercise of notebook 06: Algorithm 1, with three bugs to be found."""

import numpy as np

from ..engine import slips


def algorithm_1(Lambda, batches, gradient_at, mu, epsilon, th_G):
    """The parameters after all updates of all epochs."""
    change = 0 * Lambda
    for epoch in batches:
        for batch in epoch:
            gradient = gradient_at(Lambda + mu * change, batch)
            gradient = gradient * min(1, th_G / np.linalg.norm(gradient))
            change = mu * change - epsilon * gradient
            Lambda = Lambda + change
    return Lambda


def _epochs():
    for seed in range(4):
        rng = np.random.default_rng(seed)
        # gradients of all lengths: some are clipped, some are not
        X = rng.lognormal(sigma=1.5, size=(20, 1)) * rng.standard_normal((20, 5))
        target, Lambda = rng.standard_normal(20), rng.standard_normal(5)
        Lambda[seed] = 0  # a parameter may be 0 at first

        def gradient_at(Lambda, batch, X=X, target=target):
            return X[batch].T @ (np.tanh(X[batch] @ Lambda) - target[batch])

        batches = [np.array_split(rng.permutation(20), 5) for _ in range(5 - seed)]
        one = {"Lambda": Lambda, "batches": batches, "gradient_at": gradient_at}
        yield one | {"mu": rng.uniform(0.7, 0.95), "epsilon": 0.3, "th_G": rng.uniform(1.5, 2.5)}


def _several_bugs(given):
    restarts, here, *clipped = slips.rows(algorithm_1)[:5]  # the planted ones, one in three forms
    return slips.left_together(algorithm_1, [[restarts], [here], clipped], given, "Algorithm 1")


def _single_updates(given):
    first, updates = given["batches"][0], ((1, 1e9), (1, 0.01), (2, 1e9))
    return [given | {"batches": [first[:n]], "th_G": th_G} for n, th_G in updates]


check_algorithm_1 = slips.check(
    "Lambda", algorithm_1, _epochs, simpler=_single_updates, others=_several_bugs
)
