"""Check of notebook 02: a word of the gated recurrent unit."""

import numpy as np
from scipy.special import expit

from lstm_edu.cells import gru
from lstm_edu.cells.gru import GRU

from ..engine.drawn import of_a_step
from ..engine.minimize import hold
from ..engine.report import passed


def check_step_gru(function):
    """A word read by a gated recurrent unit, held against `gru.step`.

    Among the words are the first of a sentence, y(t-1) = 0, and one without known trigrams, l = 0.

    Parameters
    ----------
    function : function of params, l, y, as those of `gru.step`
        Returns y(t).

    Raises
    ------
    Wrong
    """
    edges = {3: {"y": np.zeros(4)}, 4: {"l": np.zeros(5)}}
    for seed in range(5):
        given = of_a_step(GRU(4), seed) | edges.get(seed, {})
        p, l, y = given.values()
        state = gru.step(p, l, y)
        z, r, yg = state.z, state.r, state.yg
        sums = {k: p[f"W{k}"] @ l + p[f"Wrec{k}"] @ y + p[f"b{k}"] for k in "zr"}
        after = np.tanh(p["Wg"] @ l + r * (p["Wrecg"] @ y) + p["bg"])
        weights = [
            *((f"the bias {name} is missing", {name: 0 * p[name]}) for name in ("bz", "br", "bg")),
            ("the biases are missing", {name: 0 * p[name] for name in ("bz", "br", "bg")}),
            *((f"{name} is missing", {name: 0 * p[name]}) for name in p if name[:4] == "Wrec"),
            *(
                (f"{name} is transposed: {name} @ …, not … @ {name}", {name: p[name].T})
                for name in p
                if name[:4] == "Wrec"
            ),
            (
                "all Wrec are transposed: Wrec @ …, not … @ Wrec",
                {name: p[name].T for name in p if name[:4] == "Wrec"},
            ),
            (
                "the gates are exchanged: z(t) has Wz, Wrecz, bz, and r(t) has Wr, Wrecr, br",
                {name + k: p[name + j] for name in ("W", "Wrec", "b") for k, j in ("zr", "rz")},
            ),
        ]
        mistakes = [
            (
                "z(t) and 1 - z(t) are exchanged, as other programs have them: "
                "here z(t) is the share that is made anew",
                _mixed(1 - z, y, yg),
            ),
            (
                "r(t) multiplies the product Wrecg @ y, as other programs have it; "
                "here it multiplies y(t-1), and Wrecg that",
                _mixed(z, y, after),
            ),
            (
                "other programs have it so; here z(t) is the share that is made anew, "
                "and r(t) multiplies y(t-1), not the product Wrecg @ y",
                _mixed(1 - z, y, after),
            ),
            ("r(t) is missing: in yg(t), Wrecg multiplies r * y", _gated(p, l, y, z, 1)),
            ("this is yg(t); y(t) mixes it with y(t-1)", yg),
            ("1 - z(t) is missing: this keeps all of y(t-1), as the paper's LSTM does", y + z * yg),
            ("z(t) is missing: this lets all of yg(t) in", (1 - z) * y + yg),
            ("nothing of y(t-1) is kept: (1 - z) * y is missing", z * yg),
            ("what is kept of y(t-1) is the share 1 - z(t), not r(t)", r * y + z * yg),
            ("r(t) belongs inside yg(t) alone", _mixed(z, r * y, yg)),
            ("1 - r(t) in the place of r(t)", _gated(p, l, y, z, 1 - r)),
            ("a gate is a sigmoid: z(t) is a tanh here", _mixed(np.tanh(sums["z"]), y, yg)),
            ("a gate is a sigmoid: r(t) is a tanh here", _gated(p, l, y, z, np.tanh(sums["r"]))),
            (
                "a gate is a sigmoid: z(t) and r(t) are tanh here",
                _gated(p, l, y, np.tanh(sums["z"]), np.tanh(sums["r"])),
            ),
            ("yg(t) is no gate: it is a tanh, not a sigmoid", _gated(p, l, y, z, r, expit)),
            ("yg(t) is the tanh of this sum", _gated(p, l, y, z, r, np.positive)),
            ("y(t) itself is not put through tanh once more", np.tanh(state.y)),
            (
                "a product of vectors by * goes element by element; @ makes one number of them",
                (1 - z) @ y + z @ yg,
            ),
            ("return y(t) alone", tuple(state)),
        ]
        hold(
            "y(t)",
            function,
            given,
            state.y,
            mistakes + [(text, gru.step(p | changed, l, y).y) for text, changed in weights],
            of=lambda params, l, y: gru.step(params, l, y).y,
        )
    passed("check_step_gru", 5)


def _gated(p, l, y, z, r, squash=np.tanh):
    """The GRU's y(t) by gates of one's own."""
    return _mixed(z, y, squash(p["Wg"] @ l + p["Wrecg"] @ (r * y) + p["bg"]))


def _mixed(z, y, yg):
    return (1 - z) * y + z * yg
