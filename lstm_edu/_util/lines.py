"""Read text files line by line, as lines or as tables, and name each bad line.

`read_lines` reads all text files, here and in `lstm_tools.formats`: it calls a parser on each line
and collects the bad lines, so that one error, or one warning, names them all.
"""

import gzip
import os
import re
import warnings

from . import arguments
from .files import InputError
from .looks import HEAD, not_text, opened

LONGEST_LINE = 100_000  # bytes; a longer line is a broken file, not a title
SHOWN = 10  # kinds of mistakes in a message, and lines per kind
OTHER = "other mistakes"  # further kinds
# usual names of columns, reduced to letters and digits
HEADS = set(
    """qid queryid query queries querytext search searchterm keyword docid docno documentid pid
    passageid corpusid id doc document passage text title doctitle doctext passagetext clickedtitle
    documenttitle documenttext url grade relevance label rank score tag""".split()
)


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
    path, number, bad, first = arguments.path("path", path), 0, {}, None
    for number, line in enumerate(_pieces(path, longest, expected), start=1):
        try:
            found = parse(number, _text(line, number, longest))
        except InputError as error:
            kind, value = getattr(error, "by_kind", (str(error), ""))
            lines = bad.setdefault(kind if kind in bad or len(bad) < SHOWN else OTHER, [])
            lines.append(f"{number} {value}".strip() if len(lines) < SHOWN else number)
            first = first or f"{path}:{number}: {error}"
        else:
            if found is not None:
                yield found
    if number == 0:
        raise InputError(f"{path}: is empty; expected {expected}")
    if bad:
        _report(path, number, bad, first, skip_bad)


def _pieces(path, longest, expected):
    """Yield each line as bytes, or only the beginning of too long a line."""
    if os.path.isdir(path):  # which Windows would not say
        raise InputError(f"{path}: is a folder; expected {expected}")
    with opened(path) as file:
        head = file.peek(HEAD)[:HEAD]
        if head and (kind := not_text(head)):
            raise InputError(f"{path}: looks like {kind}; expected {expected}")
        while line := file.readline(longest + 1):
            yield line
            while len(line) > longest and not line.endswith(b"\n"):
                line = file.readline(longest + 1)
        is_plain = not isinstance(file, gzip.GzipFile) and file.seekable()
        if is_plain and file.tell() > os.fstat(file.fileno()).st_size:
            raise InputError(f"{path}: was cut short while it was read")


def _text(line, number, longest):
    content = line.removesuffix(b"\n").removesuffix(b"\r")
    if b"\r" in content:  # old Macs ended lines with it
        raise InputError(r"a carriage return within the line; lines must end with \n or \r\n")
    if len(line) > longest:
        raise InputError(f"a line of more than {longest:,} bytes")
    if b"\0" in content:
        raise InputError("a NUL byte; is this a text file?")
    try:
        return content.decode("utf-8-sig" if number == 1 else "utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"not UTF-8 at byte {error.start + 1} of the line") from None


def _report(path, n, bad, first, skip_bad):
    """Report bad lines by kind of mistake: in one error, or in a warning if they are skipped.

    Parameters
    ----------
    path : str
    n : int
        Number of lines in the file.
    bad : dict
        The bad lines of each kind, the first `SHOWN` with their values.
    first : str
        The message about the first bad line.
    skip_bad : bool or None
    """
    n_bad = sum(map(len, bad.values()))
    said = "; ".join(f"{kind} ({_counted(lines)})" for kind, lines in bad.items())
    if skip_bad and n_bad < n:
        warnings.warn(f"{path}: {n_bad:,} of {n:,} lines are left out: {said}", stacklevel=3)
    elif skip_bad:
        raise InputError(f"{path}: all {n:,} lines are bad: {said}")
    elif n_bad > 1:
        advice = "" if skip_bad is None else ", skip_bad=True leaves them out"
        raise InputError(f"{path}: {n_bad:,} of {n:,} lines are bad{advice}: {said}")
    else:
        raise InputError(first)


def mistake(form, *values):
    """Make an InputError about values in a line, for `read_lines` to group with others like it.

    Parameters
    ----------
    form : str
        The message, with ``%s`` for each value; bad lines of one ``form`` are reported together.
    *values
        The first is shown with its line's number.
    """
    shown = [repr(value) if len(repr(value)) < 70 else f"{value!r:.69}…" for value in values]
    error = InputError(form % (*shown,))
    error.by_kind = form.replace("%s", "…"), shown[0]
    return error


def _counted(lines):
    return f"line {lines[0]}" if len(lines) == 1 else f"{len(lines):,} lines: {in_words(lines)}"


def in_words(lines):
    """Write the numbers of lines, the first `SHOWN` of them."""
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
    expected = f"lines of {_joined(columns, separator)}" if columns else "one title per line"

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
        raise InputError(f"a header ({shown}); take it out, or skip it (header=True)")
    elif any(named) and len(columns) < 3:  # with more columns, the grade or score decides
        said = f"{path}:1: is this a header ({shown})? It is read as data"
        warnings.warn(said, stacklevel=2)
    return header


def column_name(field):
    """Reduce a field to lower-case letters and digits, as in `HEADS`."""
    return re.sub(r"[\W_]+", "", field.lower())
