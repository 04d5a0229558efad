"""The page's gradient is Python's, every element of it; mutants of it are found."""

import numpy as np
import pytest
from conftest import cell_name
from node import in_node, needs_node, scripts
from small_reader import TITLES

from lstm_edu import LSTM, RNN, DualEncoder, LetterTrigrams, cost_and_gradient

SOURCE = scripts("forward", "backward")
pytestmark = needs_node
CELLS = [
    RNN(5),
    LSTM(4),
    LSTM(4, forget_gate=True),
    LSTM(4, peepholes="diagonal"),
    LSTM(4, True, "diagonal"),
    LSTM(4, True, "full"),
]
RUN = """
const asked = JSON.parse(require("fs").readFileSync(0, "utf-8"));
const array = ({ data, width }) => {
  const numbers = Float64Array.from(data);
  return width ? { data: numbers, width, start: 0, size: width } : numbers;
};
const params = (side) => Object.fromEntries(Object.entries(side).map(([k, w]) => [k, array(w)]));
const empty = (p) => Object.fromEntries(Object.entries(p).map(([k, w]) => [
  k, w.data ? { ...w, data: w.data.map(() => 0) } : w.map(() => 0)]));
const found = asked.map(({ kind, size, query, document, texts, gamma }) => {
  const p = [params(query), params(document)], G = p.map(empty);
  const model = { size, step: STEPS[kind] };
  const L = texts.map((text) => text.map((word) => new Map(word)));
  const states = L.map((l, k) => read(model, p[k ? 1 : 0], l));
  const [q, ...D] = states.map((all) => all.at(-1).y);
  const { cost, dq, dD } = costAndErrors(q, D, gamma);
  [dq, ...dD].forEach((v, k) => BACK[kind](p[k ? 1 : 0], L[k], states[k], v, G[k ? 1 : 0]));
  const plain = (g) => Object.fromEntries(
    Object.entries(g).map(([k, w]) => [k, Array.from(w.data ?? w)]));
  return { cost, query: plain(G[0]), document: plain(G[1]) };
});
console.log(JSON.stringify(found));
"""


def texts(rng, n):
    """n texts of 1 to 12 words, the first two of one word and of twelve."""
    words = sorted({word for title in TITLES for word in title.split()})
    lengths = [1, 12, *rng.integers(1, 13, n)][:n]
    return [" ".join(rng.choice(words, length)) for length in rng.permutation(lengths)]


def cases(cell, n, seed=0):
    """Models with random unit weights, a query and 2 to 5 titles each; and Python's answers."""
    rng, asked, expected = np.random.default_rng(seed), [], []
    for k in range(n):
        query, *titles = texts(rng, int(rng.integers(3, 7)))
        hashing = LetterTrigrams.fit([query, *titles])
        model = DualEncoder(cell, hashing, k, "float64", scale=1.0, tied=False)
        gamma = float(rng.uniform(1, 10))
        cost, gradient = cost_and_gradient(model, [query], titles[:1], [titles[1:]], gamma)
        expected.append({"cost": cost, **gradient})
        counted = [
            [[(int(k), l[k]) for k in np.flatnonzero(l)] for l in L]
            for L in (hashing.operator(text.split()).toarray() for text in (query, *titles))
        ]
        sides = {
            name: {own: in_page(own, w) for own, w in getattr(model, name).params.items()}
            for name in ("query", "document")
        }
        kind = {"kind": type(cell).__name__, "size": cell.size, "gamma": gamma}
        asked.append({**kind, **sides, "texts": counted})
    return asked, expected


def in_page(name, w):
    """A matrix with a row an input, as the page has it; peepholes and biases as they are."""
    if w.ndim == 1 or name.startswith("Wp"):
        return {"data": w.ravel().tolist(), "width": 0}
    return {"data": w.T.ravel().tolist(), "width": w.shape[0]}


def answers(asked, backward=SOURCE["backward"]):
    """What node computes."""
    return in_node({**SOURCE, "backward": backward}, RUN, asked)


def worst(found, expected):
    """The largest difference of an element, relative to its array's largest; and of the cost."""
    off = [abs(found["cost"] - expected["cost"]) / expected["cost"]]
    for side in ("query", "document"):
        assert found[side].keys() == expected[side].keys()
        for name, w in expected[side].items():
            w = w if w.ndim == 1 or name.startswith("Wp") else w.T
            differ = np.abs(np.array(found[side][name], float) - w.ravel()).max()
            off.append(differ / (np.abs(w).max() or 1))
    return max(off) if np.isfinite(off).all() else np.inf


@pytest.mark.parametrize("cell", CELLS, ids=cell_name)
def test_every_element_is_python_s(cell):
    asked, expected = cases(cell, 12)
    assert max(map(worst, answers(asked), expected)) < 1e-12


MUTANTS = [
    ("(1 - y[j]) * (1 + y[j])", "(1 - y[j])"),
    ("dy = timesBack(p.Wrec, delta)", "dy = times(p.Wrec, delta)"),
    ("addOuter(G.Wrec, before, delta)", "addOuter(G.Wrec, y, delta)"),
    ("plus(G.b, delta)", "delta"),
    ("d * h[j] * o[j] * (1 - o[j])", "d * h[j] * o[j]"),
    ("o[j] * (1 - h[j] * h[j])", "o[j]"),
    ("plus(dc, peepholeBack(p.Wp1, dz[1]));", ""),
    ("d * yg[j] * i[j] * (1 - i[j])", "d * yg[j] * (1 - i[j])"),
    ("d * i[j] * (1 - yg[j] * yg[j])", "d * i[j]"),
    ("d * before.c[j] * f[j]", "d * c[j] * f[j]"),
    ("dc.map((d, j) => d * f[j])", "dc.map((d) => d)"),
    ("dz[3])); // (E6)", "dz[4])); // (E6)"),
    ("if (p.W2) plus(dc, peepholeBack(p.Wp2, dz[2]));", ""),
    ("plus(dy, timesBack(p[`Wrec${k}`], dz[k]))", "dy = timesBack(p[`Wrec${k}`], dz[k])"),
    ("addOuter(G[`Wrec${k}`], before.y, dz[k])", "addOuter(G[`Wrec${k}`], states[t].y, dz[k])"),
    ('k === "1" ? c : before.c', "before.c"),
    ("uD[k][j] - R[k] * uq[j]", "uD[k][j]"),
    ("uq[j] - R[k] * uD[k][j]", "uq[j]"),
    ("dR[k] * c *", "dR[k] *"),
    ("-gamma * share.reduce", "gamma * share.reduce"),
    ("Wp[j * dz.length + k] * d", "Wp[k * dz.length + j] * d"),
    ("top + Math.log(sum)", "Math.log(sum)"),
]


@pytest.mark.parametrize("right, wrong", MUTANTS)
def test_a_mutant_is_found(right, wrong):
    assert SOURCE["backward"].count(right) == 1
    broken = SOURCE["backward"].replace(right, wrong)
    asked, expected = zip(*(one for cell in CELLS for one in zip(*cases(cell, 2))))
    assert max(map(worst, answers(asked, broken), expected)) > 1e-9
