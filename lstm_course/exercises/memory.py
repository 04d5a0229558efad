"""Checks of notebook 07: what c owes to an earlier c, by the memory's own way and by all ways.

What is expected comes from complex steps through the plain step.
"""

import numpy as np

from lstm_edu.cells import lstm
from lstm_edu.cells.lstm import LSTM

from ..engine.minimize import hold
from ..engine.report import passed

STEP = 1e-30  # of complex steps; so small that its square is nothing


def check_memory_path(memory_path):
    """dc(T)/dc(t) straight through the cells.

    Parameters
    ----------
    memory_path : function of f (n_words, n_cells)
        Returns (n_words, n_cells), row t the diagonal of the derivative by the cells after word t.

    Raises
    ------
    Wrong
    """
    for seed in range(8):
        rng = np.random.default_rng(seed)
        # no other way back: the gates see no y; in the end a single word, as many words as cells
        n_words = 5 + seed if seed < 5 else (6, 1, 4)[seed - 5]
        params, L = _lstm(rng, recurrent=0), rng.standard_normal((n_words, 6))
        if seed == 5:  # one gate is shut, one open, one shut or open by the word
            params["b2"] += [-2000, 0, 2000, 0]
            params["W2"][1] = [1e6, 0, 0, 0, 0, 0]
        with np.errstate(over="ignore"):  # exp of a gate that is shut
            states = LSTM(4, True).read(params, L)
            moved = [
                LSTM(4, True).read(params, L[t + 1 :], state._replace(c=state.c + 1j * STEP))
                for t, state in enumerate(states[:-1])
            ]
        f = np.array([state.f for state in states])
        expected = np.array([*(later[-1].c.imag / STEP for later in moved), np.ones(4)])
        with_own, from_front = np.cumprod(f[::-1], axis=0)[::-1], np.cumprod(f, axis=0)
        with np.errstate(all="ignore"):
            quotient = with_own / f
        without_last = np.vstack([np.cumprod(f[-2:0:-1], axis=0)[::-1], np.ones((2, 4))])[: len(f)]
        reasons = [
            ("f(t) itself is in the product: it acts on c(t-1), and c(t) comes after it", with_own),
            (
                "the product runs from the first word to t; from t it goes on to the last",
                from_front,
            ),
            (
                "the product runs from the first word to t - 1; "
                "the forget gates after t are what acts on c(t)",
                np.vstack([np.ones(4), from_front[:-1]]),
            ),
            (
                "only the next forget gate is there; the error passes all of them",
                np.vstack([f[1:], np.ones(4)]),
            ),
            (
                "the last forget gate alone",
                np.vstack([np.tile(f[-1], (len(f) - 1, 1)), np.ones(4)]),
            ),
            (
                "c(T) by itself is 1: a product of no factors",
                np.vstack([expected[:-1], np.zeros(4)]),
            ),
            ("the last word first: row t belongs to word t", expected[::-1]),
            ("a sum; going back, factors multiply", np.cumsum(f[::-1], axis=0)[::-1]),
            (
                "the product goes over the cells; each cell has its own way, so go over the words",
                np.cumprod(f[:, ::-1], axis=1)[:, ::-1],
            ),
            (
                "the product is divided by a gate, which may be 0: begin at the word after t",
                quotient,
            ),
            ("these are the gates: take the products of those that come after t", f),
            ("all gates, whatever t", np.tile(np.prod(f, axis=0), (len(f), 1))),
            ("all gates but the first, whatever t", np.tile(expected[0], (len(f), 1))),
            ("the last gate is left out of the product", without_last),
            ("the sum over the cells; each cell has its own way", expected.sum(axis=1)),
            ("this is for the first word alone: a row for each word", expected[0]),
        ]
        given = {"f": f}
        simpler = [
            (
                "with a single word it is wrong already: no gate acts on c(1) after it, so it is 1",
                {"f": f[:1]},
                np.ones((1, 4)),
            ),
            (
                "with two words it is wrong already: f(2) in the first row, and 1 in the second",
                {"f": f[:2]},
                np.array([f[1], np.ones(4)]) if len(f) > 1 else np.ones((1, 4)),
            ),
            (
                "with two words it is right: row t is the product of f(t+1), f(t+2), … f(T)",
                given,
                expected,
            ),
        ]
        hold("dc(T)/dc(t)", memory_path, given, expected, reasons, simpler)
    passed("check_memory_path", 8)


