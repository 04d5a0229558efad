"""Exercises for lesson 13: reciprocal rank, shared words, swapped names, and held-out facts.

On the first input of an exercise, every known mistake gives a different result, so that the check's
message names the mistake that was made.
"""

import re  # noqa: F401 - used by the known mistakes in question_sets.toml
import string
from collections import Counter

import numpy as np

from ..engine import slips
from ..engine.minimize import check_answer
from ..engine.speed import check_speed

WHAT = "reciprocal_rank(scores, grades)"


def _scores_and_grades():
    inputs = [([0.4, 0.4, 0.4, 0.4, 0.9, 0.1, 0.4, 0.4], [0, 0, 0, 1, 0, 1, 1, 0])]
    inputs += [([0] * 6, [0, 1, 2, 0, 0, 1]), ([-3, -1, 2, 1], [0, 1, 0, 0])]
    inputs += [([0.5, 0.2, 0.2], [0, 0, 0])]
    # all titles right; ties below the best right title; the right title last; a single title
    inputs += [([1, 1, 1], [1, 1, 3]), ([2, 1, 1, 1], [1, 0, 1, 0]), ([-3, -1, -2], [1, 0, 0])]
    inputs += [([0], [1]), ([0.3], [0]), ([3, 3, 2, 2, 1], [0, 0, 0, 1, 1])]
    # negative grades, with and without positive ones; near-ties
    inputs += [([0.9, 0.5, 0.2, 0.1, 0], [0, -1, 2, 0, 0]), ([0.5, 0.2], [-1, 0])]
    inputs += [([0.41, 0.4, 0.38, 0.44], [0, 1, 0, 0])]
    inputs += [([0.4, 0.4 + 1e-9, 0.36], [1, 0, 0])]
    inputs += [([0.3, 0.1 + 0.2], [1, 0])]
    for rng in map(np.random.default_rng, range(6)):
        inputs.append((rng.integers(0, 3, 6) / 2, rng.integers(0, 2, 6) * rng.integers(1, 4, 6)))
    return [
        {"scores": np.array(scores, float), "grades": np.array(grades)} for scores, grades in inputs
    ]


