"""Checks of notebook 07: models of equal size, how far errors reach back, a paired interval.

Errors reach back by all ways or by the memory's own. What is expected comes from the cells' own
shapes, from complex steps through the plain step, and from `lstm_edu.ranking.ndcg.interval`.
"""

import numpy as np

from ..cells import lstm
from ..cells.lstm import LSTM
from ..ranking.ndcg import interval
from .report import call, hold_against, passed

STEP = 1e-30  # of complex steps; so small that its square is nothing


def check_n_parameters(n_parameters):
    """How many parameters an LSTM has.

    Parameters
    ----------
    n_parameters : function of n_trigrams, n_cells, forget_gate, peepholes
        Arguments as `lstm_edu.LSTM`'s. Returns a whole number.

    Raises
    ------
    Wrong
    """
    cases = [
        (False, None),
        (True, None),
        (False, "diagonal"),
        (True, "diagonal"),
        (False, "full"),
        (True, "full"),
    ]
    for seed, (forget_gate, peepholes) in enumerate(cases):
        n, m = (int(k) for k in np.random.default_rng(seed).integers([20, 5], [3000, 50]))
        given = {"n_trigrams": n, "n_cells": m, "forget_gate": forget_gate, "peepholes": peepholes}
        expected = sum(
            int(np.prod(shape)) for shape in LSTM(m, forget_gate, peepholes).shapes(n).values()
        )
        sums, peephole = 3 + forget_gate, {None: 0, "diagonal": m, "full": m * m}[peepholes]

        def count(sums=sums, biases=1, peepholes=sums - 1, recurrent=m, peephole=peephole):
            return sums * m * (n + recurrent + biases) + peepholes * peephole

        reasons = [
            ("the biases b1 … b4 are parameters, too", count(biases=0)),
            ("W_rec is m times m, not n times m", count(recurrent=n)),
            ("the recurrent weights are missing", count(recurrent=0)),
            ("without the forget gate there are no W2, Wrec2, b2 and Wp2", count(4, peepholes=3)),
            ("y_g has no peephole: only the gates see c", count(peepholes=sums)),
            ("y_g is a sum of its own, beside the gates", count(sums - 1)),
            ("each gate has a W_p of its own", count(peepholes=1)),
            ("the peepholes are missing", count(peepholes=0)),
            ("diagonal peepholes are a number for each cell", count(peephole=m * m)),
            ("full peepholes are m times m", count(peephole=m)),
            ("count one side: the model has two of them", 2 * expected),
            (
                "without the forget gate, the input and the output gate still have their peepholes",
                count(peepholes=sums - 2),
            ),
        ]
        hold_against(
            "the number of parameters",
            call("the number of parameters", n_parameters, given),
            expected,
            given,
            reasons,
            tolerance=0,
        )
    passed("check_n_parameters", len(cases))


