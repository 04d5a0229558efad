"""Readers of BEIR's folders (Thakur et al. 2021): a corpus, queries, and judgments per split.

``corpus.jsonl`` and ``queries.jsonl`` have one JSON object per line, ``{"_id", "title", "text"}``
and ``{"_id", "text"}``. ``qrels/test.tsv`` and the files of other splits have lines of
``query-id<TAB>corpus-id<TAB>score`` below a header.

An ``_id`` is a nonempty string, ``text`` any string, and ``title`` a string, null or missing. BEIR
also reads an ``_id`` that is a number, but then finds no judgment of it, because the ids in
``qrels`` are strings.

A document is represented by its title, or by its text if it has no title. Runs of white space
become single spaces.
"""

import json
import pathlib

from lstm_edu._util import arguments, looks
from lstm_edu._util.files import InputError
from lstm_edu._util.lines import Table, mistake, read_lines
from lstm_edu.readers import SURROGATE

from .trec import check_once, grades_of, pairs_and_judgments, warn_of_lost

LONGEST_DOCUMENT = 10_000_000  # maximum number of bytes per line
QRELS = Table(looks.BEIR_QRELS, ["query-id", "corpus-id", "score"], has_header=True)
ENTRY = '{"_id": "…", "title": "…", "text": "…"}'
JSON = {int: "a number", float: "a number", bool: "true or false", type(None): "null"}
JSON |= {list: "a list", dict: "an object", str: "a text"}


def read_beir(folder, train: str | None = "train", test="test", ignore_identical_ids=True):
    """Read training pairs and judged searches from a folder in BEIR's format.

    Judged documents that are empty or missing from the corpus count as not found, with a warning.
    The corpus is read once, and only judged documents stay in memory.

    A judged search ranks only its judged documents. In many data sets all of them are relevant, so
    any order is right. BEIR itself ranks the whole corpus, as ``python -m lstm_edu evaluate
    model.npz FOLDER`` does.

    Parameters
    ----------
    folder : path
    train, test : str or None
        The splits that pairs and judged searches come from; None reads none. If the folder lacks
        the training split, no pairs are read.
    ignore_identical_ids : bool
        Whether a judged document with the id of the query counts as not found, as in BEIR.

    Returns
    -------
    pairs : list of (query, title)
        Distinct pairs of grade 1 or more.
    judgments : list of Judged

    Raises
    ------
    InputError
        A line is not a JSON object with an id and a text, repeats an id, or is a bad judgment (the
        message names file and line); the folder lacks the split; or no judged search has two
        different grades.
    """
    train = arguments.path("train", train, allow=[None])
    test = arguments.path("test", test, allow=[None])
    ignore = arguments.boolean("ignore_identical_ids", ignore_identical_ids)
    learned = {}
    if train is not None and _path(folder, f"qrels/{train}.tsv").exists():
        learned = read_grades(folder, train)
    grades = {} if test is None else read_grades(folder, test)
    needed = {docid for of_query in [*learned.values(), *grades.values()] for docid in of_query}
    wanted = learned.keys() | grades.keys()
    queries = {qid: text for qid, text in _texts(folder, "qid", wanted) if qid in wanted}
    titles = {docid: text for docid, text in _texts(folder, "docid", needed) if docid in needed}
    instead = "rank its whole corpus (evaluate MODEL FOLDER), or train on it alone (test=None)"
    return pairs_and_judgments(folder, learned, grades, queries, titles, instead, ignore)


def read_grades(folder, split="test"):
    """Read only the judgments of a split, as ``{qid: {docid: grade}}``.

    Errors are those of `read_beir`.
    """
    path = _path(folder, f"qrels/{arguments.path('split', split)}.tsv")
    if not path.exists():
        known = ", ".join(sorted(found.stem for found in path.parent.glob("*.tsv")))
        raise InputError(f"{path}: there is no such file; splits: {known or 'none'}")
    return grades_of(path, QRELS)


def read_queries(folder, split="test"):
    """Read the judged queries of a split as ``{qid: text}``; warn if some have no text.

    Errors are those of `read_beir`.
    """
    judged = read_grades(folder, split)
    queries = dict(_texts(folder, "qid", judged))
    return {qid: queries[qid] for qid in judged if qid in queries}


def iter_corpus(folder, split=None):
    """Yield the docid and the text of each document that is not empty.

    An error about bad lines is raised at the end of the file. To save memory, repeated ids are
    detected only among the documents that ``split`` judges. A warning at the end counts the judged
    documents without a text.
    """
    grades = {} if split is None else read_grades(folder, split)
    return _texts(folder, "docid", {docid for of_query in grades.values() for docid in of_query})


def files_of(folder):
    """List the files of a folder that this module reads."""
    return [*_path(folder, "").glob("*.jsonl"), *_path(folder, "qrels").glob("*.tsv")]


def _path(folder, name):
    return pathlib.Path(arguments.path("folder", folder)) / name


def _texts(folder, name, judged):
    """Yield the id and text of each nonempty query (``name="qid"``) or document."""
    path = _path(folder, "queries.jsonl" if name == "qid" else "corpus.jsonl")
    lines, lost = {}, set(judged)

    def key_and_text(number, line):
        key, text = _entry(line)
        check_once(name, key, lines, number)
        if key in judged:
            lines[key] = number
        if not text:
            return None
        lost.discard(key)
        return key, text

    yield from read_lines(
        path, key_and_text, f"JSON, one object per line, {ENTRY}", LONGEST_DOCUMENT
    )
    warn_of_lost(path, name, len(judged), len(lost))


def _entry(line):
    """Return the id and the text of a line's JSON object; raise InputError if the line is bad."""
    expected = f"expected one object per line, {ENTRY}"
    if not line.strip():
        raise InputError(f"an empty line; {expected}")
    try:
        found = json.loads(line)
    except json.JSONDecodeError as error:
        said = error.msg.replace("Extra data", "text after the object")
        raise mistake(f"not JSON at column %s, {said}; {expected}", error.colno) from None
    except (ValueError, RecursionError):  # raised for huge numbers or deep nesting
        raise InputError(f"JSON that Python cannot read; {expected}") from None
    if not isinstance(found, dict):
        raise InputError(f"not an object but {JSON[type(found)]}; {expected}")
    keys = ", ".join(map(json.dumps, [*found][:8])) or "none"
    if found.get("title") is None:
        found["title"] = ""
    for key in ("_id", "text", "title"):
        value = found.get(key)
        if key not in found:
            raise InputError(f'"{key}" is missing, the keys are {keys}; {expected}')
        if not isinstance(value, str) or not value.strip() and key == "_id":
            found = "empty" if isinstance(value, str) else JSON[type(value)]
            raise InputError(f'"{key}" is {found}; {expected}')
        if SURROGATE.search(value):  # matches an escape such as \ud800
            raise InputError(f'"{key}" has half of a surrogate pair; {expected}')
    return found["_id"], " ".join((found["title"].strip() or found["text"]).split())
