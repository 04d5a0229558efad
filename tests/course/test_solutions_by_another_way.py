"""Tests of solutions against independent computations.

Backward passes over whole texts are tested in test_solutions_backward.py.
"""

from itertools import product
from math import log
from statistics import fmean, variance

import autograd.numpy as anp
import numpy as np
import pytest
from autograd import grad
from autograd.scipy.special import logsumexp
from by_autograd import by_autograd
from scipy.integrate import quad
from scipy.optimize import brentq
from scipy.spatial.distance import cdist
from scipy.special import expit, logit

from lstm_course import checks
from lstm_course.engine import slips
from lstm_course.engine.forms import alike
from lstm_course.exercises import momentum, torch_loop
from lstm_edu.analysis import inspection
from lstm_edu.cells import LSTM, RNN, gru, lstm
from lstm_edu.ranking import ndcg as package_ndcg
from lstm_edu.ranking.reciprocal_rank import reciprocal_rank as package_rank
from lstm_edu.ranking.statistics import interval
from lstm_edu.text.hashing import LetterTrigrams, letter_trigrams
from lstm_edu.training import adam, nesterov


def operator(words, trigrams):
    if not words:
        return np.zeros((len(trigrams), 0))
    return LetterTrigrams(trigrams).operator(words).toarray().T


def nearest_by_rows(word, known):
    l, *L = LetterTrigrams.fit([word, *known]).operator([word, *known]).toarray()
    L = np.array(L)
    return known[np.argmax(L @ l / np.linalg.norm(L, axis=1) / np.linalg.norm(l))]


def attention_by_autograd(y, u):
    """Return the gradients of log sum exp(y u) with respect to y u and to u.

    They are the attention weights and the embedding.
    """
    return grad(logsumexp)(y @ u), grad(lambda u: logsumexp(anp.dot(y, u)))(u)


def attention_backward_by_autograd(y, u, error):
    def embedding(y, u):
        return anp.dot(grad(logsumexp)(anp.dot(y, u)), y)

    return grad(lambda y, u: anp.dot(error, embedding(y, u)), (0, 1))(y, u)


def mixed_words(q, k, v):
    """Compute self-attention's output word by word, with operations that autograd supports."""
    scores = [anp.dot(k, word) / anp.sqrt(len(word)) for word in q]
    return anp.stack([anp.dot(anp.exp(s - logsumexp(s)), v) for s in scores])


def one_text_at_a_time(S, v, lengths):
    weights = [np.exp(s[:n, :n] - s[:n, :n].max()) for s, n in zip(S, lengths)]
    return [((e.T / e.sum(axis=1)).T @ x[: len(e)]).mean(axis=0) for e, x in zip(weights, v)]


def self_attention_backward_by_autograd(q, k, v, A, error):
    return grad(lambda *of: anp.sum(error * mixed_words(*of[0])))((q, k, v))


def normalise_backward_by_autograd(x, gain, error):
    def cost(x, gain, shift):
        n = ((x.T - anp.mean(x, axis=1)) / anp.std(x, axis=1)).T
        return anp.sum(error * (n * gain + shift))

    return grad(cost, (0, 1, 2))(x, gain, 0 * gain)


def interval_by_statistics(ours, theirs):
    """Compute a mean difference and its interval with Python's statistics module."""
    means = [[fmean(training) for training in part] for part in (ours, theirs)]
    d = [fmean(a) - fmean(b) for a, b in zip(ours.T, theirs.T)]
    spread = sum(map(variance, means)) / 2
    total = variance(d) / len(d) + spread / len(ours) + spread / len(theirs)
    return fmean(d), fmean(d) - 1.96 * total**0.5, fmean(d) + 1.96 * total**0.5


def p_of_all_signs(differences):
    signs = np.array(list(product([-1, 1], repeat=len(differences))))
    return (abs(signs @ differences) >= abs(differences.sum())).mean()


def densely(w, v, batches, mus, epsilon):
    """Return the weights and velocities after updates that change every row."""
    weights, velocity = {"W": w.copy()}, {"W": v.copy()}
    for mu, (rows, g) in zip(mus, batches):
        nesterov.look_ahead(weights, velocity, mu)
        nesterov.correct(weights, velocity, {"W": g.copy()}, epsilon, rows)
    return weights["W"], velocity["W"]


