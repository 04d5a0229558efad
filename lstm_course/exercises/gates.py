"""Checks of notebook 08: what is let in, and a gate held still.

What is expected comes from the package's step.
"""

import numpy as np

from lstm_edu.cells.lstm import LSTM, sigmoid

from ..engine.minimize import hold
from ..engine.report import passed


def check_let_in(let_in):
    """How much is let in at each word.

    Parameters
    ----------
    let_in : function of i, yg, both (n_words, n_cells)
        Returns (n_words,), the mean over the cells of the size of what is added to c.

    Raises
    ------
    Wrong
    """
    # words and cells: as many of both, a single word, a single cell
    cases = [(3, 4), (4, 4), (5, 4), (6, 4), (7, 4), (1, 4), (3, 1)]
    for seed, (n_words, n_cells) in enumerate(cases):
        rng = np.random.default_rng(seed)
        states = LSTM(n_cells).read(_lstm(rng, n_cells), rng.standard_normal((n_words, 6)))
        i, yg, c = (
            np.array([getattr(state, name) for state in states]) for name in ("i", "yg", "c")
        )
        # without a forget gate, all that moves c
        expected = np.abs(np.diff(c, axis=0, prepend=0)).mean(axis=1)
        reasons = [
            (
                "amounts let in above and below 0 cancel: take the absolute value before the mean",
                (i * yg).mean(axis=1),
            ),
            (
                "amounts let in above and below 0 cancel: take the absolute value before the mean",
                np.abs((i * yg).mean(axis=1)),
            ),
            (
                "the mean goes over the words; there is one number for each word, axis=1",
                np.abs(i * yg).mean(axis=0),
            ),
            ("one number for all; there is one for each word, axis=1", np.abs(i * yg).mean()),
            (
                "the mean of the product is not the product of the means: "
                "multiply cell by cell first",
                i.mean(axis=1) * np.abs(yg).mean(axis=1),
            ),
            ("the input gate alone; what is let in is i yg", i.mean(axis=1)),
            ("the offer alone; what is let in is i yg", np.abs(yg).mean(axis=1)),
            ("the sum over the cells; the mean is asked for", np.abs(i * yg).sum(axis=1)),
            (
                "this is what c holds, let in so far; asked for is what each word adds",
                np.abs(c).mean(axis=1),
            ),
            (
                "i is a gate, between 0 and 1 already: no sigmoid",
                np.abs(sigmoid(i) * yg).mean(axis=1),
            ),
            ("the length; the mean of the sizes is asked for", np.linalg.norm(i * yg, axis=1)),
            ("the median over the cells; the mean is asked for", np.median(np.abs(i * yg), axis=1)),
            ("the largest of the cells; the mean is asked for", np.abs(i * yg).max(axis=1)),
            ("the squares; the absolute values are asked for", ((i * yg) ** 2).mean(axis=1)),
            (
                "the root of the mean square; the mean of the absolute values is asked for",
                np.sqrt(((i * yg) ** 2).mean(axis=1)),
            ),
            ("what is let in is the product, not the sum", np.abs(i + yg).mean(axis=1)),
            (
                "yg is the offer already, a tanh: no further one",
                np.abs(i * np.tanh(yg)).mean(axis=1),
            ),
            ("1 - i is what the gate keeps out", np.abs((1 - i) * yg).mean(axis=1)),
            ("these are the amounts of all cells: take their mean, axis=1", np.abs(i * yg)),
            (
                "added up over the words; asked for is what each word adds by itself",
                np.cumsum(np.abs(i * yg).mean(axis=1)),
            ),
        ]
        given = {"i": i, "yg": yg}
        simpler = [
            (
                "of one word and one cell it is wrong already: |i yg|",
                {"i": i[:1, :1], "yg": yg[:1, :1]},
                np.abs(i * yg)[0, :1],
            ),
            (
                "of one word it is wrong already: |i yg| of each cell, and their mean",
                {"i": i[:1], "yg": yg[:1]},
                expected[:1],
            ),
            (
                "of a single word it is right: one number for each word, a row is a word",
                given,
                expected,
            ),
        ]
        hold("what is let in", let_in, given, expected, reasons, simpler)
    passed("check_let_in", len(cases))


