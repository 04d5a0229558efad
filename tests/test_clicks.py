"""Bad lines are named by file and line; nothing else is said."""

import os
import re
import subprocess
import sys
import weakref

import numpy as np
import pytest
from conftest import needs
from hypothesis import given
from hypothesis import strategies as st
from small_log import PAIRS

from lstm_edu import (
    LSTM,
    DualEncoder,
    InputError,
    LetterTrigrams,
    read_judgments,
    read_pairs,
    train,
)
from lstm_edu.data.readers import iter_pairs, iter_titles, read_titles
from lstm_edu.ranking import nearest
from lstm_edu.text import sentences
from lstm_edu.training import minibatches

JUDGMENT = b"q1\thotels in shanghai\td1\tshanghai hotels\t3\n"


@pytest.mark.parametrize(
    "content, line, said",
    [
        (b"", None, "is empty"),
        (b"a\tb\nonly one\n", 2, "1 column(s); expected 2: query <TAB> title"),
        (b"a\tb\tc\n", 1, "3 column(s)"),
        (b"a\tb\n\n", 2, "1 column(s)"),
        (b"a\tb\na\t\xff\n", 2, "not UTF-8"),
        (b"a\tb\x00\n", 1, "NUL byte"),
        (b"\tb\n", 1, "the query is empty"),
        (b"a\t \xc2\xa0\n", 1, "the title is empty"),
        (b"a\tb\n" + b"x" * 10_000_000 + b"\ty\n", 2, "a line of more than 100,000 bytes"),
    ],
)
def test_bad_pairs(tmp_path, content, line, said):
    path = tmp_path / "pairs.tsv"
    path.write_bytes(content)
    with pytest.raises(InputError) as error:
        read_pairs(path)
    assert said in str(error.value) and "\n" not in str(error.value)
    assert str(error.value).startswith(f"{path}:{line}: " if line else f"{path}: ")


@pytest.mark.parametrize(
    "second, said",
    [
        (b"q1\thotels in shanghai\td2\tx\t1.5\n", "grade '1.5'"),
        (b"q1\thotels in shanghai\td2\tx\t-1\n", "grade '-1'"),
        (b"q1\thotels in shanghai\td2\tx\t+1\n", "grade '+1'"),
        (b"q1\thotels in shanghai\td2\tx\tgood\n", "grade 'good'"),
        (b"q1\thotels in shanghai\td2\tx\t101\n", "whole number from 0 to 100"),
        (b"q1\thotels in shanghai\td2\tx\t" + b"9" * 9000 + b"\n", "whole number from 0 to 100"),
        ("q1\thotels in shanghai\td2\tx\t٣\n".encode(), "grade '٣'"),
        (b"q1\thotels in shanghai\td1\tx\t0\n", "document 'd1' of qid 'q1' was judged in line 1"),
        (b"q1\thotels\td2\tx\t0\n", "qid 'q1' has two queries"),
        (b"q1\thotels in shanghai\td2\tx\n", "4 column(s); expected 5"),
        (b"q1\thotels in shanghai\td2\t\t1\n", "the title is empty"),
    ],
)
def test_bad_judgments(tmp_path, second, said):
    path = tmp_path / "judgments.tsv"
    path.write_bytes(JUDGMENT + second)
    with pytest.raises(InputError, match=re.escape(f"{path}:2: ") + ".*" + re.escape(said)):
        read_judgments(path)


def test_all_bad_lines_are_told_at_once(tmp_path):
    path = tmp_path / "pairs.tsv"
    good, long = "query {0}\ttitle {0}\n", "x" * 250_000 + "\ty\n"  # three pieces of one line
    path.write_text(good.format(1) + "one, two\n" + long + good.format(2) + "\tb\n" * 30)
    told = (
        "1 column(s); expected 2: query <TAB> title; it has commas, which part nothing here "
        "(line 2); a line of more than 100,000 bytes (line 3); the query is empty (line "
        f"{', '.join(map(str, range(5, 23)))}); and 12 more"
    )
    advice = "skip_bad=True, or --skip-bad, leaves them out"
    with pytest.raises(InputError) as error:
        read_pairs(path)
    assert str(error.value) == f"{path}: 32 of 34 lines are bad, {advice}: {told}"
    with pytest.warns(UserWarning) as warned:
        assert read_pairs(path, skip_bad=True) == [("query 1", "title 1"), ("query 2", "title 2")]
    assert [str(w.message) for w in warned] == [f"{path}: 32 of 34 lines are left out: {told}"]
    path.write_text("a\nb\n")
    with pytest.raises(InputError, match="all 2 lines are bad: 1 column"):
        read_pairs(path, skip_bad=True)


