"""Write and read ``.npz`` or ``.safetensors`` files of arrays and JSON metadata, without pickle."""

import hashlib
import json
import os
import struct
import zipfile
from typing import Any

import numpy as np

from .files import ANYTHING, InputError, MissingError, is_safetensors, replace, safetensors_for
from .looks import MODEL, looks_like, refusal

# Every file may have this many bytes of JSON. A file of large arrays may have eight times as many
# bytes of JSON as of arrays, because a letter trigram takes up to 40 bytes of JSON and at least 8
# bytes of weights.
MOST_FACTS = 1 << 24


def write_arrays(path, arrays, meta, known: str | None = ANYTHING):
    """Write arrays and metadata to one uncompressed file; equal content gives identical bytes.

    Parameters
    ----------
    path : str
        The file is written as safetensors if its name ends in ``.safetensors``, otherwise as
        ``.npz``. Many programs read safetensors; to write it, install the extra ``safetensors``.
    arrays : dict of str to ndarray
    meta : dict
        Values that JSON can represent, among them the ``"format"`` and ``"version"`` that
        `read_arrays` checks.
    known
        As for `lstm_edu._util.files.replace`, whose result is returned.
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
        return replace(path, lambda file: file.write(content), known)
    facts: dict[str, Any] = {"meta": np.frombuffer(text.encode("utf-8"), dtype=np.uint8)}
    return replace(path, lambda file: np.savez(file, **facts, **arrays), known)


def read_arrays(path, format, versions):
    """Read the arrays and metadata of a file that `write_arrays` has written.

    Returns
    -------
    arrays : dict of str to ndarray
    meta : dict

    Raises
    ------
    InputError
        The file is cut short, damaged, preceded or followed by other bytes, or of another
        ``format`` or version; or it needs safetensors, which is missing. Reading never executes
        the file's content: pickled objects are refused. Sizes are checked, one by one and in
        total, before memory is allocated.
    """
    read = _read_safetensors if looks_like(path) == f"{MODEL}, as .safetensors" else _read_npz
    try:
        with open(path, "rb") as file:
            arrays, text = read(file)
        meta = json.loads(text)
        found = meta["version"]
        if meta["format"] != format:
            raise ValueError(f"its format is {meta['format']!r:.40}")
    except MissingError:
        raise
    except Exception as error:  # zipfile, NumPy and json raise many types of exceptions
        raise refusal(path, error, f"an {format} file", MODEL) from None
    if found not in versions:
        raise InputError(
            f"{path}: an {format} file of version {found!r:.40}; "
            f"this lstm_edu reads versions {min(versions)} to {max(versions)}"
        )
    return arrays, meta


def seal(text, arrays):
    """Return a SHA-256 hash object of a text and arrays, which the caller may update further."""
    digest = hashlib.sha256(text.encode("utf-8"))
    for name in sorted(arrays):
        digest.update(f"{name} {arrays[name].dtype.str} {arrays[name].shape}".encode())
        digest.update(np.ascontiguousarray(arrays[name]).data)
    return digest


def _check_facts(n_facts, n_bytes):
    """Raise ValueError if the JSON of a file is too long for the size of its arrays."""
    if n_facts > max(MOST_FACTS, 8 * n_bytes):
        raise ValueError(f"its metadata has {n_facts:,} bytes, too many for its arrays")


def _read_safetensors(file):
    """Read the arrays and JSON text of a ``.safetensors`` file, whose library checks the sizes."""
    safe_open = safetensors_for(file.name).safe_open
    n_header, size = int.from_bytes(file.read(8), "little"), os.fstat(file.fileno()).st_size
    _check_facts(n_header, size - n_header)
    with safe_open(os.fspath(file.name), framework="numpy") as opened:
        sealed = opened.metadata()["lstm_edu"]
        arrays = {name: opened.get_tensor(name) for name in opened.keys()}  # noqa: SIM118 (no dict)
    said, text = sealed[:64], sealed[64:]
    if said != seal(text, arrays).hexdigest():  # the safetensors format has no checksum
        raise ValueError("its checksum is wrong")
    return arrays, text


def _read_npz(file):
    """Read the arrays and the JSON text of an ``.npz``."""
    with zipfile.ZipFile(file) as archive:
        arrays = {name: read_member(archive, info) for name, info in members(archive, file).items()}
    return arrays, arrays.pop("meta").tobytes().decode("utf-8")


def members(archive, file):
    """Return each array's ``ZipInfo`` by name, if `numpy.savez` could have written the file.

    `numpy.savez` writes uncompressed arrays from the first byte on, and then the zip's directory.
    In such a file, the arrays together are no larger than the file.

    Raises
    ------
    ValueError
        The file has another layout.
    """
    found, end = {}, 0
    for info in archive.infolist():
        if info.compress_type != zipfile.ZIP_STORED:
            raise ValueError("a member is compressed")
        file.seek(info.header_offset)
        lengths = struct.unpack("<26x2H", file.read(30))  # lengths of the name and the extra field
        end += 30 + sum(lengths) + info.file_size
        found[info.filename.removesuffix(".npy")] = info
    file.seek(-22, os.SEEK_END)
    # the zip's end record must follow, with this signature
    is_whole = end == archive.start_dir and file.read(4) == b"PK\5\6"
    if not is_whole or len(found) < len(archive.infolist()):
        raise ValueError("a member comes twice, or something before, between or after them")
    n_facts = found["meta"].file_size if "meta" in found else 0
    _check_facts(n_facts, end - n_facts)
    return found


def read_member(archive, info):
    """Read an array of an ``.npz``; raise ValueError for an object dtype or a wrong shape."""
    with archive.open(info) as member:
        np.lib.format.read_magic(member)
        # numpy.savez writes version 1.0 of the header
        shape, fortran_order, dtype = np.lib.format.read_array_header_1_0(member)
        if min(shape, default=0) < 0:
            raise ValueError(f"a shape is {shape}")
        data = member.read()  # at its end, zipfile verifies the checksum
    return np.frombuffer(data, dtype).reshape(shape, order="F" if fortran_order else "C").copy()
