"""`lstm-edu rank`: print the best titles for a query, or write a run for many queries."""

import os
from itertools import islice
from typing import Any

import numpy as np
from tqdm import tqdm

from lstm_edu._util import arguments
from lstm_edu._util.files import InputError
from lstm_edu._util.looks import VECTORS, refusal
from lstm_edu.models.loading import load

from .. import nearest
from ..formats import beir, runs, trec
from ..vectors import LINES, seal
from .messages import check_written, say, tell


def rank(
    model,
    titles,
    *,
    query=None,
    vectors=None,
    top: int = 10,
    queries=None,
    run=None,
    header: bool = False,
    ignore_identical_ids: bool | None = None,
):
    """Rank titles, one per line, for a query.

    Parameters
    ----------
    model
        A file that train has written.
    titles
        Titles, or docid<TAB>title on each line; with --run, also a folder in BEIR's format.
    query
        Words to search for.
    vectors : FILE
        Vectors of the titles that encode has written, so that rank need not encode the titles.
    top : N
        Number of titles to find.
    queries : FILE
        With --run, in place of --query: qid<TAB>text on each line (for a folder in BEIR's format,
        the queries of its test split).
    run : FILE
        Write the best titles for all queries as a TREC run; the docid of a title without one is its
        line number.
    """
    arguments.integer("top", top, 1)
    is_beir = os.path.isdir(titles)
    if run is None:
        if query is None or queries is not None:
            raise InputError("query: is missing; for many queries, --queries and --run")
        if not query.split():
            raise InputError("query: is empty")
        named = ((title, title) for _, title in trec.iter_documents(titles, header))
        ((best, scores),) = _best([query], named, top, model, titles, vectors)
        for title, score in zip(best, scores):
            say(f"{score:+.4f}\t{title}")
        return
    if query is not None or queries is None and not is_beir:
        raise InputError("run: is for the queries of a file, --queries FILE")
    check_written("--run", run, model, titles, queries)
    ignore = is_beir if ignore_identical_ids is None else ignore_identical_ids
    found = run_of(model, titles, queries, top, ignore, vectors, header)
    found, said = without_identical(found, ignore)
    runs.write_run(run, found)
    if is_beir or ignore:
        tell(said)


def without_identical(run, ignore):
    """Count the documents in a run that have the id of their query; remove them if ``ignore``.

    Returns
    -------
    run : dict
    line : str
        A message about these documents.
    """
    n = sum(qid in scores for qid, scores in run.items())
    does = "left out" if ignore else "counted (--no-ignore-identical-ids)"
    said = f"ignore_identical_ids: {n:,} hits that are the query itself, by its id, {does}"
    return runs.without_identical(run) if ignore else run, said


def run_of(model, titles, queries, n, ignore, vectors=None, header=False):
    """Rank the titles in a file, or the documents in a BEIR folder, for many queries.

    Parameters
    ----------
    model, titles, queries, vectors : str or None
        Paths. Without ``queries``, the queries of the BEIR folder's test split are used.
    n : int
        Number of titles per query.
    ignore : bool
        Whether to find one more title if one of the n best has the query's id.
    header : bool
        Whether the file of titles or of queries has a header.

    Returns
    -------
    dict
        ``{qid: {docid: score}}``.
    """
    of_titles, of_queries = trec.have_headers(header, titles, queries)
    asked = trec.read_queries(queries, of_queries) if queries else beir.read_queries(titles)
    if os.path.isdir(titles):
        texts = beir.iter_corpus(titles, None if queries else "test")
    else:
        texts = trec.iter_documents(titles, of_titles)
    run = {}
    found = _best(list(asked.values()), texts, n + ignore, model, titles, vectors)
    for qid, (docids, scores) in zip(asked, found):
        ranked = dict(zip(docids, map(float, scores)))
        if len(ranked) < len(docids):
            raise InputError(f"{titles}: two of the best titles for qid {qid!r} have one docid")
        run[qid] = dict(islice(ranked.items(), n + (ignore and qid in ranked)))
    return run


def _best(queries, documents, n, path, titles, vectors):
    """Return the docids and scores of the n best documents for each query."""
    model: Any = load(path)
    # disable=None shows the progress bar only on a terminal
    documents = iter(tqdm(documents, unit=" titles", unit_scale=True, leave=False, disable=None))
    # smaller blocks for an AlignedEncoder, which has several vectors per title
    n_lines = max(1, LINES // 16) if model.relevance.words else LINES
    blocks = (zip(*block) for block in iter(lambda: list(islice(documents, n_lines)), []))
    asked = model.encode_query(queries)
    if vectors is None:
        encoded = ((docids, model.encode_document(texts)) for docids, texts in blocks)
    else:
        encoded = _kept(model, blocks, path, titles, vectors)
    best = np.zeros((len(queries), 0), object), np.zeros((len(queries), 0))
    for docids, y in encoded:
        if model.relevance.words:
            scores = model.similarity(asked, y)
            rows = np.broadcast_to(np.arange(len(docids)), scores.shape)
        else:
            rows, scores = nearest.top(asked, y, n)
        best = nearest.merge(best, (np.array(docids, object)[rows], scores), n)
    return zip(*best)


def _kept(model, blocks, path, titles, name):
    """Yield the docids of each block with the stored vectors of its texts.

    A checksum that encode appends to the vectors identifies their model and titles. If the file has
    no checksum, all texts are encoded again and compared.
    """
    if model.relevance.words:
        raise InputError(f"vectors: {path} aligns words, so a title has several vectors")
    try:
        vectors = np.lib.format.open_memmap(name, "r")
        sealed = np.fromfile(name, "u1", offset=vectors.offset + vectors.nbytes).tobytes()
    except (OSError, ValueError, EOFError) as error:
        raise refusal(name, error, "vectors that encode has written", VECTORS) from None
    size = model.document.cell.size
    if vectors.dtype.kind != "f" or vectors.shape[1:] != (size,):
        found = f"{vectors.dtype} of shape {vectors.shape}"
        raise InputError(f"{name}: {found}; the model's are {model.dtype} of (titles, {size})")
    total, n, equal = seal(model, "document"), 0, True
    for docids, texts in blocks:
        stored, n = vectors[n : n + len(texts)], n + len(texts)
        total.update("\n".join([*texts, ""]).encode())
        if not sealed:
            again = model.encode_document(texts[: len(stored)])
            equal &= np.allclose(again, stored, rtol=1e-3, atol=1e-5)
        yield docids[: len(stored)], stored
    if n != len(vectors):
        raise InputError(f"{name}: {len(vectors):,} vectors; {titles} has {n:,} titles")
    if not equal or sealed and sealed != total.digest():
        raise InputError(f"{name}: not the vectors of {titles} by {path}")