@pytest.mark.parametrize(
    "first, said",
    [
        ("Query\tClicked Title", r"a header \(Query <TAB> Clicked Title\); take it out"),
        ("QUERY\tclicked_title", "a header"),
        (" search term \turl", "a header"),
        ("title\tdoc", "a header"),
    ],
)
def test_a_header_is_refused_by_what_its_columns_are_called(tmp_path, first, said):
    path = tmp_path / "pairs.tsv"
    path.write_text(f"{first}\na\tb\n")
    with pytest.raises(InputError, match=f"^{re.escape(str(path))}:1: {said}"):
        read_pairs(path)
    with pytest.warns(UserWarning, match=f"1 of 2 lines are left out: {said}"):
        assert read_pairs(path, skip_bad=True) == [("a", "b")]
    path.write_text(f"a\tb\n{first}\n")
    assert len(read_pairs(path)) == 2  # further down it is what somebody has typed


def test_what_may_be_a_header_is_asked_about_and_read(tmp_path):
    path = tmp_path / "pairs.tsv"
    path.write_text("suchanfrage\ttitle\na\tb\n")
    with pytest.warns(UserWarning, match=r":1: is this a header \(suchanfrage <TAB> title\)\?"):
        assert read_pairs(path)[0] == ("suchanfrage", "title")
    path.write_text("title of a book\tbooks and their titles\n")
    assert len(read_pairs(path)) == 1  # and nothing is said


def test_long_lines_are_named_with_what_they_cost_and_can_be_cut(tmp_path):
    path = tmp_path / "pairs.tsv"
    path.write_text("a b\tc d\n" * 49 + "a  b\t" + "x " * 290 + "\nq\t" + "y " * 99 + "\n")
    said = r"1 line\(s\) of more than 100 words, 50: with them an epoch reads 2.0 times"
    with pytest.warns(UserWarning, match=said):
        assert len(read_pairs(path)[49][1].split()) == 290
    cut = read_pairs(path, max_words=3)
    assert cut[0] == ("a b", "c d") and cut[49:] == [("a  b", "x x x"), ("q", "y y y")]
    with pytest.raises(InputError, match="^max_words: 0; must be None or a whole number from 1"):
        read_pairs(path, max_words=0)


def test_what_is_accepted(tmp_path):
    path = tmp_path / "pairs.tsv"
    path.write_bytes("\ufeffHôtels\tA  title\r\nb\tc\r\nb\tc".encode())
    assert read_pairs(path) == [("Hôtels", "A  title"), ("b", "c"), ("b", "c")]
    path.write_bytes(JUDGMENT + b"q2\tb\td1\tx\t0\nq1\thotels in shanghai\td2\ty\t0\n")
    first, second = read_judgments(path)
    assert first == ("q1", "hotels in shanghai", ["d1", "d2"], ["shanghai hotels", "y"], [3, 0])
    assert second.qid == "q2"
    path.write_bytes(b"one\ntwo words\n")
    assert read_titles(path) == ["one", "two words"]


def test_files_that_cannot_be_read(tmp_path):
    for path, said in ((tmp_path / "none", "No such file"), (tmp_path, "Is a directory")):
        with pytest.raises(InputError, match=said):
            read_pairs(path)


line = st.text(
    st.characters(exclude_characters="\t\n\r\0", exclude_categories=["Cs"]), min_size=1
).filter(str.strip)


@given(st.lists(st.tuples(line, line), min_size=1))
def test_any_texts_are_read_back(tmp_path_factory, pairs):
    path = tmp_path_factory.mktemp("any") / "pairs.tsv"
    path.write_bytes("".join(f"{q}\t{d}\n" for q, d in pairs).encode())
    if pairs[0][0].startswith("\ufeff"):
        return  # taken for a byte-order mark, as it must be
    assert read_pairs(path) == pairs


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused_in_one_line(tmp_path_factory, content):
    path = tmp_path_factory.mktemp("any") / "file"
    path.write_bytes(content)
    for read in (read_pairs, read_judgments, read_titles):
        try:
            read(path)
        except InputError as error:
            assert str(error).startswith(str(path))


