"""`lstm-edu rank`: the best titles for a query, or a run for many."""

import os
from itertools import islice
from typing import Any

from .._util.files import InputError
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
    model, titles, best = load(args.model), iter_titles(args.titles), []
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
    queries = trec.read_queries(args.queries) if args.queries else beir.read_queries(args.titles)
    titles = beir.iter_corpus(args.titles) if is_beir else trec.iter_documents(args.titles)
    model: Any = load(args.model)

    def blocks():
        for block in iter(lambda: list(islice(titles, _lines(model))), []):
            docids, texts = zip(*block)
            yield docids, model.encode_document(texts)

    asked, run = model.encode_query(list(queries.values())), {}
    if model.relevance.words:
        scores = ((docids, model.similarity(asked, words)) for docids, words in blocks())
        found = nearest.top_of_scores(scores, args.top)
    else:
        found = nearest.top_of_blocks(asked, blocks(), args.top)
    for qid, docids, scores in zip(queries, *found):
        run[qid] = dict(zip(docids, map(float, scores)))
        if len(run[qid]) < len(docids):
            raise InputError(f"{args.titles}: a docid of the best for qid {qid!r} comes twice")
    trec.write_run(args.run, run)
