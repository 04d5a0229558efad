"""BM25, computed with the library bm25s."""

import warnings

import numpy as np

from lstm_edu._util import arguments
from lstm_edu._util.files import from_extra
from lstm_edu.text.sentences import rows

from .asked import ManyAtOnce, check_fitted
from .terms import terms


class BM25(ManyAtOnce):
    """BM25 with k1 = 1.2 and b = 0.75 by default.

    A word's weight depends on its rarity among the log's titles and the titles to rank, so the
    index contains both. Clicks and grades are not used.

    Parameters
    ----------
    k1, b : float
        Saturation of the term frequency, and strength of the length normalisation.
    """

    def __init__(self, k1=1.2, b=0.75):
        self.k1, self.b = arguments.number("k1", k1), arguments.number("b", b, 0, 1)

    def fit(self, pairs):
        """Store the distinct titles of the log."""
        self.titles = list(dict.fromkeys(title for _, title in arguments.each_pair(pairs)))
        return self

    def scores(self, queries, titles):
        """Compute BM25 scores for many queries, each with a list of titles, from one index."""
        check_fitted(self, "titles")
        queries, titles = arguments.searches(queries, titles)
        bm25s = load_bm25s()
        row = rows([*self.titles, *(title for listed in titles for title in listed)])
        read = [terms(title) for title in row]
        index, found = bm25s.BM25(k1=self.k1, b=self.b), []
        if any(read):
            index.index(read, show_progress=False)
        for query, listed in zip(queries, titles):
            asked, scores = terms(query), np.zeros(len(row), np.float32)
            if asked and any(read):  # bm25s rejects a query or titles without words
                scores = index.get_scores(asked)
            found.append(scores[[row[title] for title in listed]])
        return found


def load_bm25s():
    """Import bm25s, or raise a MissingError that says how to install it."""
    with from_extra("baselines", "BM25 needs bm25s"), warnings.catch_warnings():
        # tqdm warns in a notebook without widgets, although bm25s shows no bar
        warnings.filterwarnings("ignore", "IProgress not found")
        import bm25s
    bm25s.tqdm.monitor_interval = 0  # tqdm's monitor thread can't start in a browser
    return bm25s
