"""`lstm-edu train`: train and save."""

import inspect
import os
from contextlib import nullcontext
from dataclasses import fields
from typing import Any

from lstm_edu._util import files
from lstm_edu._util.files import InputError
from lstm_edu.cells import CELLS, Attention, Bidirectional
from lstm_edu.models.aligned_encoder import AlignedEncoder
from lstm_edu.models.dual_encoder import DualEncoder
from lstm_edu.models.loading import load
from lstm_edu.readers import iter_pairs, read_pairs
from lstm_edu.text.hashing import RULE, LetterTrigrams
from lstm_edu.training import loop as training
from lstm_edu.training import runs
from lstm_edu.training.settings import LEAST, MOMENTUM, MOST, OPTIMIZERS, PAIRS, PAPER

from .. import cluster
from .log_size import standing
from .messages import by_flags, check_written, flag, has_no_reader, print_no_more, tell
from .options import command, integer, numeral, or_word, program

RECURRENT: dict[str, Any] = {
    kind.__name__.lower(): kind for kind in CELLS if hasattr(kind, "n_cells")
}


def add_to(commands):
    """Add `train` to the command line."""
    parser = command(commands, train, "train a model on clicked pairs, query<TAB>title a line")
    add, switch = parser.add_argument, parser.switch
    add("pairs", help="the click log")
    add(
        "--out",
        required=True,
        metavar="MODEL",
        help="the model's file, which is also its checkpoint after each epoch",
    )
    switch("--resume", "go on from --out, if an earlier run was cut off")
    switch("--overwrite", "replace --out, if there is one")
    add(
        "--start-from",
        metavar="MODEL",
        help="a new run from the weights of this model, whose cell and letter trigrams it keeps",
    )
    add("--cell", choices=list(RECURRENT), help="what reads the words (lstm)")
    sizes = ", ".join(f"{name} {kind.n_cells}" for name, kind in RECURRENT.items())
    add("--cells", type=integer, metavar="N", help=f"cells, or an RNN's hidden units ({sizes})")
    switch("--forget-gate", "learn f(t), which the paper's experiments leave out")
    add("--peepholes", choices=["diagonal", "full"], help="let the gates see the cell state")
    switch("--bidirectional", "read both ways, with as many cells in each")
    switch("--attention", "embed a text as the mean of its words by attention")
    switch("--aligned", "keep every word's output, and align words with words")
    parser.header()
    switch("--skip-bad", "leave bad lines of the log out, and say how many they are")
    add("--max-words", type=integer, metavar="N", help="keep so many words of a text")
    keep = "keep letter trigrams that occur so often (1)"
    add("--min-count", type=integer, metavar="N", help=keep)
    paper = ", ".join(f"{flag(k)[2:]} {v}" for k, v in PAPER.items())
    switch("--paper", f"the paper's setting: {paper}")
    default = {name: p.default for name, p in inspect.signature(training.train).parameters.items()}
    default["epochs"] = f"so many that {PAIRS:,} pairs are gone through, {LEAST} to {MOST}"

    def setting(name, type, help):
        option = flag(name)
        # by the option's own name, not by that of train's argument
        metavar = option.removeprefix("--").replace("-", "_").upper()
        add(option, dest=name, type=type, metavar=metavar, help=f"{help} ({default[name]})")

    setting("epochs", integer, "times through the pairs")
    setting("batch_size", integer, "pairs a minibatch")
    unclicked = "unclicked titles a pair, or 'batch': all of the minibatch's"
    setting("n_negatives", or_word(integer, "batch"), unclicked)
    setting("gamma", numeral, "scale of the cosines")
    add(
        "--optimizer",
        choices=list(OPTIMIZERS),
        help=f"Adam, or Nesterov's momentum as in Eq. (6) ({default['optimizer']})",
    )
    setting("step_size", numeral, "Adam's step size, or epsilon of Eq. (6)")
    add(
        "--momentum",
        type=or_word(numeral, "schedule"),
        help=f"mu of Eq. (6), or the paper's 'schedule' ({MOMENTUM}); Adam has none",
    )
    setting("clip", numeral, "largest norm of a side's gradient")
    setting("truncate", integer, "words that errors go back")
    average = "share kept in the average of the weights, or 'none'"
    setting("average", or_word(numeral, "none"), average)
    setting("held_out", numeral, "share of the queries to hold out")
    setting("patience", integer, "epochs without a better held-out nDCG@10 before stopping")
    setting("seed", integer, "of all that is random")
    parser.or_not("--tied", "let both sides start with the same weights, and learn apart (they do)")
    add(
        "--cluster",
        metavar="ADDRESS",
        help="of a dask.distributed scheduler, whose workers share every minibatch; the model is "
        "that of one process but for rounding",
    )
    switch("--quiet", "print nothing")


