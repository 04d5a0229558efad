"""Every gradient, element by element, against differences of the cost through the plain step."""

import numpy as np
import pytest
import scipy.sparse
from conftest import (
    CELLS,
    HASHING,
    TEXTS,
    cell_name,
    clicks,
    sample,
    unit_model,
    worst_difference,
)

import lstm_edu
from lstm_edu import (
    LSTM,
    RNN,
    Attention,
    Bidirectional,
    InputError,
    compare,
    cost_and_gradient,
    threads,
)
from lstm_edu.gradients import cost, printed
from lstm_edu.gradients import minibatch as gradients
from lstm_edu.gradients.lanes import minibatch_gradient as by_threads
from lstm_edu.text import batch as batches
from lstm_edu.text import lanes as in_parts
from lstm_edu.text import sentences

all_cells = pytest.mark.parametrize("cell", CELLS, ids=cell_name)


@all_cells
@pytest.mark.parametrize("n", sample([1, 3, 4], [3]))
def test_exact(cell, n, capsys):
    model, examples = unit_model(cell), clicks(n, n_pairs=3)
    check = lstm_edu.check_gradient(model, *examples, gamma=10.0, method="bptt")
    assert check.error < 1e-9
    assert check.n_elements == model.n_parameters
    assert "agree" in capsys.readouterr().out
    bptt = cost_and_gradient(model, *examples, gamma=10.0, method="bptt")
    autograd = cost_and_gradient(model, *examples, gamma=10.0, method="autograd")
    assert autograd[0] == pytest.approx(bptt[0], rel=1e-12)
    assert (
        worst_difference(autograd[1], bptt[1]) < 1e-10
    )  # so autograd against complex steps is below 1e-9 too


@all_cells
@pytest.mark.parametrize("truncate", sample([0, 1, 3, 20], [0, 3, 20]))
def test_truncated(cell, truncate):
    model, examples = unit_model(cell), clicks(1, n_pairs=2)
    bptt = cost_and_gradient(model, *examples, method="bptt", truncate=truncate)
    autograd = cost_and_gradient(model, *examples, method="autograd", truncate=truncate)
    full = cost_and_gradient(model, *examples, method="bptt")
    assert bptt[0] == full[0]  # the cost knows nothing of it
    assert worst_difference(bptt[1], autograd[1]) < 1e-9
    assert (worst_difference(bptt[1], full[1]) > 1e-3) == (truncate < 11)


@pytest.mark.parametrize(
    "cell", [RNN(3), LSTM(3, True, "full"), Bidirectional(LSTM(2))], ids=cell_name
)
def test_truncated_against_complex_steps(cell):
    """Words before the cut are read with weights that do not move."""
    model, examples = unit_model(cell), clicks(1, n_pairs=2)
    check = lstm_edu.check_gradient(model, *examples, truncate=2, verbose=False)
    assert check.error < 1e-9
    by_hand, by_autograd = (
        cost_and_gradient(model, *examples, method=method, truncate=2)[1]
        for method in ("bptt", "autograd")
    )
    assert worst_difference(by_autograd, by_hand) < 1e-9


# one alone and one in both directions; make soak has all four
CUT = sample(
    [RNN(2), LSTM(2), Bidirectional(RNN(1)), Bidirectional(LSTM(1))],
    [LSTM(2), Bidirectional(RNN(1))],
)


@pytest.mark.parametrize("cell", CUT, ids=cell_name)
def test_attention_is_cut_at_the_texts_last_word_whichever_word_an_error_arrives_at(cell):
    """By hand and by autograd for every T, by complex steps for some; a text has 12 words."""
    model, examples, before = unit_model(Attention(cell)), clicks(1), None
    whole = cost_and_gradient(model, *examples)[1]
    for truncate in range(13):
        if truncate in (0, 5):
            by_hand = lstm_edu.check_gradient(model, *examples, truncate=truncate, verbose=False)
            assert by_hand.error < 1e-9
        found, by_autograd = (
            cost_and_gradient(model, *examples, method=method, truncate=truncate)[1]
            for method in ("bptt", "autograd")
        )
        assert worst_difference(by_autograd, found) < 1e-9
        assert (worst_difference(found, whole) < 1e-12) == (truncate >= 11)
        assert before is None or (worst_difference(found, before) > 1e-3) == (truncate <= 11)
        before = found


