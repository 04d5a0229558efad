"""Arrays and facts in one file, ``.npz`` or ``.safetensors``; what is read is never run."""

import functools
import hashlib
import json
import os
import struct
import zipfile
from typing import Any

import numpy as np

from .files import ANYTHING, InputError, is_safetensors, replace, safetensors_for, why

# what reads the header of a .npy, by its version
HEADERS = {
    (1, 0): np.lib.format.read_array_header_1_0,
    (2, 0): np.lib.format.read_array_header_2_0,
}
# bytes that a file may say of itself beside its arrays (a million letter trigrams take about ten);
# or as many as the arrays have
MOST_FACTS = 1 << 24


def write_arrays(path, arrays, meta, only: str | None = ANYTHING):
    """Write arrays and a JSON-able ``meta`` to one file, uncompressed and free of clock times.

    Parameters
    ----------
    path : str
        One that ends in ``.safetensors`` becomes such a file, which many other programs read (it
        needs the extra ``safetensors``); any other becomes an ``.npz``.
    arrays : dict of str to ndarray
    meta : dict
        Must hold ``"format"`` and ``"version"``, by which `read_arrays` knows the file.
    only
        As `lstm_edu._util.files.replace`'s, and so is what is returned.
    """
    text = json.dumps(meta, sort_keys=True)
    arrays = {name: np.ascontiguousarray(array) for name, array in arrays.items()}
    n_bytes = sum(array.nbytes for array in arrays.values())
    if is_safetensors(path):
        content = safetensors_for(path).numpy.save(
            arrays, {"lstm_edu": seal(text, arrays).hexdigest() + text}
        )
        n_facts, write = len(content) - n_bytes, lambda file: file.write(content)
    else:
        members: dict[str, Any] = {
            "meta": np.frombuffer(text.encode("utf-8"), dtype=np.uint8)
        } | arrays
        n_facts, write = members["meta"].nbytes, lambda file: np.savez(file, **members)
    if n_facts > most_facts(n_bytes):  # what is written can be read
        raise InputError(f"{path}: {n_facts:,} bytes beside the arrays; at most {MOST_FACTS:,}")
    return replace(path, write, only)


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
    safetensors = safetensors_for(path) if is_safetensors(path) else None
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


def seal(text, arrays):
    """Begin a checksum, hashlib's, with a text and arrays."""
    digest = hashlib.sha256(text.encode("utf-8"))
    for name in sorted(arrays):
        digest.update(f"{name} {arrays[name].dtype.str} {arrays[name].shape}".encode())
        digest.update(np.ascontiguousarray(arrays[name]).data)
    return digest


def most_facts(n_bytes):
    """Return how many bytes a file may have beside its ``n_bytes`` of arrays."""
    return max(MOST_FACTS, n_bytes)


def _read_safetensors(safetensors, file):
    """Arrays and text of a ``.safetensors``; the library sees to it that they fill the file."""
    n_header, size = int.from_bytes(file.read(8), "little"), os.fstat(file.fileno()).st_size
    if n_header > most_facts(size - n_header):
        raise ValueError(f"it says {n_header:,} bytes of itself")
    with safetensors.safe_open(os.fspath(file.name), framework="numpy") as opened:
        sealed = opened.metadata()["lstm_edu"]
        arrays = {name: opened.get_tensor(name) for name in opened.keys()}  # noqa: SIM118 (no dict)
    said, text = sealed[:64], sealed[64:]
    if said != seal(text, arrays).hexdigest():  # safetensors has none of its own
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
    """Read the shape, order and type of an array, and no more of it."""
    with archive.open(info) as member:
        return HEADERS[np.lib.format.read_magic(member)](member)


def read_member(archive, info):
    """Read an array of an ``.npz``; ValueError if it holds objects or its length is wrong."""
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