def check_read_with_gate(read_with_gate):
    """The embedding by an LSTM whose input gate is held still.

    Parameters
    ----------
    read_with_gate : function of params, L, gate
        params of an LSTM without forget gate and peepholes; L (n_words, n_trigrams); gate
        (n_cells,), in the place of i(t). Returns y (n_cells,) after the last word.

    Raises
    ------
    Wrong
    """
    for seed in range(7):
        rng = np.random.default_rng(seed)
        params, L, gate = _lstm(rng), rng.standard_normal((3 + seed, 6)), rng.uniform(0.1, 0.9, 4)
        if seed == 5:  # a single word; gates that are shut and open
            L, gate[:2] = L[:1], [0, 1]
        zero = {"W3": np.zeros((4, 6)), "Wrec3": np.zeros((4, 4))}

        def read(**moved):
            return LSTM(4).read(params | moved, L)

        with np.errstate(divide="ignore", over="ignore"):  # exp of a gate that is shut
            still = zero | {"b3": np.log(gate / (1 - gate))}  # sigmoid(b3) is the gate
            states, free = read(**still), read()
        reasons = [
            ("i(t) is computed as usual, and the gate that is given has no effect", free[-1].y),
            (
                "the gate that is given stands before the sigmoid; "
                "it is a gate, between 0 and 1 already",
                read(**zero, b3=gate)[-1].y,
            ),
            ("y after the last word is asked for; this is c", states[-1].c),
            (
                "y after every word; that after the last is asked for",
                np.array([state.y for state in states]),
            ),
            (
                "this is y after the first word: the `return` stands too far to the right",
                states[0].y,
            ),
            ("the words go from the first to the last", _read(params, L[::-1], gate)),
            ("the first word is left out", _read(params, L[1:], gate)),
            ("the last word is left out", _read(params, L[:-1], gate)),
        ]
        reasons += [(text, _read(params, L, gate, name)) for name, text in WRONG_READINGS.items()]
        reasons += [
            (text, _read(params | moved, L, gate))
            for text, moved in (
                ("the bias b4 is missing in yg", {"b4": np.zeros(4)}),
                ("the bias b1 is missing in o", {"b1": np.zeros(4)}),
                ("the biases b4 and b1 are missing", {"b4": np.zeros(4), "b1": np.zeros(4)}),
                ("Wrec4 is missing in yg", {"Wrec4": np.zeros((4, 4))}),
                ("Wrec1 is missing in o", {"Wrec1": np.zeros((4, 4))}),
                ("W4 is missing in yg", {"W4": np.zeros((4, 6))}),
                ("W1 is missing in o", {"W1": np.zeros((4, 6))}),
                ("Wrec4 is transposed in yg", {"Wrec4": params["Wrec4"].T}),
                ("Wrec1 is transposed in o", {"Wrec1": params["Wrec1"].T}),
                (
                    "Wrec4 and Wrec1 are transposed",
                    {"Wrec4": params["Wrec4"].T, "Wrec1": params["Wrec1"].T},
                ),
                (
                    "the parameters are exchanged: 1 is the output gate's, 4 is y_g's",
                    {k + "14"[j]: params[k + "41"[j]] for k in ("W", "Wrec", "b") for j in (0, 1)},
                ),
                (
                    "the output gate's parameters are those with 1, not 3",
                    {k + "1": params[k + "3"] for k in ("W", "Wrec", "b")},
                ),
                (
                    "y_g's parameters are those with 4, not 3",
                    {k + "4": params[k + "3"] for k in ("W", "Wrec", "b")},
                ),
            )
        ]
        given = {"params": params, "L": L, "gate": gate}
        apart = {k: np.zeros((4, 4)) for k in ("Wrec1", "Wrec4")}
        simpler = [
            (text, easy, _read(**easy))
            for text, easy in (
                (
                    "after a single word it is wrong already: y(0) and c(0) are 0, "
                    "so c = gate yg and y = o tanh(c)",
                    given | {"L": L[:1]},
                ),
                (
                    "after a single word it is right, but not after two, even with Wrec = 0: "
                    "c is what was there before plus gate yg",
                    given | {"L": L[:2], "params": params | apart},
                ),
                (
                    "with Wrec = 0 it is right: "
                    "every sum sees y of the word before, so y is set last, and at each word",
                    given,
                ),
            )
        ]
        hold("y(T)", read_with_gate, given, states[-1].y, reasons, simpler)
    passed("check_read_with_gate", 7)


WRONG_READINGS = {
    "both": "the gate that is given multiplies i(t); it stands in its place",
    "output": (
        "the gate that is given stands in the place of the output gate; "
        "it is that of the input gate"
    ),
    "last": "c holds the last word alone: c(t) = c(t-1) + i(t) yg(t)",
    "forget": "the gate is taken for a forget gate, too: c(t-1) is kept whole",
    "decoupled": "y(t-1) is always 0: set y to the new one at each word",
    "shown": "the output gate is missing: y(t) = o(t) tanh(c(t))",
    "linear": "the tanh is missing: y(t) = o(t) tanh(c(t))",
    "untanhed": "the tanh of y_g is missing",
    "open": "the gate that is given is left out: c(t) = c(t-1) + gate yg(t)",
    "sigmoid": "y_g is a tanh, not a sigmoid",
    "o_tanh": "o is a gate, a sigmoid, not a tanh",
    "o_linear": "the sigmoid of o is missing",
    "minus": "c(t) = c(t-1) + gate yg(t), with +",
    "mixed": "without a forget gate c(t-1) is kept whole, not times 1 - gate",
    "early": "y(t) takes the new c(t): compute c before y",
}


def _read(params, L, gate, way=None):
    """The last y with the gate held still, or by one of `WRONG_READINGS`."""
    y = c = np.zeros(len(gate))
    for l in L:
        seen = 0 * y if way == "decoupled" else y
        yg, i, o = (
            params["W" + k] @ l + params["Wrec" + k] @ seen + params["b" + k] for k in "431"
        )
        yg = {"untanhed": yg, "sigmoid": sigmoid(yg)}.get(way, np.tanh(yg))
        o = {"output": gate, "o_tanh": np.tanh(o), "o_linear": o, "shown": 1}.get(way, sigmoid(o))
        i = {"output": sigmoid(i), "both": sigmoid(i) * gate, "open": 1, "minus": -gate}.get(
            way, gate
        )
        kept = {"last": 0, "forget": gate, "mixed": 1 - gate}.get(way, 1)
        before, c = c, kept * c + i * yg
        c_seen = before if way == "early" else c
        y = o * (c_seen if way == "linear" else np.tanh(c_seen))
    return y


def _lstm(rng, n_cells=4):
    """Parameters of an LSTM over 6 trigrams without forget gate and peepholes, by their names."""
    shapes = {"W": (n_cells, 6), "Wrec": (n_cells, n_cells), "b": (n_cells,)}
    return {
        f"{name}{k}": 0.7 * rng.standard_normal(shape)
        for name, shape in shapes.items()
        for k in "134"
    }
