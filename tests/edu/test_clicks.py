"""Tests of the functions that read logs, judgments and titles, and of their error messages."""

import gzip
import os
import pickle
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusal import memory, refused

from lstm_edu import InputError, load, read_judgments, read_pairs
from lstm_edu._util.looks import looks_like
from lstm_edu.readers import iter_pairs, read_passages, read_titles

JUDGMENT = b"q1\thotels in shanghai\td1\tshanghai hotels\t3\n"


HOTELS = JUDGMENT + b"q1\thotels in shanghai\t"
BAD = [
    (read_pairs, b"", ": is empty"),
    (read_pairs, b"a\tb\rc\td\r", ":1: a carriage return within the line; lines must end with"),
    (read_titles, b"a\r" * 60_000, ":1: a carriage return"),
    (read_titles, b"\x7fELF\2\1\xff\0\n", ": looks like data of an unknown kind; expected titles"),
    (read_pairs, b"a\tb\nonly one\n", ":2: 1 column(s); expected 2: query <TAB> title"),
    (read_pairs, b"a\tb\tc\n", ":1: 3 column(s)"),
    (read_pairs, b"a\tb\na\t\xff\n", ":2: not UTF-8"),
    (read_pairs, b"a\tb\x00\n", ":1: a NUL byte"),
    (read_pairs, b"\tb\n", ":1: the query is empty"),
    (read_pairs, b"a\t \xc2\xa0\n", ":1: the title is empty"),
    (read_pairs, b"a\tb\n" + b"x" * 9**7 + b"\ty\n", ":2: a line of more than 100,000 bytes"),
    (read_judgments, HOTELS + b"d2\tx\t1.5\n", ":2: grade '1.5'"),
    (read_judgments, HOTELS + b"d2\tx\t-1\n", ":2: grade '-1'"),
    (read_judgments, HOTELS + b"d2\tx\t101\n", ":2: grade '101'; must be a whole number from 0 to"),
    (read_judgments, HOTELS + b"d2\tx\t" + b"9" * 9000, f":2: grade '{'9' * 20}'; must be a whole"),
    (read_judgments, HOTELS + "d2\tx\t٣\n".encode(), ":2: grade '٣'"),
    (read_judgments, HOTELS + b"d1\tx\t0\n", ":2: document 'd1' of qid 'q1' was judged in line 1"),
    (read_judgments, HOTELS + b"d\xc2\xa02\tx\t0\n", r":2: docid 'd\xa02': does not fit"),
    (read_judgments, HOTELS + b"d2\tx\n", ":2: 4 column(s); expected 5"),
    (read_judgments, JUDGMENT + b"q1\thotels\td2\tx\t0\n", ":2: qid 'q1' has two queries"),
    (read_judgments, JUDGMENT + b"q1 \thotels\td2\tx\t0\n", ":2: qid 'q1 ': does not fit into"),
]


@pytest.mark.parametrize("read, content, said", BAD)
def test_reader_error_reports_bad_line(tmp_path, read, content, said):
    path = tmp_path / "log.tsv"
    path.write_bytes(content)
    with refused("^" + re.escape(f"{path}{said}")):
        read(path)


LFS = b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n"
PAGE = b"\xef\xbb\xbf<!doctype HTML>\n<html><head><title>Not found</title></head></html>\n"
FILES = [
    (LFS, "a pointer of Git LFS (`git lfs pull` fetches the file)"),
    (PAGE, "a web page (HTML or XML)"),
    (b"PK\3\4" + b"\0" * 26 + b"[Content_Types].xml", "a file of Excel or Word"),
    (
        bytes([65, *[0] * 7]) + b'{"w":{"dtype":"F32","shape":[2],',
        "a .safetensors of another program",
    ),
    (pickle.dumps({"a": 1}), "a Python pickle, as PyTorch and scikit-learn write"),
    ("a\tb\n".encode("utf-16"), "text in UTF-16, not in UTF-8"),
    (gzip.compress(gzip.compress(b"a\tb\n")), "a gzipped file"),
]


@pytest.mark.parametrize("content, kind", FILES, ids=[kind for _, kind in FILES])
@pytest.mark.parametrize("read", [read_pairs, read_judgments, read_titles, read_passages, load])
def test_reader_error_states_kind_of_unexpected_file(tmp_path, read, content, kind):
    path = tmp_path / "file"
    for written in (content, gzip.compress(content)):
        path.write_bytes(written)
        said = re.escape(f"{path}: looks like {kind}")
        with refused(f"^{said}(, gzipped)?; expected "):
            read(path)
    with refused("^" + re.escape(f"{tmp_path}: ") + "(is|looks like) a folder; expected "):
        read(tmp_path)


