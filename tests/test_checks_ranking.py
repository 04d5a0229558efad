"""The checks' own answers for notebooks 06 to 11.

They are as the library's where they are written here, and such that each mistake has its own.
"""

import numpy as np
import pytest

from lstm_course import checks
from lstm_course.engine import minimize, speed
from lstm_course.exercises import attention, bm25, exact_p, lazy, ndcg
from lstm_edu.table_iv.bm25 import BM25
from lstm_edu.table_iv.terms import terms


def test_bm25_of_the_check_is_that_of_the_library():
    pytest.importorskip("bm25s")
    titles = [
        "cheap flights to boston",
        "boston hotels near the airport and hotels near the sea",
        "the cheap the",
        "flights and flights",
    ]
    words = [terms(title) for title in titles]
    postings = {
        word: [(k, title.count(word)) for k, title in enumerate(words) if word in title]
        for word in sum(words, [])
    }
    lengths = np.array(list(map(len, words)))
    for query in ("cheap hotels", "flights to flights", "airport unheard of"):
        found = bm25.bm25(terms(query), postings, lengths, 1.2, 0.75)
        np.testing.assert_allclose(
            found, BM25().fit([("", title) for title in titles]).score(query, titles), rtol=1e-5
        )


TOPICS = attention, ndcg, exact_p, lazy


@pytest.mark.parametrize(
    "topic, name",
    [(topic, name) for topic in TOPICS for name in dir(topic) if name.startswith("check_")],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_on_the_first_input_each_mistake_has_an_answer_of_its_own(topic, name, monkeypatch):
    inputs = []

    def hold(what, function, given, expected, reasons=(), simpler=(), **_):
        inputs.append((expected, reasons))

    monkeypatch.setattr(topic, "hold", hold)
    for other in ("call", "hold_against", "hold_quick"):
        monkeypatch.setattr(topic, other, lambda *given: None, raising=False)
    getattr(topic, name)(None)
    expected, reasons = inputs[0]
    texts = {}
    for text, value in reasons:
        if value is not None and text not in ELSEWHERE:
            texts.setdefault(parts_of(value), set()).add(text)
    assert parts_of(expected) not in texts
    assert len(texts) > 4 and [alike for alike in texts.values() if len(alike) > 1] == []


def parts_of(value):
    parts = value if isinstance(value, tuple) else (value,)
    return repr(
        [None if part is None else np.round(np.asarray(part, float), 6).tolist() for part in parts]
    )


# mistakes that show in another input
ELSEWHERE = {
    (
        "exp overflows for large scores, and inf / inf is NaN: "
        "subtract the largest score first, which changes no weight"
    ),
    "twice the one-sided share counts a sum of 0 double",
    (
        "the largest score is to be subtracted: with another number, "
        "exp overflows, or all of them are 0"
    ),
}


def test_a_slow_answer_is_stopped_before_the_long_input(monkeypatch):
    ticks = iter(range(100))
    monkeypatch.setattr(speed.time, "process_time", lambda: next(ticks))
    seen = []
    with pytest.raises(checks.Wrong, match="(?s)p is right, and too slow.*likely    all signs"):
        speed.hold_quick("p", seen.append, {"differences": np.arange(19)}, "all signs")
    assert len(seen) == 1


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
        ("at 1 it is wrong", "f(1)", lambda x: answer(1.0), {"x": 5.0}, 1.0),
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
