"""Exercise for lesson 06: one update of Adam."""

import numpy as np

from ..engine import slips


def _updates():
    # Bias correction matters at k = 1; m's is negligible by k = 50, v's by k = 20,000.
    # Gradients of about the size of `tiny` show where `tiny` is added. Two inputs have other betas.
    for seed, (k, length) in enumerate(
        [(1, 1), (1, 1e-7), (2, 1), (3, 1e-7), (50, 1), (20_000, 1), (3, 1), (4, 100), (2000, 1)]
    ):
        rng = np.random.default_rng(seed)
        shape = (2, 3) if seed == 7 else (6,)
        w, g = rng.standard_normal(shape), length * rng.standard_normal(shape)
        m = length * rng.standard_normal(shape) * (k > 1)
        v = m**2 + length**2 * rng.uniform(0.1, 1, shape) * (k > 1)
        # a weight that has never had a gradient must not change: 0 / tiny = 0
        g.flat[1] = m.flat[1] = v.flat[1] = 0
        g.flat[2] *= seed != 2  # one weight has no gradient in this update
        one = dict(w=w, m=m, v=v, g=g, k=k, epsilon=rng.uniform(0.001, 0.1))
        yield one | (dict(beta1=0.7, beta2=0.85, tiny=0.01) if seed in (6, 7) else {})


@slips.check("w, m, v", _updates, first=("m", "v"))
def adam(w, m, v, g, k, epsilon, beta1=0.9, beta2=0.999, tiny=1e-8):
    """Return w, m and v after Adam's k-th update (k = 1, 2, …)."""
    m = beta1 * m + (1 - beta1) * g
    v = beta2 * v + (1 - beta2) * g**2
    m_hat, v_hat = m / (1 - beta1**k), v / (1 - beta2**k)
    return w - epsilon * m_hat / (np.sqrt(v_hat) + tiny), m, v
