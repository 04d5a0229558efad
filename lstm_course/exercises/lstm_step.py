"""Checks of notebook 02: a word of the LSTM, Eq. (2), without and with peepholes."""

import numpy as np
from scipy.special import expit

from lstm_edu.cells import lstm
from lstm_edu.cells.lstm import LSTM

from ..engine.drawn import of_a_step
from ..engine.minimize import hold
from ..engine.report import passed


def check_step_lstm(function):
    """A word of Eq. (2) with a forget gate and without peepholes, held against `lstm.step`.

    Parameters
    ----------
    function : function of params, l, y, c, as those of `lstm.step`
        Returns y(t) and c(t).

    Raises
    ------
    Wrong
    """
    for seed in range(5):
        given = of_a_step(LSTM(4, forget_gate=True), seed)
        params, l, y_before, c_before = given.values()
        state = lstm.step(params, l, y_before, c_before)
        i, f, o, yg = state.i, state.f, state.o, state.yg
        mistakes = [
            ("c is c(t-1) still: is the new one assigned, c = …?", c_before),
            ("the output gate o(t) is not for c: it is f * c + i * yg", f * c_before + o * yg),
            ("nothing of c(t-1) is kept: Eq. (2) adds f(t) * c(t-1)", i * yg),
            ("the new part is missing: Eq. (2) adds i(t) * yg(t)", f * c_before),
            ("both gates are missing: f(t) is for c(t-1), i(t) for yg(t)", c_before + yg),
            ("f(t) is missing: this keeps all of c(t-1)", c_before + i * yg),
            ("i(t) is missing: this lets all of yg(t) in", f * c_before + yg),
            ("the gates are exchanged: f(t) is for c(t-1), i(t) for yg(t)", i * c_before + f * yg),
            (
                "the products are added and the sums multiplied: it is f * c + i * yg",
                (f + c_before) * (i + yg),
            ),
            (
                "f(t) multiplies y(t-1), and should multiply the memory c(t-1)",
                f * y_before + i * yg,
            ),
            (
                "f(t) multiplies the new part as well: put no brackets around the sum",
                f * (c_before + i * yg),
            ),
            (
                "i(t) multiplies the old part as well: put no brackets around the sum",
                i * (f * c_before + yg),
            ),
            ("the new part is subtracted", f * c_before - i * yg),
            (
                "a product of vectors by * goes element by element; @ makes one number of them",
                f @ c_before + i @ yg,
            ),
            (
                "1 - i(t) in the place of f(t): that couples the gates, as some later cells do",
                (1 - i) * c_before + i * yg,
            ),
        ]
        hold(
            "y(t), c(t)",
            function,
            given,
            (state.y, state.c),
            [
                ("the order: return y, c", (state.c, state.y)),
                ("return both, y and c", state.y),
                ("return both, y and c", state.c),
                *((text, (o * np.tanh(c), c + np.zeros(4))) for text, c in mistakes),
            ],
            of=_y_and_c,
        )
    passed("check_step_lstm", 5)


