"""Exercise for lesson 06: find three bugs in Algorithm 1."""

import numpy as np

from ..engine import slips


def _epochs():
    for seed in range(4):
        rng = np.random.default_rng(seed)
        # generate gradients with norms above and below the threshold
        X = rng.lognormal(sigma=1.5, size=(20, 1)) * rng.standard_normal((20, 5))
        target, Lambda = rng.standard_normal(20), rng.standard_normal(5)
        Lambda[seed] = 0  # one parameter starts at 0

        def gradient_at(Lambda, batch, X=X, target=target):
            return X[batch].T @ (np.tanh(X[batch] @ Lambda) - target[batch])

        batches = [np.array_split(rng.permutation(20), 5) for _ in range(5 - seed)]
        one = {"Lambda": Lambda, "batches": batches, "gradient_at": gradient_at}
        yield one | {"mu": rng.uniform(0.7, 0.95), "epsilon": 0.3, "th_G": rng.uniform(1.5, 2.5)}


@slips.check("Lambda", _epochs, planted=("Algorithm 1", (1, 1, 3)))
def algorithm_1(Lambda, batches, gradient_at, mu, epsilon, th_G):
    """Return the parameters after all updates of all epochs."""
    change = 0 * Lambda
    for epoch in batches:
        for batch in epoch:
            gradient = gradient_at(Lambda + mu * change, batch)
            gradient = gradient * min(1, th_G / np.linalg.norm(gradient))
            change = mu * change - epsilon * gradient
            Lambda = Lambda + change
    return Lambda
