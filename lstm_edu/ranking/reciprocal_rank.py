"""The reciprocal rank of the first right answer, a measure for question answering."""

import numpy as np

from .._util import arguments
from ..readers import checked_grades
from .ndcg import checked_scores, scored


def reciprocal_rank(scores, grades):
    """Compute 1 / rank of the first title with a grade above 0.

    If titles have equal scores, the result is the mean over all their orders, as in
    `lstm_edu.ranking.ndcg.ndcg`.

    Parameters
    ----------
    scores, grades : (n_titles,)

    Returns
    -------
    float
        NaN if no grade is above 0.

    Raises
    ------
    InputError
        A score is NaN, a grade is not a whole number from 0 to 100, or the numbers of scores and
        grades differ.
    """
    scores, grades = checked_scores("scores", scores), checked_grades("grades", grades)
    arguments.same_number(scores=scores, grades=grades)
    right = np.asarray(grades) > 0
    if not right.any():
        return float("nan")
    best = scores[right].max()
    before, tied = np.sum(scores > best), scores == best
    n, n_right = np.sum(tied), np.sum(tied & right)
    mean, none_yet = 0.0, 1.0  # none_yet: probability that no earlier tied title is right
    for k in range(n - n_right + 1):
        here = n_right / (n - k)
        mean += none_yet * here / (before + k + 1)
        none_yet *= 1 - here
    return float(mean)


def reciprocal_ranks(model, judgments):
    """Compute `reciprocal_rank` for each judged query; its mean over queries is the MRR.

    Parameters
    ----------
    model
        An object with ``score(query, titles) -> scores``.
    judgments : list of Judged

    Returns
    -------
    (n_queries,)
        NaN for a query without a relevant title; 0 if all its relevant titles lack a text.

    Raises
    ------
    InputError
        As `reciprocal_rank`; or ``model.scores`` does not return scores for every query.
    """
    every = scored(model, judgments)
    lost = [any(judged.grades) and not any(found.grades) for judged, found, _ in every]
    return np.where(lost, 0.0, [reciprocal_rank(s, found.grades) for _, found, s in every])
