"""nDCG, the measure of Table IV, in three common definitions."""

from collections.abc import Iterable
from typing import Any, Literal

import numpy as np

from .._util import arguments
from .._util.files import InputError
from ..readers import Judged, checked_grades, checked_judgments

DEPTHS = 1, 3, 10
KINDS = {
    "exponential": "gain 2^grade - 1, discount log2(rank + 1)",
    "linear": "gain grade, discount log2(rank + 1)",
    "original": "gain grade, discount log2(rank) from rank 3 on (Jaervelin & Kekaelaeinen 2000)",
}

Kind = Literal["exponential", "linear", "original"]


def ndcg(scores, grades, k, kind="exponential", judged=None):
    """Compute nDCG at depth k of one ranking.

    If titles have equal scores, the result is the mean over all their orders, so that the order in
    a file does not matter.

    Parameters
    ----------
    scores, grades : (n_titles,)
    k : int
    kind : {"exponential", "linear", "original"}
        Gain and discount, see `KINDS`. The paper does not say which it uses; other papers by
        the same group use "exponential".
    judged : (n_judged,), optional
        The grades of all titles that could have been ranked, by default ``grades``.

    Returns
    -------
    float
        NaN if no grade is above 0, because all orders are then equally good.

    Raises
    ------
    InputError
        A score is NaN, a grade is not a whole number from 0 to 100, the numbers of scores and
        grades differ, k is below 1, or the kind is unknown.
    """
    k, kind = arguments.integer("k", k, 1), arguments.choice("kind", kind, KINDS)
    grades, scores = checked_grades("grades", grades), checked_scores("scores", scores)
    judged = grades if judged is None else checked_grades("judged", judged)
    arguments.same_number(scores=scores, grades=grades)
    return _ndcg(scores, grades, k, kind, judged)


def _ndcg(scores, grades, k, kind, judged):
    """Compute `ndcg` without checking the arguments."""
    gains, best = np.array(grades, float), np.array(judged, float)
    if kind == "exponential":
        gains, best = 2.0**gains - 1, 2.0**best - 1
    ranks = np.arange(max(len(scores), len(best))) + 1
    discounts = 1 / np.log2(np.maximum(ranks, 2) if kind == "original" else ranks + 1)
    discounts[k:] = 0
    ideal = np.sort(best)[::-1] @ discounts[: len(best)]
    if not ideal > 0:
        return float("nan")
    if not len(scores):
        return 0.0
    order = np.argsort(-scores, kind="stable")
    scores, discounts = scores[order], discounts[: len(scores)]
    # the index at which each group of equal scores begins
    first = np.flatnonzero(np.concatenate([[True], scores[1:] != scores[:-1]]))
    mean_gain = np.add.reduceat(gains[order], first) / np.diff(np.append(first, len(scores)))
    return float(mean_gain @ np.add.reduceat(discounts, first) / ideal)


def checked_scores(name, scores):
    """Return scores as a float64 array; raise InputError if one is NaN. Infinities are allowed."""
    found = arguments.array(name, scores, "n_titles", finite=False).astype(float)
    return arguments.refuse(name, scores, "no NaN") if np.isnan(found).any() else found


def ndcg_by_query(model, judgments, depths=DEPTHS, kind="exponential"):
    """Compute each query's nDCG at each depth, with NaN for queries without a relevant title.

    Parameters
    ----------
    model
        An object with ``score(query, titles) -> scores``.
    judgments : list of Judged
    depths : sequence of int
    kind : str
        As for `ndcg`.

    Returns
    -------
    (n_queries, n_depths)

    Raises
    ------
    InputError
        As `ndcg`; or ``model.scores`` does not return scores for every query.
    """
    kind = arguments.choice("kind", kind, KINDS)
    depths = arguments.wholes("depths", depths, "n_depths", low=1).tolist()
    every = scored(model, judgments)
    return np.array([[_ndcg(s, f.grades, k, kind, j.grades) for k in depths] for j, f, s in every])


def scored(model, judgments):
    """Score the titles of each judged query, omitting documents without a text.

    Returns
    -------
    list of (judged, found, scores)
        The Judged with all documents, a Judged with only the scored documents, and the scores.
    """
    judgments, model = checked_judgments(judgments), arguments.ranker("model", model)
    found = [_found(search) for search in judgments]
    queries = [search.query for search in found]
    titles = [search.titles for search in found]
    at_once = callable(getattr(model, "scores", None))
    scores = model.scores(queries, titles) if at_once else map(model.score, queries, titles)
    scores = list(arguments.each("scores", scores, "the scores of each query"))
    arguments.same_number(scores=scores, judgments=judgments)
    scores = [checked_scores(f"scores[{k}]", s) for k, s in enumerate(scores)]
    for of_query, candidates in zip(scores, titles):
        arguments.same_number(scores=of_query, titles=candidates)
    return list(zip(judgments, found, scores))


def _found(search):
    columns = ([x for x, title in zip(column, search.titles) if title] for column in search[2:])
    return Judged(search.qid, search.query, *columns)


def evaluate(
    model: Any, judgments: Iterable[Judged], kind: Kind = "exponential"
) -> dict[str, float]:
    """Compute a model's mean nDCG at 1, 3 and 10 over judged queries.

    Parameters
    ----------
    model
        An object with ``score(query, titles) -> scores``: a DualEncoder, a baseline, or your own
        class.
    judgments : list of Judged
    kind : {"exponential", "linear", "original"}
        As for `ndcg`.

    Returns
    -------
    dict
        ``nDCG@1``, ``nDCG@3``, ``nDCG@10``; ``n_queries``, the number of queries in the means;
        ``n_left_out``, the number of queries without a relevant title, which are left out.

    Raises
    ------
    InputError
        No query has a relevant title, the kind is unknown, or as `ndcg_by_query`.
    """
    values = ndcg_by_query(model, judgments, kind=kind)
    counted = values[~np.isnan(values).any(axis=1)] if len(values) else values
    if not len(counted):
        raise InputError("judgments: no query has a title of grade 1 or more")
    return {f"nDCG@{k}": float(mean) for k, mean in zip(DEPTHS, counted.mean(axis=0))} | {
        "n_queries": len(counted),
        "n_left_out": len(values) - len(counted),
    }