def check_share_left(share_left):
    """How much of the last word's error reaches the words before, the median over texts.

    Parameters
    ----------
    share_left : function of errors, n
        errors a list of (n_words, n_units), one for each text. Returns (n + 1,), by the distance
        from the last word.

    Raises
    ------
    Wrong
    """
    for seed in range(5):
        rng = np.random.default_rng(seed)
        n_words, n = rng.integers(3, 9, 9), 4
        errors = [
            rng.lognormal() * rng.standard_normal((T, 5)) * 0.6 ** np.arange(T)[::-1, None]
            for T in n_words
        ]
        # of each text by distance, NaN where it has no such word
        norms = np.full((len(errors), n_words.max()), np.nan)
        for row, e in zip(norms, errors):
            row[: len(e)] = np.linalg.norm(e, axis=1)[::-1]
        start, zeros = np.full_like(norms, np.nan), np.nan_to_num(norms)
        for row, e in zip(start, errors):
            row[: len(e)] = np.linalg.norm(e, axis=1)
        long = norms[n_words > n]

        def relative(by_distance):
            return by_distance[: n + 1] / by_distance[0]

        median = np.nanmedian(norms, axis=0)
        sums = [
            np.median([np.abs(e[-1 - d]).sum() for e in errors if len(e) > d]) for d in range(n + 1)
        ]
        reasons = [
            (
                "the distance is counted from the first word; it is that to the last",
                relative(np.nanmedian(start, axis=0)),
            ),
            ("this is not relative to the last word: divide by the median there", median[: n + 1]),
            (
                "the mean; a few texts with large errors decide it, so the median is asked for",
                relative(np.nanmean(norms, axis=0)),
            ),
            (
                "each text is divided by its own last word's norm first; "
                "divide the median by the median",
                np.nanmedian(norms / norms[:, :1], axis=0)[: n + 1],
            ),
            (
                "a text that has no word so far back counts as 0; leave it out",
                relative(np.median(zeros, axis=0)),
            ),
            (
                "texts of n words or fewer are left out altogether; "
                "they count at the distances they have",
                relative(np.median(long, axis=0)),
            ),
            (
                "the squares of the norms: the root is missing",
                relative(np.nanmedian(norms**2, axis=0)),
            ),
            (
                "the sum of the elements is no length: take np.linalg.norm along the last axis",
                relative(np.array(sums)),
            ),
            (
                "in the order of the distance: that of the last word, 1, comes first",
                relative(median)[::-1],
            ),
        ]
        given = {"errors": errors, "n": n}
        shown = {"errors": f"{len(errors)} texts, of {', '.join(map(str, n_words))} words", "n": n}
        hold_against(
            "the share of the error",
            call("the share of the error", share_left, given),
            relative(median),
            shown,
            reasons,
        )
    passed("check_share_left", 5)


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
    for seed in range(5):
        rng = np.random.default_rng(seed)
        # no other way back: the gates see no y
        params, L = _lstm(rng, recurrent=0), rng.standard_normal((5 + seed, 6))
        states = LSTM(4, True).read(params, L)
        f = np.array([state.f for state in states])
        moved = [
            LSTM(4, True).read(params, L[t + 1 :], state._replace(c=state.c + 1j * STEP))
            for t, state in enumerate(states[:-1])
        ]
        expected = np.array([*(later[-1].c.imag / STEP for later in moved), np.ones(4)])
        with_own, from_front = np.cumprod(f[::-1], axis=0)[::-1], np.cumprod(f, axis=0)
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
        ]
        given = {"f": f}
        hold_against(
            "dc(T)/dc(t)", call("dc(T)/dc(t)", memory_path, given), expected, given, reasons
        )
    passed("check_memory_path", 5)


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
    for seed in range(5):
        rng = np.random.default_rng(seed)
        params, L = _lstm(rng), rng.standard_normal((4, 6))
        before, now = LSTM(4, True).read(params, L)[-2:]
        columns = []
        for e in np.eye(4):
            c = before.c + 1j * STEP * e
            columns.append(lstm.step(params, L[-1], before.o * np.tanh(c), c).c.imag / STEP)
        expected = np.array(columns).T
        by_gate = {
            "2": before.c * now.f * (1 - now.f),
            "3": now.yg * now.i * (1 - now.i),
            "4": now.i * (1 - now.yg**2),
        }
        dy, eye = before.o * (1 - np.tanh(before.c) ** 2), np.eye(4)

        def by(gates="234", dy=dy, f=now.f, by_gate=by_gate, turn=False):
            ways = sum(
                (
                    by_gate[k][:, None] * (params["Wrec" + k].T if turn else params["Wrec" + k])
                    for k in gates
                ),
                np.zeros((4, 4)),
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
            ("dy(t-1)/dc(t-1) is missing: W_rec acts on y(t-1)", by(dy=np.ones(4))),
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
        ]
        given = {"params": params, "before": before, "now": now}
        shown = given | {"before": before._asdict(), "now": now._asdict()}
        hold_against("dc(t)/dc(t-1)", call("dc(t)/dc(t-1)", dc_dc, given), expected, shown, reasons)
    passed("check_dc_dc", 5)


