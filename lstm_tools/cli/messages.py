"""What the commands share: options by their names, a look at what will be written before the work
begins, and printing where nobody may read.
"""

import errno
import os
import re
import sys
from contextlib import contextmanager, suppress

from lstm_edu._util import files

from ..formats import beir


def flag(name):
    """The command line's name of an argument: --negatives of n_negatives."""
    return "--" + name.removeprefix("n_").replace("_", "-")


def by_flags(said, names):
    """What is said of the arguments, with their names on the command line."""
    if said.split(":")[0] in names:
        said = re.sub(r"\w+", lambda m: flag(m[0]) if m[0] in names and "_" in m[0] else m[0], said)
        said = said if said.startswith("--") else "--" + said
    said = re.sub(r"\b(resume|overwrite)=True", r"--\1", said)
    return re.sub(r"(?<=: its )\w+(?= is )", lambda m: flag(m[0]) if m[0] in names else m[0], said)


def check_written(option, path, *inputs):
    """Say now whether a file could be written at the end, and that it is none of the inputs."""
    files.check_writable(path)
    for name in inputs:
        is_folder = name is not None and os.path.isdir(name)
        files.check_apart(option, path, *(beir.files_of(name) if is_folder else [name]))


@contextmanager
def from_the_course(what):
    """A context to import in what belongs to the classroom: one line where that is left out.

    Raises MissingError.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] != "lstm_course":
            raise
        raise files.MissingError(f"{what}: needs lstm_course, which is left out here") from None


def has_no_reader(error):
    """Whether a pipe is meant whose other end is closed, of which Windows says EINVAL."""
    unread = (errno.EPIPE, errno.EINVAL) if sys.platform == "win32" else (errno.EPIPE,)
    return isinstance(error, OSError) and error.errno in unread and error.filename is None


def print_no_more():
    """Send what is still printed nowhere."""
    with suppress(OSError, ValueError):  # of a stream that is no file
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def tell(line):
    """Print a line on the standard error, if that can be; if not, the work goes on all the same."""
    with suppress(OSError, ValueError):
        if sys.stderr is not None:  # print would take the standard output instead
            print(files.one_line(line), file=sys.stderr, flush=True)
