"""Read click logs and judgments, line by line, and say where a line is wrong.

Files are UTF-8, tab separated, without header: pairs are ``query<TAB>title``, judgments
``qid<TAB>query<TAB>docid<TAB>title<TAB>grade``. Windows line ends and a byte-order mark
are accepted.
"""

import os
import re
from typing import NamedTuple

from .._util import arguments
from .._util.files import InputError, Path

LONGEST_LINE = 100_000  # bytes; a longer one is a broken file, not a title
HIGHEST_GRADE = 100  # 2^grade must stay a number


class Judged(NamedTuple):
    """One judged query with its candidates.

    Attributes
    ----------
    qid, query : str
    docids, titles : list of str
    grades : list of int
        0 is Bad.
    """

    qid: str
    query: str
    docids: list
    titles: list
    grades: list


def checked_grades(name, grades):
    """Return grades as a list of int; raise InputError unless from 0 to `HIGHEST_GRADE`."""
    return arguments.wholes(name, grades, "n_titles", high=HIGHEST_GRADE).tolist()


def checked_judgments(judgments):
    """Return judged queries as a list of Judged, with whole grades from 0 to `HIGHEST_GRADE`.

    Raises
    ------
    InputError
        One is no Judged, or has not as many docids, titles and grades as each other.
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
        query = arguments.text(f"{name}.query", search.query)
        found.append(Judged(search.qid, query, docids, titles, grades))
    return found


def read_pairs(path: Path) -> list[tuple[str, str]]:
    """Read the clicked pairs of a log.

    Returns
    -------
    list of (query, title)

    Raises
    ------
    InputError
        Naming the file and line, at the first bad line.
    """
    return list(iter_pairs(path))


def iter_pairs(path):
    """Yield the pairs of a log of any size, one (query, title) at a time;
    raises as `read_pairs`, when it comes to the bad line.

    ``LetterTrigrams.fit(text for pair in iter_pairs(path) for text in pair)`` and
    ``train(model, iter_pairs(path))`` read a file without ever holding it.
    """
    for _, (query, title) in _rows(path, ["query", "title"]):
        yield query, title


def read_titles(path):
    """Read a list of titles, one a line. Raises as `read_pairs`."""
    return list(iter_titles(path))


def iter_titles(path):
    """Yield the titles of a list of any size, one at a time;
    raises as `read_pairs`, when it comes to the bad line.
    """
    for _, (title,) in _rows(path, ["title"]):
        yield title


def read_passages(path):
    """Read a text: one sentence a line, an empty line between passages.

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
    for line, where in _lines(path, "one sentence a line"):
        sentence = _text(line, where).strip()
        if sentence:
            passages[-1].append(sentence)
        elif passages[-1]:
            passages.append([])
    return [passage for passage in passages if passage]


def read_judgments(path: Path) -> list[Judged]:
    """Read judged searches, in the order in which their qids first appear.

    Returns
    -------
    list of Judged

    Raises
    ------
    InputError
        As `read_pairs`; also for a grade that is no whole number from 0 to 100, a qid with two
        queries, and a document judged twice for one qid.
    """
    judged, first_line = {}, {}
    for number, (qid, query, docid, title, grade) in _rows(
        path, ["qid", "query", "docid", "title", "grade"]
    ):
        # Python counts not even zeros past some thousands
        if not re.fullmatch("[0-9]{1,19}", grade) or int(grade) > HIGHEST_GRADE:
            raise InputError(
                f"{path}:{number}: grade {grade[:20]!r}; "
                f"must be a whole number from 0 to {HIGHEST_GRADE}"
            )
        search = judged.setdefault(qid, Judged(qid, query, [], [], []))
        if query != search.query:
            raise InputError(
                f"{path}:{number}: qid {qid!r} has two queries, {search.query!r} and {query!r}"
            )
        if (qid, docid) in first_line:
            raise InputError(
                f"{path}:{number}: document {docid!r} of qid {qid!r} "
                f"was judged in line {first_line[qid, docid]}"
            )
        first_line[qid, docid] = number
        search.docids.append(docid)
        search.titles.append(title)
        search.grades.append(int(grade))
    return list(judged.values())


def _rows(path, columns):
    """Yield (line number, fields) of a file, each line checked."""
    for number, (line, where) in enumerate(
        _lines(path, f"lines of {' <TAB> '.join(columns)}"), start=1
    ):
        fields = _fields(line, columns, where)
        if number == 1 and len(columns) > 1 and [f.strip().lower() for f in fields] == columns:
            raise InputError(
                f"{where}: a header ({' <TAB> '.join(columns)}); take it out, each line is data"
            )
        yield number, fields


def _lines(path, expected, longest=LONGEST_LINE):
    """Yield (line, file and number) of a file that may not be empty."""
    number, path = 0, arguments.path("path", path)
    try:
        with open(path, "rb") as file:
            while line := file.readline(longest + 1):
                number += 1
                yield line, f"{path}:{number}"
            if file.seekable() and file.tell() > os.fstat(file.fileno()).st_size:
                raise InputError(f"{path}: was cut short while it was read")
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from None
    if number == 0:
        raise InputError(f"{path}: is empty; expected {expected}")


def _text(line, where, longest=LONGEST_LINE):
    if len(line) > longest:
        raise InputError(f"{where}: a line of more than {longest:,} bytes")
    if b"\0" in line:
        raise InputError(f"{where}: a NUL byte; is this a text file?")
    try:
        text = line.decode("utf-8-sig" if where.endswith(":1") else "utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"{where}: not UTF-8 at byte {error.start + 1} of the line") from None
    return text.removesuffix("\n").removesuffix("\r")


def _fields(line, columns, where):
    fields = _text(line, where).split("\t")
    if len(fields) != len(columns):
        raise InputError(
            f"{where}: {len(fields)} column(s); expected {len(columns)}: {' <TAB> '.join(columns)}"
        )
    for field, column in zip(fields, columns):
        if not field.strip():
            raise InputError(f"{where}: the {column} is empty")
    return fields
