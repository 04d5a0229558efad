"""Read click logs and judgments, line by line, and say where a line is wrong.

Files are UTF-8, tab separated: pairs are ``query<TAB>title``, judgments
``qid<TAB>query<TAB>docid<TAB>title<TAB>grade``. Windows line ends and a byte-order mark
are accepted. A first line with known names of columns is refused; with ``header=True`` the first
line is left out, unless it has a number where grades or scores are.
"""

import os
import pathlib
import re
import warnings
from itertools import zip_longest
from typing import NamedTuple

from ._util import arguments
from ._util.files import InputError, Path

LONGEST_LINE = 100_000  # bytes; a longer one is a broken file, not a title
HIGHEST_GRADE = 100  # 2^grade must stay a number
SHOWN = 20  # bad lines that are named
LONG = 100  # words of a query and its title; more are seldom meant
# what columns are called, letters and digits alone
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
        With ``train_pairs.tsv``, ``judgments.tsv`` and what else its ``README.md`` describes.
    """
    here = pathlib.Path(__file__)
    # setup.py brings the files into a wheel; a checkout has them at its top, and no second time
    inside, checkout = here.with_name("data_samples"), here.parents[1] / "data_samples"
    return inside if inside.exists() else checkout


class Judged(NamedTuple):
    """One judged query with its candidates.

    Attributes
    ----------
    qid, query : str
    docids, titles : list of str
        An empty title is that of a judged document that is not there: it counts as not found.
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
        One is no Judged, has not as many docids, titles and grades as each other, or has a docid
        twice.
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


def read_pairs(
    path: Path, skip_bad: bool = False, max_words: int | None = None, header: bool = False
) -> list[tuple[str, str]]:
    """Read the clicked pairs of a log.

    Parameters
    ----------
    path : str
    skip_bad : bool
        Leave bad lines out, and warn how many they are.
    max_words : int, optional
        Keep so many words of a text. If not given, it is warned of lines of more than `LONG`.
    header : bool
        Leave the first line out, and say so.

    Returns
    -------
    list of (query, title)

    Raises
    ------
    InputError
        Naming the file and all bad lines, the first `SHOWN` by what is wrong with them.
    """
    return list(iter_pairs(path, skip_bad, max_words, header))


def iter_pairs(path, skip_bad=False, max_words=None, header=False):
    """Yield the pairs of a log of any size, one (query, title) at a time;
    raises as `read_pairs`, when it has come to the end.

    ``LetterTrigrams.fit(text for pair in iter_pairs(path) for text in pair)`` and
    ``train(model, iter_pairs(path))`` read a file without ever holding it.
    """
    max_words = arguments.integer("max_words", max_words, 1, allow=[None])
    n_words = n_long = in_long = 0
    first = []
    for number, (query, title) in _rows(path, ["query", "title"], header, skip_bad):
        if max_words:
            yield _first_words(query, max_words), _first_words(title, max_words)
            continue
        own = query.count(" ") + title.count(" ") + 2
        n_words += own
        if own > LONG:
            n_long, in_long = n_long + 1, in_long + own
            first += [str(number)] if n_long <= SHOWN else []
        yield query, title
    if n_long:
        warnings.warn(
            f"{path}: {n_long:,} line(s) of more than {LONG} words, "
            f"{', '.join(first)}{', …' if n_long > SHOWN else ''}: with them an epoch reads "
            f"{n_words / max(1, n_words - in_long):.1f} times as many words; max_words={LONG}, "
            f"or --max-words {LONG}, keeps so many of a text",
            stacklevel=2,
        )


def _first_words(text, n):
    words = text.split()
    return " ".join(words[:n]) if len(words) > n else text


def read_titles(path):
    """Read a list of titles, one a line. Raises as `read_pairs`."""
    return list(iter_titles(path))


def iter_titles(path, header=False):
    """Yield the titles of a list of any size, one at a time;
    raises as `read_pairs`, when it comes to the bad line.
    """
    for _, (title,) in _rows(path, ["title"], header):
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


def read_judgments(path: Path, header: bool = False) -> list[Judged]:
    """Read judged searches, in the order in which their qids first appear.

    Parameters
    ----------
    path : str
    header : bool
        Leave the first line out, and say so.

    Returns
    -------
    list of Judged

    Raises
    ------
    InputError
        As `read_pairs`; also for an id that holds white space, a grade that is no whole number
        from 0 to 100, a qid with two queries, and a document judged twice for one qid.
    """
    judged, first_line = {}, {}

    def take(number, fields):
        qid, query, docid, title, grade = fields
        check_id("qid", qid)
        check_id("docid", docid)
        # Python counts not even zeros past some thousands
        if not re.fullmatch("[0-9]{1,19}", grade) or int(grade) > HIGHEST_GRADE:
            allowed = f"must be a whole number from 0 to {HIGHEST_GRADE}"
            raise InputError(f"grade {grade[:20]!r}; {allowed}")
        search = judged.setdefault(qid, Judged(qid, query, [], [], []))
        if query != search.query:
            raise InputError(f"qid {qid!r} has two queries, {search.query!r} and {query!r}")
        if line := first_line.get((qid, docid)):
            raise InputError(f"document {docid!r} of qid {qid!r} was judged in line {line}")
        first_line[qid, docid] = number
        search.docids.append(docid)
        search.titles.append(title)
        search.grades.append(int(grade))

    for _ in _rows(path, ["qid", "query", "docid", "title", "grade"], header, take=take):
        pass
    return list(judged.values())


