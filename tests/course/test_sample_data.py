"""Tests of the sample data: the stored files and their generators.

A need is what a person searches for; several queries can express the same need.
"""

import itertools
import pathlib
import random
from collections import defaultdict

import numpy as np
import pytest

from lstm_course.sample import positions, questions, synthetic

DATA = pathlib.Path(__file__).parents[2] / "data_samples"
FILES = ["train_pairs.tsv", "judgments.tsv", "needs.tsv", "titles.txt", "sentences.txt"]


@pytest.fixture(scope="module")
def sample():
    return synthetic.generate(seed=0)


@pytest.fixture(scope="module")
def by_query(sample):
    grouped = defaultdict(list)
    for qid, query, docid, title, grade in sample.judgments:
        grouped[qid].append((query, docid, title, grade))
    return grouped


ASKED = ["train_pairs.tsv", "judgments.tsv", "facts.tsv"]
SETS = [(synthetic, DATA, FILES), (questions, DATA / "questions", ASKED)]


@pytest.mark.parametrize("module, folder, names", SETS, ids=["searches", "questions"])
def test_generator_writes_the_tracked_files_byte_for_byte(
    module, folder, names, tmp_path, sample, monkeypatch
):
    # reuse the log, which takes long to generate
    monkeypatch.setattr(synthetic, "generate", lambda seed: {0: sample}[seed])
    module.write(tmp_path / "new folder", seed=0)
    for name in names:
        assert (tmp_path / "new folder" / name).read_bytes() == (folder / name).read_bytes(), name


def test_each_judged_query_has_fifteen_distinct_candidates(sample, by_query):
    assert len(by_query) == 400
    # rows of the same query are consecutive
    assert [row[0] for row in sample.judgments] == [qid for qid in by_query for _ in range(15)]
    assert [row[0] for row in sample.needs] == list(by_query)
    for candidates in by_query.values():
        queries, docids, titles, grades = zip(*candidates)
        assert len(set(queries)) == 1 and 3 in grades and 0 in grades
        assert list(docids) == sorted(set(docids)) and len(set(titles)) == 15
    pairs = {(row[2], row[3]) for row in sample.judgments}
    # each docid has one title, and each title one docid
    assert len(pairs) == len({docid for docid, _ in pairs}) == len({title for _, title in pairs})


def test_training_pairs_contain_no_judged_query_or_need(sample):
    assert not {query for query, _ in sample.pairs} & {row[1] for row in sample.judgments}
    assert len(set(sample.asked) - {need for need, _ in sample.searched}) == 400


@pytest.fixture(scope="module")
def shown(sample):
    judged = {row[1] for row in sample.judgments}
    return [*itertools.islice(positions.pages(sample.asked, judged), 6000)]


def test_log_with_positions_contains_shown_pages_and_no_judged_query(
    shown, sample, tmp_path, monkeypatch
):
    monkeypatch.setattr(positions, "generate", lambda seed: {0: sample}[seed])
    positions.write(tmp_path, n_searches=300)
    rows = [line.split("\t") for line in open(tmp_path / "positions.tsv", encoding="utf-8")]
    pages = [
        (p.query, t, k + 1, r)
        for p in shown[:300]
        for k, (t, r) in enumerate(zip(p.titles, p.ranked))
    ]
    assert [(row[3], row[4], int(row[1]), int(row[2])) for row in rows] == pages
    assert {row[5].strip() for row in rows} == {"0", "1"} and rows[-1][0] == "300"
    assert not {page.query for page in shown} & {row[1] for row in sample.judgments}


def test_exchange_swaps_first_result_with_another_in_a_tenth_of_searches(shown):
    moved = [page for page in shown if page.ranked[0] != 1]
    assert abs(len(moved) / len(shown) - positions.EXCHANGED) < 0.02
    for page in moved:
        k = page.ranked.index(1)
        assert page.ranked == [k + 1, *range(2, k + 1), 1, *range(k + 2, len(page.ranked) + 1)]


@pytest.mark.parametrize("engine, sign", [("words", 1), ("long", 0), ("upside down", -1)])
def test_engines_rank_right_results_high_low_or_anywhere(sample, engine, sign):
    pages = itertools.islice(positions.pages(sample.asked, (), 1, engine, exchanged=0), 1500)
    halves = np.array([[3 in p.grades[:5], 3 in p.grades[5:]] for p in pages]).mean(axis=0)
    lead = halves[0] - halves[1]
    assert abs(lead) < 0.1 if sign == 0 else sign * lead > 0.1


def test_clicks_divided_by_theta_are_unbiased(shown):
    """Compare click rates of right results with the probability that one is clicked once seen.

    Undivided, the rate at each rank is this probability times theta.
    """
    rng, count = random.Random(2), np.zeros((3, 10))
    for page in shown:
        for k, clicked in enumerate(positions.clicks(page, rng)):
            count[:, k] += np.array([1, clicked, clicked / positions.THETA[k]]) * (
                page.grades[k] == 3
            )
    raw, divided = count[1:] / count[0]
    chance = positions.BLIND + (1 - positions.BLIND) * synthetic.ATTRACTION[3]
    spread = np.sqrt(chance * (1 / np.array(positions.THETA) - chance) / count[0])
    assert (abs(divided - chance) < 4 * spread + 1e-9).all()
    assert (abs(raw - chance * np.array(positions.THETA)) < 0.06).all()
