"""Tests that recompute every statement and number on the page about the paper's appendix."""

import re
from types import SimpleNamespace

import autograd.numpy as anp
import numpy as np
import pytest
from autograd import grad
from conftest import ROOT
from one_text import gradient_of_text

import lstm_edu
from lstm_course.lessons import rnn_parts
from lstm_course.lessons.printed_error import error_and_cosine, sweep
from lstm_course.lessons.true_errors import true_errors
from lstm_edu.cells.lstm import sigmoid
from lstm_edu.gradients import printed
from lstm_edu.gradients.check import state_derivatives

PAGE = (ROOT / "book" / "pages" / "appendix.md").read_text(encoding="utf-8")
QUERY = "hotels in shanghai"
TITLE = "shanghai hotels accommodation hotel in shanghai discount and reservation"
OTHER = "special rates for lodging in san francisco bay area free cancellation blog"


def table(head):
    """Map each row's first cell to the other cells in the table whose header begins with `head`."""
    _, _, after = PAGE.partition(f"\n| {head} |")
    lines = after.split("\n\n")[0].splitlines()[2:]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return {name: cells for name, *cells in rows}


def assert_same(value, expected):
    assert np.shape(value) == np.shape(expected)
    np.testing.assert_allclose(value, expected, atol=1e-12 * np.abs(expected).max())


def off_by(value, expected):
    """Return the largest absolute difference divided by the largest expected element."""
    return abs(value - expected).max() / abs(expected).max()


def sizes(derivative):
    """Return the Euclidean norm of a derivative at each word, as an (n_words,) array."""
    return np.sqrt((derivative.reshape(len(derivative), -1) ** 2).sum(axis=1))


def states_of(cell, p, l):
    """Return the states and gates y, c, o, f, i, yg, each (T + 1, m), with zeros in row 0."""
    words = [np.zeros((6, cell.n_cells)), *cell.read(p, l[1:])]
    return [np.array([word[k] for word in words]) for k in range(6)]


@pytest.fixture(scope="module")
def n():
    """Return lesson 05b's model with its states, and v_Q and v_D from Eq. (15)."""
    hashing = lstm_edu.LetterTrigrams.fit([QUERY, TITLE, OTHER])
    cell = lstm_edu.LSTM(n_cells=4, forget_gate=True, peepholes="full")
    model = lstm_edu.DualEncoder(cell, hashing, seed=0, dtype="float64", scale=1.0, tied=False)

    def rows_of(text):
        L = hashing.operator(text.split(), "float64").toarray()
        return np.vstack([np.zeros(hashing.size), L])

    pQ, p = dict(model.query.params), dict(model.document.params)
    lQ, l, l_minus = rows_of(QUERY), rows_of(TITLE), rows_of(OTHER)
    y, c, o, f, i, yg = states_of(cell, p, l)
    h = np.tanh(c)
    y_before, c_before = (np.vstack([x[:1], x[:-1]]) for x in (y, c))
    yQ, yD = states_of(cell, pQ, lQ)[0][-1], y[-1]
    A, B, C = yQ @ yD, 1 / np.sqrt(yQ @ yQ), 1 / np.sqrt(yD @ yD)  # Eq. (12)
    vQ, vD = B * C * yD - A * B**3 * C * yQ, B * C * yQ - A * B * C**3 * yD  # Eq. (15)
    b = {"2": c_before * f * (1 - f), "3": yg * i * (1 - i), "4": i * (1 - yg) * (1 + yg)}
    T = len(l) - 1
    return SimpleNamespace(**locals())


def test_equations_14_and_66_to_71_agree_with_autograd(n):
    def R(pQ, pD, l):
        ends = []
        for params, words in ((pQ, n.lQ), (pD, l)):
            y, c = np.zeros((2, 1, 4))
            for word in words[1:]:
                y, c, *_ = n.cell.step(params, word[None], y, c, xp=anp)
            ends.append(y[0])
        yQ, yD = ends
        return yQ @ yD / anp.sqrt(yQ @ yQ) / anp.sqrt(yD @ yD)

    A, B, C = n.A, n.B, n.C
    gQ, gD = (g["Wrec3"] for g in grad(R, (0, 1))(n.pQ, n.p, n.l))
    dyQ = state_derivatives(n.cell, n.pQ, n.lQ[1:], "Wrec3")["y"][-1]
    dyD = state_derivatives(n.cell, n.p, n.l[1:], "Wrec3")["y"][-1]
    over_cells = lambda v, dy: np.tensordot(v, dy, 1)
    # both terms of Eq. (67)
    D_Q, D_D = B * C * over_cells(n.yD, dyQ), B * C * over_cells(n.yQ, dyD)
    E, F = -A * C * B**3 * over_cells(n.yQ, dyQ), -A * B * C**3 * over_cells(n.yD, dyD)
    assert_same(D_Q + E, gQ)  # Eqs. (66), (68)
    assert_same(D_D + F, gD)  # Eqs. (66), (69)
    assert_same(over_cells(n.vQ, dyQ), gQ)  # Eqs. (70), (71)
    assert_same(over_cells(n.vD, dyD), gD)
    of_Delta = grad(lambda pQ: R(pQ, n.p, n.l) - R(pQ, n.p, n.l_minus))(n.pQ)["Wrec3"]
    assert_same(gQ - grad(R)(n.pQ, n.p, n.l_minus)["Wrec3"], of_Delta)  # Eq. (14)