@pytest.mark.parametrize("truncate", [0, 2])
def test_words_beyond_the_cut_have_no_gradient_by_attention_either(truncate):
    """Neither their trigrams nor u get any of it, though they share in the embedding."""
    model = unit_model(Attention(LSTM(3, True, "full")))
    texts = "abc " * 4 + "ca " * (truncate + 1)
    changed = "bca " * 4 + "ca " * (truncate + 1)
    _, gradient = cost_and_gradient(model, [texts], ["ab"], [["ba"]], truncate=truncate)
    ours = HASHING.operator(["ca"]).toarray()[0] > 0
    for gate in "1234":
        assert (gradient["query"][f"W{gate}"][:, ~ours] == 0).all()
        assert (gradient["query"][f"W{gate}"][:, ours] != 0).any()
    y, other = model.encode_query([texts, changed])
    assert np.abs(y - other).max() > 1e-3


def test_central_differences_agree_within_their_own_tolerance():
    check = lstm_edu.check_gradient(
        unit_model(LSTM(3, True)), *clicks(2), against="central", verbose=False
    )
    assert 1e-12 < check.error < check.tolerance == 1e-4


def test_check_names_the_worst_element(capsys, monkeypatch):
    model, examples = unit_model(LSTM(3)), clicks(2)
    honest = lstm_edu.gradients.check.cost_and_gradient

    def one_wrong(*args):
        total, gradient = honest(*args)
        gradient["document"]["Wrec3"][1, 2] += 1e-3
        return total, gradient

    monkeypatch.setattr(lstm_edu.gradients.check, "cost_and_gradient", one_wrong)
    check = lstm_edu.check_gradient(model, *examples)
    assert (check.side, check.name, check.index) == ("document", "Wrec3", (1, 2))
    assert check.value - check.expected == pytest.approx(1e-3)
    said = capsys.readouterr().out
    assert "DIFFER" in said and "document Wrec3[1, 2]" in said and f"{check.expected:+.15e}" in said


# The appendix


@pytest.mark.parametrize("cell", [RNN(3), Bidirectional(RNN(2))], ids=cell_name)
def test_printed_is_exact_for_the_rnn(cell):
    model, examples = unit_model(cell), clicks(2)
    exact, by_print = (
        cost_and_gradient(model, *examples, method=method)[1] for method in ("bptt", "printed")
    )
    assert worst_difference(by_print, exact) < 1e-12


@pytest.mark.parametrize("peepholes", [None, "diagonal", "full"])
@pytest.mark.parametrize("forget_gate", [False, True])
def test_printed_is_exact_for_one_word_without_peepholes(forget_gate, peepholes):
    model = unit_model(LSTM(3, forget_gate, peepholes))
    examples = ["a", "abc", "ba"], ["ab", "cab", "b"], [["c", "ac"], ["cc", "a"], ["bc", "abc"]]
    exact, by_print = (
        cost_and_gradient(model, *examples, method=method)[1] for method in ("bptt", "printed")
    )
    assert (worst_difference(by_print, exact) < 1e-11) == (peepholes is None)


