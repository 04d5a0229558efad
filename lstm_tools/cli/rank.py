"""`lstm-edu rank`: the best titles for a query, or a run for many."""

import os
from itertools import chain, islice
from typing import Any

import numpy as np
from tqdm import tqdm

from lstm_edu._util.files import InputError, why
from lstm_edu.models.dual_encoder import LINES, seal
from lstm_edu.models.loading import load
from lstm_edu.readers import iter_titles
from lstm_tools import nearest

from ..formats import beir, runs, trec
from ..formats.trec import iter_documents
from .messages import check_written, tell
from .options import IDENTICAL, command


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
    add(
        "--run",
        metavar="FILE",
        help="write the best titles for all queries as a TREC run; a title without a docid has "
        "the number of its line",
    )
    parser.header()
    parser.or_not("--ignore-identical-ids", IDENTICAL)


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
    titles = ((title, title) for title in iter_titles(args.titles, args.header))
    ((best, scores),) = _best([args.query], titles, args.top, args.model, args.titles, args.vectors)
    for title, score in zip(best, scores):
        print(f"{score:+.4f}\t{title}")


def _rank_many(args):
    """Write a run: the best titles for each of many queries; titles come block by block."""
    is_beir = os.path.isdir(args.titles)
    ignore = is_beir if args.ignore_identical_ids is None else args.ignore_identical_ids
    if args.query is not None or args.queries is None and not is_beir:
        raise InputError("--run: is for the queries of a file, --queries FILE")
    check_written("--run", args.run, args.model, args.titles, args.queries)
    files = args.model, args.titles, args.queries
    run = run_of(*files, args.top, ignore, args.vectors, args.header)
    run, said = without_identical(run, ignore)
    runs.write_run(args.run, run)
    if is_beir or ignore:
        tell(said)


def without_identical(run, ignore):
    """A run without hits that are the query itself, if they are ignored, and what is said of it."""
    n = sum(qid in scores for qid, scores in run.items())
    does = "left out" if ignore else "counted (--no-ignore-identical-ids)"
    said = f"ignore_identical_ids: {n:,} hits that are the query itself, by its id, {does}"
    return runs.without_identical(run) if ignore else run, said


def run_of(model, titles, queries, n, ignore, vectors=None, header=False):
    """Rank a list of titles, or a folder of BEIR, for many queries.

    Parameters
    ----------
    model, titles, queries, vectors : str or None
        Files; without ``queries`` a folder's test.
    n : int
        How many for each query.
    ignore : bool
        Whether there have to be so many without the query itself, by its id.
    header : bool
        Whether titles or queries have one.

    Returns
    -------
    dict
        ``{qid: {docid: score}}``.
    """
    theirs, own = trec.have_headers(header, titles, queries)
    asked = trec.read_queries(queries, own) if queries else beir.read_queries(titles)
    run, split = {}, None if queries else "test"
    is_beir = os.path.isdir(titles)
    texts = beir.iter_corpus(titles, split) if is_beir else iter_documents(titles, theirs)
    found = _best(list(asked.values()), texts, n + ignore, model, titles, vectors)
    for qid, (docids, scores) in zip(asked, found):
        ranked = dict(zip(docids, map(float, scores)))
        if len(ranked) < len(docids):
            raise InputError(f"{titles}: a docid of the best for qid {qid!r} comes twice")
        run[qid] = dict(islice(ranked.items(), n + (ignore and qid in ranked)))
    return run


def _best(queries, documents, n, path, titles, vectors):
    """The docids of the best documents for each query, and their scores."""
    model: Any = load(path)
    # on a terminal, how many have come
    documents = iter(tqdm(documents, unit=" titles", unit_scale=True, leave=False, disable=None))
    # of aligned words each title is several vectors
    n_lines = max(1, LINES // 16) if model.relevance.words else LINES
    blocks = (zip(*block) for block in iter(lambda: list(islice(documents, n_lines)), []))
    if vectors is None:
        encoded = ((docids, model.encode_document(texts)) for docids, texts in blocks)
    else:
        encoded = _kept(model, blocks, path, titles, vectors)
    # what is wrong with the titles is said before what is odd about the queries
    encoded, asked = chain(list(islice(encoded, 1)), encoded), model.encode_query(queries)
    if model.relevance.words:
        scores = ((docids, model.similarity(asked, words)) for docids, words in encoded)
        return zip(*nearest.top_of_scores(scores, n))
    return zip(*nearest.top_of_blocks(asked, encoded, n))


def _kept(model, blocks, path, titles, name):
    """Yield the docids of each block, and the vectors that were made of its texts before.

    The seal behind them, which encode writes, says whether they are theirs; where there is none,
    all texts are encoded again.
    """
    if model.relevance.words:
        raise InputError(f"--vectors: {path} aligns words, and has several a title")
    try:
        vectors = np.lib.format.open_memmap(name, "r")
        sealed = np.fromfile(name, "u1", offset=vectors.offset + vectors.nbytes).tobytes()
    except (OSError, ValueError, EOFError) as error:
        raise InputError(f"{name}: cannot be read as .npy ({why(error)})") from None
    if vectors.ndim != 2 or vectors.shape[1] != model.document.cell.size:
        wanted = f"(titles, {model.document.cell.size})"
        raise InputError(f"{name}: of shape {vectors.shape}; the model's are {wanted}")
    total, n, theirs = seal(model, "document"), 0, True
    for docids, texts in blocks:
        own, n = vectors[n : n + len(texts)], n + len(texts)
        total.update("\n".join([*texts, ""]).encode())
        if not sealed:
            again = model.encode_document(texts[: len(own)])
            theirs &= np.allclose(again, own, rtol=1e-3, atol=1e-5)
        yield docids[: len(own)], own
    if n != len(vectors):
        raise InputError(f"{name}: {len(vectors):,} vectors; {titles} has {n:,} titles")
    if not theirs or sealed and sealed != total.digest():
        raise InputError(f"{name}: not the vectors of {titles} by {path}")
