"""Tests that the claims page agrees with stored benchmark results, and that its links resolve."""

import re
import statistics
from urllib.parse import unquote

import numpy as np
import pytest
from conftest import ROOT
from scipy.stats import norm, t
from test_equations import section

from book.build import claims, stored, with_part
from book.build import table_iv as page_table_iv
from lstm_course.lessons import claims as table_iv

WRITTEN = claims.PAGE.read_text(encoding="utf-8")


def test_stored_pages_are_up_to_date():
    assert stored("verdicts") == page_table_iv.verdicts(), "run python -m book.build.claims"
    assert claims.page() == WRITTEN, "run python -m book.build.claims"
    page = (ROOT / "benchmarks" / "README.md").read_text(encoding="utf-8")
    assert with_part(page, "table iv", claims.part()) == page, "run python -m book.build.claims"


def test_every_link_leads_to_a_section():
    page = r"\d\d[a-z]?_\w+\.ipynb|\.\./book/pages/\w+\.md"
    links = re.findall(rf"\(({page})#([^)]+)\)", WRITTEN)
    assert len(links) > 15
    for page, anchor in links:
        assert section(page, anchor), f"{page}: {unquote(anchor)}"


def variance_of_seeds(rows):
    """Compute the pooled variance between training runs, for nDCG in points (hundredths)."""
    scores = [np.multiply(100, row["by_seed"]) for row in rows.values()]
    return np.mean([statistics.variance(x) for x in scores if len(x) > 1])


BASELINES = "skip_thought doc2vec ulm bm25 plsa dssm clsm_1 clsm_3 clsm_5".split()


def test_every_stored_verdict_follows_from_the_stored_tables():
    """Recompute differences, variances, Holm's correction per list of claims, and verdicts."""
    verdicts, tables = stored("verdicts"), {}
    for name in ("sample", "msrd", "onet"):
        tables[name] = {row["row"]: row for row in stored(f"table_iv_{name}")["rows"]}
    first = {
        name: {key: row | row["at_1"] for key, row in rows.items() if "at_1" in row}
        for name, rows in tables.items()
    }
    depth_10 = [(name, pairs, tables, 10) for name, pairs in table_iv.FAMILIES.items()]
    for family, pairs, tables_at, k in [*depth_10, ("depth 1", table_iv.HEADLINE, first, 1)]:
        assert list(verdicts[family]) == list(pairs) and (len(pairs) > 5 or k == 1)
        cells = []
        for claim, (a, b) in pairs.items():
            sets = tables_at.items()
            present = [name for name, rows in sets if {a, b} - {table_iv.BEST} <= {*rows}]
            assert list(verdicts[family][claim]) == present and present[0] == "sample"
            for name, rows in [(name, tables_at[name]) for name in present]:
                ours, b_here = rows[a]["by_query"], b
                if b == "the best baseline":
                    means = {row: tables[name][row][f"nDCG@{k}"]["mean"] for row in BASELINES}
                    b_here = max(means, key=means.get)
                scores = zip(ours, rows[b_here]["by_query"])
                gaps = [100 * (x - y) for x, y in scores if x is not None and y is not None]
                variance = statistics.variance(gaps) / len(gaps)
                for row in (a, b_here):
                    if row not in ("bm25", "ulm"):
                        variance += variance_of_seeds(rows) / rows[row]["seeds"]
                mean = statistics.fmean(gaps)
                p = 2 * norm.sf(abs(mean) / variance**0.5)
                cells.append((p, claim, name, b_here, mean, variance**0.5))
        largest = 0
        for j, (p, claim, name, against, mean, deviation) in enumerate(sorted(cells)):
            largest = max(largest, min(1, (len(cells) - j) * p))
            got = verdicts[family][claim][name]
            assert got["against"] == against
            assert got["p"] == pytest.approx(largest, abs=1e-5), (claim, name)
            ends = mean - 1.96 * deviation, mean + 1.96 * deviation
            assert (got["mean"], got["low"], got["high"]) == pytest.approx((mean, *ends), abs=1e-5)
            level = max(abs(ends[0]), abs(ends[1])) < 0.5
            expected = ("holds" if mean > 0 else "reversed") if largest < 0.05 else "open"
            assert got["verdict"] == ("level" if expected == "open" and level else expected)


def test_corrected_verdicts_follow_from_the_stored_intervals():
    """Recompute p values and Holm's correction over all deciding intervals."""
    found, page = claims.answers(), claims.of_asked() | claims.of_training()
    verdicts = page | claims.judged(page)
    survives = claims.corrected(verdicts)
    names = [name for deciding in claims.DECIDE.values() for name in deciding]
    assert len(set(names)) == len(names) == survives["n_corrected"]
    p = {}
    for name in names:
        low, high, trainings = (found[name][key] for key in ("low", "high", "by_seed"))
        deviation = (high - low) / 2 / t.isf(0.025, len(trainings) - 1)
        p[name] = 2 * t.sf(abs(low + high) / 2 / deviation, len(trainings) - 1)
    passing = set()
    for rank, name in enumerate(sorted(p, key=p.get)):
        if (len(p) - rank) * p[name] >= 0.05:
            break
        passing.add(name)
    for name, deciding in claims.DECIDE.items():
        expected = "yes" if passing.issuperset(deciding) else "no"
        decided = verdicts[f"{name}_verdict"] != "open"
        assert survives[f"{name}_corrected"] == (expected if decided else "–"), name
