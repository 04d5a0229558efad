"""Training with a choice of unclicked titles and a weight for each of them (lesson 15).

A *rule* decides which titles compete with a pair's clicked title. It is a function of the log, the
indices of the minibatch's pairs and a random generator. It returns the sorted indices of all titles
to read, including the clicked titles, and each title's weight for each pair, (n_pairs, n_titles). A
title with weight 0 doesn't compete.
"""

import numpy as np
import scipy.sparse

from lstm_edu.gradients import cost
from lstm_edu.gradients.minibatch import minibatch_gradient
from lstm_edu.gradients.plain import Examples
from lstm_edu.text.batch import side_by_side
from lstm_edu.training import loop, minibatches, runs
from lstm_edu.training.settings import Settings

from .other_loss import WithLoss


def weighted_loss(R, clicked, weights, gamma):
    """Compute l = log(1 + sum_j w_j exp(-gamma Delta_j)), and its gradient with respect to R.

    Parameters
    ----------
    R, weights : (n_pairs, n_titles)
    clicked : (n_pairs,) of int
        The column of each pair's clicked title.
    gamma : float

    Returns
    -------
    l : (n_pairs,)
    dR : (n_pairs, n_titles)
    """
    pair, among = np.arange(len(R)), weights > 0
    # a weight acts as a margin: w exp(-gamma Delta) = exp(-gamma (Delta - log w / gamma))
    margin = np.log(np.where(among, weights, 1)).astype(R.dtype) / gamma
    l, alpha = cost.loss(R[pair, clicked][:, None] - R - margin, gamma, among)
    dR = -alpha
    dR[pair, clicked] += alpha.sum(axis=1)
    return l, dR


def with_weights(weights):
    """Return a `WithLoss` whose loss is `weighted_loss` with ``weights``, (n_pairs, n_titles)."""
    return WithLoss(lambda R, examples, gamma: weighted_loss(R, examples.clicked, weights, gamma))


