"""Held-out queries: what settings and the end of training are chosen by, never the judgments.

Whole queries are held out, with all their pairs. A model ranks the training titles for each of them,
and nDCG@10 tells how far up the titles are that people clicked.
"""
import numpy as np

from . import click_log, sentences
from .cost import normalise
from .dual_encoder import BLOCK

MOST_TITLES = 10_000          # candidates; more only cost time


def split(log, share, rng):
    """Hold out a share of the queries.

    Returns
    -------
    kept : (n_pairs,) of int
        The pairs to train on.
    queries : (n_queries,) of int
        Those held out, at least one.
    """
    n_queries = len(log.starts) - 1
    queries = np.sort(rng.permutation(n_queries)[:max(1, round(share * n_queries))])
    return np.flatnonzero(~np.isin(log.query, queries)), queries


def candidates(log, queries, rng):
    """The titles to rank: all, or of very many a fixed random part with all that were clicked."""
    clicked = np.unique(np.concatenate([_clicked(log, q) for q in queries]))
    others = np.setdiff1d(rng.permutation(click_log.n_titles(log))[:MOST_TITLES], clicked)
    return np.concatenate([clicked, others])


def ndcg(model, log, queries, titles):
    """Mean nDCG@10 of the clicked titles of ``queries`` among ``titles``, of grade 1 against 0."""
    yd = normalise(_embed(model.document, log.titles, titles))[0]
    yq = normalise(_embed(model.query, log.queries, queries))[0]
    row = np.full(click_log.n_titles(log), -1)
    row[titles] = np.arange(len(titles))
    up_to = np.append(0, np.cumsum(1 / np.log2(np.arange(10) + 2)))        # the discounts of the first 0, 1, … 10 ranks
    total = 0.0
    for q, y in zip(queries, yq):
        scores = yd @ y
        clicked = scores[row[_clicked(log, q)]][:, None]
        above, equal = (scores > clicked).sum(axis=1), (scores == clicked).sum(axis=1)
        # equals share their ranks, as in `lstm_edu.ranking.ndcg`: a model for which all is one wins nothing
        dcg = (up_to[np.minimum(above + equal, 10)] - up_to[np.minimum(above, 10)]) / equal
        total += dcg.sum() / up_to[min(len(clicked), 10)]
    return float(total / len(queries))


def _clicked(log, q):
    return log.clicked[log.starts[q]:log.starts[q + 1]]


def _embed(side, texts, which):
    blocks = (which[start:start + BLOCK] for start in range(0, len(which), BLOCK))
    return np.concatenate([side.embed(sentences.batch(texts, block)) for block in blocks])
