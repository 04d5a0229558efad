"""Read, write and evaluate TREC runs. A run has a system's rankings for many queries.

Lines are ``qid Q0 docid rank score tag``; evaluation programs ignore the ranks. trec_eval, and
therefore pytrec_eval and ir-measures, reads the scores as float32 and breaks ties by docid, in
descending order of characters. `evaluate_run` averages over all orders of equal scores, so that
docids have no effect. `write_run` writes equal scores in trec_eval's order, and each score with
enough digits to be read back as the same number.
"""

import math
import sys
from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

from lstm_edu._util import arguments, looks
from lstm_edu._util.files import InputError, write_text
from lstm_edu._util.lines import Table, mistake, read_table
from lstm_edu.ranking.ndcg import KINDS, evaluate, scored
from lstm_edu.readers import Judged, check_id, checked_grades

RUN = Table(looks.RUN, ["qid", "Q0", "docid", "rank", "score", "tag"], None)


def numeral(text, kind: type = float):
    """Convert text from a file or an option to a number; raise ValueError if it isn't one.

    Only digits from 0 to 9, sign, point and exponent are allowed. Python's ``float`` also accepts
    1_0, digits of other alphabets, spaces, nan, inf, and 1e400, which becomes inf; this function
    refuses them all.
    """
    if set(text) - set("0123456789+-.eE") or not math.isfinite(kind(text)):
        raise ValueError(text)
    return kind(text)


def read_run(path, header=False):
    """Read a TREC run, for `lstm_tools.formats.runs.evaluate_run`.

    Returns
    -------
    dict
        ``{qid: {docid: score}}``, in the order of the file; its ranks are ignored.

    Raises
    ------
    InputError
        A line does not have six columns, has a score that is not a finite number, or ranks a
        document twice for a qid; the message names file and line.
    """
    run = {}

    def add(_, qid, __, docid, ___, score, ____):
        ranked = run.setdefault(qid, {})
        if docid in ranked:
            raise mistake("document %s is ranked twice for qid %s", docid, qid)
        try:
            ranked[docid] = numeral(score)
        except ValueError:
            raise mistake("score %s; must be a number", score[:20]) from None

    list(read_table(path, RUN, header, add))
    return run


def write_run(path, run, tag="lstm_edu"):
    """Write a TREC run atomically, with the best document of each query first.

    Parameters
    ----------
    path : path
    run : dict
        ``{qid: {docid: score}}``. Documents with equal scores are written in trec_eval's
        order, by docid in descending order.
    tag : str
        The run's name.

    Raises
    ------
    InputError
        An id or the tag is empty or has white space, or a score is not a finite number.
    """
    path, lines = arguments.path("path", path), []
    check_id("tag", tag)
    for qid, scores in checked_run(run).items():
        best = sorted(sorted(scores, reverse=True), key=lambda docid: -scores[docid])
        lines += [
            f"{qid} Q0 {docid} {rank} {scores[docid]!r} {tag}\n"
            for rank, docid in enumerate(best, start=1)
        ]
    write_text(path, "".join(lines))


def checked_run(run):
    """Convert a run's scores to floats; raise InputError for a bad id or a non-finite score."""
    lowest = -sys.float_info.max
    return {
        qid: {
            docid: arguments.number(f"run[{qid!r}][{docid!r}]", score, lowest)
            for docid, score in scores.items()
        }
        for qid, scores in checked_ids("run", run).items()
    }


def checked_ids(name, by_query):
    """Check and return ``{qid: {docid: number}}``; refuse ids that TREC files cannot contain."""
    is_dict = isinstance(by_query, Mapping)
    if not is_dict or not all(isinstance(of_query, Mapping) for of_query in by_query.values()):
        arguments.refuse(name, by_query, "a dict, {qid: {docid: number}}")
    for qid, of_query in by_query.items():
        check_id("qid", qid)
        for docid in of_query:
            check_id("docid", docid)
    return by_query


def run_of(model, judgments):
    """Score all judged titles that are not empty; return a run, ``{qid: {docid: score}}``.

    Arguments and errors are those of `lstm_edu.ranking.ndcg.ndcg_by_query`.
    """
    every = scored(model, judgments)
    run = {found.qid: dict(zip(found.docids, scores.tolist())) for _, found, scores in every}
    twice = len(run) < len(every)
    return arguments.refuse("judgments", judgments, "with distinct qids") if twice else run


def without_identical(run):
    """Return a run without the documents that have the id of their query."""
    return {qid: {d: s for d, s in scores.items() if d != qid} for qid, scores in run.items()}


def evaluate_run(run, grades, kind="exponential", ignore_identical_ids=False):
    """Compute the mean nDCG at 1, 3 and 10 of a run.

    A ranked document without a judgment has grade 0. A judged document that is not ranked counts as
    not found, and a judged query without a ranking counts as 0. ir-measures does the same, but
    also counts a query without a relevant document as 0, and breaks ties by docid.

    Parameters
    ----------
    run : dict
        ``{qid: {docid: score}}``, as returned by `read_run`.
    grades : dict
        ``{qid: {docid: grade}}``, as returned by `lstm_tools.formats.trec.read_grades`.
    kind : {"exponential", "linear", "original"}
        As for `lstm_edu.ranking.ndcg.ndcg`.
    ignore_identical_ids : bool
        Whether to ignore a ranked document that has the id of the query, as BEIR does.

    Returns
    -------
    dict
        As returned by `lstm_edu.evaluate`.

    Raises
    ------
    InputError
        The run ranks none of the judged queries, or an id is not a text or has white space.
        Further errors are those of `lstm_edu.evaluate`.
    """
    kind = arguments.choice("kind", kind, KINDS)
    ignore = arguments.boolean("ignore_identical_ids", ignore_identical_ids)
    run, grades = checked_run(run), checked_ids("grades", grades)
    run = without_identical(run) if ignore else run
    if not run.keys() & grades.keys():
        shown = (f"{next(iter(by_query), None)!r}, …" for by_query in (run, grades))
        raise InputError(f"run, grades: have no qid in common: {' and '.join(shown)}")
    for qid, judged in grades.items():
        checked_grades(f"grades[{qid!r}]", [*judged.values()])
    searches = [_search(qid, judged, run.get(qid, {})) for qid, judged in grades.items()]
    ranker: Any = SimpleNamespace(score=lambda qid, docids: [run[qid][docid] for docid in docids])
    return evaluate(ranker, searches, kind)


def _search(qid, judged, ranked):
    """Make a `Judged` with docids as titles, and "" for documents that aren't ranked."""
    docids = [*(ranked | judged)]
    titles = [docid if docid in ranked else "" for docid in docids]
    return Judged(qid, qid, docids, titles, [judged.get(docid, 0) for docid in docids])