def train_by(rule, model, pairs, epochs, seed=0, **settings):
    """Train like `lstm_edu.train`, but let ``rule`` choose each minibatch's unclicked titles.

    ``rule(log, pairs, rng)`` returns the titles and their weights. If it has a method ``look``,
    this is called after each epoch with the model, the log and the pairs.
    """
    how, every = Settings(epochs=epochs, seed=seed, **settings), np.arange(len(pairs))
    log = minibatches.from_pairs(pairs, model.hashing, model.dtype)
    run = runs.Run(model, how, "", -(-len(pairs) // how.batch_size))
    for epoch in range(epochs):
        rng = np.random.default_rng([seed, 1, epoch])
        for now in np.split(rng.permutation(every), every[:: how.batch_size][1:]):
            examples, gradient = _minibatch(log, now, *rule(log, now, rng))
            loop.update(run, examples, map, gradient)
        for side in run.sides:
            side.catch_up(map)
        if hasattr(rule, "look"):
            rule.look(model, log, pairs)


def _minibatch(log, pairs, titles, weights):
    """Return a minibatch's `Examples`, and a function that computes their gradient."""
    which, query = np.unique(log.query[pairs], return_inverse=True)
    texts = side_by_side(log.queries, which), side_by_side(log.titles, titles)
    clicked, relevance = np.searchsorted(titles, log.title[pairs]), with_weights(weights)

    def gradient(sides, examples, gamma, method, truncate, _):
        return minibatch_gradient(sides, examples, gamma, method, truncate, relevance)

    return Examples(*texts, query, clicked, weights > 0), gradient


# ---- rules


def whole_batch(log, pairs, rng):
    """Give weight 1 to each title of the minibatch that wasn't clicked for the pair's query."""
    titles = np.unique(log.title[pairs])
    clicked = log.clicked[log.query[pairs]][:, titles].toarray()
    return titles, np.where(clicked, 0, 1).astype("float32")


def part_of_batch(n):
    """Return a rule that draws n of the competing titles of `whole_batch` for each pair."""

    def rule(log, pairs, rng):
        titles, weights = whole_batch(log, pairs, rng)
        order = np.where(weights > 0, rng.random(weights.shape), 2)
        return titles, weights * (order <= np.sort(order, axis=1)[:, n - 1 : n])

    return rule


def drawn(n, rule=None):
    """Return a rule that draws n unclicked titles of the whole log for each pair, as in the paper.

    If another rule is given, its titles compete, too.
    """

    def drawing(log, pairs, rng):
        others = rule(log, pairs, rng) if rule else ((), None)
        own = minibatches.sample_unclicked(log, log.query[pairs], n, rng)
        return _with_own(log, pairs, own, *others)

    return drawing


def _with_own(log, pairs, own, titles=(), weights=None):
    """Add each pair's own titles, (n_pairs, n), with weight 1, to the titles of another rule."""
    every = np.unique(np.concatenate([log.title[pairs], own.ravel(), titles]).astype(int))
    total = np.zeros((len(pairs), len(every)), "float32")
    if weights is not None:
        total[:, np.searchsorted(every, titles)] = weights
    np.put_along_axis(total, np.searchsorted(every, own), 1, axis=1)
    return every, total


def times(factor, rule):
    """Return a rule that multiplies another rule's weights by a factor."""

    def multiplied(log, pairs, rng):
        titles, weights = rule(log, pairs, rng)
        return titles, np.float32(factor) * weights

    return multiplied


def without(wanted, rule):
    """Return a rule that sets another rule's weights to 0 for titles relevant to the query.

    Parameters
    ----------
    wanted : sparse array of bool, (n_queries, n_titles)
        The titles that are relevant to each query, as `marked` returns them.
    rule : function
    """

    def masked(log, pairs, rng):
        titles, weights = rule(log, pairs, rng)
        return titles, np.where(wanted[log.query[pairs]][:, titles].toarray(), 0, weights)

    return masked


def texts_of(log, pairs):
    """Return two lists, the log's distinct queries and its distinct titles, ordered by index."""
    rows = dict(zip(log.query, pairs)), dict(zip(log.title, pairs))
    return [[of[k][side] for k in range(len(of))] for side, of in enumerate(rows)]


def marked(log, pairs, wanted):
    """Mark, for each query of a log, the titles that are relevant to it, clicked or not.

    Parameters
    ----------
    wanted : dict
        The relevant titles, keyed by query.

    Returns
    -------
    csr_array of bool, (n_queries, n_titles)
    """
    title_of = {title: row for (_, title), row in zip(pairs, log.title)}
    query_of = {query: row for (query, _), row in zip(pairs, log.query)}
    places = [
        (row, title_of[title])
        for query, row in query_of.items()
        for title in wanted[query]
        if title in title_of
    ]
    marks = np.ones(len(places), bool), tuple(np.array(places).T)
    return scipy.sparse.csr_array(marks, log.clicked.shape)


class Hardest:
    """A rule that draws from the unclicked titles nearest to each query.

    The model after the previous epoch determines which titles are nearest.

    In the first epoch only the titles of ``rule``, by default `whole_batch`, compete.

    Parameters
    ----------
    n, of : int
        Each pair draws n of the ``of`` titles that are nearest to its query.
    rule : function, optional
        A rule whose titles compete, too.
    spared : sparse array of bool, optional
        The titles that are never drawn for each query, (n_queries, n_titles).
    """

    def __init__(self, n, of, rule=None, spared=None):
        self.n, self.of, self.rule, self.spared, self.mined = n, of, rule, spared, None

    def look(self, model, log, pairs):
        """Rank all titles for each query, and keep the nearest unclicked titles."""
        self.mined = nearest(model, log, pairs, self.of, self.spared)

    def __call__(self, log, pairs, rng):
        if self.mined is None:
            return (self.rule or whole_batch)(log, pairs, rng)
        others = self.rule(log, pairs, rng) if self.rule else ((), None)
        own = rng.permuted(self.mined[log.query[pairs]], axis=1)[:, : self.n]
        return _with_own(log, pairs, own, *others)


def nearest(model, log, pairs, n, spared=None):
    """Return the indices of each query's n nearest unclicked titles, (n_queries, n), nearest first.

    Leave out titles that are marked in ``spared``.
    """
    queries, titles = texts_of(log, pairs)
    x_q, x_d = (
        cost.normalise(y)[0] for y in (model.encode_query(queries), model.encode_document(titles))
    )
    found = np.empty((len(queries), n), int)
    for start in range(0, len(queries), 500):
        some = slice(start, start + 500)
        R = x_q[some] @ x_d.T
        for out in (log.clicked, spared):
            if out is not None:
                R[out[some].toarray()] = -2
        top = np.argpartition(-R, n, axis=1)[:, :n]
        order = np.argsort(-np.take_along_axis(R, top, axis=1), axis=1)
        found[some] = np.take_along_axis(top, order, axis=1)
    return found
