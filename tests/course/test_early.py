"""Test of `early`, which checks a lesson's short answers and never stops the lesson."""

import pytest

from lstm_course import checks
from lstm_course.engine.early import early


def empty(i, yg):
    return ...


def wrong(i, yg):
    return i


def right(i, yg):
    return abs(i * yg)[..., :].mean(axis=1)


@pytest.mark.parametrize(
    "answer, said",
    [(empty, "empty: still empty."), (wrong, "what is let in"), (right, "check_let_in: passed")],
)
def test_early_prints_result_or_message_and_never_raises(answer, said, capsys):
    early(checks.check_let_in, answer)
    assert capsys.readouterr().out.startswith(said)
