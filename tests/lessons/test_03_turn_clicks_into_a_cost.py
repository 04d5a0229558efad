"""Tests of lesson 03: claims on cosines and costs of its model, trained for two epochs."""

import numpy as np
from trained import *

BROKEN = (("03-03", "history = lstm_edu.train(model, pairs, epochs=2, seed=0)", ""),)
MEAN_OVER_TITLES = (("03-29b", "np.log1p(sums)", "np.log1p(sums / ns)"),)
SWAPPED = (("03-28", "R_kinds[0] - R_kinds[1:]", "R_kinds[1:] - R_kinds[0]"),)

CLAIMS = [
    Claim(
        "about half of all cosines are negative",
        lambda n: (n.everything < 0).mean(),
        above=0.4,
        below=0.6,
    ),
    Claim(
        "a typical click has a high probability among five titles",
        lambda n: n.typical,
        above=0.8,
    ),
    Claim(
        "three titles about shanghai have nearly all of the cost's gradient",
        lambda n: n.push[:3].sum(),
        above=0.95,
        broken=SWAPPED,
    ),
    Claim(
        "the gradient of the hostels is far above that of Las Vegas, in powers of e",
        lambda n: np.log(n.push[0] / n.push[3]),
        above=2,
        broken=SWAPPED,
    ),
    Claim(
        "the cost against all titles is much higher than against four",
        lambda n: n.l_n[-1] - n.l_n[1],
        above=2,
        broken=MEAN_OVER_TITLES,
    ),
    Claim(
        "the sum over four drawn titles is typically less than half of the full sum",
        lambda n: n.found[1],
        below=0.5,
    ),
]
