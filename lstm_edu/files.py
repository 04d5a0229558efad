"""Files are written whole or not at all; what is read is checked and never run."""

import functools
import hashlib
import json
import os
import re
import secrets
import stat
import struct
import zipfile
from contextlib import contextmanager, suppress

import numpy as np

# what reads the header of a .npy, by its version
HEADERS = {
    (1, 0): np.lib.format.read_array_header_1_0,
    (2, 0): np.lib.format.read_array_header_2_0,
}
# bytes that a file may say of itself beside its arrays (a million letter trigrams take about ten);
# or as many as the arrays have
MOST_FACTS = 1 << 24


def one_line(said):
    """Text without line ends and what else a terminal would not show: a name may hold them."""
    return re.sub("[\x00-\x1f\x7f-\x9f\u2028\u2029]+", " ", said).strip()


class InputError(ValueError):
    """Bad input, said in one line: which file and line, or which argument, and what is allowed."""

    def __init__(self, said=""):
        said = one_line(said)
        # a line of a file may be long, and what is wrong with it stands in the end
        super().__init__(said if len(said) <= 900 else f"{said[:600]} … {said[-200:]}")


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
    """Say now, before an hour of training, that ``path`` could not be written at its end.

    Raises
    ------
    InputError
        The folder does not exist or is a file, may not be written to, or ``path`` is read-only, a
        folder, a device, or no name of a file; or it wants safetensors, which is missing.
    """
    path = os.fspath(path)
    if is_safetensors(path):
        _safetensors(path)
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
    """Say now that a file to write is one of those to read, by whatever name or link.

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
    """Whether two names are, or would be, one file."""
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
            return open(os.open(os.path.dirname(part), os.O_TMPFILE | os.O_WRONLY, 0o666), "wb")
    return open(part, "xb")


def _give_rights(file, path):
    """Let those read and write the new file who may the old one, if there is one."""
    if os.path.exists(path):
        found = os.stat(path), os.fstat(file.fileno())
        mode, new = (stat.S_IMODE(each.st_mode) for each in found)
        if mode != new:  # a file system that keeps none cannot set them
            os.chmod(file.fileno() if os.chmod in os.supports_fd else file.name, mode)


def _replace(path, write):
    """Call ``write(file)`` on a file beside ``path`` and move it there in one step.

    A reader, and a run killed at any moment, sees the old file or the new one.
    """
    check_writable(path)
    target = os.path.realpath(path)
    with _part(path) as (file, part):
        write(file)
        file.flush()
        os.fsync(file.fileno())
        if not os.path.exists(part):
            n = file.fileno()  # any, so that the link leads to the file and not to its link
            os.link(f"/proc/self/fd/{n}", part, src_dir_fd=n)
        file.close()  # Windows moves no open file
        os.replace(part, target)


def write_bytes(path, content):
    """Write ``content`` as it is."""
    _replace(path, lambda file: file.write(content))


def write_text(path, text):
    """Write ``text`` as UTF-8 with its line ends as they are."""
    write_bytes(path, text.encode("utf-8"))


def write_table(path, array):
    """Write one array as ``.npy``."""
    _replace(path, lambda file: np.save(file, np.ascontiguousarray(array)))


def write_blocks(path, blocks, row, dtype):
    """Write one array as ``.npy``, from blocks of its rows that come one by one; none is kept.

    Parameters
    ----------
    path : str
    blocks : iterable of arrays
    row : tuple of int
        The shape of one row.
    dtype : str
    """
    descr = np.lib.format.dtype_to_descr(np.dtype(dtype))

    def write_header(file, n_rows):
        header = {"descr": descr, "fortran_order": False, "shape": (n_rows, *row)}
        np.lib.format.write_array_header_1_0(file, header)

    def write(file):
        n_rows = 0
        write_header(file, n_rows)
        for block in blocks:
            file.write(np.ascontiguousarray(block, dtype).data)
            n_rows += len(block)
        file.seek(0)
        write_header(file, n_rows)  # as long as before: NumPy leaves room for the number of rows

    _replace(path, write)


def is_safetensors(path):
    """Whether the name of a file says that arrays are in it as safetensors."""
    return os.fspath(path).lower().endswith(".safetensors")


def write_arrays(path, arrays, meta):
    """Write arrays and a JSON-able ``meta`` to one file, uncompressed and free of clock times.

    Parameters
    ----------
    path : str
        One that ends in ``.safetensors`` becomes such a file, which many other programs read (it
        needs the extra ``safetensors``); any other becomes an ``.npz``.
    arrays : dict of str to ndarray
    meta : dict
        Must hold ``"format"`` and ``"version"``, by which `read_arrays` knows the file.
    """
    text = json.dumps(meta, sort_keys=True)
    arrays = {name: np.ascontiguousarray(array) for name, array in arrays.items()}
    n_bytes = sum(array.nbytes for array in arrays.values())
    if is_safetensors(path):
        content = _safetensors(path).numpy.save(arrays, {"lstm_edu": _seal(text, arrays) + text})
        n_facts, write = len(content) - n_bytes, lambda file: file.write(content)
    else:
        members = {"meta": np.frombuffer(text.encode("utf-8"), dtype=np.uint8)} | arrays
        n_facts, write = members["meta"].nbytes, lambda file: np.savez(file, **members)
    if n_facts > most_facts(n_bytes):  # what is written can be read
        raise InputError(f"{path}: {n_facts:,} bytes beside the arrays; at most {MOST_FACTS:,}")
    _replace(path, write)


def read_arrays(path, format, versions):
    """Read what `write_arrays` wrote.

    Returns
    -------
    arrays : dict of str to ndarray
    meta : dict

    Raises
    ------
    InputError
        The file is cut short, damaged, of another ``format`` or of none of the ``versions``,
        something comes before or after it; or it is one of safetensors, which is missing. Nothing
        in it is ever run: pickled objects are refused, and all sizes, and their sum, are checked
        before memory is taken.
    """
    if "\0" in os.fspath(path):
        raise InputError(f"{path!r}: is no name of a file")
    safetensors = _safetensors(path) if is_safetensors(path) else None
    with open(path, "rb") as file:
        try:
            read = functools.partial(_read_safetensors, safetensors) if safetensors else _read_npz
            arrays, text = read(file)
            meta = json.loads(text)
            found = meta["version"]
            if meta["format"] != format:
                raise ValueError(f"its format is {meta['format']!r:.40}")
        except Exception as error:  # zip, npy and JSON readers raise a dozen kinds between them
            raise InputError(
                f"{path}: not an {format} file, or damaged or cut short ({why(error)})"
            ) from None
    if found not in versions:
        raise InputError(
            f"{path}: an {format} file of version {found!r:.40}; "
            f"this lstm_edu reads up to version {max(versions)}"
        )
    return arrays, meta


def _safetensors(path):
    """The library, which is an extra."""
    with from_extra("safetensors", f"{path}: needs safetensors"):
        import safetensors.numpy
    return safetensors


def _seal(text, arrays):
    """A checksum over all that a file says, 64 characters: safetensors has none of its own."""
    digest = hashlib.sha256(text.encode("utf-8"))
    for name in sorted(arrays):
        digest.update(f"{name} {arrays[name].dtype.str} {arrays[name].shape}".encode())
        digest.update(arrays[name].data)
    return digest.hexdigest()


def why(error):
    """What an error of a library says, in a line: NumPy's go on with advice that is not ours."""
    return (str(error).splitlines() or [type(error).__name__])[0]


