"""Solutions to the short exercises inside lessons."""

import numpy as np

from lstm_edu.cells.rnn import RNN

from ..engine import slips
from ..engine.drawn import params_of


def _sizes():
    sizes = (3, 5), (1, 4), (4, 4), (96, 5299), (2, 1)
    return [{"n_cells": m, "n_trigrams": n} for m, n in sizes]


@slips.check("number of parameters", _sizes)
def rnn_parameters(n_cells, n_trigrams):
    """Count the parameters (W, Wrec and b) of an RNN, Eq. (1)."""
    return n_cells * (n_trigrams + n_cells + 1)


def _points():
    points = (1.0, 0.02), (-0.3, 0.01), (0.5, 0.06), (2.0, 0.001), (0.0, 0.02)
    return [{"w": w, "epsilon": epsilon} for w, epsilon in points]


@slips.check("w after one step", _points)
def descent_step(w, epsilon):
    """Take one step of gradient descent on the cost L(w) = 20 w^2."""
    return w - epsilon * 40 * w


def _words():
    for seed in range(5):
        rng = np.random.default_rng(seed)
        params = params_of(RNN(4), rng)
        yield params | {"l": rng.integers(0, 3, 5) * 1.0, "y": rng.uniform(-1, 1, 4)}


@slips.check("y(t)", _words)
def rnn_step(W, Wrec, b, l, y):
    """Compute y(t) from the word l(t) and y(t-1) by Eq. (1)."""
    return np.tanh(W @ l + Wrec @ y + b)


def _cosines():
    rng = np.random.default_rng(3)
    sizes = (2, 10.0), (3, 1.0), (5, 10.0), (5, 3.0)
    return [{"R": rng.uniform(-1, 1, size), "gamma": gamma} for size, gamma in sizes]


@slips.check("the loss", _cosines)
def click_loss(R, gamma):
    """Return the loss -log P of a pair, Eq. (4), where R[0] is the clicked title's cosine."""
    return -np.log(np.exp(gamma * R[0]) / np.exp(gamma * R).sum())


def _outputs():
    return [{"y": y} for y in (0.6, -0.3, 0.0, 0.95, -0.999)]


@slips.check("the slope of tanh", _outputs)
def slope_from_output(y):
    """Return the derivative of y = tanh z with respect to z, from y alone."""
    return 1 - y**2


def _last_words():
    rng = np.random.default_rng(58)
    for dy in (1.0, 1.0, -0.4, 0.0):
        yield {"dy": dy, "o": rng.uniform(0.1, 0.9), "c": 2 * rng.normal()}


@slips.check("dc(2)", _last_words)
def error_of_last_c(dy, o, c):
    """Return dc(2), given dy(2), where y(2) = o(2) tanh c(2)."""
    return dy * o * (1 - np.tanh(c) ** 2)


def _texts():
    texts = (
        ("cheap hotels in shanghai", "shanghai inns and suites compared"),
        ("cheap hotel in paris", "paris hotels hotel in paris discount"),
        ("hot to trot now", "hotel photos to print"),
        ("is it safe to go to rome", "how to go to rome and back to paris"),
        ("banana bread", "cookies"),
    )
    return [{"query": query, "title": title} for query, title in texts]


@slips.check("words in common", _texts)
def words_in_common(query, title):
    """Count the different words of the query that are also in the title."""
    return len(set(query.split()) & set(title.split()))


def _pieces():
    sizes = (8, 3), (6, 5), (5, 2), (1, 3), (4, 1), (12, 4), (7, 9)
    return [{"n_letters": n, "size": size} for n, size in sizes]


@slips.check("number of pieces", _pieces)
def n_pieces(n_letters, size):
    """Count the pieces of `size` characters in a word with a # at both ends."""
    return n_letters + 3 - size


def _gates():
    for seed, shape in enumerate(((3, 4), (5, 32), (4, 2), (6, 3))):
        yield {"i": np.random.default_rng(seed).uniform(0.2, 0.8, shape)}


@slips.check("number of the word", _gates)
def least_open(i):
    """Return the index of the word at which the gate is least open, averaged over cells."""
    return i.mean(axis=1).argmin()


def _weights():
    return [{"w": w, "gamma": gamma} for w, gamma in ((2646.0, 10.0), (5.0, 2.0), (1.0, 10.0))]


@slips.check("the lead", _weights)
def lead_for(w, gamma):
    """Return the Delta at which a title of weight w counts like one of weight 1 at Delta = 0."""
    return np.log(w) / gamma


def _scores():
    for seed, n in enumerate((2, 3, 1, 5)):
        s, v = np.random.default_rng(seed).standard_normal((2, n))
        yield {"s": s, "v": v}


@slips.check("the mean", _scores)
def mix(s, v):
    """Return the mean of the numbers v, weighted by the softmax of the scores s."""
    return np.exp(s) @ v / np.exp(s).sum()


def _shown_often():
    for seed, n in enumerate((3, 5, 1, 4)):
        rng = np.random.default_rng(seed)
        shown = rng.integers(50, 200, n)
        theta = 1 / rng.integers(2, 9, n)
        yield {"clicks": rng.binomial(shown, 0.7 * theta), "shown": shown, "theta": theta}


@slips.check("the attraction", _shown_often)
def if_all_looked(clicks, shown, theta):
    """Return how often each title would be clicked if everybody looked at it."""
    return clicks / shown / theta
