"""Exercises on the gradient of the LSTM: (E1)-(E9) of notebook 05a.

What is expected comes from autograd, through the package's step for it; zeros added to a gate's
bias at a word give the error of that sum.
"""

import itertools

import autograd.numpy as anp
import numpy as np
from autograd import grad

from ..cells import lstm
from ..cells.lstm import LSTM
from ..gradients.autodiff import constant
from .report import call, hold_against, passed

STATES = "y", "c", "o", "f", "i", "yg"


def sigmoid(x):
    """The package's, which autograd can differentiate."""
    return lstm.sigmoid(x, anp)


def check_error_of_c(error_of_c):
    """The error of the cell state, (E3).

    Parameters
    ----------
    error_of_c : function of dy, dz1, from_later, o, c (each (m,)), Wp1 (m, m)
        Returns dc(t), (m,).

    Raises
    ------
    Wrong
    """
    rng, sizes = np.random.default_rng(50), [2, 3, 5]
    for m in sizes:
        dy, from_later, c, z = rng.normal(size=(4, m))
        Wp1 = rng.normal(size=(m, m))
        o, h = sigmoid(z), np.tanh(c)
        dz1, carried = dy * h * o * (1 - o), dy * o * (1 - h**2)
        given = {"dy": dy, "dz1": dz1, "from_later": from_later, "o": o, "c": c, "Wp1": Wp1}

        def through_y(c_):
            return dy @ (sigmoid(z + Wp1 @ (c_ - c)) * anp.tanh(c_))

        expected = from_later + grad(through_y)(c)
        reasons = [
            ("the peephole is missing: c(t) moved z1(t) as well, by Wp1", from_later + carried),
            ("what word t + 1 sends back is missing", expected - from_later),
            (
                "Wp1 is not transposed: errors go from the sum back to the cell state",
                from_later + carried + Wp1 @ dz1,
            ),
            (
                "the derivative of tanh at c is 1 - tanh(c)², not 1 - c²",
                expected - carried + dy * o * (1 - c**2),
            ),
            ("the derivative of tanh is missing", expected - carried + dy * o),
            ("dh is dy times the output gate: y = o ∘ h", expected - carried + dy * (1 - h**2)),
            (
                "dh is dy ∘ o, as y = o ∘ h; dy ∘ h is the error of o",
                expected - carried + dy * h * (1 - h**2),
            ),
            (
                "the derivative of tanh is 1 - h², not 1 + h²",
                expected - carried + dy * o * (1 + h**2),
            ),
            ("the derivative of tanh is 1 - h², not 1 - h", expected - carried + dy * o * (1 - h)),
            ("the error of c(t) through y is missing: dy ∘ o ∘ (1 - h²)", expected - carried),
            ("the peephole's part is added, not subtracted", from_later + carried - Wp1.T @ dz1),
            (
                "the peephole's part is a part of dc, added beside dh (1 - h²)",
                from_later + dy * o * (1 - h**2) * (Wp1.T @ dz1),
            ),
            (
                "the slope is that of tanh at c: o is not a part of it",
                expected - carried + dy * o * (1 - (o * h) ** 2),
            ),
            (
                "Wp1 meets the sum's error dz1 once; o (1 - o) is in dz1 already",
                from_later + carried + Wp1.T @ (dz1 * o * (1 - o)),
            ),
        ]
        hold_against("dc(t)", call("dc(t)", error_of_c, given), expected, given, reasons)
    passed("check_error_of_c", len(sizes))


def check_three_bugs(back_one_word):
    """One word of the backward pass without peepholes, from the last word to the first.

    Each derivative is judged by itself.

    Parameters
    ----------
    back_one_word : function of p, z (by the gate's number), c, c_before, dy, later (each (m,))
        ``later`` is what word t + 1 sent to c(t). Returns dz by the gate's number, dy(t-1), and
        what goes to c(t-1).

    Raises
    ------
    Wrong
        It names the derivative and the word.
    """
    rng, lengths = np.random.default_rng(51), [2, 5, 9]
    for T in lengths:
        p, L, states, v = random_text(rng, T)
        _, errors = by_autograd(p, L, v)
        for t, given, expected in _words_back(p, L, states, errors):
            dz, dy, later = _parts(
                "(dz, dy(t-1), what goes to c(t-1))", back_one_word, given, expected
            )
            broken = [
                (BUGS[bugs[0]], *_back(bugs, **given))
                for n in range(1, 4)
                for bugs in itertools.combinations(BUGS, n)
            ]
            at = f"At word {t} of {T}, " + ("the last, " if t == T else "")
            hold_against(
                f"{at}dz", dz, expected[0], given, [(text, value) for text, value, _, _ in broken]
            )
            _hold_what_goes_back(at, dy, later, expected, given, broken)
    passed("check_three_bugs", sum(lengths))


