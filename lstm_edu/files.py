"""Files are written whole or not at all; what is read is checked and never run."""
import json
import os
import zipfile

import numpy as np


class InputError(ValueError):
    """Bad input, said in one line: which file and line, or which argument, and what is allowed."""


def check_writable(path):
    """Say now, before an hour of training, that ``path`` could not be written at its end.

    Raises
    ------
    InputError
        The folder does not exist or is a file, may not be written to, or ``path`` is a folder.
    """
    folder = os.path.dirname(os.path.realpath(path))
    if not os.path.exists(folder):
        raise InputError(f"{path}: the folder {folder} does not exist")
    if not os.path.isdir(folder):
        raise InputError(f"{path}: {folder} is a file, not a folder")
    if os.path.isdir(path):
        raise InputError(f"{path}: is a folder, not a file to write")
    if not os.access(folder, os.W_OK):
        raise InputError(f"{path}: the folder {folder} may not be written to")


def _replace(path, write):
    """Call ``write(file)`` on a file beside ``path`` and move it there in one step.

    A reader, and a run killed at any moment, sees the old file or the new one. The name is
    fixed, so that what a killed run left is overwritten by the next instead of piling up.
    """
    check_writable(path)
    path = os.path.realpath(path)                      # keep a link a link
    part = path + ".part"
    try:
        with open(part, "wb") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, path)
    except BaseException:
        if os.path.exists(part):
            os.remove(part)
        raise


def write_text(path, text):
    """Write ``text`` as UTF-8 with its line ends as they are."""
    _replace(path, lambda file: file.write(text.encode("utf-8")))


def write_arrays(path, arrays, meta):
    """Write arrays and a JSON-able ``meta`` to one ``.npz``, uncompressed and free of clock times.

    Parameters
    ----------
    path : str
    arrays : dict of str to ndarray
    meta : dict
        Must hold ``"format"`` and ``"version"``, by which `read_arrays` knows the file.
    """
    text = json.dumps(meta, sort_keys=True).encode("utf-8")
    members = {"meta": np.frombuffer(text, dtype=np.uint8)} | {
        name: np.ascontiguousarray(array) for name, array in arrays.items()}
    _replace(path, lambda file: np.savez(file, **members))


def read_arrays(path, format, version):
    """Read what `write_arrays` wrote.

    Returns
    -------
    arrays : dict of str to ndarray
    meta : dict

    Raises
    ------
    InputError
        The file is cut short, damaged, or not of this ``format`` and ``version``. Nothing in it is ever run:
        pickled objects are refused, and sizes are checked before memory is taken.
    """
    with open(path, "rb") as file:
        try:
            arrays = _members(file)
            meta = json.loads(arrays.pop("meta").tobytes().decode("utf-8"))
            found = meta["version"]
            if meta["format"] != format:
                raise ValueError(f"its format is {meta['format']!r}")
        except Exception as error:    # zip, npy and JSON readers raise a dozen kinds between them
            raise InputError(f"{path}: not an {format} file, or damaged or cut short ({error})") from None
    if found != version:
        raise InputError(f"{path}: an {format} file of version {found!r}; this lstm_edu reads version {version}")
    return arrays, meta


def _members(file):
    arrays = {}
    with zipfile.ZipFile(file) as archive:
        for info in archive.infolist():
            name = info.filename.removesuffix(".npy")
            if info.compress_type != zipfile.ZIP_STORED or name in arrays:
                raise ValueError(f"unexpected member {info.filename!r}")
            with archive.open(info) as member:
                version = np.lib.format.read_magic(member)
                read_header = {(1, 0): np.lib.format.read_array_header_1_0,
                               (2, 0): np.lib.format.read_array_header_2_0}[version]
                shape, fortran_order, dtype = read_header(member)
                # Python's integers: a header may ask for more than 2^63 bytes
                n_bytes = dtype.itemsize * int(np.prod([int(n) for n in shape], dtype=object))
                if dtype.hasobject or fortran_order or min(shape, default=0) < 0:
                    raise ValueError(f"member {info.filename!r} is not a plain array")
                if not member.tell() + n_bytes == info.file_size <= os.fstat(file.fileno()).st_size:
                    raise ValueError(f"member {info.filename!r} is not as long as it says")
                data = member.read()              # to its end, so that the checksum is compared
                arrays[name] = np.frombuffer(data, dtype).reshape(shape).copy()
    return arrays
