"""`lstm-edu train`: train a model and save it."""

import os
from contextlib import nullcontext
from dataclasses import fields
from typing import Annotated, Any

import lstm_edu
from lstm_edu._util import files
from lstm_edu._util.files import InputError
from lstm_edu.cells import CELLS, Attention, Bidirectional
from lstm_edu.models.loading import load
from lstm_edu.readers import iter_pairs, read_pairs
from lstm_edu.text.hashing import LetterTrigrams
from lstm_edu.training import runs

from .. import cluster as dask_cluster
from .log_size import standing
from .messages import check_written, program, say, tell

RECURRENT: dict[str, Any] = {
    kind.__name__.lower(): kind for kind in CELLS if hasattr(kind, "n_cells")
}
PEEPHOLES = "diagonal", "full"


def train(
    pairs,
    *,
    out,
    resume: bool = False,
    overwrite: bool = False,
    start_from=None,
    cell: Annotated[str | None, RECURRENT] = None,
    cells: int | None = None,
    forget_gate: bool = False,
    peepholes: Annotated[str | None, PEEPHOLES] = None,
    bidirectional: bool = False,
    attention: bool = False,
    aligned: bool = False,
    tied: bool | None = None,
    min_count: int | None = None,
    max_words: int | None = None,
    header: bool = False,
    skip_bad: bool = False,
    paper: bool = False,
    cluster=None,
    quiet: bool = False,
    **settings,
):
    """Train a model on clicked pairs, query<TAB>title on each line.

    Parameters
    ----------
    pairs
        The click log.
    out : MODEL
        The model's file, which is also its checkpoint after each epoch.
    resume
        Continue an interrupted run from --out.
    overwrite
        Replace --out, if it exists.
    start_from : MODEL
        Start from the weights, the cell and the letter trigrams of this model.
    cell
        Cell that reads the words (lstm).
    cells : N
        Number of cells, or of an RNN's hidden units (the paper's number).
    forget_gate
        Add the forget gate f(t), which the paper's experiments leave out.
    peepholes
        Let the gates see the cell state.
    bidirectional
        Read in both directions, with this number of cells in each.
    attention
        Embed a text as the attention-weighted mean of the outputs at its words.
    aligned
        Keep the outputs at all words, and score by aligning a query's words with a title's.
    tied
        Start the models of queries and of titles with the same weights; they then learn separately
        (yes).
    min_count : N
        Keep letter trigrams that occur at least N times (1).
    max_words : N
        Read only the first N words of a text. The model keeps N, and reads as many when it ranks.
    skip_bad
        Skip bad lines of the log, and report their number.
    cluster : ADDRESS
        Address of a dask.distributed scheduler, whose workers share every minibatch. Each update
        equals that of one process, except for rounding.
    quiet
        Print nothing.
    """
    check_written("--out", out, pairs, start_from)
    runs.check_free(out, resume, overwrite)
    asked: dict[str, Any] = {"cell": cell, "cells": cells, "forget_gate": forget_gate}
    asked |= {"peepholes": peepholes, "bidirectional": bidirectional, "attention": attention}
    asked |= {"aligned": aligned, "tied": tied, "min_count": min_count}
    model = None if start_from is None else _started(start_from, asked)
    if model is not None and max_words is None:
        max_words = model.hashing.max_words
    how, n_pairs = (skip_bad, max_words, header), 0
    # to save memory, read a file twice; a pipe can be read only once
    kept = None if os.path.isfile(pairs) else read_pairs(pairs, *how)

    def log():
        nonlocal n_pairs
        n_pairs = 0
        for pair in iter_pairs(pairs, *how) if kept is None else kept:
            n_pairs += 1
            yield pair

    texts = (text for pair in log() for text in pair)
    if model is None:
        model = _new(texts, settings.get("seed", 0), max_words, **asked)
    else:
        model.hashing = LetterTrigrams(model.hashing.trigrams, max_words)
        if not quiet:
            _tell_unknown(texts, model, start_from)
    if settings.get("optimizer") == "adam":
        settings.setdefault("momentum", None)  # replaces PAPER's momentum, unused by Adam
    settings = (lstm_edu.PAPER if paper else {}) | settings
    before = files.digest(out)
    try:
        with nullcontext() if cluster is None else dask_cluster.connected(cluster) as client:
            history = lstm_edu.train(
                model,
                log(),
                checkpoint=out,
                resume=resume,
                overwrite=overwrite,
                progress=False if quiet else None,
                callback=None if quiet else _say_epoch,
                workers=None if client is None else dask_cluster.workers(client),
                **settings,
            )
    except KeyboardInterrupt:
        raise KeyboardInterrupt(_left(out, resume, before)) from None
    if not quiet:
        if "held_out" in history:
            found = max(history["held_out"])
            too_high = f"too high, as far as {start_from} was trained on these queries"
            line = f"held-out nDCG@10 {found:.2f}: {too_high}"
            say(line if start_from else standing(n_pairs, found))
        say(f'{out} is trained: {program()} rank {out} TITLES --query "..."')


def _new(texts, seed, max_words, aligned, tied, min_count, **asked):
    """Make a new model for the texts of a log."""
    hashing = LetterTrigrams.fit(texts, 1 if min_count is None else min_count, max_words)
    kind = lstm_edu.AlignedEncoder if aligned else lstm_edu.DualEncoder
    return kind(_cell(**asked), hashing, seed, tied=True if tied is None else tied)


def _cell(cell, cells, bidirectional, attention, **given):
    """Make a cell from the options of `lstm-edu train`."""
    name = cell or "lstm"
    given = {option: value for option, value in given.items() if value}
    known = {field.name for field in fields(RECURRENT[name])}
    for option in given:
        if option not in known:
            raise InputError(f"{option}: --cell {name} has none")
    made = RECURRENT[name](**given | ({} if cells is None else {"n_cells": cells}))
    made = Bidirectional(made) if bidirectional else made
    return Attention(made) if attention else made


def _started(start_from, asked):
    """Load the model to start from; raise InputError for options that would change it."""
    for name, value in asked.items():
        if value is not None and value is not False:  # not `in`, because 0 == False
            raise InputError(f"{name}: cannot change the model of --start-from")
    return load(start_from)


def _tell_unknown(texts, model, start_from):
    """Print the share of a log's letter trigrams that the model to start from does not know."""
    found = set(LetterTrigrams.fit(texts).trigrams)
    share = len(found - set(model.hashing.trigrams)) / len(found)
    tell(f"{share:.1%} of this log's letter trigrams are unknown to {start_from}")


def _left(path, resume, before):
    """Describe in one line what a stopped run has saved.

    Parameters
    ----------
    path : str
    resume : bool
    before : str or None
        Digest of the file before the run.
    """
    now = files.digest(path)
    if now is None or now == before and not resume:
        return "no epoch is finished, nothing is saved"
    return f"{path} has the last finished epoch; run the same command with --resume to go on"


def _say_epoch(model, history):
    """Print cost, gradient norms and times of the last epoch in one line."""
    epochs = model.training["settings"]["epochs"]
    last = {name: values[-1] for name, values in history.items()}
    held_out = f"  held-out nDCG@10 {last['held_out']:.4f}" if "held_out" in last else ""
    norms = f"{last['gradient_norm_query']:.3g} {last['gradient_norm_document']:.3g}"
    n = len(history["cost"])
    to_go = f", about {(epochs - n) * last['seconds']:.0f} s to go" if n < epochs else ""
    say(
        f"epoch {n:3} of {epochs}  cost {last['cost']:.4f}  "
        f"|gradient| {norms}{held_out}  {last['seconds']:.1f} s{to_go}"
    )