BUGS = {
    "doubled": (
        "o, f and i are not what the forward pass had: "
        "0.5 (tanh(x) + 1) is a sigmoid, but not of x. Try it at x = 1"
    ),
    "twice": "o (1 - o) is multiplied in twice",
    "overwritten": "this needs dy(t), and when it is computed dy is dy(t-1) already",
    "not carried": "what goes to c(t-1) is f times the error of c(t)",
    "one way": "the error of c(t) has two parts: from y(t), and from word t + 1",
    "not transposed": "errors go back through the transposed matrices",
    "no derivative": "the derivative of the output gate's sigmoid, o (1 - o), is missing",
}


def _back(bugs, p, z, c, c_before, dy, later):
    """One word of the backward pass, with some of BUGS and PEEPHOLES.

    Returns dz, dy(t-1), and what goes to c(t-1).
    """
    o, f, i = (sigmoid(z[k] * (2 if "doubled" in bugs else 1)) for k in "123")
    yg, h = np.tanh(z["4"]), np.tanh(c)
    Wp = {k: p.get("Wp" + k, np.zeros(len(c))) for k in "123" if f"no {k}" not in bugs}
    power = 2 if "twice" in bugs else 0 if "no derivative" in bugs else 1
    dz = {"1": dy * h * (o * (1 - o)) ** power}
    dc = (0 if "one way" in bugs else later) + dy * o * (1 - h**2) + Wp.get("1", 0) * dz["1"]
    dz |= {"2": dc * c_before * f * (1 - f), "3": dc * yg * i * (1 - i), "4": dc * i * (1 - yg**2)}
    dy = sum((p["Wrec" + k] if "not transposed" in bugs else p["Wrec" + k].T) @ dz[k] for k in dz)
    if "overwritten" in bugs:
        dc = later + dy * o * (1 - h**2)
    seen = sum(Wp[k] * dz[k] for k in "23" if k in Wp)
    if "not carried" in bugs:
        return dz, dy, dc
    return dz, dy, f * (dc + seen) if "carried" in bugs else f * dc + seen


