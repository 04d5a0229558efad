"""Bad lines are named by file and line; nothing else is said."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusal import refused

from lstm_edu import InputError, read_judgments, read_pairs
from lstm_edu.data.readers import read_titles

JUDGMENT = b"q1\thotels in shanghai\td1\tshanghai hotels\t3\n"


BAD_PAIRS = [
    (b"", None, "is empty"),
    (b"a\tb\nonly one\n", 2, "1 column(s); expected 2: query <TAB> title"),
    (b"a\tb\tc\n", 1, "3 column(s)"),
    (b"a\tb\na\t\xff\n", 2, "not UTF-8"),
    (b"a\tb\x00\n", 1, "NUL byte"),
    (b"\tb\n", 1, "the query is empty"),
    (b"a\t \xc2\xa0\n", 1, "the title is empty"),
    (b"a\tb\n" + b"x" * 10_000_000 + b"\ty\n", 2, "a line of more than 100,000 bytes"),
]


@pytest.mark.parametrize("content, line, said", BAD_PAIRS)
def test_bad_pairs(tmp_path, content, line, said):
    path = tmp_path / "pairs.tsv"
    path.write_bytes(content)
    with refused() as error:
        read_pairs(path)
    assert said in str(error.value)
    assert str(error.value).startswith(f"{path}:{line}: " if line else f"{path}: ")


BAD_JUDGMENTS = [
    (b"q1\thotels in shanghai\td2\tx\t1.5\n", "grade '1.5'"),
    (b"q1\thotels in shanghai\td2\tx\t-1\n", "grade '-1'"),
    (b"q1\thotels in shanghai\td2\tx\t+1\n", "grade '+1'"),
    (b"q1\thotels in shanghai\td2\tx\t101\n", "whole number from 0 to 100"),
    (b"q1\thotels in shanghai\td2\tx\t" + b"9" * 9000 + b"\n", "whole number from 0 to 100"),
    ("q1\thotels in shanghai\td2\tx\t٣\n".encode(), "grade '٣'"),
    (b"q1\thotels in shanghai\td1\tx\t0\n", "document 'd1' of qid 'q1' was judged in line 1"),
    (b"q1\thotels\td2\tx\t0\n", "qid 'q1' has two queries"),
    (b"q1 \thotels\td2\tx\t0\n", "qid 'q1 ': cannot stand in TREC's files"),
    (b"q1\thotels\td\xc2\xa02\tx\t0\n", r"docid 'd\xa02': cannot stand"),
    (b"q1\thotels in shanghai\td2\tx\n", "4 column(s); expected 5"),
    (b"q1\thotels in shanghai\td2\t\t1\n", "the title is empty"),
]


@pytest.mark.parametrize("second, said", BAD_JUDGMENTS)
def test_bad_judgments(tmp_path, second, said):
    path = tmp_path / "judgments.tsv"
    path.write_bytes(JUDGMENT + second)
    with refused(re.escape(f"{path}:2: ") + ".*" + re.escape(said)):
        read_judgments(path)


def test_all_bad_lines_are_told_at_once(tmp_path):
    path = tmp_path / "pairs.tsv"
    good, long = "query {0}\ttitle {0}\n", "x" * 250_000 + "\ty\n"  # three pieces of one line
    text = good.format(1) + "one, two\n" + long + good.format(2) + "\tb\n" * 30
    path.write_text(text, encoding="utf-8", newline="\n")
    told = (
        "1 column(s); expected 2: query <TAB> title; it has commas, which part nothing here "
        "(line 2); a line of more than 100,000 bytes (line 3); the query is empty (line "
        f"{', '.join(map(str, range(5, 23)))} and 12 more)"
    )
    advice = "skip_bad=True, or --skip-bad, leaves them out"
    with refused() as error:
        read_pairs(path)
    assert str(error.value) == f"{path}: 32 of 34 lines are bad, {advice}: {told}"
    with pytest.warns(UserWarning) as warned:
        assert read_pairs(path, skip_bad=True) == [("query 1", "title 1"), ("query 2", "title 2")]
    assert [str(w.message) for w in warned] == [f"{path}: 32 of 34 lines are left out: {told}"]
    path.write_text("a\nb\n", encoding="utf-8", newline="\n")
    with refused("all 2 lines are bad: 1 column"):
        read_pairs(path, skip_bad=True)


def test_a_kind_of_bad_line_that_comes_late_is_told_with_how_many(tmp_path):
    path = tmp_path / "pairs.tsv"
    path.write_text("a\n" * 25 + "a\tb\tc\n" * 2000 + "a\tb\n", encoding="utf-8", newline="\n")
    with refused(
        r"2,025 of 2,026 .*\(line 1, 2, .* 20 and 5 more\); 3 col.*\(line 26 and 1,999 more\)$"
    ):
        read_pairs(path)


def test_all_bad_lines_of_judgments_are_told_at_once(tmp_path):
    path = tmp_path / "judgments.tsv"
    line = "q{}\thotels\td{}\tinn\t{}\n".format
    lines = [line(1, 1, 2), line(1, 2, "1.5"), line(1, 1, 0), "q1\td3\n", line(2, 1, "1.5")]
    lines += [line(3, k, f"{k}.5") for k in range(30)]
    path.write_text("".join(lines), encoding="utf-8", newline="\n")
    with refused(r"34 of 35 lines are bad: grade '1.5'; .* \(line 2, 5, 7\)") as error:
        read_judgments(path)
    said = str(error.value)
    assert "document 'd1' of qid 'q1' was judged in line 1 (line 3)" in said
    assert said.endswith("other mistakes (line 24 and 11 more)")


HEADERS = [
    ("Query\tClicked Title", r"a header \(Query <TAB> Clicked Title\); take it out"),
    ("QUERY\tclicked_title", "a header"),
    (" search term \turl\r", "a header"),
    ("\ufeffquery\ttitle", "a header"),
    ("title\tdoc", "a header"),
    ("# QueryId\tpassage-text", "a header"),
    ("_id\tcorpus-id", "a header"),
]


@pytest.mark.parametrize("first, said", HEADERS)
def test_a_header_is_refused_by_what_its_columns_are_called(tmp_path, first, said):
    path = tmp_path / "pairs.tsv"
    path.write_text(f"{first}\na\tb\n", encoding="utf-8", newline="\n")
    with refused(f"^{re.escape(str(path))}:1: {said}"):
        read_pairs(path)
    with pytest.warns(UserWarning, match=f"1 of 2 lines are left out: {said}"):
        assert read_pairs(path, skip_bad=True) == [("a", "b")]
    path.write_text(f"a\tb\n{first}\n", encoding="utf-8", newline="\n")
    assert len(read_pairs(path)) == 2  # further down it is what somebody has typed


def test_what_may_be_a_header_is_asked_about_and_read(tmp_path):
    path = tmp_path / "pairs.tsv"
    path.write_text("suchanfrage\ttitle\na\tb\n", encoding="utf-8", newline="\n")
    with pytest.warns(UserWarning, match=r":1: is this a header \(suchanfrage <TAB> title\)\?"):
        assert read_pairs(path)[0] == ("suchanfrage", "title")
    path.write_text("title of a book\tbooks and their titles\n", encoding="utf-8", newline="\n")
    assert len(read_pairs(path)) == 1  # and nothing is said


def test_long_lines_are_named_with_what_they_cost_and_can_be_cut(tmp_path):
    path = tmp_path / "pairs.tsv"
    text = "a b\tc d\n" * 49 + "a  b\tx" + " x" * 289 + "\nq\ty" + " y" * 98 + "\n"
    path.write_text(text, encoding="utf-8", newline="\n")
    said = r"1 line\(s\) of more than 100 words, 50: with them an epoch reads 2.0 times"
    with pytest.warns(UserWarning, match=said):
        assert len(read_pairs(path)[49][1].split()) == 290
    cut = read_pairs(path, max_words=3)
    assert cut[0] == ("a b", "c d") and cut[49:] == [("a  b", "x x x"), ("q", "y y y")]


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
        with refused(said):
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
