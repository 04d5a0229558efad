"""Probabilistic latent semantic analysis (Hofmann 1999), computed with scikit-learn's NMF."""

from typing import Any

import numpy as np

from lstm_edu._util import arguments
from lstm_edu._util.files import InputError, from_extra
from lstm_edu.text.sentences import rows

from .asked import ManyAtOnce, check_fitted
from .held_out import best, counts
from .terms import terms

CHOICES = (100, 0.0), (100, 0.1), (200, 0.1), (500, 0.1)  # candidates: (n_topics, prior)
SETTINGS: dict[str, Any] = dict(init="nndsvda", solver="mu", beta_loss="kullback-leibler", tol=0)
BACKGROUND = 0.05  # weight of the log's word frequencies, which keeps every probability above 0


class PLSA(ManyAtOnce):
    """Log probability of the query under a title's topics: ``sum_w log sum_z P(w | z) P(z | D)``.

    The outer sum is over the query's words w that occur in the log's titles, the inner sum over the
    topics z.

    NMF under the Kullback-Leibler loss with multiplicative updates is maximum-likelihood PLSA
    (Gaussier & Goutte 2005): with counts V ~ W H, P(w | z) = H_zw / sum_w H_zw, and P(z | D) is
    proportional to W_Dz sum_w H_zw. A new title is folded in with H fixed. The paper uses the
    maximum a posteriori estimate; here P(w | z) has a Dirichlet prior proportional to the log's
    word frequencies.

    Parameters
    ----------
    n_topics : int or None
        Number of topics (500 in the paper); `fit` reduces it if the log has fewer titles or fewer
        distinct words. With None, `fit` chooses the number and the prior on held-out queries of
        the log.
    prior : float
        Weight of the prior relative to a topic's counts; 0 means maximum likelihood.
    seed : int
    n_iterations : int
    """

    def __init__(self, n_topics=None, prior=0.1, seed=0, n_iterations=50):
        self.n_topics = arguments.integer("n_topics", n_topics, 1, allow=[None])
        self.prior = arguments.number("prior", prior)
        self.seed = arguments.seed(seed, arguments.LIBRARIES_SEEDS)
        self.n_iterations = arguments.integer("n_iterations", n_iterations, 1)

    def fit(self, pairs):
        """Estimate the topics of the log's titles; first choose their number if it is None."""
        pairs = arguments.pairs(pairs)
        if self.n_topics is None:
            (self.n_topics, self.prior), self.held_out = best(
                CHOICES,
                lambda c, kept: PLSA(*c, seed=self.seed, n_iterations=self.n_iterations).fit(kept),
                pairs,
            )
        with from_extra("baselines", "PLSA needs scikit-learn"):
            from sklearn.decomposition import NMF
        titles = list(dict.fromkeys(title for _, title in pairs))
        words = dict.fromkeys(word for title in titles for word in terms(title))
        self.column = {word: k for k, word in enumerate(words)}
        if not self.column:
            raise InputError("pairs: none of the titles has a word; PLSA needs some to read")
        V = self._counts(titles)
        self.n_topics = min(self.n_topics, *V.shape)  # NMF's rank is limited by the shape of V
        self.background = V.sum(axis=0) / V.sum()
        how = SETTINGS | {"max_iter": self.n_iterations, "random_state": self.seed}
        self.nmf = NMF(self.n_topics, **how).fit(V)
        H = self.nmf.components_
        # P(w | z), (n_topics, n_words)
        self.words = H + self.prior * H.sum(axis=1, keepdims=True) * self.background
        self.words /= np.maximum(self.words.sum(axis=1, keepdims=True), np.finfo(H.dtype).tiny)
        return self

    def scores(self, queries, titles):
        """Compute the log probability of each query under each of its titles.

        Each distinct title is folded in once, even if several queries list it.
        """
        check_fitted(self, "words")
        queries, titles = arguments.searches(queries, titles)
        row = rows(title for listed in titles for title in listed)
        if not row:  # scikit-learn rejects an empty array
            return [np.zeros(0, np.float32) for _ in queries]
        # P(z | D), (n_titles, n_topics)
        topics = self.nmf.transform(self._counts(row)) * self.nmf.components_.sum(axis=1)
        topics /= np.maximum(topics.sum(axis=1, keepdims=True), np.finfo(topics.dtype).tiny)
        found = []
        for query, listed in zip(queries, titles):
            columns = [self.column[word] for word in terms(query) if word in self.column]
            P = topics[[row[title] for title in listed]] @ self.words[:, columns]
            P = (1 - BACKGROUND) * P + BACKGROUND * self.background[columns]
            found.append(np.log(P).sum(axis=1))
        return found

    def _counts(self, titles):
        return counts([terms(title) for title in titles], self.column, np.float32)
