"""Checks of notebook 06: one update, by Eq. (6) and by Adam, and how large a step (6) bears."""

import numpy as np

from ..training import adam, nesterov
from ..training.adam import BETA1, BETA2, TINY
from .report import passed
from .stages import hold


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
            (
                "at z = -1 both terms of the bracket have the same sign: 1 + mu and mu add",
                (1 + 1) / h if mu else 0.0,
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


def check_adam(adam_update):
    """One update of Adam, as `lstm_edu.training.adam` has it.

    Parameters
    ----------
    adam_update : function of w, m, v, g, k, epsilon
        w, m, v and g arrays of one shape; k = 1, 2, …. Also called with beta1, beta2 and tiny,
        after epsilon. Returns w, m and v after update k.

    Raises
    ------
    Wrong
    """
    # at k = 1 both averages are 0; at 50 m, at 20,000 v needs no correction any more; gradients of
    # the length of tiny tell where it stands
    updates = [
        (1, 1.0),
        (1, 1e-7),
        (2, 1.0),
        (3, 1e-7),
        (50, 1.0),
        (20_000, 1.0),
        (3, 1.0),
        (4, 1.0),
    ]
    for seed, (k, length) in enumerate(updates):
        rng = np.random.default_rng(seed)
        shape = (2, 3) if seed == 7 else (6,)
        w, g = rng.standard_normal(shape), length * rng.standard_normal(shape)
        m = length * rng.standard_normal(shape) * (k > 1)
        v = m**2 + length**2 * rng.uniform(0.1, 1, shape) * (k > 1)
        # a weight that has never had a gradient: 0 / tiny, and it stays
        g.flat[1] = m.flat[1] = v.flat[1] = 0
        given = dict(w=w, m=m, v=v, g=g, k=k, epsilon=rng.uniform(0.001, 0.1))
        if seed < 6:
            expected = tuple({"b": array.copy()} for array in (w, m, v))
            adam.correct(*expected, {"b": g}, given["epsilon"], k, None)
            expected = tuple(array["b"] for array in expected)
        else:  # betas that are not the usual ones
            given |= dict(beta1=0.7, beta2=0.85, tiny=0.01)
            expected = _by_formulas(**given)
        simpler = [
            (
                f"m and v are averages, each of its own: look at the line of {name} alone",
                name,
                lambda *given, place=place: adam_update(*given)[place],
                given,
                expected[place],
            )
            for place, name in ((1, "m"), (2, "v"))
        ]
        simpler += [
            (
                "m and v are right, and after very many updates, without corrections, w is wrong: "
                "look at its line, w - epsilon m_hat / (sqrt(v_hat) + tiny)",
                given | {"k": 10**6},
                _by_formulas(**given | {"k": 10**6}),
            ),
            (
                "m and v are right, and w after very many updates: "
                "look at the corrections, m / (1 - beta1^k) and v / (1 - beta2^k)",
                given,
                expected,
            ),
        ]
        with np.errstate(all="ignore"):
            hold("(w, m, v)", adam_update, given, expected, _not_adam(**given), simpler)
    passed("check_adam", len(updates))


def _by_formulas(w, m, v, g, k, epsilon, beta1=BETA1, beta2=BETA2, tiny=TINY):
    """Adam with any betas; the package's are fixed."""
    m, v = beta1 * m + (1 - beta1) * g, beta2 * v + (1 - beta2) * g**2
    step = epsilon * m / (1 - beta1**k) / (np.sqrt(v / (1 - beta2**k)) + tiny)
    return w - step, m, v


def _not_adam(w, m, v, g, k, epsilon, beta1=BETA1, beta2=BETA2, tiny=TINY):
    """What is likely to be written instead of Adam, and why it is not."""
    m_new, v_new = beta1 * m + (1 - beta1) * g, beta2 * v + (1 - beta2) * g**2
    c1, c2 = 1 - beta1**k, 1 - beta2**k  # for the start at 0

    def after(m_hat, root, m=m_new, v=v_new, by=-epsilon, tiny=tiny):
        return w + by * m_hat / (root + tiny), m, v

    m_hat, root = m_new / c1, np.sqrt(v_new / c2)
    exchanged = beta2 * m + (1 - beta2) * g, beta1 * v + (1 - beta1) * g**2
    not_squared, whole_m, whole_v = beta2 * v + (1 - beta2) * g, beta1 * m + g, beta2 * v + g**2
    kept_m, kept_v = m + (1 - beta1) * g, v + (1 - beta2) * g**2
    turned_m, turned_v = (1 - beta1) * m + beta1 * g, (1 - beta2) * v + beta2 * g**2
    return [
        (
            "neither m nor v is corrected for its start at 0: divide by 1 - beta^k",
            after(m_new, np.sqrt(v_new)),
        ),
        ("m is not corrected for its start at 0: divide it by 1 - beta1^k", after(m_new, root)),
        (
            "v is not corrected for its start at 0: divide it by 1 - beta2^k",
            after(m_hat, np.sqrt(v_new)),
        ),
        (
            "k counts from 1: the first correction is 1 - beta^1",
            after(m_new / (1 - beta1 ** (k + 1)), np.sqrt(v_new / (1 - beta2 ** (k + 1)))),
        ),
        (
            "k counts from 1: with k - 1 the first correction is 1 - beta^0, which is 0"
            if k == 1
            else "the corrections want the power of this update: 1 - beta^k",
            after(m_new / (1 - beta1 ** (k - 1)), np.sqrt(v_new / (1 - beta2 ** (k - 1)))),
        ),
        (
            "the corrections want the power of this update: 1 - beta^k",
            after(m_new / (1 - beta1), np.sqrt(v_new / (1 - beta2))),
        ),
        (
            "what is returned first is the change; it is to be added to w",
            (after(m_hat, root)[0] - w, m_new, v_new),
        ),
        (
            "the corrections want a power, beta ** k, not a product",
            after(m_new / (1 - beta1 * k), np.sqrt(v_new / (1 - beta2 * k))),
        ),
        (
            "the corrected averages are returned; what is kept for the next update is m and v",
            after(m_hat, root, m_hat, root**2),
        ),
        (
            "beta1 and beta2 are exchanged: beta1 is m's, beta2 is v's",
            after(exchanged[0] / c2, np.sqrt(exchanged[1] / c1), *exchanged),
        ),
        (
            "g is not squared in v",
            after(m_hat, np.sqrt(not_squared / c2), v=not_squared),
        ),
        ("the root of v is missing", after(m_hat, v_new / c2)),
        (
            "tiny stands beside the root, not under it",
            after(m_hat, np.sqrt(v_new / c2 + tiny) - tiny),
        ),
        ("without tiny, 0 is divided by 0", after(m_hat, root - tiny)),
        ("with + epsilon the cost grows", after(m_hat, root, by=epsilon)),
        ("epsilon is left out", after(m_hat, root, by=-1)),
        ("the step goes along m, not along g alone", after(g, root)),
        (
            "the new part of m, g, has the weight 1 - beta1",
            after(whole_m / c1, root, m=whole_m),
        ),
        (
            "the new part of v, g squared, has the weight 1 - beta2",
            after(m_hat, np.sqrt(whole_v / c2), v=whole_v),
        ),
        (
            "the step is taken with the averages of before: make the new ones first",
            after(m / c1, np.sqrt(v / c2)),
        ),
        (
            "beta1, beta2 and tiny are arguments: use them as they are given",
            _by_formulas(w, m, v, g, k, epsilon),
        ),
        ("m keeps the share beta1 of itself", after(kept_m / c1, root, m=kept_m)),
        ("v keeps the share beta2 of itself", after(m_hat, np.sqrt(kept_v / c2), v=kept_v)),
        (
            "beta1 is the share of m that is kept, and 1 - beta1 that of g: they are exchanged",
            after(turned_m / c1, root, m=turned_m),
        ),
        (
            "beta2 is the share of v that is kept, and 1 - beta2 that of g^2: they are exchanged",
            after(m_hat, np.sqrt(turned_v / c2), v=turned_v),
        ),
        (
            "beta is the share that is kept, and 1 - beta that of the new: they are exchanged",
            after(turned_m / c1, np.sqrt(turned_v / c2), m=turned_m, v=turned_v),
        ),
        (
            "divide by 1 - beta^k: this multiplies by it",
            after(m_new * c1, np.sqrt(v_new * c2)),
        ),
        ("divide m by 1 - beta1^k: this multiplies by it", after(m_new * c1, root)),
        ("divide v by 1 - beta2^k: this multiplies by it", after(m_hat, np.sqrt(v_new * c2))),
        ("the correction is 1 - beta^k: the 1 is missing", after(m_new / beta1**k, root)),
        (
            "the correction is 1 - beta^k: the 1 is missing",
            after(m_new / beta1**k, np.sqrt(v_new / beta2**k)),
        ),
        ("the step is divided by the root: this multiplies by it", after(m_hat * root**2, root)),
        ("the step along m is not divided by the root of v", after(m_hat, 1, tiny=0)),
        ("w is left as it was: it moves by the step", (w, m_new, v_new)),
        ("m and v are returned as they were: return the new ones", after(m_hat, root, m, v)),
        ("m and v are in the other order: w, m, v", after(m_hat, root, v_new, m_new)),
    ]
