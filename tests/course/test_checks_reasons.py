"""A reason is a fact: what checks say of an answer that none of their known mistakes gives.

How it relates to what is expected and given, which parts have changed places, where it is right,
and with how little of the input it is wrong already.
"""

import numpy as np
import pytest
from checks_message import message
from hypothesis import given as drawn
from hypothesis import strategies

from lstm_course.engine import minimize, report
from lstm_course.engine.relations import relation
from lstm_course.engine.report import UNNAMED, Wrong, call

RNG = np.random.default_rng(0)
E, A, B = RNG.normal(size=(3, 5))
M = RNG.normal(size=(4, 3))
GIVEN = {"a": A, "p": {"b": B}, "gamma": 2.5, "n": 7, "W": RNG.normal(size=(4, 4))}
FACTS = [
    (E * 2, E, "every element is 2 times"),
    (E * 2.5, E, "2.5 (gamma) times"),
    (E + 0.25, E, "+0.25: right up to a constant"),
    (E[::-1], E, "in reverse order"),
    (M[:, ::-1], M, "in reverse order, along axis 1"),
    (E[[2, 0, 1, 4, 3]], E, "in another order"),
    (np.where(E == E.max(), -E, E), E, "the sign of 1 of 5 elements"),
    (np.maximum(E, 0), E, "what should be below 0 is 0"),
    (E * A, E, "times a: a factor too many"),
    (E / B, E, "a factor p['b'] is missing"),
    (E * (1 - A**2), E, "times 1 - a²: a factor too many"),
    (E / (B * (1 - B)), E, "a factor p['b'] (1 - p['b']) is missing"),
    (E - A, E, "a is missing in the sum"),
    (E + np.tanh(A), E, "and tanh(a) added to it"),
    (E + 2 * A, E, "the sign of a: it is subtracted"),
    (E - 2 * A, E, "the sign of a: it is added"),
    (E * B / A, E, "a factor p['b'] in the place of a"),
    (E - A + B, E, "p['b'] stands in the sum in the place of a"),
    (E**2, E, "this is the square"),
    (np.sqrt(np.abs(E)), np.abs(E), "this is the root"),
    (1 / E, E, "1 divided by"),
    (1 - E, E, "1 minus"),
    (np.exp(E), E, "its logarithm is missing"),
    (np.tanh(E), E, "once too often"),
    (np.arctanh(E / 9), E / 9, "the tanh is missing"),
    (M * [[1.5], [3], [4], [7]], M, "each row is right but for a factor"),
    (M * [1.5, 3, 4], M, "each column is right but for a factor"),
    (E * (1 + 1e-7), E, "nearly right"),
    (E * [1, 1, 0, 0, 0], E, "the rest is 0:"),
    (E * [1, 1, 5, 6, 7], E, "the first 2 are right, and none after them"),
    (E * [5, 6, 7, 1, 1], E, "the last 2 are right, and none before them"),
]


@pytest.mark.parametrize("got, expected, words", FACTS, ids=[words for *_, words in FACTS])
def test_what_holds_of_the_numbers_is_said(got, expected, words):
    assert words in message("it", got, expected, GIVEN)


@drawn(strategies.integers(0, 2**32 - 1), strategies.sampled_from([(3,), (5,), (3, 4), (2, 2)]))
def test_nothing_is_said_of_numbers_that_have_nothing_in_common(seed, shape):
    rng = np.random.default_rng(seed)
    got, expected, a, b = rng.normal(size=(4, *shape))
    given = {"a": a, "b": b, "gamma": rng.normal()}
    assert relation(got, expected, given, 1e-9) is None
    # nor of one that holds for some of them alone
    for changed in (expected * a, expected + a, expected * 2, expected + 0.5, expected**2):
        some = changed.copy()
        some.flat[0] = got.flat[0]
        said = relation(some, expected, given, 1e-9)
        assert said is None or "all but" in said or "of its own" in said, said