def as_printed(n, without=()):
    """Compute the gradient by Eqs. (16)-(44), or by (16)-(42) if ``without`` is "Wrec".

    tests/edu/test_appendix.py checks `printed.errors` against the written-out formulas.
    """
    weights = n.model.document.weights
    return gradient_of_text(n.cell, weights, n.l[1:], n.vD, printed.errors, without)


def test_last_word_formulas_equal_gradient_with_earlier_outputs_constant(n):
    def held(p):
        c_t = np.zeros(4)
        for t in range(1, n.T + 1):
            seen = {k: p["W" + k] @ n.l[t] + p["Wrec" + k] @ n.y[t - 1] for k in "1234"}
            z = {k: seen[k] + p["b" + k] for k in seen}  # y[t - 1] is a constant
            i_t = sigmoid(z["3"] + p["Wp3"] @ n.c[t - 1], anp)
            f_t = sigmoid(z["2"] + p["Wp2"] @ n.c[t - 1], anp)
            c_t = f_t * c_t + i_t * anp.tanh(z["4"])  # c is differentiated through all words
        return sigmoid(z["1"] + p["Wp1"] @ n.c[n.T], anp) * anp.tanh(c_t)

    assert_same(held(n.p), n.y[n.T])
    kept = grad(lambda p: n.vD @ held(p))(n.p)
    found = as_printed(n, "Wrec")
    assert len(found) == 15
    for name, value in found.items():
        assert_same(value, kept[name])


def test_page_describes_misprints_in_equations_24_and_36(n):
    vocabulary = sorted({*QUERY.split(), *TITLE.split(), *OTHER.split()})
    Wh = n.hashing.operator(vocabulary, "float64").toarray().T
    x = np.array([float(word == "in") for word in vocabulary])  # word 5 of the title
    product = np.outer(n.b["3"][5], x)
    assert_same(product @ Wh.T, np.outer(n.b["3"][5], n.l[5]))
    (rows, words), (_, trigrams) = product.shape, n.p["W3"].shape
    said = f"the {words} words of our texts the product is {rows} by {words}, and $\\mathbf{{W}}_3$"
    assert f"{said} is {rows} by {trigrams}." in PAGE

    none = {name: 0 * w if name.startswith(("Wrec", "Wp")) else w for name, w in n.p.items()}
    by_b2, by_b3 = (state_derivatives(n.cell, none, n.l[1:], name)["c"] for name in ("b2", "b3"))
    _, c, _, f, _, _ = states_of(n.cell, none, n.l)
    b_f = np.diag(c[n.T - 1] * f[n.T] * (1 - f[n.T]))
    assert_same(f[n.T][:, None] * by_b2[n.T - 2] + b_f, by_b2[n.T - 1])  # row 0 is word 1
    off = off_by(f[n.T][:, None] * by_b3[n.T - 2] + b_f, by_b2[n.T - 1])
    assert f"it is off by {100 * off:.0f} % of the largest element" in PAGE


def test_table_of_printed_gradient_errors_is_up_to_date(n):
    _, exact = true_errors(n.p, n.l, n.vD)
    whole, of_last, found = as_printed(n), as_printed(n, "Wrec"), {}
    for name in sorted(n.p, key=lambda name: name[-1]):
        near = (
            *error_and_cosine(whole[name], exact[name]),
            *error_and_cosine(of_last[name], exact[name]),
        )
        found[name] = [f"{x:.2f}" for x in near]
        assert near[0] > 0.1
    assert table("parameter") == found
    assert all(cells[1].startswith("-") == (name[-1] == "3") for name, cells in found.items())


