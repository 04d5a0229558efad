"""Tests that JavaScript's gradients and training match Python's."""

from unittest import mock

import numpy as np
import pytest
from conftest import HELPERS, cell_name
from node import in_node, needs_node, scripts
from small_reader import TITLES

import lstm_edu
from lstm_edu import LSTM, RNN, DualEncoder, LetterTrigrams, cost_and_gradient
from lstm_edu.gradients.minibatch import minibatch_gradient
from lstm_edu.training import loop, minibatches, runs
from lstm_edu.training.settings import Settings

pytestmark = needs_node
CELLS = [RNN(5), LSTM(4), *(LSTM(4, True, Wp) for Wp in (None, "diagonal", "full"))]
SCRIPT = (HELPERS / "page_gradient.js").read_text(encoding="utf-8")
GIVEN = 'JSON.parse(require("fs").readFileSync(0, "utf-8"))'


def by_page(function, given, *names):
    """Call a function of page_gradient.js in Node, after loading the page's scripts."""
    script = f"{SCRIPT}\nconsole.log(JSON.stringify({function}({GIVEN})));"
    return in_node(scripts(*names), script, given)


def texts(rng, n):
    """Generate n texts of 1 to 12 words, including one of 1 word and one of 12."""
    words = sorted({word for title in TITLES for word in title.split()})
    lengths = [1, 12, *rng.integers(1, 13, n)][:n]
    return [" ".join(rng.choice(words, length)) for length in rng.permutation(lengths)]


def case(cell, seed):
    """Return input for Node (a random model and texts), and the gradient computed in Python."""
    rng = np.random.default_rng(seed)
    query, *titles = texts(rng, int(rng.integers(3, 7)))
    hashing = LetterTrigrams.fit([query, *titles])
    model = DualEncoder(cell, hashing, seed, "float64", scale=1.0, tied=False)
    gamma = float(rng.uniform(1, 10))
    cost, gradient = cost_and_gradient(model, [query], titles[:1], [titles[1:]], gamma)
    counted = [
        [[(int(k), l[k]) for k in np.flatnonzero(l)] for l in L]
        for L in (hashing.operator(text.split()).toarray() for text in (query, *titles))
    ]
    sides = {
        name: {key: in_page(key, w) for key, w in getattr(model, name).params.items()}
        for name in ("query", "document")
    }
    kind = {"kind": type(cell).__name__, "size": cell.size, "gamma": gamma}
    return {**kind, **sides, "texts": counted}, {"cost": cost, **gradient}


def rows_of(name, w):
    """Transpose a matrix to one row per input, as JavaScript stores it; keep vectors."""
    return w if w.ndim == 1 or name.startswith("Wp") else w.T


def in_page(name, w):
    is_matrix = w.ndim == 2 and not name.startswith("Wp")
    return {"data": rows_of(name, w).ravel().tolist(), "width": w.shape[0] if is_matrix else 0}


@pytest.mark.parametrize("cell", CELLS, ids=cell_name)
def test_every_gradient_element_in_javascript_matches_python(cell):
    asked, expected = zip(*(case(cell, seed) for seed in range(12)))
    for found, python in zip(by_page("gradients", asked, "forward", "backward"), expected):
        assert found["cost"] == pytest.approx(python["cost"], rel=1e-12)
        for side in ("query", "document"):
            assert found[side].keys() == python[side].keys()
            for name, w in python[side].items():
                off = np.array(found[side][name], float) - rows_of(name, w).ravel()
                assert np.abs(off).max() <= 1e-12 * (np.abs(w).max() or 1), (side, name)


# ---- training
TRAIN = "text", "forward", "backward", "log", "train"
N_UPDATES = 50
PAIRS, SIZE = lstm_edu.read_pairs(lstm_edu.sample() / "train_pairs.tsv")[:1000], 64
HOW = [
    (LSTM(16), "adam", 0.002, "batch"),
    (LSTM(16), "nesterov", 0.0003, "batch"),
    (LSTM(16), "adam", 0.002, 4),
    (RNN(16), "nesterov", 0.0003, 4),
]


class InOrder:
    """Random generator with the identity as permutation, since the pairs are already shuffled."""

    def permutation(self, pairs):
        return pairs


def drawn(log, n_negatives):
    """Sample minibatches; yield each one's pairs, and its unclicked titles (None for "batch")."""
    rng = np.random.default_rng(0)
    for _ in range(N_UPDATES):
        pairs = rng.permutation(len(log.query))[:SIZE]
        given = log, log.query[pairs], n_negatives, rng
        yield pairs, None if n_negatives == "batch" else minibatches.sample_unclicked(*given)


def by_python(cell, optimizer, step_size, n_negatives):
    """Return the input for Node, and the cost and norms that training computes at each update."""
    hashing = LetterTrigrams.fit(text for pair in PAIRS for text in pair)
    model = DualEncoder(cell, hashing, seed=0, dtype="float64")
    weights = {name: w.ravel().tolist() for name, w in model.query.weights.items()}
    how = dict(optimizer=optimizer, step_size=step_size, n_negatives=n_negatives)
    how |= dict(clip=175.0, gamma=10.0, average=0.998)
    settings = Settings(**how, epochs=1, batch_size=SIZE)
    log = minibatches.from_pairs(PAIRS, hashing, "float64")
    run, done, batches = runs.Run(model, settings, "", N_UPDATES), [], []
    for pairs, others in drawn(log, n_negatives):
        with mock.patch.object(minibatches, "sample_unclicked", lambda *_: others):
            given = minibatches.of_epoch(log, pairs, SIZE, n_negatives, InOrder())
            cost, norms = loop.update(run, next(given), map, minibatch_gradient)
        done.append([cost, *norms])
        unclicked = [None] * SIZE if others is None else others.tolist()
        batches.append({"pairs": pairs.tolist(), "unclicked": unclicked})
    same = {name: getattr(settings, name) for name in ("optimizer", "momentum", "gamma", "average")}
    asked = {
        "queries": [query for query, _ in PAIRS],
        "titles": list(dict.fromkeys(title for _, title in PAIRS)),
        "clicks": log.title.tolist(),
        "kind": type(cell).__name__,
        "m": cell.size,
        "weights": weights,
        "settings": {**same, "epsilon": settings.step_size, "most": settings.clip},
        "batches": batches,
    }
    return asked, np.array(done)


@pytest.mark.soak
@pytest.mark.parametrize("cell, optimizer, step_size, n_negatives", HOW, ids=str)
def test_page_training_matches_python_over_50_updates(cell, optimizer, step_size, n_negatives):
    asked, expected = by_python(cell, optimizer, step_size, n_negatives)
    float64, float32 = np.array(by_page("updates", asked, *TRAIN), float)
    is_clipped = expected[:, 1:] > 175
    assert is_clipped.any() and not is_clipped.all()
    np.testing.assert_allclose(float64, expected, rtol=1e-9)
    # JavaScript's error is 4e-7, because it sums in float64; Python's in float32 is up to 3e-6
    np.testing.assert_allclose(float32, expected, rtol=2e-6)
