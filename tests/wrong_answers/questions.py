"""Wrong answers to the exercises of notebook 13."""

import itertools
from collections import Counter

import numpy as np

# ---- the reciprocal rank


def _first(grades, order):
    places = np.flatnonzero(grades[order])
    return 1 / (places[0] + 1) if len(places) else np.nan


def _tied(scores, grades):
    best = scores[grades > 0].max()
    return np.sum(scores > best), np.sum(scores == best), np.sum((scores == best) & (grades > 0))


def in_file_order(scores, grades):
    """As a program does that sorts. Told: the first in the file comes first"""
    return _first(grades, np.argsort(-scores, kind="stable"))


def right_before_equals(scores, grades):
    """Told: comes before its equals"""
    return 1 / (1 + _tied(scores, grades)[0]) if grades.any() else np.nan


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


def lowest_first(scores, grades):
    """Told: here it is the lowest"""
    return _first(grades, np.argsort(scores, kind="stable"))


def zero_without_a_right_one(scores, grades):
    """Told: NaN where no answer is right"""
    return _all_orders(scores, grades) if grades.any() else 0.0


def _all_orders(scores, grades):
    orders = itertools.permutations(range(len(scores)))
    allowed = (list(order) for order in orders)
    return np.mean(
        [_first(grades, order) for order in allowed if (np.diff(scores[order]) <= 0).all()]
    )


def through_all_orders(scores, grades):
    """Right, and never done with twenty. Told: you go through all orders"""
    return _all_orders(scores, grades)


def mean_of_all_right(scores, grades):
    """Told: this is the mean over all"""
    right = scores[grades > 0]
    return np.mean([1 / (1 + np.sum(scores > s)) for s in right]) if len(right) else np.nan


# ---- without the question


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


# ---- the other way round


def one_after_the_other(question, n, m):
    """Told: one place stands there twice"""
    return question.replace(n, m).replace(m, n)


def only_n(question, n, m):
    """Told: one place stands there twice"""
    return question.replace(n, m)


def all_words_turned(question, n, m):
    """Told: the places alone change theirs"""
    return " ".join(reversed(question.split()))


def first_of_each(question, n, m):
    """Told: exchange all of them"""
    marked = question.replace(n, "\0", 1).replace(m, "\1", 1)
    return marked.replace("\0", m).replace("\1", n)


# ---- held out


def the_first_pairs(facts, n):
    """The leak itself. Told: others of the same facts stay in training"""
    return np.arange(len(facts)) < n


def what_stays(facts, n):
    """Told: here it is what stays"""
    return ~whole_facts(facts, n)


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


def one_fact_too_many(facts, n):
    """Goes on where n is just reached. Told: one less is enough"""
    return whole_facts(facts, n, more=1)


def facts_of_the_first_pairs(facts, n):
    """Told: stop as soon as n pairs are held out"""
    return np.array([fact in facts[:n] for fact in facts])


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
        in_file_order,
        right_before_equals,
        right_after_equals,
        of_the_mean_rank,
        as_if_one_were_right,
        lowest_first,
        zero_without_a_right_one,
        through_all_orders,
        mean_of_all_right,
    ],
    "check_crowd": [
        counts_itself,
        counts_words_twice,
        counts_occurrences,
        sums_up,
        as_a_share,
    ],
    "check_other_way": [one_after_the_other, only_n, all_words_turned, first_of_each],
    "check_hold_out": [
        the_first_pairs,
        what_stays,
        n_facts,
        one_fact_too_many,
        facts_of_the_first_pairs,
        the_frequent_first,
    ],
}
