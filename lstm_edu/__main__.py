"""The command line: lstm-edu, or python -m lstm_edu, train | evaluate | rank | compare | sample."""

import argparse
import inspect
import pathlib
import sys
import warnings

from . import __version__
from ._util import interrupts
from ._util.files import InputError
from .cli.compare import FIGURES, compare
from .cli.evaluate import evaluate
from .cli.messages import flag, has_no_reader, print_no_more, tell
from .cli.rank import rank
from .cli.sample import sample
from .cli.train import RECURRENT, train
from .data import trec
from .ranking import ndcg
from .table_iv.comparison import ROWS
from .training import loop as training
from .training.settings import LEAST, MOMENTUM, MOST, OPTIMIZERS, PAIRS, PAPER, PAPER_START

KINDS = "; ".join(f"{kind}: {what}" for kind, what in ndcg.KINDS.items()) + " (exponential)"


class Parser(argparse.ArgumentParser):
    """Says what is wrong in one line, without the usage before it."""

    def error(self, message):
        """Raise what `main` prints."""
        raise InputError(message)

    def _print_message(self, message, file=None):
        """As argparse's own, which keeps it to itself when a disk is full."""
        print(message, end="", file=file)


def main(arguments=None):
    """Run the command line; returns the exit code: 0, 2 for bad input, 130 if interrupted."""
    try:
        interrupts.all_is_loaded()
        for stream in filter(None, (sys.stdout, sys.stderr)):
            if hasattr(stream, "reconfigure"):
                # a terminal that cannot show a letter is no error
                stream.reconfigure(errors="backslashreplace")
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("default", UserWarning)
                warnings.showwarning = lambda message, *_: tell(f"lstm_edu: warning: {message}")
                args = parser().parse_args(arguments)
                args.command(args)
        except SystemExit:  # --help and --version
            _flush()
            raise
        _flush()
    except (InputError, OSError, MemoryError) as error:
        if has_no_reader(error):  # head, say, has had enough of our output
            print_no_more()
            return 0
        said = "not enough memory" if isinstance(error, MemoryError) else str(error)
        if isinstance(error, OSError):
            named = f"{error.filename}: " if error.filename else ""
            said = named + (error.strerror or said)
        tell(f"lstm_edu: {said}")
        try:
            _flush()
        except OSError:  # which Python would try again, and complain
            print_no_more()
        return 2
    except KeyboardInterrupt as stop:  # which may say what is kept
        tell(": ".join(["lstm_edu: interrupted", *map(str, stop.args)]))
        return 130
    return 0


def _flush():
    if sys.stdout:
        sys.stdout.flush()


