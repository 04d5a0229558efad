"""`lstm-edu evaluate`: compute the nDCG of a model or of a run."""

import os
from json import dumps
from typing import Annotated

from lstm_edu._util import looks
from lstm_edu._util.files import InputError
from lstm_edu.models.loading import load
from lstm_edu.ranking.ndcg import DEPTHS, KINDS
from lstm_edu.readers import read_judgments

from ..formats import beir, runs, trec
from .messages import check_written, say, tell
from .rank import run_of, without_identical


def evaluate(
    model,
    judgments,
    *,
    queries=None,
    documents=None,
    run=None,
    header: bool = False,
    ndcg: Annotated[str, KINDS] = "exponential",
    ignore_identical_ids: bool | None = None,
    json: bool = False,
):
    """Compute nDCG on judged queries, qid<TAB>query<TAB>docid<TAB>title<TAB>grade on each line.

    Parameters
    ----------
    model
        A model, or a TREC run of any system: qid Q0 docid rank score tag on each line.
    judgments
        Judged queries, or TREC's qrels: qid 0 docid grade on each line; or a folder in BEIR's
        format (its test split).
    queries
        Texts of the queries, needed to evaluate a model on qrels: qid<TAB>text on each line.
    documents
        Texts of the titles, needed to evaluate a model on qrels: docid<TAB>text on each line.
    run : FILE
        Write the model's ranking to this file as a TREC run. This command lets equal scores share
        their ranks; trec_eval and ir-measures break ties by docid, in descending order.
    json
        Print JSON.
    """
    is_beir, (kind, line) = os.path.isdir(judgments), looks.kind_and_line(model)
    is_run = line > 0 or kind == looks.PIPE
    if not is_run and not kind.startswith((looks.MODEL, looks.UNKNOWN)):
        raise InputError(f"{model}: looks like {kind}; expected a model or {runs.RUN.kind}")
    ignore = is_beir if ignore_identical_ids is None else ignore_identical_ids
    if run is not None:
        check_written("--run", run, model, judgments, queries, documents)
    grades, searches = _grades(judgments, queries, documents, header, is_run)
    if is_run:
        found = runs.read_run(model, header)
    elif searches is None:
        found = run_of(model, judgments, None, max(DEPTHS), ignore)
    else:
        found = runs.run_of(load(model), searches)
    found, said = without_identical(found, ignore)
    if run is not None:
        runs.write_run(run, found)
    result = runs.evaluate_run(found, grades, ndcg)
    ranked = [docid in found.get(qid, ()) for qid in grades for docid in grades[qid]]
    if is_run and not all(ranked):
        n_ranked = f"{sum(ranked):,} of {len(ranked):,} judged documents"
        n_asked = f"{len(grades.keys() & found.keys()):,} of {len(grades):,} judged queries"
        tell(f"{model}: ranks {n_ranked} for {n_asked}; the others count as not found")
    about = {"ignore_identical_ids": ignore} if is_beir or ignore else {}
    if json:
        say(dumps(result | {"ndcg": ndcg} | about))
        return
    for k in DEPTHS:
        say(f"{f'nDCG@{k}':8} {result[f'nDCG@{k}']:.4f}")
    say(f"{ndcg}: {KINDS[ndcg]}; equal scores share their ranks")
    if about:
        say(said)
    left_out = f"{result['n_left_out']} without a relevant title left out"
    say(f"{result['n_queries']} queries; {left_out}")


def _grades(judgments, queries, documents, header, is_run):
    """Return the grades keyed by qid, and the judged searches (None if only ids were read)."""
    if queries is not None or documents is not None:
        searches = trec.read_qrels(judgments, queries, documents, header)
    elif os.path.isdir(judgments):
        return beir.read_grades(judgments), None
    elif is_run and looks.looks_like(judgments) in (looks.QRELS, looks.BEIR_QRELS):
        return trec.read_grades(judgments, header), None
    else:
        searches = read_judgments(judgments, header)
    return {search.qid: dict(zip(search.docids, search.grades)) for search in searches}, searches
