"""Checks of notebook 13: reciprocal rank with ties, no question, the other way round, a split."""

import itertools
import math
import re
from collections import Counter

import numpy as np

from lstm_edu.ranking.reciprocal_rank import reciprocal_rank

from ..engine.minimize import hold
from ..engine.report import call, hold_against, passed
from ..engine.speed import hold_quick


def check_reciprocal_rank(function):
    """``reciprocal_rank(scores, grades)``, held against the mean over all orders of the ties.

    These are tried one by one.
    """
    what = "reciprocal_rank(scores, grades)"
    # here each mistake below gives another number
    inputs = [([0.4, 0.4, 0.4, 0.9, 0.1, 0.4, 0.4, 0.4], [0, 0, 1, 0, 1, 0, 1, 0])]
    inputs += [([0.0] * 6, [0, 0, 2, 0, 0, 1]), ([0.5, 0.2, 0.2], [0, 0, 0])]
    # all right, ties below the right one, a right one alone at the top or at the end
    inputs += [([1, 1, 1], [1, 1, 3]), ([2, 1, 1, 1], [1, 0, 1, 0]), ([-3, -1, -2], [1, 0, 0])]
    inputs += [([0], [1]), ([0.3], [0]), ([3, 3, 2, 2, 1], [0, 0, 0, 1, 1])]
    inputs = [(np.array(scores, float), np.array(grades)) for scores, grades in inputs]
    for rng in map(np.random.default_rng, range(6)):
        inputs.append((rng.integers(0, 3, 6) / 2, rng.integers(0, 2, 6) * rng.integers(1, 4, 6)))
    for scores, grades in inputs:
        given, right = {"scores": scores, "grades": grades}, _mean_over_orders(scores, grades)
        simpler = [
            (
                "with scores that are all different it is wrong already: 1 / rank of the first",
                {"scores": np.array([0.2, 0.9, 0.5]), "grades": np.array([0, 0, 1])},
                0.5,
            ),
            (
                "with two equal scores, one of them right, it is wrong: in one of the two orders "
                "the right one is first, in the other second",
                {"scores": np.zeros(2), "grades": np.array([0, 1])},
                0.75,
            ),
            (
                "with one right among equals it is right: with two, the first of them is earlier. "
                "It stands at place j if the j - 1 before are wrong and the next is right",
                given,
                right,
            ),
        ]
        hold(what, function, given, right, _wrong_ranks(scores, grades), simpler)
    eight = {"scores": np.zeros(8), "grades": np.arange(8) // 6}
    hold_quick(
        what,
        function,
        eight,
        "you go through all orders: of twenty answers there are 10^18. "
        "Go through the places at which the first right one can stand",
    )
    rng = np.random.default_rng(7)
    many = {"scores": rng.integers(0, 3, 200) * 1.0, "grades": rng.integers(0, 20, 200) // 19}
    hold_against(what, call(what, function, many), reciprocal_rank(**many), many)
    passed("check_reciprocal_rank", len(inputs) + 1)


def _mean_over_orders(scores, grades):
    """The mean over all orders of the titles that the scores allow."""
    orders = np.array(list(itertools.permutations(range(len(scores)))))
    allowed = (np.diff(scores[orders], axis=1) <= 0).all(axis=1)
    return float(np.mean([_at(row) for row in grades[orders[allowed]]]))


def _at(grades):
    """One over the place of the first grade above 0."""
    places = np.flatnonzero(grades)
    return 1 / (places[0] + 1) if len(places) else math.nan


def _wrong_ranks(scores, grades):
    """What likely mistakes give."""
    if not (grades > 0).any():
        nothing = "NaN where no answer is right: there is no first one"
        return [(nothing, 0.0), (nothing, 1 / len(grades)), (nothing, 1.0)]
    best = scores[grades > 0].max()
    above, tied = int(np.sum(scores > best)), scores == best
    n, k = int(np.sum(tied)), int(np.sum(grades[tied] > 0))
    places = above + 1 + np.arange(n)
    falling, rising = np.argsort(-scores, kind="stable"), np.argsort(scores, kind="stable")
    each = [1 / (1 + np.sum(scores > score)) for score in scores[grades > 0]]
    uniform = "the mean of 1/r over all places of the equals holds for one right answer among them;"
    return [
        ("of equal scores, the first in the file comes first here", _at(grades[falling])),
        ("of equal scores, the last in the file comes first here", _at(grades[rising[::-1]])),
        ("equals share their ranks; here the right one comes before its equals", 1 / (above + 1)),
        ("equals share their ranks; here it comes after its equals", 1 / (above + n - k + 1)),
        (
            "the mean of 1/r is asked for, over all orders, and not one over the mean rank",
            1 / (above + (n + 1) / (k + 1)),
        ),
        (f"{uniform} with more, the first of them is earlier", float(np.mean(1 / places))),
        ("the highest score comes first; here it is the lowest", _at(grades[rising])),
        (
            "the highest score comes first; here it is the lowest",
            reciprocal_rank(-scores, grades),
        ),
        ("the scores were not looked at: these are the places in the file", _at(grades)),
        ("the first right answer alone counts; this is the mean over all", float(np.mean(each))),
        ("this is the rank: one over it is asked for", above + (n + 1) / (k + 1)),
        (
            "1 at the first place: the places begin at 1, not at 0",
            reciprocal_rank(np.append(scores, scores.max() + 1), np.append(grades, 0)),
        ),
    ]


def check_crowd(function):
    """``crowd(answers)``: how many of the others hold an answer's words, in the mean."""
    what = "crowd(answers)"
    lists = [
        ["the gym opens at nine the gym", "the gym rests on mondays", "the zoo opens at ten"],
        ["a b", "b c", "c d e", "e"],
        ["a a b", "a", "a b b"],
        ["one"],
        ["x y", "z"],
        ["same words", "same words", "words same"],
    ]
    for rng in map(np.random.default_rng, range(4)):
        words = np.array(list("abcdefg"))
        lists.append([" ".join(rng.choice(words, 1 + rng.integers(5))) for _ in range(5)])
    for answers in lists:
        given, sets = {"answers": answers}, [set(answer.split()) for answer in answers]
        held = Counter(word for some in sets for word in some)
        times = Counter(word for answer in answers for word in answer.split())
        right = _means([[held[w] - 1 for w in some] for some in sets])
        told = [
            (
                "the answer itself is counted among the others: one less for each word",
                _means([[held[w] for w in some] for some in sets]),
            ),
            (
                "a word that stands twice in an answer counts once there",
                _means([[held[w] - 1 for w in answer.split()] for answer in answers]),
            ),
            (
                "count the answers that hold a word, not how often it stands in them",
                _means([[times[w] - 1 for w in some] for some in sets]),
            ),
            (
                "count the answers that hold a word, not how often it stands in them",
                _means([[times[w] - 1 for w in answer.split()] for answer in answers]),
            ),
            (
                "the mean over the answer's words: a sum is larger for a longer answer",
                np.array([sum(held[w] - 1.0 for w in some) for some in sets]),
            ),
            (
                "this is the share of the others; the number of them is asked for",
                right / max(len(answers) - 1, 1),
            ),
            (
                "this is the share of all answers; the number of the others is asked for",
                right / len(answers),
            ),
            (
                "this counts letters: split the answer into words",
                _means(
                    [
                        [sum(w in other for other in map(set, answers)) - 1 for w in set(answer)]
                        for answer in answers
                    ]
                ),
            ),
        ]
        simpler = [
            (
                "of two answers it is wrong: of the two words of the first, the other has one",
                {"answers": ["a b", "b"]},
                np.array([0.5, 1.0]),
            ),
            (
                "of two answers it is right: with more, each of the others that hold a word counts",
                given,
                right,
            ),
        ]
        hold(what, function, given, right, told, simpler)
    passed("check_crowd", len(lists))


def _means(lists):
    return np.array([float(np.mean(some)) for some in lists])


def check_other_way(function):
    """``other_way(question, n, m)``: two places exchanged."""
    what = "other_way(question, n, m)"
    cases = [
        ("way from linden museum to harbour zoo", "linden museum", "harbour zoo"),
        ("visit the harbour zoo after the old mill cafe", "old mill cafe", "harbour zoo"),
        ("linden gym first and then linden zoo", "linden gym", "linden zoo"),
        ("how far is zoo from gym", "zoo", "gym"),
        ("gym then zoo in one day and back to gym", "gym", "zoo"),
        ("from x to n and m", "x", "n"),
        ("from st. anne (old) to bath+", "st. anne (old)", "bath+"),
        ("is zoo open", "gym", "zoo"),
        ("is it open", "gym", "zoo"),
        ("gym zoo gym gym zoo", "zoo", "gym"),
    ]
    for question, n, m in cases:
        given = {"question": question, "n": n, "m": m}
        pieces = {n: m, m: n}
        right = re.sub(
            f"{re.escape(n)}|{re.escape(m)}",
            lambda found, pieces=pieces: pieces[found[0]],
            question,
        )
        twice = (
            "one place stands there twice: after the first replacement nobody knows any more "
            "which of the two it was"
        )
        told = [
            (twice, question.replace(n, m).replace(m, n)),
            (twice, question.replace(m, n).replace(n, m)),
            ("this is the question as it was: return the changed one", question),
            (
                "this turns all words; the places alone change theirs",
                " ".join(question.split()[::-1]),
            ),
            (
                "a place may be named more than once: exchange all of them",
                _once(question, n, m),
            ),
        ]
        simpler = [
            (
                "of the shortest question it is wrong",
                {"question": "a to b", "n": "a", "m": "b"},
                "b to a",
            ),
            (
                "of the shortest question it is right: the two names alone change places, "
                "all else stays, spaces included",
                given,
                right,
            ),
        ]
        hold(what, function, given, right, told, simpler)
    passed("check_other_way", len(cases))


def _once(question, n, m):
    """The first of each exchanged."""
    marked = question.replace(n, "\0", 1).replace(m, "\1", 1)
    return marked.replace("\0", m).replace("\1", n)


def check_hold_out(function):
    """``hold_out(facts, n)``: whole facts, until n pairs or more are held out."""
    what = "hold_out(facts, n)"
    # at the first, each mistake below gives another answer
    inputs = [(list("cbdbccceeeeeaf"), 4)]
    inputs += [(list("abacbdaec"), 4), (list("abacbdaec"), 3), (list("abacbdaec"), 5)]
    inputs += [(list("abc"), 0), (list("aab"), 3), (list("aab"), 1), (list("a"), 1)]
    inputs += [([("opens", "gym"), ("opens", "zoo"), ("opens", "gym")], 1), (list("bbaacc"), 3)]
    for seed, rng in enumerate(map(np.random.default_rng, range(6))):
        inputs.append(([f"fact {k}" for k in rng.integers(0, 6, 12)], 2 + seed))
    for facts, n in inputs:
        given, counts = {"facts": facts, "n": n}, Counter(facts)
        in_order, by_size = list(counts), [fact for fact, _ in counts.most_common()]
        n_held = _enough(in_order, counts, n)

        def pairs_of(chosen, facts=facts):
            return np.array([fact in chosen for fact in facts], dtype=bool)

        right = pairs_of(in_order[:n_held])
        first = np.arange(len(facts)) < n
        told = [
            (
                "these are n pairs; others of the same facts stay in training: that is the leak",
                first,
            ),
            ("True is what is held out; here it is what stays", ~right),
            (
                "n is reached before the last of these facts: one less is enough",
                pairs_of(in_order[: n_held + 1]),
            ),
            (
                "at least n pairs: one fact more is needed",
                pairs_of(in_order[: max(n_held - 1, 0)]),
            ),
            (
                "these are n facts: n counts pairs",
                pairs_of(in_order[:n]),
            ),
            (
                "the facts in the order in which they appear, not by how often",
                pairs_of(by_size[: _enough(by_size, counts, n)]),
            ),
            (
                "the facts in the order in which they appear, not by the alphabet",
                pairs_of(sorted(counts)[: _enough(sorted(counts), counts, n)]),
            ),
            (
                "of each fact that is held out, all pairs: here it is the first alone",
                right & pairs_of(in_order) & _first_of_each(facts),
            ),
            (
                "the facts of the first n pairs are more than is needed: "
                "stop as soon as n pairs are held out",
                pairs_of(set(facts[:n])),
            ),
            (
                "these are the last facts: take the first that appear",
                pairs_of(in_order[::-1][: _enough(in_order[::-1], counts, n)]),
            ),
        ]
        simpler = [
            (
                "of two facts with a pair each it is wrong, for n = 1",
                {"facts": ["a", "b"], "n": 1},
                np.array([True, False]),
            ),
            (
                "where a fact has two pairs it is wrong: both go together",
                {"facts": ["a", "b", "a"], "n": 1},
                np.array([True, False, True]),
            ),
            (
                "the small cases are right: go on with the next fact until n pairs are held out",
                given,
                right,
            ),
        ]
        hold(what, function, given, right, told, simpler)
    passed("check_hold_out", len(inputs))


def _enough(order, counts, n):
    """How many facts of an order have n pairs or more."""
    sums = itertools.accumulate((counts[fact] for fact in order), initial=0)
    return next((k for k, pairs in enumerate(sums) if pairs >= n), len(order))


def _first_of_each(facts):
    return np.array([fact not in facts[:k] for k, fact in enumerate(facts)], dtype=bool)