def cos(q, d):
    return anp.dot(q, d) / anp.sqrt(anp.dot(q, q) * anp.dot(d, d))


def relevance(y_Q, y_D):
    return sum(anp.max(anp.array([cos(q, d) for d in y_D])) for q in y_Q) / len(y_Q)


def found_word_by_word(R, same):
    hits, chance = [], []
    for near, partners in zip(R.tolist(), same.tolist()):
        if any(partners):
            nearest = [partner for r, partner in zip(near, partners) if r == max(near)]
            hits.append(sum(nearest) / len(nearest))
            chance.append(sum(partners) / len(partners))
    return sum(hits) / len(hits), sum(chance) / len(chance)


def package_adam(w, m, v, g, k, epsilon):
    changed = tuple({"b": array.copy()} for array in (w, m, v))
    adam.correct(*changed, {"b": g}, epsilon, k, None)
    return tuple(array["b"] for array in changed)


def package_clip(gradient, threshold):
    clipped = {name: g.copy() for name, g in gradient.items()}
    nesterov.clip(clipped, threshold)
    return clipped


def package_update(Lambda, change, gradient_at, mu, epsilon, th_G=np.inf):
    weights, velocity = {"b": Lambda.copy()}, {"b": change.copy()}
    nesterov.look_ahead(weights, velocity, mu)
    gradient = {"b": gradient_at(weights["b"])}
    nesterov.clip(gradient, th_G)
    nesterov.correct(weights, velocity, gradient, epsilon, None)
    return weights["b"], velocity["b"]


def package_algorithm_1(Lambda, batches, gradient_at, mu, epsilon, th_G):
    change = 0 * Lambda
    for batch in (batch for epoch in batches for batch in epoch):
        of_batch = lambda point: gradient_at(point, batch)
        Lambda, change = package_update(Lambda, change, of_batch, mu, epsilon, th_G)
    return Lambda


def step_by_roots(curvature, mu):
    """Find the step size at which a root of the weight's recursion is on the unit circle."""

    def growth(epsilon):
        left = 1 - epsilon * curvature
        return max(abs(np.roots([1, -(1 + mu) * left, mu * left]))) - 1

    return brentq(growth, 1 / curvature, 10 / curvature)


def counted_parameters(n_trigrams, n_cells, forget_gate, peepholes):
    shapes = LSTM(n_cells, forget_gate, peepholes).shapes(n_trigrams).values()
    return sum(int(np.prod(shape)) for shape in shapes)


def shapley(content, filler):
    """Integrate the product's partial derivatives along the line from filler to content."""
    changes = content - filler
    others = lambda t, k: np.prod(np.delete(filler + t * changes, k))
    return changes * [quad(others, 0, 1, args=(k,))[0] for k in range(len(changes))]


def each_by_itself(params, L, lengths):
    return np.array([RNN(2).read(params, text[:n])[-1].y for text, n in zip(L, lengths)])


def loss(delta, gamma):
    zero = anp.zeros((len(delta), 1))
    return logsumexp(anp.concatenate([zero, -gamma * delta], axis=1), axis=1)


def alpha(delta, gamma):
    return grad(lambda delta: anp.sum(loss(delta, gamma)))(delta)


def hinge(delta, margin):
    l = np.array([sum(max(0.0, margin - d) for d in row) for row in delta])
    return l, grad(lambda delta: anp.sum(anp.maximum(0, margin - delta)))(delta)


def gamma_by_autograd(delta, gamma):
    return grad(lambda gammas: anp.sum(loss(delta, gammas[:, None])))(np.full(len(delta), gamma))


def gate_by_its_bias(params, L, gate):
    gate = gate.clip(1e-300, 1 - 1e-16)
    still = {"W3": np.zeros((4, 6)), "Wrec3": np.zeros((4, 4)), "b3": np.log(gate / (1 - gate))}
    return LSTM(4).read(params | still, L)[-1].y


