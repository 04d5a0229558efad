"""`lstm-edu rank`: the best titles for a query, or a run for many."""

import os
from itertools import islice
from typing import Any

import numpy as np
from tqdm import tqdm

from .._util.files import InputError, why
from ..data import beir, trec
from ..data.readers import iter_titles
from ..models.dual_encoder import LINES
from ..models.loading import load
from ..ranking import nearest
from .messages import check_written
from .options import command


def add_to(commands):
    """Add `rank` to the command line."""
    parser = command(commands, rank, "rank titles, one a line, for a query")
    add = parser.add_argument
    add("model", help="a file that train has written")
    add("titles", help="titles; with --run also docid<TAB>title a line, or a folder of BEIR")
    add("--query", help="what to search for")
    add(
        "--vectors",
        metavar="FILE",
        help="of the titles, as encode has written them: nothing is encoded again",
    )
    parser.number("--top", "how many titles", 10)
    add(
        "--queries",
        metavar="FILE",
        help="instead of --query, with --run: qid<TAB>text a line; of BEIR, its test",
    )
    parser.header()
    add(
        "--run",
        metavar="FILE",
        help="write the best titles for all queries as a TREC run; a title without a docid has "
        "the number of its line",
    )


def rank(args):
    """Print the best titles with their scores, or write them as a run for many queries."""
    if args.top < 1:
        raise InputError(f"--top: {args.top}; must be at least 1")
    if args.run is not None:
        return _rank_many(args)
    if args.query is None or args.queries is not None:
        raise InputError("--query: is missing; for many queries, --queries and --run")
    if not args.query.split():
        raise InputError("--query: is empty")
    model, titles, best = load(args.model), iter_titles(args.titles, args.header), []
    if args.vectors is not None:
        found = _by_vectors(args, model, [args.query], ((title, title) for title in titles))
        for title, score in zip(*found[0]):
            print(f"{score:+.4f}\t{title}")
        return
    titles = _counted(titles)
    for block in iter(lambda: list(islice(titles, _lines(model))), []):
        # equal scores stay in the file's order
        best = sorted(best + model.rank(args.query, block), key=lambda ranked: -ranked[1])
        best = best[: args.top]
    for title, score in best:
        print(f"{score:+.4f}\t{title}")


def _lines(model):
    """How many titles to have in memory at a time; of aligned words each is several vectors."""
    return max(1, LINES // 16) if model.relevance.words else LINES


def _rank_many(args):
    """Write a run: the best titles for each of many queries; titles come block by block."""
    is_beir = os.path.isdir(args.titles)
    if args.query is not None or args.queries is None and not is_beir:
        raise InputError("--run: is for the queries of a file, --queries FILE")
    check_written("--run", args.run, args.model, args.titles, args.queries)
    queries, titles = args.queries, args.titles
    queries = trec.read_queries(queries, args.header) if queries else beir.read_queries(titles)
    titles = beir.iter_corpus(titles) if is_beir else trec.iter_documents(titles, args.header)
    model: Any = load(args.model)
    if args.vectors is not None:
        found = _by_vectors(args, model, list(queries.values()), titles)
        return _write_run(args, queries, found)
    titles = _counted(titles)

    def blocks():
        for block in iter(lambda: list(islice(titles, _lines(model))), []):
            docids, texts = zip(*block)
            yield docids, model.encode_document(texts)

    asked = model.encode_query(list(queries.values()))
    if model.relevance.words:
        scores = ((docids, model.similarity(asked, words)) for docids, words in blocks())
        found = nearest.top_of_scores(scores, args.top)
    else:
        found = nearest.top_of_blocks(asked, blocks(), args.top)
    _write_run(args, queries, zip(*found))


def _write_run(args, queries, found):
    """Write what was found for each query, its docids and their scores."""
    run = {}
    for qid, (docids, scores) in zip(queries, found):
        run[qid] = dict(zip(docids, map(float, scores)))
        if len(run[qid]) < len(docids):
            raise InputError(f"{args.titles}: a docid of the best for qid {qid!r} comes twice")
    trec.write_run(args.run, run)


def _counted(titles):
    """The same titles, and on a terminal how many have come."""
    return iter(tqdm(titles, unit=" titles", unit_scale=True, leave=False, disable=None))


SPOT = 64  # titles that are encoded again, to see that the vectors are theirs


def _by_vectors(args, model, queries, documents):
    """The docids and scores of the best for each query, by vectors that were made before.

    Parameters
    ----------
    args : Namespace
    model : DualEncoder
    queries : list of str
    documents : iterable of (docid, text)
        In the order of the vectors.
    """
    if model.relevance.words:
        raise InputError(f"--vectors: {args.model} aligns words, and has several a title")
    try:
        vectors = np.load(args.vectors, mmap_mode="r")
    except (OSError, ValueError, EOFError) as error:
        raise InputError(f"{args.vectors}: cannot be read as .npy ({why(error)})") from None
    if vectors.ndim != 2 or vectors.shape[1] != model.document.cell.size:
        wanted = f"(titles, {model.document.cell.size})"
        raise InputError(f"{args.vectors}: of shape {vectors.shape}; the model's are {wanted}")
    rows, scores = nearest.top(model.encode_query(queries), vectors, args.top)
    spots = np.unique(np.linspace(0, len(vectors) - 1, SPOT).astype(int)) if len(vectors) else []
    wanted, n, kept = {*rows.ravel().tolist(), *map(int, spots)}, 0, {}
    for n, document in enumerate(documents, start=1):
        if n - 1 in wanted:
            kept[n - 1] = document
    if n != len(vectors):
        raise InputError(
            f"{args.vectors}: {len(vectors):,} vectors; {args.titles} has {n:,} titles"
        )
    again = model.encode_document([kept[row][1] for row in map(int, spots)])
    if not np.allclose(again, vectors[spots], rtol=1e-3, atol=1e-5):
        raise InputError(f"{args.vectors}: not the vectors of {args.titles} by {args.model}")
    return [([kept[row][0] for row in of], list(s)) for of, s in zip(rows.tolist(), scores)]