def most_facts(n_bytes):
    """How many bytes a file with so many of arrays may have beside them."""
    return max(MOST_FACTS, n_bytes)


def _read_safetensors(safetensors, file):
    """Arrays and text of a ``.safetensors``; the library sees to it that they fill the file."""
    n_header, size = int.from_bytes(file.read(8), "little"), os.fstat(file.fileno()).st_size
    if n_header > most_facts(size - n_header):
        raise ValueError(f"it says {n_header:,} bytes of itself")
    with safetensors.safe_open(os.fspath(file.name), framework="numpy") as opened:
        sealed = opened.metadata()["lstm_edu"]
        arrays = {name: opened.get_tensor(name) for name in opened.keys()}
    seal, text = sealed[:64], sealed[64:]
    if seal != _seal(text, arrays):
        raise ValueError("its checksum is wrong")
    return arrays, text


def _read_npz(file):
    """Arrays and text of an ``.npz``."""
    with zipfile.ZipFile(file) as archive:
        arrays = {name: read_member(archive, info) for name, info in members(archive, file).items()}
    return arrays, arrays.pop("meta").tobytes().decode("utf-8")


def members(archive, file):
    """What to read the arrays of an ``.npz`` by.

    Parameters
    ----------
    archive : zipfile.ZipFile
    file : file
        That it is of.

    Returns
    -------
    dict of str to zipfile.ZipInfo

    Raises
    ------
    ValueError
        The file is not as `numpy.savez` writes it: uncompressed, one member after the other from
        its first byte to the list of them, with which it ends. As it is, all together are no
        larger than the file.
    """
    found, end = {}, 0
    for info in archive.infolist():
        name = info.filename.removesuffix(".npy")
        if info.compress_type != zipfile.ZIP_STORED:
            raise ValueError(f"member {info.filename!r:.60} is compressed")
        if name in found:
            raise ValueError(f"member {info.filename!r:.60} is there twice")
        if info.header_offset != end:
            raise ValueError(f"member {info.filename!r:.60} is not behind the one before it")
        file.seek(end)
        lengths = struct.unpack("<26x2H", file.read(30))  # of the name and of what else comes first
        end += 30 + sum(lengths) + info.file_size
        found[name] = info
    file.seek(-22, os.SEEK_END)
    if end != archive.start_dir or file.read(4) != b"PK\5\6":  # the end's own record
        raise ValueError("something comes before or after it")
    n_facts = found["meta"].file_size if "meta" in found else 0
    if n_facts > most_facts(end - n_facts):
        raise ValueError(f"it says {n_facts:,} bytes of itself")
    return found


def read_header(archive, info):
    """Shape, order and type of an array, of which no more than these is read."""
    with archive.open(info) as member:
        return HEADERS[np.lib.format.read_magic(member)](member)


def read_member(archive, info):
    """An array of an ``.npz``; ValueError if it holds objects or is not as long as it says."""
    with archive.open(info) as member:
        shape, fortran_order, dtype = HEADERS[np.lib.format.read_magic(member)](member)
        # Python's integers: a header may ask for more than 2^63 bytes
        n_bytes = dtype.itemsize * int(np.prod([int(n) for n in shape], dtype=object))
        if dtype.hasobject or min(shape, default=0) < 0:
            raise ValueError(f"member {info.filename!r:.60} is not a plain array")
        if member.tell() + n_bytes != info.file_size:
            raise ValueError(f"member {info.filename!r:.60} is not as long as it says")
        data = member.read()  # to its end, so that the checksum is compared
    return np.frombuffer(data, dtype).reshape(shape, order="F" if fortran_order else "C").copy()