def test_table_of_terms_that_appendix_omits_is_up_to_date(n):
    no_peepholes = {name: w for name, w in n.p.items() if name[:2] != "Wp"}
    found = {}  # Eq. (72) is about h = tanh(c), which changes whenever c does
    for number, state, k in (("(72)", "c", 1), ("(78)", "o", 3), ("(80)", "yg", 3)):
        for name in (f"b{k}", f"W{k}", f"Wrec{k}"):
            moves = [
                state_derivatives(n.cell, params, n.l[1:], name)[state]
                for params in (no_peepholes, n.p)
            ]
            zero = [str(np.count_nonzero(sizes(by) == 0)) for by in moves]
            found[f"{number} ∂{state}/∂{name}"] = zero
    assert table("term") == found

    by1, by3 = (state_derivatives(n.cell, n.p, n.l[1:], "Wrec" + k) for k in "13")
    o, h, i, yg = (x[1:, :, None, None] for x in (n.o, n.h, n.i, n.yg))
    for dropped, whole in (
        (o * (1 - h**2) * by1["c"], by1["y"]),
        (h * by3["o"], by3["y"]),
        (i * by3["yg"], yg * by3["i"] + i * by3["yg"]),
    ):
        assert (sizes(dropped) / np.maximum(sizes(whole), 1e-300)).max() > 0.75


def test_equations_79_to_84_hold_except_80_after_word_2(n):
    p = {name: w for name, w in n.p.items() if name[:2] != "Wp" and name[-1] != "2"}
    y, c, o, _, i, yg = states_of(n.cell, p, n.l)  # f = 1, no peepholes
    h, y_before = np.tanh(c), np.vstack([y[:1], y[:-1]])
    a, b = o * (1 - h) * (1 + h), yg * i * (1 - i)  # as in Eq. (82)
    moves = state_derivatives(n.cell, p, n.l[1:], "Wrec3")["c"]
    # derivatives of cell j with respect to row j
    own = np.stack([moves[:, j, j] for j in range(4)], axis=1)
    added = [np.outer(b[k], y_before[k]) for k in range(1, n.T + 1)]
    by_sum = sum(a[n.T][:, None] * term for term in added)  # Eq. (82)
    before = sum(added[:-1])
    assert_same(sum(i * yg), c[n.T])  # Eq. (79)
    assert_same(a[n.T][:, None] * before + a[n.T][:, None] * added[-1], by_sum)  # Eq. (83)
    assert_same(a[n.T][:, None] * (before + added[-1]), by_sum)  # Eq. (84)
    assert_same(added[1], own[1])  # Eq. (80) at word 2
    assert off_by(sum(added), own[8]) == pytest.approx(0.5, abs=0.05)
    quotient = yg[2][:, None] * i[2][:, None] / p["Wrec3"]
    assert f"as a number it is off by {off_by(quotient, own[1]):.0f} times" in PAGE
    assert "At word 9 it is off by half of the largest element" in PAGE


def test_product_rule_is_exact_and_page_quotes_errors_of_omitting_terms(n):
    by = {k: state_derivatives(n.cell, n.p, n.l[1:], "Wrec" + k) for k in "234"}
    f, i, yg, c_before = (x[1:, :, None, None] for x in (n.f, n.i, n.yg, n.c_before))
    lost = []
    for k in "324":
        dc = by[k]["c"]
        passed_on = f * np.concatenate([0 * dc[:1], dc[:-1]])
        own_row = np.eye(4)[:, :, None]
        direct = n.b[k][1:, :, None, None] * own_row * n.y_before[1:, None, None]
        lost.append(100 * off_by(passed_on + direct, dc))
        others = c_before * by[k]["f"] + yg * by[k]["i"] + i * by[k]["yg"]
        assert_same(passed_on + others, dc)  # Eq. (E10)
    said = "{:.0f} % of the largest element in (85), {:.0f} % in (95) and {:.0f} % in (105)"
    assert said.format(*lost) in PAGE


KINDS = {"plain": lstm_edu.LSTM(16), "full": lstm_edu.LSTM(16, True, "full")}
TRIALS = [(kind, *how) for kind in KINDS for how in ((0.1, 1), (0.1, 9), (0.5, 9))]
WAYS = {
    **{f"1: $T={steps}$": {"truncate": steps} for steps in (0, 1, 4)},
    "2: cut at $\\mathbf y(t-1)$": {"without": ("Wrec", "Wp")},
    "(16)-(42), $\\tau=0$": {"errors": printed.errors, "without": ("Wrec",)},
    "3: (16)-(44)": {"errors": printed.errors},
}