def check_dc_dc(dc_dc):
    """dc(t)/dc(t-1), by all ways.

    Parameters
    ----------
    dc_dc : function of params, before, now
        Of an LSTM with a forget gate and no peepholes; before and now are
        `lstm_edu.cells.lstm.State`, of the words t - 1 and t. Returns (n_cells, n_cells), row j
        the derivatives of cell j.

    Raises
    ------
    Wrong
    """
    for seed, m in enumerate([4, 4, 4, 4, 4, 1, 3]):
        rng = np.random.default_rng(seed)
        params, L = _lstm(rng, n_cells=m), rng.standard_normal((4, 6))
        before, now = LSTM(m, True).read(params, L)[-2:]
        columns = []
        for e in np.eye(m):
            c = before.c + 1j * STEP * e
            columns.append(lstm.step(params, L[-1], before.o * np.tanh(c), c).c.imag / STEP)
        expected = np.array(columns).T
        by_gate = {
            "2": before.c * now.f * (1 - now.f),
            "3": now.yg * now.i * (1 - now.i),
            "4": now.i * (1 - now.yg**2),
        }
        dy, eye = before.o * (1 - np.tanh(before.c) ** 2), np.eye(m)

        def by(gates="234", dy=dy, f=now.f, by_gate=by_gate, turn=False):
            ways = sum(
                (
                    by_gate[k][:, None] * (params["Wrec" + k].T if turn else params["Wrec" + k])
                    for k in gates
                ),
                np.zeros((m, m)),
            )
            return eye * f + ways * dy

        reasons = [
            (
                "the way through y(t-1) is missing: "
                "all gates and y_g see it, and it depends on c(t-1)",
                by(""),
            ),
            (
                "that diagonal as a vector: an (n_cells, n_cells) matrix is asked for, np.diag",
                now.f,
            ),
            ("the way through the forget gate is missing", by("34")),
            ("the way through the input gate is missing", by("24")),
            ("the way through y_g is missing", by("23")),
            ("only the way through y_g is there, beside f", by("4")),
            ("the straight way, diag(f), is missing", by(f=0)),
            ("without a forget gate it is the identity; here it is diag(f(t))", by(f=1)),
            (
                "W_rec, not its transpose: dc(t)/dc(t-1) goes forward; "
                "errors go back with the transpose",
                by(turn=True),
            ),
            (
                "o and c of the word t; y(t-1) = o(t-1) tanh(c(t-1))",
                by(dy=now.o * (1 - np.tanh(now.c) ** 2)),
            ),
            ("o of the word t; y(t-1) has o(t-1)", by(dy=now.o * (1 - np.tanh(before.c) ** 2))),
            ("the output gate is missing in dy(t-1)/dc(t-1)", by(dy=1 - np.tanh(before.c) ** 2)),
            ("the tanh's derivative is missing in dy(t-1)/dc(t-1)", by(dy=before.o)),
            ("dy(t-1)/dc(t-1) is missing: W_rec acts on y(t-1)", by(dy=np.ones(m))),
            (
                "the derivative of tanh at c is 1 - tanh(c)^2, and not 1 - y^2",
                by(dy=before.o * (1 - before.y**2)),
            ),
            (
                "the forget gate's derivative goes with c(t-1), not c(t)",
                by(by_gate=by_gate | {"2": now.c * now.f * (1 - now.f)}),
            ),
            (
                "rows and columns are exchanged in the scaling: "
                "the gates' factors belong to the rows, dy/dc to the columns",
                eye * now.f + sum(by_gate[k] * params["Wrec" + k] for k in "234") * dy[:, None],
            ),
            (
                "the slope of a gate is that of its sigmoid, f (1 - f) or i (1 - i), not f^2, i^2",
                by(by_gate=by_gate | {"2": before.c * now.f**2, "3": now.yg * now.i**2}),
            ),
            (
                "a gate's derivative is that of its sigmoid, f (1 - f) or i (1 - i), not f or i",
                by(by_gate=by_gate | {"2": before.c * now.f, "3": now.yg * now.i}),
            ),
            (
                "the slope of a gate is that of its sigmoid, f (1 - f) or i (1 - i), not 1 - f",
                by(by_gate=by_gate | {"2": before.c * (1 - now.f), "3": now.yg * (1 - now.i)}),
            ),
            (
                "a gate's derivative is that of its sigmoid, f (1 - f): 1 - f^2 is a tanh's",
                by(
                    by_gate=by_gate | {"2": before.c * (1 - now.f**2), "3": now.yg * (1 - now.i**2)}
                ),
            ),
            (
                "the slope of the gates is missing, f (1 - f), i (1 - i) and 1 - yg^2",
                by(by_gate={"2": before.c, "3": now.yg, "4": now.i}),
            ),
            (
                "yg is a tanh: its derivative is 1 - yg^2, not yg (1 - yg)",
                by(by_gate=by_gate | {"4": now.i * now.yg * (1 - now.yg)}),
            ),
            (
                "the straight way is the derivative of f(t) c(t-1), which is f(t), without c",
                by(f=now.f * before.c),
            ),
            ("the straight way is on the diagonal alone: np.diag", by(f=0) + now.f),
            ("the straight way is on the diagonal alone: np.diag", by(f=0) + now.f[:, None]),
            ("rows belong to c(t), columns to c(t-1): transposed", expected.T),
            (
                "the gates and y_g of the word t, not of t - 1",
                eye * before.f
                + by(
                    f=0,
                    by_gate={
                        "2": before.c * before.f * (1 - before.f),
                        "3": before.yg * before.i * (1 - before.i),
                        "4": before.i * (1 - before.yg**2),
                    },
                ),
            ),
        ]
        given = {"params": params, "before": before, "now": now}
        none = params | {"Wrec" + k: np.zeros((m, m)) for k in "234"}
        simpler = [
            (
                "with Wrec2 = Wrec3 = Wrec4 = 0 it is wrong already: only the straight way is left",
                given | {"params": none},
                by(""),
            )
        ]
        simpler += [
            (
                f"with {name} alone it is wrong: look at the way through {gate}",
                given | {"params": none | {name: params[name]}},
                by(name[-1]),
            )
            for name, gate in (
                ("Wrec2", "the forget gate"),
                ("Wrec3", "the input gate"),
                ("Wrec4", "y_g"),
            )
        ]
        simpler.append(("each of the ways is right by itself: add up all four", given, expected))
        hold("dc(t)/dc(t-1)", dc_dc, given, expected, reasons, simpler, show=_states_by_name)
    passed("check_dc_dc", 7)


def _states_by_name(given):
    return given | {name: given[name]._asdict() for name in ("before", "now")}


def _lstm(rng, recurrent=1.0, n_cells=4):
    """Parameters of an LSTM over 6 trigrams with a forget gate, by the paper's names."""
    shapes = {"W": (n_cells, 6), "Wrec": (n_cells, n_cells), "b": (n_cells,)}
    return {
        f"{name}{k}": (recurrent if name == "Wrec" else 0.7) * rng.standard_normal(shape)
        for name, shape in shapes.items()
        for k in "1234"
    }
