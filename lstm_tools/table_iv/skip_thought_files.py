"""Reader of the files that the authors of Skip-Thought released (Kiros et al. 2015).

- ``uni_skip.npz``: a GRU of 2,400 units that reads left to right;
- ``bi_skip.npz``: two GRUs of 1,200 units, of which ``encoder_r_*`` reads right to left;
- ``utable.npy``, ``btable.npy``: the word embeddings of uni and bi, 620 numbers per row;
- ``dictionary.txt``: the word of each table row, one per line.

The release also has pickles, which only repeat the sizes and are not read.
"""

import os
import zipfile

import numpy as np

from lstm_edu._util import array_files, looks
from lstm_edu._util.files import InputError, MissingError

from .skip_thought_encoder import UNKNOWN, Model, part, shapes

FILES = "uni_skip.npz", "bi_skip.npz", "utable.npy", "btable.npy", "dictionary.txt"


def read_model(folder):
    """Read a released model from a folder, without unpickling, and check its array sizes.

    Returns
    -------
    Model

    Raises
    ------
    MissingError
        The folder or a file is missing.
    InputError
        A file is damaged, or its names, types or shapes do not match the other files.
    """
    paths = [os.path.join(folder, name) for name in FILES]
    for path in paths:
        if not os.path.isfile(path):
            raise MissingError(f"{path}: does not exist; Skip-Thought needs {', '.join(FILES)}")
    uni_path, bi_path, *tables, dictionary = paths
    row, n_words = read_dictionary(dictionary)
    utable, btable = (read_table(path, n_words, dictionary) for path in tables)
    uni = read_encoder(uni_path, ["encoder"], utable.shape[1])
    bi = read_encoder(bi_path, ["encoder", "encoder_r"], btable.shape[1])
    return Model(uni, bi, utable, btable, row)


def read_dictionary(path):
    """Read the dictionary: the word of each row of the tables, one per line.

    Returns
    -------
    row : dict of str to int
        The row of each word. As in the authors' code, only LF ends a line, the last of equal words
        counts, and lines may be empty.
    n_words : int
        Number of lines.
    """
    row, number = {}, 0
    with open(path, "rb") as file:
        for number, line in enumerate(file, start=1):
            try:
                row[line.decode("utf-8").strip()] = number - 1
            except UnicodeDecodeError as error:
                raise InputError(
                    f"{path}:{number}: not UTF-8 at byte {error.start + 1} of the line"
                ) from None
    if UNKNOWN not in row:
        raise InputError(f"{path}: has no word {UNKNOWN}; is it cut short or damaged?")
    return row, number


def read_table(path, n_words, dictionary):
    """Memory-map a table (2.3 GB in the authors' release), and check its number of rows."""
    try:
        table = np.lib.format.open_memmap(path, mode="r")
    except Exception as error:  # truncated, not an .npy, or with pickled objects
        raise looks.refusal(path, error, "a table of numbers", looks.VECTORS) from None
    if table.ndim != 2 or table.dtype.kind != "f" or len(table) != n_words:
        found = f"{table.dtype} of shape {table.shape}"
        raise InputError(
            f"{path}: {found}; must be floats, one row for each of the {n_words:,} lines of "
            f"{dictionary}; is one of them cut short?"
        )
    return table


def read_encoder(path, prefixes, word_size):
    """Read an encoder's GRUs from a file, and skip its other arrays."""
    names = [f"{prefix}_{name}" for prefix in prefixes for name in shapes(0, 0)]
    try:
        with open(path, "rb") as file, zipfile.ZipFile(file) as archive:
            there = array_files.members(archive, file)
            read = {name: array_files.read_member(archive, there[name]) for name in names}
    except Exception as error:  # a name is missing, or damage made one of the readers fail
        raise looks.refusal(path, error, "an encoder's file", "an .npz") from None
    wanted = shapes(word_size, read[f"{prefixes[0]}_bx"].size)
    for name, w in read.items():
        shape = wanted[name.split("_")[-1]]
        if w.shape != shape or w.dtype.kind != "f":
            raise InputError(
                f"{path}: {name} is {w.dtype} of shape {w.shape}; "
                f"must be floats of shape {shape}, to fit the other weights and the table"
            )
        if not np.isfinite(w).all():
            raise InputError(f"{path}: {name} is not finite")
        read[name] = np.ascontiguousarray(w, np.float32)
    return [part(read, prefix) for prefix in prefixes]
