"""The sample data: what the files hold, and that they are what the stated model makes."""

import math
import pathlib
from collections import defaultdict

import numpy as np
import pytest
from processes import python

from lstm_course.sample import questions, synthetic, synthetic_needs, wordings

DATA = pathlib.Path(__file__).parents[2] / "data_samples"
FILES = {"train_pairs.tsv": 2, "judgments.tsv": 5, "needs.tsv": 6}  # columns
WORDS = wordings.read_words()


def lines(name):
    return (DATA / name).read_bytes().decode("utf-8").removesuffix("\n").split("\n")


def rows(name):
    return [line.split("\t") for line in lines(name)]


@pytest.fixture(scope="module")
def sample():
    return synthetic.generate(seed=0)


@pytest.fixture(scope="module")
def by_query(sample):
    grouped = defaultdict(list)
    for qid, query, docid, title, grade in sample.judgments:
        grouped[qid].append((query, docid, title, grade))
    return grouped


def share(values):
    values = list(values)
    return sum(values) / len(values)


@pytest.mark.parametrize(
    "module, folder, names",
    [
        (synthetic, DATA, [*FILES, "titles.txt", "sentences.txt"]),
        (questions, DATA / "questions", ["train_pairs.tsv", "judgments.tsv", "facts.tsv"]),
    ],
)
def test_tracked_files_are_what_the_generator_makes(
    module, folder, names, tmp_path, sample, monkeypatch
):
    monkeypatch.setattr(synthetic, "generate", lambda seed: {0: sample}[seed])  # made once
    module.write(tmp_path / "new folder", seed=0)
    for name in names:
        assert (tmp_path / "new folder" / name).read_bytes() == (folder / name).read_bytes(), name


def test_another_process_makes_the_same_another_seed_does_not():
    code = (
        "from lstm_course.sample import questions, synthetic; import hashlib, sys; "
        "seeds = map(int, sys.argv[1:]); "
        "made = [m.generate(k, 300, 40) for k in seeds for m in (questions, synthetic)]; "
        "print(*[hashlib.md5(repr(data).encode()).hexdigest() for data in made])"
    )
    path = {"PYTHONPATH": str(DATA.parent)}
    made = lambda key, *seeds: python("-c", code, *seeds, PYTHONHASHSEED=key, **path).stdout.split()
    both = made("1", "3", "4")
    assert made("2", "3") == both[:2] and len(set(both)) == 4


def is_plain(text):
    return text and text == " ".join(text.lower().split())


def test_sizes_and_format():
    names = [*FILES, "titles.txt", "sentences.txt", "README.md"]
    assert sum((DATA / name).stat().st_size for name in names) <= 3_000_000
    queries, titles = zip(*rows("train_pairs.tsv"))
    assert lines("titles.txt") == list(dict.fromkeys(titles)) and len(titles) == 20_000
    assert len(set(titles)) > 5_000 and len(set(queries)) > 10_000
    for name, columns in FILES.items():
        data = (DATA / name).read_bytes()
        assert data.endswith(b"\n") and b"\r" not in data and b"\xef\xbb\xbf" not in data
        assert all(len(row) == columns and all(map(is_plain, row)) for row in rows(name))


def test_sentences_stand_by_passages(sample):
    text = (DATA / "sentences.txt").read_bytes().decode("utf-8")
    passages = synthetic.passages(sample.asked)
    assert text == "\n".join("\n".join(sentences) + "\n" for sentences, _ in passages)
    assert len(passages) == 1500 and len(text) < 300_000
    for sentences, needs in passages:
        assert 3 <= len(sentences) == len(needs) <= 8 and all(map(is_plain, sentences))
        assert len({(need.topic, need.things) for need in needs}) == 1
    spoken_of = {need for _, needs in passages for need in needs}
    assert not spoken_of & set(sample.asked)
    assert {need.about for need in spoken_of} == {"entity", "pair", "site"}
    assert len({need.topic for need in spoken_of}) >= 16
    first, other = (synthetic.passages(sample.asked, seed, 20) for seed in (0, 1))
    assert passages[:20] == first != other


def test_near_needs_are_spoken_of_next_to_each_other(sample):
    for _, needs in synthetic.passages(sample.asked, 0, 200):
        near = wordings.intent_of(needs[0], WORDS).get("near", ())
        others = list(dict.fromkeys(need.intent for need in needs[1:] if need != needs[0]))
        assert sorted(others, key=lambda intent: intent not in near) == others


