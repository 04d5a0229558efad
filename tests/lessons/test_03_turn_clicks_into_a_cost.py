"""Tests of lesson 03: claims about its model's cosines and costs after two epochs."""

import numpy as np
from trained import *

BROKEN = (("03-03", "history = lstm_edu.train(model, pairs, epochs=2, seed=0)", ""),)
MEAN_OVER_TITLES = (("03-29b", "np.log1p(sums)", "np.log1p(sums / ns)"),)
SWAPPED = (("03-28", "R_kinds[0] - R_kinds[1:]", "R_kinds[1:] - R_kinds[0]"),)

CLAIMS = {
    "about half of all cosines are negative": Claim(
        lambda n: (n.everything < 0).mean(), above=0.4, below=0.6
    ),
    "a typical click has a high probability among five titles": Claim(
        lambda n: n.typical, above=0.8
    ),
    "three titles about shanghai have nearly all of the cost's gradient": Claim(
        lambda n: n.push[:3].sum(), above=0.95, broken=SWAPPED
    ),
    "the gradient of the hostels is far above that of Las Vegas, in powers of e": Claim(
        lambda n: np.log(n.push[0] / n.push[3]), above=2, broken=SWAPPED
    ),
    "the cost against all titles is much higher than against four": Claim(
        lambda n: n.l_n[-1] - n.l_n[1], above=2, broken=MEAN_OVER_TITLES
    ),
    "the sum over four drawn titles is typically less than half of the full sum": Claim(
        lambda n: n.found[1], below=0.5
    ),
}
