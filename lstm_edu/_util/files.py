"""Write files whole or not at all; refuse paths that cannot be written."""

import hashlib
import os
import re
import secrets
import stat
from contextlib import contextmanager, suppress

ANYTHING = "anything"  # any existing file may be replaced


# one character that moves a terminal's cursor, ends a line or reverses the order of letters
CONTROL = "[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]"


def one_line(said):
    """Replace line ends and control characters, which names may contain, by spaces."""
    return re.sub(f"{CONTROL}+", " ", said).strip()


Path = str | os.PathLike[str]


class InputError(ValueError):
    """Bad input, in one line: the file and line, or the argument, and the allowed values."""

    by_kind: tuple[str, str] | None = None  # of a bad line: the message without values, and a value

    def __init__(self, said=""):
        said = one_line(said)
        # a line of a file may be long, and the message ends with the mistake
        super().__init__(said if len(said) <= 900 else f"{said[:600]} … {said[-200:]}")


class TakenError(InputError):
    """The file at a path to write has been created or changed by another program."""


class MissingError(InputError):
    """An optional package is missing; the message says how to install it."""


@contextmanager
def from_extra(extra, need):
    """Enter a context that imports an extra's package; say how to install a missing one.

    Parameters
    ----------
    extra : str
        Its name in ``pyproject.toml``.
    need : str
        The feature and its package: "BM25 needs bm25s".

    Raises
    ------
    MissingError
        The package is not installed.
    """
    try:
        yield
    except ImportError:
        # double quotes, which all shells accept, on Windows, too
        raise MissingError(f'{need}: pip install "lstm_edu[{extra}]"') from None


def check_writable(path):
    """Raise InputError now, not after an hour of training, if ``path`` cannot be written.

    Raises
    ------
    InputError
        The folder does not exist, is a file or is not writable; or ``path`` is read-only, a folder,
        a device, or no file name; or safetensors, which it needs, is missing.
    """
    with _part(path):
        pass


def check_apart(name, path, *inputs):
    """Raise InputError if a file to write is also an input, by any name or link.

    Parameters
    ----------
    name : str
        The argument or option that gave ``path``.
    path : str
    inputs : str or None

    Raises
    ------
    InputError
        ``path`` is an input.
    """
    for other in inputs:
        if other is not None and is_same(path, other):
            raise InputError(f"{name}: {path} is to be read, not written")


def is_same(path, other):
    """Return whether two names are, or would be, the same file."""
    if os.path.exists(path) and os.path.exists(other):
        return os.path.samefile(path, other)
    return os.path.normcase(os.path.realpath(path)) == os.path.normcase(os.path.realpath(other))


def _check_place(path, target):
    """Raise InputError if a path, or the target of its links, cannot be written."""
    folder, is_file = os.path.dirname(target), os.path.isfile(target)
    refused = {
        "is no name of a file": not os.path.basename(path),
        f"the folder {folder} does not exist": not os.path.exists(folder),
        f"{folder} is a file, not a folder": not os.path.isdir(folder),
        "is a folder, not a file to write": os.path.isdir(target),
        "is a device or a pipe, not a file to write": os.path.exists(target) and not is_file,
        # an administrator could write it, but a read-only file is to be kept
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
    """Open a temporary file next to ``path``, and remove it unless it has been moved.

    Its name is unique across threads, processes and machines. The file of a killed run is not
    removed: its name does not show whether a process still writes it.
    """
    path = os.fspath(path)
    target = os.path.realpath(path)  # a link stays a link
    _check_place(path, target)
    folder, name = os.path.split(target)
    # only the beginning of a long name: the system allows 255 bytes
    part = os.path.join(folder, f"{name[:50]}.{secrets.token_hex(8)}.part")
    try:
        with open(part, "x+b") as file:  # not by tempfile, whose files are private to the user
            _give_rights(target, part)
            yield file
    except OSError as error:
        raise InputError(f"{path}: cannot be written ({error.strerror or error})") from None
    finally:
        with suppress(OSError):
            os.remove(part)


def _give_rights(target, part):
    """Give a new file the permissions of the old one, if that exists."""
    with suppress(FileNotFoundError):
        if _rights(target) != _rights(part):  # some file systems have no permissions
            os.chmod(part, _rights(target))


def digest(path):
    """Return a checksum of a file's content; None if the file does not exist."""
    try:
        with open(path, "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})") from None


def replace(path, write, only: str | None = ANYTHING):
    """Call ``write(file)`` on a temporary file and move it to ``path`` in one step.

    Whenever the process is killed, ``path`` has either the old content or the new.

    Parameters
    ----------
    path : str
    write : function
    only : str or None
        The `digest` of the only file that may be replaced, or None to replace no file. If the file
        is gone by now, it is created.

    Returns
    -------
    str or None
        The digest of the written file, if ``only`` is given.

    Raises
    ------
    InputError
        As `check_writable`, or the disk is full. TakenError if another file than ``only`` exists,
        which then stays unchanged.
    """
    with _part(path) as file:
        write(file)
        file.flush()
        os.fsync(file.fileno())
        file.close()  # Windows moves no open file
        return _move(file.name, path, only)


def _move(part, path, only):
    """Move a temporary file to its path, as `replace` describes; return its digest."""
    target = os.path.realpath(path)
    if only == ANYTHING:
        os.replace(part, target)
        return None
    written, found = digest(part), digest(target)  # the target last, just before it is replaced
    if found not in (None, only) or found is None and not _create(part, target):
        raise TakenError(f"{path}: something else is there by now, and is left as it is")
    if found is not None:
        os.replace(part, target)
    return written


def _create(part, target):
    """Rename a temporary file ``target`` unless that exists by now; return whether it did so."""
    try:
        os.link(part, target)  # `_part` removes its first name
    except FileExistsError:
        return False
    except (AttributeError, OSError):  # a system without links: first an empty file of that name
        try:
            open(target, "xb").close()
        except FileExistsError:
            return False
        os.replace(part, target)
    return True


def write_text(path, text):
    """Write a text as UTF-8, with its line ends as they are."""
    replace(path, lambda file: file.write(text.encode("utf-8")))


def is_safetensors(path):
    """Return whether a file name is that of safetensors."""
    return os.fspath(path).lower().endswith(".safetensors")


def safetensors_for(path):
    """Import safetensors, which is an extra."""
    with from_extra("safetensors", f"{path}: needs safetensors"):
        import safetensors.numpy
    return safetensors


def why(error):
    """Return the first line of a library's error; NumPy's next lines suggest loading pickles."""
    return (str(error).splitlines() or [type(error).__name__])[0]
