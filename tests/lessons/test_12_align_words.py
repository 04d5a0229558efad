"""Lesson 12: which words its trained models align, and what that is worth in a ranking."""

from executed import texts_of
from quoted import results
from trained import *

STORED = {name: results(name)["sets"] for name in ("alignment", "choices")}

# learned from a hundredth of the log, and one model ranks for all
BROKEN = (
    ("12-13", "model, pairs, epochs", "model, pairs[:256], epochs"),
    ("12-26", "ndcg_by_query(model, judgments)", 'ndcg_by_query(models["dual"], judgments)'),
)


def where_order_decides(n, name):
    """How far a model ranks above the dual encoder there."""
    return (n.ndcg[name] - n.ndcg["dual"])[n.order].mean()


def above_chance(n, way):
    """How often a name of a thing finds a partner, above chance, in points."""
    return 100 * (n.by_kind["thing"][way][0] - n.by_kind["thing"]["chance"][0])


CLAIMS = [
    Claim(
        "aligned words find the names of things far more often than chance",
        lambda n: above_chance(n, "aligned words"),
        mean=49.5,
        sd=3.5,
        above=23,
        broken=BROKEN,
    ),
    Claim(
        "the dual encoder's words do, too, without being asked to",
        lambda n: above_chance(n, "dual encoder"),
        mean=41.4,
        sd=1.5,
        above=22,
        broken=BROKEN,
    ),
    Claim(
        "where word order decides aligned words rank above the dual encoder",
        lambda n: where_order_decides(n, "words"),
        mean=0.248,
        sd=0.018,
        above=0.1,
        broken=BROKEN,
    ),
    Claim(
        "where word order decides attention ranks above the dual encoder",
        lambda n: where_order_decides(n, "attention"),
        mean=0.224,
        sd=0.012,
        above=0.1,
        broken=BROKEN,
    ),
]


def test_answer_quotes_stored_share_of_intents():
    of = STORED["alignment"]["sample"]["aligned"]["intent"]
    ours, chance = (f"{100 * of[way]['mean']:.0f}" for way in ("aligned words", "chance"))
    said = texts_of("12_align_words")["12-p1"]
    assert f"{ours} of a hundred, where chance gives {chance} " in said


def test_stored_runs_say_what_the_lesson_says():
    assert (
        STORED["alignment"]["sample"]["aligned"]["site"]["above letters"]["aligned words"]["high"]
        < 0
    )
    for name in ("msrd", "onet"):
        for model in ("attention", "aligned words"):
            assert STORED["alignment"][name]["above the dual encoder"][model]["low"] <= 0
    held_out = [way for of in STORED["choices"].values() for way in of["above lstm_best"].values()]
    assert all(way["low"] <= 0 for way in held_out)
