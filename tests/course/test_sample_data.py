"""Tests of the sample data: the stored files and their generators."""

import pathlib
from collections import defaultdict

import pytest

from lstm_course.sample import questions, synthetic

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


def test_training_pairs_contain_no_judged_need_or_query(sample):
    assert not {query for query, _ in sample.pairs} & {row[1] for row in sample.judgments}
    assert len(set(sample.asked) - {need for need, _ in sample.searched}) == 400