# Files larger than memory


class Text(str):
    """A text that can be watched."""


def test_of_pairs_that_come_one_by_one_none_is_kept():
    alive, most = weakref.WeakSet(), []

    def one_by_one():
        for query, title in PAIRS * 5:
            pair = Text(query), Text(title)
            for text in pair:
                alive.add(text)
            most.append(len(list(alive)))
            yield pair

    hashing = LetterTrigrams.fit(text for pair in one_by_one() for text in pair)
    assert hashing.trigrams == LetterTrigrams.fit(text for pair in PAIRS for text in pair).trigrams
    model = DualEncoder(LSTM(2), hashing)
    train(model, one_by_one(), epochs=1)
    assert len(most) == 2 * 5 * len(PAIRS) and max(most) <= 4


def test_a_file_read_in_passing_trains_the_same_model(tmp_path):
    path, models = tmp_path / "pairs.tsv", []
    path.write_text(
        "".join(f"{q}\t{d}\n" for q, d in PAIRS[::2] + [(q.upper(), f" {d}") for q, d in PAIRS]),
        encoding="utf-8",
    )
    assert list(iter_pairs(path)) == read_pairs(path)
    for read in (read_pairs, iter_pairs):
        model = DualEncoder(
            LSTM(4), LetterTrigrams.fit(text for pair in read(path) for text in pair)
        )
        train(
            model, read(path), epochs=2, batch_size=16, held_out=0.2, checkpoint=tmp_path / "m.npz"
        )
        models.append((tmp_path / "m.npz").read_bytes())
        (tmp_path / "m.npz").unlink()
    assert models[0] == models[1]


def test_a_bad_line_is_named_when_it_comes_and_nothing_is_trained(tmp_path):
    path = tmp_path / "pairs.tsv"
    path.write_text("".join(f"{q}\t{d}\n" for q, d in PAIRS) + "hotel\n", encoding="utf-8")
    model = DualEncoder(LSTM(2), LetterTrigrams.fit(text for pair in PAIRS for text in pair))
    before, reading = model.query.weights["W"].copy(), iter_pairs(path)
    assert [next(reading) for _ in PAIRS] == PAIRS
    for read in (
        lambda: next(reading),
        lambda: train(model, iter_pairs(path), checkpoint=tmp_path / "m.npz"),
    ):
        with pytest.raises(InputError, match=f"pairs.tsv:{len(PAIRS) + 1}: 1 column"):
            read()
    assert (model.query.weights["W"] == before).all() and not (tmp_path / "m.npz").exists()
    titles = tmp_path / "titles.txt"
    titles.write_text("a\nb c\n\n", encoding="utf-8")
    for read in (read_titles, lambda path: list(iter_titles(path))):
        with pytest.raises(InputError, match="titles.txt:3: the title is empty"):
            read(titles)


@pytest.mark.filterwarnings("ignore:.*no letter trigram")
@given(
    st.lists(
        st.tuples(
            *2
            * [
                st.lists(st.sampled_from(["a", "B", "b", "ab", "Ж"]), min_size=1, max_size=3).map(
                    "  ".join
                )
            ]
        ),
        min_size=1,
        max_size=30,
    )
)
def test_texts_are_numbered_in_the_order_in_which_they_come(pairs):
    """Against a dictionary of the texts themselves."""
    log = minibatches.from_pairs(iter(pairs), LetterTrigrams(["#a#", "#b#", "#ab", "ab#", "#ж#"]))
    for texts, ids, read in (
        (list(column), number, side)
        for column, number, side in zip(
            zip(*pairs), (log.query, log.title), (log.queries, log.titles)
        )
    ):
        plain = [" ".join(text.lower().split()) for text in texts]
        distinct = list(dict.fromkeys(plain))
        assert [distinct[k] for k in ids] == plain
        expected = sentences.from_texts(
            distinct, LetterTrigrams(["#a#", "#b#", "#ab", "ab#", "#ж#"])
        )
        assert (
            read.ids.tolist() == expected.ids.tolist()
            and read.starts.tolist() == expected.starts.tolist()
        )
        assert (read.Wh != expected.Wh).nnz == 0


