"""Files are written whole or not at all; what is read is checked and never run."""

import hashlib
import os
import re
import secrets
import stat
from contextlib import contextmanager, suppress

import numpy as np

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
    """A context to import in what an extra brings, so that the line says how to get it.

    Parameters
    ----------
    extra : str
        Its name in ``pyproject.toml``.
    what : str
        What needs which package: "BM25 needs bm25s".

    Raises
    ------
    MissingError
        It is not there.
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
    path = os.fspath(path)
    if is_safetensors(path):
        safetensors_for(path)
    if not os.path.basename(path) or "\0" in path:
        raise InputError(f"{path!r}: is no name of a file")
    folder = os.path.dirname(os.path.realpath(path))
    if not os.path.exists(folder):
        raise InputError(f"{path}: the folder {folder} does not exist")
    if not os.path.isdir(folder):
        raise InputError(f"{path}: {folder} is a file, not a folder")
    if os.path.isdir(path):
        raise InputError(f"{path}: is a folder, not a file to write")
    try:
        mode = os.stat(path).st_mode
    except FileNotFoundError:
        mode = stat.S_IFREG | 0o666
    except OSError as error:  # too long a name, links in a circle
        raise InputError(f"{path}: cannot be written ({error.strerror})") from None
    if not stat.S_ISREG(mode):
        raise InputError(f"{path}: is a device or a pipe, not a file to write")
    # the administrator may write everything, but such a file is to be kept
    if not mode & 0o222 or os.path.exists(path) and not os.access(path, os.W_OK):
        raise InputError(f"{path}: is read-only")
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


@contextmanager
def _part(path):
    """A new file, open to be written, and a name beside ``path`` that nobody else has.

    Be they threads, processes or other machines. Nothing is ever removed but what this very call
    has made: no name tells who made a file, and whether they still write.
    """
    folder, name = os.path.split(os.path.realpath(path))  # a link stays a link
    # of a long name the beginning: the system takes 255 bytes
    part = os.path.join(folder, f"{name[:50]}.{secrets.token_hex(8)}.part")
    try:
        file = _new_file(part)
        try:
            with file:
                _give_rights(file, path)
                yield file, part
        finally:
            with suppress(OSError):
                os.remove(part)
    except OSError as error:
        raise InputError(f"{path}: cannot be written ({error.strerror or error})") from None


def _new_file(part):
    """A file to become ``part``.

    Where it can be (on Linux, by most file systems) it has no name while it is written, and so a
    run that is killed leaves nothing; elsewhere it leaves the part. Not made by tempfile, whose
    files nobody else may read.
    """
    if hasattr(os, "O_TMPFILE") and os.path.exists("/proc/self/fd"):
        with suppress(OSError):
            return open(os.open(os.path.dirname(part), os.O_TMPFILE | os.O_RDWR, 0o666), "w+b")
    return open(part, "x+b")


def _give_rights(file, path):
    """Let those read and write the new file who may the old one, if there is one."""
    if os.path.exists(path):
        found = os.stat(path), os.fstat(file.fileno())
        mode, new = (stat.S_IMODE(each.st_mode) for each in found)
        if mode != new:  # a file system that keeps none cannot set them
            os.chmod(file.fileno() if os.chmod in os.supports_fd else file.name, mode)


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
    check_writable(path)
    target = os.path.realpath(path)
    with _part(path) as (file, part):
        write(file)
        file.flush()
        os.fsync(file.fileno())
        if only == ANYTHING:
            _name(file, part)
            os.replace(part, target)
            return None
        file.seek(0)
        written = hashlib.file_digest(file, "sha256").hexdigest()
        if not _replace_only(file, part, target, only):
            raise TakenError(f"{path}: something else is there by now, and is left as it is")
        return written


def _name(file, part):
    """Give a written file its name, as late as can be: who is killed from here on leaves it."""
    if not os.path.exists(part):
        n = file.fileno()  # any, so that the link leads to the file and not to its link
        os.link(f"/proc/self/fd/{n}", part, src_dir_fd=n)
    file.close()  # Windows moves no open file


def _replace_only(file, part, target, only):
    """Move a file there if that is free, or what is there is ``only``; whether it was."""
    seen = stamp(target)
    if seen and digest(target) != only:
        return False
    _name(file, part)
    if seen is None:
        return _create(part, target)
    if stamp(target) != seen:  # replaced meanwhile
        return False
    os.replace(part, target)
    return True


def _create(part, target):
    """Name a part ``target`` unless there is such a file by now, in one step; whether it was."""
    try:
        os.link(part, target)  # its other name goes with `_part`
    except FileExistsError:
        return False
    except (AttributeError, OSError):  # no links here: the name first, of an empty file
        try:
            open(target, "xb").close()
        except FileExistsError:
            return False
        os.replace(part, target)
    return True


def stamp(path):
    """Tell what changes when a file is replaced or written; None if there is none."""
    with suppress(OSError):
        found = os.stat(path)
        return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns
    return None


def write_bytes(path, content):
    """Write ``content`` as it is."""
    replace(path, lambda file: file.write(content))


def write_text(path, text):
    """Write ``text`` as UTF-8 with its line ends as they are."""
    write_bytes(path, text.encode("utf-8"))


def write_table(path, array):
    """Write one array as ``.npy``."""
    replace(path, lambda file: np.save(file, np.ascontiguousarray(array)))


def write_blocks(path, blocks, row, dtype, seal):
    """Write vectors of texts as ``.npy``, from blocks of them that come one by one; none is kept.

    Behind the array is a checksum, which NumPy passes over, of what its rows are of.

    Parameters
    ----------
    path : str
    blocks : iterable of (texts, array)
    row : tuple of int
        The shape of one row.
    dtype : str
    seal : hash of hashlib
        Of what has made the vectors; the texts, one a line, are added.
    """
    descr = np.lib.format.dtype_to_descr(np.dtype(dtype))

    def write_header(file, n_rows):
        header = {"descr": descr, "fortran_order": False, "shape": (n_rows, *row)}
        np.lib.format.write_array_header_1_0(file, header)

    def write(file):
        n_rows = 0
        write_header(file, n_rows)
        for texts, block in blocks:
            seal.update("\n".join([*texts, ""]).encode())
            file.write(np.ascontiguousarray(block, dtype).data)
            n_rows += len(block)
        file.write(seal.digest())
        file.seek(0)
        write_header(file, n_rows)  # as long as before: NumPy leaves room for the number of rows

    replace(path, write)


def is_safetensors(path):
    """Tell by its name whether a file holds arrays as safetensors."""
    return os.fspath(path).lower().endswith(".safetensors")


def safetensors_for(path):
    """Import safetensors, which is an extra."""
    with from_extra("safetensors", f"{path}: needs safetensors"):
        import safetensors.numpy
    return safetensors


def why(error):
    """Put a library's error in one line: NumPy's go on with advice that is not ours."""
    return (str(error).splitlines() or [type(error).__name__])[0]
