"""Table IV on any data: every row fitted, the trained ones after the same search,
and honest statistics.

A comparison is a folder of parts, one small JSON for each row's search and for each row and seed. A
part is written when it is done, so an interrupted comparison goes on where it stopped. One that is
damaged is made again, and this is said. Each part has a process of its own, so that its memory can
be measured, and several run at a time; results depend on neither their number nor on which is done
first.
"""

import os
import time
import warnings
from typing import NamedTuple

import numpy as np
from joblib import Parallel, delayed

from lstm_edu._util import arguments, files
from lstm_edu._util.files import InputError, MissingError
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


class Data(NamedTuple):
    """What all parts of a comparison share; the arguments of `table_iv`, checked."""

    pairs: list
    judgments: list
    kind: str
    epochs: int
    search_pairs: int
    skip_thought: str | None
    sentences: str | None


class Task(NamedTuple):
    """A part to make.

    Attributes
    ----------
    row : str
    seed : int or None
        None for the search of the row's settings.
    inputs : str
        A checksum of everything that the part is made of.
    chosen : dict or None
        With a seed of a trained row, the settings that its search has found.
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
    """Fit, choose, train and evaluate every row.

    Parameters
    ----------
    pairs : list of (query, title)
    judgments : list of Judged
        Read only to evaluate, never to choose.
    folder : str
        Where the parts are kept, of any number of comparisons.
    rows : sequence of str
        Of `ROWS`.
    seeds : int
        Of each trained row; the fitted ones have one.
    kind : str
        Of nDCG, see `lstm_edu.ranking.ndcg.KINDS`.
    epochs : int
        The most that a training may have.
    search_pairs : int
        Step size and gamma of the paper's rows are searched on so many pairs at the most.
    skip_thought : str, optional
        A folder with the files of a Skip-Thought model.
    sentences : str, optional
        A text to train a small Skip-Thought model on instead.
    jobs : int
        How many parts to work on at a time. A joblib backend that is chosen around the call
        (``joblib.parallel_config``) takes the parts elsewhere; all that they need goes with them,
        and the parts are written here.
    say : function, optional
        Called with a line of text when something is begun or done.

    Returns
    -------
    dict
        ``metric``, and ``rows``, a dict each: ``row``, ``nDCG@1`` ``nDCG@3`` ``nDCG@10``
        (``mean low high``), ``p``, ``parameters``, ``seconds`` (by the clock, while other parts run
        beside it), ``memory`` (MB, or None where the system tells of none), ``chosen``,
        ``by_seed``, each training's mean nDCG@10, and ``by_query``, every query's, the mean of its
        trainings, None where nothing is relevant, from which any two rows can be compared, and
        ``at_1`` with both at depth 1; or ``row`` and ``missing``.

    Raises
    ------
    InputError
        There is no such row or kind, no seed, nothing relevant to any query, the sentences are no
        text, or the folder cannot be written to: all before the work. Or the process of a part was
        ended from outside.
    """
    pairs, judgments = arguments.pairs(pairs), checked_judgments(judgments)
    folder, kind = arguments.path("folder", folder), arguments.choice("kind", kind, KINDS)
    rows = list(dict.fromkeys(arguments.each_text("rows", rows)))
    for row in rows or [""]:
        if row not in ROWS:
            raise InputError(f"rows: {arguments.shown(row)}; must be of {', '.join(ROWS)}")
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
    """Return parts by row and seed; make those that the folder does not keep."""
    found = {task[:2]: store.read(folder, task, say) for task in tasks}
    left = [task for task in reversed(tasks) if found[task[:2]] is None]  # the slowest rows first
    if not left:
        return found
    n, jobs = len(tasks) - len(left), min(jobs, len(left))
    say(f"{len(tasks)} parts, {n} of them there already; {jobs} at a time; kept in {folder}")

    def begin(task):  # asked for when there is a free place
        say(f"{task} …")
        return delayed(in_a_process)(_part, task, data)

    # threads, if nobody says otherwise: all that they do is wait for the process that each starts
    how = {"prefer": "threads", "return_as": "generator_unordered", "pre_dispatch": jobs}
    try:
        for task, part in Parallel(jobs, **how)(map(begin, left)):  # pyright: ignore
            found[task[:2]], n = part, n + 1
            if "missing" not in part:  # which is not kept: it may be there the next time
                store.write(folder, task, part)
            say(f"[{n}/{len(tasks)}] {task}: {_line(part)}")
    except BaseException:
        end_all()
        raise
    return found


def _part(task, data):
    """Search a row's settings, or fit and evaluate it; return the task and its part."""
    started = time.perf_counter()
    with warnings.catch_warnings():
        # a title in another script is nothing to say once an epoch and row
        warnings.filterwarnings("ignore", ".*letter trigram", UserWarning)
        try:
            if task.seed is None:
                how = data.pairs, data.epochs, data.search_pairs
                part: dict = {"chosen": search(TRAINED[task.row], *how)}
            else:
                model, chosen = (_fit if task.row in FITTED else _train)(task, data)
                ndcg = ndcg_by_query(model, data.judgments, kind=data.kind).tolist()
                n_parameters = getattr(model, "n_parameters", None)
                part = {"parameters": n_parameters, "chosen": chosen, "ndcg": ndcg}
        except MissingError as error:
            return task, {"missing": str(error)}
    seconds = round(time.perf_counter() - started, 1)
    return task, part | {"seconds": seconds, "memory": peak_megabytes()}


def _fit(task, data):
    """Return a row that is fitted, and its settings.

    Doc2Vec reads the judged texts, too, as the paper's does: no grades, nor what was judged for
    what.
    """
    is_skip_thought = task.row == "skip_thought"
    model = FITTED[task.row](*(data.skip_thought, data.sentences) if is_skip_thought else ())
    texts = {text for judged in data.judgments for text in (judged.query, *judged.titles)}
    model.fit(data.pairs, *([sorted(texts)] if task.row == "doc2vec" else []))
    settings = {
        name: value
        for name, value in vars(model).items()
        if isinstance(value, (int, float)) and name != "seed"
    }
    return model, settings | ({"model": model.label} if is_skip_thought else {})


def _train(task, data):
    """Return a row that is trained, and the settings that its search has chosen."""
    return TRAINED[task.row].fit(data.pairs, task.seed, **task.chosen), task.chosen


def _line(part):
    """Say in one line what a part has found."""
    if "missing" in part:
        return f"left out. {part['missing']}"
    if "ndcg" in part:
        found = f"nDCG@10 {np.nanmean(np.array(part['ndcg'])[:, -1]):.4f}"
    else:
        found = results.settings_text(part["chosen"])
    return f"{found}, {part['seconds']:.0f} s, {in_words(part['memory'])}"
