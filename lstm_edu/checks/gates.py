"""Checks of notebook 08: what is let in, content against filler, a gate held still, a split.

The split says whose doing a difference is. What is expected comes from the package's step, from
regression lines, and from the subsets of Shapley's formula.
"""

from itertools import combinations
from math import factorial

import numpy as np

from ..cells.lstm import LSTM, sigmoid
from .report import call, hold_against, passed


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
    for seed in range(5):
        rng = np.random.default_rng(seed)
        states = LSTM(4).read(_lstm(rng), rng.standard_normal((3 + seed, 6)))
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
        ]
        given = {"i": i, "yg": yg}
        hold_against(
            "what is let in", call("what is let in", let_in, given), expected, given, reasons
        )
    passed("check_let_in", 5)


def check_content_minus_filler(content_minus_filler):
    """The difference of content and filler words, query by query.

    Parameters
    ----------
    content_minus_filler : function of values, roles
        Lists with an array (n_words,) for each query; roles of "c" and "f". Returns (n_queries with
        both kinds,).

    Raises
    ------
    Wrong
    """
    for seed in range(5):
        rng = np.random.default_rng(seed)
        roles = [rng.choice(["c", "f"], n, p=[0.7, 0.3]) for n in rng.integers(2, 9, 8)] + [
            np.array(list(text)) for text in ("cc", "f", "cfc", "fcff")
        ]
        values = [rng.random(len(role)) for role in roles]
        both = [len(set(role)) == 2 for role in roles]
        # with 0 for filler and 1 for content, the slope of the line through a query's words is the
        # difference of its means
        expected = np.array(
            [np.polyfit(role == "c", v, 1)[0] for v, role, b in zip(values, roles, both) if b]
        )

        def each(statistic, keep=both):
            with np.errstate(all="ignore"):
                return np.array(
                    [
                        statistic(v[role == "c"]) - statistic(v[role == "f"])
                        for v, role, k in zip(values, roles, keep)
                        if k
                    ]
                )

        all_v, all_roles = np.concatenate(values), np.concatenate(roles)
        pooled = all_v[all_roles == "c"].mean() - all_v[all_roles == "f"].mean()
        every = [True] * len(both)
        with_nan = each(lambda v: v.sum() / np.float64(len(v)), every)
        reasons = [
            ("content minus filler, not filler minus content", -expected),
            (
                "a query with one kind of words only is in it: "
                "of the other it has no mean; leave it out",
                with_nan,
            ),
            (
                "a query with one kind of words only is in it, as 0: "
                "it has no difference; leave it out",
                np.nan_to_num(with_nan),
            ),
            (
                "a query with one kind of words only is in it, "
                "with 0 for the mean of no words; leave it out",
                each(lambda v: v.sum() / max(1, len(v)), every),
            ),
            (
                "all words of all queries are thrown together; take a difference in each query",
                pooled,
            ),
            ("the mean over the queries; return the difference of each of them", expected.mean()),
            ("sums, which are larger where there are more words; take means", each(np.sum)),
            ("the median; the mean is asked for", each(np.median)),
            (
                "the filler words are compared with all words; compare them with the content words",
                np.array(
                    [
                        v.mean() - v[role == "f"].mean()
                        for v, role, b in zip(values, roles, both)
                        if b
                    ]
                ),
            ),
            (
                "the content words are compared with all words; compare them with the filler words",
                np.array(
                    [
                        v[role == "c"].mean() - v.mean()
                        for v, role, b in zip(values, roles, both)
                        if b
                    ]
                ),
            ),
        ]
        given = {"values": values, "roles": roles}
        shown = {
            "values": (
                f"[{np.round(values[0], 2)}, … {np.round(values[-1], 2)}], {len(values)} queries"
            ),
            "roles": " ".join("".join(role) for role in roles),
        }
        hold_against(
            "content minus filler",
            call("content minus filler", content_minus_filler, given),
            expected,
            shown,
            reasons,
        )
    passed("check_content_minus_filler", 5)


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
    for seed in range(5):
        rng = np.random.default_rng(seed)
        params, L, gate = _lstm(rng), rng.standard_normal((3 + seed, 6)), rng.uniform(0.1, 0.9, 4)
        zero = {"W3": np.zeros((4, 6)), "Wrec3": np.zeros((4, 4))}

        def read(**moved):
            return LSTM(4).read(params | moved, L)

        still = zero | {"b3": np.log(gate / (1 - gate))}  # sigmoid(b3) is the gate, at every word
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
        ]
        reasons += [
            (text, _read_wrongly(params, L, gate, name)) for name, text in WRONG_READINGS.items()
        ]
        given = {"params": params, "L": L, "gate": gate}
        hold_against("y(T)", call("y(T)", read_with_gate, given), states[-1].y, given, reasons)
    passed("check_read_with_gate", 5)


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
}