KINDS = [
    ("q1\tQ0\td1\t1\t-1.5e-3\ttag\r\n", "a TREC run"),
    ("qid\tquery\tdocid\ttitle\tgrade\nq1\tlong query\td1\t2001 9\t3\n", "judged queries"),
    ('{"_id": "d1", "text": "ab"}\n', "JSON"),
    ("# q1 0 d1 2\n\nq Q0 d 1 .5\n", "a TREC run without its last column, the tag"),
    ("<html> for beginners\nPAR1 lamps\n", "lines of text"),
    ("a\0b", "data of an unknown kind"),
]


@pytest.mark.parametrize("text, kind", KINDS, ids=[kind for _, kind in KINDS])
def test_looks_like_describes_kind_of_text(tmp_path, text, kind):
    path = tmp_path / "file"
    for content in (text.encode(), gzip.compress(text.encode())):
        path.write_bytes(content)
        assert looks_like(path) == kind


@pytest.mark.parametrize("name", ["pairs.tsv.gz", "PAIRS.TSV.GZ", "pairs.tsv"])
def test_read_pairs_recognises_gzip_under_any_name(tmp_path, name):
    path, text = tmp_path / name, b"".join(b"query %d\ttitle %d\n" % (k, k) for k in range(9999))
    whole = gzip.compress(text)
    for content in (whole, gzip.compress(text[:5000]) + gzip.compress(text[5000:])):
        path.write_bytes(content)
        assert len(read_pairs(path)) == 9999
    changed = bytearray(whole)
    changed[len(whole) // 2] ^= 0x55
    for content in (whole[:12], whole[:-9000], whole[:-1], changed, whole + b"more"):
        path.write_bytes(content)
        with refused("^" + re.escape(f"{path}: a gzipped file, damaged or cut short (")):
            read_pairs(path, skip_bad=True)


def test_read_pairs_decompresses_one_line_at_a_time(tmp_path):
    path = tmp_path / "pairs.tsv.gz"
    path.write_bytes(gzip.compress(b"a\tb\n" + b"x" * 50_000_000))
    with memory() as taken, refused(":2: a line of more than 100,000 bytes"):
        read_pairs(path)
    assert taken() < 2_000_000


def test_read_pairs_reports_or_skips_all_bad_lines(tmp_path):
    path = tmp_path / "pairs.tsv"
    good, long = "query {0}\ttitle {0}\n", "x" * 250_000 + "\ty\n"  # `long` exceeds two buffers
    text = good.format(1) + "one, two\n" + long + good.format(2) + "\tb\n" * 30
    path.write_text(text, encoding="utf-8", newline="\n")
    reasons = (
        "1 column(s); expected 2: query <TAB> title; it has commas, which separate nothing here "
        "(line 2); a line of more than 100,000 bytes (line 3); the query is empty (30 lines: "
        f"{', '.join(map(str, range(5, 15)))} and 20 more)"
    )
    advice = "skip_bad=True leaves them out"
    with refused() as error:
        read_pairs(path)
    assert str(error.value) == f"{path}: 32 of 34 lines are bad, {advice}: {reasons}"
    with pytest.warns(UserWarning) as warned:
        assert read_pairs(path, skip_bad=True) == [("query 1", "title 1"), ("query 2", "title 2")]
    assert [str(w.message) for w in warned] == [f"{path}: 32 of 34 lines are left out: {reasons}"]
    path.write_text("a\nb\n", encoding="utf-8", newline="\n")
    with refused("2 of 2 lines are bad: 1 column"):
        read_pairs(path, skip_bad=True)


def test_read_judgments_lists_all_bad_grades_with_line_numbers(tmp_path):
    path = tmp_path / "judgments.tsv"
    rows = [f"q\thotels\td{k}\ttitle\t{k if k < 9 else f'{k}.5'}\n" for k in range(30)]
    path.write_text("".join(rows[:22]) + rows[0] + "q\thotels\n", encoding="utf-8", newline="\n")
    grades = ", ".join(f"{k + 1} '{k}.5'" for k in range(9, 19))
    said = (
        "15 of 24 lines are bad: grade …; must be a whole number from 0 to 100 (13 lines: "
        f"{grades} and 3 more); document … of qid … was judged in line … (line 23 'd0'); 2 column"
    )
    with refused(f"^{re.escape(f'{path}: {said}')}"):
        read_judgments(path)


def test_iter_pairs_refuses_file_that_is_cut_short_while_it_is_read(tmp_path):
    path = tmp_path / "pairs.tsv"
    path.write_bytes(b"hotels\ta hotel\n" * 100_000)
    pairs = iter_pairs(path)
    next(pairs)
    os.truncate(path, 750_000)  # cut at the end of a line
    with refused("pairs.tsv: was cut short while it was read$"):
        list(pairs)


HEADERS = [
    ("Query\tClicked Title", r"a header \(Query <TAB> Clicked Title\); take it out"),
    ("\ufeffQUERY\ttitle", "a header"),
    ("# QueryId\tpassage-text", "a header"),
]


@pytest.mark.parametrize("first, said", HEADERS)
def test_read_pairs_refuses_header_with_known_column_names(tmp_path, first, said):
    path = tmp_path / "pairs.tsv"
    path.write_text(f"{first}\na\tb\n", encoding="utf-8", newline="\n")
    with refused(f"^{re.escape(str(path))}:1: {said}"):
        read_pairs(path)
    with pytest.warns(UserWarning, match=f"1 of 2 lines are left out: {said}"):
        assert read_pairs(path, skip_bad=True) == [("a", "b")]
    path.write_text(f"a\tb\n{first}\n", encoding="utf-8", newline="\n")
    assert len(read_pairs(path)) == 2  # the same line is data if it isn't the first


def test_read_pairs_warns_about_first_line_with_one_column_name(tmp_path):
    path = tmp_path / "pairs.tsv"
    path.write_text("What was typed\tTitle\na\tb\n", encoding="utf-8", newline="\n")
    said = r"pairs.tsv:1: is this a header \(What was typed <TAB> Title\)\? It is read as data"
    with pytest.warns(UserWarning, match=said):
        assert len(read_pairs(path)) == 2


def test_read_pairs_warns_about_long_lines_and_truncates_to_max_words(tmp_path):
    path = tmp_path / "pairs.tsv"
    text = "a b\tc d\n" * 49 + "a  b\tx" + " x" * 289 + "\nq\ty" + " y" * 98 + "\n"
    path.write_text(text, encoding="utf-8", newline="\n")
    said = r"1 line\(s\) of more than 100 words, 50; max_words=100, or --max-words 100, reads"
    with pytest.warns(UserWarning, match=said):
        assert len(read_pairs(path)[49][1].split()) == 290
    cut = read_pairs(path, max_words=3)
    assert cut[0] == ("a b", "c d") and cut[49:] == [("a b", "x x x"), ("q", "y y y")]


def test_readers_return_texts_in_file_order(tmp_path):
    path = tmp_path / "pairs.tsv"
    path.write_bytes("\ufeffHôtels\tA  title\r\nb\tc\r\nb\tc".encode())
    assert read_pairs(path) == [("Hôtels", "A  title"), ("b", "c"), ("b", "c")]
    path.write_bytes(JUDGMENT + b"q2\tb\td1\tx\t0\nq1\thotels in shanghai\td2\ty\t0\n")
    first, second = read_judgments(path)
    assert first == ("q1", "hotels in shanghai", ["d1", "d2"], ["shanghai hotels", "y"], [3, 0])
    assert second.qid == "q2"
    path.write_bytes(b"one\ntwo, in words\n")
    assert read_titles(path) == ["one", "two, in words"]


line = st.text(st.characters(codec="utf-8", exclude_characters="\t\n\r\0")).filter(str.strip)


@given(st.lists(st.tuples(line, line), min_size=1))
def test_read_pairs_returns_arbitrary_texts_unchanged(tmp_path_factory, pairs):
    path = tmp_path_factory.mktemp("any") / "pairs.tsv"
    path.write_bytes("".join(f"{q}\t{d}\n" for q, d in pairs).encode())
    if pairs[0][0].startswith("\ufeff"):
        return  # a leading U+FEFF is read as a byte-order mark
    assert read_pairs(path) == pairs


@given(st.binary(max_size=200))
def test_readers_accept_arbitrary_bytes_or_raise_one_line_error(tmp_path_factory, content):
    path = tmp_path_factory.mktemp("any") / "file"
    path.write_bytes(content)
    for read in (read_pairs, read_judgments, read_titles):
        try:
            read(path)
        except InputError as error:
            assert str(error).startswith(str(path))
