"""Compute Table IV on any data: search for settings of trained rows, then fit and evaluate rows.

The work is split into parts: one per trained row, which searches for its settings, and one per row
and seed, which fits and evaluates it. The result of a part is a small JSON file in a folder. It is
written when the part is finished, so an interrupted comparison can be resumed. Damaged files are
reported and computed again. Each part runs in a new process, whose peak memory is measured. The
results do not depend on the number or order of parallel processes.
"""

import os
import time
import warnings
from collections import namedtuple
from typing import NamedTuple

import numpy as np
from joblib import Parallel, delayed

from lstm_edu._util import arguments, files
from lstm_edu._util.files import InputError, MissingError
from lstm_edu._util.threads import one_blas_thread
from lstm_edu.ranking.ndcg import KINDS, ndcg_by_query
from lstm_edu.readers import checked_judgments

from . import results, store
from .bm25 import BM25
from .doc2vec import Doc2Vec
from .memory import in_words, peak_megabytes
from .plsa import PLSA
from .search import search
from .skip_thought import SkipThought
from .trained import TRAINED
from .ulm import ULM
from .workers import end_all, in_a_process

FITTED = {"skip_thought": SkipThought, "doc2vec": Doc2Vec, "ulm": ULM, "bm25": BM25, "plsa": PLSA}
ROWS = *FITTED, *TRAINED


# checked arguments of `table_iv` that each part needs
Data = namedtuple("Data", "pairs judgments kind epochs search_pairs skip_thought sentences")


class Task(NamedTuple):
    """One part of a comparison: the search for a row's settings, or the fit of a row with a seed.

    Attributes
    ----------
    row : str
    seed : int or None
        None for the search for settings.
    inputs : str
        A checksum of all inputs of the part.
    chosen : dict or None
        For a trained row with a seed, the settings that the search has found; otherwise None.
    """

    row: str
    seed: int | None
    inputs: str
    chosen: dict | None = None

    def __str__(self):
        return f"{self.row} {'search' if self.seed is None else f'seed {self.seed}'}"


def table_iv(
    pairs,
    judgments,
    folder,
    rows=ROWS,
    seeds=1,
    kind="exponential",
    epochs=16,
    search_pairs=8_000,
    skip_thought=None,
    sentences=None,
    jobs=2,
    say=None,
):
    """Fit or train every row, and evaluate it on the judgments.

    Parameters
    ----------
    pairs : list of (query, title)
    judgments : list of Judged
        Used for the evaluation, not to choose settings. Doc2Vec also reads the texts.
    folder : str
        Folder for the results of the parts. Several comparisons can share a folder.
    rows : sequence of str
        Names from `ROWS`.
    seeds : int
        Number of training runs per trained row. The other rows are fitted once.
    kind : str
        Kind of nDCG, one of `lstm_edu.ranking.ndcg.KINDS`.
    epochs : int
        Maximum number of epochs per training run.
    search_pairs : int
        Maximum number of pairs on which step size and gamma are chosen, for the rows that are
        trained as in the paper.
    skip_thought : str, optional
        Folder with the files of a Skip-Thought model.
    sentences : str, optional
        File of sentences to train a small Skip-Thought model on instead.
    jobs : int
        Number of parts to compute at the same time. If the caller has set a joblib backend with
        ``joblib.parallel_config``, this backend computes the parts. The calling process writes
        the files.
    say : function, optional
        Called with a line of text at the start and the end of each part.

    Returns
    -------
    dict
        ``metric``, a dict, and ``rows``, a list with a dict per row. The keys of a row are ``row``
        (its name), ``nDCG@1``, ``nDCG@3`` and ``nDCG@10`` (each a dict with ``mean``, ``low`` and
        ``high``), ``p``, ``against``, ``parameters``, ``seeds``, ``seconds`` (wall-clock time,
        while other parts run), ``memory`` (MB, or None if the system does not report it),
        ``chosen`` (settings), ``by_seed`` (mean nDCG@10 per training run), ``by_query`` (nDCG@10
        per query, averaged over the runs; None if no title is relevant), and ``at_1`` (``by_seed``
        and ``by_query`` of nDCG@1). If a row needs something that is not installed or not given,
        its keys are ``row`` and ``missing``, the reason.

    Raises
    ------
    InputError
        A row or kind is unknown, no query has a relevant title, the sentences are not a text, the
        folder cannot be written to, or the process of a part is killed.
    """
    pairs, judgments = arguments.pairs(pairs), checked_judgments(judgments)
    folder, kind = arguments.path("folder", folder), arguments.choice("kind", kind, KINDS)
    rows = list(dict.fromkeys(arguments.each_text("rows", rows)))
    for row in rows or [""]:
        if row not in ROWS:
            raise InputError(f"rows: {arguments.shown(row)}; must be among {', '.join(ROWS)}")
    seeds = arguments.integer("seeds", seeds, 1, 1_000)
    epochs = arguments.integer("epochs", epochs, 1, 100_000)
    search_pairs = arguments.integer("search_pairs", search_pairs, 1, 10**12)
    jobs = arguments.integer("jobs", jobs, 1, 1_000)
    skip_thought = arguments.path("skip_thought", skip_thought, allow=[None])
    sentences = arguments.path("sentences", sentences, allow=[None])
    say = arguments.function("say", say, allow=[None]) or (lambda line: None)
    n_queries = sum(any(grade > 0 for grade in judged.grades) for judged in judgments)
    if not n_queries:
        raise InputError("judgments: no query has a title of grade 1 or more")
    data = Data(pairs, judgments, kind, epochs, search_pairs, skip_thought, sentences)
    read = store.contents(skip_thought, sentences) if "skip_thought" in rows else None
    digest = store.digest_of(data[:5])
    os.makedirs(folder, exist_ok=True)
    files.check_writable(os.path.join(folder, "part"))

    def task(row, seed, chosen=None):
        inputs = store.digest_of(digest, row, seed, chosen, read if row == "skip_thought" else None)
        return Task(row, seed, inputs, chosen)

    searches = [task(row, None) for row in rows if row in TRAINED]
    found = _made(searches, data, folder, jobs, say)
    fits = [
        task(row, seed, found[row, None]["chosen"] if row in TRAINED else None)
        for row in rows
        for seed in range(seeds if row in TRAINED else 1)
    ]
    found |= _made(fits, data, folder, jobs, say)
    metric = {
        "kind": kind,
        "what": KINDS[kind],
        "ties": "averaged",
        "n_queries": n_queries,
        "n_left_out": len(judgments) - n_queries,
    }
    return {"metric": metric, "rows": results.summary(found, rows)}