def check_paired_interval(paired_interval):
    """The mean difference of two models and its 95 % bootstrap interval, over the same queries.

    Parameters
    ----------
    paired_interval : function of a, b, draws
        a and b (n_queries,); draws (n_draws, n_queries) of int, the queries of each draw. Returns
        mean, low, high.

    Raises
    ------
    Wrong
    """
    for seed in range(5):
        rng = np.random.default_rng(seed)
        n, n_draws = 30 + 5 * seed, 400
        hard = rng.random(n)  # a query that is hard is so for both models
        a, b = hard + 0.1 * rng.standard_normal((2, n)) + [[0.05], [0.0]]
        drawing = np.random.default_rng(seed)  # as `interval` draws
        draws = np.array([drawing.integers(n, size=n) for _ in range(n_draws)])
        expected = interval(a - b, n_draws, seed)
        means, mean = (a - b)[draws].mean(axis=1), (a - b).mean()
        unpaired = a[draws].mean(axis=1) - b[draws[::-1]].mean(axis=1)
        ends = [np.percentile(values[draws].mean(axis=1), [2.5, 97.5]) for values in (a, b)]

        def ends_of(values, *percent):
            return (mean, *np.percentile(values, percent or (2.5, 97.5)))

        apart = (
            "the interval of a minus that of b: "
            "queries that are hard for both count twice; draw differences"
        )
        error = 1.96 * (a - b).std(ddof=1)
        reasons = [
            ("a and b are drawn apart; a draw takes the same queries for both", ends_of(unpaired)),
            (apart, (mean, *(ends[0] - ends[1]))),
            (apart, (mean, ends[0][0] - ends[1][1], ends[0][1] - ends[1][0])),
            (
                "these percentiles hold 90 % of the draws; 95 % leave out 2.5 % on each side",
                ends_of(means, 5, 95),
            ),
            (
                "these percentiles are in fractions; np.percentile takes 2.5 and 97.5",
                ends_of(means, 0.025, 0.975),
            ),
            (
                "the percentiles of single queries' differences; take the mean of every draw first",
                ends_of(a - b),
            ),
            (
                "the percentiles of all drawn differences; "
                "take the mean of every draw first, axis=1",
                ends_of((a - b)[draws]),
            ),
            (
                "the mean goes over the draws; it goes over the queries of a draw, axis=1",
                ends_of((a - b)[draws].mean(axis=0)),
            ),
            ("the difference is a - b", (-mean, *np.percentile(-means, [2.5, 97.5]))),
            (
                "the mean is that of the queries as they are, not of the draws",
                (means.mean(), *expected[1:]),
            ),
            ("the spread of queries, not of their mean", (mean, mean - error, mean + error)),
            (
                "the normal approximation; the percentiles of the draws are asked for",
                (mean, mean - error / n**0.5, mean + error / n**0.5),
            ),
            (
                "the smallest and the largest draw: the more draws, the wider",
                (mean, means.min(), means.max()),
            ),
        ]
        given = {"a": a, "b": b, "draws": draws}
        got = call("(mean, low, high)", paired_interval, given)
        got = tuple(got) if isinstance(got, (list, np.ndarray)) else got
        hold_against("(mean, low, high)", got, expected, given, reasons)
    passed("check_paired_interval", 5)


def _lstm(rng, recurrent=1.0):
    """Parameters of an LSTM of 4 cells over 6 trigrams with a forget gate, by the paper's names."""
    shapes = {"W": (4, 6), "Wrec": (4, 4), "b": (4,)}
    return {
        f"{name}{k}": (recurrent if name == "Wrec" else 0.7) * rng.standard_normal(shape)
        for name, shape in shapes.items()
        for k in "1234"
    }
