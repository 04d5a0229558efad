"""Folders as BEIR has its sets (Thakur et al. 2021): one of texts, one of queries, and judgments
for each split of these.

``corpus.jsonl`` and ``queries.jsonl`` have a JSON object a line, ``{"_id", "title", "text"}`` and
``{"_id", "text"}``; ``qrels/test.tsv`` and others like it have lines of
``query-id<TAB>corpus-id<TAB>score`` below a header.

A document's text is its title if it has one, else all of it; white space becomes single spaces.
"""

import json
import pathlib

from .._util import arguments
from .._util.files import InputError
from .readers import _fields, _lines, _text
from .trec import add_grade, as_judged, check_id

LONGEST_DOCUMENT = 10_000_000  # bytes of a line
COLUMNS = ["query-id", "corpus-id", "score"]


def read_beir(folder, train: str | None = "train", test="test"):
    """Read training pairs and judged searches of a folder, as `from_ir_datasets` gives them.

    Judged documents that the corpus does not have (or that are empty) are left out. The corpus is
    read once, what is needed of it kept.

    In many sets each judged document is relevant, so that any order of them is right. To measure
    a model on such a set, rank its whole corpus: ``python -m lstm_edu rank model.npz FOLDER --run
    run.txt``, then ``python -m lstm_edu evaluate run.txt FOLDER``.

    Parameters
    ----------
    folder : path
    train, test : str or None
        The splits that pairs and judged searches come from. No pairs are read where the folder has
        no such split to train on.

    Returns
    -------
    pairs : list of (query, title)
        Distinct, of grade 1 or more.
    judgments : list of Judged

    Raises
    ------
    InputError
        Naming file and line: no JSON, an id or a text that is missing or no text, an id that comes
        twice, a bad line of judgments; no split of this name; or no judged search has two different
        grades.
    """
    train = arguments.path("train", train, allow=[None])
    test = arguments.path("test", test, allow=[None])
    learned = {}
    if train is not None and _qrels(folder, train).exists():
        learned = read_grades(folder, train)
    grades = {} if test is None else read_grades(folder, test)
    needed = {docid for of_query in [*learned.values(), *grades.values()] for docid in of_query}
    queries = _texts(_path(folder, "queries.jsonl"), learned.keys() | grades.keys())
    titles = _texts(_path(folder, "corpus.jsonl"), needed)
    pairs, judgments = {}, []
    for qid, of_query in learned.items():
        for docid, grade in of_query.items():
            if grade > 0 and queries.get(qid) and titles.get(docid):
                pairs[queries[qid], titles[docid]] = None
    for qid, of_query in grades.items():
        known = {docid: grade for docid, grade in of_query.items() if titles.get(docid)}
        if known and queries.get(qid):
            judgments.append(as_judged(qid, queries[qid], known, titles))
    if not pairs and not judgments:
        raise InputError(f"{folder}: no query that has a text has a judged document that has one")
    if judgments and all(len(set(search.grades)) == 1 for search in judgments):
        raise InputError(
            f"{folder}: the judged documents of each search have one grade, so any order is right; "
            "rank its whole corpus instead (rank --run, then evaluate the run), or take it for "
            "training alone (test=None)"
        )
    return list(pairs), judgments


def read_grades(folder, split="test"):
    """Read the judgments of a split alone, ``{qid: {docid: grade}}``; raises as `read_beir`."""
    path = _qrels(folder, arguments.path("split", split))
    if not path.exists():
        known = ", ".join(sorted(found.stem for found in path.parent.glob("*.tsv")))
        raise InputError(f"{path}: there is no such file; splits: {known or 'none'}")
    grades, judged_in, expected = {}, {}, " <TAB> ".join(COLUMNS)
    for line, where in _lines(path, f"a header and lines of {expected}"):
        qid, docid, grade = _fields(line, COLUMNS, where)
        if not where.endswith(":1"):
            add_grade(grades, judged_in, where, qid, docid, grade)
        elif grade.strip().lstrip("+-").isdigit():
            raise InputError(f"{where}: is no header; expected {expected}")
    return grades


def read_queries(folder, split="test"):
    """Read the queries that a split judges, ``{qid: text}``; raises as `read_beir`."""
    path, judged = _path(folder, "queries.jsonl"), read_grades(folder, split)
    queries = _texts(path, judged)
    for qid in judged:
        check_id("qid", qid, str(path))
    return {qid: queries[qid] for qid in judged if queries.get(qid)}


def iter_corpus(folder):
    """Yield (docid, text) of each document that has a text; raises as `read_beir`, when it comes
    to the bad line, but that an id comes twice is not seen.
    """
    for _, where, docid, text in _objects(_path(folder, "corpus.jsonl")):
        check_id("docid", docid, where)
        if text:
            yield docid, text


def files_of(folder):
    """List the files that are read of a folder."""
    return [*_path(folder, "").glob("*.jsonl"), *_path(folder, "qrels").glob("*.tsv")]


def _path(folder, name):
    return pathlib.Path(arguments.path("folder", folder)) / name


def _qrels(folder, split):
    return _path(folder, "qrels") / f"{split}.tsv"


def _texts(path, wanted):
    """The texts of the wanted ids, "" where one is empty; those that are not there are left out."""
    found, line = {}, {}
    for number, where, key, text in _objects(path):
        if key in line:
            raise InputError(f"{where}: _id {key!r} has a text in line {line[key]}")
        if key in wanted:
            found[key], line[key] = text, number
    return found


def _objects(path):
    """Yield (line number, where, id, text) of a file with a JSON object a line."""
    expected = '{"_id": …, "title": …, "text": …}'
    lines = _lines(path, f"lines of {expected}", LONGEST_DOCUMENT)
    for number, (line, where) in enumerate(lines, start=1):
        line = _text(line, where, LONGEST_DOCUMENT)
        try:
            found = json.loads(line)
            docid, title, text = found["_id"], found.get("title") or "", found["text"]
            text = " ".join((title if title.strip() else text).split())
            docid = docid.strip() and docid
            (docid + text).encode("utf-8")  # no half of a letter, which JSON may name
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            docid = None
        if not docid:
            raise InputError(f"{where}: no JSON object of texts; expected {expected}")
        yield number, where, docid, text
