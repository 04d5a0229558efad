"""Read click logs, judgments and titles line by line, and name each bad line.

Files are UTF-8, tab separated: pairs are ``query<TAB>title``, judgments
``qid<TAB>query<TAB>docid<TAB>title<TAB>grade``. Windows line ends and a byte-order mark are
accepted. A first line of known column names is refused; with ``header=True`` the first line is
skipped, unless it has a number in the column of grades or scores.

`read_lines` reads all text files, here and in `lstm_tools.formats`: it calls a parser on each line
and collects the bad lines, so that one error, or one warning, names them all.
"""

import os
import pathlib
import re
import warnings
from typing import NamedTuple

from ._util import arguments
from ._util.files import InputError, Path

LONGEST_LINE = 100_000  # bytes; a longer line is a broken file, not a title
HIGHEST_GRADE = 100  # 2^grade must not overflow
SHOWN = 10  # kinds of mistakes in a message, and lines per kind
LONG = 100  # words of a query and its title; more are probably a mistake
SURROGATE = re.compile("[\ud800-\udfff]")  # half a character, which UTF-8 cannot encode
# usual names of columns, reduced to letters and digits
HEADS = set(
    """qid queryid query queries querytext search searchterm keyword docid docno documentid pid
    passageid corpusid id doc document passage text title doctitle doctext passagetext clickedtitle
    documenttitle documenttext url grade relevance label rank score tag""".split()
)


def sample() -> pathlib.Path:
    """Return the folder of the sample data, wherever the package is installed.

    Returns
    -------
    pathlib.Path
        With ``train_pairs.tsv``, ``judgments.tsv`` and the files that ``README.md`` describes.
    """
    here = pathlib.Path(__file__)
    # setup.py copies the files into a wheel; a checkout has them at its top
    inside, checkout = here.with_name("data_samples"), here.parents[1] / "data_samples"
    return inside if inside.exists() else checkout


# ---- judged queries


class Judged(NamedTuple):
    """One judged query with its candidates.

    Attributes
    ----------
    qid, query : str
    docids, titles : list of str
        An empty title means a judged document without a text: it counts as not found.
    grades : list of int
        0 is Bad.
    """

    qid: str
    query: str
    docids: list
    titles: list
    grades: list


def checked_grades(name, grades):
    """Return grades as a list of int; raise InputError unless they are 0 to `HIGHEST_GRADE`."""
    return arguments.wholes(name, grades, "n_titles", high=HIGHEST_GRADE).tolist()


def checked_judgments(judgments):
    """Return judged queries as a list of Judged, with whole grades from 0 to `HIGHEST_GRADE`.

    Raises
    ------
    InputError
        An item is no Judged, its numbers of docids, titles and grades differ, or it repeats a
        docid.
    """
    found = []
    for k, search in enumerate(arguments.each("judgments", judgments, "Judged")):
        name = f"judgments[{k}]"
        if not all(hasattr(search, field) for field in Judged._fields):
            arguments.refuse(name, search, "a Judged")
        docids = list(arguments.each(f"{name}.docids", search.docids, "docids"))
        titles = arguments.texts(f"{name}.titles", search.titles)
        grades = checked_grades(f"{name}.grades", search.grades)
        if not len(docids) == len(titles) == len(grades):
            arguments.refuse(name, search, "of as many docids as titles and grades")
        if len(set(map(str, docids))) < len(docids):
            raise InputError(f"{name}: qid {search.qid!r} judges a document twice")
        query = arguments.text(f"{name}.query", search.query)
        found.append(Judged(search.qid, query, docids, titles, grades))
    return found


def check_id(name, value):
    """Raise InputError unless an id fits into a column of a file."""
    arguments.text(name, value)
    odd = value.startswith("\ufeff") or "\0" in value or SURROGATE.search(value)
    if odd or value.split() != [value]:
        raise InputError(
            f"{name} {value!r}: cannot stand in TREC's files, whose columns white space separates"
        )


class Grades(dict):
    """Judgments as listed in a file, ``{qid: {docid: grade}}``; negative grades become 0.

    Attributes
    ----------
    lines : dict
        The number of each line, by (qid, docid).
    """

    def __init__(self):
        super().__init__()
        self.lines = {}

    def add(self, number, qid, docid, grade, lowest=-(10**9)):
        """Add a judgment; raise InputError for a bad id or grade, or a second judgment."""
        check_id("qid", qid)
        check_id("docid", docid)
        if not re.fullmatch("[+-]?[0-9]{1,19}", grade) or not lowest <= int(grade) <= HIGHEST_GRADE:
            allowed = f"a whole number{' from 0 to' if lowest == 0 else ' up to'} {HIGHEST_GRADE}"
            raise InputError(f"grade {grade[:20]!r}; must be {allowed}")
        if line := self.lines.get((qid, docid)):
            raise InputError(f"document {docid!r} of qid {qid!r} was judged in line {line}")
        self.lines[qid, docid] = number
        self.setdefault(qid, {})[docid] = max(0, int(grade))


