"""The paper's Table IV, its claims, and the rule for verdicts on them.

A claim says that one row ranks better than another. The difference in nDCG@10 is a mean over
queries. Its 95 % interval adds the variance over the queries and the variance between trainings of
a row, pooled over the rows of the set, as three trainings are too few for a bootstrap. Its p is
corrected by Holm's method for all claims of its list on all sets. The claim *holds*, or is
*reversed*, if the corrected p is below .05; else the two rows are *level* if the interval lies
within half a point of zero; else the claim is *open*.
"""

import math
from typing import NamedTuple

import numpy as np

from lstm_edu.ranking.statistics import holm

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
# statements of the paper's text or its table, listed before we saw our results
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
    """Map names to the rows of a comparison, without missing rows."""
    return {row["row"]: row for row in result["rows"] if "missing" not in row}


def in_print(a, b):
    """Return row a's lead over row b in the paper, nDCG@10 in points."""
    return PAPER[a][2] - PAPER[b][2]


BEST = "the best baseline"  # of each set
# the paper's claims, a family of tests
PAPERS = {f"LSTM above {BEST}": (LSTM, BEST)} | CLAIMS
# claims made after seeing the results, or about rows that the paper lacks: another family
PAST = {
    f"both directions above {BEST}": ("bilstm_96", BEST),
    f"lstm_best above {BEST}": ("lstm_best", BEST),
    "LSTM above DSSM": (LSTM, "dssm"),
    "LSTM above BM25": (LSTM, "bm25"),
    "96 cells above 32": (LSTM, "lstm_32"),
    "n = 8 above n = 2": ("lstm_96_n8", "lstm_96_n2"),
    "LSTM above GRU": (LSTM, "gru"),
    "lstm_best above bilstm_96": ("lstm_best", "bilstm_96"),
    "lstm_96_adam above lstm_96_n4": ("lstm_96_adam", LSTM),
    "lstm_best above lstm_96_adam": ("lstm_best", "lstm_96_adam"),
    "attention_96 above lstm_best": ("attention_96", "lstm_best"),
    "align_96 above lstm_best": ("align_96", "lstm_best"),
}
# the effect of a cell, all trained by the same recipe: a third family
CELLS = {
    "a layer": ("dssm_batch", "bag_300"),
    "a layer before the words are pooled": ("clsm_1_batch", "bag_300"),
    "words read in order": ("rnn_batch", "bag_300"),
    "the GRU's gates": ("gru_batch", "rnn_batch"),
    "the LSTM's gates": ("lstm_96_adam", "rnn_batch"),
    "all of the LSTM": ("lstm_96_adam", "bag_300"),
    "all of both directions": ("lstm_best", "bag_300"),
}
FAMILIES = {"paper": PAPERS, "past": PAST, "cells": CELLS}
HEADLINE = {f"LSTM above {BEST} at depth 1": (LSTM, BEST)}  # the paper's; a separate family
FIXED = "bm25", "ulm"  # rows without randomness
LEVEL = 0.5  # points


class Difference(NamedTuple):
    """The lead of one row over another: nDCG@10 in points.

    Attributes
    ----------
    mean, low, high : float
        The mean and its 95 % interval, over queries and trainings.
    p : float
        Two-sided.
    against : str
        The other row.
    """

    mean: float
    low: float
    high: float
    p: float
    against: str


def verdict(low, high, p):
    """Judge the claim that a difference is above zero, by its interval and corrected p."""
    if p < 0.05:
        return "holds" if low + high > 0 else "reversed"
    return "level" if -LEVEL < low and high < LEVEL else "open"


def between_trainings(rows):
    """Compute the variance between a row's trainings, in points², pooled over all rows."""
    several = [row["by_seed"] for row in rows.values() if len(row["by_seed"]) > 1]
    return 100**2 * float(np.mean([np.var(values, ddof=1) for values in several] or [0]))


def difference(rows, a, b):
    """Compute row a's lead over row b, or over `BEST`.

    Parameters
    ----------
    rows : dict
        From `by_row`.
    a, b : str

    Returns
    -------
    Difference
    """
    b = rows[a]["against"] if b == BEST else b
    ours, theirs = (np.array(rows[row]["by_query"], float) for row in (a, b))
    by_query = 100 * (ours - theirs)[~np.isnan(ours - theirs)]
    n_trainings = [len(rows[row]["by_seed"]) for row in (a, b) if row not in FIXED]
    of_trainings = between_trainings(rows) * sum(1 / n for n in n_trainings)
    deviation = math.sqrt(np.var(by_query, ddof=1) / len(by_query) + of_trainings)
    mean = float(by_query.mean())
    p = math.erfc(abs(mean) / deviation / math.sqrt(2)) if deviation else float(mean == 0)
    return Difference(mean, mean - 1.96 * deviation, mean + 1.96 * deviation, p, b)


def verdicts(rows_of, pairs):
    """Judge a list of claims on all sets, as one family.

    Parameters
    ----------
    rows_of : dict
        By set, from `by_row`.
    pairs : dict
        By claim, its two rows.

    Returns
    -------
    dict
        By claim, and by set that has both rows: ``mean``, ``low``, ``high``, ``p`` (corrected),
        ``against``, ``verdict``.
    """
    places = [
        (claim, name)
        for claim, two in pairs.items()
        for name, rows in rows_of.items()
        if rows.keys() | {BEST} >= {*two}
    ]
    found = [difference(rows_of[name], *pairs[claim]) for claim, name in places]
    judged = {claim: {} for claim in pairs}
    for (claim, name), lead, p in zip(places, found, holm([lead.p for lead in found])):
        judgment = {"p": p, "verdict": verdict(lead.low, lead.high, p)}
        judged[claim][name] = lead._asdict() | judgment
    return judged


def over_seeds(rows, a, b):
    """Compute row a's lead over row b, nDCG@10 in points, for every pair of trainings.

    Parameters
    ----------
    rows, a, b
        As for `difference`.

    Returns
    -------
    (n_a, n_b) array of float
    """
    b = rows[a]["against"] if b == BEST else b
    return 100 * np.subtract.outer(rows[a]["by_seed"], rows[b]["by_seed"])
