"""Tests of lesson 03: claims on cosines and costs of its model, trained for two epochs."""

import numpy as np
from trained import *

UNTRAINED = (("03-03", "history = lstm_edu.train(model, pairs, epochs=2, seed=0)", ""),)
MEAN_OVER_TITLES = (("03-29b", "np.log1p(sums)", "np.log1p(sums / ns)"),)
SWAPPED = (("03-28", "R_kinds[0] - R_kinds[1:]", "R_kinds[1:] - R_kinds[0]"),)

CLAIMS = [
    Claim(
        "about half of all cosines are negative",
        lambda n: (n.everything < 0).mean(),
        mean=0.488,
        sd=0.0041,
        above=0.4,
        below=0.6,
        broken=UNTRAINED,
    ),
    Claim(
        "a typical click has a high probability among five titles",
        lambda n: n.typical,
        mean=0.919,
        sd=0.00073,
        above=0.8,
        broken=UNTRAINED,
    ),
    Claim(
        "three titles about shanghai have nearly all of the cost's gradient",
        lambda n: n.push[:3].sum(),
        mean=0.998,
        sd=0.00049,
        above=0.95,
        broken=SWAPPED,
    ),
    Claim(
        "the gradient of the hostels is far above that of Las Vegas, in powers of e",
        lambda n: np.log(n.push[0] / n.push[3]),
        mean=6.49,
        sd=0.37,
        above=2,
        broken=SWAPPED,
    ),
    Claim(
        "the cost against all titles is much higher than against four",
        lambda n: n.l_n[-1] - n.l_n[1],
        mean=3.79,
        sd=0.003,
        above=2,
        broken=MEAN_OVER_TITLES,
    ),
    Claim(
        "the sum over four drawn titles is typically less than half of the full sum",
        lambda n: n.found[1],
        mean=0.291,
        sd=0.014,
        below=0.5,
        broken=UNTRAINED,
    ),
]
