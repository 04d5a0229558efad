"""Table IV on any data: every row fitted, the trained ones after the same search,
and honest statistics.

A comparison is a folder of parts, one small JSON for each row's search and for each row and seed. A
part is written when it is done, so an interrupted comparison goes on where it stopped. It knows
what it was made of, by content, and has a checksum: one that is damaged, or of a file that has
changed since, is made again, and this is said. Each part has a process of its own, so that its
memory can be told, and several run at a time; what comes out depends on neither their number nor on
which is done first. A process ends with the one that started it, however that ends.
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

from . import from_defaults, progress, results, store, trained
from .bm25 import BM25
from .doc2vec import Doc2Vec
from .memory import in_words, peak_megabytes
from .plsa import PLSA
from .skip_thought import SkipThought
from .tuning import ALIGNED, TRAINED, search
from .ulm import ULM
from .workers import end_all, in_a_process

FITTED = "skip_thought", "doc2vec", "ulm", "bm25", "plsa"
ROWS = *FITTED, *TRAINED
MOST = {"seeds": 1_000, "epochs": 100_000, "search_pairs": 10**12, "jobs": 1_000}


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
    what : str
        "search", or the number of a seed.
    chosen : dict or None
        With a seed of a trained row, what its search has chosen.
    """

    row: str
    what: str
    chosen: dict | None = None

    @property
    def key(self):
        """What the part is kept under: (row, what)."""
        return self.row, self.what


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
        Where the parts are kept; one comparison each, which is that of its pairs, judgments, kind,
        epochs and search_pairs. `folder_of` has one for these.
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
        text, or the folder holds another comparison or cannot be written to: all before the work.
        Or the process of a part was ended from outside.
    """
    pairs, judgments = arguments.pairs(pairs), checked_judgments(judgments)
    folder, kind = arguments.path("folder", folder), arguments.choice("kind", kind, KINDS)
    rows = list(dict.fromkeys(arguments.each_text("rows", rows)))
    for row in rows or [""]:
        if row not in ROWS:
            raise InputError(f"rows: {arguments.shown(row)}; must be of {', '.join(ROWS)}")
    seeds = arguments.integer("seeds", seeds, 1, MOST["seeds"])
    epochs = arguments.integer("epochs", epochs, 1, MOST["epochs"])
    search_pairs = arguments.integer("search_pairs", search_pairs, 1, MOST["search_pairs"])
    jobs = arguments.integer("jobs", jobs, 1, MOST["jobs"])
    skip_thought = arguments.path("skip_thought", skip_thought, allow=[None])
    sentences = arguments.path("sentences", sentences, allow=[None])
    say = arguments.function("say", say, allow=[None])
    n_queries = sum(any(grade > 0 for grade in judged.grades) for judged in judgments)
    if not n_queries:
        raise InputError("judgments: no query has a title of grade 1 or more")
    say = say or (lambda line: None)
    data = Data(pairs, judgments, kind, epochs, search_pairs, skip_thought, sentences)
    digest = store.digest_of(pairs, judgments, kind, epochs, search_pairs)
    store.check(folder, digest)
    read = store.contents(skip_thought, sentences) if "skip_thought" in rows else None
    searches = [Task(row, "search") for row in rows if row in TRAINED]
    seeds_of = {row: range(seeds if row in TRAINED else 1) for row in rows}
    keys = [task.key for task in searches] + [(row, str(k)) for row in rows for k in seeds_of[row]]
    inputs = {
        key: store.digest_of(digest, key, read if key[0] == "skip_thought" else None)
        for key in keys
    }
    kept = store.kept(folder, inputs, say)
    os.makedirs(folder, exist_ok=True)
    for key in [key for key in keys if key not in kept]:
        files.check_writable(store.path_of(folder, *key))
    tell = _teller(keys, kept, (len(pairs), epochs, search_pairs), folder, jobs, say)

    def done(task, part):
        if "missing" not in part:  # which is not kept: it may be there the next time
            store.claim(folder, digest)
            store.write(store.path_of(folder, *task.key), part, inputs[task.key])
        tell(task, part)

    searched = _done(searches, kept, data, jobs, say, done)
    fits = [
        Task(row, str(seed), searched[row, "search"]["chosen"] if row in TRAINED else None)
        for row in rows
        for seed in seeds_of[row]
    ]
    found = searched | _done(fits, kept, data, jobs, say, done)
    metric = {
        "kind": kind,
        "what": KINDS[kind],
        "ties": "averaged",
        "n_queries": n_queries,
        "n_left_out": len(judgments) - n_queries,
    }
    return {"metric": metric, "rows": results.summary(found, rows)}


def _teller(keys, kept, size, folder, jobs, say):
    """Say what is to be done; returns a function of (task, part) that says what is left."""
    thought = {(row, what): progress.expected(row, what, *size) for row, what in keys}
    took = {key: thought[key] for key in kept}
    if len(kept) < len(keys):
        say(
            f"{len(keys)} parts, {len(kept)} of them there already; {jobs} at a time, "
            f"{progress.in_words(progress.left(thought, took, jobs))} to go; kept in {folder}"
        )

    def tell(task, part):
        took[task.key] = part.get("seconds", thought[task.key])
        rest = progress.in_words(progress.left(thought, took, jobs))
        to_go = f", {rest} to go" if len(took) < len(keys) else ""
        say(f"[{len(took)}/{len(keys)}{to_go}] {_line(task, part)}")

    return tell


def _done(tasks, kept, data, jobs, say, done):
    """The parts of some tasks by row and what, in the order of the tasks;
    those that are not kept are worked on, and ``done`` as they come.

    Parameters
    ----------
    tasks : list of Task
    kept : dict
        Parts by row and what.
    data : Data
    jobs, say
        As `table_iv` has them.
    done : function
        Called with task and part.
    """
    found, left = {}, []
    for task in tasks:
        if task.key in kept and task.chosen in (None, kept[task.key]["chosen"]):
            found[task.key] = kept[task.key]
            continue
        if task.key in kept:
            say(f"{task.row}: other settings are chosen now; seed {task.what} is made again")
        left.append(task)
    if not left:
        return found
    jobs = min(jobs, len(left))

    def begin(task):  # asked for when there is a free place
        doing = "searches its settings" if task.what == "search" else f"seed {task.what}"
        say(f"{task.row}: {doing}")
        return delayed(in_a_process)(_part, task, data)

    # threads, if nobody says otherwise: all that they do is wait for the process that each starts
    how = {"prefer": "threads", "return_as": "generator_unordered", "pre_dispatch": jobs}
    work_on = Parallel(jobs, **how)
    # the last rows first, they take longest
    begun = (begin(task) for task in reversed(left))
    try:
        for task, part in work_on(begun):  # pyright: ignore
            found[task.key] = part
            done(task, part)
    except BaseException:
        end_all()
        raise
    return {task.key: found[task.key] for task in tasks}


def _part(task, data):
    """A row's search, or what a seed of it gives; run in a process of its own.
    Returns the task and its part.
    """
    row, pairs = task.row, data.pairs
    started = time.perf_counter()
    with warnings.catch_warnings():
        # a title in another script is nothing to say once an epoch and row
        warnings.filterwarnings("ignore", ".*letter trigram", UserWarning)
        try:
            if task.what == "search":
                (cell, n), aligned = TRAINED[row], row in ALIGNED
                if n == "batch":
                    chosen, tried = from_defaults.search(cell, pairs, data.epochs, aligned)
                else:
                    how = data.epochs, data.search_pairs
                    chosen, tried = search(cell, n, pairs, *how)
                part: dict = {"chosen": chosen, "tried": tried}
            else:
                if row in FITTED:
                    model, part = _fit(row, data)
                else:
                    model, part = _train(row, int(task.what), pairs, task.chosen)
                part["ndcg"] = ndcg_by_query(model, data.judgments, kind=data.kind).tolist()
        except MissingError as error:
            return task, {"missing": str(error)}
    part["seconds"] = round(time.perf_counter() - started, 1)
    part["memory"] = peak_megabytes()
    return task, part


def _fit(row, data):
    """A row that is fitted, and its settings. Doc2Vec reads the judged texts, too,
    as the paper's does: no grades, nor what was judged for what.
    """
    if row == "doc2vec":
        texts = {text for judged in data.judgments for text in (judged.query, *judged.titles)}
        model = Doc2Vec().fit(data.pairs, sorted(texts))
    elif row == "skip_thought":
        model = SkipThought(data.skip_thought, data.sentences).fit(data.pairs)
    else:
        model = {"ulm": ULM, "bm25": BM25, "plsa": PLSA}[row]().fit(data.pairs)
    settings = {
        name: value
        for name, value in vars(model).items()
        if isinstance(value, (int, float)) and name != "seed"
    }
    if row == "skip_thought":
        settings["model"] = model.label  # pyright: ignore
    return model, {"parameters": getattr(model, "n_parameters", None), "chosen": settings}


def _train(row, seed, pairs, chosen):
    """A row that is trained, as its search has chosen."""
    cell, n = TRAINED[row]
    model = trained.fit(cell, pairs, n, seed, aligned=row in ALIGNED, **chosen)
    return model, {"parameters": model.n_parameters, "chosen": chosen}


def _line(task, part):
    if "missing" in part:
        return f"{task.row}: left out. {part['missing']}"
    if task.what == "search":
        chosen = results.settings_text(part["chosen"])
        done, found = "searched", f"{chosen}, " if chosen else ""
    else:
        ndcg = np.nanmean(np.array(part["ndcg"])[:, -1])
        done, found = f"seed {task.what}", f"nDCG@10 {ndcg:.4f}, "
    return f"{task.row} {done}: {found}{part['seconds']:.0f} s, {in_words(part['memory'])}"
