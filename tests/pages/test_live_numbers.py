"""Tests that interactive figures match Python's numbers, and that stated answers are right."""

import json
import re
from functools import cache

import node
import numpy as np
import pytest
from conftest import ROOT
from lesson_names import notebook
from one_text import gradient_of_text

from book.build import live, stored
from lstm_course.explorers import reader
from lstm_course.lessons import claims
from lstm_edu import LSTM, RNN
from lstm_edu.gradients import cost, printed

pytestmark = node.needs_node
TITLE = "shanghai hotels accommodation hotel in shanghai discount and reservation"
TABLE = 'const T = JSON.parse(require("fs").readFileSync(0, "utf-8")).sets;'


def in_node(expression):
    """Evaluate a JavaScript expression in Node, with the instruments' functions and Table IV."""
    source = {"all": reader.joined(*reader.OF_SENTENCES)}
    script = f"{TABLE}\nconsole.log(JSON.stringify({expression}));"
    return node.in_node(source, script, live.table_iv())


def cells(name, *ids, given):
    """Run cells of a lesson, except calls that draw figures; return the names that they define."""
    sources = {cell["id"]: "".join(cell["source"]) for cell in notebook(name)["cells"]}
    found = dict(given)
    for one in ids:
        source = re.sub(r"^(explorers|plots)\..*", "", sources[one], flags=re.MULTILINE)
        exec(source.replace("[-4.0, 1.0]", "START"), found)  # let callers choose the race's START
    return found


def instrument(name):
    """Return a lesson's question about an instrument, and its stated answer."""
    (text,) = (
        entry["text"]
        for entry in live.INSTRUMENTS
        if entry["lesson"] == name and 'class="sentence"' in entry["text"]
    )
    asked, answered = text.split("<details><summary>Answer</summary>\n\n")
    return " ".join(asked.split()), " ".join(answered.split())


def test_cosines_and_pushes_match_python_and_stated_answer(monkeypatch):
    monkeypatch.chdir(ROOT / "notebooks")
    given = {"query": "hotels in shanghai", "clicked": TITLE}
    lesson = cells("03_turn_clicks_into_a_cost", "03-03", "03-27", given=given)
    found, by_gamma = in_node(
        "[TITLES, Array.from({ length: 40 }, (_, k) => "
        "costOfCosines(TITLES.map(([, r]) => r), k + 1))]"
    )
    titles, R = zip(*found)
    assert list(titles) == lesson["kinds"]
    # R_kinds depends on training; allow six standard deviations over nudged training runs
    assert R == pytest.approx(lesson["R_kinds"], abs=4e-6)
    for gamma, push in enumerate(by_gamma, 1):
        (l,), (alpha,) = cost.loss(R[0] - np.array([R[1:]]), gamma)
        assert push["cost"] == pytest.approx(l, rel=1e-12)
        assert push["dR"] == pytest.approx([alpha.sum(), *-alpha], rel=1e-12)
    pushes = np.array([push["dR"] for push in by_gamma])
    hardest, said = pushes.argmax(axis=0) + 1, instrument("03_turn_clicks_into_a_cost")[1]
    assert f"$\\gamma={hardest[1]}$, by {pushes[:, 1].max():.2f}." in said
    assert f"hardest push at {hardest[3]}." in said


@pytest.mark.parametrize("start", [(-4, 1), (0, 1), (2.5, -0.7)])
@pytest.mark.parametrize("mu, epsilon", [(0.9, 0.02), (0.97, 0.06)])
def test_race_paths_match_python(start, mu, epsilon):
    lesson = cells("06_train", "06-09", given={"np": np, "START": start})
    raced = f"racing({json.dumps({'start': start, 'mu': mu, 'epsilon': epsilon})})"
    races, arrivals = in_node(f"[{raced}, {raced}.map(arrival)]")
    for race, arrived, way in zip(races, arrivals, ((0, False), (mu, False), (mu, True))):
        with np.errstate(over="ignore", invalid="ignore"):
            path = lesson["descend"](*way, n_updates=400, epsilon=epsilon)
            L = path**2 @ lesson["CURVATURE"] / 2
        n = np.isfinite(path).all(axis=1).sum()  # a diverging path has infinite values
        np.testing.assert_allclose(np.array(race["path"][:n], float), path[:n], rtol=1e-12)
        late = np.flatnonzero(~(L <= 0.001))
        assert arrived == (late[-1] + 1 if late[-1] < 400 else None)  # JSON has null for Infinity


def test_stated_answer_about_race_is_right():
    starts = [[round(x / 10, 1), y] for x in range(-40, 31) for y in (0.2, 1, 1.2)]
    first = "{ mu: 0.9, epsilon: 0.02 }"
    found = in_node(
        f"{json.dumps(starts)}.map((start) => racing({{ ...{first}, start }}).map(arrival))"
    )
    by_start = dict(zip(map(tuple, starts), found))
    assert {x for (x, _), arrived in by_start.items() if arrived[2] > min(arrived)} == {0}
    plain, momentum, ahead = by_start[0, 1]
    aside, said = by_start[-0.1, 1], instrument("06_train")[1]
    assert f"after {plain} updates, Nesterov's after {ahead} and momentum after {momentum}" in said
    assert f"takes {aside[0]} updates to Nesterov's {aside[2]}" in said


@cache
def rows_of(name):
    return claims.by_row(stored(f"table_iv_{name}"))


