"""Solutions of notebooks 06, 07, 08 and 11, each held against another way to the same."""

from itertools import combinations
from math import factorial

import numpy as np
import pytest

from lstm_course.engine import slips
from lstm_course.engine.forms import alike
from lstm_course.exercises import adam as adams
from lstm_course.exercises import algorithm_1, comparing, differences, flops, momentum, updating
from lstm_edu.cells.lstm import LSTM
from lstm_edu.ranking.ndcg import interval
from lstm_edu.training import adam, nesterov


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
        Lambda, change = package_update(
            Lambda, change, lambda point: gradient_at(point, batch), mu, epsilon, th_G
        )
    return Lambda


def step_by_bisection(curvature, mu):
    """The epsilon at which one update, a map of (w, change), begins to lengthen something."""

    def lengthens(epsilon):
        columns = [
            package_update(*start, lambda point: curvature * point, mu, epsilon)
            for start in np.eye(2)[:, :, None]
        ]
        return max(abs(np.linalg.eigvals(np.array(columns)[:, :, 0].T))) > 1

    low, high = 0.1 / curvature, 10 / curvature
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if lengthens(middle) else (middle, high)
    return low


def counted_parameters(n_trigrams, n_cells, forget_gate, peepholes):
    shapes = LSTM(n_cells, forget_gate, peepholes).shapes(n_trigrams).values()
    return sum(int(np.prod(shape)) for shape in shapes)


def slopes(values, roles):
    """Of the lines through a query's words, with 0 for filler and 1 for content."""
    return np.array(
        [np.polyfit(role == "c", v, 1)[0] for v, role in zip(values, roles) if len(set(role)) == 2]
    )


def shapley(content, filler):
    """What a factor changes, for each set of the others that have been exchanged before it."""
    n = len(content)
    parts = np.zeros(n)
    for k in range(n):
        others = [j for j in range(n) if j != k]
        for size in range(n):
            share = factorial(size) * factorial(n - 1 - size) / factorial(n)
            for exchanged in combinations(others, size):
                mixed = np.prod([content[j] if j in exchanged else filler[j] for j in others])
                parts[k] += share * mixed * (content[k] - filler[k])
    return parts


def flops_by_product(lengths, m, g):
    """Of sentences that have a word at t, and one before it: three products."""
    sentences = [int((lengths > t).sum()) for t in range(1, lengths.max())]
    return sum(3 * 2 * n * m * (g * m) for n in sentences)


def machines_by_messages(most, B, a, b, bytes_each_way, bandwidth):
    """An update message by message: rows come, and their gradient goes back."""
    messages = [[bytes_each_way(B / K)] * 2 * (K - 1) for K in range(1, most + 1)]
    seconds = {
        a * B / K + b * B + sum(sent) / bandwidth: K for K, sent in enumerate(messages, start=1)
    }
    return seconds[min(seconds)], min(seconds)


@pytest.mark.parametrize(
    "solution, inputs, other",
    [
        (adams.adam, lambda: adams._updates()[:6], package_adam),
        (momentum.clip, momentum._gradients, package_clip),
        (updating.update, updating._points, package_update),
        (updating.largest_step, updating._curvatures, step_by_bisection),
        (algorithm_1.algorithm_1, algorithm_1._epochs, package_algorithm_1),
        (comparing.n_parameters, comparing._sizes, counted_parameters),
        (
            comparing.paired_interval,
            lambda: comparing._two_models()[:1],
            lambda a, b, draws: interval(a - b, len(draws), 0),
        ),
        (differences.content_minus_filler, differences._read_queries, slopes),
        (differences.split, differences._factors, shapley),
        (flops.recurrent_flops, flops._batches, flops_by_product),
        (flops.best_machines, flops._clusters, machines_by_messages),
    ],
    ids=lambda value: value.__name__ if value.__module__.startswith("lstm_course") else "",
)
def test_a_solution_gives_what_another_way_gives(solution, inputs, other):
    for given in inputs():
        assert alike(slips.answer(solution, given), other(**given), 1e-8)


def test_the_schedule_of_mu_is_that_of_the_package():
    for n in (200, 137, 7, 1):
        for k in range(n):
            assert momentum.momentum(k, n) == nesterov.momentum("schedule", k, n)
