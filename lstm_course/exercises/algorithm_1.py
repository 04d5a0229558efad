"""Check of notebook 06: Algorithm 1, with three bugs to be found."""

from itertools import product

import numpy as np

from lstm_edu.training import nesterov

from ..engine.minimize import hold
from ..engine.report import left, passed

RESTARTS = "change starts from 0 in every epoch: an epoch's end is no reason to stop"
HERE = "the gradient is taken at Lambda; (6) takes it at Lambda + mu change"
CLIPPED = {
    "gradient": "",
    "change": "the change is clipped; Algorithm 1 clips the gradient",
    "nothing": "nothing is clipped",
    "always": "a gradient below the threshold is made longer; it should stay as it is",
}


def check_algorithm_1(algorithm_1):
    """Algorithm 1, mended.

    Parameters
    ----------
    algorithm_1 : function of Lambda, batches, gradient_at, mu, epsilon, th_G
        Lambda (n,); batches a list of epochs, each a list of minibatches; gradient_at a function of
        parameters and a minibatch. Returns Lambda after the last update.

    Raises
    ------
    Wrong
    """
    for seed in range(4):
        rng = np.random.default_rng(seed)
        # gradients of all lengths: some are clipped, some are not
        X = rng.lognormal(sigma=1.5, size=(20, 1)) * rng.standard_normal((20, 5))
        target, Lambda = rng.standard_normal(20), rng.standard_normal(5)
        Lambda[seed] = 0  # a parameter may be 0 at first
        batches = [np.array_split(rng.permutation(20), 5) for _ in range(5 - seed)]
        mu, epsilon, th_G = rng.uniform(0.7, 0.95), 0.3, rng.uniform(1.5, 2.5)

        def gradient_at(Lambda, batch):
            return X[batch].T @ (np.tanh(X[batch] @ Lambda) - target[batch])

        given = {
            "Lambda": Lambda,
            "batches": batches,
            "gradient_at": gradient_at,
            "mu": mu,
            "epsilon": epsilon,
            "th_G": th_G,
        }
        bugs = list(product([False, True], [False, True], CLIPPED))[1:]
        reasons = [
            (
                left([RESTARTS * restarts, HERE * here, CLIPPED[clipped]], "Algorithm 1"),
                _with_bugs(**given, restarts=restarts, here=here, clipped=clipped),
            )
            for restarts, here, clipped in bugs
        ]
        reasons += [
            (
                f"this is after the first {of}: the `return` stands too far to the right",
                _with_bugs(**given | {"batches": part}),
            )
            for of, part in (("epoch", batches[:1]), ("minibatch", [batches[0][:1]]))
        ]
        reasons += [
            (text, _with_bugs(**given | {"batches": part}))
            for text, part in (
                ("the epochs go from the first to the last", batches[::-1]),
                ("the minibatches of an epoch go from the first to the last", _backwards(batches)),
                ("the last epoch is left out", batches[:-1]),
                ("the first epoch is left out", batches[1:]),
            )
        ]
        simpler = [
            (text, given | changed, _by_package(**given | changed))
            for text, changed in (
                (
                    "a single update is wrong already, where change is still 0 and nothing is "
                    "clipped: Lambda - epsilon gradient",
                    {"batches": [batches[0][:1]], "th_G": 1e9},
                ),
                (
                    "a single update is right as long as nothing is clipped: "
                    "the gradient is scaled to the norm th_G if it is longer",
                    {"batches": [batches[0][:1]], "th_G": 0.01},
                ),
                (
                    "the first update is right, and the second is not: it takes the gradient at "
                    "Lambda + mu change, and its change is mu times the first, minus its own step",
                    {"batches": [batches[0][:2]], "th_G": 1e9},
                ),
                (
                    "single updates are right: is every minibatch of every epoch gone through, "
                    "each once and in order?",
                    {},
                ),
            )
        ]
        hold("Lambda", algorithm_1, given, _by_package(**given), reasons, simpler)
    passed("check_algorithm_1", 4)


def _backwards(batches):
    return [epoch[::-1] for epoch in batches]


def _by_package(Lambda, batches, gradient_at, mu, epsilon, th_G):
    """Algorithm 1, by what `lstm_edu.train` does in an update."""
    weights, velocity = {"b": Lambda.copy()}, {"b": 0 * Lambda}
    for batch in (batch for epoch in batches for batch in epoch):
        nesterov.look_ahead(weights, velocity, mu)
        gradient = {"b": gradient_at(weights["b"], batch)}
        nesterov.clip(gradient, th_G)
        nesterov.correct(weights, velocity, gradient, epsilon, None)
    return weights["b"]


def _with_bugs(
    Lambda, batches, gradient_at, mu, epsilon, th_G, restarts=False, here=False, clipped="gradient"
):
    """Algorithm 1 with some of its bugs; arguments that are not `algorithm_1`'s say which."""

    def clip(v):
        return v * (
            th_G / np.linalg.norm(v) if clipped == "always" else min(1, th_G / np.linalg.norm(v))
        )

    change = 0 * Lambda
    for epoch in batches:
        change = 0 * change if restarts else change
        for batch in epoch:
            g = gradient_at(Lambda if here else Lambda + mu * change, batch)
            change = mu * change - epsilon * (clip(g) if clipped in ("gradient", "always") else g)
            change = clip(change) if clipped == "change" else change
            Lambda = Lambda + change
    return Lambda
