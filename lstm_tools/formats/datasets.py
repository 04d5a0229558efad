"""Read public data sets by name through ``ir_datasets``, which the extra ``data`` installs."""

import codecs
import locale

from lstm_edu._util import arguments
from lstm_edu._util.files import InputError, from_extra
from lstm_edu.text.hashing import plain

from .msrd import share
from .trec import pairs_and_judgments, warn_of_lost


def from_ir_datasets(name, judged=0.2, n_queries=None):
    """Read training pairs and judged searches from a data set that ``ir_datasets`` downloads.

    Many sets have one name for the training part and one for the test part:
    ``from_ir_datasets("nfcorpus/train", judged=0)`` and
    ``from_ir_datasets("nfcorpus/test", judged=1)``. If one name covers both, as "cranfield" does, a
    hash of a query's words decides whether the query is judged or trained on, so that no query text
    is in both parts. Use click logs, such as "msmarco-document/orcas", only for training
    (``judged=0``): all documents of a search in a log are relevant, so any order is right.

    A document is represented by its title, or by its text if it has no title. Runs of white space
    become single spaces. Judged documents that are empty or missing from the set count as not
    found, with a warning. All documents are read once, and only those needed stay in memory. Only
    the library's downloads are stored on disk.

    Parameters
    ----------
    name : str
        A name that https://ir-datasets.com lists.
    judged : float
        The share of queries that become judged searches. The relevant documents of the other
        queries become pairs.
    n_queries : int or None
        Read only this many queries, the first in the relevance file, to save memory.

    Returns
    -------
    pairs : list of (query, title)
        Distinct pairs of grade 1 or more.
    judgments : list of Judged

    Raises
    ------
    InputError
        ir_datasets is not installed, does not know the name or cannot download; the set lacks
        queries, documents or relevance, or none of them match; or no judged search has two
        different grades.
    """
    name, judged = arguments.text("name", name), arguments.number("judged", judged, 0, 1)
    n_queries = arguments.integer("n_queries", n_queries, 1, allow=[None])
    with from_extra("data", "from_ir_datasets needs ir_datasets"):
        import ir_datasets
    try:
        found = ir_datasets.load(name)
    except (KeyError, TypeError):
        raise InputError(f"name: {name!r} is not a data set that ir_datasets knows") from None
    parts = "queries", "docs", "qrels"
    if lacking := [part for part in parts if not getattr(found, f"has_{part}")()]:
        raise InputError(f"{name}: has no {', '.join(lacking)}; must have {', '.join(parts)}")
    try:
        grades = _grades(found.qrels_iter(), n_queries)
        needed = {docid for of_query in grades.values() for docid in of_query}
        queries = {
            query.query_id: _plain_text(query, "text")
            for query in found.queries_iter()
            if query.query_id in grades
        }
        titles = {
            doc.doc_id: _plain_text(doc, "title")
            for doc in found.docs_iter()
            if doc.doc_id in needed
        }
    except Exception as error:  # downloads and the library's many readers may raise any error
        said = " ".join(str(error).split())[:200]
        raise InputError(
            f"{name}: ir_datasets could not read it ({type(error).__name__}: {said})"
        ) from None
    _check_encoding(name, [*queries.values(), *titles.values()])
    warn_of_lost(name, "qid", len(grades), sum(not queries.get(qid) for qid in grades))
    warn_of_lost(name, "docid", len(needed), sum(not titles.get(docid) for docid in needed))
    learned_and_judged = {}, {}
    for qid, of_query in grades.items():
        is_judged = share(f"{name}|{plain(queries.get(qid, ''))}") < judged
        learned_and_judged[is_judged][qid] = of_query
    alone = "use it only for training (judged=0)"
    return pairs_and_judgments(name, *learned_and_judged, queries, titles, alone)


def _grades(qrels, n_queries):
    """Collect ``{qid: {docid: grade}}`` from relevance entries.

    Negative grades become 0. If a document has several grades for a query, the highest is kept.
    """
    grades = {}
    for qrel in qrels:
        if qrel.query_id not in grades and len(grades) == n_queries:
            continue
        of_query = grades.setdefault(qrel.query_id, {})
        of_query[qrel.doc_id] = max(0, int(qrel.relevance), of_query.get(qrel.doc_id, 0))
    return grades


def _plain_text(entry, field):
    """Return a field of an entry; if it is empty, return the entry's default text, or else ""."""
    # a few of the library's document classes lack default_text
    default_text = getattr(entry, "default_text", lambda: None)
    return " ".join((getattr(entry, field, None) or default_text() or "").split())


def _check_encoding(name, texts):
    """Raise InputError if ir_datasets may have misread letters that are not ASCII.

    The library opens many UTF-8 files in the system's default encoding.
    """
    encoding = locale.getpreferredencoding(False)
    if codecs.lookup(encoding).name != "utf-8" and not all(map(str.isascii, texts)):
        raise InputError(
            f"{name}: ir_datasets may have read its letters as {encoding}, this system's encoding; "
            "set PYTHONUTF8=1 and restart Python"
        )
