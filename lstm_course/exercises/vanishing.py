"""Exercise for lesson 07: median error by distance from the last word."""

import numpy as np

from ..engine import slips


def _errors_of_texts():
    # (numbers of words, n): includes one-word texts, an even number of texts, n = 0, a single text
    cases = [
        *((rng.integers(3, 9, 9), 4) for rng in map(np.random.default_rng, range(5))),
        (np.array([1, 4, 1, 2, 3, 1]), 3),
        (np.array([2, 1, 5, 3]), 0),
        (np.array([6]), 5),
        (np.array([4, 3, 5]), 3),
    ]
    for seed, (n_words, n) in enumerate(cases):
        rng = np.random.default_rng(seed)
        factor = 1.5 if seed in (4, 5) else 0.6  # errors grow or vanish going back
        errors = [
            rng.lognormal() * rng.standard_normal((T, 5)) * factor ** np.arange(T)[::-1, None]
            for T in n_words
        ]
        if seed == 8:
            errors[2][:-1] = 0  # no error reaches the words before the last
        yield {"errors": errors, "n": n}


@slips.check("the share of the error", _errors_of_texts)
def share_left(errors, n):
    """Return the median error 0, 1, ..., n words before the last word.

    The medians of the norms are divided by the median at the last word.

    Returns
    -------
    (n + 1,)
    """
    median = np.zeros(n + 1)
    for d in range(n + 1):
        at_d = [np.linalg.norm(e[-1 - d]) for e in errors if len(e) > d]
        median[d] = np.median(at_d)
    return median / median[0]
