"""The sample data: what the files hold, and that they are what the stated model makes."""

import math
import pathlib
import random
from collections import defaultdict

import pytest
from processes import python

from lstm_course.sample import synthetic, synthetic_needs, wordings

DATA = pathlib.Path(__file__).parents[1] / "data_samples"
FILES = {"train_pairs.tsv": 2, "judgments.tsv": 5, "needs.tsv": 6}  # columns
WORDS = wordings.read_words()


def rows(name):
    return [
        line.split("\t")
        for line in (DATA / name).read_bytes().decode("utf-8").removesuffix("\n").split("\n")
    ]


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


def test_tracked_files_are_what_the_generator_makes(tmp_path):
    synthetic.write(tmp_path / "new folder", seed=0)
    for name in [*FILES, "titles.txt", "sentences.txt"]:
        assert (tmp_path / "new folder" / name).read_bytes() == (DATA / name).read_bytes(), name


def test_another_process_makes_the_same_another_seed_does_not():
    code = (
        "from lstm_course.sample import synthetic as s; import hashlib; "
        "print(*[hashlib.md5(repr(s.generate(k, 500, 40)).encode()).hexdigest() for k in (3, 4)])"
    )
    path = str(DATA.parent)
    runs = [python("-c", code, PYTHONHASHSEED=k, PYTHONPATH=path) for k in ("1", "2")]
    seen = [run.stdout.split() for run in runs]
    assert seen[0] == seen[1]
    assert seen[0][0] != seen[0][1]


def test_sizes_and_format():
    names = [*FILES, "titles.txt", "sentences.txt", "README.md"]
    assert sum((DATA / name).stat().st_size for name in names) <= 3_000_000
    titles = (DATA / "titles.txt").read_bytes().decode("utf-8").splitlines()
    assert titles == list(dict.fromkeys(title for _, title in rows("train_pairs.tsv")))
    for name, columns in FILES.items():
        data = (DATA / name).read_bytes()
        assert data.endswith(b"\n") and b"\r" not in data and b"\xef\xbb\xbf" not in data
        for row in rows(name):
            assert len(row) == columns
            for text in row:
                assert text and text == " ".join(text.lower().split())
    assert len(rows("train_pairs.tsv")) == 20_000
    assert len({title for _, title in rows("train_pairs.tsv")}) > 5_000
    assert len({query for query, _ in rows("train_pairs.tsv")}) > 10_000


def test_sentences_stand_by_passages(sample):
    text = (DATA / "sentences.txt").read_bytes().decode("utf-8")
    passages = synthetic.passages(sample.asked)
    assert text == "\n".join("\n".join(sentences) + "\n" for sentences, _ in passages)
    assert len(passages) == 1500 and len(text) < 300_000
    for sentences, needs in passages:
        assert 3 <= len(sentences) == len(needs) <= 8
        assert len({(need.topic, need.things) for need in needs}) == 1
        assert all(
            sentence and sentence == " ".join(sentence.lower().split()) for sentence in sentences
        )
    spoken_of = {need for _, needs in passages for need in needs}
    assert not spoken_of & set(sample.asked)
    assert {need.about for need in spoken_of} == {"entity", "pair", "site"}
    assert len({need.topic for need in spoken_of}) >= 16
    first = synthetic.passages(sample.asked, 0, 20)
    assert synthetic.passages(sample.asked, 1, 20) != passages[:20] == first


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
    for key in (lambda k, docid: k, lambda k, docid: int(docid[1:])):
        points = [
            (key(k, docid), grade)
            for candidates in by_query.values()
            for k, (_, docid, _, grade) in enumerate(candidates)
        ]
        n, (mx, my) = len(points), [share(column) for column in zip(*points)]
        covariance = sum((x - mx) * (y - my) for x, y in points)
        r = covariance / math.sqrt(
            sum((x - mx) ** 2 for x, _ in points) * sum((y - my) ** 2 for _, y in points)
        )
        assert abs(r) < 3 / math.sqrt(n)


def test_a_random_order_has_the_stated_ndcg(by_query):
    def expected(grades):  # every place holds the mean gain
        gains = [2**grade - 1 for grade in grades]
        discounts = [1 / math.log2(place + 1) for place in range(1, 11)]
        ideal = sum(g * d for g, d in zip(sorted(gains, reverse=True), discounts))
        return sum(gains) / len(gains) * sum(discounts) / ideal

    all_grades = ([grade for *_, grade in candidates] for candidates in by_query.values())
    assert 0.30 < share(map(expected, all_grades)) < 0.45


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
            names = [
                [set(name.split()) for name in thing.split(" > ")[-1].split(" | ")]
                for thing in need.things
            ]
            both = lambda title: all(any(name <= title for name in one) for one in names)
            n_both.append(sum(grade == 0 and both(title) for title, grade in graded[row[0]]))
    assert share(n >= 4 for n in n_both) > 0.95


def test_shares(sample):
    _, topics, kinds, misspelled, order, _ = zip(*sample.needs)
    assert share(misspelled) == pytest.approx(0.20, abs=0.04)
    assert share(kind == "navigational" for kind in kinds) == pytest.approx(0.20, abs=0.02)
    assert share(kind == "transactional" for kind in kinds) == pytest.approx(0.10, abs=0.02)
    assert 0.20 <= share(order) <= 0.30
    assert len(set(topics)) >= 16 and {"food", "health", "travel", "home_repair"} <= set(topics)
    searched = [need for need, _ in sample.searched]
    assert share(need.about == "site" for need in searched) == pytest.approx(0.20, abs=0.01)
    assert share(need.about == "pair" for need in searched) == pytest.approx(0.30, abs=0.015)
    assert 0.10 <= share(grade < 2 for _, grade in sample.searched) <= 0.15  # wrong clicks


def test_misspelled_training_queries():
    rng = random.Random(1)
    needs = rng.choices(synthetic_needs.all_needs(WORDS), k=5_000)
    assert share(wordings.ask(need, WORDS, rng).misspelled for need in needs) == pytest.approx(
        0.20, abs=0.02
    )


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


def test_sides_share_few_words(sample):
    """The gap that BM25 cannot bridge.

    What a query and a right title share, without the thing they are about.
    """
    jaccard = [
        len(q & t) / len(q | t)
        for (query, title), (need, grade) in zip(sample.pairs, sample.searched)
        if grade == 3 and need.about == "entity"
        for q, t in [(set(query.split()), set(title.split()))]
    ]
    assert share(jaccard) < 0.25
