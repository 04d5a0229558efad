"""Algorithm 1: train both sides by minibatches of BPTT, clipping and Nesterov momentum."""

import hashlib
import os
import time
from contextlib import nullcontext

import numpy as np
from tqdm import tqdm

from .. import files
from ..files import InputError
from ..gradients.cost import check_gamma
from ..gradients.minibatch import minibatch_gradient
from ..model import Side
from ..threads import two_threads
from . import click_log, lazy, nesterov, runs
from . import cluster as _cluster
from . import held_out as _held_out

# The paper's setting, where it prints one: n = 4, the schedule of mu, no averaging. Of gamma it only says that it was "set empirically",
# of the step size that it was fixed, and of the threshold for clipping nothing; those are ours. train(model, pairs, **PAPER)
PAPER = {
    "n_negatives": 4,
    "gamma": 10.0,
    "step_size": 4e-4,
    "momentum": "schedule",
    "average": None,
}


class NotFiniteError(InputError):
    """The cost is no longer finite, which too large a step does."""


def train(
    model,
    pairs,
    epochs=30,
    batch_size=256,
    n_negatives="batch",
    gamma=10.0,
    step_size=0.002,
    momentum=0.9,
    clip=100.0,
    truncate=None,
    average=0.998,
    held_out=0.0,
    patience=None,
    seed=0,
    method="bptt",
    checkpoint=None,
    resume=False,
    callback=None,
    progress=None,
    cluster=None,
):
    """Train a model, in place, on clicked pairs (Algorithm 1).

    Parameters
    ----------
    model : DualEncoder
    pairs : list of (query, title)
        Or an iterator, as `lstm_edu.data.clicks.iter_pairs` gives of a file that is larger than memory: no text is kept.
    epochs : int
    batch_size : int
        Pairs a minibatch.
    n_negatives : int or "batch"
        Unclicked titles a pair, drawn from the training titles that its query has not clicked; or, past the
        paper, every title of the minibatch that it has not.
    gamma : float
        Scales the differences of cosines in (5).
    step_size : float
        Epsilon of (6), for the cost summed over the minibatch.
    momentum : float or "schedule"
        Mu of (6); the paper's schedule is 0.9 in the first and last 2 % of all updates, 0.995 between.
    clip : float
        Th_G: the largest norm of a side's gradient, which is scaled down if above.
    truncate : int, optional
        T: errors go back at most so many words.
    average : float or None
        The model gets the average of the weights over the updates, with this much of the old average
        kept at each; None: the last weights, as in the paper.
    held_out : float
        Share of the queries kept from training, all their pairs with them; after each epoch the titles
        they clicked are ranked among the training titles (nDCG@10), and the best epoch's weights are kept.
    patience : int, optional
        Stop after so many epochs without a better held-out nDCG@10.
    seed : int
        Of the order of the pairs, the unclicked titles, and the held-out queries.
    method : "bptt" or "printed"
        Which gradient; see `lstm_edu.cost_and_gradient`.
    checkpoint : str, optional
        Where to save, after each epoch, the model and all that is needed to go on. When training ends it is
        a model file like any other.
    resume : bool
        Go on from the checkpoint, if there is one, to exactly where an uninterrupted run would have come.
    callback : function, optional
        Called after each epoch with (model, history); training stops if it returns something true.
    progress : bool, optional
        Whether to show a bar; by default if the error output is a terminal.
    cluster : dask.distributed.Client, optional
        Share every minibatch among its workers; the result is that of this process alone, to rounding. A worker that is lost costs its step,
        one that joins has a share from the next epoch on. Quickest if made with ``direct_to_workers=True``.

    Returns
    -------
    dict of lists, one entry an epoch
        ``cost``, (4) per pair, in nats; ``gradient_norm_query`` and ``gradient_norm_document``, mean over
        the updates, before clipping; ``seconds``; and ``held_out``, nDCG@10, if there are held-out queries.

    Raises
    ------
    InputError
        An argument is out of range, there are not enough titles, the checkpoint is another run's, no worker is left, or the
        cost is no longer finite, which too large a step does; the model is then as it was before that epoch.
    """
    settings = dict(
        epochs=epochs,
        batch_size=batch_size,
        n_negatives=n_negatives,
        gamma=gamma,
        step_size=step_size,
        momentum=momentum,
        clip=clip,
        truncate=truncate,
        average=average,
        held_out=held_out,
        patience=patience,
        seed=seed,
        method=method,
    )
    settings = {
        name: value.item() if isinstance(value, np.generic) else value
        for name, value in settings.items()
    }
    check_settings(settings)
    if cluster is not None:
        _cluster.check(cluster)
    if checkpoint is not None:
        files.check_writable(checkpoint)
    elif resume:
        raise InputError("resume: needs a checkpoint to go on from")
    digest = hashlib.sha256()
    log = click_log.read(_each_pair(pairs, digest), model.hashing, model.dtype)
    kept, held = np.arange(len(log.query)), None
    if held_out:
        rng = np.random.default_rng([seed, 0])
        kept, queries = _held_out.split(log, held_out, rng)
        held = queries, _held_out.candidates(log, queries, rng)
        if not len(kept):
            raise InputError(f"held_out: {held_out}; no query is left to train on")
    click_log.check_negatives(log, kept, n_negatives)

    run = runs.start(model, settings | {"data": digest.hexdigest()})
    if resume and checkpoint is not None and os.path.exists(checkpoint):
        run = runs.resume(run, checkpoint)
    n_batches = -(-len(kept) // batch_size)
    with (
        np.errstate(over="ignore", invalid="ignore"),
        two_threads() as threads,
    ):  # checked for after each epoch
        while not run.finished:
            started = time.perf_counter()
            epoch, before = len(run.history["cost"]), runs.weights_of(model)
            rng = np.random.default_rng([seed, 1, epoch])  # each epoch its own: nothing to store
            bar = tqdm(
                click_log.minibatches(log, kept, batch_size, n_negatives, rng),
                f"epoch {epoch + 1}/{epochs}",
                n_batches,
                leave=False,
                disable=None if progress is None else not progress,
            )
            try:
                costs, norms = _epoch(
                    run, bar, epoch * n_batches, epochs * n_batches, settings, threads, cluster
                )
                record = {
                    "cost": float(np.sum(costs)) / len(kept),
                    "gradient_norm_query": float(np.mean(norms, axis=0)[0]),
                    "gradient_norm_document": float(np.mean(norms, axis=0)[1]),
                }
                if not (np.isfinite(list(record.values())).all() and runs.is_finite(run)):
                    raise NotFiniteError(
                        f"step_size: {step_size}; the cost is not finite in epoch {epoch + 1}, try a smaller one"
                    )
            except InputError:
                runs.give(model, before)
                raise
            if held:
                record["held_out"] = _held_out.ndcg(model, log, *held)
            runs.record(run, record | {"seconds": time.perf_counter() - started})
            stopped = callback is not None and bool(callback(model, run.history))
            run.finished = stopped or epoch + 1 >= epochs or runs.out_of_patience(run, patience)
            if run.finished:
                runs.finish(run)
            if checkpoint is not None:
                runs.save(run, checkpoint)
    return run.history


def _epoch(run, minibatches, first, n_updates, settings, threads, cluster):
    """The updates of an epoch, from number ``first`` on. Returns what `_update` does, of each."""
    coasting = [lazy.start(run.model.hashing.size, len(minibatches)) for _ in run.sides]
    try:
        with (
            nullcontext(minibatch_gradient)
            if cluster is None
            else _cluster.workers(cluster) as gradient_of
        ):
            return zip(
                *[
                    _update(
                        run,
                        coasting,
                        examples,
                        first + k,
                        n_updates,
                        settings,
                        threads,
                        gradient_of,
                    )
                    for k, examples in enumerate(minibatches)
                ]
            )
    finally:
        for state in zip(coasting, *_states(run)):
            lazy.bring_up_to_date(*state, threads)


def _update(
    run, coasting, examples, k, n_updates, settings, threads, gradient_of=minibatch_gradient
):
    """Update k of Algorithm 1. Returns the minibatch's cost and the norms of its gradient on both sides."""
    mu = nesterov.momentum(settings["momentum"], k, n_updates)
    keep = 1 if settings["average"] is None else min(settings["average"], k / (k + 1))
    batches, states = (examples.queries, examples.documents), (coasting, *_states(run))

    ahead = [
        Side(side.cell, lazy.look_ahead(c, w, v, mu, batch.touched, threads))
        for side, batch, c, w, v, _ in zip(run.sides, batches, *states)
    ]
    compact = [
        batch._replace(Wh=batch.Wh_touched) for batch in batches
    ]  # W has the touched rows, and no others
    l, gradient = gradient_of(
        ahead,
        examples._replace(queries=compact[0], documents=compact[1]),
        settings["gamma"],
        settings["method"],
        settings["truncate"],
        threads,
    )
    norms = list(threads(lambda g: nesterov.clip(g, settings["clip"]), gradient))
    for at, g, batch, c, w, v, m in zip(ahead, gradient, batches, *states):
        lazy.correct(c, w, v, m, at.weights, g, settings["step_size"], keep, batch.touched, threads)
    return l.sum(), norms


def _states(run):
    """Weights, velocity and average of both sides, three pairs."""
    means = (
        (run.model.query.weights, run.model.document.weights)
        if run.settings["average"] is not None
        else (None, None)
    )
    return [side.weights for side in run.sides], run.velocity, means


def check_settings(settings):
    """Raise InputError at the first setting that is out of range; arguments as `train`'s."""

    def need(name, allowed, ok):
        if not ok(settings[name]):
            raise InputError(f"{name}: {settings[name]!r}; must be {allowed}")

    def whole(value):
        return isinstance(value, (int, np.integer)) and not isinstance(value, bool)

    def number(value):
        return isinstance(value, (int, float, np.number)) and not isinstance(value, bool)

    for name in ("epochs", "batch_size"):
        need(name, "a whole number from 1", lambda value: whole(value) and value >= 1)
    check_gamma(settings["gamma"])
    for name in ("step_size", "clip"):
        need(
            name,
            "a number above 0",
            lambda value: number(value) and value > 0 and (name == "clip" or value < np.inf),
        )
    need(
        "average",
        "None or a number from 0 to below 1",
        lambda value: value is None or number(value) and 0 <= value < 1,
    )
    need("held_out", "a number from 0 to below 1", lambda value: number(value) and 0 <= value < 1)
    need(
        "patience",
        "None or a whole number from 1",
        lambda value: value is None or whole(value) and value >= 1,
    )
    need("seed", "a whole number from 0", lambda value: whole(value) and value >= 0)
    need("method", "'bptt' or 'printed'", lambda value: value in ("bptt", "printed"))
    need(
        "momentum",
        "'schedule' or a number from 0 to below 1",
        lambda value: (
            isinstance(value, str) and value == "schedule" or number(value) and 0 <= value < 1
        ),
    )
    need(
        "n_negatives",
        "'batch' or a whole number from 1",
        lambda value: isinstance(value, str) and value == "batch" or whole(value) and value >= 1,
    )
    need(
        "truncate",
        "None or a whole number from 0",
        lambda value: value is None or whole(value) and value >= 0,
    )
    if settings["n_negatives"] == "batch" and settings["batch_size"] == 1:
        raise InputError("batch_size: 1; with n_negatives 'batch' it must be at least 2")
    if settings["patience"] is not None and not settings["held_out"]:
        raise InputError("patience: needs held-out queries; give held_out a share of them")


def _each_pair(pairs, digest):
    """The pairs one by one, checked, and added to the digest by which a checkpoint knows its data. Raises InputError if there are none."""
    pair = None
    for pair in pairs:
        if (
            isinstance(pair, str)
            or len(pair) != 2
            or not all(isinstance(text, str) for text in pair)
        ):
            raise InputError(f"pairs: {pair!r:.60}; each must be a (query, title) of two texts")
        digest.update(f"{pair[0]}\t{pair[1]}\n".encode("utf-8", "surrogatepass"))
        yield pair
    if pair is None:
        raise InputError("pairs: none; must be at least one (query, title)")
