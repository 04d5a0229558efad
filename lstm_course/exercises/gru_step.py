"""Exercise for lesson 02: one step of the gated recurrent unit."""

import numpy as np

from lstm_edu.cells.gru import GRU
from lstm_edu.cells.lstm import sigmoid

from ..engine import slips
from ..engine.drawn import of_a_step


def _words():
    """Generate words, including a first word (y = 0) and one without known trigrams (l = 0)."""
    edges = {3: {"y": np.zeros(4)}, 4: {"l": np.zeros(5)}}
    return [of_a_step(GRU(4), seed) | edges.get(seed, {}) for seed in range(5)]


@slips.check("y(t)", _words, parts=True)
def step_gru(params, l, y):
    """Compute y(t) from y(t-1) with a gated recurrent unit."""
    p = params
    z = sigmoid(p["Wz"] @ l + p["Wrecz"] @ y + p["bz"])
    r = sigmoid(p["Wr"] @ l + p["Wrecr"] @ y + p["br"])
    yg = np.tanh(p["Wg"] @ l + p["Wrecg"] @ (r * y) + p["bg"])
    return (1 - z) * y + z * yg
