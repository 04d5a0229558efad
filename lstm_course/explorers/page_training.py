"""Training that reproduces the book's interactive training page, random numbers included.

The page trains with js/train.js, on minibatches from js/log.js.
"""

from itertools import chain, count, islice

import numpy as np

import lstm_edu
from lstm_edu.gradients.minibatch import minibatch_gradient
from lstm_edu.training import held_out, loop, minibatches, runs
from lstm_edu.training.settings import Settings

# number of pairs in the page's click log, small because a page and its files are limited to 3.5 MB
PAIRS = 10_000
SEARCHES, RANKED = 200, 3000  # numbers of held-out queries and of titles to rank
FIXED = {"epochs": 1, "batch_size": 256, "clip": 100, "average": 0.998}


class PageRandom:
    """The random generator of js/log.js, mulberry32, with the NumPy methods that training calls."""

    def __init__(self, seed):
        self.seed, self.n = seed, 0

    def random(self, n):
        """Return the next n random numbers from 0 to 1."""
        steps = np.arange(self.n + 1, self.n + n + 1, dtype=np.uint32)
        self.n += n
        state = np.uint32(self.seed * 0x9E3779B9 % 2**32) + steps * np.uint32(0x6D2B79F5)
        x = (state ^ state >> 15) * (state | 1)
        x = (x + (x ^ x >> 7) * (x | 61)) ^ x
        return (x ^ x >> 14) / 2**32

    def normal(self, shape):
        """Draw from a standard normal with the Box-Muller method."""
        u, v = self.random(2 * np.prod(shape)).reshape(-1, 2).T
        return (np.sqrt(-2 * np.log(1 - u)) * np.cos(2 * np.pi * v)).reshape(shape)

    def permutation(self, some):
        """Return a shuffled copy of the numbers, by the Fisher-Yates method."""
        some, ends = np.array(some), np.arange(len(some), 1, -1)
        for end, k in zip(ends, (ends * self.random(len(ends))).astype(int)):
            some[[end - 1, k]] = some[[k, end - 1]]
        return some

    def integers(self, n, size):
        """Draw integers from 0 to n - 1."""
        return (n * self.random(np.prod(size))).astype(int).reshape(size)


def train_as_page(cell, *, seed, updates, since=0, **settings):
    """Train a model as the book's page does, with the same random numbers.

    Parameters
    ----------
    cell : RNN or LSTM
        A cell without forget gate and peepholes.
    seed, updates : int
    since : int
        The number of initial updates to leave out of the mean cost.
    **settings
        As in `lstm_edu.train`, except those in `FIXED`.

    Returns
    -------
    cost, ndcg : float
        The mean cost per pair, and nDCG@10 of the held-out queries.
    model : DualEncoder
    """
    pairs = lstm_edu.read_pairs(lstm_edu.sample() / "train_pairs.tsv")[:PAIRS]
    hashing = lstm_edu.LetterTrigrams.fit(text for pair in pairs for text in pair)
    model, random = lstm_edu.DualEncoder(cell, hashing), PageRandom(seed)
    for name, w in model.query.weights.items():
        w[...] = model.document.weights[name][...] = 0.05 * random.normal(w.shape)
    log = minibatches.from_pairs(pairs, hashing)
    kept, held = _split(log)
    run = runs.Run(model, Settings(**FIXED, **settings), "", updates)
    every = (
        minibatches.of_epoch(log, kept, 256, run.settings.n_negatives, random) for _ in count()
    )
    done = [
        [loop.update(run, examples, map, minibatch_gradient)[0], len(examples.query)]
        for examples in islice(chain.from_iterable(every), updates)
    ]
    for side in run.sides:
        side.catch_up(map)
    cost, n = np.sum(done[since:], axis=0)
    return float(cost / n), held_out.ndcg(model, log, *held), model


def _split(log):
    """Hold out queries, as useLog in js/training_worker.js does.

    Return the pairs to train on, and a pair: the held-out queries and the titles to rank for them.
    """
    random, (n_queries, n_titles) = PageRandom(0), log.clicked.shape
    queries = random.permutation(range(n_queries))[:SEARCHES]
    kept = np.flatnonzero(~np.isin(log.query, queries))
    clicked = np.unique(log.clicked[queries].indices)
    order = random.permutation(range(n_titles))
    others = order[~np.isin(order, clicked)]
    return kept, (queries, np.concatenate([clicked, others])[:RANKED])
