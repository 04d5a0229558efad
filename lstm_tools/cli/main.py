"""The command line: lstm-edu, or python -m lstm_edu, and one of its commands."""

import sys
import warnings

from lstm_edu import __version__
from lstm_edu._util.files import InputError

from . import compare, encode, evaluate, info, rank, sample, train
from .messages import has_no_reader, print_no_more, tell
from .options import Parser, program


def main(arguments=None):
    """Run the command line; returns the exit code: 0, 2 for bad input, 130 if interrupted."""
    try:
        for stream in filter(None, (sys.stdout, sys.stderr)):
            if hasattr(stream, "reconfigure"):
                # a terminal that cannot show a letter is no error
                stream.reconfigure(errors="backslashreplace")  # pyright: ignore
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("default", UserWarning)
                warned = set()  # a log is read twice, and warned of once

                def warn(message, *_):
                    if str(message) not in warned:
                        warned.add(str(message))
                        tell(f"lstm_edu: warning: {message}")

                warnings.showwarning = warn
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
    top = Parser(program(), description=__doc__)
    top.add_argument("--version", action="version", version=f"lstm-edu {__version__}")
    modules = train, info, evaluate, rank, encode, compare, sample
    names = " | ".join(module.__name__.rpartition(".")[2] for module in modules)
    commands = top.add_subparsers(required=True, metavar=names, parser_class=Parser)
    for module in modules:
        module.add_to(commands)
    return top
