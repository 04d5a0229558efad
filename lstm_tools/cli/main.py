"""The command line: lstm-edu or python -m lstm_edu, followed by a command."""

import functools
import sys
import warnings

from lstm_edu import __version__
from lstm_edu._util.files import InputError

from .compare import compare
from .encode import encode
from .evaluate import evaluate
from .info import info
from .messages import program, tell
from .options import Parser, add_command
from .rank import rank
from .sample import sample
from .train import train

COMMANDS = train, info, evaluate, rank, encode, compare, sample


def main(arguments=None, commands=COMMANDS):
    """Run the command line; return the exit code: 0, 2 for bad input, 130 if interrupted."""
    for stream in filter(None, (sys.stdout, sys.stderr)):
        if hasattr(stream, "reconfigure"):
            # escape characters that the terminal cannot show
            stream.reconfigure(errors="backslashreplace")  # pyright: ignore
    # print each warning once, although a log is read twice
    warn = functools.cache(lambda said: tell(f"lstm_edu: warning: {said}"))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("default", UserWarning)
            warnings.showwarning = lambda message, *_: warn(str(message))
            args = vars(parser(commands).parse_args(arguments))
            args.pop("command")(**args)
    except (InputError, MemoryError) as error:
        tell(f"lstm_edu: {str(error) or 'not enough memory'}")
        return 2
    except OSError as error:
        named = f"{error.filename}: " if error.filename else ""
        tell(f"lstm_edu: {named}{error.strerror or error}")
        return 2
    except KeyboardInterrupt as stop:  # the exception's message may say where the work is stored
        tell(": ".join(["lstm_edu: interrupted", *map(str, stop.args)]))
        return 130
    return 0


def parser(commands=COMMANDS):
    """Build the argument parser, with one subcommand per function in ``commands``."""
    top = Parser(program(), description=__doc__)
    top.add_argument("--version", action="version", version=f"lstm-edu {__version__}")
    names = " | ".join(command.__name__ for command in commands)
    added = top.add_subparsers(required=True, metavar=names, parser_class=Parser)
    for command in commands:
        add_command(added, command)
    return top
