"""The command line: python -m lstm_edu train | evaluate | rank | compare | sample."""

import argparse
import datetime
import errno
import inspect
import json
import os
import sys
import warnings
from contextlib import nullcontext
from dataclasses import fields
from itertools import islice

from . import Bidirectional, DualEncoder, LetterTrigrams, evaluate, files, load, train
from .cells import CELLS
from .data.clicks import iter_pairs, iter_titles, read_judgments, read_pairs
from .files import InputError
from .model import LINES
from .ranking import ndcg as ranking
from .training.cluster import connected
from .training.settings import PAPER

RECURRENT = {kind.__name__.lower(): kind for kind in CELLS if hasattr(kind, "n_cells")}


class Parser(argparse.ArgumentParser):
    """Says what is wrong in one line, without the usage before it."""

    def error(self, message):
        """Raise what `main` prints."""
        raise InputError(message)


def main(arguments=None):
    """Run the command line; returns the exit code: 0, 2 for bad input, 130 if interrupted."""
    try:
        for stream in filter(None, (sys.stdout, sys.stderr)):
            if hasattr(stream, "reconfigure"):
                # a terminal that cannot show a letter is no error
                stream.reconfigure(errors="backslashreplace")
        with warnings.catch_warnings():
            warnings.simplefilter("default", UserWarning)
            warnings.showwarning = _print_warning
            args = parser().parse_args(arguments)
            args.command(args)
        if sys.stdout:
            sys.stdout.flush()
    except (InputError, OSError, MemoryError) as error:
        if _has_no_reader(error):  # head, say, has had enough of our output
            _print_no_more()
            return 0
        said = "not enough memory" if isinstance(error, MemoryError) else str(error)
        if isinstance(error, OSError) and error.filename:
            said = f"{error.filename}: {error.strerror}"
        said = " ".join(said.split())
        print(f"lstm_edu: {said}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("lstm_edu: interrupted", file=sys.stderr)
        return 130
    return 0


def _print_warning(message, *_):
    print(f"lstm_edu: warning: {message}", file=sys.stderr)


def _has_no_reader(error):
    """Whether a pipe is meant whose other end is closed, of which Windows says EINVAL."""
    unread = (errno.EPIPE, errno.EINVAL) if sys.platform == "win32" else (errno.EPIPE,)
    return isinstance(error, OSError) and error.errno in unread and error.filename is None


def _print_no_more():
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def parser():
    """Commands and their arguments."""
    top = Parser("python -m lstm_edu", description=__doc__)
    commands = top.add_subparsers(
        required=True, metavar="train | evaluate | rank | compare | sample", parser_class=Parser
    )

    def command(name, function, help):
        sub = commands.add_parser(
            name, help=help, description=help, formatter_class=argparse.RawDescriptionHelpFormatter
        )
        sub.set_defaults(command=function)
        return sub.add_argument

    add = command("train", train_command, "train a model on clicked pairs, query<TAB>title a line")
    add("pairs", help="the click log")
    add(
        "--out",
        required=True,
        help="the model's file, which is also its checkpoint after each epoch",
    )
    add("--resume", action="store_true", help="go on from --out, if an earlier run was cut off")
    add("--cell", choices=list(RECURRENT), default="lstm")
    sizes = ", ".join(f"{name} {kind.n_cells}" for name, kind in RECURRENT.items())
    add("--cells", type=int, help=f"cells, or an RNN's hidden units ({sizes})")
    add(
        "--forget-gate",
        action="store_true",
        help="learn f(t), which the paper's experiments leave out",
    )
    add("--peepholes", choices=["diagonal", "full"], help="let the gates see the cell state")
    add("--bidirectional", action="store_true", help="read both ways, with as many cells in each")
    add("--min-count", type=int, default=1, help="keep letter trigrams that occur so often (1)")
    add(
        "--paper",
        action="store_true",
        help="the paper's setting: " + ", ".join(f"{k} {v}" for k, v in PAPER.items()),
    )
    default = {name: p.default for name, p in inspect.signature(train).parameters.items()}

    def setting(flag, name, type, help):
        add(flag, dest=name, type=type, help=f"{help} ({default[name]})")

    setting("--epochs", "epochs", int, "times through the pairs")
    setting("--batch-size", "batch_size", int, "pairs a minibatch")
    setting(
        "--negatives",
        "n_negatives",
        _or(int, "batch"),
        "unclicked titles a pair, or 'batch': all of the minibatch's",
    )
    setting("--gamma", "gamma", float, "scale of the cosines")
    setting("--step-size", "step_size", float, "epsilon of Eq. (6)")
    setting(
        "--momentum", "momentum", _or(float, "schedule"), "mu of Eq. (6), or the paper's 'schedule'"
    )
    setting("--clip", "clip", float, "largest norm of a side's gradient")
    setting("--truncate", "truncate", int, "words that errors go back")
    setting(
        "--average",
        "average",
        _or(float, "none"),
        "share kept in the average of the weights, or 'none'",
    )
    setting("--held-out", "held_out", float, "share of the queries to hold out")
    setting(
        "--patience", "patience", int, "epochs without a better held-out nDCG@10 before stopping"
    )
    setting("--seed", "seed", int, "of all that is random")
    add(
        "--cluster",
        metavar="ADDRESS",
        help="of a dask.distributed scheduler, whose workers share every minibatch",
    )
    add("--quiet", action="store_true", help="print nothing")

    add = command(
        "evaluate",
        evaluate_command,
        "nDCG of a model on judged queries, qid<TAB>query<TAB>docid<TAB>title<TAB>grade a line",
    )
    add("model")
    add("judgments")
    add(
        "--ndcg",
        choices=ranking.KINDS,
        default="exponential",
        help="; ".join(f"{kind}: {what}" for kind, what in ranking.KINDS.items()),
    )
    add("--json", action="store_true")

    add = command("rank", rank_command, "rank titles, one a line, for a query")
    add("model")
    add("titles")
    add("--query", required=True)
    add("--top", type=int, default=10)

    add = command(
        "compare",
        compare_command,
        "Table IV: every row on a click log and judged queries; goes on where it was stopped",
    )
    add("pairs")
    add("judgments")
    add("--rows", help="separated by commas; all by default")
    add("--seeds", type=int, default=1, help="of each trained row")
    add("--epochs", type=int, default=16, help="the most a training may have (16)")
    add(
        "--search-pairs",
        type=int,
        default=8_000,
        help="on how many pairs, at the most, step size and gamma are searched (8,000)",
    )
    add("--jobs", type=int, default=2, help="rows to work on at a time (2)")
    add("--ndcg", choices=ranking.KINDS, default="exponential")
    add("--skip-thought", help="a folder with the files of a Skip-Thought model")
    add(
        "--sentences",
        help="a text, one sentence a line, to train a small Skip-Thought model on instead",
    )
    add("--folder", default="comparison", help="where the parts are kept")
    add("--figure", help="a picture of the table, .png or .svg")
    add("--json", action="store_true")

    add = command(
        "sample", sample_command, "write the sample data, byte for byte as in data_samples/"
    )
    add("--out", required=True, help="a folder")
    add("--seed", type=int, default=0)
    return top


def _cell(args):
    """The cell that the command line asks for."""
    kind = RECURRENT[args.cell]
    given = {"forget_gate": args.forget_gate, "peepholes": args.peepholes}
    arguments = {name: value for name, value in given.items() if value}
    for name in arguments:
        if name not in {field.name for field in fields(kind)}:
            raise InputError(f"--{name.replace('_', '-')}: --cell {args.cell} has none")
    if args.cells is not None:
        arguments["n_cells"] = args.cells
    return Bidirectional(kind(**arguments)) if args.bidirectional else kind(**arguments)


def train_command(args):
    """Train and save."""
    files.check_writable(args.out)
    both_there = os.path.exists(args.out) and os.path.exists(args.pairs)
    if both_there and os.path.samefile(args.out, args.pairs):
        raise InputError(f"--out: {args.out} is the click log itself")
    # a pipe can be read but once; of a file no text is kept
    pairs = None if os.path.isfile(args.pairs) else read_pairs(args.pairs)

    def each_pair():
        return iter_pairs(args.pairs) if pairs is None else pairs

    hashing = LetterTrigrams.fit((text for pair in each_pair() for text in pair), args.min_count)
    cell = _cell(args)
    names = [
        name
        for name in inspect.signature(train).parameters
        if hasattr(args, name) and name not in ("pairs", "resume", "cluster")
    ]
    given = {name: getattr(args, name) for name in names if getattr(args, name) is not None}
    settings = (PAPER if args.paper else {}) | given
    settings = {name: None if value == "none" else value for name, value in settings.items()}
    model = DualEncoder(cell, hashing, settings.get("seed", 0))
    done = []

    def after_epoch(model, history):
        done.append(history)
        if not args.quiet:
            try:
                _print_epoch(history)
            except OSError as error:
                if not _has_no_reader(error):
                    raise
                _print_no_more()  # but train on

    with connected(args.cluster) if args.cluster else nullcontext() as cluster:
        train(
            model,
            each_pair(),
            checkpoint=args.out,
            resume=args.resume,
            progress=False if args.quiet else None,
            callback=after_epoch,
            cluster=cluster,
            **settings,
        )
    if not done and not args.quiet:
        print(f"{args.out} is complete; there was nothing to resume")


def _print_epoch(history):
    last = {name: values[-1] for name, values in history.items()}
    held_out = f"  held-out nDCG@10 {last['held_out']:.4f}" if "held_out" in last else ""
    norms = f"{last['gradient_norm_query']:.3g} {last['gradient_norm_document']:.3g}"
    print(
        f"epoch {len(history['cost']):3}  cost {last['cost']:.4f}  "
        f"|gradient| {norms}{held_out}  {last['seconds']:.1f} s",
        flush=True,
    )


def evaluate_command(args):
    """Print nDCG, as lines or JSON."""
    result = evaluate(load(args.model), read_judgments(args.judgments), args.ndcg)
    if args.json:
        print(json.dumps(result | {"ndcg": args.ndcg}))
    else:
        for name in ("nDCG@1", "nDCG@3", "nDCG@10"):
            print(f"{name:8} {result[name]:.4f}")
        print(f"{args.ndcg}: {ranking.KINDS[args.ndcg]}; equal scores share their ranks")
        left_out = f"{result['n_left_out']} without a relevant title left out"
        print(f"{result['n_queries']} queries; {left_out}")


def rank_command(args):
    """Print the best titles with their scores."""
    if not args.query.split():
        raise InputError("--query: is empty")
    if args.top < 1:
        raise InputError(f"--top: {args.top}; must be at least 1")
    model, titles, best = load(args.model), iter_titles(args.titles), []
    for block in iter(lambda: list(islice(titles, LINES)), []):
        # equal scores stay in the file's order
        best = sorted(best + model.rank(args.query, block), key=lambda ranked: -ranked[1])
        best = best[: args.top]
    for title, score in best:
        print(f"{score:+.4f}\t{title}")


def compare_command(args):
    """Print Table IV, as text or JSON."""
    from .table_iv import comparison

    rows = comparison.ROWS if args.rows is None else args.rows.split(",")
    for name in ("seeds", "epochs", "search_pairs", "jobs"):
        if getattr(args, name) < 1:
            raise InputError(
                f"--{name.replace('_', '-')}: {getattr(args, name)}; must be at least 1"
            )
    if args.figure:
        files.check_writable(args.figure)
    pairs = read_pairs(args.pairs)
    result = comparison.table_iv(
        pairs,
        read_judgments(args.judgments),
        args.folder,
        rows,
        args.seeds,
        args.ndcg,
        args.epochs,
        args.search_pairs,
        args.skip_thought,
        args.sentences,
        args.jobs,
        say=lambda line: print(line, file=sys.stderr, flush=True),
    )
    if args.json:
        head = {
            "date": str(datetime.date.today()),
            "pairs": len(pairs),
            "seeds": args.seeds,
            "epochs": args.epochs,
            "search_pairs": args.search_pairs,
        }
        rows = ",\n".join(json.dumps(row) for row in result["rows"])  # a row a line
        print(json.dumps(head | {"metric": result["metric"]})[:-1] + f', "rows": [\n{rows}]}}')
    else:
        print(comparison.as_text(result))
    if args.figure:
        from .plots import comparison as figure

        figure(result).savefig(args.figure)


def sample_command(args):
    """Write the sample data."""
    from .data import synthetic

    synthetic.write(args.out, args.seed)


def _or(type, word):
    def parse(text):
        return word if text == word else type(text)

    parse.__name__ = f"{type.__name__} or '{word}'"
    return parse


if __name__ == "__main__":
    sys.exit(main())
