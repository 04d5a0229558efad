"""Wrong answers for the checks of `lstm_course/exercises/question_sets.py`."""

import itertools
from collections import Counter

import numpy as np
from wrong_answers._replaced import said


def _first(grades, order):
    places = np.flatnonzero(grades[order])
    return 1 / (places[0] + 1) if len(places) else np.nan


def _tied(scores, grades):
    best = scores[grades > 0].max()
    return np.sum(scores > best), np.sum(scores == best), np.sum((scores == best) & (grades > 0))


def right_after_equals(scores, grades):
    """Told: comes after its equals"""
    if not grades.any():
        return np.nan
    above, n, k = _tied(scores, grades)
    return 1 / (above + n - k + 1)


def of_the_mean_rank(scores, grades):
    """Told: not one over the mean rank"""
    if not grades.any():
        return np.nan
    above, n, k = _tied(scores, grades)
    return 1 / (above + (n + 1) / (k + 1))


def as_if_one_were_right(scores, grades):
    """Told: with more, the first of them is earlier"""
    if not grades.any():
        return np.nan
    above, n, _ = _tied(scores, grades)
    return np.mean(1 / (above + 1 + np.arange(n)))


def _all_orders(scores, grades):
    orders = itertools.permutations(range(len(scores)))
    allowed = (list(order) for order in orders)
    return np.mean(
        [_first(grades, order) for order in allowed if (np.diff(scores[order]) <= 0).all()]
    )


def mean_of_all_right(scores, grades):
    """Told: this is the mean over all"""
    right = scores[grades > 0]
    return np.mean([1 / (1 + np.sum(scores > s)) for s in right]) if len(right) else np.nan


def _sets(answers):
    return [set(answer.split()) for answer in answers]


def counts_itself(answers):
    """Told: the answer itself is counted among the others"""
    held = Counter(word for some in _sets(answers) for word in some)
    return np.array([np.mean([held[word] for word in some]) for some in _sets(answers)])


def counts_words_twice(answers):
    """Told: counts once there"""
    held = Counter(word for some in _sets(answers) for word in some)
    return np.array([np.mean([held[word] - 1 for word in answer.split()]) for answer in answers])


def counts_occurrences(answers):
    """Told: not how often it stands in them"""
    held = Counter(word for answer in answers for word in answer.split())
    return np.array([np.mean([held[word] - 1 for word in some]) for some in _sets(answers)])


def sums_up(answers):
    """Told: a sum is larger for a longer answer"""
    held = Counter(word for some in _sets(answers) for word in some)
    return np.array([sum(held[word] - 1.0 for word in some) for some in _sets(answers)])


def as_a_share(answers):
    """Told: this is the share of the others"""
    held = Counter(word for some in _sets(answers) for word in some)
    found = [np.mean([held[word] - 1 for word in some]) for some in _sets(answers)]
    return np.array(found) / max(1, len(answers) - 1)


def first_of_each(question, n, m):
    """Told: exchange all of them"""
    marked = question.replace(n, "\0", 1).replace(m, "\1", 1)
    return marked.replace("\0", m).replace("\1", n)


def whole_facts(facts, n, more=0):
    held, chosen = set(), 0
    for fact, count in Counter(facts).items():
        if chosen >= n + more:
            break
        held.add(fact)
        chosen += count
    return np.array([fact in held for fact in facts])


def n_facts(facts, n):
    """Told: n counts pairs"""
    first = list(dict.fromkeys(facts))[:n]
    return np.array([fact in first for fact in facts])


def the_frequent_first(facts, n):
    """Told: not by how often"""
    held, chosen = set(), 0
    for fact, count in Counter(facts).most_common():
        if chosen < n:
            held.add(fact)
            chosen += count
    return np.array([fact in held for fact in facts])


WRONG = {
    "check_reciprocal_rank": [
        *said(
            (
                "As a program does that sorts. Told: the first in the file comes first",
                lambda scores, grades: _first(grades, np.argsort(-scores, kind="stable")),
            ),
            (
                "Told: comes before its equals",
                lambda scores, grades: (
                    1 / (1 + _tied(scores, grades)[0]) if grades.any() else np.nan
                ),
            ),
        ),
        right_after_equals,
        of_the_mean_rank,
        as_if_one_were_right,
        *said(
            (
                "Told: here it is the lowest",
                lambda scores, grades: _first(grades, np.argsort(scores, kind="stable")),
            ),
            (
                "Told: NaN where no answer is right",
                lambda scores, grades: _all_orders(scores, grades) if grades.any() else 0.0,
            ),
            (
                "Right, and never done with twenty. Told: you go through all orders",
                lambda scores, grades: _all_orders(scores, grades),
            ),
        ),
        mean_of_all_right,
    ],
    "check_crowd": [
        counts_itself,
        counts_words_twice,
        counts_occurrences,
        sums_up,
        as_a_share,
    ],
    "check_other_way": [
        *said(
            (
                "Told: one place stands there twice",
                lambda question, n, m: question.replace(n, m).replace(m, n),
            ),
            ("Told: one place stands there twice", lambda question, n, m: question.replace(n, m)),
            (
                "Told: the places alone change theirs",
                lambda question, n, m: " ".join(reversed(question.split())),
            ),
        ),
        first_of_each,
    ],
    "check_hold_out": [
        *said(
            (
                "The leak itself. Told: others of the same facts stay in training",
                lambda facts, n: np.arange(len(facts)) < n,
            ),
            ("Told: here it is what stays", lambda facts, n: ~whole_facts(facts, n)),
        ),
        n_facts,
        *said(
            (
                "Goes on where n is just reached. Told: one less is enough",
                lambda facts, n: whole_facts(facts, n, more=1),
            ),
            (
                "Told: stop as soon as n pairs are held out",
                lambda facts, n: np.array([fact in facts[:n] for fact in facts]),
            ),
        ),
        the_frequent_first,
    ],
}
