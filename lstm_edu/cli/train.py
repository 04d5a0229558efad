"""`lstm-edu train`: train and save."""

import inspect
import os
from contextlib import nullcontext
from dataclasses import fields
from typing import Any

from .._util.files import InputError
from ..cells import CELLS, Attention, Bidirectional
from ..data.readers import iter_pairs, read_pairs
from ..models.aligned_encoder import AlignedEncoder
from ..models.dual_encoder import DualEncoder
from ..models.loading import load
from ..text.hashing import LetterTrigrams
from ..training import loop as training
from ..training import runs
from ..training.cluster import connected
from ..training.settings import PAPER, PAPER_START
from .messages import by_flags, check_written, flag, has_no_reader, print_no_more

RECURRENT: dict[str, Any] = {
    kind.__name__.lower(): kind for kind in CELLS if hasattr(kind, "n_cells")
}


def train(args):
    """Train and save."""
    check_written("--out", args.out, args.pairs, args.start_from)

    def each_pair():
        return iter_pairs(args.pairs) if pairs is None else pairs

    done, before, model = [], _stamp(args.out), None

    def after_epoch(model, history):
        done.append(history)
        if not args.quiet:
            try:
                _print_epoch(history)
            except OSError as error:
                if not has_no_reader(error):
                    raise
                print_no_more()  # but train on

    try:
        runs.check_free(args.out, args.resume, args.overwrite)
        # a pipe can be read but once; of a file no text is kept
        pairs = None if os.path.isfile(args.pairs) else read_pairs(args.pairs)
        settings = _settings(args)
        model = _model(args, each_pair, settings.get("seed", 0))
        with nullcontext() if args.cluster is None else connected(args.cluster) as cluster:
            training.train(
                model,
                each_pair(),
                checkpoint=args.out,
                resume=args.resume,
                overwrite=args.overwrite,
                progress=False if args.quiet else None,
                callback=after_epoch,
                cluster=cluster,
                **settings,
            )
    except InputError as error:
        names = {*inspect.signature(training.train).parameters, "n_cells", "min_count"}
        raise InputError(by_flags(str(error), names)) from None
    except KeyboardInterrupt:
        own = getattr(model, "training", {})
        raise KeyboardInterrupt(_kept(args.out, args.resume, before, own)) from None
    if not done and not args.quiet:
        print(f"{args.out} is complete; there was nothing to resume")


def _settings(args) -> dict[str, Any]:
    """What `lstm_edu.train` is told, by the command line or the paper."""
    names = [
        name
        for name in inspect.signature(training.train).parameters
        if hasattr(args, name) and name not in ("pairs", "resume", "overwrite", "cluster")
    ]
    given = {name: getattr(args, name) for name in names if getattr(args, name) is not None}
    settings = (PAPER if args.paper else {}) | given
    if args.optimizer == "adam" and args.momentum is None:
        settings["momentum"] = None  # the paper's is Nesterov's
    return {name: None if value == "none" else value for name, value in settings.items()}


def _model(args, each_pair, seed):
    """The model to train: a new one, or that of --start-from."""
    if args.start_from is None:
        texts = (text for pair in each_pair() for text in pair)
        min_count = 1 if args.min_count is None else args.min_count
        start = (PAPER_START if args.paper else {}) | (
            {} if args.tied is None else {"tied": args.tied}
        )
        goes_on = args.resume and os.path.exists(args.out)
        # a run that began before 0.2 goes on by the rule that it began with
        rule = load(args.out).hashing.rule if goes_on else "NFKC"
        hashing = LetterTrigrams.fit(texts, min_count, rule)
        kind = AlignedEncoder if args.aligned else DualEncoder
        return kind(_cell(args), hashing, seed, **start)
    names = "cell", "cells", "forget_gate", "peepholes", "bidirectional", "attention", "aligned"
    for name in (*names, "tied", "min_count"):
        value = getattr(args, name)
        if value is not None and value is not False:  # a number may be 0
            raise InputError(f"{flag(name)}: --start-from keeps what its model has")
    return load(args.start_from)


def _cell(args):
    """The cell that the command line asks for."""
    name = args.cell or "lstm"
    kind = RECURRENT[name]
    given = {"forget_gate": args.forget_gate, "peepholes": args.peepholes}
    arguments = {name: value for name, value in given.items() if value}
    for argument in arguments:
        if argument not in {field.name for field in fields(kind)}:
            raise InputError(f"{flag(argument)}: --cell {name} has none")
    if args.cells is not None:
        arguments["n_cells"] = args.cells
    cell = Bidirectional(kind(**arguments)) if args.bidirectional else kind(**arguments)
    return Attention(cell) if args.attention else cell


def _stamp(path):
    """What tells whether a file has been written since; None if there is none."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_mtime_ns, found.st_ino, found.st_size


def _kept(path, resume, before, own):
    """What a run that was stopped has left, and how to go on.

    Parameters
    ----------
    path : str
    resume : bool
    before : tuple or None
        The `_stamp` of what was there.
    own : dict
        What the model says of its training.
    """
    now = _stamp(path)
    if now is None or now == before and not resume:
        return "no epoch is done, nothing is kept"
    try:
        found = load(path).training
    except InputError:
        found = {}
    if "history" not in found or now != before and found["settings"] != own.get("settings"):
        return f"{path} is not this training's, nothing is kept"
    n = len(found["history"]["cost"])
    epochs = "1 epoch" if n == 1 else f"{n} epochs"
    return f"{path} keeps {epochs}; the same command with --resume goes on from there"


def _print_epoch(history):
    last = {name: values[-1] for name, values in history.items()}
    held_out = f"  held-out nDCG@10 {last['held_out']:.4f}" if "held_out" in last else ""
    norms = f"{last['gradient_norm_query']:.3g} {last['gradient_norm_document']:.3g}"
    print(
        f"epoch {len(history['cost']):3}  cost {last['cost']:.4f}  "
        f"|gradient| {norms}{held_out}  {last['seconds']:.1f} s",
        flush=True,
    )