def check_id(name, value, where=None):
    """Raise InputError unless an id can stand in a column of its own."""
    value = encodable(name, value)
    if value.split() != [value] or value.startswith("\ufeff") or "\0" in value:
        raise InputError(
            f"{where + ': ' if where else ''}{name} {value!r}: cannot stand in TREC's files, "
            "whose columns white space separates"
        )


def encodable(name, text):
    """Return a text; raise InputError if it is none, or holds half a letter, which no file can."""
    try:
        arguments.text(name, text).encode("utf-8")
    except UnicodeEncodeError:
        arguments.refuse(name, text, "a text of whole letters")
    return text


def _rows(path, columns=None, header=False, skip_bad=False, take=lambda *row: None, separator="\t"):
    """Yield (line number, fields) of a file, each line checked, by ``take``, too; of bad ones all
    are told at the end, by an error, or by a warning if they are to be left out. Without
    ``columns`` these are docid and title, or where the first line has one alone, title.
    """
    header = arguments.boolean("header", header)
    skip_bad = arguments.boolean("skip_bad", skip_bad)
    number, bad = 0, {}  # by what is wrong with them, the lines
    mark = " <TAB> " if separator else " "
    expected = f"lines of {mark.join(columns)}" if columns else "a title a line"
    for number, (line, where) in enumerate(_lines(path, expected), start=1):
        try:
            if number == 1:
                fields = _text(line, where).split(separator)
                columns = columns or ["docid", "title"][-len(fields) :]
                if header := _is_header(fields, columns, where, header):
                    continue
            fields = _fields(line, columns, where, separator)
            take(number, fields)
        except InputError as error:
            reason = str(error).removeprefix(f"{where}: ")
            kind = reason if reason in bad or len(bad) < SHOWN else "other mistakes"
            bad.setdefault(kind, []).append(number)
            continue
        yield number, fields
    if header and number == 1:
        raise InputError(f"{path}: is empty below its header; expected {expected}")
    if not bad:
        return
    every = sorted(line for lines in bad.values() for line in lines)
    n_bad, told = len(every), "; ".join(_of_kind(*kind, every[:SHOWN][-1]) for kind in bad.items())
    if n_bad == 1 and not skip_bad:
        raise InputError(f"{path}:{every[0]}: {reason}")
    if not skip_bad:
        is_log = columns == ["query", "title"]
        advice = ", skip_bad=True, or --skip-bad, leaves them out" if is_log else ""
        raise InputError(f"{path}: {n_bad:,} of {number:,} lines are bad{advice}: {told}")
    if n_bad == number:
        raise InputError(f"{path}: all {number:,} lines are bad: {told}")
    warnings.warn(f"{path}: {n_bad:,} of {number:,} lines are left out: {told}", stacklevel=3)


def _of_kind(reason, lines, last):
    """What is wrong, and with which lines: those up to one are named, or the first."""
    named = [str(line) for line in lines if line <= last] or [str(lines[0])]
    more = f" and {len(lines) - len(named):,} more" if len(lines) > len(named) else ""
    return f"{reason} (line {', '.join(named)}{more})"


def _is_header(fields, columns, where, header):
    """Tell whether a first line is left out, as ``header`` says; never one that has a number where
    grades or scores are. Raise InputError if it has names of columns alone; warn of a text that
    has one.
    """
    of, shown = dict(zip(columns, fields)), " <TAB> ".join(field.strip()[:40] for field in fields)
    if re.match(r"\s*[+-]?[0-9.]", of.get("grade", of.get("score", ""))):
        return False
    both = zip_longest(fields, columns, fillvalue="")
    named = [_name(field) in {*HEADS, _name(column) or None} for field, column in both]
    if header:
        warnings.warn(f"{where}: left out as a header ({shown})", stacklevel=5)
    elif len(fields) > 1 and all(named):
        skip = "take it out, or skip it (header=True, --header)"
        raise InputError(f"{where}: a header ({shown}); {skip}")
    elif any(named) and len(columns) < 3:  # of others grade or score decides
        warnings.warn(f"{where}: is this a header ({shown})? It is read as data", stacklevel=5)
    return header


def _name(field):
    return re.sub(r"[\W_]+", "", field.lower())


def _has_header(header, path, other):
    """Tell whether a file has a header, where ``header`` says that it, another or both have one:
    unless the other alone begins with a known name of a column.
    """
    return header and (_has_name(path) or not _has_name(other))


def _has_name(path):
    if path is None or not os.path.isfile(path):  # a pipe can be read but once
        return False
    with open(path, "rb") as file:
        fields = file.readline(LONGEST_LINE).decode("utf-8-sig", "replace").split("\t")
    return any(_name(field) in HEADS for field in fields)


def _lines(path, expected, longest=LONGEST_LINE):
    """Yield (line, file and number) of a file that may not be empty."""
    number, path = 0, arguments.path("path", path)
    try:
        with open(path, "rb") as file:
            while line := file.readline(longest + 1):
                number += 1
                yield line, f"{path}:{number}"
                while len(line) > longest and not line.endswith(b"\n"):
                    line = file.readline(longest + 1)  # the rest of one that is too long
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


def _fields(line, columns, where, separator="\t"):
    text = _text(line, where)
    fields = text.split(separator)
    if len(fields) != len(columns):
        commas = (
            "; it has commas, which part nothing here" if len(fields) == 1 and "," in text else ""
        )
        named = (" <TAB> " if separator else " ").join(columns)
        expected = f"expected {len(columns)}: {named}{commas}"
        raise InputError(f"{where}: {len(fields)} column(s); {expected}")
    for field, column in zip(fields, columns):
        if not field.strip():
            raise InputError(f"{where}: the {column} is empty")
    return fields
