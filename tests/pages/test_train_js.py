"""Training in the page is Python's: on the same minibatches the same costs, update by update."""

import base64
from unittest import mock

import numpy as np
import pytest
from conftest import cell_name
from node import in_node, needs_node, scripts

import lstm_edu
from lstm_edu import LSTM, RNN, DualEncoder, LetterTrigrams
from lstm_edu.gradients.minibatch import minibatch_gradient
from lstm_edu.training import loop, minibatches, optimizers, runs
from lstm_edu.training.settings import checked

SOURCE = scripts("text", "forward", "backward", "log", "train")
pytestmark = needs_node
N_UPDATES = 50
PAIRS, SIZE = lstm_edu.read_pairs(lstm_edu.sample() / "train_pairs.tsv")[:1000], 64
CELLS = [LSTM(16), RNN(16)]
HOW = [
    {"optimizer": "adam", "step_size": 0.002, "n_negatives": "batch", "clip": 175.0},
    {"optimizer": "nesterov", "step_size": 0.0003, "n_negatives": "batch", "clip": 175.0},
    {"optimizer": "adam", "step_size": 0.002, "n_negatives": 4, "clip": 175.0},
]
RUN = """
const { queries, titles, clicks, kind, m, weights, settings, size, batches } = JSON.parse(
  require("fs").readFileSync(0, "utf-8"));
const log = logOf(queries, titles, clicks);
const start = Object.fromEntries(
  Object.entries(weights).map(([name, w]) => [name, Float64Array.from(w)]));
const done = (Numbers) => {
  const run = startOf(kind, m, start, settings, Numbers);
  return batches.map(({ pairs, unclicked }) => update(run, examplesOf(log, pairs, unclicked)));
};
console.log(JSON.stringify({ float64: done(Float64Array), float32: done(Float32Array) }));
"""


class InOrder:
    """For whom pairs are shuffled already."""

    def permutation(self, pairs):
        return pairs


def drawn(log, n_negatives):
    """50 minibatches: which pairs of the log, and n unclicked titles of each where n are drawn."""
    rng, found = np.random.default_rng(0), []
    while len(found) < N_UPDATES:
        pairs = rng.permutation(len(log.query))[:SIZE]
        others = None
        if n_negatives != "batch":
            others = minibatches.sample_unclicked(log, log.query[pairs], n_negatives, rng)
        found.append((pairs, others))
    return found


def by_python(cell, how):
    """What node is asked, and of 50 updates of `lstm_edu.train` the costs and norms."""
    hashing = LetterTrigrams.fit(text for pair in PAIRS for text in pair)
    model = DualEncoder(cell, hashing, seed=0, dtype="float64")
    weights = {name: w.ravel().tolist() for name, w in model.query.weights.items()}
    # fmt: off
    settings = checked(epochs=1, batch_size=SIZE, gamma=10.0, momentum=None, truncate=None,
                       average=0.998, held_out=0.0, patience=None, seed=0, method="bptt", **how)
    # fmt: on
    log = minibatches.from_pairs(PAIRS, hashing, "float64")
    run = runs.start(model, settings)
    both, done = optimizers.of_run(run, N_UPDATES), []
    batches = drawn(log, how["n_negatives"])
    for pairs, others in batches:
        with mock.patch.object(minibatches, "sample_unclicked", lambda *_: others):
            given = minibatches.of_epoch(log, pairs, SIZE, how["n_negatives"], InOrder())
            cost, norms = loop.update(run, both, next(given), map, minibatch_gradient)
        done.append([cost, *norms])
    asked = {
        "queries": [query for query, _ in PAIRS],
        "titles": list(dict.fromkeys(title for _, title in PAIRS)),
        "clicks": log.title.tolist(),
        "kind": type(cell).__name__,
        "m": cell.size,
        "weights": weights,
        "settings": {
            **{name: getattr(settings, name) for name in ("optimizer", "momentum", "gamma")},
            "epsilon": settings.step_size,
            "most": settings.clip,
            "average": settings.average,
        },
        "batches": [
            {"pairs": p.tolist(), "unclicked": [None] * SIZE if o is None else o.tolist()}
            for p, o in batches
        ],
    }
    return asked, np.array(done)


def by_node(asked, train=SOURCE["train"]):
    """The same by the page's scripts, in float64 and in float32."""
    found = in_node({**SOURCE, "train": train}, RUN, asked)
    return {
        name: np.array([[of["cost"], *of["norms"]] for of in found[name]], float)
        for name in ("float64", "float32")
    }


def off(found, expected):
    """The largest difference, relative to what is expected."""
    differ = np.abs(found / expected - 1).max()
    return differ if np.isfinite(differ) else np.inf


