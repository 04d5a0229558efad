"""The command line: python -m lstm_edu train | evaluate | rank | compare | sample."""

import argparse
import inspect
import sys
import warnings

from . import commands
from .commands import RECURRENT, has_no_reader, print_no_more
from .data import trec
from .files import InputError
from .ranking import ndcg
from .training.settings import PAPER
from .training.train import train


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
        if has_no_reader(error):  # head, say, has had enough of our output
            print_no_more()
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


def parser():
    """Commands and their arguments."""
    top = Parser("python -m lstm_edu", description=__doc__)
    subparsers = top.add_subparsers(
        required=True, metavar="train | evaluate | rank | compare | sample", parser_class=Parser
    )

    def command(name, function, help):
        sub = subparsers.add_parser(
            name, help=help, description=help, formatter_class=argparse.RawDescriptionHelpFormatter
        )
        sub.set_defaults(command=function)
        return sub.add_argument

    add = command("train", commands.train, "train a model on clicked pairs, query<TAB>title a line")
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
        commands.evaluate,
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
        help="; ".join(f"{kind}: {what}" for kind, what in ndcg.KINDS.items()),
    )
    add("--json", action="store_true")

    add = command("rank", commands.rank, "rank titles, one a line, for a query")
    add("model")
    add("titles", help="titles; with --run also docid<TAB>title a line, or a folder of BEIR")
    add("--query", help="what to search for")
    add("--top", type=int, default=10, help="how many titles (10)")
    add("--queries", help="instead of --query, with --run: qid<TAB>text a line; of BEIR, its test")
    add(
        "--run",
        metavar="FILE",
        help="write the best titles for all queries as a TREC run; a title without a docid has "
        "the number of its line",
    )

    add = command(
        "compare",
        commands.compare,
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
    add("--ndcg", choices=ndcg.KINDS, default="exponential")
    add("--skip-thought", help="a folder with the files of a Skip-Thought model")
    add(
        "--sentences",
        help="a text, one sentence a line, to train a small Skip-Thought model on instead",
    )
    add("--folder", default="comparison", help="where the parts are kept")
    add("--figure", help="a picture of the table, .png or .svg")
    add("--json", action="store_true")

    add = command(
        "sample", commands.sample, "write the sample data, byte for byte as in data_samples/"
    )
    add("--out", required=True, help="a folder")
    add("--seed", type=int, default=0)
    return top


def _or(type, word):
    def parse(text):
        return word if text == word else type(text)

    parse.__name__ = f"{type.__name__} or '{word}'"
    return parse


if __name__ == "__main__":
    sys.exit(main())
