"""What a check says: the input, what came, what was expected and a likely reason."""

import numpy as np
import pytest
from checks_message import GIVEN, Y, message, shown_by_a_notebook

from lstm_course.engine.shown import short


def test_a_message_holds_the_input_what_came_what_was_expected_and_a_reason():
    told = message(
        "y(t)",
        np.array([1.0, 2]),
        np.array([1.0, 3]),
        GIVEN,
        [("another", np.array([5.0, 6])), ("y(t) for y(t-1)", np.array([1.0, 2]))],
    )
    assert told.split("\n") == [
        "y(t) is wrong.",
        "  given     l = [0. 1. 2.] (3)",
        "  given     words = ['a', 'b']",
        "  came      [1. 2.] (2)",
        "  expected  [1. 3.] (2)",
        "  likely    y(t) for y(t-1)",
    ]
    large = message("c", np.ones(50) + np.eye(50)[7], np.ones(50), {"x": np.ones((40, 40))})
    assert max(map(len, large.split("\n"))) < 220 and "(40, 40)" in large
    assert "at [7] 2" in large and "at [7] 1; 1 of 50 elements differ" in large
    assert "no common mistake" in large
    close = message("y", np.array([1.0, 0.5]), np.array([1.0, 0.5000001]), {})
    # not the same text twice
    assert "at [1] 0.5\n" in close and "at [1] 0.5000001; 1 of 2" in close
    assert "that is 0.5000001" in message("y", 0.5, 0.5000001, {})
    assert "1.e-06" in message("y", np.full(2, 1e-6), np.full(2, 3e-6), {})


@pytest.mark.parametrize(
    "got, expected, reason",
    [
        (None, Y, "return"),
        (Y.T, Y, "transposed"),
        (Y[0], Y, "shape is (3,)"),
        (-Y, Y, "sign"),
        (Y * 0, Y, "0"),
        (Y * np.nan, Y, "NaN"),
        (Y + np.inf, Y, "infinite"),
        (Y + 0j, Y, "complex128"),
        (Y > 1, Y, "bool"),
        (Y.astype("float32") / 3, Y / 3, "float32"),
        (GIVEN["l"], Y[0], "this is l"),
        ("text", Y, "not a text"),
        (Y, "text", "a text"),
        (~(Y > 1), Y > 1, "exchanged"),
        ((Y, Y), Y, "not a tuple of 2"),
        ({"W": Y}, {"W": Y, "b": Y}, "'W', 'b'"),
        ({"W": Y, "b": None}, {"W": Y, "b": Y}, "None"),
        ((1, "b"), ["a", "b"], "return a list of 2 texts, not"),
        ({"b": Y[0]}, {"W": Y, "b": Y[0]}, "'W' is missing"),
        ({"W": (Y, Y), "b": Y[0]}, {"W": Y, "b": Y[0]}, "return an array of shape (3, 3), not a"),
        (Y.ravel(), Y, "the right numbers in shape (9,)"),
        (np.abs(Y), Y, "signs are lost"),
        (np.trunc(Y), Y, "int("),
        (Y.round(), Y * 1.0001, "whole numbers"),
        (4, 3, "one too many"),
        (2, 3, "one too few"),
        (np.cumsum(Y[0]), Y[0], "running sums"),
        (np.arange(5.0) ** 2, np.arange(1, 6.0) ** 2, "one place later"),
        (Y * [[1], [1], [3]], Y, "all but the last"),
        (np.array(["a"]), Y, "no numbers"),
        ([[1], [2, 3]], Y, "not a list"),
        (np.array([None, 1]), np.array([1.0, 1]), "no numbers"),
        (np.ma.masked_less(Y, 0), Y, "not an array with masked elements"),
        (np.zeros(3, "M8[s]"), Y, "dates, no numbers"),
        (np.zeros(3, [("a", float)]), Y, "records, no numbers"),
        pytest.param(10**5000, Y, "not a int", id="thousands of digits"),
    ],
)
def test_common_mistakes_are_named(got, expected, reason):
    with np.errstate(all="ignore"):
        told = message("it", got, expected, GIVEN)
    said, likely = told.split("  likely    ")
    assert reason in likely
    assert "given     l" in said and "came" in said and "expected" in said


@pytest.mark.parametrize(
    "what, got, right, said",
    [
        ("answer", (Y, Y), (Y, -Y), "answer[1] is wrong"),
        ("y, c", (Y, Y), (Y, -Y), "c is wrong"),
        ("y, c", (Y, {"W": Y}), (Y, {"W": -Y}), "c['W'] is"),
        ("(dz3, dy(t-1))", (Y, Y), (-Y, Y), "dz3 is wrong"),
        ("(dz3, dy(t-1))", (Y, Y), (Y, -Y), "dy(t-1) is wrong"),
        ("f(y, u)", (Y, Y), (Y, -Y), "f(y, u)[1] is wrong"),
        ("gradient", {"W": Y, "b": Y[1]}, {"W": Y, "b": Y[0]}, "gradient['b'] is wrong"),
    ],
)
def test_parts_are_named(what, got, right, said):
    assert message(what, got, right, GIVEN).startswith(said)


@pytest.mark.parametrize(
    "got, right, slip, fits",
    [
        ({"W": Y, "b": Y[1]}, {"W": Y, "b": Y[0]}, {"W": Y, "b": Y[1]}, True),
        ({"W": Y, "b": Y[1]}, {"W": Y, "b": Y[0]}, {"W": None, "b": Y[1]}, True),
        ({"W": Y, "b": Y[1]}, {"W": Y, "b": Y[0]}, {"W": Y[1], "b": None}, False),
        (Y[:1], Y, Y[:1], True),  # a shape of its own
        ((Y, Y), Y, (Y, Y), True),  # a form
    ],
)
def test_a_reason_fits_the_whole_or_the_part(got, right, slip, fits):
    assert ("the slip" in message("it", got, right, GIVEN, [("the slip", slip)])) == fits


def test_short_is_short():
    some = (
        Y,
        {"W": Y, "big": np.ones((50, 50))},
        np.ones(10_000),
        ["a"] * 200,
        (1.0, Y[0]),
        object(),
    )
    for value in (*some, None, len, np.array([]), "text"):
        assert len(short(value)) < 220 and "\n" not in short(value)


def test_a_notebook_shows_the_message_alone():
    code = (
        "from lstm_course.engine.report import hold_against\nhold_against('y', 1.0, 2.0, {'x': 3})"
    )
    shown = shown_by_a_notebook(code)
    assert shown[:4] == ["y is wrong.", "  given     x = 3", "  came      1", "  expected  2"]
    assert not any("Traceback" in line for line in shown)
