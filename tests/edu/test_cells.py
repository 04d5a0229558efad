"""Tests of every cell: exact gradients, traces, resumed training, and model files."""

import itertools

import numpy as np
import pytest
from any_cells import CELLS, LEAKY, NETWORKS, OUTSIDE, Leaky, Transformer, every_cell
from conftest import HASHING, TEXTS, cell_name, clicks, sample, unit_model, worst_difference
from refusal import refused
from small_log import resumed

import lstm_edu
from lstm_course import plots
from lstm_edu import LSTM, RNN, Attention, Bidirectional, DualEncoder
from lstm_edu.cells.dssm import DSSM
from lstm_edu.gradients import plain
from lstm_edu.text import batch as batches
from lstm_edu.text import sentences


@pytest.mark.parametrize("cell", [*NETWORKS, *LEAKY], ids=cell_name)
def test_bptt_and_autograd_match_complex_steps(cell):
    model, examples = unit_model(cell), clicks(2, n_pairs=3)
    check = lstm_edu.check_gradient(model, *examples, verbose=False)
    assert check.error < 1e-9 and check.n_elements == model.n_parameters
    by = lambda method: lstm_edu.cost_and_gradient(model, *examples, method=method)[1]
    assert worst_difference(by("autograd"), by("bptt")) < 1e-9


ERRORS = [(cell, truncate) for cell in [*CELLS, *LEAKY] for truncate in (None, 0, 2)]
ERRORS += [(cell, None) for cell in NETWORKS]
ERRORS = sample(ERRORS, [error for error in ERRORS if error[1] != 0])


@pytest.mark.parametrize("cell, truncate", ERRORS, ids=str)
def test_backward_is_exact_for_random_errors_of_embedding_and_words(cell, truncate):
    """Compare the gradient of r^T y + sum_t r(t)^T y(t), for random r, with complex steps.

    The derivative of a cosine with respect to y is always orthogonal to y, but a random r is not.
    """
    # texts of 1, 12 and 3 words
    weights, texts = unit_model(cell).query.weights, [TEXTS[k] for k in (0, 5, 2)]
    batch = batches.side_by_side(sentences.from_texts(texts, HASHING, "float64"))
    (y, tape), params = cell.forward(weights, batch), cell.params(weights)
    rng, of_text = np.random.default_rng(0), batches.sentence(batch)
    r = rng.standard_normal(y.shape)
    at_words = rng.standard_normal(tape.y.shape) if cell.recurrent else None
    found = cell.backward(weights, batch, tape, r, truncate, at_words=at_words)
    L = [HASHING.operator(texts[k].split()).toarray() for k in batch.order]

    def total(given):
        total, at = 0, plain.cut(given, params, truncate)
        for k, l in enumerate(L):
            y = cell.read_many(np, at, list(l[:, None]))
            total += r[k] @ cell.embedding(np, at, y)[0]
            if cell.recurrent:
                total += (at_words[of_text == k] * np.concatenate(y)).sum()
        return total

    full = {name: np.zeros_like(w) for name, w in weights.items()}
    for name, g in found.items():
        full[name][batch.touched if name in cell.sparse else ...] = g
    for name, g in cell.params(full).items():
        expected = np.zeros_like(params[name])
        for index in np.ndindex(expected.shape):
            moved = params[name].astype(complex)
            moved[index] += 1e-30j
            expected[index] = total(dict(params) | {name: moved}).imag / 1e-30
        np.testing.assert_allclose(g, expected, rtol=1e-9, atol=1e-9 * np.abs(expected).max())


@every_cell
def test_trace_has_every_state_that_cell_declares(cell):
    model = unit_model(cell)
    trace = model.trace("abc a cab")
    assert set(vars(trace)) == {"words", "cell", *cell.states} and trace.cell == cell
    shapes = {name: getattr(trace, name).shape for name in cell.states}
    # attention weights: one for each word, or, in a transformer, for each pair of words
    assert shapes.pop("a", (3,)) == ((3, 3) if isinstance(cell, Transformer) else (3,))
    assert set(shapes.values()) == {trace.y.shape}
    assert set(cell.gates) | set(cell.drawn) <= set(cell.states) and "y" in cell.drawn
    assert all((abs(getattr(trace, gate) - 0.5) <= 0.5).all() for gate in cell.gates)
    y = model.encode_query(["abc a cab"])[0]
    if cell.recurrent:  # compare `step`, which `trace` calls, with `outputs`
        params = lambda left: model.query.params
        embedding = cell.embedding(np, params, list(trace.y[:, None]))[0]
        np.testing.assert_allclose(embedding, y, rtol=1e-12)
    titles = [axis.get_title(loc="left") for axis in plots.gate_maps(trace).axes]
    drawn = [cell.states[name].replace("y_g", "$y_g$") for name in cell.drawn]
    assert [title for title in titles if title] == drawn