@pytest.mark.parametrize("peepholes", [None, "full"])
def test_printed_is_the_appendix_word_for_word(peepholes):
    """Against (16)-(44) as they stand.

    dc/dW is carried forward, and each delta goes back through its own W_rec.
    """
    cell, rng = LSTM(3, True, peepholes), np.random.default_rng(1)
    weights = {name: rng.standard_normal(shape) for name, shape in cell.shapes(5).items()}
    p, L, v = cell.params(weights), rng.integers(0, 3, (6, 5)).astype(float), rng.standard_normal(3)
    states = cell.read(p, L)
    y, c, o, f, i, yg = (
        np.array([getattr(s, name) for s in states]) for name in ("y", "c", "o", "f", "i", "yg")
    )
    y_before, c_before, h = (
        np.vstack([np.zeros(3), y[:-1]]),
        np.vstack([np.zeros(3), c[:-1]]),
        np.tanh(c),
    )
    factor = {"1": o * (1 - o) * h, **dict.fromkeys("234", (1 - h) * (1 + h) * o)}  # (17), (22)
    b = {
        "2": c_before * f * (1 - f),
        "3": yg * i * (1 - i),
        "4": i * (1 - yg) * (1 + yg),
    }  # (30), (22), (38)
    expected = {name: np.zeros_like(w) for name, w in p.items()}
    for k in "1234":
        delta = {len(L) - 1: factor[k][-1] * v}
        for t in range(len(L) - 2, -1, -1):
            delta[t] = factor[k][t] * (p["Wrec" + k].T @ delta[t + 1])  # (43), (44)
        for name, seen in (
            ("W", L),
            ("Wrec", y_before),
            ("b", np.ones((len(L), 1))),
            ("Wp", c if k == "1" else c_before),
        ):
            if name + k not in p:
                continue
            dc = np.zeros((3, seen.shape[1]))
            for t in range(len(L)):
                dc = (
                    np.outer(delta[t], seen[t])
                    if k == "1"
                    else f[t][:, None] * dc + np.outer(b[k][t], seen[t])
                )
                part = dc if k == "1" else delta[t][:, None] * dc  # (16), (21)
                expected[name + k] += part[:, 0] if name == "b" else part
    batch = batches.side_by_side(
        sentences.Sentences(scipy.sparse.csr_array(L), np.arange(len(L)), np.array([0, len(L)]))
    )
    _, tape = cell.forward(weights, batch)
    found = cell.backward(weights, batch, tape, v[None], errors=printed.errors)
    W = np.zeros_like(weights["W"])
    W[batch.touched] = found["W"]
    assert worst_difference({"query": cell.params(found | {"W": W})}, {"query": expected}) < 1e-12


@pytest.mark.parametrize(
    "cell, scale, n_words, error, cosine",
    [
        (LSTM(16), 0.1, 1, 0, 1),
        (LSTM(16), 0.1, 9, 0.22, 0.98),
        (LSTM(16), 0.5, 9, 0.53, 0.87),
        (LSTM(16, True, "full"), 0.1, 1, 0.03, 1),
        (LSTM(16, True, "full"), 0.1, 9, 0.10, 1),
        (LSTM(16, True, "full"), 0.5, 9, 1.86, 0.40),
    ],
)
def test_printed_errs_by_what_was_found_before(cell, scale, n_words, error, cosine):
    """The table of errors for the appendix summed over tau.

    Draws spread widely, by .5 in its last row.
    """
    found = []
    for seed in range(8):
        rng = np.random.default_rng(seed)
        weights = [
            {name: scale * rng.standard_normal(shape) for name, shape in cell.shapes(40).items()}
            for _ in range(2)
        ]
        both = []
        for length in (n_words, n_words + 3):
            L = scipy.sparse.csr_array((rng.random((length, 40)) < 0.15).astype(float))
            both.append(
                batches.side_by_side(
                    sentences.Sentences(L, np.arange(length), np.array([0, length]))
                )
            )
        (yq, tape), (yd, _) = (cell.forward(w, batch) for w, batch in zip(weights, both))
        (q, norm), (d, _) = cost.normalise(yq), cost.normalise(yd)
        v = (d - (q * d).sum() * q) / norm
        exact, by_print = (
            np.concatenate(
                [
                    g.ravel()
                    for g in cell.backward(weights[0], both[0], tape, v, errors=errors).values()
                ]
            )
            for errors in (None, printed.errors)
        )
        norms = np.linalg.norm(exact), np.linalg.norm(by_print)
        found.append(
            (np.linalg.norm(by_print - exact) / norms[0], exact @ by_print / norms[0] / norms[1])
        )
    mean = np.mean(found, axis=0)
    spread = 0.02 if scale == 0.1 else 0.15 if error < 1 else 0.5
    assert mean[0] == pytest.approx(error, abs=spread)
    assert mean[1] == pytest.approx(cosine, abs=spread)


def test_printed_is_not_the_gradient_of_sentences():
    for cell in CELLS:
        if cell.printed == "approximate":
            exact, by_print = (
                cost_and_gradient(unit_model(cell), *clicks(1), method=method)[1]
                for method in ("bptt", "printed")
            )
            assert worst_difference(by_print, exact) > 0.1


