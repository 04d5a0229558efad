"""Read text files or tables line by line, and report each bad line.

`read_lines` reads all text files, here and in `lstm_tools.formats`: it calls a parser on each line
and collects the bad lines, so that one error, or one warning, names them all.
"""

import gzip
import os
import re
import warnings
from typing import NamedTuple

from . import arguments
from .files import InputError
from .looks import HEAD, not_text, opened, other_kind

LONGEST_LINE = 100_000  # bytes; a longer line suggests a broken file
SHOWN = 10  # maximum number of kinds of mistakes in a message, and of lines per kind
OTHER = "other mistakes"  # label for the kinds of mistakes beyond `SHOWN`
# common column names, reduced to letters and digits
HEADS = set(
    """qid queryid query queries querytext search searchterm keyword docid docno documentid pid
    passageid corpusid id doc document passage text title doctitle doctext passagetext clickedtitle
    documenttitle documenttext url grade relevance relevancy judgment label rank score tag topic
    iteration iter runid""".split()
)


def read_lines(path, parse, expected, longest=LONGEST_LINE, skip_bad: bool | None = None):
    """Yield the results of ``parse`` for a file's lines, except None; then report bad lines.

    Parameters
    ----------
    path : str
    parse : function
        Takes a line's number and text; raises InputError, without file and number, for a bad line.
    expected : str
        The expected content, for messages about an empty file and about a file of another kind.
    longest : int
        Largest number of bytes in a line.
    skip_bad : bool, optional
        Whether to warn about bad lines instead of raising an error; None if the user cannot choose.
    """
    path, number, bad, first = arguments.path("path", path), 0, {}, None
    for number, line in enumerate(_pieces(path, longest, expected), start=1):
        try:
            found = parse(number, _text(line, number, longest))
        except InputError as error:
            kind, value = error.by_kind or (str(error), "")
            lines = bad.setdefault(kind if kind in bad or len(bad) < SHOWN else OTHER, [])
            lines.append(f"{number} {value}".strip() if len(lines) < SHOWN else number)
            first = first or f"{path}:{number}: {error}"
        else:
            if found is not None:
                yield found
    if number == 0:
        raise InputError(f"{path}: is empty; expected {expected}")
    if bad:
        _report(path, number, bad, first, expected, skip_bad)


def _pieces(path, longest, expected):
    """Yield each line as bytes, or only the beginning of a line that is too long."""
    if os.path.isdir(path):  # opening a folder on Windows would raise PermissionError
        raise InputError(f"{path}: is a folder; expected {expected}")
    with opened(path) as file:
        head, size = file.peek(HEAD)[:HEAD], os.fstat(file.fileno()).st_size
        if head and (kind := not_text(head)):
            raise InputError(f"{path}: looks like {kind}; expected {expected}")
        while line := file.readline(longest + 1):
            yield line
            while len(line) > longest and not line.endswith(b"\n"):
                line = file.readline(longest + 1)
        # the size of a pipe is 0; a gzipped file that is cut short has already raised an error
        if size and not isinstance(file, gzip.GzipFile) and file.tell() < size:
            raise InputError(f"{path}: was cut short while it was read")