# ---- files


def read_pairs(
    path: Path, skip_bad: bool = False, max_words: int | None = None, header: bool = False
) -> list[tuple[str, str]]:
    """Read the clicked pairs of a log.

    Parameters
    ----------
    path : str
    skip_bad : bool
        Skip bad lines, and warn of their number.
    max_words : int, optional
        Keep at most this many words of a text, its first. If not given, lines of more than `LONG`
        words cause a warning.
    header : bool
        Skip the first line, with a warning.

    Returns
    -------
    list of (query, title)

    Raises
    ------
    InputError
        The file has bad lines; the message names them by kind of mistake.
    """
    return list(iter_pairs(path, skip_bad, max_words, header))


def iter_pairs(path, skip_bad=False, max_words=None, header=False):
    """Yield the pairs of a log of any size, one (query, title) at a time.

    ``LetterTrigrams.fit(text for pair in iter_pairs(path) for text in pair)`` and
    ``train(model, iter_pairs(path))`` keep no texts in memory. Errors are those of `read_pairs`, at
    the end of the file.
    """
    skip_bad = arguments.boolean("skip_bad", skip_bad)
    max_words = arguments.integer("max_words", max_words, 1, allow=[None])
    n_words, in_long, long = 0, 0, []
    for number, query, title in read_table(path, ["query", "title"], header, skip_bad=skip_bad):
        if max_words:
            yield tuple(" ".join(text.split()[:max_words]) for text in (query, title))
            continue
        n = query.count(" ") + title.count(" ") + 2
        n_words += n
        if n > LONG:
            in_long += n
            long.append(number)
        yield query, title
    if long:
        times = n_words / max(1, n_words - in_long)
        warnings.warn(
            f"{path}: {len(long):,} line(s) of more than {LONG} words, {_numbers(long)}: with them "
            f"an epoch reads {times:.1f} times as many words; max_words={LONG}, "
            f"or --max-words {LONG}, keeps so many of a text",
            stacklevel=2,
        )


def read_titles(path):
    """Read a list of titles, one per line; raise errors as `read_pairs`."""
    return list(iter_titles(path))


def iter_titles(path, header=False):
    """Yield the titles of a list of any size, one at a time; raise errors as `iter_pairs`."""
    for _, title in read_table(path, ["title"], header):
        yield title


def read_passages(path):
    """Read a text: one sentence per line, an empty line between passages.

    Returns
    -------
    list of list of str
        Passages of at least one sentence.

    Raises
    ------
    InputError
        As `read_pairs`.
    """
    passages = [[]]
    for sentence in read_lines(path, lambda _, line: line.strip(), "one sentence a line"):
        if sentence:
            passages[-1].append(sentence)
        elif passages[-1]:
            passages.append([])
    return [passage for passage in passages if passage]


def read_judgments(path: Path, header: bool = False) -> list[Judged]:
    """Read judged searches, in the order in which their qids first appear.

    Parameters
    ----------
    path : str
    header : bool
        Skip the first line, with a warning.

    Returns
    -------
    list of Judged

    Raises
    ------
    InputError
        As `read_pairs`; also an id has white space, a grade is no whole number from 0 to 100, a qid
        has two queries, or a document is judged twice for one qid.
    """
    grades, queries, titles = Grades(), {}, {}

    def add(number, qid, query, docid, title, grade):
        if query != queries.setdefault(qid, query):
            raise InputError(f"qid {qid!r} has two queries, {queries[qid]!r} and {query!r}")
        grades.add(number, qid, docid, grade, lowest=0)
        titles[qid, docid] = title

    for _ in read_table(path, ["qid", "query", "docid", "title", "grade"], header, add):
        pass
    return [
        Judged(qid, queries[qid], [*judged], [titles[qid, d] for d in judged], [*judged.values()])
        for qid, judged in grades.items()
    ]


# ---- lines


def read_lines(path, parse, expected, longest=LONGEST_LINE, skip_bad: bool | None = None):
    """Yield the results of ``parse`` for a file's lines, except None; then report bad lines.

    Parameters
    ----------
    path : str
    parse : function
        Takes a line's number and text; raises InputError, without file and number, for a bad line.
    expected : str
        The expected content, for the message about an empty file.
    longest : int
        Most bytes of a line.
    skip_bad : bool, optional
        Whether to warn of bad lines instead of an error; None if the user cannot choose.
    """
    path, number, bad = arguments.path("path", path), 0, {}
    for number, line in enumerate(_pieces(path, longest), start=1):
        try:
            found = parse(number, _text(line, number, longest))
        except InputError as error:
            known = str(error) in bad or len(bad) < SHOWN
            bad.setdefault(str(error) if known else "other mistakes", []).append(number)
        else:
            if found is not None:
                yield found
    if number == 0:
        raise InputError(f"{path}: is empty; expected {expected}")
    if bad:
        _report(path, number, bad, skip_bad)


