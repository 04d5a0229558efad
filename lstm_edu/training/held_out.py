"""Held-out queries, for choosing settings and the number of epochs without judgments.

Whole queries are held out, with all their pairs. The model ranks the training titles for each
held-out query, and nDCG@10 measures how high it ranks the clicked titles.
"""

import numpy as np

from .._util.files import InputError
from ..models.encoder import BLOCK
from ..text.batch import side_by_side
from . import minibatches

MOST_TITLES = 10_000  # maximum number of random titles to rank, to save time


def split(log, share, seed):
    """Split a click log into training pairs and a share of held-out queries.

    Returns
    -------
    kept : (n_pairs,) of int
        The pairs to train on.
    held : pair of arrays of int, or None
        The held-out queries, at least one, and the titles to rank for them: up to `MOST_TITLES`
        random titles and all titles clicked for these queries. None if the share is 0.
    """
    if not share:
        return np.arange(len(log.query)), None
    rng, (n_queries, n_titles) = np.random.default_rng([seed, 0]), log.clicked.shape
    queries = np.sort(rng.permutation(n_queries)[: max(1, round(share * n_queries))])
    kept = np.flatnonzero(~np.isin(log.query, queries))
    if not len(kept):
        raise InputError(f"held_out: {share}; no query is left to train on")
    clicked = np.unique(log.clicked[queries].indices)
    others = np.setdiff1d(rng.permutation(n_titles)[:MOST_TITLES], clicked)
    return kept, (queries, np.concatenate([clicked, others]))


def ndcg(model, log, queries, titles):
    """Compute the mean nDCG@10 of ranking ``titles`` for ``queries``; clicked titles have grade 1.

    Titles with equal scores each get the mean of their ranks' discounts, as in
    `lstm_edu.ranking.ndcg`, so that a model gains nothing by giving all titles the same score.
    """
    yd = _encoded(model, model.document, log.titles, titles)
    yq = _encoded(model, model.query, log.queries, queries)
    row = np.full(log.clicked.shape[1], -1)
    row[titles] = np.arange(len(titles))
    # up_to[n] is the sum of the discounts of the first n ranks
    up_to = np.append(0, np.cumsum(1 / np.log2(np.arange(10) + 2)))
    total = 0.0
    for q, scores in zip(queries, model.relevance.of_each(yq, yd)):
        clicked = scores[row[minibatches.clicked_by(log, q)]][:, None]
        above, equal = (scores > clicked).sum(axis=1), (scores == clicked).sum(axis=1)
        first, last = np.minimum(above, 10), np.minimum(above + equal, 10)
        dcg = ((up_to[last] - up_to[first]) / equal).sum()
        total += dcg / up_to[min(len(clicked), 10)]
    return float(total / len(queries))


def _encoded(model, side, texts, which):
    how, starts = (side.cell, side.weights), range(0, len(which), BLOCK)
    blocks = (side_by_side(texts, which[start : start + BLOCK]) for start in starts)
    return model.relevance.joined([model.relevance.encoded(*how, block) for block in blocks])
