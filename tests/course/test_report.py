"""Tests of `compare` and `call`: the answers that they accept, and their error messages."""

import re

import numpy as np
import pytest
import scipy.sparse
from checks_message import GIVEN, Y, fault, message, shown_by_a_notebook

from lstm_course import checks
from lstm_course.engine.calling import Unread, call, judged
from lstm_course.engine.report import Wrong, compare

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
def test_right_answer_passes_in_any_form_within_rounding(got, right):
    assert compare("it", got, right, GIVEN) is None


@pytest.mark.parametrize(
    "got, right",
    [
        (Y + 1e-6 * (Y == 7), Y),
        ({1.0, 2.0}, np.array([1.0, 2.0])),
        ([1.0], 1.0),
        (Y + 0j, Y),
        (np.ma.masked_array(Y, Y == 7), Y),
        ({"w": Y}, {"W": Y}),
        ((Y, Y, Y), (Y, Y)),
    ],
)
def test_message_distinguishes_rejected_type_from_expected_type(got, right):
    returned = re.search("return (.*), not (.*)", message("it", got, right, GIVEN))
    assert not returned or returned[1] != returned[2]


def test_message_shows_input_answer_solution_and_reason_and_shortens_arrays():
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
        ({"W": Y}, {"W": Y, "b": Y}, '"b" is missing: return a dict with "W", "b"'),
        ({"W": (Y, Y), "b": Y[0]}, {"W": Y, "b": Y[0]}, "make it an array of shape (3, 3), not a"),
        (np.abs(Y), Y, "signs are lost"),
        (np.trunc(Y), Y, "int("),
        (np.cumsum(Y[0]), Y[0], "running sums"),
        (Y * [[1], [1], [3]], Y, "all but the last"),
        (np.array([None, 1]), np.array([1.0, 1]), "no numbers"),
        pytest.param(10**5000, Y, "not a int", id="thousands of digits"),
    ],
)
def test_message_describes_common_mistake(got, expected, reason):
    with np.errstate(all="ignore"):
        said, likely = message("it", got, expected, GIVEN).split("  likely    ")
    assert reason in likely
    assert "given     l" in said and "came" in said and "expected" in said


@pytest.mark.parametrize(
    "name, got, right, said",
    [
        ("y, c", (Y, {"W": Y}), (Y, {"W": -Y}), 'c["W"] is'),
        ("f(y, u)", (Y, Y), (Y, -Y), "f(y, u)[1] is wrong"),
        ("the gradient", {"W": Y, "b": Y[1]}, {"W": Y, "b": Y[0]}, 'gradient["b"] is wrong'),
        ("z", {"3": {np.str_("a"): 1.0}}, {"3": {"a": 2.0}}, 'z["3"]["a"] is wrong'),
        ("y, z", (Y, {3: Y}), (Y, {3: -Y}), "z[3] is wrong"),
        ("dy, z", (Y, {3: Y}), (Y, {"3": Y}), '(?s)z has the .*the key "3" should be of type str'),
        ("z", {"a": {"b": 1}}, {"a": {"c": 1}}, '(?s)z.*"c" is missing, and "b" is not expected'),
    ],
)
def test_message_identifies_wrong_part_by_key_or_label(name, got, right, said):
    found = message(name, got, right, GIVEN)
    assert found.startswith(said) or re.match(said, found)


@pytest.mark.parametrize(
    "got, right, came, expected",
    [
        (0.333333, 1 / 3, "0.333333", "0.333333333"),
        (np.float32(0.1), 0.1, "0.100000001", "0.1"),
        (4004001000000.0, 4004001000001, "4004001000000", "4004001000001"),
        (2**60, 2**60 + 1, "1152921504606846976", "1152921504606846977"),
        (np.array([-0.0, 0.33333]), np.array([0, 1 / 3]), "at [1] 0.33333", "at [1] 0.333333;"),
        ("a  b", "a b", "'a  b'", "'a b'"),
        ("x" * 200 + "a", "x" * 200 + "b", "from [200] 'a'", "from [200] 'b'"),
        ("\u0430", "a", r"from [0] '\u0430'", "from [0] 'a'"),
        (["a"] * 40, ["a"] * 39, "from [39] ['a']", "from [39] []"),
    ],
    ids="rounded float32 whole huge minus-zero blanks long alphabet list".split(),
)
def test_message_prints_different_values_differently(got, right, came, expected):
    lines = message("it", got, right, {}, tolerance=0).split("\n")
    assert came in lines[1] and expected in lines[2]
    assert lines[1].split(None, 1)[1] != lines[2].split(None, 1)[1]


@pytest.mark.parametrize("slip, fits", [({"W": None, "b": Y[1]}, True), ({"b": None}, False)])
def test_message_gives_reason_whose_value_equals_wrong_part(slip, fits):
    assert "the slip" not in message("n", 7 + 1e-9, 7, {}, [("the slip", 7)], 0)
    said = message("it", {"W": Y, "b": Y[1]}, {"W": Y, "b": Y[0]}, GIVEN, [("the slip", slip)])
    assert ("the slip" in said) == fits


def changes(y):
    y += 1
    return y


def test_call_reports_argument_changed_in_place_unless_allowed():
    y = np.arange(3.0)
    said = fault(changes, y=y)
    for part in ("y was changed in place", "given     y = [0. 1. 2.]", "came      y = [1. 2. 3.]"):
        assert part in said
    said = fault(lambda p: p["b"].fill(1), p={"b": y})
    assert 'p["b"] was changed in place' in said and 'came      p["b"] = [1. 1. 1.]' in said
    assert (call("it", changes, {"y": y}, changes=["y"]) == [1, 2, 3]).all()
    assert (y == [0, 1, 2]).all()


def test_call_explains_errors_and_unwritten_or_missing_functions():
    def raises(y):
        return y @ [1, 2, 3, 4]

    def unwritten(y):
        raise NotImplementedError()

    said = fault(raises, y=np.arange(3.0))
    for part in ("raised an error", "y = [0. 1. 2.]", "ValueError", "no error"):
        assert part in said
    assert said.endswith("`return y @ [1, 2, 3, 4]`")
    assert "it: not written yet" in fault(unwritten, y=Y)
    assert "give the check your function" in fault(3.0, y=Y)
    with pytest.raises(Wrong, match=r"^check_cosine: give the check your function: checks\.c"):
        checks.check_cosine()


def test_judged_distinguishes_unreadable_answer_from_failing_check():
    def check_it(function):
        raise RuntimeError("can't start new thread")

    def fails(function):
        return np.linalg.norm(call("it", function, {"x": Y}).nothing)

    with pytest.raises(Unread, match=r"(?s)fails: your answer could not be read \(Attrib.*likely"):
        judged(fails)(lambda x: x)
    with pytest.raises(Unread, match="^check_it fails here, whatever the answer .*new thread"):
        judged(check_it)(abs)