def _pieces(path, longest):
    """Yield each line as bytes, or only the beginning of too long a line."""
    try:
        with open(path, "rb") as file:
            while line := file.readline(longest + 1):
                yield line
                while len(line) > longest and not line.endswith(b"\n"):
                    line = file.readline(longest + 1)
            if file.seekable() and file.tell() > os.fstat(file.fileno()).st_size:
                raise InputError(f"{path}: was cut short while it was read")
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from None


def _text(line, number, longest):
    if len(line) > longest:
        raise InputError(f"a line of more than {longest:,} bytes")
    if b"\0" in line:
        raise InputError("a NUL byte; is this a text file?")
    try:
        text = line.decode("utf-8-sig" if number == 1 else "utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"not UTF-8 at byte {error.start + 1} of the line") from None
    return text.removesuffix("\n").removesuffix("\r")


def _report(path, n, bad, skip_bad):
    """Report bad lines by kind of mistake: in one error, or in a warning if they are skipped."""
    n_bad = sum(map(len, bad.values()))
    said = "; ".join(f"{reason} (line {_numbers(lines)})" for reason, lines in bad.items())
    if skip_bad and n_bad < n:
        warnings.warn(f"{path}: {n_bad:,} of {n:,} lines are left out: {said}", stacklevel=3)
    elif skip_bad:
        raise InputError(f"{path}: all {n:,} lines are bad: {said}")
    elif n_bad > 1:
        advice = "" if skip_bad is None else ", skip_bad=True, or --skip-bad, leaves them out"
        raise InputError(f"{path}: {n_bad:,} of {n:,} lines are bad{advice}: {said}")
    else:
        ((reason, (line,)),) = bad.items()
        raise InputError(f"{path}:{line}: {reason}")


def _numbers(lines):
    more = f" and {len(lines) - SHOWN:,} more" if len(lines) > SHOWN else ""
    return ", ".join(map(str, lines[:SHOWN])) + more


# ---- tables


def read_table(path, columns, header=False, take=None, separator="\t", skip_bad=None):
    """Yield (line number, field, …) of each row of a table, or the result of ``take`` for them.

    Parameters
    ----------
    path : str
    columns : list of str
        Names of the columns. None means a docid and a title, or only a title if the first line has
        one column.
    header : bool
        Whether to skip the first line; see `_is_header`.
    take : function, optional
        Raises InputError, without file and number, for a bad row.
    separator : str, optional
        None for white space.
    skip_bad : bool, optional
        As for `read_lines`.
    """
    header, n = arguments.boolean("header", header), 0
    expected = f"lines of {_joined(columns, separator)}" if columns else "a title a line"

    def parse(number, line):
        nonlocal columns, header, n
        n, fields = number, line.split(separator)
        if number == 1:
            columns = columns or ["docid", "title"][-len(fields) :]
            header = _is_header(fields, columns, header, path)
            if header:
                return None
        check_fields(fields, columns, separator)
        return take(number, *fields) if take else (number, *fields)

    yield from read_lines(path, parse, expected, skip_bad=skip_bad)
    if header and n == 1:
        raise InputError(f"{path}: is empty below its header; expected {expected}")


def _joined(columns, separator):
    return (" <TAB> " if separator else " ").join(columns)


def check_fields(fields, columns, separator="\t"):
    """Raise InputError unless a row has a nonempty field in each column."""
    if len(fields) != len(columns):
        commas = len(fields) == 1 and "," in fields[0]
        advice = "; it has commas, which separate nothing here" if commas else ""
        expected = f"expected {len(columns)}: {_joined(columns, separator)}{advice}"
        raise InputError(f"{len(fields)} column(s); {expected}")
    for field, column in zip(fields, columns):
        if not field.strip():
            raise InputError(f"the {column} is empty")


def _is_header(fields, columns, header, path):
    """Return whether to skip a first line: ``header``, unless its grade or score is a number.

    Raise InputError for a line of column names; warn if a text is a column name.
    """
    of, shown = dict(zip(columns, fields)), " <TAB> ".join(field.strip()[:40] for field in fields)
    if re.match(r"\s*[+-]?[0-9.]", of.get("grade", of.get("score", ""))):
        return False
    known = HEADS.union(map(column_name, columns))
    named = [column_name(field) in known for field in fields]
    if header:
        warnings.warn(f"{path}:1: left out as a header ({shown})", stacklevel=2)
    elif len(fields) > 1 and all(named):
        raise InputError(f"a header ({shown}); take it out, or skip it (header=True, --header)")
    elif any(named) and len(columns) < 3:  # with more columns, the grade or score decides
        said = f"{path}:1: is this a header ({shown})? It is read as data"
        warnings.warn(said, stacklevel=2)
    return header


def column_name(field):
    """Reduce a field to lower-case letters and digits, as in `HEADS`."""
    return re.sub(r"[\W_]+", "", field.lower())
