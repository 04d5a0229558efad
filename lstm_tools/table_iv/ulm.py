"""The unigram language model with Dirichlet smoothing (Zhai & Lafferty 2004)."""

from collections import Counter

import numpy as np

from lstm_edu._util import arguments
from lstm_edu._util.files import InputError

from .asked import check_fitted
from .held_out import best
from .terms import terms

MU = 1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1000.0, 3000.0


class ULM:
    """Log probability of the query under a title: ``sum_w log((tf(w, D) + mu P(w)) / (|D| + mu))``.

    P(w) is the share of w among the words of the log's titles. A word that occurs in none of them
    gets a count of 0.5.

    Parameters
    ----------
    mu : float or None
        Weight of P(w), as a number of words. With None, `fit` chooses it on held-out queries of the
        log.
    """

    def __init__(self, mu=None):
        self.mu = arguments.number("mu", mu, above=True, allow=[None])

    def fit(self, pairs):
        """Count the words of the log's titles; first choose mu if it is None."""
        pairs = arguments.pairs(pairs)
        if self.mu is None:
            self.mu, self.held_out = best(MU, lambda mu, kept: ULM(mu).fit(kept), pairs)
        self.counts = Counter(word for _, title in pairs for word in terms(title))
        if not self.counts:
            raise InputError("pairs: none of the titles has a word; ULM needs some to read")
        return self

    def score(self, query, titles):
        """Compute the query's log probability under each title; return an (n_titles,) array."""
        check_fitted(self, "counts")
        query, titles = arguments.text("query", query), arguments.texts("titles", titles)
        asked = terms(query)
        background = [self.mu * self.counts.get(word, 0.5) / self.counts.total() for word in asked]
        found = []
        for title in titles:
            counts = Counter(terms(title))
            length = counts.total() + self.mu
            found.append(
                sum(np.log((counts[word] + p) / length) for word, p in zip(asked, background))
            )
        return np.array(found)
