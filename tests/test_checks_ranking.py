"""The checks' own answers for notebooks 09 and 10.

They are as the library's where they are written here, and such that each mistake has its own.
"""

import numpy as np
import pytest

from lstm_edu import checks
from lstm_edu.checks import ranking, reading
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
    for query in ("cheap hotels", "flights to flights", "airport unheard of"):
        found = ranking._bm25([terms(title) for title in titles], terms(query), 1.2, 0.75)
        np.testing.assert_allclose(
            found, BM25().fit([("", title) for title in titles]).score(query, titles), rtol=1e-5
        )


@pytest.mark.parametrize(
    "topic, name",
    [
        (topic, name)
        for topic in (reading, ranking)
        for name in dir(topic)
        if name.startswith("check_")
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_on_the_first_input_each_mistake_has_an_answer_of_its_own(topic, name, monkeypatch):
    inputs = []
    monkeypatch.setattr(topic, "call", lambda *given: None)
    monkeypatch.setattr(
        topic,
        "hold_against",
        lambda what, got, expected, given, reasons=(): inputs.append((expected, reasons)),
    )
    getattr(topic, name)(None)
    expected, reasons = inputs[0]
    texts = {}
    for text, value in reasons:
        if value is not None and text not in ELSEWHERE:
            parts = value if isinstance(value, tuple) else (value,)
            texts.setdefault(
                repr(
                    [
                        None if part is None else np.round(np.asarray(part, float), 6).tolist()
                        for part in parts
                    ]
                ),
                set(),
            ).add(text)
    parts = expected if isinstance(expected, tuple) else (expected,)
    assert repr([np.round(np.asarray(part, float), 6).tolist() for part in parts]) not in texts
    assert len(texts) > 4 and all(len(alike) == 1 for alike in texts.values())


# mistakes that show in another input
ELSEWHERE = {
    (
        "exp overflows for large scores, and inf / inf is NaN: "
        "subtract the largest score first, which changes no weight"
    ),
    "twice the one-sided share counts a sum of 0 double",
}


def test_a_slow_answer_is_stopped_before_the_long_input(monkeypatch):
    ticks = iter(range(100))
    monkeypatch.setattr(ranking.time, "process_time", lambda: next(ticks))
    seen = []
    with pytest.raises(checks.Wrong, match="too slow"):
        ranking._check_speed(
            "exact_p(differences)", lambda differences: seen.append(len(differences))
        )
    assert seen == [19]
