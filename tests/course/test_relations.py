"""Tests of the hints that checks give if a wrong answer matches no known mistake.

Hints relate the answer to the expected value and the input, name the elements that are right, or
show a simpler input on which the answer is wrong. A right answer that is too slow gets a hint, too.
"""

from collections import namedtuple
from contextlib import nullcontext

import numpy as np
import pytest
from checks_message import message
from hypothesis import given as drawn
from hypothesis import settings, strategies

from lstm_course.engine import minimize, shown, speed
from lstm_course.engine.relations import relation
from lstm_course.engine.report import UNNAMED, Wrong
from lstm_course.engine.sandbox import client, runner

RNG = np.random.default_rng(0)
E, A, B = RNG.normal(size=(3, 5))
M = RNG.normal(size=(4, 3))
GIVEN = {"a": A, "p": {"b": B}, "gamma": 2.5, "n": 7, "W": RNG.normal(size=(4, 4))}
FACTS = [
    (E + 0.25, E, "+0.25: right up to a constant"),
    (M[:, ::-1], M, "in reverse order, along axis 1"),
    (np.where(E == E.max(), -E, E), E, "the sign of 1 of 5 elements"),
    (E * A, E, "times a: a factor too many"),
    (E / B, E, 'a factor p["b"] is missing'),
    (E / (B * (1 - B)), E, 'a factor p["b"] (1 - p["b"]) is missing'),
    (E - A, E, "a is missing in the sum"),
    (E + 2 * A, E, "the sign of a: it is subtracted"),
    (E * B / A, E, 'the factor p["b"] instead of a'),
    (E - A + B, E, 'p["b"] is in the sum instead of a'),
    (np.arctanh(E / 9), E / 9, "the tanh is missing"),
    (E * [1, 1, 5, 6, 7], E, "the first 2 are right, and none after them"),
    (M @ M.T, np.diag(M @ M.T), "its diagonal is expected"),
    (M, M.sum(axis=1), "a sum over axis 1 is missing"),
    (M.sum(axis=0), M, "axis 0 is added up, and should be kept"),
    (["a", "a", "b", "b"], ["a", "b"], "some come more often"),
]


@pytest.mark.parametrize("got, expected, words", FACTS, ids=[words for *_, words in FACTS])
def test_message_describes_how_answer_relates_to_expected_value(got, expected, words):
    assert words in message("it", got, expected, GIVEN)


@settings(max_examples=25)
@drawn(strategies.integers(0, 2**32 - 1), strategies.sampled_from([(3,), (5,), (3, 4), (2, 2)]))
def test_relation_is_named_only_if_all_elements_satisfy_it(seed, shape):
    rng = np.random.default_rng(seed)
    got, expected, a, b = rng.normal(size=(4, *shape))
    given = {"a": a, "b": b, "gamma": rng.normal()}
    assert relation(got, expected, given, 1e-9) is None
    # change one element: a relation may then be named only with this exception
    for changed in (expected * a, expected + a, expected * 2, expected + 0.5, expected**2):
        broken = changed.copy()
        broken.flat[0] = got.flat[0]
        said = relation(broken, expected, given, 1e-9)
        assert said is None or "all but" in said or "of its own" in said, said


def test_message_claims_neither_a_huge_constant_nor_a_factor_that_rounds_to_1():
    assert "constant" not in message("it", E + 1e30, E, GIVEN)
    assert "1 times" not in message("it", E * (1 + 3e-8), E, GIVEN)


# ---- The search for simpler inputs


C = shown.short(A + B)


def step(p, y, c):
    return np.tanh(p["W"] * y + p["b"]) + c


def cubes(p, y, c):
    return step(p, y, c) + p["b"] ** 3 + (p["W"] * y * c) ** 3


def needs_all(p, y, c):
    if not (p["W"].all() and p["b"].all() and y.all() and c.all()):
        raise ValueError("0")
    return step(p, y, c) ** 3 + y * c


@pytest.mark.parametrize(
    "slip, words, shown",
    [
        (lambda p, y, c: step({"W": p["W"] ** 2, "b": p["b"]}, y, c), "where `W` or `y` is 0", "p"),
        (lambda p, y, c: step({"W": p["W"], "b": p["b"] ** 3}, y, c), "right where `b` is 0", "p"),
        (lambda p, y, c: np.tanh(p["W"] * y + p["b"] + 3) + c, "where all is 0", "all in p = 0"),
        (lambda p, y, c: step(p, y, c) ** 3, "already wrong where all but `c` is", f"c = {C}"),
        (cubes, "already wrong where all but `b` is", f'p["b"] = {shown.short(B)}'),
        (needs_all, UNNAMED, "p"),
    ],
)
def test_check_answer_sets_parts_of_input_to_0_to_locate_mistake(slip, words, shown):
    text = {"p": {"W": A, "b": B}, "y": E, "c": A + B}
    with pytest.raises(Wrong) as caught:
        minimize.check_answer("it", slip, text, step(*text.values()), of=step)
    assert words in str(caught.value) and f"  given     {shown}" in str(caught.value)


@pytest.mark.parametrize(
    "answer, reason",
    [
        (lambda x: 3 * x + 1.5, "at 0 it is already wrong"),
        (lambda x: x + 0.25 * x * (x - 1), "look at large x"),
    ],
)
def test_check_answer_shows_simplest_input_on_which_answer_is_wrong(answer, reason):
    simpler = [("at 0 it is already wrong", {"x": 0.0}, 0.0), ("look at large x", {"x": 5.0}, 5.0)]
    with pytest.raises(Wrong, match=f"likely    {reason}"):
        minimize.check_answer("f(x)", answer, {"x": 5.0}, 5.0, [("another", 7.0)], simpler)


def test_message_names_fields_of_named_tuples_and_prints_string_arrays_as_lists():
    states = namedtuple("States", "y c")(A, B)
    assert list(shown.by_hand({"before": states})) == ['before["y"]', 'before["c"]']
    assert shown.short([np.array(["f", "c"]), A]).startswith("[['f', 'c'] … ")


@pytest.mark.parametrize("seconds, passes", [([30], True), ([31, 30], True), ([31] * 3, False)])
def test_check_speed_passes_if_one_of_three_timings_is_within_limit(seconds, passes, monkeypatch):
    monkeypatch.setattr(client, "ending", lambda *_: None)
    monkeypatch.setattr(runner.now, "taken", 0.0)
    # `now` is the time on a fake clock; `left` are the seconds that the next calls will take
    now, left = [0], list(seconds)
    monkeypatch.setattr(runner, "clock", lambda: now[0])

    def takes(seconds):
        now[0] += seconds

    said = nullcontext() if passes else pytest.raises(Wrong, match="(?s)^p is right, and too slow")
    with said:
        answer, solution = lambda x: takes(left.pop(0)), lambda x: takes(1)
        speed.check_speed("p", answer, solution, {"x": 3}, "all signs")
