"""`lstm-edu evaluate`: nDCG of a model, or of a run."""

import json
import os

from lstm_edu._util.files import InputError
from lstm_edu.models.loading import load
from lstm_edu.ranking import ndcg
from lstm_edu.readers import read_judgments

from ..formats import beir, runs, trec
from .messages import check_written, tell
from .options import IDENTICAL, command
from .rank import run_of, without_identical


def add_to(commands):
    """Add `evaluate` to the command line."""
    columns = "qid<TAB>query<TAB>docid<TAB>title<TAB>grade"
    parser = command(commands, evaluate, f"nDCG of a model on judged queries, {columns} a line")
    add = parser.add_argument
    add("model", help=f"a model, or a TREC run of any system: {' '.join(runs.RUN)} a line")
    add(
        "judgments",
        help=f"judged queries, or TREC's qrels: {' '.join(trec.QRELS)} a line; or a folder of BEIR "
        "(its test)",
    )
    add("--queries", help="the texts for qrels and a model: qid<TAB>text a line")
    add("--documents", help="the same: docid<TAB>text a line")
    add(
        "--run",
        metavar="FILE",
        help="write the model's ranking as a TREC run; equal scores share their ranks here, "
        "trec_eval and ir-measures put the last docid of them first",
    )
    parser.header()
    parser.ndcg()
    parser.or_not("--ignore-identical-ids", IDENTICAL)
    parser.switch("--json", "print JSON")


def evaluate(args):
    """Print nDCG of a model, or of a run, as lines or JSON."""
    is_beir = os.path.isdir(args.judgments)
    ignore = is_beir if args.ignore_identical_ids is None else args.ignore_identical_ids
    if args.run is not None:
        check_written("--run", args.run, args.model, args.judgments, args.queries, args.documents)
    is_run = trec.n_columns(args.model) == len(runs.RUN)
    if is_run:
        if args.run is not None:
            raise InputError(f"--run: {args.model} is no model that could rank, but a run itself")
        run, grades = runs.read_run(args.model, args.header), _grades(args)
    elif is_beir and not (args.queries or args.documents):
        run = run_of(args.model, args.judgments, None, max(ndcg.DEPTHS), ignore)
        grades = _grades(args)
    else:
        model, judgments = load(args.model), _judgments(args)
        run, grades = runs.run_of(model, judgments), _by_query(judgments)
    run, said = without_identical(run, ignore)
    if args.run is not None:
        runs.write_run(args.run, run)
    result = runs.evaluate_run(run, grades, args.ndcg)
    found = [docid in run.get(qid, ()) for qid in grades for docid in grades[qid]]
    if is_run and not all(found):
        n_found = f"{sum(found):,} of {len(found):,} judged documents"
        n_asked = f"{len(grades.keys() & run.keys()):,} of {len(grades):,} judged queries"
        tell(f"{args.model}: ranks {n_found} for {n_asked}; the others count as not found")
    if args.json:
        told = {"ndcg": args.ndcg} | ({"ignore_identical_ids": ignore} if is_beir or ignore else {})
        print(json.dumps(result | told))
    else:
        for name in ("nDCG@1", "nDCG@3", "nDCG@10"):
            print(f"{name:8} {result[name]:.4f}")
        print(f"{args.ndcg}: {ndcg.KINDS[args.ndcg]}; equal scores share their ranks")
        if is_beir or ignore:
            print(said)
        left_out = f"{result['n_left_out']} without a relevant title left out"
        print(f"{result['n_queries']} queries; {left_out}")


def _judgments(args):
    """The judged queries with their texts."""
    if args.queries is not None or args.documents is not None:
        if args.queries is None or args.documents is None:
            raise InputError("--queries, --documents: qrels need both")
        return trec.read_qrels(args.judgments, args.queries, args.documents, args.header)
    if trec.n_columns(args.judgments) == len(trec.QRELS):
        raise InputError(
            f"{args.judgments}: has the columns of qrels, which hold no texts; "
            "a model wants them: --queries and --documents"
        )
    return read_judgments(args.judgments, args.header)


def _grades(args):
    """The grades alone, which are enough to evaluate a run."""
    if os.path.isdir(args.judgments):
        return beir.read_grades(args.judgments)
    if trec.n_columns(args.judgments) == len(trec.QRELS):
        return trec.read_grades(args.judgments, args.header)
    return _by_query(read_judgments(args.judgments, args.header))


def _by_query(judgments):
    return {search.qid: dict(zip(search.docids, search.grades)) for search in judgments}