@pytest.mark.parametrize(
    "n_texts, n_words, n_lanes",
    [(100, 20, 1), (500, 3, 2), (400, 20, 2), (800, 40, 3), (4000, 40, 6)],
)
def test_how_many_lanes(n_texts, n_words, n_lanes):
    """Of 96 cells: one where the batch is small and its time steps narrow, two where they are wide.

    Then one for every million numbers.
    """
    model = unit_model(lstm_edu.LSTM(2))
    batch = batches.side_by_side(
        sentences.from_texts(["a " * n_words] * n_texts, model.hashing, warn=False)
    )
    assert len(in_parts.lanes(batch, 96)) == n_lanes


@pytest.mark.parametrize("most", [2, 5, 100])
def test_a_large_batch_is_read_in_lanes(monkeypatch, most):
    """Which changes nothing but the order of sums."""
    for name, value in {"LANE": 2, "SMALL": 1, "MOST_LANES": most, "COLUMNS": 2}.items():
        monkeypatch.setattr(in_parts, name, value)
    for cell in CELLS:
        model = unit_model(cell)
        examples = gradients.examples_of(model, *clicks(4, n_pairs=9))
        for batch in (examples.queries, examples.documents):
            lanes = in_parts.lanes(batch, cell.size)
            assert (
                2 <= len(lanes) <= most
                and (np.concatenate([lane.order for lane in lanes]) == batch.order).all()
            )
            assert all(lane.Wh.shape[0] == len(set(lane.token.tolist())) for lane in lanes) and sum(
                len(lane.token) for lane in lanes
            ) == len(batch.token)
        sides = model.query, model.document
        truncate = 4 if cell.recurrent else None
        l, whole = gradients.minibatch_gradient(sides, examples, 10.0, truncate=truncate)
        with threads.two_threads() as two:
            l_split, split = by_threads(sides, examples, 10.0, truncate=truncate, threads=two)
        np.testing.assert_allclose(l_split, l, rtol=1e-12)
        assert 0 < worst_difference(dict(enumerate(split)), dict(enumerate(whole))) < 1e-10


# Arguments


@pytest.mark.parametrize(
    "changed, said",
    [
        ({"method": "magic"}, "method: 'magic'; must be 'bptt', 'autograd' or 'printed'"),
        ({"gamma": 0}, "gamma: 0; must be a number above 0"),
        ({"gamma": float("nan")}, "gamma: nan"),
        ({"gamma": "5"}, "gamma: '5'"),
        ({"truncate": -1}, "truncate: -1; must be None or a whole number from 0"),
    ],
)
def test_bad_arguments(changed, said):
    with pytest.raises(InputError, match=said):
        cost_and_gradient(unit_model(RNN(2)), *clicks(2), **changed)


def test_lists_must_fit():
    model = unit_model(RNN(2))
    with pytest.raises(InputError, match="of lengths 2, 1, 1"):
        cost_and_gradient(model, ["a", "b"], ["a"], [["b"]])
    with pytest.raises(InputError, match="same number of titles"):
        cost_and_gradient(model, ["a", "b"], ["a", "b"], [["b"], ["c", "a"]])
    for lists in (("a", ["a"], [["b"]]), (["a"], ["a"], ["title"]), (["a"], [None], [["b"]])):
        with pytest.raises(InputError, match=r"^\w+(\[\d\])*: .*; must be a (list of )?texts?$"):
            cost_and_gradient(model, *lists)
    with pytest.raises(InputError, match="float64 only"):
        lstm_edu.check_gradient(unit_model(RNN(2), dtype="float32"), ["a"], ["b"], [["c"]])


def test_a_gradient_that_is_zero_agrees_and_one_that_is_no_number_does_not(monkeypatch):
    model = unit_model(LSTM(2))
    assert (
        lstm_edu.check_gradient(
            model, ["ab"], ["ba"], [["ba"]], method="autograd", verbose=False
        ).error
        < 1e-9
    )  # Delta = 0, always
    differences = lstm_edu.gradients.check.differences

    def not_a_number(*args):
        expected = differences(*args)
        expected["query"]["W1"][0, 0] = np.nan
        return expected

    monkeypatch.setattr(lstm_edu.gradients.check, "differences", not_a_number)
    assert lstm_edu.check_gradient(model, *clicks(1), verbose=False).error == np.inf


