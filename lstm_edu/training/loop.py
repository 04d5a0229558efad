"""Train a model on minibatches with BPTT, clipping, and Adam or the momentum of Algorithm 1."""

import functools
import hashlib
import os
import time
import warnings
from collections.abc import Callable, Iterable
from contextlib import nullcontext
from dataclasses import replace
from typing import Any

import numpy as np
from tqdm import tqdm

from .._util import arguments, files
from .._util.files import InputError, Path
from .._util.threads import two_threads
from ..gradients import parallel
from ..gradients.minibatch import check_method, minibatch_gradient
from ..models.encoder import SIDES, Encoder, Side
from . import held_out, minibatches, nesterov, runs
from .settings import Settings, usual_epochs, with_settings


class _Bar(tqdm):
    """A progress bar without tqdm's monitor thread, which some platforms cannot start."""

    monitor_interval = 0


class NotFiniteError(InputError):
    """Error raised if the cost isn't finite, usually because the step size is too large."""


@with_settings
def train(
    model: Encoder,
    pairs: Iterable[tuple[str, str]],
    *,
    checkpoint: Path | None = None,
    resume: bool = False,
    overwrite: bool = False,
    callback: Callable[[Any, dict[str, list[float]]], object] | None = None,
    progress: bool | None = None,
    workers: Callable[[], Any] | None = None,
    **settings: Any,
) -> dict[str, list[float]]:
    """Train a model in place on clicked pairs with Algorithm 1; Adam is the default optimizer.

    ``train(model, pairs, **lstm_edu.PAPER)`` trains as the paper does.

    Parameters
    ----------
    model : DualEncoder or AlignedEncoder
    pairs : list of (query, title)
        An iterator is also allowed, such as `lstm_edu.readers.iter_pairs` for a file that is larger
        than memory, because training keeps no texts in memory.
    **settings
    checkpoint : str, optional
        The file in which to save the model and the state needed to resume, after each epoch. At
        the end of training it is an ordinary model file. A run that is killed while it writes
        leaves an unused file, such as ``m.npz.0123456789abcdef.part``.
    resume : bool
        Continue from the checkpoint, if any; the result is exactly that of an uninterrupted run.
    overwrite : bool
        Replace an existing file at the checkpoint's path. By default an existing file is
        an error, unless ``resume`` continues from it.
    callback : function, optional
        Called after each epoch with (model, history); training stops if it returns a true value.
    progress : bool, optional
        Whether to show a progress bar; by default only if standard error is a terminal.
    workers : function, optional
        Called at the start of each epoch; returns a context manager whose value replaces
        `lstm_edu.gradients.minibatch.minibatch_gradient`, for example to compute on many machines.
        See `lstm_tools.cluster.workers`.

    Returns
    -------
    dict of lists
        One entry per epoch: ``cost``, the mean of (4) over the pairs that have an unclicked title,
        in nats; ``gradient_norm_query`` and ``gradient_norm_document``, means over the updates
        before clipping; ``seconds``; and ``held_out``, nDCG@10, if queries are held out.

    Notes
    -----
    After Ctrl-C, or an exception from a callback, the model keeps its current weights, even in the
    middle of an epoch; if they are not finite, it gets back its weights from before the epoch.
    ``model.training`` then says how many epochs are done and that training is not finished. The
    model can be used and saved. ``resume`` continues from the last finished epoch's checkpoint.

    Raises
    ------
    InputError
        An argument is out of range, there are too few titles, the model's weights are not finite at
        the start, or the checkpoint belongs to another run or exists already. Or the cost is no
        longer finite because the step size is too large; the model then gets back its weights from
        before that epoch. Or another program has written to the checkpoint's path since training
        began; its file stays unchanged, and the message says where the run is saved.
    """
    chosen = Settings(**settings)
    check_method(arguments.model(model), chosen.method, chosen.truncate)
    checkpoint, resume, known = _place(checkpoint, resume, overwrite)
    callback = arguments.function("callback", callback, allow=[None])
    progress = arguments.boolean("progress", progress, allow=[None])
    workers = arguments.function("workers", workers, allow=[None])
    digest = hashlib.sha256()
    log = minibatches.from_pairs(_each_pair(pairs, digest), model.hashing, model.dtype)
    minibatches.check_known(log)
    kept, held = held_out.split(log, chosen.held_out, chosen.seed)
    minibatches.check_negatives(log, kept, chosen.n_negatives)
    chosen = replace(chosen, epochs=chosen.epochs or usual_epochs(len(kept)))

    run = runs.Run(model, chosen, digest.hexdigest(), -(-len(kept) // chosen.batch_size))
    if checkpoint and resume and os.path.exists(checkpoint):
        run.resume(checkpoint)
    quiet = np.errstate(over="ignore", invalid="ignore")  # `_epoch` itself reports overflow
    with quiet, two_threads() as threads:
        while not run.finished:
            _epoch(run, log, kept, held, progress, threads, workers)
            stopped = callback is not None and bool(callback(model, run.history))
            if stopped or run.is_done():
                run.finish()
            if checkpoint is not None:
                known = run.save(checkpoint, known)
    return run.history


def _place(checkpoint, resume, overwrite):
    """Check the arguments that concern the checkpoint.

    Returns
    -------
    checkpoint, resume
        The checked arguments.
    known : str or None
        The digest of the file that may be replaced, if any.
    """
    checkpoint = arguments.path("checkpoint", checkpoint, allow=[None])
    resume = arguments.boolean("resume", resume)
    overwrite = arguments.boolean("overwrite", overwrite)
    known = None
    if checkpoint is not None:
        files.check_writable(checkpoint)
        runs.check_free(checkpoint, resume, overwrite)
        known = files.digest(checkpoint) if resume or overwrite else None
    elif resume:
        raise InputError("resume: needs a checkpoint to go on from")
    return checkpoint, resume, known


def _epoch(run, log, kept, held, progress, threads, workers):
    """Train for one epoch and record its results; restore the model if the cost is not finite."""
    started, before = time.perf_counter(), runs.weights_of(run.model)
    training, run.model.training = run.model.training, run.facts()
    try:
        costs, norms, n_teaching = _updates(run, log, kept, progress, threads, workers)
        record = {"cost": float(np.sum(costs)) / max(1, sum(n_teaching))}
        for side, norm in zip(SIDES, np.mean(norms, axis=0)):
            record[f"gradient_norm_{side}"] = float(norm)
        if not (np.isfinite(list(record.values())).all() and run.is_finite()):
            raise NotFiniteError(
                f"step_size: {run.settings.step_size}; the cost is not finite in epoch "
                f"{run.n_epochs + 1}, try a smaller one"
            )
    except BaseException as error:  # including KeyboardInterrupt
        if isinstance(error, InputError) or not run.is_finite():
            runs.give(run.model, before)
            run.model.training = training
        raise
    n, n_idle = len(kept), len(kept) - sum(n_teaching)
    if n_idle and run.n_epochs == 0:
        warnings.warn(
            f"{n_idle:,} of {n:,} pairs had no unclicked title in their minibatch of the first "
            "epoch, and taught nothing there; the mean cost leaves them out",
            stacklevel=3,
        )
    if held:
        record["held_out"] = held_out.ndcg(run.model, log, *held)
    run.record(record | {"seconds": time.perf_counter() - started})


def _updates(run, log, kept, progress, threads, workers):
    """Make an epoch's updates.

    With the optimizer "nesterov", `lstm_edu.training.algorithm_1.epoch` does the same in plain
    form: it moves all rows of W in every update.

    Returns
    -------
    costs, norms, n_teaching : sequences with one entry per minibatch
        Its cost, its two gradient norms, and its number of pairs that have an unclicked title.
    """
    settings, epoch, done = run.settings, run.n_epochs, []
    # a new generator in each epoch, so that checkpoints need not store its state
    rng = np.random.default_rng([settings.seed, 1, epoch])
    batches = minibatches.of_epoch(log, kept, settings.batch_size, settings.n_negatives, rng)
    name, hide = f"epoch {epoch + 1}/{settings.epochs}", None if progress is None else not progress

    local = functools.partial(minibatch_gradient, threads=threads)
    try:
        with nullcontext(local) if workers is None else workers() as gradient_of:
            for examples in _Bar(batches, name, run.n_updates, leave=False, disable=hide):
                cost, norms = update(run, examples, threads, gradient_of)
                done.append((cost, norms, minibatches.n_teaching(examples)))
    finally:
        for side in run.sides:
            side.catch_up(threads)
    return zip(*done)


def update(run, examples, threads, gradient_of):
    """Make one update of Algorithm 1.

    Parameters
    ----------
    run : Run
    examples : Examples
    threads : function
        A ``map`` over threads.
    gradient_of : function
        A function like `lstm_edu.gradients.minibatch.minibatch_gradient`.

    Returns
    -------
    cost : float
        The cost of the minibatch.
    norms : list of two float
        The norm of each side's gradient before clipping.
    """
    settings, batches = run.settings, (examples.queries, examples.documents)
    sides = run.model.query, run.model.document
    threads = parallel.worth(threads, sides, batches)
    rows, (queries, documents) = zip(*(batch.compact() for batch in batches))
    ahead = [
        Side(side.cell, trained.ahead(touched, threads))
        for side, trained, touched in zip(sides, run.sides, rows)
    ]
    examples = examples._replace(queries=queries, documents=documents)
    how = settings.gamma, settings.method, settings.truncate, run.model.relevance
    l, gradient = gradient_of(ahead, examples, *how)
    norms = list(threads(lambda g: nesterov.clip(g, settings.clip), gradient))
    for trained, at, g, touched in zip(run.sides, ahead, gradient, rows):
        trained.move(at.weights, g, touched, threads)
    return l.sum(), norms


def _each_pair(pairs, digest):
    """Yield the pairs, and add each to the digest that identifies the data of a checkpoint."""
    for pair in arguments.each_pair(pairs):
        digest.update(f"{pair[0]}\t{pair[1]}\n".encode("utf-8", "surrogatepass"))
        yield pair
