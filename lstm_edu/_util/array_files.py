"""Arrays and facts in one file, ``.npz`` or ``.safetensors``; its content is never run."""

import hashlib
import json
import os
import struct
import zipfile
from typing import Any

import numpy as np

from .files import ANYTHING, InputError, MissingError, is_safetensors, replace, safetensors_for, why
from .looks import MODEL, UNKNOWN, looks_like

# A file may have this many bytes of JSON, or eight times the bytes of its arrays: a letter trigram
# takes at most 40 bytes, its weights at least 8.
MOST_FACTS = 1 << 24


def write_arrays(path, arrays, meta, only: str | None = ANYTHING):
    """Write arrays and a JSON-able ``meta`` to one file, uncompressed and free of clock times.

    Parameters
    ----------
    path : str
        The file becomes an ``.npz``; or, if its name ends in ``.safetensors``, a file of that
        format, which many programs read (it needs the extra ``safetensors``).
    arrays : dict of str to ndarray
    meta : dict
        With ``"format"`` and ``"version"``, by which `read_arrays` identifies the file.
    only
        As for `lstm_edu._util.files.replace`; the result is the same, too.
    """
    text = json.dumps(meta, sort_keys=True)
    arrays = {name: np.ascontiguousarray(array) for name, array in arrays.items()}
    try:
        _check_facts(len(text), sum(array.nbytes for array in arrays.values()))
    except ValueError as error:
        raise InputError(f"{path}: could not be read again: {error}") from None
    if is_safetensors(path):
        sealed = {"lstm_edu": seal(text, arrays).hexdigest() + text}
        content = safetensors_for(path).numpy.save(arrays, sealed)
        return replace(path, lambda file: file.write(content), only)
    facts: dict[str, Any] = {"meta": np.frombuffer(text.encode("utf-8"), dtype=np.uint8)}
    return replace(path, lambda file: np.savez(file, **facts, **arrays), only)


def read_arrays(path, format, versions):
    """Read a file of `write_arrays`.

    Returns
    -------
    arrays : dict of str to ndarray
    meta : dict

    Raises
    ------
    InputError
        The file is cut short, damaged, preceded or followed by other bytes, or of another
        ``format`` or version; or safetensors, which it needs, is missing. Nothing in the file is
        ever run: pickled objects are refused, and all sizes, and their sum, are checked before
        memory is allocated.
    """
    read = _read_safetensors if is_safetensors(path) else _read_npz
    try:
        with open(path, "rb") as file:
            arrays, text = read(file)
        meta = json.loads(text)
        found = meta["version"]
        if meta["format"] != format:
            raise ValueError(f"its format is {meta['format']!r:.40}")
    except MissingError:
        raise
    except Exception as error:  # readers of zip, npy and JSON raise a dozen kinds of errors
        raise InputError(f"{path}: {_reason(path, format, error)}") from None
    if found not in versions:
        raise InputError(
            f"{path}: an {format} file of version {found!r:.40}; "
            f"this lstm_edu reads up to version {max(versions)}"
        )
    return arrays, meta


def _reason(path, format, error):
    """Say why a file cannot be read: it is of another kind, or damaged."""
    kind, suffix = looks_like(path), ".safetensors" if is_safetensors(path) else ".npz"
    if kind in (UNKNOWN, f"{MODEL}, as {suffix}"):
        return f"not an {format} file, or damaged or cut short ({why(error)})"
    return f"looks like {kind}; expected an {format} file, as {suffix}"


def seal(text, arrays):
    """Return a hash of a text and arrays, as an object of hashlib."""
    digest = hashlib.sha256(text.encode("utf-8"))
    for name in sorted(arrays):
        digest.update(f"{name} {arrays[name].dtype.str} {arrays[name].shape}".encode())
        digest.update(np.ascontiguousarray(arrays[name]).data)
    return digest


def _check_facts(n_facts, n_bytes):
    """Raise ValueError if a file has too many bytes of JSON for its arrays."""
    if n_facts > max(MOST_FACTS, 8 * n_bytes):
        raise ValueError(f"it says {n_facts:,} bytes of itself")


def _read_safetensors(file):
    """Read arrays and text of a ``.safetensors``; its library checks that they fill the file."""
    safe_open = safetensors_for(file.name).safe_open
    n_header, size = int.from_bytes(file.read(8), "little"), os.fstat(file.fileno()).st_size
    _check_facts(n_header, size - n_header)
    with safe_open(os.fspath(file.name), framework="numpy") as opened:
        sealed = opened.metadata()["lstm_edu"]
        arrays = {name: opened.get_tensor(name) for name in opened.keys()}  # noqa: SIM118 (no dict)
    said, text = sealed[:64], sealed[64:]
    if said != seal(text, arrays).hexdigest():  # safetensors itself has none
        raise ValueError("its checksum is wrong")
    return arrays, text


def _read_npz(file):
    """Read arrays and text of an ``.npz``."""
    with zipfile.ZipFile(file) as archive:
        arrays = {name: read_member(archive, info) for name, info in members(archive, file).items()}
    return arrays, arrays.pop("meta").tobytes().decode("utf-8")


def members(archive, file):
    """Find the arrays of an ``.npz``, and check that the file is as `numpy.savez` writes it.

    Such a file is uncompressed, and has only the arrays, from the first byte on, and then their
    list. So the arrays together are no larger than the file.

    Parameters
    ----------
    archive : zipfile.ZipFile
    file : file
        The file of the archive.

    Returns
    -------
    dict of str to zipfile.ZipInfo

    Raises
    ------
    ValueError
        The file differs from that.
    """
    found, end = {}, 0
    for info in archive.infolist():
        if info.compress_type != zipfile.ZIP_STORED:
            raise ValueError(f"member {info.filename!r:.60} is compressed")
        file.seek(info.header_offset)
        lengths = struct.unpack("<26x2H", file.read(30))  # of the name and of the extra field
        end += 30 + sum(lengths) + info.file_size
        found[info.filename.removesuffix(".npy")] = info
    file.seek(-22, os.SEEK_END)
    is_whole = end == archive.start_dir and file.read(4) == b"PK\5\6"  # the end record
    if not is_whole or len(found) < len(archive.infolist()):
        raise ValueError("a member comes twice, or something before, between or after them")
    n_facts = found["meta"].file_size if "meta" in found else 0
    _check_facts(n_facts, end - n_facts)
    return found


def read_member(archive, info):
    """Read an array of an ``.npz``; NumPy refuses objects, and a shape of another length."""
    with archive.open(info) as member:
        np.lib.format.read_magic(member)
        shape, fortran_order, dtype = np.lib.format.read_array_header_1_0(member)  # as savez writes
        if min(shape, default=0) < 0:
            raise ValueError(f"a shape is {shape}")
        data = member.read()  # zipfile verifies the checksum only at the end
    return np.frombuffer(data, dtype).reshape(shape, order="F" if fortran_order else "C").copy()