def check_peepholes(function):
    """A word of Eq. (2) with a forget gate and full peepholes, held against `lstm.step`.

    Parameters
    ----------
    function : function of params, l, y, c, as those of `lstm.step`
        Returns y(t) and c(t).

    Raises
    ------
    Wrong
    """
    for seed in range(5):
        given = of_a_step(LSTM(4, True, "full"), seed)
        p, l, y, c = given.values()
        state = lstm.step(p, l, y, c)
        names = "Wp1", "Wp2", "Wp3"
        numbers = (
            "the numbers of the peepholes: "
            "1 is the output gate, 2 the forget gate, 3 the input gate"
        )
        weights = [
            *((f"the gate with {name} has no peephole", {name: 0 * p[name]}) for name in names),
            ("none of the gates has a peephole", {name: 0 * p[name] for name in names}),
            (
                "Wp is a full matrix here: Wp @ c, not its diagonal times c",
                {name: np.diag(p[name]) for name in names},
            ),
            ("Wp is transposed: Wp @ c, not c @ Wp", {name: p[name].T for name in names}),
            (numbers, {"Wp1": p["Wp3"], "Wp3": p["Wp1"]}),
            (numbers, {"Wp2": p["Wp3"], "Wp3": p["Wp2"]}),
        ]
        late = (
            "the output gate sees the old memory c(t-1); "
            "in Eq. (2) it is computed after c(t), and sees that"
        )
        mistakes = [
            *((text, lstm.step(p | changed, l, y, c)) for text, changed in weights + _left_out(p)),
            *_slips(state, c),
            (late, _step(p, l, y, c, shown=c)),
            ("yg(t) is no gate and has no peephole", _step(p, l, y, c, Wp4=p["Wp3"])),
            (
                "the peepholes look at y(t-1), and should look at the memory",
                _step(p, l, y, c, seen=y, shown=y),
            ),
        ]
        hold(
            "y(t), c(t)",
            function,
            given,
            (state.y, state.c),
            [
                ("the order: return y, c", (state.c, state.y)),
                ("return both, y and c", state.y),
                *((text, (wrong.y, wrong.c)) for text, wrong in mistakes),
            ],
            of=_y_and_c,
        )
    passed("check_peepholes", 5)


def _y_and_c(params, l, y, c):
    return lstm.step(params, l, y, c)[:2]


def _left_out(p):
    """What a missing or transposed parameter makes of them, each with its reason."""
    every = {kind: [name for name in p if name.strip("1234") == kind] for kind in ("b", "Wrec")}
    return [
        *((f"{name} is missing", {name: 0 * p[name]}) for name in p),
        ("the biases are missing", {name: 0 * p[name] for name in every["b"]}),
        ("Wrec @ y is missing", {name: 0 * p[name] for name in every["Wrec"]}),
        ("Wrec is transposed: Wrec @ y", {name: p[name].T for name in every["Wrec"]}),
        *(
            (f"{name} is transposed: {name} @ y, not y @ {name}", {name: p[name].T})
            for name in every["Wrec"]
        ),
    ]


def _slips(state, c):
    """What slips in the last lines of Eq. (2) give, each with its reason; c is c(t-1)."""
    i, f, o, yg = state.i, state.f, state.o, state.yg
    return [
        ("y is o * tanh(c): the tanh is missing", lstm.State(o * state.c, state.c)),
        ("y is o * tanh(c): the output gate is missing", lstm.State(np.tanh(state.c), state.c)),
        ("y is o * tanh(c(t)), not of c(t-1)", lstm.State(o * np.tanh(c), state.c)),
        *(
            (text, lstm.State(o * np.tanh(new), new))
            for text, new in [
                ("c is c(t-1) still: is the new one assigned, c = …?", c),
                ("f(t) is missing: this keeps all of c(t-1)", c + i * yg),
                ("i(t) is missing: this lets all of yg(t) in", f * c + yg),
                ("nothing of c(t-1) is kept: Eq. (2) adds f(t) * c(t-1)", i * yg),
                ("the gates are exchanged: f(t) is for c(t-1), i(t) for yg(t)", i * c + f * yg),
            ]
        ),
    ]


def _step(p, l, y, c, seen=None, shown=None, Wp4=0):
    """Eq. (2) with a slip: what the peepholes of i and f see, what that of o sees, or one on yg."""
    seen = c if seen is None else seen
    z = {k: p[f"W{k}"] @ l + p[f"Wrec{k}"] @ y + p[f"b{k}"] for k in "1234"}
    c_new = expit(z["2"] + p["Wp2"] @ seen) * c + expit(z["3"] + p["Wp3"] @ seen) * np.tanh(
        z["4"] + np.dot(Wp4, c)
    )
    return lstm.State(
        expit(z["1"] + p["Wp1"] @ (c_new if shown is None else shown)) * np.tanh(c_new), c_new
    )
