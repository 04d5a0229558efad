"""TREC's runs, rankings of a system for many queries: read, write and measure them.

Lines are ``qid Q0 docid rank score tag``. Evaluators ignore the ranks. trec_eval, and with it
pytrec_eval and ir-measures, reads the scores as float32 and breaks ties by docid: the last in the
order of characters comes first. `evaluate_run` takes the mean over all orders of equal scores, so
docids decide nothing. `write_run` writes equal scores in trec_eval's order, and each score such
that it reads back as the same number.
"""

import math
import sys
from collections.abc import Mapping
from types import SimpleNamespace

from lstm_edu._util import arguments, looks
from lstm_edu._util.files import InputError, write_text
from lstm_edu._util.lines import Table, mistake, read_table
from lstm_edu.ranking.ndcg import KINDS, evaluate, scored
from lstm_edu.readers import Judged, check_id, checked_grades

RUN = Table(looks.RUN, ["qid", "Q0", "docid", "rank", "score", "tag"], None)


def numeral(text, kind: type = float):
    """Convert a text from a file or an option to a number; raise ValueError if it is none.

    Digits from 0 to 9 are allowed, with sign, point and exponent. Python reads more, all refused
    here: 1_0, digits of other alphabets, blanks, nan, inf, and 1e400, which is not finite.
    """
    if set(text) - set("0123456789+-.eE") or not math.isfinite(kind(text)):
        raise ValueError(text)
    return kind(text)


def read_run(path, header=False):
    """Read a run: the ranking of a system for each query.

    `lstm_tools.formats.runs.evaluate_run` measures it.

    Returns
    -------
    dict
        ``{qid: {docid: score}}``, in the order of the file; its ranks are ignored.

    Raises
    ------
    InputError
        With file and line: not six columns; a score that is no finite number; a document ranked
        twice for one qid.
    """
    run = {}

    def add(_, qid, __, docid, ___, score, ____):
        ranked = run.setdefault(qid, {})
        if docid in ranked:
            raise mistake("document %s of qid %s has been ranked before", docid, qid)
        try:
            ranked[docid] = numeral(score)
        except ValueError:
            raise mistake("score %s; must be a number", score[:20]) from None

    list(read_table(path, RUN, header, add))
    return run


def write_run(path, run, tag="lstm_edu"):
    """Write a run, whole or not at all, the best of each query first.

    Parameters
    ----------
    path : path
    run : dict
        ``{qid: {docid: score}}``. Equal scores are written in the order that trec_eval gives
        them, the last docid first.
    tag : str
        The run's name.

    Raises
    ------
    InputError
        An id or the tag is empty or has white space, or a score is no finite number.
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
    """Return a run with its scores as floats; raise InputError if one is not finite.

    Raises as `checked_ids`, too.
    """
    lowest = -sys.float_info.max
    return {
        qid: {
            docid: arguments.number(f"run[{qid!r}][{docid!r}]", score, lowest)
            for docid, score in scores.items()
        }
        for qid, scores in checked_ids("run", run).items()
    }


def checked_ids(name, by_query):
    """Return ``{qid: {docid: number}}``; raise InputError if an id does not fit into a file."""
    is_dict = isinstance(by_query, Mapping)
    if not is_dict or not all(isinstance(of_query, Mapping) for of_query in by_query.values()):
        arguments.refuse(name, by_query, "a dict, {qid: {docid: number}}")
    for qid, of_query in by_query.items():
        check_id("qid", qid)
        for docid in of_query:
            check_id("docid", docid)
    return by_query


def run_of(model, judgments):
    """Score all judged titles that have a text; return a run, ``{qid: {docid: score}}``.

    Arguments and errors as `lstm_edu.ranking.ndcg.ndcg_by_query`'s.
    """
    every = scored(model, judgments)
    run = {found.qid: dict(zip(found.docids, scores.tolist())) for _, found, scores in every}
    twice = len(run) < len(every)
    return arguments.refuse("judgments", judgments, "of a qid each") if twice else run


def without_identical(run):
    """Return a run without the documents that are the query itself, by its id."""
    return {qid: {d: s for d, s in scores.items() if d != qid} for qid, scores in run.items()}


def evaluate_run(run, grades, kind="exponential", ignore_identical_ids=False):
    """Compute the mean nDCG at 1, 3 and 10 of a run.

    A ranked document without a judgment has grade 0, a judged document that is not ranked counts as
    not found, and a judged query without a ranking counts 0. ir-measures does the same, but also
    counts 0 for a query without a relevant document, and breaks ties by docid.

    Parameters
    ----------
    run : dict
        ``{qid: {docid: score}}``, as `read_run` gives it.
    grades : dict
        ``{qid: {docid: grade}}``, as `lstm_tools.formats.trec.read_grades` gives it.
    kind : {"exponential", "linear", "original"}
        As for `lstm_edu.ranking.ndcg.ndcg`.
    ignore_identical_ids : bool
        Whether to ignore a ranked document that is the query itself, by its id, as BEIR does.

    Returns
    -------
    dict
        As `lstm_edu.evaluate`'s.

    Raises
    ------
    InputError
        The run ranks none of the judged queries, an id is no text or has white space, or as
        `lstm_edu.evaluate`.
    """
    kind = arguments.choice("kind", kind, KINDS)
    ignore = arguments.boolean("ignore_identical_ids", ignore_identical_ids)
    run, grades = checked_run(run), checked_ids("grades", grades)
    run = without_identical(run) if ignore else run
    if not run.keys() & grades.keys():
        raise InputError(f"run, grades: none of the {len(grades)} judged queries is ranked")
    for qid, judged in grades.items():
        checked_grades(f"grades[{qid!r}]", [*judged.values()])
    searches = [_search(qid, judged, run.get(qid, {})) for qid, judged in grades.items()]
    ranker = SimpleNamespace(score=lambda qid, docids: [run[qid][docid] for docid in docids])
    return evaluate(ranker, searches, kind)


def _search(qid, judged, ranked):
    """Make a Judged with ids as texts, for a run to rank; "" for a document that is not ranked."""
    docids = [*(ranked | judged)]
    titles = [docid if docid in ranked else "" for docid in docids]
    return Judged(qid, qid, docids, titles, [judged.get(docid, 0) for docid in docids])
