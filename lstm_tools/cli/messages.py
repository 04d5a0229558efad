"""Print the commands' messages, and check the files that they will write."""

import errno
import os
import pathlib
import re
import sys
from contextlib import contextmanager, suppress

from lstm_edu._util import files

from ..formats import beir

# error numbers for a pipe whose reader has closed it, on POSIX and on Windows
UNREAD = errno.EPIPE, errno.EINVAL if sys.platform == "win32" else errno.EPIPE


def flag(name):
    """Return the option that sets a parameter, such as --negatives for n_negatives."""
    return "--" + name.removeprefix("n_").replace("_", "-")


def program():
    """Return the name under which the command line was called."""
    called = pathlib.Path(sys.argv[0])
    if called.stem == "lstm-edu":  # the name in pyproject.toml
        return "lstm-edu"
    return f"python -m {'lstm_course' if called.parent.name == 'lstm_course' else 'lstm_edu'}"


def say(text, end="\n"):
    """Print to standard output, unless the reader of a pipe, such as ``head``, has closed it.

    Control characters other than tabs and line ends are escaped as in JSON, because a title with
    an escape sequence could control the terminal. Raises OSError if, for example, a disk is full.
    """
    text = re.sub(rf"(?![\t\n]){files.CONTROL}", lambda c: f"\\u{ord(c[0]):04x}", text)
    try:
        print(text, end=end, flush=True)
    except OSError as error:
        # redirect stdout, because Python flushes it at exit; ValueError: stdout is not a real file
        with suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if error.errno not in UNREAD:
            raise


def tell(line):
    """Print a line to standard error, if possible."""
    with suppress(OSError, ValueError):
        if sys.stderr is not None:  # print(file=None) would use standard output
            print(files.one_line(line), file=sys.stderr, flush=True)


def check_written(option, path, *inputs):
    """Raise InputError if a file cannot be written, or is one of the inputs."""
    files.check_writable(path)
    for name in inputs:
        is_folder = name is not None and os.path.isdir(name)
        files.check_apart(option, path, *(beir.files_of(name) if is_folder else [name]))


@contextmanager
def from_the_course(feature):
    """Return a context manager that raises MissingError if `lstm_course` cannot be imported."""
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] != "lstm_course":
            raise
        raise files.MissingError(f"{feature}: needs lstm_course, which is not installed") from None
