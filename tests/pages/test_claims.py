"""The page of claims says what the stored lessons and benchmarks say, and its links lead there."""

import json
import re
import statistics
from urllib.parse import unquote

import claims
import numpy as np
import paper_claims
import pytest
import table_iv as page_table_iv
from conftest import ROOT
from scipy.stats import norm
from test_equations import section

from lstm_course.lessons import claims as table_iv

WRITTEN = claims.PAGE.read_text(encoding="utf-8")


def test_the_page_is_up_to_date():
    stored = json.loads(claims.VERDICTS.read_text(encoding="utf-8"))
    assert stored == claims.verdicts(), "say python book/claims.py"
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


def test_verdicts_by_hand():
    of = table_iv.verdict
    assert of(0.1, 2, 0.04) == "holds" and of(-2, -0.1, 0.04) == "reversed"
    assert of(0.1, 2, 0.05) == of(-2, -0.1, 1) == "open"  # what Holm's correction may leave
    assert of(-0.4, 0.4, 1) == of(0.1, 0.4, 0.05) == "level"
    assert of(-0.4, 0.5, 1) == of(-0.5, 0.4, 1) == "open"
    assert of(0.1, 0.2, 0.04) == "holds"  # little, but there


def test_what_is_asked_of_five_trainings_is_told_with_its_ends():
    stored = json.loads((ROOT / "benchmarks" / "claims_asked.json").read_text(encoding="utf-8"))
    found = claims.of_asked()
    for name, question in claims.ASKED.items():
        own = stored["asked"][question]
        assert len(own["by_seed"]) == (3 if name.startswith("words") else 5)
        assert found[name + "_low"] < found[name + "_high"]
        if "mean" in own:
            assert own["low"] < own["mean"] < own["high"]
            assert own["mean"] == pytest.approx(np.mean(own["by_seed"]), abs=1e-3)
            assert float(found[name].split()[0]) == pytest.approx(own["mean"], abs=0.05)
    numbers = {"x_low": 0.1, "x_high": 2}
    assert paper_claims.above_zero("x")(**numbers) == "holds"
    assert paper_claims.below_zero("x")(**numbers) == "reversed"
    assert paper_claims.above_zero("x")(x_low=-1, x_high=2) == "open"


def test_a_difference_is_taken_query_by_query():
    """A query that one of the two has no nDCG for is left out of both."""
    rng = np.random.default_rng(0)
    a = rng.random(200)
    b = a - 0.01
    rows = {
        "a": {"by_query": [*a, 0.5], "by_seed": [0.5]},
        "b": {"by_query": [*b, None], "by_seed": [0.49], "against": "a"},
    }
    assert table_iv.difference(rows, "a", "b")[:4] == pytest.approx((1, 1, 1, 0))
    assert table_iv.difference(rows, "b", table_iv.BEST) == table_iv.difference(rows, "b", "a")


def of_seeds_of(rows):
    """Variance of the trainings, in points squared, pooled; by another formula."""
    own = [np.multiply(100, row["by_seed"]) for row in rows.values() if len(row["by_seed"]) > 1]
    variances = [((x**2).sum() - x.sum() ** 2 / len(x)) / (len(x) - 1) for x in own]
    return np.mean(variances)


BASELINES = "skip_thought doc2vec ulm bm25 plsa dssm clsm_1 clsm_3 clsm_5".split()


def test_every_stored_verdict_follows_from_the_stored_tables():
    """By code of its own: differences, both variances, Holm over all cells of a list, the rule."""
    stored = json.loads(claims.VERDICTS.read_text(encoding="utf-8"))
    tables = {}
    for name in ("sample", "msrd", "onet"):
        path = ROOT / "benchmarks" / f"table_iv_{name}.json"
        rows = json.loads(path.read_text(encoding="utf-8"))["rows"]
        tables[name] = {row["row"]: row for row in rows}
    first = {
        name: {key: row | row["at_1"] for key, row in rows.items() if "at_1" in row}
        for name, rows in tables.items()
    }
    of_10 = [(name, pairs, tables, 10) for name, pairs in table_iv.FAMILIES.items()]
    for family, pairs, tables_at, k in [*of_10, ("depth 1", table_iv.HEADLINE, first, 1)]:
        assert list(stored[family]) == list(pairs) and (len(pairs) > 5 or k == 1)
        cells = []
        for claim, (a, b) in pairs.items():
            sets = tables_at.items()
            there = [name for name, rows in sets if {a, b} - {table_iv.BEST} <= {*rows}]
            assert list(stored[family][claim]) == there and there[0] == "sample"
            for name, rows in [(name, tables_at[name]) for name in there]:
                ours, b_here = rows[a]["by_query"], b
                if b == "the best baseline":
                    means = {row: tables[name][row][f"nDCG@{k}"]["mean"] for row in BASELINES}
                    b_here = max(means, key=means.get)
                both = zip(ours, rows[b_here]["by_query"])
                gaps = [100 * (x - y) for x, y in both if x is not None and y is not None]
                variance = statistics.variance(gaps) / len(gaps)
                for row in (a, b_here):
                    if row not in ("bm25", "ulm"):
                        variance += of_seeds_of(rows) / rows[row]["seeds"]
                mean = statistics.fmean(gaps)
                p = 2 * norm.sf(abs(mean) / variance**0.5)
                cells.append((p, claim, name, b_here, mean, variance**0.5))
        largest = 0
        for j, (p, claim, name, against, mean, deviation) in enumerate(sorted(cells)):
            largest = max(largest, min(1, (len(cells) - j) * p))
            own = stored[family][claim][name]
            assert own["against"] == against
            assert own["p"] == pytest.approx(largest, abs=1e-5), (claim, name)
            ends = mean - 1.96 * deviation, mean + 1.96 * deviation
            assert (own["mean"], own["low"], own["high"]) == pytest.approx((mean, *ends), abs=1e-5)
            level = max(abs(ends[0]), abs(ends[1])) < 0.5
            expected = ("holds" if mean > 0 else "reversed") if largest < 0.05 else "open"
            assert own["verdict"] == ("level" if expected == "open" and level else expected)


def test_trainings_are_compared_each_with_each():
    rows = {"a": {"by_seed": [0.5, 0.4, 0.6]}, "b": {"by_seed": [0.45, 0.55]}}
    gaps = table_iv.over_seeds(rows, "a", "b")
    assert gaps == pytest.approx(np.array([[5, -5], [-5, -15], [15, 5]]))