def check_coupled_gates(coupled_back):
    """The errors of a word whose forget gate is 1 - i.

    Parameters
    ----------
    coupled_back : function of dc, c_before, i, yg, each (m,)
        Returns dz3, dz4 and what goes to c(t-1), each (m,).

    Raises
    ------
    Wrong
    """
    rng, sizes = np.random.default_rng(52), [3, 1, 5]
    for m in sizes:
        dc, c_before, z3, z4 = rng.normal(size=(4, m))
        i, yg = sigmoid(z3), np.tanh(z4)
        given = {"dc": dc, "c_before": c_before, "i": i, "yg": yg}
        expected = grad(
            lambda z3, z4, c: dc @ ((1 - sigmoid(z3)) * c + sigmoid(z3) * anp.tanh(z4)), (0, 1, 2)
        )(z3, z4, c_before)
        slope = i * (1 - i)
        reasons = [
            (
                "i now stands in two places: it also opens the way for c(t-1), as 1 - i",
                (dc * yg * slope, None, None),
            ),
            ("the sign: f = 1 - i falls when i grows", (dc * (yg + c_before) * slope, None, None)),
            (
                "this is di, the error of the gate; "
                "that of its sum has the sigmoid's derivative, too",
                (dc * (yg - c_before), None, None),
            ),
            (
                "the sigmoid's derivative belongs to both places of i",
                (dc * (yg * slope - c_before), None, None),
            ),
            (
                "i (1 - i) is the sigmoid's derivative already",
                (dc * (yg - c_before) * slope**2, None, None),
            ),
            (
                "dz4 is the same as without coupling: b_g ∘ dc",
                (None, dc * i * (1 - i) * (1 - yg**2), None),
            ),
            ("yg is a tanh: its derivative is 1 - yg²", (None, dc * i * yg * (1 - yg), None)),
            ("the derivative of tanh is missing: this is dyg", (None, dc * i, None)),
            ("c(t-1) is carried by f = 1 - i", (None, None, dc * i)),
            ("c(t-1) is carried by f = 1 - i", (None, None, dc)),
            ("dc is missing: this is 1 - i alone", (None, None, 1 - i)),
            (
                "dc is missing: the error of c(t) multiplies every derivative",
                ((yg - c_before) * slope, None, None),
            ),
            ("the sign: f = 1 - i falls when i grows", (-dc * (yg - c_before) * slope, None, None)),
            (
                "this is through f alone; i opens the way for yg as well",
                (-dc * c_before * slope, None, None),
            ),
            ("i lets yg in: it is missing", (None, dc * (1 - yg**2), None)),
            ("1 - i is what is kept; yg comes in by i", (None, dc * (1 - i) * (1 - yg**2), None)),
            ("the derivative of tanh is 1 - yg², not 1 - yg", (None, dc * i * (1 - yg), None)),
        ]
        hold_against(
            "(dz3, dz4, to c(t-1))",
            call("(dz3, dz4, to c(t-1))", coupled_back, given),
            expected,
            given,
            reasons,
        )
    passed("check_coupled_gates", len(sizes))


def check_peepholes_back(back_with_peepholes):
    """One word of the backward pass with diagonal peepholes, from the last word to the first.

    Parameters
    ----------
    back_with_peepholes : function of p, z (by the gate's number), c, c_before, dy, later
        As for `check_three_bugs`, with Wp1, Wp2, Wp3 in p, each (m,), as are the last four.
        Returns dz, the word's part of the gradients of Wp1, Wp2, Wp3, dy(t-1), and what goes to
        c(t-1).

    Raises
    ------
    Wrong
    """
    rng, lengths = np.random.default_rng(54), [2, 5, 9]
    names = "Wp1", "Wp2", "Wp3"
    for T in lengths:
        p, L, states, v = random_text(rng, T, "diagonal")
        _, errors = by_autograd(p, L, v)
        for t, given, expected in _words_back(p, L, states, errors):
            right = {name: errors[name][t] for name in names}
            dz, dWp, dy, later = _parts(
                "(dz, dWp, dy(t-1), what goes to c(t-1))",
                back_with_peepholes,
                given,
                (expected[0], right, *expected[1:]),
            )
            broken = [(text, *_back(bugs, **given)) for bugs, text in PEEPHOLES.items()]
            broken += [(text, *_back((bug,), **given)) for bug, text in BUGS.items()]
            old, new = given["c_before"], given["c"]
            swapped = {
                name: expected[0][name[-1]] * (old if name == "Wp1" else new) for name in names
            }
            full = {
                name: np.outer(expected[0][name[-1]], new if name == "Wp1" else old)
                for name in names
            }
            weights = [
                (text, dict.fromkeys(names) | {name: value[name]})
                for text, value in (
                    (
                        "the output gate saw c(t), the forget gate and the input gate c(t-1)",
                        swapped,
                    ),
                    (
                        "a diagonal peephole keeps the diagonal of the outer product alone: (m,)",
                        full,
                    ),
                    (
                        "this is dz alone: the peephole multiplied a cell state",
                        {name: expected[0][name[-1]] for name in names},
                    ),
                )
                for name in names
            ]
            at = f"At word {t} of {T}, " + ("the last, " if t == T else "")
            hold_against(
                f"{at}dz", dz, expected[0], given, [(text, value) for text, value, _, _ in broken]
            )
            hold_against(f"{at}dWp", dWp, right, given, weights)
            _hold_what_goes_back(at, dy, later, expected, given, broken)
    passed("check_peepholes_back", sum(lengths))