@pytest.mark.parametrize("cell", [LSTM(3), Bidirectional(lstm_edu.GRU(2)), Leaky(3)], ids=cell_name)
def test_attention_is_softmax_weighted_mean_of_outputs(cell):
    model = unit_model(Attention(cell))
    trace = model.trace("abc a cab b")
    assert (trace.a > 0).all() and trace.a.sum() == pytest.approx(1)
    s = trace.y @ model.query.params["u"]
    np.testing.assert_allclose(np.log(trace.a / trace.a[0]), s - s[0], rtol=1e-9)
    y = model.encode_query(["abc a cab b"])[0]
    np.testing.assert_allclose(y, trace.a @ trace.y, rtol=1e-12)
    L = HASHING.operator(trace.words).toarray()
    below = [state.y for state in cell.read(dict(model.query.params), L)]
    np.testing.assert_allclose(trace.y, below, rtol=1e-12)


def test_truncation_leaves_earlier_words_out_of_gradient_of_attention():
    model = unit_model(Attention(LSTM(3)))
    query, (clicked, unclicked) = "abc a cab b", TEXTS[:2]
    _, gradient = lstm_edu.cost_and_gradient(model, [query], [clicked], [[unclicked]], truncate=0)
    last = model.trace(query).y[-1]
    ratio = gradient["query"]["u"] / last
    np.testing.assert_allclose(ratio, ratio[0], rtol=1e-9)


def test_attention_is_finite_for_huge_scores():
    model = unit_model(Attention(RNN(2)), dtype="float32")
    model.query.weights["u"][...] = 1e30
    trace = model.trace("abc a cab b")
    assert trace.a.max() == 1 and np.isfinite(trace.y).all()
    _, gradient = lstm_edu.cost_and_gradient(model, *clicks(1))
    assert all(np.isfinite(g).all() for side in gradient.values() for g in side.values())


def test_wrappers_refuse_cell_that_does_not_read_word_by_word():
    for wrapper, cell in [
        *itertools.product((Bidirectional, Attention), [*NETWORKS, Attention(LSTM(2))]),
        (Bidirectional, Bidirectional(LSTM(2))),
    ]:
        with refused("must be a cell that reads word by word"):
            wrapper(cell)


NO_PRINT = [lstm_edu.GRU(2), Attention(RNN(2)), *NETWORKS, *LEAKY]
NO_RECURRENCE = "^truncate: 2; must be None, as a {} does not read word by word$"
REFUSED = [({"method": "printed"}, cell, "^method: 'printed'; the app") for cell in NO_PRINT]
REFUSED += [
    ({"truncate": 2}, cell, NO_RECURRENCE.format(type(cell).__name__))
    for cell in (DSSM(4, 3), Transformer(4, 2, 3))
]


@pytest.mark.parametrize("how, cell, said", REFUSED, ids=str)
def test_refuses_method_and_truncation_that_cell_does_not_support(how, cell, said):
    with refused(said):
        lstm_edu.cost_and_gradient(unit_model(cell), *clicks(1), **how)
    with refused(said):
        lstm_edu.train(unit_model(cell), [("a", "b"), ("b", "c")], **how)


# ---- Files

PAIRS = [("ab ba", "abc"), ("a b c", "cab"), ("cc", "ac b")] * 4


@every_cell
def test_model_of_every_cell_resumes_training_and_loads(cell, tmp_path):
    again, path = resumed(lambda: DualEncoder(cell, HASHING, seed=1), PAIRS, tmp_path)
    loaded = lstm_edu.load(path, cells=OUTSIDE)
    assert loaded.cell == cell and repr(loaded.cell) == repr(cell)
    assert (loaded.encode_query(TEXTS) == again.encode_query(TEXTS)).all()


def test_load_explains_how_to_load_file_with_unknown_cell(saved):
    DualEncoder(Attention(Leaky(2)), HASHING).save(saved)
    with refused() as said:
        lstm_edu.load(saved)
    assert str(said.value) == (
        f"{saved}: cannot be loaded (it is a model of the cell Leaky, which is not one of "
        "lstm_edu's; give its class: lstm_edu.load(path, cells=[Leaky]))"
    )
