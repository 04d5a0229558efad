"""Each solution gives what another implementation has, on what its check draws (01 to 03, 09, 10b).

The others have `test_solutions_backward.py` and `test_solutions_by_another_way.py`.
"""

import math

import autograd.numpy as anp
import numpy as np
from autograd import grad
from autograd.scipy.special import logsumexp
from scipy.optimize import brentq
from scipy.spatial.distance import cdist
from scipy.special import expit
from solutions import of_check

from lstm_course.engine.drawn import lstm_by_names, params_of
from lstm_course.exercises import gates
from lstm_edu.analysis import inspection
from lstm_edu.cells import LSTM, RNN

assert_close = np.testing.assert_allclose


@of_check("sigmoid")
def test_sigmoid(sigma, given):
    assert_close(sigma(**given), expit(given["x"]), rtol=1e-12, atol=1e-16)


def share_left(b2, n):
    """What is left in c of the first word after n words, of a cell whose f sees no word."""
    rng, cell = np.random.default_rng(0), LSTM(1, forget_gate=True)
    params = params_of(cell, rng)
    params |= {name: 0 * params[name] for name in ("Wrec1", "Wrec2", "Wrec3", "Wrec4", "W2")}
    params["b2"] = np.array([b2])
    L = rng.integers(0, 3, (n, 5)) * 1.0
    whole, without = cell.read(params, L), cell.read(params, L[1:])
    return float(whole[-1].c[0] - without[-1].c[0]) / float(whole[0].c[0])


@of_check("forget_bias")
def test_forget_bias(forget_bias, given):
    share, n = given.values()
    by_trying = brentq(lambda b2: share_left(b2, n) - share, -50, 50, xtol=1e-12)
    assert_close(forget_bias(**given), by_trying, rtol=1e-8)


@of_check("many_sentences")
def test_each_sentence_by_itself(embed, given):
    params, L, lengths = given.values()
    each = [RNN(2).read(params, text[:n])[-1].y for text, n in zip(L, lengths)]
    assert_close(embed(**given), each, rtol=1e-12)


def loss(delta, gamma):
    zero = anp.zeros((len(delta), 1))
    return logsumexp(anp.concatenate([zero, -gamma * delta], axis=1), axis=1)


@of_check("cosine")
def test_cosine(cosine, given):
    assert_close(cosine(**given), 1 - cdist(*given.values(), "cosine"), rtol=1e-9)


@of_check("cost")
def test_cost(cost, given):
    assert_close(cost(**given), loss(**given), rtol=1e-12)


@of_check("alpha")
def test_alpha(alpha, given):
    expected = grad(lambda delta: anp.sum(loss(delta, given["gamma"])))(given["delta"])
    assert_close(alpha(**given), expected, rtol=1e-9, atol=1e-15)


@of_check("hinge")
def test_hinge(hinge, given):
    delta, margin = given.values()
    l, dl = hinge(delta, margin)
    assert_close(l, [sum(max(0.0, margin - d) for d in row) for row in delta])
    assert_close(dl, grad(lambda delta: anp.sum(anp.maximum(0, margin - delta)))(delta))


@of_check("gamma_gradient")
def test_gamma_gradient(gamma_gradient, given):
    delta, gamma = given.values()
    total = lambda gammas: anp.sum(loss(delta, gammas[:, None]))
    expected = grad(total)(np.full(len(delta), gamma))
    assert_close(gamma_gradient(delta, gamma), expected, rtol=1e-9)


def test_let_in():
    for seed, given in enumerate(gates._read_by_an_lstm()[:-1]):
        n_words, n_cells = given["i"].shape
        rng = np.random.default_rng(seed)  # the same text once more
        params, L = lstm_by_names("134", rng, n_cells), rng.standard_normal((n_words, 6))
        c = np.array([state.c for state in LSTM(n_cells).read(params, L)])
        # without a forget gate, what is let in is all that moves c
        expected = np.abs(np.diff(c, axis=0, prepend=0)).mean(axis=1)
        assert_close(gates.let_in(**given), expected, rtol=1e-9)


@of_check("read_with_gate")
def test_read_with_gate(read_with_gate, given):
    gate = given["gate"].clip(1e-300, 1 - 1e-16)
    still = {"W3": np.zeros((4, 6)), "Wrec3": np.zeros((4, 4)), "b3": np.log(gate / (1 - gate))}
    expected = LSTM(4).read(given["params"] | still, given["L"])[-1].y
    assert_close(read_with_gate(**given), expected, rtol=1e-9)


@of_check("most_active_cells")
def test_most_active_cells(most_active_cells, given):
    expected = inspection.most_active_cells(**given)
    assert most_active_cells(**given).tolist() == expected.tolist()


@of_check("assigned_cells")
def test_assigned_cells(assigned_cells, given):
    y, n, large = given.values()
    found = inspection.detections(y, inspection.most_active_cells(y, n), large)
    assert assigned_cells(y, n, large).tolist() == found.sum(axis=1).tolist()


@of_check("bm25")
def test_bm25_without_an_index(bm25, given):
    query, postings, lengths, k1, b = given.values()
    tf = {word: dict(places) for word, places in postings.items()}
    N, mean = len(lengths), sum(lengths) / len(lengths)
    for title, length in enumerate(lengths):
        score = 0.0
        for word in query:
            met, n = len(tf.get(word, ())), tf.get(word, {}).get(title, 0)
            rarity = math.log(1 + (N - met + 0.5) / (met + 0.5))
            score += rarity * n / (n + k1 * (1 - b + b * length / mean)) if n else 0
        assert_close(bm25(**given)[title], score, rtol=1e-12)


@of_check("em_step")
def test_em_by_sums_over_titles_topics_and_words(em_step, given):
    n, P_z, P_w = given.values()
    new_z, new_w = np.zeros(P_z.shape), np.zeros(P_w.shape)
    for D, z, w in np.ndindex(len(n), len(P_w), n.shape[1]):
        all_topics = sum(P_z[D, k] * P_w[k, w] for k in range(len(P_w)))
        count = n[D, w] * P_z[D, z] * P_w[z, w] / all_topics if n[D, w] else 0
        new_z[D, z] += count
        new_w[z, w] += count
    for found, sums in zip(em_step(**given), (new_z, new_w)):
        assert_close(found, [row / sum(row) for row in sums], rtol=1e-9)


@of_check("choose")
def test_choose_one_setting_after_another(choose, given):
    settings, fit, measure, pairs, held, judgments = given.values()
    queries = [search.query for search in held]
    most, best = -math.inf, None
    for setting in settings:
        found = measure(fit(setting, [p for p in pairs if queries.count(p[0]) == 0]), held)
        if found > most:
            most, best = found, setting
    expected = best, most, measure(fit(best, pairs), judgments)
    assert choose(**given) == expected