def train(args):
    """Train and save."""
    check_written("--out", args.out, args.pairs, args.start_from)

    def each_pair():
        nonlocal n_pairs
        n_pairs = 0
        for pair in iter_pairs(args.pairs, *how) if pairs is None else pairs:
            n_pairs += 1
            yield pair

    done, before, model, n_pairs = [], files.digest(args.out), None, 0
    how = args.skip_bad, args.max_words, args.header

    def after_epoch(model, history):
        done.append(history)
        if not args.quiet:
            try:
                _print_epoch(history, model.training["settings"]["epochs"])
            except OSError as error:
                if not has_no_reader(error):
                    raise
                print_no_more()  # but train on

    try:
        runs.check_free(args.out, args.resume, args.overwrite)
        # a pipe can be read but once; of a file no text is kept
        pairs = None if os.path.isfile(args.pairs) else read_pairs(args.pairs, *how)
        settings = _settings(args)
        model = _model(args, each_pair, settings.get("seed", 0))
        with nullcontext() if args.cluster is None else cluster.connected(args.cluster) as client:
            training.train(
                model,
                each_pair(),
                checkpoint=args.out,
                resume=args.resume,
                overwrite=args.overwrite,
                progress=False if args.quiet else None,
                callback=after_epoch,
                workers=None if client is None else cluster.workers(client),
                **settings,
            )
    except InputError as error:
        names = {*inspect.signature(training.train).parameters, "n_cells", "min_count", "max_words"}
        said = by_flags(str(error), names).replace("start a new run from it", "--start-from it")
        raise InputError(said) from None
    except KeyboardInterrupt:
        own = getattr(model, "training", {})
        raise KeyboardInterrupt(_kept(args.out, args.resume, before, own)) from None
    if not args.quiet:
        if done and args.held_out:
            _print_held_out(args, max(done[-1]["held_out"]), n_pairs)
        _print_end(args, done)


def _settings(args) -> dict[str, Any]:
    """What `lstm_edu.train` is told, by the command line or the paper."""
    own = "pairs", "resume", "overwrite", "workers"
    names = [name for name in inspect.signature(training.train).parameters if name not in own]
    given = {name: getattr(args, name) for name in names if getattr(args, name, None) is not None}
    settings = (PAPER if args.paper else {}) | given
    if args.optimizer == "adam" and args.momentum is None:
        settings["momentum"] = None  # the paper's is Nesterov's
    return {name: None if value == "none" else value for name, value in settings.items()}


def _model(args, each_pair, seed):
    """The model to train: a new one, or that of --start-from."""
    if args.start_from is None:
        texts = (text for pair in each_pair() for text in pair)
        min_count = 1 if args.min_count is None else args.min_count
        tied = True if args.tied is None else args.tied
        goes_on = args.resume and os.path.exists(args.out)
        # a run goes on by the rule that it began with
        rule = load(args.out).hashing.rule if goes_on else RULE
        hashing = LetterTrigrams.fit(texts, min_count, rule)
        kind = AlignedEncoder if args.aligned else DualEncoder
        return kind(_cell(args), hashing, seed, tied=tied)
    names = "cell", "cells", "forget_gate", "peepholes", "bidirectional", "attention", "aligned"
    for name in (*names, "tied", "min_count"):
        value = getattr(args, name)
        if value is not None and value is not False:  # a number may be 0
            raise InputError(f"{flag(name)}: --start-from keeps what its model has")
    model = load(args.start_from)
    texts = (text for pair in each_pair() for text in pair)
    found = set(LetterTrigrams.fit(texts, 1, model.hashing.rule).trigrams)
    if not args.quiet:
        share = len(found - set(model.hashing.trigrams)) / len(found)
        tell(f"{share:.1%} of this log's letter trigrams are unknown to {args.start_from}")
    return model


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


def _kept(path, resume, before, own):
    """What a run that was stopped has left, and how to go on.

    Parameters
    ----------
    path : str
    resume : bool
    before : tuple or None
        The `files.digest` of what was there.
    own : dict
        What the model says of its training.
    """
    now = files.digest(path)
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


def _print_held_out(args, found, n_pairs):
    """Say how good the epoch was that is kept, and what logs of that size came to."""
    said = f"{found:.2f}: too high, as far as {args.start_from} was trained on these queries"
    print(f"held-out nDCG@10 {said}" if args.start_from else standing(n_pairs, found))


def _print_end(args, done):
    """Say where the model is, and what can be done with it."""
    if not done:
        more = f"to train it for longer, --start-from {args.out} and another --out"
        print(f"{args.out} is complete; there was nothing to resume; {more}")
        return
    print(f'{args.out} is trained: {program()} rank {args.out} TITLES --query "..."')


def _print_epoch(history, epochs):
    last = {name: values[-1] for name, values in history.items()}
    held_out = f"  held-out nDCG@10 {last['held_out']:.4f}" if "held_out" in last else ""
    norms = f"{last['gradient_norm_query']:.3g} {last['gradient_norm_document']:.3g}"
    n = len(history["cost"])
    spent = [s for s in history["seconds"] if s == s][-3:]  # of a resumed run's first epochs NaN
    seconds = (epochs - n) * sum(spent) / len(spent)
    to_go = f", about {_duration(seconds)} to go" if n < epochs else ""
    print(
        f"epoch {n:3} of {epochs}  cost {last['cost']:.4f}  "
        f"|gradient| {norms}{held_out}  {last['seconds']:.1f} s{to_go}",
        flush=True,
    )


def _duration(seconds):
    return f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:.0f} min"