def test_candidates(sample, by_query):
    assert len(by_query) == 400
    # grouped
    assert [row[0] for row in sample.judgments] == [qid for qid in by_query for _ in range(15)]
    assert [row[0] for row in sample.needs] == list(by_query)
    for candidates in by_query.values():
        queries, docids, titles, grades = zip(*candidates)
        assert len(set(queries)) == 1
        assert list(docids) == sorted(set(docids)) and len(set(titles)) == 15
        assert 3 in grades and 0 in grades
    assert {grade for candidates in by_query.values() for *_, grade in candidates} == {0, 1, 2, 3}
    assert len({candidates[0][0] for candidates in by_query.values()}) == 400
    pairs = {(row[2], row[3]) for row in sample.judgments}
    # a docid is a title
    assert len(pairs) == len({docid for docid, _ in pairs}) == len({title for _, title in pairs})


def test_neither_place_nor_docid_tells_the_grade(by_query):
    rows = [(k, *row) for candidates in by_query.values() for k, row in enumerate(candidates)]
    places, _, docids, _, grades = zip(*rows)
    for key in (places, [int(docid[1:]) for docid in docids]):
        assert abs(np.corrcoef(key, grades)[0, 1]) < 3 / math.sqrt(len(rows))


def test_no_judged_need_or_query_is_in_training(sample):
    assert not {query for query, _ in sample.pairs} & {row[1] for row in sample.judgments}
    assert not set(sample.asked) & {need for need, _ in sample.searched}
    assert len(set(sample.asked)) == 400
    # yet every thing and every intent asked for is there, apart
    things = {(need.topic, thing) for need, _ in sample.searched for thing in need.things}
    intents = {(need.topic, need.about, need.intent) for need, _ in sample.searched}
    for need in sample.asked:
        assert all((need.topic, thing) in things for thing in need.things)
        assert (need.topic, need.about, need.intent) in intents


def test_reversed_pairs_are_in_training_and_among_the_candidates(sample):
    searched = {need for need, _ in sample.searched}
    pairs = [need for need in sample.asked if need.about == "pair"]
    assert share(synthetic_needs.reverse(need) in searched for need in pairs) > 0.5
    graded = defaultdict(list)
    for qid, _, _, title, grade in sample.judgments:
        graded[qid].append((set(title.split()), grade))
    n_both = []  # Bad titles with the very words of both things
    for row, need in zip(sample.needs, sample.asked):
        if need.about == "pair":
            called = [thing.split(" > ")[-1].split(" | ") for thing in need.things]
            names = [[set(name.split()) for name in one] for one in called]
            bad = [title for title, grade in graded[row[0]] if grade == 0]
            has_both = lambda title: all(any(name <= title for name in one) for one in names)
            n_both.append(sum(map(has_both, bad)))
    assert share(n >= 4 for n in n_both) > 0.95


def test_shares(sample):
    _, topics, kinds, misspelled, order, _ = zip(*sample.needs)
    near = lambda values, expected, abs: share(values) == pytest.approx(expected, abs=abs)
    assert near(misspelled, 0.20, 0.04)
    assert near((kind == "navigational" for kind in kinds), 0.20, 0.02)
    assert near((kind == "transactional" for kind in kinds), 0.10, 0.02)
    assert 0.20 <= share(order) <= 0.30
    assert len(set(topics)) >= 16 and {"food", "health", "travel", "home_repair"} <= set(topics)
    searched = [need for need, _ in sample.searched]
    assert near((need.about == "site" for need in searched), 0.20, 0.01)
    assert near((need.about == "pair" for need in searched), 0.30, 0.015)
    assert 0.10 <= share(grade < 2 for _, grade in sample.searched) <= 0.15  # wrong clicks


def test_roles(sample):
    filler = set(WORDS.common["filler"])
    for (_, query, *_), row in zip(sample.judgments[::15], sample.needs):
        roles = row[5].split(" ")
        assert len(roles) == len(query.split()) and set(roles) <= {"c", "f"}
        for word, role in zip(query.split(), roles):
            assert role == "c" or word in filler
            if row[4] and word in WORDS.common["order"]:
                assert role == "c"  # "from boston to denver"
    assert 0.1 < share(role == "f" for row in sample.needs for role in row[5].split()) < 0.3
