"""Read and write TREC's qrels, and read the texts of their queries and documents.

Qrels have lines of ``qid 0 docid grade``. White space separates the columns, so ids cannot contain
any. Texts are in files with lines of ``qid<TAB>text`` or ``docid<TAB>text``.
`lstm_tools.formats.runs` reads and writes rankings.
"""

import os
import warnings

from lstm_edu._util import arguments, looks
from lstm_edu._util.files import InputError, write_text
from lstm_edu._util.lines import HEADS, LONGEST_LINE, Table, column_name, mistake, read_table
from lstm_edu.readers import Grades, Judged, check_id, checked_judgments

QRELS = Table(looks.QRELS, ["qid", "0", "docid", "grade"], None)

# --- judged queries -------------------------------------------------------------------------------


def read_qrels(qrels, queries, documents, header=False):
    """Read judged searches from TREC's qrels and two files of texts.

    Parameters
    ----------
    qrels : path
        Lines of ``qid 0 docid grade``. Grades below 0 (junk) become 0.
    queries, documents : path
        Lines of ``qid<TAB>text`` and ``docid<TAB>text``. Ids that ``qrels`` does not name are
        ignored.
    header : bool
        Skip the first line of each file, with a warning. If only one of ``queries`` and
        ``documents`` begins with a known column name, keep the first line of the other.

    Returns
    -------
    list of Judged
        In the order in which the qids first appear in ``qrels``.

    Raises
    ------
    InputError
        A line does not have four columns, has a grade that is not a whole number up to 100, or
        judges a document twice for a qid; or a qid or docid has no text or more than one. The
        message names file and line.
    """
    queries = arguments.path("queries", queries)
    documents = arguments.path("documents", documents)
    grades = read_grades(qrels, header)
    of_queries, of_documents = have_headers(header, queries, documents)
    query = _texts(queries, "qid", {qid for qid, _ in grades.lines}, of_queries)
    title = _texts(documents, "docid", {docid for _, docid in grades.lines}, of_documents)
    for (qid, docid), line in grades.lines.items():
        if qid not in query:
            raise InputError(f"{qrels}:{line}: qid {qid!r} is not in {queries}")
        if docid not in title:
            raise InputError(f"{qrels}:{line}: docid {docid!r} is not in {documents}")
    return [_judged(qid, query, judged, title) for qid, judged in grades.items()]


def read_grades(qrels, header=False):
    """Read only the grades of qrels, as ``{qid: {docid: grade}}``.

    Errors are those of `read_qrels`.
    """
    return grades_of(arguments.path("qrels", qrels), QRELS, header)


def grades_of(path, table, header=False):
    """Read ``{qid: {docid: grade}}`` from a table with columns qid, …, docid, grade."""
    grades = Grades()

    def add(number, qid, *fields):
        grades.add(number, qid, *fields[-2:])

    list(read_table(path, table, header, add))
    return grades


def write_qrels(qrels, judgments):
    """Write the grades of judged searches as qrels, atomically, for other programs.

    Parameters
    ----------
    qrels : path
    judgments : list of Judged

    Raises
    ------
    InputError
        An id has white space, a qid comes twice, a search judges a document twice, or a grade is
        not a whole number from 0 to 100. Nothing is written then.
    """
    qrels, searches, lines = arguments.path("qrels", qrels), checked_judgments(judgments), []
    if len({search.qid for search in searches}) < len(searches):
        arguments.refuse("judgments", judgments, "with distinct qids")
    for search in searches:
        check_id("qid", search.qid)
        for docid, grade in zip(search.docids, search.grades):
            check_id("docid", docid)
            lines.append(f"{search.qid} 0 {docid} {grade}\n")
    write_text(qrels, "".join(lines))