@pytest.mark.parametrize("how", HOW, ids=lambda how: f"{how['optimizer']}-{how['n_negatives']}")
@pytest.mark.parametrize("cell", CELLS, ids=cell_name)
def test_costs_are_python_s_over_50_updates(cell, how):
    asked, expected = by_python(cell, how)
    found = by_node(asked)
    clipped = expected[:, 1:] > how["clip"]
    assert clipped.any() and not clipped.all()
    assert off(found["float64"], expected) < 1e-9
    # 4e-7 here: sums are float64. Python's, all in float32, is up to 3e-6 off, by processor
    assert off(found["float32"], expected) < 2e-6


EPOCH = """
const { pairs } = JSON.parse(require("fs").readFileSync(0, "utf-8"));
const titles = [...new Set(pairs.map(([, title]) => title))];
const place = new Map(titles.map((title, k) => [title, k]));
const clicks = pairs.map(([, title]) => place.get(title));
const log = logOf(pairs.map(([query]) => query), titles, clicks);
const settings = {
  optimizer: "adam", momentum: 0.9, epsilon: 0.002, gamma: 10, most: 100, average: 0.998 };
const random = randomOf(0), weights = firstWeights("LSTM", 16, log, random);
const run = startOf("LSTM", 16, weights, settings);
for (const examples of epochOf(log, log.query.keys(), 256, "batch", random))
  update(run, examples);
const plain = ({ mean }) => Object.fromEntries(
  Object.entries(mean).map(([name, w]) => [name, Buffer.from(w.buffer).toString("base64")]));
console.log(JSON.stringify({ query: plain(run.query), document: plain(run.document) }));
"""


def test_it_ranks_as_python_s_model_does():
    """After an epoch of the sample, from other first weights and in another order."""
    folder = lstm_edu.sample()
    pairs = lstm_edu.read_pairs(folder / "train_pairs.tsv")
    hashing = LetterTrigrams.fit(text for pair in pairs for text in pair)
    judgments = lstm_edu.read_judgments(folder / "judgments.tsv")
    python, page = (DualEncoder(LSTM(16), hashing, seed=0) for _ in range(2))
    lstm_edu.train(python, pairs, epochs=1, seed=0, progress=False)
    for side, weights in in_node(SOURCE, EPOCH, {"pairs": pairs}).items():
        for name, w in getattr(page, side).weights.items():
            found = np.frombuffer(base64.b64decode(weights[name]), np.float32)
            w[...] = found.reshape(w.shape)
    theirs, ours = (lstm_edu.evaluate(model, judgments)["nDCG@10"] for model in (python, page))
    assert abs(ours - theirs) < 0.03 and theirs > 0.65


MUTANTS = [
    ("(1 - y[at + j]) * (1 + y[at + j])", "(1 - y[at + j])"),
    ("c[before + j])", "0)"),
    ("sigmoid(z[m + j])", "sigmoid(z[j])"),
    ("dy[j] * h[k] * o[k] * (1 - o[k])", "dy[j] * h[k] * o[k]"),
    ("dc[j] += dy[j]", "dc[j] = dy[j]"),
    ("dc[j] * yg[k] * i[k]", "dc[j] * i[k]"),
    ("dc[j] * i[k] * (1 - yg[k] * yg[k])", "dc[j] * i[k]"),
    ("before = t > starts[k] ?", "before = t > 0 ?"),
    ("if (t > starts[k]) backThrough", "if (t > 0) backThrough"),
    ("G[c + j] += y3 * d", "G[c + j] += y2 * d"),
    ("s1 += d * U[a + j]", "s1 += d * U[row + j]"),
    ("y2 * U[b + j]", "y2 * U[c + j]"),
    ("G.b[j] += dP[at + j]", "G.b[j] = dP[at + j]"),
    ("touched.get(row) * width", "row * width"),
    ("dR[0] = -push", "dR[0] = 0"),
    ("toD[titles[k]] += x * R[k]", "toD[titles[k]] += x"),
    ("dy[k] - along[row] * unit[k]", "dy[k]"),
    ("if (norm > most)", "if (norm < most)"),
    ("g[k] *= most / norm", "g[k] *= most"),
    ("run.k++", "run.k += 2"),
    ('if (optimizer === "nesterov")', "if (false)"),
    ("square.W, row)", "change.W, row)"),
    ('for (const name of ["Wrec", "b"]) move', 'for (const name of ["Wrec"]) move'),
]


@pytest.fixture(scope="module")
def some():
    """What mutants are tried with: one run of each cell, of each optimizer."""
    return [by_python(LSTM(4), HOW[0]), by_python(RNN(4), HOW[1])]


@pytest.mark.parametrize("right, wrong", MUTANTS)
def test_a_mutant_is_found(some, right, wrong):
    assert SOURCE["train"].count(right) == 1
    broken = SOURCE["train"].replace(right, wrong)
    assert any(off(by_node(asked, broken)["float64"], done) > 1e-9 for asked, done in some)
