"""The page of claims says what the stored lessons and benchmarks say, and its links lead there."""

import json
import re
import sys
from urllib.parse import unquote

import numpy as np
import pytest
from conftest import ROOT
from test_equations import section

from lstm_course.lessons import claims as table_iv

sys.path.append(str(ROOT / "book"))
import claims
import paper_claims
import table_iv as page_table_iv

WRITTEN = claims.PAGE.read_text(encoding="utf-8")
ALL = [*paper_claims.LEARNING, *paper_claims.READING]
READ = [claim for claim in ALL if claim.pattern]


def test_the_page_is_up_to_date():
    assert claims.page() == WRITTEN, "say python book/claims.py"


def test_the_part_on_table_iv_is_up_to_date():
    page = (ROOT / "benchmarks" / "README.md").read_text(encoding="utf-8")
    assert page_table_iv.with_part(page) == page, "say python book/table_iv.py"


def test_how_often_rows_were_trained_is_said_of_each_set_where_it_differs():
    rows = lambda n: {table_iv.LSTM: {"seeds": n}}
    assert claims.trainings({"a": rows(3), "b": rows(3)}) == "three times"
    assert claims.trainings({"a": rows(5), "b": rows(1)}) == "5 times on a and once on b"


def test_every_link_leads_to_a_section():
    links = re.findall(r"\((\d\d[a-z]?_\w+\.ipynb)#([^)]+)\)", WRITTEN)
    assert len(links) > 15
    for page, anchor in links:
        assert section(page, anchor), f"{page}: {unquote(anchor)}"


@pytest.mark.parametrize("claim", READ, ids=lambda claim: f"{claim.cell}-{claim.said[:30]}")
def test_a_number_comes_from_the_section_that_is_named(claim):
    """The cell stands under the heading, and the finding names a number that it printed."""
    page, cells = claims.lesson(claim.lesson)
    heading, under = None, {}
    for cell in cells:
        if cell["cell_type"] == "markdown":
            found = re.findall(r"^#+ (.+)$", "".join(cell["source"]), re.MULTILINE)
            heading = found[-1] if found else heading
        under[cell["id"]] = heading
    assert under[claim.cell] == claim.heading, page
    assert re.search(claim.pattern, claims.printed(claim.lesson, claim.cell), re.MULTILINE)
    assert re.search(r"\{\w+\}", claim.found)


@pytest.mark.parametrize("claim", READ, ids=lambda claim: f"{claim.cell}-{claim.said[:30]}")
def test_the_page_follows_the_cell(claim, monkeypatch):
    """Other digits in the cell are other digits on the page."""
    before = claims.row(claim, {})
    text = claims.printed(claim.lesson, claim.cell)
    found = re.search(claim.pattern, text, re.MULTILINE)
    name = next(name for name in found.groupdict() if f"{{{name}}}" in claim.found)
    start, end = found.span(name)
    other = re.sub(r"\d", lambda digit: str((int(digit[0]) + 1) % 10), text[start:end])
    monkeypatch.setattr(claims, "printed", lambda *_: text[:start] + other + text[end:])
    assert claims.row(claim, {})[1] != before[1]


def test_a_cell_that_no_longer_says_it_is_named(monkeypatch):
    monkeypatch.setattr(claims, "printed", lambda *_: "something else")
    with pytest.raises(SystemExit, match=f"07, cell {READ[0].cell}: has no "):
        claims.row(READ[0], {})


def test_verdicts_by_hand():
    assert [table_iv.verdict(*ends) for ends in ((0.1, 2), (-2, -0.1), (-1, 1), (0, 1))] == [
        "holds",
        "reversed",
        "open",
        "open",
    ]
    assert paper_claims.above_zero(low=0.1, high=2, mean=1) == "holds"
    assert paper_claims.below_zero(low=0.1, high=2) == "reversed"
    assert paper_claims.below_zero(low=-2, high=-1) == "holds"


def test_a_difference_is_taken_query_by_query():
    """A query that one of the two has no nDCG for is left out of both."""
    rng = np.random.default_rng(0)
    a = rng.random(200)
    b = a - 0.01
    rows = {"a": {"by_query": [*a, 0.5]}, "b": {"by_query": [*b, None]}}
    mean, low, high, verdict = table_iv.difference(rows, "a", "b")
    assert [mean, low, high] == pytest.approx([1, 1, 1]) and verdict == "holds"
    assert table_iv.difference(rows, "b", "a")[3] == "reversed"


def test_trainings_are_compared_each_with_each():
    rows = {"a": {"by_seed": [0.5, 0.4, 0.6]}, "b": {"by_seed": [0.45, 0.55]}}
    gaps = table_iv.over_seeds(rows, "a", "b")
    assert gaps == pytest.approx(np.array([[5, -5], [-5, -15], [15, 5]]))


@pytest.mark.parametrize(
    "p, better, said", [(0.04, True, "holds"), (0.04, False, "reversed"), (0.05, True, "open")]
)
def test_against_the_best_it_is_p_that_decides(p, better, said):
    ours = [0.6, 0.7, 0.8]
    rows = {
        "lstm": {"by_query": ours, "p": p, "against": "bm25"},
        "bm25": {"by_query": [x - 0.1 if better else x + 0.1 for x in ours]},
    }
    *_, best, given, verdict = table_iv.against_the_best(rows, "lstm")
    assert (best, given, verdict) == ("bm25", p, said)


def test_the_paper_s_table_has_the_rows_that_ours_have():
    assert len(table_iv.PAPER) == 17 and len(table_iv.CLAIMS) == 15
    assert {row for pair in table_iv.CLAIMS.values() for row in pair} <= set(table_iv.PAPER)
    assert round(table_iv.in_print("lstm_96_n4", "clsm_3"), 1) == 0.9
    stored = json.loads((ROOT / "benchmarks" / "table_iv_msrd.json").read_text(encoding="utf-8"))
    assert set(table_iv.PAPER) <= set(table_iv.by_row(stored))
