"""Files are written whole or not at all; what is read is checked and never run."""

import glob
import hashlib
import json
import os
import re
import zipfile
from contextlib import contextmanager, suppress

import numpy as np

# what reads the header of a .npy, by its version
HEADERS = {
    (1, 0): np.lib.format.read_array_header_1_0,
    (2, 0): np.lib.format.read_array_header_2_0,
}


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
        The folder does not exist or is a file, may not be written to, or ``path`` is a folder, a
        device, or no name of a file; or it wants safetensors, which is missing.
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
    if os.path.exists(path) and not os.path.isfile(path):
        raise InputError(f"{path}: is a device or a pipe, not a file to write")
    part = _part(path)
    try:
        with open(part, "wb"):
            pass
        os.remove(part)
    except OSError as error:
        raise InputError(f"{path}: cannot be written ({error.strerror})") from None


def _part(path):
    """Where this process writes what will be ``path``; a link stays a link."""
    return f"{os.path.realpath(path)}.{os.getpid()}.part"


def _replace(path, write):
    """Call ``write(file)`` on a file beside ``path`` and move it there in one step.

    A reader, and a run killed at any moment, sees the old file or the new one. What killed runs
    left beside it is removed.
    """
    check_writable(path)
    part = _part(path)
    for left in glob.glob(glob.escape(os.path.realpath(path)) + ".*.part"):
        pid = left.split(".")[-2]
        if pid.isdigit() and not _is_running(int(pid)):
            with suppress(OSError):  # another run was quicker, or Windows has it open
                os.remove(left)
    try:
        with open(part, "wb") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, os.path.realpath(path))
    except BaseException as error:
        if os.path.exists(part):
            os.remove(part)
        if isinstance(error, OSError):
            raise InputError(f"{path}: cannot be written ({error.strerror})") from None
        raise


def _is_running(pid):
    if os.name == "nt":  # where os.kill(pid, 0) is Ctrl-C for whoever has the number
        return _is_running_on_windows(pid)
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        pass  # somebody else's
    return True


def _is_running_on_windows(pid):
    """In doubt, yes: what is left beside a file costs less than what another run loses."""
    import ctypes

    system = ctypes.WinDLL("kernel32", use_last_error=True)
    process = system.OpenProcess(0x100000, False, pid)  # SYNCHRONIZE
    if not process:
        return ctypes.get_last_error() != 87  # ERROR_INVALID_PARAMETER: nobody has the number
    try:
        return system.WaitForSingleObject(process, 0) != 0  # 0: it has ended
    finally:
        system.CloseHandle(process)


def write_bytes(path, content):
    """Write ``content`` as it is."""
    _replace(path, lambda file: file.write(content))


def write_text(path, text):
    """Write ``text`` as UTF-8 with its line ends as they are."""
    write_bytes(path, text.encode("utf-8"))


def write_table(path, array):
    """Write one array as ``.npy``."""
    _replace(path, lambda file: np.save(file, np.ascontiguousarray(array)))


def write_blocks(path, blocks, shape, dtype):
    """Write one array as ``.npy``, from blocks of its rows that come one by one; none is kept.

    Parameters
    ----------
    path : str
    blocks : iterable of arrays
    shape : tuple of int
        Of all together.
    dtype : str
    """
    descr = np.lib.format.dtype_to_descr(np.dtype(dtype))
    header = {"descr": descr, "fortran_order": False, "shape": shape}

    def write(file):
        np.lib.format.write_array_header_1_0(file, header)
        for block in blocks:
            file.write(np.ascontiguousarray(block, dtype).data)

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
    if is_safetensors(path):
        content = _safetensors(path).numpy.save(arrays, {"lstm_edu": _seal(text, arrays) + text})
        _replace(path, lambda file: file.write(content))
    else:
        members = {"meta": np.frombuffer(text.encode("utf-8"), dtype=np.uint8)} | arrays
        _replace(path, lambda file: np.savez(file, **members))


def read_arrays(path, format, versions):
    """Read what `write_arrays` wrote.

    Returns
    -------
    arrays : dict of str to ndarray
    meta : dict

    Raises
    ------
    InputError
        The file is cut short, damaged, of another ``format`` or of none of the ``versions``; or it
        is one of safetensors, which is missing. Nothing in it is ever run: pickled objects are
        refused, and sizes are checked before memory is taken.
    """
    if "\0" in os.fspath(path):
        raise InputError(f"{path!r}: is no name of a file")
    safetensors = _safetensors(path) if is_safetensors(path) else None
    with open(path, "rb") as file:
        try:
            arrays, text = _read_safetensors(safetensors, path) if safetensors else _read_npz(file)
            meta = json.loads(text)
            found = meta["version"]
            if meta["format"] != format:
                raise ValueError(f"its format is {meta['format']!r:.40}")
        except Exception as error:  # zip, npy and JSON readers raise a dozen kinds between them
            raise InputError(
                f"{path}: not an {format} file, or damaged or cut short ({error})"
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


def _read_safetensors(safetensors, path):
    """Arrays and text of a ``.safetensors``."""
    with safetensors.safe_open(os.fspath(path), framework="numpy") as opened:
        sealed = opened.metadata()["lstm_edu"]
        arrays = {name: opened.get_tensor(name) for name in opened.keys()}
    seal, text = sealed[:64], sealed[64:]
    if seal != _seal(text, arrays):
        raise ValueError("its checksum is wrong")
    return arrays, text


def _read_npz(file):
    """Arrays and text of an ``.npz``."""
    arrays = _members(file)
    return arrays, arrays.pop("meta").tobytes().decode("utf-8")


def _members(file):
    """The arrays of a ``.npz``, by name."""
    arrays, most = {}, os.fstat(file.fileno()).st_size
    with zipfile.ZipFile(file) as archive:
        for info in archive.infolist():
            name = info.filename.removesuffix(".npy")
            if info.compress_type != zipfile.ZIP_STORED or name in arrays:
                raise ValueError(f"unexpected member {info.filename!r}")
            with archive.open(info) as member:
                arrays[name] = _array(member, info, most)
    return arrays


def _array(member, info, most):
    """An array from a ``.npy``; ValueError unless it is as long as it says, at most ``most``."""
    shape, fortran_order, dtype = HEADERS[np.lib.format.read_magic(member)](member)
    # Python's integers: a header may ask for more than 2^63 bytes
    n_bytes = dtype.itemsize * int(np.prod([int(n) for n in shape], dtype=object))
    if dtype.hasobject or fortran_order or min(shape, default=0) < 0:
        raise ValueError(f"member {info.filename!r} is not a plain array")
    if not member.tell() + n_bytes == info.file_size <= most:
        raise ValueError(f"member {info.filename!r} is not as long as it says")
    data = member.read()  # to its end, so that the checksum is compared
    return np.frombuffer(data, dtype).reshape(shape).copy()
