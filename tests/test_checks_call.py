"""How a check calls the student's function: its input is protected, its errors are explained."""

import numpy as np
import pytest
from checks_message import Y

from lstm_course import checks
from lstm_course.engine.report import Unread, Wrong, call, judged


class Tensor:
    """An array of another library, as PyTorch's is."""

    def __init__(self, y):
        self.y = y

    def __array__(self, dtype=None, copy=None):
        return self.y


def changes_y(y):
    y += 1
    return y


def raises(y):
    return y @ [1, 2, 3, 4]


def unwritten(y):
    raise NotImplementedError()


def test_calls_protect_the_input_and_explain_errors():
    y = np.arange(3.0)
    assert (call("it", lambda y: y + 1, {"y": y}) == y + 1).all()
    with pytest.raises(
        Wrong,
        match=(
            r"(?s)y was changed in place.*given     y = \[0. 1. 2.\].*"
            r"came      y = \[1. 2. 3.\].*expected.*likely    .*copy"
        ),
    ):
        call("it", changes_y, {"y": y})
    with pytest.raises(Wrong, match="changed in place"):
        call("it", lambda params: params.update(b=1), {"params": {"b": y}})
    batches = [[Tensor(y), Tensor(y)]]
    assert call("it", len, {"batches": batches}) == 1
    with pytest.raises(Wrong, match="batches was changed in place"):
        call("it", lambda batches: changes_y(batches[0][1].y), {"batches": batches})
    assert (call("it", changes_y, {"y": y}, changes=["y"]) == [1, 2, 3]).all() and (
        y == [0, 1, 2]
    ).all()
    with pytest.raises(
        Wrong,
        match=(
            r"(?s)raised an error.*y = \[0. 1. 2.\].*"
            r"ValueError.*no error.*`return y @ \[1, 2, 3, 4\]`"
        ),
    ):
        call("it", raises, {"y": y})
    with pytest.raises(Wrong, match="it: not written yet"):
        call("it", unwritten, {"y": y})
    with pytest.raises(Wrong, match="give the check your function"):
        call("it", 3.0, {})
    with pytest.raises(Wrong, match="passes through"):

        def wrong(y):
            raise Wrong("passes through")

        call("it", wrong, {"y": y})
    # no warning: `hold_against` explains it
    assert np.isnan(call("it", lambda y: y / 0 * 0, {"y": y})).all()


def test_what_is_no_answer_to_the_check_itself_is_said_in_one_message():
    with pytest.raises(Wrong, match=r"^check_cosine: give the check your function: checks\.c"):
        checks.check_cosine()

    def fails(function):
        return np.linalg.norm(call("it", function, {"x": Y}).nothing)

    with pytest.raises(Unread, match=r"(?s)fails: your answer could not be read \(Attrib.*likely"):
        judged(fails)(lambda x: x)
