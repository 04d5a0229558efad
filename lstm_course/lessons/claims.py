"""The paper's Table IV, its claims, and the rule for verdicts on them.

A claim says that one row ranks better than another. The difference in nDCG@10 is a mean over
queries. Its 95 % interval is computed from the sum of two variances: over queries, and between
training runs of a row. The latter is pooled over all rows of the data set, because three runs are
too few for a bootstrap. The p-value is corrected by Holm's method over all claims of a family on
all data sets.
The claim *holds*, or is *reversed*, if the corrected p-value is below .05. Otherwise the two rows
are *level* if the interval is within half a point of zero; if not, the claim is *open*.
"""

import math
import pathlib
import tomllib
from typing import NamedTuple

import numpy as np

from lstm_edu.ranking.statistics import holm

FILE = tomllib.loads(pathlib.Path(__file__).with_name("claims.toml").read_text(encoding="utf-8"))
PAPER = FILE["table_iv"]  # nDCG@1, nDCG@3 and nDCG@10 in percent, keyed by row
# lists of claims; p-values are corrected for multiple testing within each list
FAMILIES = FILE["families"]
PAPERS, PAST = FAMILIES["paper"], FAMILIES["past"]
LSTM = "lstm_96_n4"  # the paper's main setting
BEST_IN_PRINT = "clsm_3"  # the paper's best baseline
BEST = "the best baseline"  # placeholder for a data set's best baseline
HEADLINE = {f"LSTM above {BEST} at depth 1": (LSTM, BEST)}  # compared at nDCG@1; a separate family
FIXED = "bm25", "ulm"  # deterministic rows (same result for every seed)
LEVEL = 0.5  # rows whose interval is within this distance of 0 are level, in points of nDCG@10


def by_row(result):
    """Return the rows of a comparison that are not missing, keyed by name."""
    return {row["row"]: row for row in result["rows"] if "missing" not in row}


def in_print(a, b):
    """Return row a's published lead over row b, in nDCG@10 points."""
    return PAPER[a][2] - PAPER[b][2]


class Difference(NamedTuple):
    """The lead of one row over another in nDCG@10, in points.

    Attributes
    ----------
    mean, low, high : float
        The mean and its 95 % interval, over queries and training runs.
    p : float
        The two-sided p-value.
    against : str
        The name of the other row.
    """

    mean: float
    low: float
    high: float
    p: float
    against: str


def verdict(low, high, p):
    """Return the verdict on a claim, from the interval and corrected p-value of the difference."""
    if p < 0.05:
        return "holds" if low + high > 0 else "reversed"
    return "level" if -LEVEL < low and high < LEVEL else "open"


def between_trainings(rows):
    """Compute the variance between training runs of one row, in points², pooled over all rows."""
    several = [row["by_seed"] for row in rows.values() if len(row["by_seed"]) > 1]
    return 100**2 * float(np.mean([np.var(values, ddof=1) for values in several] or [0]))


def difference(rows, a, b):
    """Compute row a's lead over row b in nDCG@10, with its interval and p-value.

    Parameters
    ----------
    rows : dict
        From `by_row`.
    a, b : str
        Names of rows; ``b`` may be `BEST`.

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
    """Return the verdicts on one family of claims on all data sets.

    Parameters
    ----------
    rows_of : dict
        The result of `by_row` for each data set.
    pairs : dict
        The names of two rows for each claim.

    Returns
    -------
    dict
        Keyed by claim, then by data set: a dict of ``mean``, ``low``, ``high``, ``p`` (corrected),
        ``against`` and ``verdict``. Data sets that lack one of the rows are left out.
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
    """Compute row a's lead over row b for every pair of training runs, in nDCG@10 points.

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
