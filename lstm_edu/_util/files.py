"""Files are written whole or not at all; what is read is checked and never run."""

import hashlib
import os
import re
import secrets
import stat
from contextlib import contextmanager, suppress

ANYTHING = "anything"  # that is there may be replaced


def one_line(said):
    """Replace line ends and what else a terminal would not show by spaces: names may hold them."""
    return re.sub("[\x00-\x1f\x7f-\x9f\u2028\u2029]+", " ", said).strip()


Path = str | os.PathLike[str]


class InputError(ValueError):
    """Bad input, said in one line: which file and line, or which argument, and what is allowed."""

    def __init__(self, said=""):
        said = one_line(said)
        # a line of a file may be long, and what is wrong with it stands in the end
        super().__init__(said if len(said) <= 900 else f"{said[:600]} … {said[-200:]}")


class TakenError(InputError):
    """A file that was to be created, or replaced as its writer left it, is somebody else's."""


class MissingError(InputError):
    """Something that is not part of the project is missing; the message says what to get."""


@contextmanager
def from_extra(extra, what):
    """Enter a context that imports an extra's package, and say how to install a missing one.

    Parameters
    ----------
    extra : str
        Its name in ``pyproject.toml``.
    what : str
        The feature and its package: "BM25 needs bm25s".

    Raises
    ------
    MissingError
        The package is not installed.
    """
    try:
        yield
    except ImportError:
        # double quotes, which every shell takes, Windows' as well
        raise MissingError(f'{what}: pip install "lstm_edu[{extra}]"') from None


def check_writable(path):
    """Raise InputError now, not after an hour of training, if ``path`` cannot be written.

    Raises
    ------
    InputError
        The folder does not exist or is a file, may not be written to, or ``path`` is read-only, a
        folder, a device, or no name of a file; or it wants safetensors, which is missing.
    """
    with _part(path):
        pass


def check_apart(name, path, *inputs):
    """Raise InputError if a file to write is one of those to read, by whatever name or link.

    Parameters
    ----------
    name : str
        The argument or option that ``path`` is.
    path : str
    inputs : str or None

    Raises
    ------
    InputError
        It is.
    """
    for other in inputs:
        if other is not None and is_same(path, other):
            raise InputError(f"{name}: {path} is to be read, not written")


def is_same(path, other):
    """Tell whether two names are, or would be, one file."""
    if os.path.exists(path) and os.path.exists(other):
        return os.path.samefile(path, other)
    return os.path.normcase(os.path.realpath(path)) == os.path.normcase(os.path.realpath(other))


def _check_place(path, target):
    """Raise InputError if a name, or the file that its links lead to, is none to be written."""
    folder, is_file = os.path.dirname(target), os.path.isfile(target)
    refused = {
        "is no name of a file": not os.path.basename(path),
        f"the folder {folder} does not exist": not os.path.exists(folder),
        f"{folder} is a file, not a folder": not os.path.isdir(folder),
        "is a folder, not a file to write": os.path.isdir(target),
        "is a device or a pipe, not a file to write": os.path.exists(target) and not is_file,
        # the administrator may write everything, but such a file is to be kept
        "is read-only": is_file and not (_rights(target) & 0o222 and os.access(target, os.W_OK)),
    }
    for said, is_so in refused.items():
        if is_so:
            raise InputError(f"{path or repr(path)}: {said}")
    if is_safetensors(path):
        safetensors_for(path)


def _rights(path):
    return stat.S_IMODE(os.stat(path).st_mode)


@contextmanager
def _part(path):
    """Open a new file beside ``path``, and remove it unless it has been moved.

    Its name is nobody else's, be they threads, processes or other machines: no name tells who made
    a file, and whether they still write. So what a killed run leaves is not removed.
    """
    path = os.fspath(path)
    target = os.path.realpath(path)  # a link stays a link
    _check_place(path, target)
    folder, name = os.path.split(target)
    # of a long name the beginning: the system takes 255 bytes
    part = os.path.join(folder, f"{name[:50]}.{secrets.token_hex(8)}.part")
    try:
        with open(part, "x+b") as file:  # not by tempfile, whose files nobody else may read
            _give_rights(target, part)
            yield file
    except OSError as error:
        raise InputError(f"{path}: cannot be written ({error.strerror or error})") from None
    finally:
        with suppress(OSError):
            os.remove(part)


def _give_rights(target, part):
    """Let those read and write a new file who may the old one, if there is one."""
    with suppress(FileNotFoundError):
        if _rights(target) != _rights(part):  # some file systems have the same for all
            os.chmod(part, _rights(target))


def digest(path):
    """Return a checksum of a file's content; None if there is no file."""
    try:
        with open(path, "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})") from None


def replace(path, write, only: str | None = ANYTHING):
    """Call ``write(file)`` on a file beside ``path`` and move it there in one step.

    A reader, and a run killed at any moment, sees the old file or the new one.

    Parameters
    ----------
    path : str
    write : function
    only : str or None
        The `digest` of what alone may be replaced; None: nothing, the file is to be created. What
        is gone by now is created, too.

    Returns
    -------
    str or None
        The digest of what was written, if ``only`` is given.

    Raises
    ------
    InputError
        As `check_writable`, or the disk is full; TakenError if something else is there than
        ``only``, which is then as it was.
    """
    with _part(path) as file:
        write(file)
        file.flush()
        os.fsync(file.fileno())
        file.close()  # Windows moves no open file
        return _move(file.name, path, only)


def _move(part, path, only):
    """Give a part its place, if that is free or ``only`` is there; `replace` says what returns."""
    target = os.path.realpath(path)
    if only == ANYTHING:
        os.replace(part, target)
        return None
    found, written = digest(target), digest(part)
    if found not in (None, only) or found is None and not _create(part, target):
        raise TakenError(f"{path}: something else is there by now, and is left as it is")
    if found is not None:
        os.replace(part, target)
    return written


def _create(part, target):
    """Name a part ``target`` unless there is such a file by now; return whether it was."""
    try:
        os.link(part, target)  # its other name goes with `_part`
    except FileExistsError:
        return False
    except (AttributeError, OSError):  # no links here
        os.replace(part, target)
    return True


def write_text(path, text):
    """Write a text as UTF-8, with its line ends as they are."""
    replace(path, lambda file: file.write(text.encode("utf-8")))


def is_safetensors(path):
    """Tell by its name whether a file holds arrays as safetensors."""
    return os.fspath(path).lower().endswith(".safetensors")


def safetensors_for(path):
    """Import safetensors, which is an extra."""
    with from_extra("safetensors", f"{path}: needs safetensors"):
        import safetensors.numpy
    return safetensors


def why(error):
    """Return the first line of a library's error: NumPy's next lines advise to load pickles."""
    return (str(error).splitlines() or [type(error).__name__])[0]
