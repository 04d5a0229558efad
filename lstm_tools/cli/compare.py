"""`lstm-edu compare`: Table IV."""

import datetime
import io
import json
import os

from lstm_edu._util import files
from lstm_edu._util.files import InputError
from lstm_edu.readers import read_judgments, read_pairs

from ..table_iv import comparison, results, store
from ..table_iv.skip_thought_files import FILES
from .messages import by_flags, check_written, from_the_course, tell
from .options import command

FIGURES = ".png", ".svg", ".pdf"


def add_to(commands):
    """Add `compare` to the command line."""
    title = "Table IV: every row on a click log and judged queries; goes on where it was stopped"
    parser = command(commands, compare, title)
    add, number = parser.add_argument, parser.number
    add("pairs", help="the click log")
    add("judgments", help="the judged queries")
    add("--rows", help=f"separated by commas (all: {', '.join(comparison.ROWS)})")
    number("--seeds", "of each trained row", 1)
    number("--epochs", "the most a training may have", 16)
    searched = "on how many pairs, at the most, step size and gamma are searched"
    number("--search-pairs", searched, 8_000)
    number("--jobs", "rows to work on at a time", 2)
    parser.header()
    parser.ndcg()
    add("--skip-thought", metavar="FOLDER", help="a folder with the files of a Skip-Thought model")
    add(
        "--sentences",
        metavar="FILE",
        help="a text, one sentence a line, to train a small Skip-Thought model on instead",
    )
    add("--folder", help="where the parts are kept (a folder in the user's cache)")
    add("--figure", metavar="FILE", help=f"a picture of the table, {', '.join(FIGURES)}")
    parser.switch("--json", "print JSON")


def compare(args):
    """Print Table IV, as text or JSON."""
    rows = comparison.ROWS if args.rows is None else args.rows.split(",")
    figure = None if args.figure is None else _figure(args)
    pairs = read_pairs(args.pairs, header=args.header)
    judgments = read_judgments(args.judgments, args.header)
    folder = store.default_folder() if args.folder is None else args.folder
    settings = args.ndcg, args.epochs, args.search_pairs, args.skip_thought, args.sentences

    try:
        result = comparison.table_iv(
            pairs, judgments, folder, rows, args.seeds, *settings, args.jobs, tell
        )
    except InputError as error:
        raise InputError(by_flags(str(error), comparison.MOST)) from None
    except KeyboardInterrupt:
        raise KeyboardInterrupt(
            f"the parts that are done are kept in {folder}; the same command goes on from there"
        ) from None
    if args.json:
        head = {"date": str(datetime.date.today()), "pairs": len(pairs)}
        head |= {name: getattr(args, name) for name in ("seeds", "epochs", "search_pairs")}
        rows = ",\n".join(json.dumps(row) for row in result["rows"])  # a row a line
        print(json.dumps(head | {"metric": result["metric"]})[:-1] + f', "rows": [\n{rows}]}}')
    else:
        print(results.as_text(result))
    if figure is not None:
        figure(result)


def _figure(args):
    """What draws the table into --figure, whole or not at all; what cannot be is said now."""
    with from_the_course("--figure"):
        from lstm_course import plots

    model = [os.path.join(args.skip_thought or "", name) for name in FILES]
    check_written("--figure", args.figure, args.pairs, args.judgments, args.sentences, *model)
    kind = os.path.splitext(args.figure)[1].lower()
    if kind not in FIGURES:
        raise InputError(f"--figure: {args.figure!r}; must end in {', '.join(FIGURES)}")

    def draw(result):
        drawn = io.BytesIO()
        plots.comparison(result).savefig(drawn, format=kind[1:])
        files.write_bytes(args.figure, drawn.getvalue())

    return draw
