"""Write files atomically, and reject paths that cannot be written."""

import hashlib
import os
import re
import secrets
import stat
from contextlib import contextmanager, suppress

ANYTHING = "anything"  # allows `replace` to replace any existing file

# matches a character that moves a terminal's cursor, ends a line or reverses letters
CONTROL = "[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]"


def one_line(said):
    """Replace the line ends and control characters in a message with spaces."""
    return re.sub(f"{CONTROL}+", " ", said).strip()


Path = str | os.PathLike[str]


class InputError(ValueError):
    """An error in the user's input; its message is one line that names the file or the argument."""

    # for a bad line of a file: the message without the line's values, and the first value
    by_kind: tuple[str, str] | None = None

    def __init__(self, said=""):
        said = one_line(said)
        # keep the end of a message that quotes a long line: it names the mistake
        super().__init__(said if len(said) <= 900 else f"{said[:600]} … {said[-200:]}")


class TakenError(InputError):
    """An error raised when another program has created or changed the file to be written."""


class MissingError(InputError):
    """An error raised when an optional package is missing; its message says how to install it."""


@contextmanager
def from_extra(extra, need):
    """Return a context manager that turns an ImportError into instructions to install the extra.

    Parameters
    ----------
    extra : str
        The name of the extra in ``pyproject.toml``.
    need : str
        The feature and the package that it needs, as in "BM25 needs bm25s".

    Raises
    ------
    MissingError
        The package is not installed.
    """
    try:
        yield
    except ImportError:
        # all shells accept double quotes, including those of Windows
        raise MissingError(f'{need}: pip install "lstm_edu[{extra}]"') from None


def check_writable(path):
    """Raise InputError if ``path`` cannot be written, so that training does not fail at its end.

    Raises
    ------
    InputError
        The folder does not exist, is a file or is not writable; or ``path`` is read-only, a folder,
        a device, or no file name; or it needs safetensors, which is missing.
    """
    with _part(path):
        pass


def check_apart(name, path, *inputs):
    """Raise InputError if the output file is also an input, even under another name or via a link.

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
            raise InputError(f"{name}: {path} is an input; must be another file")


def is_same(path, other):
    """Return whether two paths lead to the same file, even if it does not exist yet."""
    if os.path.exists(path) and os.path.exists(other):
        return os.path.samefile(path, other)
    return os.path.normcase(os.path.realpath(path)) == os.path.normcase(os.path.realpath(other))


def _check_place(path, target):
    """Raise InputError if a path cannot be written; ``target`` is the path with links resolved."""
    folder, is_file = os.path.dirname(target), os.path.isfile(target)
    refused = {
        "is not a file name": not os.path.basename(path),
        f"the folder {folder} does not exist": not os.path.isdir(folder),
        "is a folder or a device, not a file to write": os.path.exists(target) and not is_file,
        # check the mode, because administrators could write to a read-only file
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

    Its name is unique across threads, processes and machines. The temporary file of a killed run
    stays, because another process may still be writing it.
    """
    path = os.fspath(path)
    target = os.path.realpath(path)  # replace the target of a link, not the link
    _check_place(path, target)
    folder, name = os.path.split(target)
    # shorten the name, because file systems allow only 255 bytes
    part = os.path.join(folder, f"{name[:50]}.{secrets.token_hex(8)}.part")
    try:
        with open(part, "x+b") as file:  # tempfile would make the file private to the user
            _give_rights(target, part)
            yield file
    except OSError as error:
        raise InputError(f"{path}: cannot be written ({error.strerror or error})") from None
    finally:
        with suppress(OSError):
            os.remove(part)


def _give_rights(target, part):
    """Copy the permissions of the file to be replaced, if it exists, to the new file."""
    with suppress(FileNotFoundError):
        if _rights(target) != _rights(part):  # chmod fails on file systems without permissions
            os.chmod(part, _rights(target))


def digest(path):
    """Return the SHA-256 of a file's content, or None if the file does not exist."""
    try:
        with open(path, "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})") from None


def replace(path, write, known: str | None = ANYTHING):
    """Call ``write(file)`` on a temporary file, then move that file to ``path`` atomically.

    If the process is killed, ``path`` has either the old content or the new.

    Parameters
    ----------
    path : str
    write : function
    known : str or None
        The `digest` of the only file that may be replaced, or None if no file may be. By default,
        any file may be replaced. If no file is at ``path``, it is created.

    Returns
    -------
    str or None
        The digest of the written file, if ``known`` is given.

    Raises
    ------
    InputError
        As `check_writable`, or the disk is full.
    TakenError
        The digest of the file at ``path`` is not ``known``; the file stays unchanged.
    """
    with _part(path) as file:
        write(file)
        file.flush()
        os.fsync(file.fileno())
        file.close()  # Windows cannot move an open file
        part, target = file.name, os.path.realpath(path)
        if known == ANYTHING:
            os.replace(part, target)
            return None
        # check the target last, to leave other programs little time to change it
        written, found = digest(part), digest(target)
        try:
            if found is None:
                _create(part, target)
            elif found == known:
                os.replace(part, target)
            else:
                raise FileExistsError
        except FileExistsError:
            said = f"{path}: another program has written it, so it stays unchanged"
            raise TakenError(said) from None
        return written


def _create(part, target):
    """Rename a temporary file to ``target``; raise FileExistsError if that exists."""
    try:
        os.link(part, target)  # give the file a second name; `_part` removes the first
    except FileExistsError:
        raise
    except (AttributeError, OSError):  # without hard links, reserve the name with an empty file
        open(target, "xb").close()
        os.replace(part, target)


def write_text(path, text):
    """Write a string as UTF-8 without converting its line ends."""
    replace(path, lambda file: file.write(text.encode("utf-8")))


def is_safetensors(path):
    """Return whether a path ends in ``.safetensors``."""
    return os.fspath(path).lower().endswith(".safetensors")


def safetensors_for(path):
    """Import safetensors for reading or writing ``path``; raise MissingError without the extra."""
    with from_extra("safetensors", f"{path}: needs safetensors"):
        import safetensors.numpy
    return safetensors


def why(error):
    """Return only the first line of an error; NumPy's further lines suggest loading pickles."""
    return (str(error).splitlines() or [type(error).__name__])[0]
