"""Held-out searches of a click log, used to choose the settings of Table IV's rows."""

from collections import defaultdict
from typing import Any

import numpy as np
import scipy.sparse
from numpy.typing import DTypeLike

from lstm_edu._util import arguments
from lstm_edu.ranking.ndcg import evaluate
from lstm_edu.readers import Judged
from lstm_edu.text.hashing import plain, words


def searches(pairs, share=0.1, n_candidates=20, most=1000, seed=0):
    """Hold out queries, and turn each into a search with clicked and similar unclicked titles.

    Among all titles of a log, a ranker finds the clicked titles as soon as it recognises the topic.
    Judged titles are harder to rank: they come from a search engine, so they all share words with
    the query. A search therefore consists of the query's clicked titles (grade 1) and of the log's
    unclicked titles with the highest tf-idf cosine to the query (grade 0). If fewer than
    ``n_candidates`` titles share a word with the query, the titles nearest to the clicked titles
    are added, then random titles, because a search with only clicked titles would measure nothing.

    Parameters
    ----------
    pairs : list of (query, title)
    share : float
        Share of the queries to hold out, with all their pairs.
    n_candidates : int
        Number of unclicked titles per search.
    most : int
        Maximum number of searches, drawn at random.
    seed : int

    Returns
    -------
    kept : list of (query, title)
        The remaining pairs, to train on.
    searches : list of Judged
        In the form that `lstm_edu.evaluate` takes.
    """
    pairs, share = arguments.pairs(pairs), arguments.number("share", share, 0, 1, below=True)
    n_candidates = arguments.integer("n_candidates", n_candidates, 1)
    most = arguments.integer("most", most, 1)
    rng = np.random.default_rng([arguments.seed(seed), 2])
    clicked = defaultdict(dict)
    for query, title in pairs:
        clicked[plain(query)][plain(title)] = None
    queries, order = list(clicked), rng.permutation(len(clicked))
    queries = [queries[k] for k in order[: max(1, round(share * len(queries)))]]
    held = set(queries)
    kept = [pair for pair in pairs if plain(pair[0]) not in held]
    queries, titles = queries[:most], list(dict.fromkeys(plain(title) for _, title in pairs))
    by_query = _by_words(queries, titles)
    by_clicked = _by_words([" ".join(clicked[query]) for query in queries], titles)
    found = []
    for k, query in enumerate(queries):
        anyone = rng.integers(len(titles), size=3 * n_candidates)
        nearest = np.concatenate([_nearest(by_query, k), _nearest(by_clicked, k), anyone])
        nearest = dict.fromkeys(titles[j] for j in nearest)
        others = [title for title in nearest if title not in clicked[query]][:n_candidates]
        grades = dict.fromkeys(clicked[query], 1) | dict.fromkeys(others, 0)
        docids = [str(j) for j in range(len(grades))]
        found.append(Judged(str(k), query, docids, [*grades], [*grades.values()]))
    return kept, found


def best(choices, fit, pairs):
    """Return the choice of settings whose ranker has the highest nDCG@10 on held-out searches.

    Parameters
    ----------
    choices : sequence of numbers or of tuples of numbers
    fit : function
        Takes a choice and the pairs to train on; returns a ranker.
    pairs : list of (query, title)

    Returns
    -------
    choice
        The best of ``choices``.
    found : dict
        nDCG@10 for each choice.
    """
    kept, held = searches(pairs)
    found = {choice: evaluate(fit(choice, kept), held)["nDCG@10"] for choice in choices}
    return max(found, key=found.__getitem__), found


def _nearest(R, k):
    """Return the columns of the nonzero values in row k of a sparse matrix, largest first."""
    row = slice(R.indptr[k], R.indptr[k + 1])
    return R.indices[row][np.argsort(-R.data[row], kind="stable")]


def _by_words(queries, titles):
    """Return a sparse (n_queries, n_titles) array of tf-idf cosines, up to a factor per query."""
    vocabulary = dict.fromkeys(word for text in (*titles, *queries) for word in words(text))
    column = {word: k for k, word in enumerate(vocabulary)}
    T, Q = (counts([words(text) for text in texts], column) for texts in (titles, queries))
    idf = np.log(1 + len(titles) / (1 + np.bincount(T.indices, minlength=len(column))))
    T, Q = (scipy.sparse.csr_array(X.multiply(idf)) for X in (T, Q))
    norm = np.sqrt(T.power(2).sum(axis=1))
    return scipy.sparse.csr_array((Q @ T.T).multiply(1 / np.where(norm == 0, 1, norm)))


def counts(texts, column, dtype: DTypeLike = "float64") -> Any:
    """Count the known words in each text.

    Parameters
    ----------
    texts : list of lists of words
    column : dict of str to int
        The column of each word.
    dtype : dtype
        Type of the counts.

    Returns
    -------
    sparse (n_texts, n_words)
    """
    every = ((row, word) for row, text in enumerate(texts) for word in text)
    places = [(row, column[word]) for row, word in every if word in column]
    ones, (rows, columns) = np.ones(len(places), dtype), np.array(places, np.int32).reshape(-1, 2).T
    return scipy.sparse.csr_array((ones, (rows, columns)), shape=(len(texts), len(column)))