def detected_cells(y, n, large):
    return inspection.detections(y, inspection.most_active_cells(y, n), large).sum(axis=1)


def bm25_without_an_index(query, postings, lengths, k1, b):
    tf = {word: dict(places) for word, places in postings.items()}
    N, scores = len(lengths), np.zeros(len(lengths))
    damping = np.maximum(k1 * (1 - b + b * np.array(lengths) / fmean(lengths)), 1e-99)
    for word in query:
        n = np.array([tf.get(word, {}).get(title, 0) for title in range(N)])
        met = np.count_nonzero(n)
        scores += log(1 + (N - met + 0.5) / (met + 0.5)) * n / (n + damping)
    return scores


def em_by_joint(n, P_z, P_w):
    """Compute an EM step from a three-dimensional array of P(z | D, w)."""
    joint = P_z[:, :, None] * P_w
    counts = n[:, None] * joint / np.maximum(joint.sum(axis=1, keepdims=True), 1e-300)
    sums = counts.sum(axis=2), counts.sum(axis=0)
    return tuple(each / each.sum(axis=1, keepdims=True) for each in sums)


def one_setting_after_another(settings, fit, measure, pairs, held_out, judgments):
    queries = [search.query for search in held_out]
    most, best = -np.inf, None
    for setting in settings:
        found = measure(fit(setting, [p for p in pairs if queries.count(p[0]) == 0]), held_out)
        if found > most:
            most, best = found, setting
    return best, most, measure(fit(best, pairs), judgments)


def send_back_by_autograd(Wrec, y, delta):
    return grad(lambda z: anp.dot(delta, anp.dot(Wrec, anp.tanh(z))))(np.arctanh(y))


def error_of_c_by_autograd(dy, _, from_later, o, c, Wp1):
    y = lambda new: lstm.sigmoid(logit(o) + anp.dot(Wp1, new - c), anp) * anp.tanh(new)
    return from_later + grad(lambda new: anp.dot(dy, y(new)))(c)


def coupled_back_by_autograd(dc, c, i, yg):
    gate = lambda z3: lstm.sigmoid(z3, anp)
    new = lambda z3, z4, c: anp.dot(dc, (1 - gate(z3)) * c + gate(z3) * anp.tanh(z4))
    return grad(new, (0, 1, 2))(logit(i), np.arctanh(yg), c)


def looks_one_by_one(rank, clicked):
    found = [fmean(map(float, clicked[rank == k])) for k in range(1, rank.max() + 1)]
    return np.array([rate / found[0] for rate in found])


def weighted_cost_by_autograd(R, w, gamma):
    weights = lambda R: anp.sum(w * (logsumexp(gamma * R, axis=1) - gamma * R[:, 0])) / sum(w)
    return weights(R), grad(weights)(R)


def em_by_causes(theta, a, rank, title, clicked):
    """Compute an EM step by summing over the possible causes of each click or skip."""
    looked, liked = np.zeros((2, len(theta))), np.zeros((2, len(a)))
    for k, d, click in zip(rank, title, clicked):
        causes = {
            (look, like): (theta[k] if look else 1 - theta[k]) * (a[d] if like else 1 - a[d])
            for look, like in product((0, 1), repeat=2)
            if (look and like) == click
        }
        for (look, like), chance in causes.items():
            looked[:, k] += np.array([look, 1]) * chance / sum(causes.values())
            liked[:, d] += np.array([like, 1]) * chance / sum(causes.values())
    return looked[0] / looked[1], liked[0] / liked[1]


def enough_by_pairs(people, queries, k):
    pairs = {*zip(queries, people)}
    return np.array([sum(query == other for other, _ in pairs) >= k for query in queries])


def share_left_by_distance(errors, n):
    norms = np.full((len(errors), max(map(len, errors))), np.nan)
    for row, e in zip(norms, errors):
        row[: len(e)] = np.linalg.norm(e, axis=1)[::-1]
    median = np.nanmedian(norms, axis=0)[: n + 1]
    return median / median[0]


