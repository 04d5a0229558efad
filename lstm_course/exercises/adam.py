"""Check of notebook 06: one update of Adam."""

import numpy as np

from lstm_edu.training import adam
from lstm_edu.training.adam import BETA1, BETA2, TINY

from ..engine.minimize import hold
from ..engine.report import passed


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
