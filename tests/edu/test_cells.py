"""The contract of a cell: who writes one file has a cell like any other; here one of the test's."""

import numpy as np
import pytest
from any_cells import OWN, Leaky, every_cell, recurrent
from conftest import HASHING, NETWORKS, TEXTS, cell_name, clicks, unit_model, worst_difference
from refusal import refused

import lstm_edu
from lstm_course import plots
from lstm_edu import LSTM, RNN, Attention, Bidirectional
from lstm_edu.analysis import inspection
from lstm_edu.cells.bag import Bag
from lstm_edu.cells.dssm import DSSM
from lstm_edu.cells.lstm import sigmoid
from lstm_edu.text import batch as batches
from lstm_edu.text import sentences


@pytest.mark.parametrize("cell", [*NETWORKS, *OWN], ids=cell_name)
def test_by_hand_and_by_autograd_are_the_gradient(cell):
    """Of the package's recurrent cells tests/edu/test_gradients.py says more."""
    model, examples = unit_model(cell), clicks(2, n_pairs=3)
    check = lstm_edu.check_gradient(model, *examples, verbose=False)
    assert check.error < 1e-9 and check.n_elements == model.n_parameters
    by = lambda method: lstm_edu.cost_and_gradient(model, *examples, method=method)[1]
    assert worst_difference(by("autograd"), by("bptt")) < 1e-9


@recurrent
@pytest.mark.parametrize("truncate", [None, 0, 2])
def test_errors_may_arrive_at_every_word(cell, truncate):
    """The gradient of sum_t r(t) y(t), for random r, against complex steps through the plain step.

    Where errors go back only so far, no word before the last ``truncate`` + 1 has a say: not as it
    is read, nor by its own r.
    """
    if cell.directions == 2 and truncate is not None:
        pytest.skip("each direction cuts at its own end, as the cell alone does")
    weights, texts = unit_model(cell).query.weights, [TEXTS[k] for k in (0, 5, 2)]  # 1, 12, 3 words
    batch = batches.side_by_side(sentences.from_texts(texts, HASHING, "float64"))
    tape = cell.outputs(weights, batch)
    rng, no_error = np.random.default_rng(0), np.zeros((len(texts), cell.size))
    r = rng.standard_normal(tape.y.shape)
    found = cell.backward(weights, batch, tape, no_error, truncate, at_words=r)
    last = _last_words(cell, cell.params(weights), texts, batch, truncate)

    def total(given):
        """Over all texts, of which the last words are read with ``given``."""
        return sum(
            r[token] @ after.y
            for L, tokens, state in last
            for token, after in zip(tokens, cell.read(given, L, state))
        )

    check_by_complex_steps(cell, weights, batch, found, total)


ANY_ERROR = [RNN(3), Bag(3), DSSM(4, 3), Attention(RNN(3))]
ANY_ERROR += [Attention(Bidirectional(LSTM(1, True, "full")))]


@pytest.mark.parametrize("cell", ANY_ERROR, ids=cell_name)
@pytest.mark.parametrize("truncate", [None, 0, 2])
def test_any_error_of_the_embedding_goes_back(cell, truncate):
    """The gradient of r^T y for random r: that of a cosine never points along y."""
    if truncate is not None and not cell.recurrent:
        pytest.skip("has no way back to cut")
    weights = unit_model(cell).query.weights
    batch = batches.side_by_side(sentences.from_texts(TEXTS, HASHING, "float64"))
    (y, tape), params = cell.forward(weights, batch), cell.params(weights)
    r = np.random.default_rng(0).standard_normal(y.shape)
    found = cell.backward(weights, batch, tape, r, truncate)
    L = [HASHING.operator(TEXTS[k].split()).toarray() for k in batch.order]

    def total(given):
        return sum(own @ cell.embed(given, l, truncate, params) for own, l in zip(r, L))

    check_by_complex_steps(cell, weights, batch, found, total)


def check_by_complex_steps(cell, weights, batch, found, total):
    """A gradient as the weights are kept, against that of a sum over the paper's parameters."""
    full, params = {name: np.zeros_like(w) for name, w in weights.items()}, cell.params(weights)
    for name, g in found.items():
        full[name][batch.touched if name.split(".")[-1] == "W" else ...] = g
    for name, g in cell.params(full).items():
        expected = np.zeros_like(params[name])
        for index in np.ndindex(expected.shape):
            moved = params[name].astype(complex)
            moved[index] += 1e-30j
            expected[index] = total(dict(params) | {name: moved}).imag / 1e-30
        np.testing.assert_allclose(g, expected, rtol=1e-9, atol=1e-9 * np.abs(expected).max())


def _last_words(cell, params, texts, batch, truncate):
    """Of every text the words that have a say, their tokens, and the state before them."""
    last = []
    for place, k in enumerate(batch.order):
        tokens = np.flatnonzero(batches.sentence(batch) == place)
        L = HASHING.operator(texts[k].split()).toarray()
        start = 0 if truncate is None else max(0, len(L) - 1 - truncate)
        state = cell.read(params, L[:start])[-1] if start else None
        last.append((L[start:], tokens[start:], state))
    return last


