"""Tests of lesson 12: claims about its models' alignments and rankings, and benchmark results."""

import numpy as np
from executed import texts_of
from quoted import order_decides, results
from trained import *

from lstm_course.lessons.claims import by_row
from lstm_edu.ranking.statistics import interval

STORED = {name: results(name)["sets"] for name in ("alignment", "choices")}

# changes that break the claims: train on a hundredth of the log, or rank with only one model
BROKEN = (
    ("12-13", "model, pairs, epochs", "model, pairs[:256], epochs"),
    ("12-26", "ndcg_by_query(model, judgments)", 'ndcg_by_query(models["dual"], judgments)'),
)


def where_order_decides(n, name):
    """Return a model's mean lead over the dual encoder on queries in which word order decides."""
    return (n.ndcg[name] - n.ndcg["dual"])[n.order].mean()


def above_chance(n, way):
    """Return by how many percentage points a model beats chance at matching synonyms of things.

    ``way`` names the model; "thing" is a kind of synonym in `lstm_course.sample.paraphrases`.
    """
    return 100 * (n.by_kind["thing"][way][0] - n.by_kind["thing"]["chance"][0])


CLAIMS = {
    "aligned words find synonyms of things far more often than chance": Claim(
        lambda n: above_chance(n, "aligned words"), above=23
    ),
    "the dual encoder's words find synonyms of things far more often than chance": Claim(
        lambda n: above_chance(n, "dual encoder"), above=22
    ),
    "aligned words rank better than the dual encoder if word order decides": Claim(
        lambda n: where_order_decides(n, "words"), above=0.1
    ),
    "attention ranks better than the dual encoder if word order decides": Claim(
        lambda n: where_order_decides(n, "attention"), above=0.1
    ),
}


def test_worked_answer_quotes_how_often_words_for_an_intent_are_matched():
    rates = STORED["alignment"]["sample"]["aligned"]["intent"]
    ours, chance = (f"{100 * rates[way]['mean']:.0f}" for way in ("aligned words", "chance"))
    said = texts_of("12_align_words")["12-p1"]
    assert f"{ours} of a hundred, where chance gives {chance} " in said


def test_stored_runs_support_claims_of_lesson_12():
    assert (
        STORED["alignment"]["sample"]["aligned"]["site"]["above letters"]["aligned words"]["high"]
        < 0
    )
    for name in ("msrd", "onet"):
        for model in ("attention", "aligned words"):
            assert STORED["alignment"][name]["above the dual encoder"][model]["low"] <= 0
    for choices in STORED["choices"].values():
        assert all(lead["low"] <= 0 for lead in choices["above lstm_best"].values())


def test_with_96_cells_only_aligned_words_lose_where_order_is_irrelevant():
    elsewhere = ~order_decides()
    rows = by_row(results("table_iv_sample"))
    ndcg = {name: np.array(row["by_query"], float)[elsewhere] for name, row in rows.items()}
    _, low, high = interval(ndcg["attention_96"] - ndcg["lstm_best"])
    assert low < 0 < high
    assert interval(ndcg["align_96"] - ndcg["lstm_best"])[2] < 0