def pairs_and_judgments(source, learned, judged, queries, titles, instead, ignore=False):
    """Make training pairs and judged searches from grades and texts keyed by id.

    Parameters
    ----------
    source : str
        The name of the data set, for messages.
    learned, judged : dict
        ``{qid: {docid: grade}}`` of the pairs and of the judged searches.
    queries, titles : dict of str to str
        The texts, keyed by qid and by docid.
    instead : str
        Advice to give if all judged documents of each search have the same grade.
    ignore : bool
        As ``ignore_identical_ids`` of `lstm_tools.formats.runs.evaluate_run`.

    Returns
    -------
    pairs : list of (query, title)
        Distinct pairs of grade 1 or more.
    searches : list of Judged
    """
    pairs = {
        (queries[qid], titles[docid]): None
        for qid, grades in learned.items()
        for docid, grade in grades.items()
        if grade > 0 and queries.get(qid) and titles.get(docid)
    }
    searches = [_judged(qid, queries, grades, titles, ignore) for qid, grades in judged.items()]
    ranked = [{g for g, title in zip(s.grades, s.titles) if title} for s in searches]
    if not pairs and not any(ranked):
        raise InputError(f"{source}: no query with a text has a relevant document with a text")
    if searches and all(len(grades) < 2 for grades in ranked):
        raise InputError(
            f"{source}: the documents of each search have the same grade, so any order is right; "
            f"{instead}"
        )
    return list(pairs), searches


def _judged(qid, queries, grades, titles, ignore=False):
    """Make a `Judged` from texts keyed by id.

    If the query has no text, all its documents count as not found. With ``ignore``, a document
    that has the query's id also counts as not found.
    """
    known = titles if queries.get(qid) else {}
    found = ["" if ignore and docid == qid else known.get(docid, "") for docid in grades]
    return Judged(qid, queries.get(qid, ""), list(grades), found, [*grades.values()])


def warn_of_lost(source, name, n_judged, n_lost):
    """Warn if judged qids or docids have no text."""
    if n_lost:
        lost = f"{n_lost:,} of {n_judged:,} judged {name}s"
        warnings.warn(f"{source}: has no text for {lost}; they count as not found", stacklevel=3)


# --- texts keyed by id ----------------------------------------------------------------------------


def read_queries(path, header=False):
    """Read queries, ``qid<TAB>text`` on each line, as ``{qid: text}``.

    Raises
    ------
    InputError
        A line does not have two columns, or its qid has white space or is repeated; the message
        names file and line.
    """
    return _texts(path, "qid", header=header)


def _texts(path, name, wanted=None, header=False):
    """Read a file's texts as ``{id: text}``, for all ids or only for the ``wanted`` ids."""
    found, lines = {}, {}

    def add(number, key, text):
        check_once(name, key, lines, number)
        if wanted is None or key in wanted:
            found[key], lines[key] = text, number

    list(read_table(path, Table("texts by id", [name, "text"]), header, add))
    return found


def check_once(name, key, lines, number):
    """Raise InputError for a bad or repeated id.

    Parameters
    ----------
    name : "qid" or "docid"
    key : str
        The id.
    lines : dict of str to int
        The line number of each id so far.
    number : int
        The line number of ``key``.
    """
    check_id(name, key)
    if key in lines:
        raise mistake(f"{name} %s has a text in line %s", key, lines[key])


def iter_documents(path, header=False):
    """Yield (docid, title) for each line of a file of any size.

    Lines are ``docid<TAB>title``, or only titles if the first line has no tab; the docid is then
    the line number. An error about bad lines is raised at the end of the file. Repeated ids are not
    detected.
    """

    def document(number, *fields):
        *docid, title = fields
        if docid:
            check_id("docid", *docid)
        return docid[0] if docid else str(number), title

    return read_table(path, Table("titles", None), header, document)


# --- first lines ----------------------------------------------------------------------------------


def have_headers(header, *paths):
    """Return a list of bool: for each file, whether to skip its first line.

    If ``header`` is true, the first line is skipped in the files where it has a known column name,
    or in all files if none has one. Otherwise no line is skipped.
    """
    firsts = [_first_line(path).split("\t") if path else [] for path in paths]
    named = [any(column_name(field) in HEADS for field in fields) for fields in firsts]
    return [header and (is_named or not any(named)) for is_named in named]


def _first_line(path):
    if not os.path.isfile(path):  # a pipe can be read only once
        return ""
    with looks.opened(path) as file:
        return file.readline(LONGEST_LINE).decode("utf-8-sig", "replace")