@every_cell
def test_what_a_cell_says_of_itself_holds(cell):
    model = unit_model(cell)
    trace = model.trace("abc a cab")
    assert set(vars(trace)) == {"words", "cell", *cell.states} and trace.cell == cell
    shapes = {name: getattr(trace, name).shape for name in cell.states}
    assert shapes.pop("a", (3,)) == (3,)  # attention has one number a word
    assert set(shapes.values()) == {trace.y.shape}
    assert set(cell.gates) | set(cell.drawn) <= set(cell.states) and "y" in cell.drawn
    assert all((abs(getattr(trace, gate) - 0.5) <= 0.5).all() for gate in cell.gates)
    y = model.encode_query(["abc a cab"])[0]
    L = HASHING.operator(trace.words).toarray()
    np.testing.assert_allclose(cell.embed(model.query.params, L), y, rtol=1e-12)
    titles = [axis.get_title(loc="left") for axis in plots.gate_maps(trace).axes]
    assert [title for title in titles if title] == [cell.states[name] for name in cell.drawn]
    plots.words_read(trace, 1)


@pytest.mark.parametrize("cell", [LSTM(3), Bidirectional(lstm_edu.GRU(2)), Leaky(3)], ids=cell_name)
def test_attention_says_how_much_of_its_embedding_each_word_is(cell):
    model = unit_model(Attention(cell))
    trace = model.trace("abc a cab b")
    assert trace.a.shape == (4,) and (trace.a > 0).all() and trace.a.sum() == pytest.approx(1)
    s = trace.y @ model.query.params["u"]
    np.testing.assert_allclose(np.log(trace.a / trace.a[0]), s - s[0], rtol=1e-9)
    y = model.encode_query(["abc a cab b"])[0]
    np.testing.assert_allclose(y, trace.a @ trace.y, rtol=1e-12)
    of_cell = {name: w for name, w in model.query.weights.items() if name != "u"}
    L = HASHING.operator(trace.words).toarray()
    below = [state.y for state in cell.read(cell.params(of_cell), L)]
    # the outputs are the cell's own; a trace reads the rows of known trigrams alone: shorter sums
    np.testing.assert_allclose(trace.y, below, rtol=1e-12)
    model.query.params["u"][...] = 0
    np.testing.assert_allclose(model.encode_query(["abc a cab b"])[0], np.mean(trace.y, axis=0))


def test_attention_over_scores_that_are_huge_is_still_a_mean():
    model = unit_model(Attention(RNN(2)), dtype="float32")
    model.query.weights["u"][...] = 1e30
    trace = model.trace("abc a cab b")
    assert trace.a.max() == 1 and np.isfinite(trace.y).all()
    _, gradient = lstm_edu.cost_and_gradient(model, *clicks(1))
    assert all(np.isfinite(g).all() for side in gradient.values() for g in side.values())


def test_cells_that_do_not_read_word_by_word_have_one_direction_and_nothing_to_cut():
    for cell in [*NETWORKS, Bidirectional(LSTM(2))]:
        with refused("must be a cell that reads word by word"):
            Bidirectional(cell)
    for cell in [*NETWORKS, Attention(LSTM(2))]:
        for around in (Bidirectional, Attention):
            with refused("must be a cell that reads word by word"):
                around(cell)
    model = unit_model(DSSM(4, 3))
    with refused("^truncate: 2; must be None, a DSSM has no way back to cut$"):
        lstm_edu.cost_and_gradient(model, *clicks(1), truncate=2)
    with refused("^truncate: 2; must be None"):
        lstm_edu.train(model, [("a", "b"), ("b", "c")], truncate=2)
    with refused("a DSSM; must read word by word"):
        inspection.error_norms(model, *clicks(1))


@pytest.mark.parametrize(
    "cell", [lstm_edu.GRU(2), Attention(RNN(2)), *NETWORKS, *OWN], ids=cell_name
)
def test_what_the_appendix_does_not_print_is_not_made_up(cell):
    with refused("^method: 'printed'; the appendix prints no gradient for a"):
        lstm_edu.cost_and_gradient(unit_model(cell), *clicks(1), method="printed")
    with refused("^method: 'printed'"):
        lstm_edu.train(unit_model(cell), [("a", "b"), ("b", "c")], method="printed")


@pytest.mark.parametrize(
    "dtype, well, fairly, shut", [("float32", -8, -13, -20), ("float64", -28, -33, -39)]
)
def test_where_a_gate_can_be_trusted(dtype, well, fairly, shut):
    """As the docstring has it."""
    x = np.arange(-100, 10, 1 / 64)
    found, exact = sigmoid(x.astype(dtype)), np.exp(-np.logaddexp(0, -x))
    wrong = np.abs(found - exact) / exact
    assert found.dtype == dtype
    assert wrong[x >= well].max() < 1e-4 and wrong[x >= fairly].max() < 1e-2
    assert not found[x < shut].any()
    for bound in (well, fairly, shut):
        assert str(bound) in sigmoid.__doc__
