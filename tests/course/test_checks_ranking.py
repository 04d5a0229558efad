"""Slow answers, and where an answer begins to be wrong."""

import numpy as np
import pytest

from lstm_course import checks
from lstm_course.engine import minimize, speed
from lstm_course.engine.sandbox import client, runner


def test_tells_an_answer_that_takes_far_longer_than_the_solution(monkeypatch):
    now = [0]
    monkeypatch.setattr(runner, "clock", lambda: now[0])

    def takes(*seconds):
        left = list(seconds)

        def function(differences):
            now[0] += left.pop(0)

        return lambda: speed.hold_quick(
            "p", function, lambda _: now.append(now.pop() + 1), {"differences": 3}, "all signs"
        )

    takes(30)()
    takes(31, 30)()  # once the machine was busy
    with pytest.raises(checks.Wrong, match="(?s)^p is right, and too slow.*likely    all signs"):
        takes(31, 31, 31)()


def test_tells_an_answer_that_is_stopped_as_too_slow(monkeypatch):
    monkeypatch.setattr(client, "ending", lambda *_: ("too long", "", ""))
    with pytest.raises(checks.Wrong, match="p is right, and too slow"):
        speed.hold_quick("p", abs, abs, {"x": 3}, "all signs")


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