def _read_wrongly(params, L, gate, way):
    """The last y by one of `WRONG_READINGS`."""
    y = c = np.zeros(len(gate))
    for l in L:
        seen = 0 * y if way == "decoupled" else y
        yg, i, o = (
            params["W" + k] @ l + params["Wrec" + k] @ seen + params["b" + k] for k in "431"
        )
        i, o = (
            (sigmoid(i), gate)
            if way == "output"
            else (sigmoid(i) * gate if way == "both" else gate, sigmoid(o))
        )
        c = {"last": 0, "forget": gate}.get(way, 1) * c + i * np.tanh(yg)
        y = (1 if way == "shown" else o) * (c if way == "linear" else np.tanh(c))
    return y


def check_split(split):
    """Whose doing a difference of two products is.

    Parameters
    ----------
    split : function of content, filler, both (n_factors,)
        Returns (n_factors,), which add up to the product of content minus that of filler.

    Raises
    ------
    Wrong
    """
    cases = [2, 2, 3, 3, 4]
    for seed, n in enumerate(cases):
        rng = np.random.default_rng(seed)
        content, filler = rng.uniform(0.1, 1, (2, n))
        # Shapley: what a factor changes, for each set of the others that have been exchanged, by
        # how many orders begin with that set
        expected = np.zeros(n)
        for k in range(n):
            others = [j for j in range(n) if j != k]
            for size in range(n):
                share = factorial(size) * factorial(n - 1 - size) / factorial(n)
                for exchanged in combinations(others, size):
                    mixed = np.prod([content[j] if j in exchanged else filler[j] for j in others])
                    expected[k] += share * mixed * (content[k] - filler[k])
        gap, step = content.prod() - filler.prod(), content - filler
        in_turn = np.array(
            [content[:k].prod() * step[k] * filler[k + 1 :].prod() for k in range(n)]
        )
        turned = np.array([filler[:k].prod() * step[k] * content[k + 1 :].prod() for k in range(n)])
        first = np.array([filler.prod() / filler[k] * step[k] for k in range(n)])
        last = np.array([content.prod() / content[k] * step[k] for k in range(n)])
        middle = (content + filler) / 2
        logs = np.log(content / filler)
        reasons = [
            (
                "one order of exchange only, the first factor first; take the mean over all orders",
                in_turn,
            ),
            (
                "one order of exchange only, the last factor first; take the mean over all orders",
                turned,
            ),
            (
                "each factor is exchanged alone, from filler: "
                "these do not add up to the difference",
                first,
            ),
            (
                "each factor is exchanged alone, from content: "
                "these do not add up to the difference",
                last,
            ),
            (
                "first and last in the order alone; with three factors there are places between",
                (first + last) / 2,
            ),
            (
                "one order and its reverse; with three factors there are more orders",
                (in_turn + turned) / 2,
            ),
            (
                "the others at the middle between content and filler: "
                "right for two factors, but with three these do not add up to the difference",
                np.array([middle.prod() / middle[k] * step[k] for k in range(n)]),
            ),
            (
                "shares by the logarithms add up, too; "
                "asked for is the mean over all orders of exchange",
                logs / logs.sum() * gap,
            ),
            (
                "the differences of the factors by themselves; "
                "what one does depends on what it multiplies",
                step,
            ),
            ("the difference is dealt out evenly", np.full(n, gap / n)),
            ("filler minus content: from filler to content is asked for", -expected),
            ("shares of 1; they should add up to the difference of the products", expected / gap),
            ("the sum over all orders; divide by how many there are", expected * factorial(n)),
        ]
        given = {"content": content, "filler": filler}
        hold_against(
            "the array of parts", call("the array of parts", split, given), expected, given, reasons
        )
    passed("check_split", len(cases))


def _lstm(rng):
    """Parameters, by the paper's names, of an LSTM of 4 cells over 6 trigrams.

    It has neither a forget gate nor peepholes.
    """
    shapes = {"W": (4, 6), "Wrec": (4, 4), "b": (4,)}
    return {
        f"{name}{k}": 0.7 * rng.standard_normal(shape)
        for name, shape in shapes.items()
        for k in "134"
    }
