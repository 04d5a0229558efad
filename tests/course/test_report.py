"""What passes a check, and what is said of the rest: engine/report, forms, mistakes and shown."""

import re

import numpy as np
import pytest
import scipy.sparse
from checks_message import GIVEN, Y, message, shown_by_a_notebook, told

from lstm_course import checks
from lstm_course.engine.report import Unread, Wrong, call, compare, judged

THREE = np.array([1.0, 2, 3])
GENERATED = {"a": 1.0, "b": 2.0, "c": 3.0}


@pytest.mark.parametrize(
    "got, right",
    [
        (Y * (1 + 1e-12), Y),
        (np.array([1, np.nan, np.inf]), np.array([1, np.nan, np.inf])),
        (np.ma.masked_array(Y), Y),
        (scipy.sparse.csr_array(Y), Y),
        (GENERATED.values(), THREE),
        (np.stack([Y, Y]), (Y, Y)),
        ([Y.tolist(), {"W": Y.tolist()}], (Y, {"W": Y})),
        (np.True_, True),
        ({np.str_("W"): Y, "b": Y[0], "more": 1}, {"W": Y, "b": Y[0]}),
    ],
)
def test_a_right_answer_passes_in_any_form_and_to_rounding(got, right):
    assert compare("it", got, right, GIVEN) is None


@pytest.mark.parametrize(
    "got, right",
    [
        (Y + 1e-6 * (Y == 7), Y),
        ({1.0, 2.0}, np.array([1.0, 2.0])),
        ([1.0], 1.0),
        (Y + 0j, Y),
        ({"w": Y}, {"W": Y}),
        ((Y, Y, Y), (Y, Y)),
    ],
)
def test_refuses_another_form_and_never_calls_it_what_was_asked_for(got, right):
    returned = re.search("return (.*), not (.*)", message("it", got, right, GIVEN))
    assert not returned or returned[1] != returned[2]


def test_a_message_has_the_input_the_answer_the_solution_and_a_reason():
    reasons = [("another", np.array([5.0, 6])), ("y(t) for y(t-1)", np.array([1.0, 2]))]
    code = "hold('y(t)', got, right, given, reasons)"
    arrays = {"got": np.array([1.0, 2]), "right": np.array([1.0, 3])}
    names = {"hold": compare, "given": GIVEN, "reasons": reasons, **arrays}
    assert shown_by_a_notebook(code, **names) == [
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


@pytest.mark.parametrize(
    "got, expected, reason",
    [
        (GIVEN["l"], Y[0], "this is l"),
        ({"W": Y}, {"W": Y, "b": Y}, "'W', 'b'"),
        ({"W": (Y, Y), "b": Y[0]}, {"W": Y, "b": Y[0]}, "return an array of shape (3, 3), not a"),
        (np.abs(Y), Y, "signs are lost"),
        (np.trunc(Y), Y, "int("),
        (np.cumsum(Y[0]), Y[0], "running sums"),
        (Y * [[1], [1], [3]], Y, "all but the last"),
        (np.array([None, 1]), np.array([1.0, 1]), "no numbers"),
        pytest.param(10**5000, Y, "not a int", id="thousands of digits"),
    ],
)
def test_common_mistakes_are_named(got, expected, reason):
    with np.errstate(all="ignore"):
        said, likely = message("it", got, expected, GIVEN).split("  likely    ")
    assert reason in likely
    assert "given     l" in said and "came" in said and "expected" in said


@pytest.mark.parametrize(
    "what, got, right, said",
    [
        ("y, c", (Y, {"W": Y}), (Y, {"W": -Y}), "c['W'] is"),
        ("f(y, u)", (Y, Y), (Y, -Y), "f(y, u)[1] is wrong"),
        ("gradient", {"W": Y, "b": Y[1]}, {"W": Y, "b": Y[0]}, "gradient['b'] is wrong"),
    ],
)
def test_parts_are_named(what, got, right, said):
    assert message(what, got, right, GIVEN).startswith(said)


@pytest.mark.parametrize("slip, fits", [({"W": None, "b": Y[1]}, True), ({"b": None}, False)])
def test_a_reason_may_fit_the_part_that_is_wrong(slip, fits):
    said = message("it", {"W": Y, "b": Y[1]}, {"W": Y, "b": Y[0]}, GIVEN, [("the slip", slip)])
    assert ("the slip" in said) == fits


def changes(y):
    y += 1
    return y


def test_the_input_is_protected():
    y = np.arange(3.0)
    said = told(changes, y=y)
    for part in ("y was changed in place", "given     y = [0. 1. 2.]", "came      y = [1. 2. 3.]"):
        assert part in said
    assert "changed in place" in told(lambda p: p.update(b=1), p={"b": y})
    assert (call("it", changes, {"y": y}, changes=["y"]) == [1, 2, 3]).all()
    assert (y == [0, 1, 2]).all()


def test_errors_are_explained():
    def raises(y):
        return y @ [1, 2, 3, 4]

    def unwritten(y):
        raise NotImplementedError()

    said = told(raises, y=np.arange(3.0))
    for part in ("raised an error", "y = [0. 1. 2.]", "ValueError", "no error"):
        assert part in said
    assert said.endswith("`return y @ [1, 2, 3, 4]`")
    assert "it: not written yet" in told(unwritten, y=Y)
    assert "give the check your function" in told(3.0, y=Y)
    with pytest.raises(Wrong, match=r"^check_cosine: give the check your function: checks\.c"):
        checks.check_cosine()


def test_an_answer_that_cannot_be_read_is_none_and_a_check_that_fails_blames_nobody():
    def check_it(function):
        raise RuntimeError("can't start new thread")

    def fails(function):
        return np.linalg.norm(call("it", function, {"x": Y}).nothing)

    with pytest.raises(Unread, match=r"(?s)fails: your answer could not be read \(Attrib.*likely"):
        judged(fails)(lambda x: x)
    with pytest.raises(Unread, match="^check_it fails here, whatever the answer .*new thread"):
        judged(check_it)(abs)