def _of_many(function):
    given = {"scores": np.zeros(9), "grades": np.arange(9) // 7}
    check_speed(WHAT, function, reciprocal_rank, given, *slips.table(__file__)["slow"])
    rng = np.random.default_rng(7)
    scores, grades = rng.integers(0, 3, 200) * 1.0, rng.integers(0, 20, 200) // 19
    for s, g in ((np.zeros(14), np.arange(14) // 13), (scores, grades)):
        many = {"scores": s, "grades": g}
        mistakes = slips.reasons(reciprocal_rank, slips.rows(reciprocal_rank), many)
        check_answer(WHAT, function, many, slips.answer(reciprocal_rank, many), mistakes)
    return 2


@slips.check(WHAT, _scores_and_grades, then=_of_many)
def reciprocal_rank(scores, grades):
    """Return 1 / rank of the first right answer, or NaN if none is right.

    It is averaged over all orders of tied answers.

    Parameters
    ----------
    scores : (n_titles,)
    grades : (n_titles,) of int
    """
    right = grades > 0
    if not right.any():
        return np.nan
    best = scores[right].max()
    above, tied = (scores > best).sum(), scores == best
    n, k = tied.sum(), (tied & right).sum()
    mean, none_yet = 0.0, 1.0
    for j in range(n - k + 1):
        here = k / (n - j)
        mean += none_yet * here / (above + j + 1)
        none_yet *= 1 - here
    return mean


def _answers():
    gym = ["the gym opens at nine the gym", "the gym rests on mondays"]
    lists = [
        [*gym, "the zoo opens at ten", "zoo"],
        ["a b", "b c", "c d e", "e"],
        ["a a b", "a", "a b b"],
        ["one"],
        ["x y", "z"],
        ["same words", "same words", "words same", "words"],
        ["at  ten", "a tent", "ten at a time"],
        ["at Ten", "ten", "half-past ten."],
    ]
    for rng in map(np.random.default_rng, range(4)):
        lists.append([" ".join(rng.choice(list("abcdefg"), 1 + rng.integers(5))) for _ in range(5)])
    return [{"answers": answers} for answers in lists]


@slips.check("crowd(answers)", _answers)
def crowd(answers):
    """Return how many other answers contain each word of an answer.

    The number is averaged over the answer's distinct words.

    Parameters
    ----------
    answers : list of str

    Returns
    -------
    (n_answers,)
    """
    words = [set(answer.split()) for answer in answers]
    held = Counter(word for some in words for word in some)
    return np.array([np.mean([held[word] - 1 for word in some]) for some in words])


def _questions():
    cases = [
        ("gym then zoo in one day and back to gym", "gym", "zoo"),
        ("way from linden museum to harbour zoo", "linden museum", "harbour zoo"),
        ("visit the harbour zoo after the old mill cafe", "old mill cafe", "harbour zoo"),
        ("linden gym first and then linden zoo", "linden gym", "linden zoo"),
        ("how far is zoo from gym", "zoo", "gym"),
        ("from x to q and q", "x", "q"),
        ("from bath+ to zoo", "bath+", "zoo"),
        ("from c.b to dab and cab", "c.b", "dab"),
        ("from  st. anne (old) to bath+", "st. anne (old)", "bath+"),
        ("from gate #1 @ 5_a ## to Gate #2 | @@ {x} __", "gate #1", "Gate #2"),
        (r"from zoo to C\north", r"C\north", "zoo"),
        ("is Reading reading to Bath", "Reading", "Bath"),
        ("is zoo open", "gym", "zoo"),
        ("is it open", "gym", "zoo"),
        ("gym zoo gyms gym zoo", "zoo", "gym"),
        ("X Y TEMP TMP gym ___ __ @@ ## {} {0} {1} <1> <2> %s \0 \n \t zoo", "gym", "zoo"),
        (" ".join(["gym", *(5 * sign for sign in string.printable), "zoo"]), "gym", "zoo"),
    ]
    return [dict(zip(("question", "n", "m"), case)) for case in cases]


@slips.check("other_way(question, n, m)", _questions)
def other_way(question, n, m):
    """Exchange n and m in the question.

    Parameters
    ----------
    question, n, m : str

    Returns
    -------
    str
    """
    return m.join(piece.replace(m, n) for piece in question.split(n))


def _facts():
    inputs = [(list("cbdbccceeeeeaf"), 4)]
    inputs += [(list("abacbdaec"), 4), (list("abacbdaec"), 3), (list("abacbdaec"), 5)]
    inputs += [(list("abc"), 0), (list("aab"), 3), (list("aab"), 1), (list("a"), 1)]
    inputs += [
        ([tuple(fact.split()) for fact in ("x b", "c d", "e f", "x d", "x b", "g h")], 3),
        (list("bbaacc"), 3),
        ([0, None, 2, "x", "2", 3], 3),
    ]
    for seed, rng in enumerate(map(np.random.default_rng, range(6))):
        inputs.append(([f"fact {k}" for k in rng.integers(0, 6, 12)], 2 + seed))
    return [{"facts": facts, "n": n} for facts, n in inputs]


@slips.check("hold_out(facts, n)", _facts)
def hold_out(facts, n):
    """Mark all pairs of the first facts, until at least n pairs are marked.

    Parameters
    ----------
    facts : list
        The fact of each pair.
    n : int

    Returns
    -------
    (n_pairs,) of bool
    """
    held, n_held = set(), 0
    for fact, count in Counter(facts).items():
        if n_held >= n:
            break
        held.add(fact)
        n_held += count
    return np.array([fact in held for fact in facts])
