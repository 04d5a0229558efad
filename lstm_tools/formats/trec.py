"""TREC's files, in and out: qrels, which say how good documents are, and runs, which rank them.

Qrels have lines of ``qid 0 docid grade``, runs ``qid Q0 docid rank score tag``, separated by white
space, so no id may hold any; the texts lie beside them, in lines of ``qid<TAB>text`` and
``docid<TAB>text``.

Whoever evaluates a run passes over its ranks. trec_eval, and with it pytrec_eval and ir-measures,
takes the scores as float32 and lets the docid decide between equal ones: the last in the order of
its characters comes first. `lstm_edu.ranking.ndcg` takes the mean over all orders that equal scores
could stand in, so that no docid decides anything. `write_run` writes equal scores in trec_eval's
order, and each score so that it reads back as the same number.
"""

import itertools
import os
import re
import warnings

from lstm_edu._util import arguments
from lstm_edu._util.files import InputError, is_same, write_text
from lstm_edu.readers import (
    HIGHEST_GRADE,
    LONGEST_LINE,
    Judged,
    _has_header,
    _rows,
    check_id,
    checked_judgments,
    encodable,
)

RUN = ["qid", "Q0", "docid", "rank", "score", "tag"]
QRELS = ["qid", "0", "docid", "grade"]

# --- qrels ----------------------------------------------------------------------------------------


def read_qrels(qrels, queries, documents, header=False):
    """Read judged searches from files as TREC has them.

    Parameters
    ----------
    qrels : path
        Lines of ``qid 0 docid grade``, separated by white space. Grades below 0 (junk) are
        taken as 0.
    queries, documents : path
        Lines of ``qid<TAB>text`` and ``docid<TAB>text``. What ``qrels`` does not name is
        passed over.
    header : bool
        Leave the first line of each file out, and say so; of ``queries`` or ``documents`` alone,
        if that alone begins with a known name of a column.

    Returns
    -------
    list of Judged
        As `read_judgments` gives it, in the order in which the qids first appear in ``qrels``.

    Raises
    ------
    InputError
        Naming file and line: not four columns; a grade that is no whole number up to 100; a
        document judged twice for one qid; a qid or document that has no text, or two.
    """
    queries, documents = _paths(queries=queries, documents=documents)
    grades, judged_in = _grades(qrels, header)
    qids, docids = ([(key[k], where) for key, where in judged_in.items()] for k in (0, 1))
    query = _texts(queries, "qid", qids, _has_header(header, queries, documents))
    title = _texts(documents, "docid", docids, _has_header(header, documents, queries))
    return [as_judged(qid, query, of_query, title) for qid, of_query in grades.items()]


def read_grades(qrels, header=False):
    """Read qrels alone, ``{qid: {docid: grade}}``; raises as `read_qrels`."""
    return _grades(qrels, header)[0]


def write_qrels(qrels, queries, documents, judgments):
    """Write judged searches as `read_qrels` reads them.

    Parameters
    ----------
    qrels, queries, documents : path
    judgments : list of Judged

    Raises
    ------
    InputError
        An id holds white space; a qid comes twice, or judges a document twice or none at all; a
        document has two texts; a text is empty or more than a line of one column; a grade is no
        whole number from 0 to 100; two of the files are the same. Nothing is written then.
    """
    qrels, queries, documents = _paths(qrels=qrels, queries=queries, documents=documents)
    for path, other in itertools.combinations((qrels, queries, documents), 2):
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
    write_text(queries, "".join(f"{qid}\t{text}\n" for qid, text in query.items()))
    write_text(documents, "".join(f"{docid}\t{text}\n" for docid, text in title.items()))
    write_text(qrels, "".join(lines))