def _text(line, number, longest):
    content = line.removesuffix(b"\n").removesuffix(b"\r")
    if b"\r" in content:  # line ends of classic Mac OS
        raise InputError(r"a carriage return within the line; lines must end with \n or \r\n")
    if len(line) > longest:
        raise InputError(f"a line of more than {longest:,} bytes")
    if b"\0" in content:
        raise InputError("a NUL byte; is this a text file?")
    try:
        return content.decode("utf-8-sig" if number == 1 else "utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"not UTF-8 at byte {error.start + 1} of the line") from None


def _report(path, n, bad, first, expected, skip_bad):
    """Report bad lines, grouped by kind of mistake, in one error, or in a warning if skipped.

    Parameters
    ----------
    path : str
    n : int
        Number of lines in the file.
    bad : dict
        The bad lines of each kind, the first `SHOWN` with their values.
    first : str
        The message about the first bad line.
    expected : str
        As for `read_lines`.
    skip_bad : bool or None
    """
    n_bad = sum(map(len, bad.values()))
    # if all lines are bad, except perhaps a header, the file may be of another kind
    other = other_kind(path, expected) if n_bad >= n - 1 else ""
    if other and n_bad > 1:
        raise InputError(f"{path}:{other}; expected {expected}")
    said = "; ".join(f"{kind} ({_counted(lines)})" for kind, lines in bad.items())
    if skip_bad and n_bad < n:
        warnings.warn(f"{path}: {n_bad:,} of {n:,} lines are left out: {said}", stacklevel=3)
    elif n_bad > 1:
        advice = "" if skip_bad is None or n_bad == n else ", skip_bad=True leaves them out"
        raise InputError(f"{path}: {n_bad:,} of {n:,} lines are bad{advice}: {said}")
    else:
        raise InputError(first)


def mistake(form, *values):
    """Return an InputError about a line's values; `read_lines` groups these errors by ``form``.

    Parameters
    ----------
    form : str
        The message, with ``%s`` for each value; bad lines of one ``form`` are reported together.
    *values
        The first is shown with its line's number.
    """
    shown = [repr(value) if len(repr(value)) < 70 else f"{value!r:.69}…" for value in values]
    error = InputError(form % (*shown,))
    # a bare number next to a line number would look like another line number
    error.by_kind = form.replace("%s", "…"), "" if isinstance(values[0], int) else shown[0]
    return error


def _counted(lines):
    return f"line {lines[0]}" if len(lines) == 1 else f"{len(lines):,} lines: {in_words(lines)}"


def in_words(lines):
    """Format line numbers, listing only the first `SHOWN`."""
    more = f" and {len(lines) - SHOWN:,} more" if len(lines) > SHOWN else ""
    return ", ".join(map(str, lines[:SHOWN])) + more


# ---- tables


class Table(NamedTuple):
    """A format of text files with columns.

    Attributes
    ----------
    kind : str
        The format's name, such as "a TREC run". If `lstm_edu._util.looks` recognizes the format,
        it must use the same name.
    columns : list of str
        Names of the columns. None means a docid and a title, or only a title if the first line has
        one column.
    separator : str or None
        None for white space.
    has_header : bool
        Whether the first line must name the columns.
    """

    kind: str
    columns: list[str] | None
    separator: str | None = "\t"
    has_header: bool = False

    def __str__(self):
        return (" <TAB> " if self.separator else " ").join(self.columns or ["title"])


def read_table(path, table, header=False, take=None, skip_bad=None):
    """Yield (line number, field, …), or the result of ``take``, for each row of a table.

    Parameters
    ----------
    path : str
    table : Table
    header : bool
        Whether to skip the first line; see `_is_header`.
    take : function, optional
        Takes a row's line number and fields; raises InputError, without file and line number, for
        a bad row. Its results are yielded, except None.
    skip_bad : bool, optional
        As for `read_lines`.
    """
    header, n = arguments.boolean("header", header), 0
    expected = f"{table.kind}, {'one' if str(table) == 'title' else table} per line"

    def parse(number, line):
        nonlocal table, header, n
        n, fields = number, line.split(table.separator)
        if number == 1:
            table = table._replace(columns=table.columns or ["docid", "title"][-len(fields) :])
            header = _is_header(fields, table, header, path)
            if header:
                return None
        _check_fields(fields, table)
        return take(number, *fields) if take else (number, *fields)

    yield from read_lines(path, parse, expected, skip_bad=skip_bad)
    if header and n == 1:
        raise InputError(f"{path}: is empty below its header; expected {expected}")


def _check_fields(fields, table):
    """Raise InputError unless a row has a nonempty field in each column."""
    n, columns, wanted = len(fields), table.columns, f"expected {len(table.columns)}: {table}"
    if not "".join(fields).strip() and n < 2:
        raise InputError(f"an empty line; {wanted}")
    commas = n == 1 < len(columns) and "," in fields[0]
    if commas or n > 2 and all(f.endswith(",") for f in fields[:-1]):
        raise InputError(f"{n} column(s); {wanted}; it has commas, which separate nothing here")
    if n != len(columns) or fields[0] == "#" and not table.separator:
        found = "a comment" if fields[0].startswith("#") else f"{n} column(s)"
        raise InputError(f"{found}; {wanted}")
    for field, column in zip(fields, columns):
        if not field.strip():
            raise InputError(f"the {column} is empty")


def _is_header(fields, table, header, path):
    """Return whether to skip the first line; never skip one with a number as its grade or score.

    Raise InputError if a required header is missing or the line is an unexpected header. Warn if
    the line is skipped on request, or if it may be a header.
    """
    columns, shown = table.columns, " <TAB> ".join(field.strip()[:40] for field in fields)
    names = [column_name(field) for field in fields]
    named = [name in HEADS.union(map(column_name, columns)) for name in names]
    if table.has_header:
        if not all(named) or len(names) != len(columns) or names[1] in ("qid", "queryid"):
            raise InputError(f"not a header; expected {table}")
        return True
    of = dict(zip(columns, fields))
    if re.match(r"\s*[+-]?[0-9.]", of.get("grade", of.get("score", ""))):
        return False
    if header:
        warnings.warn(f"{path}:1: left out as a header ({shown})", stacklevel=2)
    elif len(fields) > 1 and all(named):
        raise InputError(f"a header ({shown}); take it out, or skip it (header=True)")
    elif any(named) and len(columns) < 3:  # tables with more columns have a grade or score to check
        said = f"{path}:1: is this a header ({shown})? It is read as data"
        warnings.warn(said, stacklevel=2)
    return header


def column_name(field):
    """Reduce a column's name to lower-case letters and digits, as in `HEADS`."""
    return re.sub(r"[\W_]+", "", field.lower())