def test_differences_between_rows_match_python_and_stated_answer():
    """Compare the differences between all pairs of rows, on every data set."""
    pairs = "common.flatMap((a, k) => common.slice(k + 1).map((b) => [a, b]))"
    found = in_node(
        "(() => { const all = Object.entries(T).map(([name, own]) => [name, unpackedSet(own)]);"
        " const isCommon = (row) => all.every(([, own]) => row in own.rows);"
        " const common = Object.keys(T.msrd.rows).filter(isCommon);"
        f" return {pairs}.map(([a, b]) => [a, b, Object.fromEntries(all.map(([name, own]) =>"
        " [name, differenceOf(own, a, b)]))]); })()"
    )
    change = []
    for a, b, by_set in found:
        for name, shown in by_set.items():
            ends = [shown[end] for end in ("mean", "low", "high")]
            assert ends == pytest.approx(claims.difference(rows_of(name), a, b)[:3], abs=1e-9)
        signs = {np.sign(d["low"]) for d in by_set.values() if d["low"] * d["high"] > 0}
        if len(signs) == 2:
            change.append({a, b})
    assert f"of {len(found)} pairs" in instrument("10b_table_iv")[0]
    assert instrument("10b_table_iv")[1].startswith("Twenty-five") and len(change) == 25
    assert all(pair in change for pair in ({"rnn", "dssm"}, {"gru", "dssm"}, {"ulm", "plsa"}))
    assert sum("skip_thought" in pair for pair in change) == 4


# ---- follow the error
# the numbers of lessons 04 and 05a, which write w for W and r for Wrec
WEIGHTS = {
    "RNN": {"W": 0.8, "Wrec": -1.5},
    "LSTM": {"W1": 0.5, "W3": 1.0, "W4": 0.8, "Wrec1": 1.0, "Wrec3": 0.5, "Wrec4": -1.5},
}
CELLS = {"RNN": RNN(1), "LSTM": LSTM(1)}


def follows(expression):
    """Evaluate a JavaScript expression in Node, with the functions of `follow.js`."""
    source = node.scripts("forward", "backward", "drawing", "arrows", "follow_drawing")
    return node.in_node(source, f"console.log(JSON.stringify({expression}));")


def gradient(kind, errors=None):
    """Compute the gradient of y(2) in Python, for the words l(1) = 1 and l(2) = 0.5."""
    given = WEIGHTS[kind]
    matrices = {
        name: np.array([[w for one, w in given.items() if one.rstrip("134") == name]])
        for name in ("W", "Wrec")
    }
    weights = matrices | {"b": np.zeros(matrices["W"].size)}
    words = np.array([[1.0], [0.5]])
    found = gradient_of_text(CELLS[kind], weights, words, np.ones(1), errors)
    return {name: float(found[name].squeeze()) for name in given}


@pytest.mark.parametrize(
    "kind, as_printed", [("RNN", False), ("LSTM", False), ("LSTM", True)], ids=str
)
def test_gradients_from_arrows_match_python_and_check_detects_missing_arrow(kind, as_printed):
    exact = gradient(kind)
    expected = gradient(kind, printed.errors) if as_printed else exact
    arrows = f"arrowsOf('{kind}', {json.dumps(as_printed)})"
    crossed = f"{arrows}.map((_, k) => check('{kind}', errorsBy({arrows}, new Set([k]))).rows)"
    called, found, without = follows(
        f"[CALLED['{kind}'], check('{kind}', errorsBy({arrows})), {crossed}]"
    )
    rows = {row["name"]: row for row in found["rows"]}
    assert rows.keys() == set(called.values())
    for name in exact:
        row = rows[called[name]]
        assert row["found"] == pytest.approx(expected[name], rel=1e-12)
        assert row["right"] == pytest.approx(exact[name], abs=1e-9)
        assert row["wrong"] == (as_printed and name in ("W1", "W3", "W4"))
    assert all(any(row["wrong"] for row in one) for one in without)


def test_explanations_of_each_words_error_are_true():
    """Compare the error that reaches word 1 with the page's explanations of it.

    Texts have 2 to 12 words, and the recurrent weight is scaled by 0 to 4.
    """
    scales, lengths = [k / 10 for k in range(41)], (2, 3, 4, 12)
    over = (
        f"{scales}.map((s) => {list(lengths)}.map((T) => [...stepBack(T, s), partsOf(kind, T, s)]))"
    )
    by_kind = {kind: follows(f"((kind) => {over})('{kind}')") for kind in CELLS}
    reaches_1 = dict.fromkeys(lengths, False)
    for scale, rnn, lstm in zip(scales, *by_kind.values()):
        for T, (r, slope, parts), (*_, of_memory) in zip(lengths, rnn, lstm):
            assert abs(parts[0]) == pytest.approx((r * slope) ** (T - 1), rel=1e-9, abs=1e-300)
            assert r == pytest.approx(1.5 * scale) and len(parts) == len(of_memory) == T
            reaches_1[T] |= abs(parts[0]) > 1
            assert of_memory[0] == 1 if scale == 0 else abs(of_memory[0]) < 1
    assert reaches_1 == {2: True, 3: True, 4: False, 12: False}  # the page: “from four words on”
    y = np.tanh([0.8, 0.4 - 1.5 * np.tanh(0.8)])
    at_1 = "on average by {:.2f} × {:.2f} = {:.2f}"
    slope = np.sqrt(np.prod(1 - y**2))
    assert at_1.format(1.5, slope, 1.5 * slope) in follows("WHY.RNN(3, 1)")


def test_why_wrong_explains_wrong_sums():
    reasons = {
        0.3108: "",
        0.508: "That forgets what came from y(1).",
        0.705: "That turns the sign of what came from y(1).",
        -0.1: "What meets is added, not multiplied.",
        0.4: "That is none of their sums. Mind the signs.",
    }
    meeting = "[['c(2)', 0.50786], ['y(1)', -0.19707]]"
    asked = f"{list(reasons)}.map((said) => whyWrong({meeting}, said))"
    assert follows(asked) == list(reasons.values())
