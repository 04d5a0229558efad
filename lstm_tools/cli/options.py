"""Make commands from functions: the signature lists the options, the docstring explains them.

A positional parameter becomes an argument, a keyword-only parameter an option: a number if its
annotation is int, a switch if it is bool, a choice of words if it is ``Annotated[str, words]``. The
option for ``n_negatives`` is ``--negatives``. ``**settings`` adds an option per field of
`Settings`.
"""

import argparse
import inspect
import re

from lstm_edu._util.files import InputError
from lstm_edu.ranking.ndcg import KINDS
from lstm_edu.training.settings import ABOUT, PAPER, Settings

from ..formats.runs import numeral
from ..table_iv.comparison import ROWS
from .messages import flag, say

EXPLAINED = re.compile(r"^(\w+)(?: : (.*))?\n((?: {4}.*\n)+)", re.MULTILINE)
# matches a parameter's name in an error: "name: …", "name=True", "its name is …"
NAMED = re.compile(r"^(\w+)(?=: )|\b(\w+)=True|(?<=: its )(\w+)(?= is )")
NUMBERS = {int: "integer", float: "number"}
SHARED = {  # explanations of options that several commands share, or that contain computed parts
    "header": "Skip the first line of each file, with a warning; if only the titles or only the "
    "queries begin with known column names, skip only theirs",
    "ndcg": "; ".join(f"{kind}: {formula}" for kind, formula in KINDS.items()),
    "ignore_identical_ids": "Ignore a hit that has the id of the query (yes for a folder in BEIR's "
    "format)",
    "paper": "Use the paper's settings: "
    + ", ".join(f"{flag(name)[2:]} {value}" for name, value in PAPER.items()),
    "rows": f"Rows to compute, separated by commas (all: {', '.join(ROWS)})",
}


class Parser(argparse.ArgumentParser):
    """A parser that raises InputError and prints with `say`."""

    def error(self, message):
        """Raise InputError with the message instead of exiting."""
        raise InputError(message)

    def _print_message(self, message, file=None):
        say(message, end="")


def add_command(commands, function):
    """Add a function as a command, whose errors name options as users type them."""
    title = (inspect.getdoc(function) or "").partition("\n")[0].removesuffix(".")
    parser = commands.add_parser(function.__name__, help=title, description=title)
    explained, options = explanations(function), []
    for name, parameter in inspect.signature(function).parameters.items():
        form, said = explained.get(name) or ("", SHARED.get(name))
        if parameter.kind is parameter.VAR_KEYWORD:
            options += _add_settings(parser)
        elif parameter.kind is parameter.POSITIONAL_OR_KEYWORD:
            parser.add_argument(name, help=said)
        else:
            is_required = parameter.default is parameter.empty
            how = {"required": True} if is_required else {"default": parameter.default}
            options.append(flag(name))
            _add_option(parser, name, *_kind(parameter.annotation), form, said, **how)

    def as_typed(match):
        option = flag(match[match.lastindex])
        return option if option in options else match[0]

    def run(**given):
        try:
            function(**given)
        except InputError as error:
            raise InputError(NAMED.sub(as_typed, str(error))) from None

    parser.set_defaults(command=run)


def explanations(thing):
    """Extract from a docstring each parameter's type or placeholder and one-line explanation."""
    found = EXPLAINED.findall((inspect.getdoc(thing) or "") + "\n")
    return {name: (form, " ".join(text.split()).removesuffix(".")) for name, form, text in found}


def _kind(annotation):
    """Return the type and the list of words that an annotation allows."""
    words = [*getattr(annotation, "__metadata__", [()])[0]]
    kinds = [kind for kind in (bool, int) if annotation in (kind, kind | None)]
    return (str if words else kinds[0] if kinds else None), words


def _add_settings(parser):
    """Add the options of `Settings`, without defaults, and return their flags."""
    explained, defaults = explanations(Settings), inspect.signature(Settings).parameters
    for name, about in ABOUT.items():
        form = flag(name)[2:].replace("-", "_").upper()
        said = _with_default(explained[name][1], defaults[name].default)
        how = form, said, argparse.SUPPRESS
        _add_option(parser, name, about["kind"], about["words"], *how)
    return map(flag, ABOUT)


def _add_option(parser, name, kind, words, form, said, default=None, **how):
    """Add an option to a parser: a switch, a choice, a number or a string."""
    how |= {
        "dest": name,
        "default": default,
        "help": _with_default(said, default).replace("%", "%%"),
    }
    if kind is bool:
        is_switch = default is False
        how["action"] = "store_true" if is_switch else argparse.BooleanOptionalAction
    elif kind is str:
        how["choices"] = words
    else:
        how |= {"metavar": form or None, "type": reader(kind, words) if kind else None}
    parser.add_argument(flag(name), **how)


def _with_default(said, default):
    """Append the default to an explanation, except None, False and suppressed ones."""
    if default is None or default is False or default is argparse.SUPPRESS:
        return said
    shown = f"{default:,}" if type(default) is int else default
    return f"{said} ({shown})"


def reader(kind, words=()):
    """Return a function that converts a string to a number or to one of ``words``.

    It converts "none" to None, if ``words`` contains None.
    """
    known = {"none" if word is None else word: word for word in words}

    def read(text):
        if kind is int and len(text) > 18:
            raise argparse.ArgumentTypeError(f"{text[:20]}... is too large")
        return known[text] if text in known else numeral(text, kind)

    read.__name__ = " or ".join([NUMBERS[kind], *map(repr, known)])
    return read