def _made(tasks, data, folder, jobs, say):
    """Return the parts keyed by row and seed, first computing any missing from the folder."""
    found = {task[:2]: store.read(folder, task, say) for task in tasks}
    # reversed, to start with the slowest rows
    left = [task for task in reversed(tasks) if found[task[:2]] is None]
    if not left:
        return found
    n, jobs = len(tasks) - len(left), min(jobs, len(left))
    say(f"{len(tasks)} parts, {n} finished before; {jobs} at a time; stored in {folder}")

    def begin(task):  # joblib iterates lazily, so this reports a task when it starts
        say(f"{task} …")
        return delayed(in_a_process)(_part, task, data)

    # threads suffice, because each one only waits for a process
    how = {"prefer": "threads", "return_as": "generator_unordered", "pre_dispatch": jobs}
    try:
        for task, part in Parallel(jobs, **how)(map(begin, left)):  # pyright: ignore
            found[task[:2]], n = part, n + 1
            if "missing" not in part:  # a missing row may be available next time, so don't store it
                store.write(folder, task, part)
            say(f"[{n}/{len(tasks)}] {task}: {_line(part)}")
    except BaseException:
        end_all()
        raise
    return found


def _part(task, data):
    """Compute one part: search for a row's settings, or fit a row and evaluate it."""
    started = time.perf_counter()
    # one thread, because the number of threads would change the rounding of sums
    with warnings.catch_warnings(), one_blas_thread():
        # silence the warning about texts in another script, which every epoch would repeat
        warnings.filterwarnings("ignore", ".*letter trigram", UserWarning)
        try:
            if task.seed is None:
                how = data.pairs, data.epochs, data.search_pairs
                part: dict = {"chosen": search(TRAINED[task.row], *how)}
            else:
                model, chosen = _fit(task, data)
                ndcg = ndcg_by_query(model, data.judgments, kind=data.kind).tolist()
                n_parameters = getattr(model, "n_parameters", None)
                part = {"parameters": n_parameters, "chosen": chosen, "ndcg": ndcg}
        except MissingError as error:
            return task, {"missing": str(error)}
    seconds = round(time.perf_counter() - started, 1)
    return task, part | {"seconds": seconds, "memory": peak_megabytes()}


def _fit(task, data):
    """Fit or train a row; return the model and its settings.

    As in the paper, Doc2Vec also reads the judged texts, but not the grades, nor which title was
    judged for which query.
    """
    if task.row in TRAINED:
        return TRAINED[task.row].fit(data.pairs, task.seed, **task.chosen), task.chosen
    is_skip_thought = task.row == "skip_thought"
    model = FITTED[task.row](*(data.skip_thought, data.sentences) if is_skip_thought else ())
    texts = {text for judged in data.judgments for text in (judged.query, *judged.titles)}
    model.fit(data.pairs, *([sorted(texts)] if task.row == "doc2vec" else []))
    settings = {
        name: value
        for name, value in vars(model).items()
        if isinstance(value, (int, float)) and name != "seed"
    }
    if is_skip_thought:
        settings["model"] = "trained here" if data.skip_thought is None else "from files"
    return model, settings


def _line(part):
    """Format the result of a part as one line of progress output."""
    if "missing" in part:
        return f"left out. {part['missing']}"
    if "ndcg" in part:
        found = f"nDCG@10 {np.nanmean(np.array(part['ndcg'])[:, -1]):.4f}"
    else:
        found = results.settings_text(part["chosen"])
    return f"{found}, {part['seconds']:.0f} s, {in_words(part['memory'])}"
