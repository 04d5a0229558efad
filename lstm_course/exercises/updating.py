"""Checks of notebook 06: one update by Eq. (6), and how large a step it bears."""

import numpy as np

from lstm_edu.training import nesterov

from ..engine.minimize import hold
from ..engine.report import passed


def check_update(update):
    """One update by Eq. (6).

    Parameters
    ----------
    update : function of Lambda, change, gradient_at, mu, epsilon
        Lambda and change (n,), gradient_at a function of (n,). Returns Lambda and change after the
        update.

    Raises
    ------
    Wrong
    """
    for seed, shape in enumerate([(6,), (6,), (6,), (6,), (6,), (3, 2)]):
        rng = np.random.default_rng(seed)
        A, Lambda, change = rng.standard_normal((6, 6)), *rng.standard_normal((2, *shape))
        mu, epsilon = rng.uniform(0.5, 0.95), rng.uniform(0.05, 0.5)

        def gradient_at(point):
            return (A @ np.tanh(point).ravel()).reshape(point.shape)

        def by(new, start=Lambda):
            return start + new, new

        def by_package(Lambda, change, gradient_at, mu, epsilon):
            weights, velocity = {"b": Lambda.copy()}, {"b": change.copy()}
            nesterov.look_ahead(weights, velocity, mu)
            nesterov.correct(weights, velocity, {"b": gradient_at(weights["b"])}, epsilon, None)
            return weights["b"], velocity["b"]

        ahead = Lambda + mu * change
        g, g_here = gradient_at(ahead), gradient_at(Lambda)
        reasons = [
            (
                "the gradient is taken at Lambda; (6) takes it at Lambda + mu change",
                by(mu * change - epsilon * g_here),
            ),
            (
                "the gradient is taken at Lambda + change, without mu",
                by(mu * change - epsilon * gradient_at(Lambda + change)),
            ),
            (
                "the gradient is taken at Lambda - mu change, behind and not ahead",
                by(mu * change - epsilon * gradient_at(Lambda - mu * change)),
            ),
            (
                "the gradient is taken at mu change: the parameters, Lambda, are missing there",
                by(mu * change - epsilon * gradient_at(mu * change)),
            ),
            (
                "with + epsilon the cost grows: (6) has a minus before the gradient",
                by(mu * change + epsilon * g),
            ),
            (
                "the momentum goes on: (6) has + before mu change",
                by(-mu * change - epsilon * g),
            ),
            (
                "the momentum's part is added twice: change holds it already",
                by(mu * change - epsilon * g, ahead),
            ),
            (
                "the whole change is added twice: Lambda + change stands below, once",
                (Lambda + 2 * (mu * change - epsilon * g), mu * change - epsilon * g),
            ),
            (
                "the new change takes the place of the old one: =, not +=",
                by((1 + mu) * change - epsilon * g),
            ),
            ("mu is left out before the last change", by(change - epsilon * g)),
            ("epsilon is left out", by(mu * change - g)),
            ("the momentum, mu change, is left out of the new change", by(-epsilon * g)),
            ("the gradient is left out of the new change", by(mu * change)),
            ("nothing is done with the result: assign it to `change`", by(change)),
            (
                "the momentum's share of the gradient: (6) has epsilon alone before it",
                by(mu * change - epsilon * (1 - mu) * g),
            ),
            (
                "mu and epsilon are exchanged",
                by(epsilon * change - mu * gradient_at(Lambda + epsilon * change)),
            ),
            (
                "Lambda is left as it was: it moves by the new change",
                (Lambda, mu * change - epsilon * g),
            ),
            (
                "Lambda moves by the new change, not by the old one",
                (Lambda + change, mu * change - epsilon * g),
            ),
            ("the two are in the other order: Lambda first", by(mu * change - epsilon * g)[::-1]),
        ]
        given = {
            "Lambda": Lambda,
            "change": change,
            "gradient_at": gradient_at,
            "mu": mu,
            "epsilon": epsilon,
        }
        simpler = [
            (text, given | changed, by_package(**given | changed))
            for text, changed in (
                (
                    "with mu = 0 it is wrong already; (6) is Lambda - epsilon gradient then, "
                    "and change is what Lambda moves by",
                    {"mu": 0.0},
                ),
                (
                    "with epsilon = 0 it is wrong already; (6) is change = mu change then, "
                    "and Lambda moves by it",
                    {"epsilon": 0.0},
                ),
                (
                    "with mu = 0 and with epsilon = 0 it is right: "
                    "so look at the point at which the gradient is taken",
                    {},
                ),
            )
        ]
        hold("(Lambda, change)", update, given, by_package(**given), reasons, simpler)
    passed("check_update", 6)


