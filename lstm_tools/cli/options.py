"""What the commands' options are made of."""

import argparse
import pathlib
import sys

from lstm_edu._util.files import InputError
from lstm_edu.ranking.ndcg import KINDS

from ..formats.runs import numeral

IDENTICAL = "leave out a hit that is the query itself, by its id (of a folder of BEIR: yes)"


class Parser(argparse.ArgumentParser):
    """Says what is wrong in one line, without the usage before it."""

    def error(self, message):
        """Raise what `main` prints."""
        raise InputError(message)

    def _print_message(self, message, file=None):
        """As argparse's own, which keeps it to itself when a disk is full."""
        print(message, end="", file=file)

    def switch(self, option, help):
        """Add an option that is given or not."""
        self.add_argument(option, action="store_true", help=help)

    def number(self, option, help, default):
        """Add an option that is a whole number; its help ends with the default."""
        self.add_argument(
            option, type=integer, default=default, metavar="N", help=f"{help} ({default:,})"
        )

    def header(self):
        """Add --header, for files that begin with the names of their columns."""
        told = "leave the first line of each file out, and say so; where titles or queries alone"
        self.switch("--header", f"{told} begin with known names of columns, theirs alone")

    def or_not(self, option, help):
        """Add an option and its opposite."""
        self.add_argument(option, action=argparse.BooleanOptionalAction, help=help)

    def ndcg(self):
        """Add --ndcg, which kind to measure."""
        kinds = "; ".join(f"{kind}: {what}" for kind, what in KINDS.items())
        self.add_argument(
            "--ndcg", choices=KINDS, default="exponential", help=f"{kinds} (exponential)"
        )


def command(commands, function, help):
    """The parser of another command, which is called as its function is."""
    parser = commands.add_parser(
        function.__name__,
        help=help,
        description=help,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.set_defaults(command=function)
    return parser


def program():
    """How the command line was called, and is to be called again."""
    installed = pathlib.Path(sys.argv[0]).stem == "lstm-edu"  # as pyproject.toml names it
    return "lstm-edu" if installed else "python -m lstm_edu"


def integer(text):
    """A whole number, of as many digits as are meant in earnest."""
    if len(text) > 18:
        raise argparse.ArgumentTypeError(f"{text[:20]}... is too large")
    return numeral(text, int)


def or_word(type, word):
    """What reads a number, or takes a word as it stands."""

    def parse(text):
        return word if text == word else type(text)

    parse.__name__ = f"{type.__name__} or '{word}'"
    return parse
