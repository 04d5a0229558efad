"""How a check calls the student's function: its input is protected, its errors are explained."""

import numpy as np
import pytest
from checks_message import Y, told

from lstm_course import checks
from lstm_course.engine.report import Unread, Wrong, call, judged


class Tensor:
    """An array of another library, as PyTorch's is."""

    def __init__(self, y):
        self.y = y

    def __array__(self, dtype=None, copy=None):
        return self.y


def changes(y):
    y += 1
    return y


def raises(y):
    return y @ [1, 2, 3, 4]


def unwritten(y):
    raise NotImplementedError()


def wrong(y):
    raise Wrong("passes through")


def test_the_input_is_protected():
    y = np.arange(3.0)
    assert (call("it", lambda y: y + 1, {"y": y}) == y + 1).all()
    said = told(changes, y=y)
    for part in ("y was changed in place", "given     y = [0. 1. 2.]", "came      y = [1. 2. 3.]"):
        assert part in said
    assert "copy" in said.partition("likely    ")[2]
    assert "changed in place" in told(lambda params: params.update(b=1), params={"b": y})
    batches = [[Tensor(y), Tensor(y)]]
    assert call("it", len, {"batches": batches}) == 1
    said = told(lambda batches: changes(batches[0][1].y), batches=batches)
    assert "batches was changed in place" in said
    assert (call("it", changes, {"y": y}, changes=["y"]) == [1, 2, 3]).all()
    assert (y == [0, 1, 2]).all()


def test_errors_are_explained():
    said = told(raises, y=np.arange(3.0))
    for part in ("raised an error", "y = [0. 1. 2.]", "ValueError", "no error"):
        assert part in said
    assert said.endswith("`return y @ [1, 2, 3, 4]`")
    assert "it: not written yet" in told(unwritten, y=Y)
    assert "give the check your function" in told(3.0, y=Y)
    assert told(wrong, y=Y) == "passes through"
    # no warning: `hold_against` explains it
    assert np.isnan(call("it", lambda y: y / 0 * 0, {"y": Y})).all()


def test_what_is_no_answer_to_the_check_itself_is_said_in_one_message():
    with pytest.raises(Wrong, match=r"^check_cosine: give the check your function: checks\.c"):
        checks.check_cosine()

    def fails(function):
        return np.linalg.norm(call("it", function, {"x": Y}).nothing)

    with pytest.raises(Unread, match=r"(?s)fails: your answer could not be read \(Attrib.*likely"):
        judged(fails)(lambda x: x)


def test_blames_no_answer_where_a_check_fails_by_itself():
    def check_it(function):
        raise RuntimeError("can't start new thread")

    with pytest.raises(Unread, match="^check_it fails here, whatever the answer .*new thread"):
        judged(check_it)(abs)
