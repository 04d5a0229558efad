"""Slow answers, and where an answer begins to be wrong."""

import numpy as np
import pytest

from lstm_course import checks
from lstm_course.engine import minimize, speed


def test_a_slow_answer_is_stopped_before_the_long_input(monkeypatch):
    ticks = iter(range(100))
    monkeypatch.setattr(speed.time, "process_time", lambda: next(ticks))
    seen = []
    with pytest.raises(checks.Wrong, match="(?s)p is right, and too slow.*likely    all signs"):
        speed.hold_quick("p", seen.append, {"differences": np.arange(19)}, "all signs")
    assert len(seen) == 3
    ticks, quick = iter([0, 1, 1, 1]), []
    speed.hold_quick("p", quick.append, {"differences": np.arange(19)}, "all signs")
    assert len(quick) == 2


@pytest.mark.parametrize(
    "answer, told",
    [
        (lambda x: 3 * x + 1.5, "at 0 it is wrong already"),
        (lambda x: np.expm1(x), "at 1 it is wrong"),
        (lambda x: x + 0.25 * x * (x - 1), "look at large x"),
    ],
)
def test_where_an_answer_begins_to_be_wrong_is_said_with_that_input(answer, told):
    simpler = [
        ("at 0 it is wrong already", {"x": 0.0}, 0.0),
        ("at 1 it is wrong", {"x": 1.0}, 1.0),
        ("look at large x", {"x": 5.0}, 5.0),
    ]
    minimize.hold("f(x)", lambda x: x, {"x": 5.0}, 5.0, (), simpler)
    with pytest.raises(checks.Wrong, match=f"likely    {told}"):
        minimize.hold("f(x)", answer, {"x": 5.0}, 5.0, [("another", 7.0)], simpler)
    with pytest.raises(checks.Wrong, match="likely    a mistake that is known"):
        minimize.hold("f(x)", answer, {"x": 5.0}, 5.0, [("a mistake that is known", answer(5.0))])
    with pytest.raises(checks.Wrong, match="no common mistake gives this"):
        minimize.hold("f(x)", answer, {"x": 5.0}, 5.0)


def test_drawing_again_as_the_hint_says_takes_no_longer_than_an_answer_may(capsys):
    def draw_unclicked(clicked, n_titles, n, rng):
        while True:
            drawn = rng.integers(n_titles, size=n)
            if len(np.unique(drawn)) == n and not np.isin(drawn, clicked).any():
                return drawn

    checks.check_draw_unclicked(draw_unclicked)
    assert "passed on" in capsys.readouterr().out