def check_largest_step(largest_step):
    """The step size below which Eq. (6) comes to rest in L = curvature w^2 / 2.

    Parameters
    ----------
    largest_step : function of curvature, mu
        Returns that epsilon.

    Raises
    ------
    Wrong
    """
    for seed in range(6):
        rng = np.random.default_rng(seed)
        h, mu = rng.uniform(0.5, 50), 0.0 if seed == 5 else rng.uniform(0.3, 0.95)
        given = {"curvature": h, "mu": mu}
        reasons = [
            ("2 / curvature is the limit of gradient descent, mu = 0", 2 / h),
            (
                "2 (1 + mu) / curvature is the limit of momentum without the look-ahead",
                2 * (1 + mu) / h,
            ),
            (
                "the effective step, epsilon / (1 - mu), is not what limits the steps across",
                2 * (1 - mu) / h,
            ),
            (
                "1 / curvature is the step that comes to rest at once if mu = 0; "
                "larger ones come to rest, too",
                1 / h,
            ),
            (
                "epsilon curvature is what is limited: divide by the curvature, don't multiply",
                h * 2 * (1 + mu) / (1 + 2 * mu),
            ),
            (
                "at -1 the lines of w(k-1) and w(k-2) add: "
                "1 + mu and mu, together 1 + 2 mu, times 1 - epsilon curvature",
                2 / (1 + 2 * mu) / h,
            ),
            ("this is epsilon curvature: divide by the curvature", 2 * (1 + mu) / (1 + 2 * mu)),
            ("this is epsilon curvature: divide by the curvature", h * _by_bisection(h, mu)),
            ("a is 1 - epsilon curvature: this is -a / curvature", 1 / (1 + 2 * mu) / h),
            (
                "a = 1 - epsilon curvature is negative at z = -1: mind its sign",
                (1 - 1 / (1 + 2 * mu)) / h,
            ),
        ]
        simpler = [
            (
                "with mu = 0 it is wrong already; that is gradient descent",
                given | {"mu": 0.0},
                2 / h,
            ),
            (
                "with mu = 0 it is right: put z = -1 into the hint's equation and solve it for a, "
                "then for epsilon",
                given,
                _by_bisection(h, mu),
            ),
        ]
        hold(
            "the largest epsilon",
            largest_step,
            given,
            _by_bisection(h, mu),
            reasons,
            simpler,
            tolerance=1e-8,
        )
    passed("check_largest_step", 6)


def _by_bisection(h, mu):
    """The epsilon at which one update, a map of (w, change), begins to lengthen something."""

    def lengthens(epsilon):
        columns = []
        for w, change in np.eye(2):
            weights, velocity = {"b": np.array([w])}, {"b": np.array([change])}
            nesterov.look_ahead(weights, velocity, mu)
            nesterov.correct(weights, velocity, {"b": h * weights["b"]}, epsilon, None)
            columns.append([weights["b"][0], velocity["b"][0]])
        return max(abs(np.linalg.eigvals(np.array(columns).T))) > 1

    low, high = 0.1 / h, 10 / h
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if lengthens(middle) else (middle, high)
    return low