def test_what_is_nearly_0_stands_in_nothings_place():
    assert relation(E, M[:, 0].repeat(2)[:5], {"a": 1e-14 * A, "b": 1e-14 * B}, 1e-9) is None


def test_what_swallows_the_answer_is_no_constant():
    assert "constant" not in message("it", E + 1e30, E, GIVEN)


def test_a_factor_that_rounds_to_1_is_no_factor():
    assert "1 times" not in message("it", E * (1 + 3e-8), E, GIVEN)


@pytest.mark.parametrize(
    "got, expected, words",
    [
        (M @ M.T, np.diag(M @ M.T), "what was expected is its diagonal"),
        (M, M.sum(axis=1), "a sum over axis 1 is missing"),
        (M, M.mean(axis=0), "a mean over axis 0 is missing"),
        (M.sum(axis=0), M, "axis 0 is added up, and was to be kept"),
        (M.sum(), M, "all of it is added up"),
        (E[:-1], E, "the last is missing, the others are right"),
        (np.append(0, E), E, "the first is one too many"),
        (["b"], ["a", "b"], "the first is missing"),
        ([], ["a", "b"], "the list is empty"),
        (["a", "b", "c"], ["a", "b"], "the last is one too many"),
        (["b", "a"], ["a", "b"], "in reverse order"),
        (["b", "c", "a"], ["a", "b", "c"], "in another order"),
        (["a", "a", "b", "b"], ["a", "b"], "some come oftener"),
        (["ab", "b"], ["abc", "bcd"], "each should have 3 letters"),
        (["x", "b", "c"], ["a", "b", "c"], "'a' is missing, and 'x' should not be there"),
        ((E, A), (A, E), "this is what it[1] should be: have two of them changed places"),
        (np.append(E, A), (E, A), "return a tuple of 2, not an array of shape (10,)"),
    ],
)
def test_forms_texts_and_parts_have_their_reasons(got, expected, words):
    assert words in message("it", got, expected, GIVEN)


# Where an answer begins to be wrong


def step(p, y, c):
    return np.tanh(p["W"] * y + p["b"]) + c


TEXT = {"p": {"W": A, "b": B}, "y": E, "c": A + B}


def hold_step(function):
    minimize.hold("it", function, TEXT, step(*TEXT.values()), of=step)


@pytest.mark.parametrize(
    "slip, words",
    [
        (lambda p, y, c: np.tanh(p["W"] ** 2 * y + p["b"]) + c, "right where `W` or `y` is 0"),
        (lambda p, y, c: np.tanh(p["W"] * y + p["b"] ** 3) + c, "right where `b` is 0"),
        (lambda p, y, c: np.tanh(p["W"] * y + p["b"] + 3) + c, "wrong already where all is 0"),
        (lambda p, y, c: np.tanh(p["W"] * y) * p["b"] + c**3, "wrong already where all but `c` is"),
        (lambda p, y, c: np.cos(c) + 0 * y, "wrong already where all is 0"),
    ],
)
def test_an_answer_is_tried_where_parts_of_the_input_are_0(slip, words):
    hold_step(step)
    with pytest.raises(Wrong) as caught:
        hold_step(slip)
    assert words in str(caught.value)


def test_what_raises_an_error_where_a_part_is_0_is_no_reason():
    def needs_all(p, y, c):
        if not (p["W"].all() and p["b"].all() and y.all() and c.all()):
            raise ValueError("0")
        return step(p, y, c) ** 3 + y * c

    with pytest.raises(Wrong, match=UNNAMED):
        hold_step(needs_all)


def test_a_line_is_found_through_what_a_check_wraps_around_it():
    def fails(y):
        return y @ [1, 2]

    names = {"fails": fails}
    exec(compile("def part(y):\n    return fails(y)", report.__file__, "exec"), names)
    for function in (fails, lambda y: fails(y), names["part"]):
        with pytest.raises(Wrong, match=r"look at your line: `return y @ \[1, 2\]`"):
            call("it", function, {"y": E})