def test_table_of_truncations_is_up_to_date():
    written = table("truncation")
    assert list(written) == list(WAYS)

    def column(kind, scale, words, how):
        return sweep(KINDS[kind], scale, [words], 20, **how)[:, 0].T

    found = {way: [column(*trial, how) for trial in TRIALS] for way, how in WAYS.items()}
    for way, columns in found.items():
        shown = [
            " / ".join((f"{e.mean():.2f} ± {e.std():.2f}".replace("0.", "."), f"{c.mean():.2f}"))
            for e, c in columns
        ]
        assert written[way] == [re.sub(r"\b0\.", ".", text) for text in shown], way
    _, _, _, cut, _, whole = found.values()
    error = lambda way, k: way[k][0].mean()
    assert error(whole, 1) < error(cut, 1) and error(whole, 4) < error(cut, 4)
    assert 0 < error(cut, 2) - error(whole, 2) < cut[2][0].std()
    assert error(whole, 5) > error(cut, 5)


@pytest.fixture(scope="module")
def rnn():
    texts = {
        "Q": QUERY,
        "D+": TITLE,
        "D1": "shanghai transit network map farepebble",
        "D2": "a safety copy of the hard disk kept on the memory card",
    }
    hashing = lstm_edu.LetterTrigrams.fit(texts.values())
    cell = lstm_edu.RNN(5)
    model = lstm_edu.DualEncoder(cell, hashing, seed=14, dtype="float64", scale=1.0, tied=False)
    parts = rnn_parts.Parts(model, texts)
    return parts, rnn_parts.by_the_appendix(parts)


def test_page_quotes_effect_of_rnn_sign_error_and_missing_bias(rnn):
    parts, found = rnn
    gradient = {
        side: {
            key: found[f"{number}, {side}"][0]
            for key, number in (("Wrec", "(61)"), ("W", "(65)"), ("b", "bias"))
        }
        for side in ("query", "document")
    }

    def cost_after(step):
        moved = {
            side: {name: w + step * gradient[side][name] for name, w in parts.x[side].items()}
            for side in gradient
        }
        return parts.values(**moved)["l"][0]

    now, up, down = map(cost_after, (0, 1e-3, -1e-3))
    assert f"query from {now:.3f} up to {up:.3f}, instead of down to {down:.3f}" in PAGE
    for arrays in gradient.values():
        of_b, of_Wrec = (np.linalg.norm(arrays[name]) for name in ("b", "Wrec"))
        assert of_b > of_Wrec / 2


def test_gradients_of_query_and_title_sum_to_gradient_of_shared_matrix(rnn):
    parts, found = rnn

    def moved_together(M):
        sides = "query", "document"
        moved = {s: parts.x[s] | {"Wrec": parts.x[s]["Wrec"] + M} for s in sides}
        return parts.values(**moved)["R"][0]

    assert_same(found["(57), Q"][0] + found["(57), D+"][0], grad(moved_together)(np.zeros((5, 5))))


def test_table_of_misprints_in_rnn_equations_is_up_to_date(rnn):
    parts, found = rnn
    (*_, before_Q, yQ), (*_, yD) = parts.y["Q"], parts.y["D+"]
    a, b, c = yQ @ yD, 1 / np.linalg.norm(yQ), 1 / np.linalg.norm(yD)  # Eq. (49)
    by = lambda off: "equal" if off < 1e-12 else f"off by {off:.1f} times the largest element"
    quotient = yQ[:, None] / parts.x["query"]["Wrec"]
    without = -a * c * b**3 * yQ * (1 - yQ) * (1 + yQ) * before_Q
    shapes = f"of shape {without.shape}, not {found['(55)'][1].shape}"
    rows = {
        "(52) as a quotient": [by(off_by(quotient, found["(52)"][1]))],
        "(55) without transpose": [shapes],
    }
    delta = found["(59), Q with D+"][1]
    for tau in range(len(delta)):
        yQ_then, yD_then = (parts.y[name][-1 - tau] for name in ("Q", "D+"))
        v = b * c * yD_then - a * b**3 * c * yQ_then
        as_printed = (1 - yQ_then) * (1 + yQ_then) * v
        off = abs(as_printed - delta[-1 - tau]).max() / abs(delta[-1 - tau]).max()
        rows[f"(63), query, $\\tau={tau}$"] = [by(off)]
    assert table("as printed") == rows