PEEPHOLES = {
    ("no 1",): (
        "dc(t) was not complete when dz2, dz3 and dz4 used it: "
        "o(t) saw c(t), so that Wp1 ∘ dz1 is a part of it"
    ),
    ("no 2", "no 3"): "f(t) and i(t) saw c(t-1): Wp2 ∘ dz2 + Wp3 ∘ dz3 is missing",
    ("no 2",): "f(t) saw c(t-1): Wp2 ∘ dz2 is missing",
    ("no 3",): "i(t) saw c(t-1): Wp3 ∘ dz3 is missing",
    ("carried",): "only dc(t) is carried by f: the peepholes lead to c(t-1) directly",
}


def _parts(what, function, given, expected):
    """What the student's function returns, if it is a tuple of as many parts as expected."""
    got = call(what, function, given)
    if not isinstance(got, tuple) or len(got) != len(expected):
        hold_against(what, got, expected, given)
    return got


def _words_back(p, L, states, errors):
    """From the last word to the first: its number, what a function is given, what is expected.

    Expected are dz, dy(t-1) and the error sent to c(t-1).
    """
    y, c = states["y"], states["c"]
    for t in range(len(L), 0, -1):
        z = {k: p["W" + k] @ L[t - 1] + p["Wrec" + k] @ y[t - 1] + p["b" + k] for k in "1234"}
        for k in "123":
            z[k] = z[k] + p.get("Wp" + k, 0) * c[t if k == "1" else t - 1]
        used = {name: w for name, w in p.items() if name.startswith(("Wrec", "Wp"))}
        given = {
            "p": used,
            "z": z,
            "c": c[t],
            "c_before": c[t - 1],
            "dy": errors["y"][t],
            "later": errors["c"][t],
        }
        dz = {k: errors["z" + k][t] for k in "1234"}
        yield t, given, (dz, errors["y"][t - 1], errors["c"][t - 1])


def random_text(rng, T, peepholes=None, m=4, n_trigrams=6):
    """A random LSTM with a forget gate, a text of T words, its states, and an error for y(T).

    The states are by name, each (T + 1, m).
    """
    cell = LSTM(m, True, peepholes)
    p = {
        name + k: rng.normal(size=size)
        for k in "1234"
        for name, size in (("W", (m, n_trigrams)), ("Wrec", (m, m)), ("b", m))
    }
    p |= {f"Wp{k}": rng.normal(size=m) for k in "123"} if peepholes else {}
    L = (rng.random((T, n_trigrams)) < 0.3).astype(float)
    states_read = cell.read(p, L)
    states = {
        name: np.array([np.zeros(m), *(getattr(state, name) for state in states_read)])
        for name in STATES
    }
    return p, L, states, rng.normal(size=m)


def _hold_what_goes_back(at, dy, later, expected, given, broken):
    """Hold dy(t-1) and what goes to c(t-1) against what is expected, after dz."""
    by_dy = [(text, value) for text, _, value, _ in broken]
    hold_against(f"{at}dy(t-1)", dy, expected[1], given, by_dy)
    by_later = [(text, value) for text, _, _, value in broken]
    hold_against(f"{at}what goes to c(t-1)", later, expected[2], given, by_later)


def by_autograd(p, L, v, fixed=False):
    """The gradient of v · y(T); and the errors of what is added as zero at each word, (T + 1, m).

    "y" is the error of y(t), "c" what word t + 1 sends to c(t), "z1" … "z4" the errors of the sums,
    and "Wp1" … "Wp3" what the word adds to the peepholes' gradient. fixed: as if y(t-1) did not
    move.
    """
    added = {"z1": "b1", "z2": "b2", "z3": "b3", "z4": "b4"} | {
        name: name for name in p if name.startswith("Wp")
    }

    def cost(p, zeros):
        y, c = zeros["y"][:1], zeros["c"][:1]
        for t, l in enumerate(L, 1):
            moved = {name: p[name] + zeros[place][t] for place, name in added.items()}
            y_before = constant(y) if fixed else y
            y, c = LSTM(len(v)).step_of_many(anp, {**p, **moved}, l[None], y_before, c)
            y, c = y + zeros["y"][t], c + zeros["c"][t]
        return v @ y[0]

    return grad(cost, (0, 1))(
        p, {name: np.zeros((len(L) + 1, len(v))) for name in ("y", "c", *added)}
    )