def test_the_gradients_arrays_come_in_one_order():
    """A norm sums over them, and must not depend on how Python hashes their names."""
    for cell in CELLS:
        model = unit_model(cell)
        examples = gradients.examples_of(model, *clicks(1))
        _, found = gradients.minibatch_gradient((model.query, model.document), examples, 1.0)
        assert list(found[0]) == list(found[1]) == list(model.query.weights)


def test_gradient_has_the_shapes_and_names_of_the_parameters():
    model = unit_model(LSTM(3, True, "full"))
    _, gradient = cost_and_gradient(model, *clicks(1))
    for side, params in (("query", model.query.params), ("document", model.document.params)):
        assert {name: g.shape for name, g in gradient[side].items()} == {
            name: w.shape for name, w in params.items()
        }
        assert list(params) == [f"{part}{k}" for part in ("W", "Wrec", "b") for k in "1234"] + [
            "Wp1",
            "Wp2",
            "Wp3",
        ]
        assert params["W3"].shape == (3, HASHING.size) and params["Wp2"].shape == (3, 3)


def test_texts_without_words_or_trigrams_have_no_gradient_and_no_nan():
    model = unit_model(LSTM(3))
    for text in ("", "zzz"):
        for w in (*model.query.weights.values(), *model.document.weights.values()):
            w[...] = 0 if w.ndim == 1 else w  # no biases: an unknown word leaves y at 0
        with (
            pytest.warns(UserWarning, match="zero, their cosine is taken as 0"),
            pytest.warns(match="no letter trigram"),
        ):
            total, gradient = cost_and_gradient(model, [text], ["ab"], [["ba"]], method="bptt")
        assert total == pytest.approx(np.log(2))
        assert all((g == 0).all() for g in gradient["query"].values())
        with pytest.warns(UserWarning, match="zero, their cosine is taken as 0"):
            assert (
                worst_difference(
                    cost_and_gradient(model, [text], ["ab"], [["ba"]], method="autograd")[1],
                    gradient,
                )
                == 0
            )


def test_batches_of_any_mix_of_lengths_read_as_the_plain_step_does():
    for cell in CELLS:
        model = unit_model(cell)
        for texts in (TEXTS, TEXTS[::-1], ["a"], ["", *TEXTS[3:5], ""]):
            if "" in texts:
                with pytest.warns(match="1 of 3 texts hold no letter trigram"):
                    batched = model.encode_query(texts)
            else:
                batched = model.encode_query(texts)
            for text, y in zip(texts, batched):
                if text == "":
                    assert (y == 0).all()
                    continue
                trace = model.trace(text)
                rows, half = trace.y, trace.y.shape[1] // 2
                if isinstance(cell, Attention):
                    plain = trace.a @ rows
                elif isinstance(cell, Bidirectional):
                    plain = np.concatenate([rows[-1, :half], rows[0, half:]])
                else:
                    plain = rows[-1]
                np.testing.assert_allclose(y, plain, rtol=0, atol=1e-14)


def test_compare_says_equal_only_of_equal_arrays(capsys):
    x = np.array([[1.0, -200.0], [1e-9, 0.0]])
    assert (
        compare("dW", x + 1e-11, x)
        and not compare("dW", x + 1e-8, x)
        and compare("zero", np.zeros(3), np.zeros(3))
    )
    assert (
        not compare("zero", np.full(3, 1e-9), np.zeros(3))
        and not compare("nan", x * np.nan, x)
        and not compare("sign", -x, x)
    )
    out = capsys.readouterr().out.splitlines()
    assert (
        out[0] == "dW         (2, 2)     equal    to 1e-12"
        and out[1] == "dW         (2, 2)     DIFFERS  by 5.0e-11 of the largest"
    )
    with pytest.raises(InputError, match="db: of shape"):
        compare("db", np.zeros(1), np.zeros(2))
