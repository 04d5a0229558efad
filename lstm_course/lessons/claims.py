"""The paper's Table IV, its claims, and what a comparison says of each: it holds, is open, or is
reversed.

A claim is that one row ranks better than another. It is decided by nDCG@10, query by query: it
holds if the 95 % bootstrap interval of the difference is above zero, is reversed if it is below,
and is open if zero lies within. Against the best baseline, whichever that is, the corrected p of
the comparison decides instead.
"""

import numpy as np

from lstm_edu.ranking.ndcg import interval

# nDCG@1, @3, @10 in percent, as printed
PAPER = {
    "skip_thought": (26.9, 29.7, 36.2),
    "doc2vec": (29.1, 31.8, 38.4),
    "ulm": (30.4, 32.7, 38.5),
    "bm25": (30.5, 32.8, 38.8),
    "plsa": (30.8, 33.7, 40.2),
    "dssm": (31.0, 34.4, 41.7),
    "clsm_1": (31.8, 35.1, 42.6),
    "clsm_3": (32.1, 35.2, 42.7),
    "clsm_5": (32.0, 35.2, 42.6),
    "rnn": (31.7, 35.0, 42.3),
    "lstm_32": (31.9, 35.5, 42.7),
    "lstm_64": (32.9, 36.3, 43.4),
    "lstm_96_n2": (32.6, 36.0, 43.4),
    "lstm_96_n4": (33.1, 36.5, 43.6),
    "lstm_96_n6": (33.1, 36.6, 43.6),
    "lstm_96_n8": (33.1, 36.4, 43.7),
    "bilstm_96": (33.2, 36.6, 43.6),
}
LSTM = "lstm_96_n4"  # the paper's main setting
BEST_IN_PRINT = "clsm_3"  # of its baselines
# statements of the paper's text or of its table, written down before our results were looked at
CLAIMS = {
    "LSTM above RNN": (LSTM, "rnn"),
    "LSTM of 32 cells above RNN": ("lstm_32", "rnn"),
    "64 cells above 32": ("lstm_64", "lstm_32"),
    "96 cells above 64": (LSTM, "lstm_64"),
    "n = 4 above n = 2": (LSTM, "lstm_96_n2"),
    "n = 8 above n = 4": ("lstm_96_n8", LSTM),
    "both directions above one": ("bilstm_96", LSTM),
    "CLSM window 1 above DSSM": ("clsm_1", "dssm"),
    "CLSM window 3 above 1": ("clsm_3", "clsm_1"),
    "CLSM window 3 above 5": ("clsm_3", "clsm_5"),
    "DSSM above PLSA": ("dssm", "plsa"),
    "PLSA above BM25": ("plsa", "bm25"),
    "BM25 above ULM": ("bm25", "ulm"),
    "LSTM above Doc2Vec": (LSTM, "doc2vec"),
    "LSTM above Skip-Thought": (LSTM, "skip_thought"),
}


def by_row(result):
    """Map the rows of a comparison by name, without those that are missing."""
    return {row["row"]: row for row in result["rows"] if "missing" not in row}


def in_print(a, b):
    """How far row a is above row b in the paper, nDCG@10 in points."""
    return PAPER[a][2] - PAPER[b][2]


def verdict(low, high):
    """Say what an interval means for the claim that a difference is above zero."""
    return "holds" if low > 0 else "reversed" if high < 0 else "open"


def difference(rows, a, b):
    """How far row a is above row b: nDCG@10 in points, query by query.

    Parameters
    ----------
    rows : dict
        From `by_row`.
    a, b : str

    Returns
    -------
    mean, low, high : float
        With the 95 % bootstrap interval over the queries.
    verdict : str
    """
    ours, theirs = (np.array(rows[row]["by_query"], float) for row in (a, b))
    mean, low, high = interval(100 * (ours - theirs)[~np.isnan(ours - theirs)])
    return mean, low, high, verdict(low, high)


def over_seeds(rows, a, b):
    """How far row a is above row b: nDCG@10 in points, for every pair of a training of each.

    What the interval of `difference` does not know: it is over queries, with each one's mean over
    the trainings.

    Parameters
    ----------
    rows, a, b
        As for `difference`.

    Returns
    -------
    (n_a, n_b) array of float
    """
    return 100 * np.subtract.outer(rows[a]["by_seed"], rows[b]["by_seed"])


def against_the_best(rows, row):
    """A row against the best baseline of the comparison.

    Returns
    -------
    mean, low, high : float
        As `difference`.
    against : str
    p : float
        Of the permutation test, corrected for the number of rows.
    verdict : str
        By p: open from .05 on.
    """
    p, best = rows[row]["p"], rows[row]["against"]
    mean, low, high, _ = difference(rows, row, best)
    return mean, low, high, best, p, "open" if p >= 0.05 else "holds" if mean > 0 else "reversed"
