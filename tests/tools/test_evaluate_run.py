"""Tests of nDCG for runs with tied scores, against values from ir-measures."""

import json

import numpy as np
import pytest
from ir_measures_values import FILE, GAINS
from refusal import refused

from lstm_edu.ranking.ndcg import DEPTHS, ndcg
from lstm_tools.formats.runs import evaluate_run

STORED = json.loads(FILE.read_text(encoding="utf-8"))
RUN = STORED["run"]
# `read_qrels` reads grades below 0 as 0
QRELS = {q: {d: max(g, 0) for d, g in of.items()} for q, of in STORED["qrels"].items()}


def check_values(run, expected):
    """Compare nDCG with ir-measures' values, for each query that has a relevant document."""
    for kind in GAINS:
        for qid, grades in QRELS.items():
            if max(grades.values()) > 0:
                found = evaluate_run({**run, qid: run.get(qid, {})}, {qid: grades}, kind)
                found = {str(k): found[f"nDCG@{k}"] for k in DEPTHS}
                assert found == pytest.approx(expected[kind][qid], abs=1e-12), (kind, qid)


def test_evaluate_run_equals_ir_measures_averaged_over_tie_orders():
    check_values(RUN, STORED["means_over_orders"])


def test_evaluate_run_counts_missing_documents_and_queries_as_0():
    grades = {"q": {"a": 3, "b": 1, "c": 0}, "r": {"a": 1}}
    perfect = {"q": {"a": 2.0, "b": 1.0, "c": 0.0}, "r": {"a": 0.0}}
    assert evaluate_run(perfect, grades)["nDCG@10"] == 1.0
    # the first document isn't judged, and a relevant document isn't ranked
    worse = {"q": {"x": 9.0, "b": 1.0}, "r": {"a": 0.0}, "unknown": {"a": 1.0}}
    expected = (1 / np.log2(3)) / (7 + 1 / np.log2(3))
    assert evaluate_run(worse, grades)["nDCG@10"] == pytest.approx((expected + 1) / 2)
    # a query without a ranking counts as 0
    assert evaluate_run({"q": perfect["q"]}, grades)["nDCG@10"] == 0.5
    assert np.isnan(ndcg([1.0], [0], 3, judged=[0, 0])) and ndcg([], [], 3, judged=[1]) == 0.0
    for run, judged, said in (
        ({"s": {"a": 1.0}}, grades, "run, grades: have no qid in common: "),
        # an int and a str never match as ids
        ({7: {"a": 1.0}}, grades, "qid: 7; must be a text"),
        (perfect, {"q": {"a ": 1}}, "docid 'a ': does not fit into TREC's files"),
        (perfect, {"q": {"a": 0}}, "no query has a title of grade 1"),
    ):
        with refused(said):
            evaluate_run(run, judged)