@pytest.fixture
def encoded(tmp_path, monkeypatch):
    """A model, the file of its titles, read block by block, and what they are encoded to."""
    monkeypatch.setattr("lstm_edu.models.dual_encoder.LINES", 7)
    path = tmp_path / "titles.txt"
    path.write_text("".join(f"{title}\n" for _, title in PAIRS), encoding="utf-8")
    model = DualEncoder(LSTM(4), LetterTrigrams.fit(text for pair in PAIRS for text in pair))
    model.encode_titles(path, tmp_path / "expected.npy")
    return model, path, tmp_path / "expected.npy"


@needs("named pipes")
def test_titles_come_through_a_pipe(encoded, tmp_path):
    model, path, expected = encoded
    os.mkfifo(tmp_path / "pipe")
    code = (
        "import shutil, sys; shutil.copyfileobj(open(sys.argv[1], 'rb'), open(sys.argv[2], 'wb'))"
    )
    writer = subprocess.Popen([sys.executable, "-c", code, path, tmp_path / "pipe"])
    model.encode_titles(tmp_path / "pipe", tmp_path / "out.npy")
    assert not writer.wait()
    assert (tmp_path / "out.npy").read_bytes() == expected.read_bytes()


def during(model, monkeypatch, happens):
    """Something happens when the second block of titles is encoded."""
    encode, calls = model.encode_document, []

    def encode_document(*args):
        calls.append(args)
        if len(calls) == 2:
            happens()
        return encode(*args)

    monkeypatch.setattr(model, "encode_document", encode_document)


def test_a_file_of_titles_that_grows_meanwhile(encoded, tmp_path, monkeypatch):
    model, path, expected = encoded

    def grow():
        with open(path, "a", encoding="utf-8", newline="") as file:
            file.write("oslo inn\n" * 5)

    during(model, monkeypatch, grow)
    model.encode_titles(path, tmp_path / "out.npy")
    found = np.load(tmp_path / "out.npy")
    assert len(found) == len(PAIRS) + 5 and (found[: len(PAIRS)] == np.load(expected)).all()


def test_a_file_of_titles_that_shrinks_meanwhile(encoded, tmp_path, monkeypatch):
    model, path, expected = encoded
    before = expected.read_bytes()
    during(model, monkeypatch, lambda: path.write_text("a\n", encoding="utf-8"))
    with pytest.raises(InputError, match="titles.txt: was cut short while it was read"):
        model.encode_titles(path, expected)
    assert expected.read_bytes() == before
    assert sorted(os.listdir(tmp_path)) == ["expected.npy", "titles.txt"]


@pytest.mark.parametrize("link", [None, os.link, os.symlink])
def test_titles_are_not_replaced_by_what_they_are_encoded_to(encoded, tmp_path, link):
    model, path, _ = encoded
    before, out = path.read_bytes(), path if link is None else tmp_path / "link"
    if link is not None:
        try:
            link(path, out)
        except OSError:
            pytest.skip("no links here")
    for read, written in ((path, out), (out, path)):
        with pytest.raises(InputError, match="^out: .* is to be read, not written"):
            model.encode_titles(read, written)
    assert path.read_bytes() == before


def test_titles_are_encoded_and_searched_from_file_to_file(tmp_path, monkeypatch):
    path, out = tmp_path / "titles.txt", tmp_path / "titles.npy"
    path.write_text("".join(f"{title}\n" for _, title in PAIRS), encoding="utf-8")
    model = DualEncoder(LSTM(4), LetterTrigrams.fit(text for pair in PAIRS for text in pair))
    expected = model.encode_document(read_titles(path))
    monkeypatch.setattr("lstm_edu.models.dual_encoder.LINES", 7)
    model.encode_titles(path, out)
    found = np.load(out, mmap_mode="r")
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, expected, atol=1e-7)
    queries = model.encode_query(["hotel oslo", "pizza"])
    assert (nearest.top(queries, found, 3)[0] == nearest.top(queries, expected, 3)[0]).all()
    before = out.read_bytes()
    path.write_text("inn\n\n", encoding="utf-8")
    with pytest.raises(InputError, match="titles.txt:2: the title is empty"):
        model.encode_titles(path, out)
    assert out.read_bytes() == before and sorted(os.listdir(tmp_path)) == [
        "titles.npy",
        "titles.txt",
    ]