# check's name without "check_": function that computes the right answer by another method
OTHER = {
    "let_in": lambda i, yg: np.array([fmean(map(abs, word)) for word in i * yg]),
    "sigmoid": expit,
    "many_sentences": each_by_itself,
    "cosine": lambda yq, yd: 1 - cdist(yq, yd, "cosine"),
    "cost": loss,
    "alpha": alpha,
    "hinge": hinge,
    "gamma_gradient": gamma_by_autograd,
    "read_with_gate": gate_by_its_bias,
    "most_active_cells": inspection.most_active_cells,
    "assigned_cells": detected_cells,
    "bm25": bm25_without_an_index,
    "em_step": em_by_joint,
    "choose": one_setting_after_another,
    "hashing_operator": operator,
    "letter_trigrams": letter_trigrams,
    "nearest_word": nearest_by_rows,
    "step_lstm": lambda *given: lstm.step(*given)[:2],
    "peepholes": lambda *given: lstm.step(*given)[:2],
    "step_gru": lambda *given: gru.step(*given).y,
    "attention": attention_by_autograd,
    "attention_backward": attention_backward_by_autograd,
    "self_attention": mixed_words,
    "without_padding": one_text_at_a_time,
    "self_attention_backward": self_attention_backward_by_autograd,
    "normalise_backward": normalise_backward_by_autograd,
    "ndcg_of_order": lambda grades, k: package_ndcg.ndcg(-np.arange(len(grades)), grades, k),
    "ndcg": package_ndcg.ndcg,
    "exact_p": p_of_all_signs,
    "difference": interval_by_statistics,
    "lazy_updates": densely,
    "aligned_relevance": relevance,
    "aligned_backward": grad(relevance, (0, 1)),
    "found_share": found_word_by_word,
    "reciprocal_rank": lambda scores, grades: package_rank(scores, np.maximum(grades, 0)),
    "adam": package_adam,
    "clip": package_clip,
    "update": package_update,
    "largest_step": step_by_roots,
    "algorithm_1": package_algorithm_1,
    "n_parameters": counted_parameters,
    "paired_interval": lambda a, b, draws: interval(a - b, len(draws), 0),
    "split": shapley,
    "send_back": send_back_by_autograd,
    "truncated_gradient": lambda p, L, _, v, n: by_autograd(RNN(4), p, L, v, n)[0],
    "complex_step": lambda f, w: grad(f)(w),
    "error_of_c": error_of_c_by_autograd,
    "coupled_gates": coupled_back_by_autograd,
    "share_left": share_left_by_distance,
    "looks_by_rank": looks_one_by_one,
    "weighted_cost": weighted_cost_by_autograd,
    "em_of_clicks": em_by_causes,
    "of_enough_people": enough_by_pairs,
    "memory_path": lambda f: np.array([np.prod(f[t:], axis=0) for t in range(1, len(f) + 1)]),
}
# how many inputs to compare, as later ones change Adam's defaults or the seed of the draws
FEW = {"adam": 6, "paired_interval": 1}


@pytest.mark.parametrize("name", OTHER)
def test_solution_agrees_with_another_method(name):
    check = getattr(checks, f"check_{name}")
    for given in check.inputs()[: FEW.get(name)]:
        found = slips.answer(check.solution, given)
        assert alike(found, OTHER[name](*given.values()), 1e-9)


def test_pytorchs_momentum_matches_equation_6():
    rng = np.random.default_rng(0)
    A, epsilon, mu = np.diag(rng.uniform(1, 5, 3)), 0.05, 0.8
    Lambda, change = rng.standard_normal(3), np.zeros(3)
    p, buffer = Lambda, np.zeros(3)
    for _ in range(6):
        Lambda, change = package_update(Lambda, change, lambda at: A @ at, mu, epsilon)
        g = A @ p
        buffer = mu * buffer + g
        p = p - epsilon * (g + mu * buffer)
        assert alike(torch_loop.of_equation_6(p, buffer, epsilon, mu), (Lambda, change), 1e-12)


def test_schedule_of_mu_matches_the_package():
    for n in (200, 137, 7, 1):
        for k in range(n):
            assert momentum.momentum(k, n) == nesterov.momentum("schedule", k, n)
    assert nesterov.momentum(0.5, 3, 10) == 0.5