def as_judged(qid, queries, grades, titles, ignore=False):
    """Make one judged query from its ``{docid: grade}`` and the texts by id; without its own text,
    and if it is to ``ignore`` itself, it finds no such document.
    """
    known = titles if queries.get(qid) else {}
    found = ["" if ignore and docid == qid else known.get(docid, "") for docid in grades]
    return Judged(qid, queries.get(qid, ""), list(grades), found, [*grades.values()])


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
        What to do where any order of the judged documents is right.
    ignore : bool
        As `lstm_tools.formats.runs.evaluate_run`'s ``ignore_identical_ids``.
    """
    pairs = {
        (queries[qid], titles[docid]): None
        for qid, of_query in learned.items()
        for docid, grade in of_query.items()
        if grade > 0 and queries.get(qid) and titles.get(docid)
    }
    searches = [as_judged(qid, queries, own, titles, ignore) for qid, own in judged.items()]
    ranked = [{g for g, title in zip(own.grades, own.titles) if title} for own in searches]
    if not pairs and not any(ranked):
        raise InputError(f"{source}: no query that has a text has a relevant document that has one")
    if searches and all(len(grades) < 2 for grades in ranked):
        raise InputError(
            f"{source}: the documents of each search have one grade, so any order is right; "
            f"{instead}"
        )
    return list(pairs), searches


def warn_of_lost(source, name, n_judged, n_lost):
    """Warn of judged ids, qids or docids, that are not there or have no text."""
    if n_lost:
        lost = f"{n_lost:,} of {n_judged:,} judged {name}s"
        warnings.warn(f"{source}: has no text of {lost}: they count as not found", stacklevel=3)


def add_grade(grades, judged_in, where, qid, docid, grade):
    """Check a judged document and put it with the others.

    Parameters
    ----------
    grades : dict
        ``{qid: {docid: grade}}``, with no grade below 0.
    judged_in : dict
        By (qid, docid) the ``where`` of each.
    where : str
        File and number of the line, which a message begins with.
    qid, docid, grade : str
    """
    check_id("qid", qid, where)
    check_id("docid", docid, where)
    if not re.fullmatch(r"[+-]?[0-9]{1,9}", grade) or int(grade) > HIGHEST_GRADE:
        raise InputError(
            f"{where}: grade {grade[:20]!r}; must be a whole number up to {HIGHEST_GRADE}"
        )
    if (qid, docid) in judged_in:
        line = judged_in[qid, docid].rsplit(":", 1)[1]
        raise InputError(f"{where}: document {docid!r} of qid {qid!r} was judged in line {line}")
    judged_in[qid, docid] = where
    grades.setdefault(qid, {})[docid] = max(0, int(grade))


def _grades(qrels, header):
    """The grades by query, and where each of them stands."""
    (qrels,), grades, judged_in = _paths(qrels=qrels), {}, {}
    for number, (qid, _, docid, grade) in _rows(qrels, QRELS, header, separator=None):
        add_grade(grades, judged_in, f"{qrels}:{number}", qid, docid, grade)
    return grades, judged_in


def _paths(**given):
    return [arguments.path(name, path) for name, path in given.items()]


def _texts(path, name, named_in=None, header=False):
    """The text of every id, or of those that qrels have named; ``named_in`` has the ids and where
    that was.
    """
    named_in = named_in and dict(reversed(named_in))
    found, line = {}, {}
    for number, (key, text) in _rows(path, [name, "text"], header):
        check_id(name, key, f"{path}:{number}")
        if key in line:
            raise InputError(f"{path}:{number}: {name} {key!r} has a text in line {line[key]}")
        if named_in is None or key in named_in:
            found[key], line[key] = text, number
    for key, where in (named_in or {}).items():
        if key not in found:
            raise InputError(f"{where}: {name} {key!r} is not in {path}")
    return found


# --- what is to be ranked -------------------------------------------------------------------------


def read_queries(path, header=False):
    """Read queries, ``qid<TAB>text`` a line, as ``{qid: text}``.

    Raises
    ------
    InputError
        Naming file and line: not two columns, a qid that holds white space or comes twice.
    """
    return _texts(path, "qid", header=header)


def iter_documents(path, header=False):
    """Yield (docid, title) of a list of any size, one at a time.

    Its lines are ``docid<TAB>title``; or, where the first has no tab, titles, which have the
    numbers of their lines for ids. Raises as `read_queries`, when it comes to the bad line; that an
    id comes twice is not seen.
    """
    for number, (*docid, title) in _rows(path, header=header):
        if docid:
            check_id("docid", docid[0], f"{path}:{number}")
        yield docid[0] if docid else str(number), title


def n_columns(path):
    """Count the columns, by white space, of a file's first line; None if it is no text.

    Six are those of a run, four those of qrels: judgments with their texts have five at least.
    """
    path = arguments.path("path", path)
    if not os.path.isfile(path):  # a pipe can be read but once
        return None
    with open(path, "rb") as file:
        line = file.readline(LONGEST_LINE)
    return None if b"\0" in line else len(line.decode("utf-8", "replace").split())


def _check_text(text):
    """The text; InputError unless it can stand in the last column of a line."""
    text = encodable("judgments", text)
    if not text.strip() or set(text) & set("\t\n\r\0"):
        raise InputError(
            f"judgments: text {text[:40]!r}; must be one line, without tabs, not empty"
        )
    return text
