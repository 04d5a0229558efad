"""How a check runs the student's function: it ends, prints no walls, and is the student's own."""

import functools
import sys
import warnings

import numpy as np
import pytest
from checks_message import shown_by_a_notebook, told

import lstm_edu
from lstm_course import checks
from lstm_course.engine.report import Stopped, Wrong, call, judged
from lstm_course.engine.sandbox import client, runner
from lstm_edu.cells import lstm
from lstm_edu.cells.lstm import sigmoid
from lstm_edu.text import hashing


class Mute(Exception):
    """It cannot say what it is."""

    def __str__(self):
        raise RuntimeError


@pytest.fixture(autouse=True)
def in_place_alone(monkeypatch):
    """What is tried in another process first is in test_checks_trial.py."""
    monkeypatch.setattr(client, "ending", lambda *_: None)


def test_stopping_by_hand_shows_no_internals():
    def interrupted(*_):
        raise KeyboardInterrupt

    with pytest.raises(Stopped, match="^check_cosine: stopped by hand$") as caught:
        checks.check_cosine(interrupted)
    assert caught.value._render_traceback_() == ["check_cosine: stopped by hand"]
    code = "from lstm_course import checks\nchecks.check_cosine(interrupted)"
    shown = shown_by_a_notebook(code, interrupted=interrupted)
    assert shown == ["check_cosine: stopped by hand"]


def test_walls_that_are_printed_are_cut(capsys):
    def loud(yq, yd):
        print("x" * 300)
        return 1 / 0

    with pytest.raises(Wrong):
        checks.check_cosine(loud)
    assert capsys.readouterr().out == "x" * 300 + "\n"

    @judged
    def check_loud(function):
        for _ in range(20):
            call("it", function, {"yq": 0, "yd": 1})

    for _ in range(2):  # which is the check's allowance, not the session's
        check_loud(lambda yq, yd: print("y" * 300))
        out = capsys.readouterr().out
        assert out.count("y") == 1000 - 2 and out.count("left out") == 1


def test_walls_on_stderr_are_cut(capsys, monkeypatch):
    monkeypatch.setattr(runner.now, "printed", 0)
    call("it", lambda x: print("x" * 10_000, file=sys.stderr), {"x": 1})
    assert len(capsys.readouterr().err) < 1100


def leaves(error):
    def function(x):
        raise error

    return function


@pytest.mark.parametrize("error", [SystemExit(0), GeneratorExit(), BaseException("no"), Mute()])
def test_what_would_leave_the_cell_is_an_error_like_others(error):
    said = told(leaves(error))
    assert "raised an error" in said and "`raise error`" in said and type(error).__name__ in said


def test_what_is_changed_for_all_is_as_it_was():
    def changes(x):
        np.tanh = np.linalg.norm = None
        np.seterr(all="raise")
        np.set_printoptions(precision=1)
        sys.setrecursionlimit(limit + 99)
        sys.stdout = sys.stderr = None
        np.random.seed(x)
        return np.random.normal()

    state = lambda: (np.tanh, np.linalg.norm, np.geterr(), np.get_printoptions())
    system = lambda: (sys.getrecursionlimit(), sys.stdout, sys.stderr)
    before, limit = (state(), system()), sys.getrecursionlimit()
    drawn = call("it", changes, {"x": 1})
    assert (state(), system()) == before
    assert call("it", lambda: np.random.normal(), {}) != drawn  # it is not drawn again


@pytest.mark.parametrize(
    "function", [lambda: 0, lambda x: 0, lambda x, y, z: 0, lambda *, x, y: 0, len]
)
def test_a_function_of_other_arguments_is_told_of_them(function):
    assert "likely    it is called with x, y, in this order" in told(function, x=1, y=2)


def test_the_line_is_that_of_the_student_in_whatever_it_is_wrapped():
    class Divides:
        def __call__(self, x):
            return x / 0

    for function in Divides(), functools.partial(Divides()), np.vectorize(Divides()):
        assert "look at your line: `return x / 0`" in told(function)


def test_warnings_and_long_errors_are_cut(capsys):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warns = lambda x: (np.mean([]), np.log(-x), warnings.warn("no", stacklevel=1))
        got = call("it", warns, {"x": 1.0})
    assert np.isnan(got[:2]).all() and capsys.readouterr().err == ""

    def long_winded(x):
        raise ValueError("word " * 10_000)

    assert max(map(len, told(long_winded, x=["text"] * 10_000).split("\n"))) < 200


OWN = {
    "itself": hashing.letter_trigrams,
    "by the package": lambda word: lstm_edu.letter_trigrams(word),
    "partial": functools.partial(hashing.letter_trigrams),
    "through another": lambda word: lstm_edu.LetterTrigrams.fit([word]).trigrams,
    "in a comprehension": lambda word: [t for t in hashing.letter_trigrams(word)],  # noqa: C416
    "by map": lambda word: list(map(hashing.letter_trigrams, [word]))[0],
    "a part of it": lambda word: hashing._cut(word.lower()),
}


@pytest.mark.parametrize("answer", OWN.values(), ids=OWN)
def test_the_packages_own_is_no_answer(answer):
    with pytest.raises(Wrong, match=r"(?s)of the package\.\n  given     word.*lines of your own"):
        checks.check_letter_trigrams(answer)


def test_what_a_lesson_has_before_may_be_called(capsys):
    def step(params, l, y, c):
        p = params
        yg = np.tanh(p["W4"] @ l + p["Wrec4"] @ y + p["b4"])
        i = sigmoid(p["W3"] @ l + p["Wrec3"] @ y + p["b3"])
        f = lstm.sigmoid(p["W2"] @ l + p["Wrec2"] @ y + p["b2"])
        c = f * c + i * yg
        return sigmoid(p["W1"] @ l + p["Wrec1"] @ y + p["b1"]) * np.tanh(c), c

    checks.check_step_lstm(step)
    assert "passed" in capsys.readouterr().out
    with pytest.raises(Wrong, match="calls `sigmoid` of the package"):
        checks.check_sigmoid(sigmoid)
    with pytest.raises(Wrong, match="calls `.*step` of the package"):
        checks.check_step_lstm(lstm.step)
