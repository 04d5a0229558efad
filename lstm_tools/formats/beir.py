"""BEIR's folders (Thakur et al. 2021): a corpus, its queries, and judgments for each split.

``corpus.jsonl`` and ``queries.jsonl`` have one JSON object per line, ``{"_id", "title", "text"}``
and ``{"_id", "text"}``. ``qrels/test.tsv`` and others like it have lines of
``query-id<TAB>corpus-id<TAB>score`` below a header.

An ``_id`` is a text that is not empty, ``text`` any text, and ``title`` a text, null or missing.
BEIR also reads an ``_id`` that is a number, but then finds no judgment of it, because the ids in
``qrels`` are texts.

A document's text is its title if it has one, else all of it; white space becomes single spaces.
"""

import json
import pathlib

from lstm_edu._util import arguments, looks
from lstm_edu._util.files import InputError
from lstm_edu._util.lines import Table, mistake, read_lines
from lstm_edu.readers import SURROGATE

from .trec import check_once, grades_of, pairs_and_judgments, warn_of_lost

LONGEST_DOCUMENT = 10_000_000  # bytes of a line
QRELS = Table(looks.BEIR_QRELS, ["query-id", "corpus-id", "score"], has_header=True)
ENTRY = '{"_id": "…", "title": "…", "text": "…"}'
JSON = {int: "a number", float: "a number", bool: "true or false", type(None): "null"}
JSON |= {list: "a list", dict: "an object", str: "a text"}
KEYS = {
    "_id": "a text in quotes, not empty",
    "text": "a text in quotes, which may be empty",
    "title": "a text in quotes or null, or left out",
}


def read_beir(folder, train: str | None = "train", test="test", ignore_identical_ids=True):
    """Read training pairs and judged searches of a folder, as `from_ir_datasets` does.

    Judged documents that the corpus does not have (or that are empty) count as not found, with a
    warning. The corpus is read once, and only its judged documents are kept.

    These searches rank only judged documents. In many sets all of these are relevant, so any order
    is right; BEIR ranks the whole corpus, and so does ``python -m lstm_edu evaluate
    model.npz FOLDER``.

    Parameters
    ----------
    folder : path
    train, test : str or None
        The splits that pairs and judged searches come from. No pairs are read where the folder has
        no such split to train on.
    ignore_identical_ids : bool
        Whether a judged document that is the query itself, by its id, counts as not found, as in
        BEIR.

    Returns
    -------
    pairs : list of (query, title)
        Distinct, of grade 1 or more.
    judgments : list of Judged

    Raises
    ------
    InputError
        With file and line: no JSON, an id or a text that is missing or no text, a repeated id, a
        bad line of judgments. Or there is no split of this name, or no judged search has two
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
    """Read the judgments of a split alone, ``{qid: {docid: grade}}``; raises as `read_beir`."""
    path = _path(folder, f"qrels/{arguments.path('split', split)}.tsv")
    if not path.exists():
        known = ", ".join(sorted(found.stem for found in path.parent.glob("*.tsv")))
        raise InputError(f"{path}: there is no such file; splits: {known or 'none'}")
    return grades_of(path, QRELS)


def read_queries(folder, split="test"):
    """Read the queries that a split judges, ``{qid: text}``; warn of those without a text.

    Raises as `read_beir`.
    """
    judged = read_grades(folder, split)
    queries = dict(_texts(folder, "qid", judged))
    return {qid: queries[qid] for qid in judged if qid in queries}


def iter_corpus(folder, split=None):
    """Yield (docid, text) of each document that has a text.

    Raises as `read_beir`, at the end of the file. A repeated id is noticed only among the documents
    that ``split`` judges; a warning at the end counts judged ones without a text.
    """
    grades = {} if split is None else read_grades(folder, split)
    return _texts(folder, "docid", {docid for of_query in grades.values() for docid in of_query})


def files_of(folder):
    """List the files of a folder that are read."""
    return [*_path(folder, "").glob("*.jsonl"), *_path(folder, "qrels").glob("*.tsv")]


def _path(folder, name):
    return pathlib.Path(arguments.path("folder", folder)) / name


def _texts(folder, name, judged):
    """Yield the id (``name``: qid or docid) and the text of each entry that has a text."""
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

    yield from read_lines(path, key_and_text, f"JSON, one object a line, {ENTRY}", LONGEST_DOCUMENT)
    warn_of_lost(path, name, len(judged), len(lost))


def _entry(line):
    """Return the id and the text of a line's JSON object; raise InputError if it has none."""
    expected = f"expected one object a line, {ENTRY}"
    try:
        found = json.loads(line)
    except json.JSONDecodeError as error:
        said = error.msg.replace("Extra data", "more after the object")
        raise mistake(f"no JSON at column %s, {said}; {expected}", error.colno) from None
    except (ValueError, RecursionError):  # thousands of digits or brackets
        raise InputError(f"no JSON that Python can read; {expected}") from None
    if not isinstance(found, dict):
        raise InputError(f"{JSON[type(found)]}; {expected}")
    for key in ("_id", "text"):
        if key not in found:
            keys = ", ".join(map(json.dumps, [*found][:8])) or "none"
            raise InputError(f'no key "{key}" among its keys ({keys}); {expected}')
    for key, value in found.items():
        if key not in KEYS or key == "title" and value is None:
            continue
        if not isinstance(value, str):
            raise InputError(f'"{key}" is {JSON[type(value)]}; must be {KEYS[key]}')
        if SURROGATE.search(value):  # an escape such as \\ud800
            raise InputError(f'"{key}" has half a character; must be {KEYS[key]}')
    key, text, title = found["_id"], found["text"], found.get("title") or ""
    if not key.strip():
        raise InputError(f'"_id" is empty; must be {KEYS["_id"]}')
    return key, " ".join((title if title.strip() else text).split())