def parser():
    """Commands and their arguments."""
    installed = pathlib.Path(sys.argv[0]).stem == "lstm-edu"  # as pyproject.toml names it
    top = Parser("lstm-edu" if installed else "python -m lstm_edu", description=__doc__)
    top.add_argument("--version", action="version", version=f"lstm-edu {__version__}")
    subparsers = top.add_subparsers(
        required=True, metavar="train | evaluate | rank | compare | sample", parser_class=Parser
    )

    def command(name, function, help):
        sub = subparsers.add_parser(
            name, help=help, description=help, formatter_class=argparse.RawDescriptionHelpFormatter
        )
        sub.set_defaults(command=function)
        return sub.add_argument

    add = command("train", train, "train a model on clicked pairs, query<TAB>title a line")
    add("pairs", help="the click log")
    add(
        "--out",
        required=True,
        metavar="MODEL",
        help="the model's file, which is also its checkpoint after each epoch",
    )
    add("--resume", action="store_true", help="go on from --out, if an earlier run was cut off")
    add("--overwrite", action="store_true", help="replace --out, if there is one")
    add(
        "--start-from",
        metavar="MODEL",
        help="a new run from the weights of this model, whose cell and letter trigrams it keeps",
    )
    add("--cell", choices=list(RECURRENT), help="what reads the words (lstm)")
    sizes = ", ".join(f"{name} {kind.n_cells}" for name, kind in RECURRENT.items())
    add("--cells", type=integer, metavar="N", help=f"cells, or an RNN's hidden units ({sizes})")
    add(
        "--forget-gate",
        action="store_true",
        help="learn f(t), which the paper's experiments leave out",
    )
    add("--peepholes", choices=["diagonal", "full"], help="let the gates see the cell state")
    add("--bidirectional", action="store_true", help="read both ways, with as many cells in each")
    add(
        "--attention",
        action="store_true",
        help="embed a text as the mean of its words by attention",
    )
    add(
        "--aligned",
        action="store_true",
        help="keep every word's output, and align words with words",
    )
    add(
        "--min-count",
        type=integer,
        metavar="N",
        help="keep letter trigrams that occur so often (1)",
    )
    add(
        "--paper",
        action="store_true",
        help="the paper's setting: "
        + ", ".join(f"{flag(k)[2:]} {v}" for k, v in (PAPER | PAPER_START).items()),
    )
    default = {name: p.default for name, p in inspect.signature(training.train).parameters.items()}

    default["epochs"] = f"so many that {PAIRS:,} pairs are gone through, {LEAST} to {MOST}"

    def setting(option, name, type, help):
        # by the option's own name, not by that of train's argument
        metavar = option.removeprefix("--").replace("-", "_").upper()
        add(option, dest=name, type=type, metavar=metavar, help=f"{help} ({default[name]})")

    setting("--epochs", "epochs", integer, "times through the pairs")
    setting("--batch-size", "batch_size", integer, "pairs a minibatch")
    setting(
        "--negatives",
        "n_negatives",
        _or(integer, "batch"),
        "unclicked titles a pair, or 'batch': all of the minibatch's",
    )
    setting("--gamma", "gamma", float, "scale of the cosines")
    add(
        "--optimizer",
        choices=list(OPTIMIZERS),
        help=f"Adam, or Nesterov's momentum as in Eq. (6) ({default['optimizer']})",
    )
    setting("--step-size", "step_size", float, "Adam's step size, or epsilon of Eq. (6)")
    add(
        "--momentum",
        type=_or(float, "schedule"),
        help=f"mu of Eq. (6), or the paper's 'schedule' ({MOMENTUM}); Adam has none",
    )
    setting("--clip", "clip", float, "largest norm of a side's gradient")
    setting("--truncate", "truncate", integer, "words that errors go back")
    setting(
        "--average",
        "average",
        _or(float, "none"),
        "share kept in the average of the weights, or 'none'",
    )
    setting("--held-out", "held_out", float, "share of the queries to hold out")
    setting(
        "--patience",
        "patience",
        integer,
        "epochs without a better held-out nDCG@10 before stopping",
    )
    setting("--seed", "seed", integer, "of all that is random")
    add(
        "--tied",
        action=argparse.BooleanOptionalAction,
        help="let both sides start with the same weights, and learn apart (they do)",
    )
    add(
        "--cluster",
        metavar="ADDRESS",
        help="of a dask.distributed scheduler, whose workers share every minibatch; the model is "
        "that of one process but for rounding",
    )
    add("--quiet", action="store_true", help="print nothing")

    add = command(
        "evaluate",
        evaluate,
        "nDCG of a model on judged queries, qid<TAB>query<TAB>docid<TAB>title<TAB>grade a line",
    )
    add("model", help=f"a model, or a TREC run of any system: {' '.join(trec.RUN)} a line")
    add(
        "judgments",
        help=f"judged queries, or TREC's qrels: {' '.join(trec.QRELS)} a line; or a folder of BEIR "
        "(its test)",
    )
    add("--queries", help="the texts for qrels and a model: qid<TAB>text a line")
    add("--documents", help="the same: docid<TAB>text a line")
    add(
        "--run",
        metavar="FILE",
        help="write the model's ranking as a TREC run; equal scores share their ranks here, "
        "trec_eval and ir-measures put the last docid of them first",
    )
    add(
        "--ndcg",
        choices=ndcg.KINDS,
        default="exponential",
        help=KINDS,
    )
    add("--json", action="store_true", help="print JSON")

    add = command("rank", rank, "rank titles, one a line, for a query")
    add("model", help="a file that train has written")
    add("titles", help="titles; with --run also docid<TAB>title a line, or a folder of BEIR")
    add("--query", help="what to search for")
    add("--top", type=integer, default=10, metavar="N", help="how many titles (10)")
    add(
        "--queries",
        metavar="FILE",
        help="instead of --query, with --run: qid<TAB>text a line; of BEIR, its test",
    )
    add(
        "--run",
        metavar="FILE",
        help="write the best titles for all queries as a TREC run; a title without a docid has "
        "the number of its line",
    )

    add = command(
        "compare",
        compare,
        "Table IV: every row on a click log and judged queries; goes on where it was stopped",
    )
    add("pairs", help="the click log")
    add("judgments", help="the judged queries")
    add("--rows", help=f"separated by commas (all: {', '.join(ROWS)})")
    add("--seeds", type=integer, default=1, metavar="N", help="of each trained row (1)")
    add("--epochs", type=integer, default=16, metavar="N", help="the most a training may have (16)")
    add(
        "--search-pairs",
        metavar="N",
        type=integer,
        default=8_000,
        help="on how many pairs, at the most, step size and gamma are searched (8,000)",
    )
    add("--jobs", type=integer, default=2, metavar="N", help="rows to work on at a time (2)")
    add("--ndcg", choices=ndcg.KINDS, default="exponential", help=KINDS)
    add("--skip-thought", metavar="FOLDER", help="a folder with the files of a Skip-Thought model")
    add(
        "--sentences",
        metavar="FILE",
        help="a text, one sentence a line, to train a small Skip-Thought model on instead",
    )
    add("--folder", help="where the parts are kept (one for these data, in the user's cache)")
    add("--figure", metavar="FILE", help=f"a picture of the table, {', '.join(FIGURES)}")
    add("--json", action="store_true", help="print JSON")

    add = command("sample", sample, "write the sample data, byte for byte as in data_samples/")
    add("--out", required=True, metavar="FOLDER", help="where; it is made if need be")
    add("--seed", type=integer, default=0, metavar="N", help="of all that is drawn (0)")
    return top


def integer(text):
    """A whole number, of as many digits as are meant in earnest."""
    if len(text) > 18:
        raise argparse.ArgumentTypeError(f"{text[:20]}... is too large")
    return int(text)


def _or(type, word):
    def parse(text):
        return word if text == word else type(text)

    parse.__name__ = f"{type.__name__} or '{word}'"
    return parse


if __name__ == "__main__":
    sys.exit(main())
