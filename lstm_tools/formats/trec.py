"""TREC's files of judged queries, in and out: qrels, and the texts that they name by id.

Qrels have lines of ``qid 0 docid grade``, separated by white space, so an id has none; the texts
are in files of ``qid<TAB>text`` and ``docid<TAB>text``. `lstm_tools.formats.runs` has the rankings.
"""

import itertools
import os
import warnings

from lstm_edu._util import arguments, looks
from lstm_edu._util.files import InputError, is_same, write_text
from lstm_edu._util.lines import HEADS, LONGEST_LINE, Table, column_name, mistake, read_table
from lstm_edu.readers import SURROGATE, Grades, Judged, check_id, checked_judgments

QRELS = Table(looks.QRELS, ["qid", "0", "docid", "grade"], None)

# --- judged queries -------------------------------------------------------------------------------


def read_qrels(qrels, queries, documents, header=False):
    """Read judged searches from files as TREC has them.

    Parameters
    ----------
    qrels : path
        Lines of ``qid 0 docid grade``, separated by white space. Grades below 0 (junk) are
        taken as 0.
    queries, documents : path
        Lines of ``qid<TAB>text`` and ``docid<TAB>text``. Ids that ``qrels`` does not name are
        ignored.
    header : bool
        Leave the first line of each file out, and say so. If only ``queries`` or only ``documents``
        begins with a known name of a column, only its first line is left out.

    Returns
    -------
    list of Judged
        As `read_judgments` gives it, in the order in which the qids first appear in ``qrels``.

    Raises
    ------
    InputError
        With file and line: not four columns; a grade that is no whole number up to 100; a
        document judged twice for one qid; a qid or document that has no text, or two.
    """
    queries, documents = _paths(queries=queries, documents=documents)
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
    """Read qrels alone, ``{qid: {docid: grade}}``; raises as `read_qrels`."""
    return grades_of(arguments.path("qrels", qrels), QRELS, header)


def grades_of(path, table, header=False):
    """Read the grades of a table whose first column is the qid, and whose last are docid, grade."""
    grades = Grades()

    def add(number, qid, *fields):
        grades.add(number, qid, *fields[-2:])

    list(read_table(path, table, header, add))
    return grades


def write_qrels(qrels, queries, documents, judgments):
    """Write judged searches as `read_qrels` reads them.

    Parameters
    ----------
    qrels, queries, documents : path
    judgments : list of Judged

    Raises
    ------
    InputError
        An id has white space; a qid comes twice, or judges a document twice, or judges none; a
        document has two texts; a text is empty, or has a tab or a line end; a grade is no whole
        number from 0 to 100; two of the files are the same. Then nothing is written.
    """
    paths = _paths(qrels=qrels, queries=queries, documents=documents)
    for path, other in itertools.combinations(paths, 2):
        if is_same(path, other):
            raise InputError(f"{path}: is given for two of the three files")
    query, title, lines = {}, {}, []
    for search in checked_judgments(judgments):
        check_id("qid", search.qid)
        if search.qid in query or not search.docids:
            raise InputError(f"judgments: qid {search.qid!r} comes twice, or judges no document")
        query[search.qid] = _check_text(search.query)
        for docid, text, grade in zip(search.docids, search.titles, search.grades):
            check_id("docid", docid)
            if title.setdefault(docid, _check_text(text)) != text:
                raise InputError(f"judgments: docid {docid!r} has two texts")
            lines.append(f"{search.qid} 0 {docid} {grade}\n")
    texts = (f"{key}\t{text}\n" for key, text in query.items())
    titles = (f"{key}\t{text}\n" for key, text in title.items())
    for path, content in zip(paths, (lines, texts, titles)):
        write_text(path, "".join(content))


def _check_text(text):
    """Return a text; raise InputError unless it fits into the last column of a line."""
    if not text.strip() or set(text) & set("\t\n\r\0") or SURROGATE.search(text):
        raise InputError(
            f"judgments: text {text[:40]!r}; must be one line, without tabs, not empty"
        )
    return text


def pairs_and_judgments(source, learned, judged, queries, titles, instead, ignore=False):
    """Make training pairs and judged searches.

    Parameters
    ----------
    source : str
        The name of the set, which messages begin with.
    learned, judged : dict
        ``{qid: {docid: grade}}``.
    queries, titles : dict of str
        The texts by id.
    instead : str
        Advice for a set where any order of the judged documents is right.
    ignore : bool
        As `lstm_tools.formats.runs.evaluate_run`'s ``ignore_identical_ids``.
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
        raise InputError(f"{source}: no query that has a text has a relevant document that has one")
    if searches and all(len(grades) < 2 for grades in ranked):
        raise InputError(
            f"{source}: the documents of each search have one grade, so any order is right; "
            f"{instead}"
        )
    return list(pairs), searches


def _judged(qid, queries, grades, titles, ignore=False):
    """Make a Judged from texts by id. A query without a text finds no document.

    With ``ignore``, a document that is the query itself, by its id, is not found.
    """
    known = titles if queries.get(qid) else {}
    found = ["" if ignore and docid == qid else known.get(docid, "") for docid in grades]
    return Judged(qid, queries.get(qid, ""), list(grades), found, [*grades.values()])


def warn_of_lost(source, name, n_judged, n_lost):
    """Warn of judged ids, qids or docids, that have no text."""
    if n_lost:
        lost = f"{n_lost:,} of {n_judged:,} judged {name}s"
        warnings.warn(f"{source}: has no text of {lost}: they count as not found", stacklevel=3)


def _paths(**given):
    return [arguments.path(name, path) for name, path in given.items()]


# --- texts by id ----------------------------------------------------------------------------------


def read_queries(path, header=False):
    """Read queries, ``qid<TAB>text`` on each line, as ``{qid: text}``.

    Raises
    ------
    InputError
        With file and line: not two columns, a qid that has white space or comes twice.
    """
    return _texts(path, "qid", header=header)


def _texts(path, name, wanted=None, header=False):
    """Read the text of every id, or of the wanted ones."""
    found, lines = {}, {}

    def add(number, key, text):
        check_once(name, key, lines, number)
        if wanted is None or key in wanted:
            found[key], lines[key] = text, number

    list(read_table(path, Table("texts by id", [name, "text"]), header, add))
    return found


def check_once(name, key, lines, number):
    """Raise InputError for a bad id, or one that has a text in another of the ``lines``."""
    check_id(name, key)
    if key in lines:
        raise mistake(f"{name} %s has a text in line %s", key, lines[key])


def iter_documents(path, header=False):
    """Yield (docid, title) of a list of any size, one at a time.

    Its lines are ``docid<TAB>title``; or, where the first has no tab, titles, whose ids are the
    numbers of their lines. Raises as `read_queries`, at the end of the file; a repeated id is not
    noticed.
    """

    def document(number, *fields):
        *docid, title = fields
        if docid:
            check_id("docid", *docid)
        return docid[0] if docid else str(number), title

    return read_table(path, Table("titles", None), header, document)


# --- first lines ----------------------------------------------------------------------------------


def have_headers(header, *paths):
    """Return for each file whether it has the ``header``: those that begin with a column's name.

    If none does, all have it.
    """
    firsts = [_first_line(path).split("\t") if path else [] for path in paths]
    named = [any(column_name(field) in HEADS for field in fields) for fields in firsts]
    return [header and (is_named or not any(named)) for is_named in named]


def _first_line(path):
    if not os.path.isfile(path):  # a pipe can be read only once
        return ""
    with looks.opened(path) as file:
        return file.readline(LONGEST_LINE).decode("utf-8-sig", "replace")
