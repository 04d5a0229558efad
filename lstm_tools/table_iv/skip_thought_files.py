"""The files of Skip-Thought (Kiros et al. 2015), as the authors released them.

- ``uni_skip.npz``: a GRU that reads left to right, 2,400 units;
- ``bi_skip.npz``: two GRUs of 1,200 units, ``encoder_r_*`` reads right to left;
- ``utable.npy``, ``btable.npy``: the words' embeddings for the one and for the other, 620 numbers a
  row;
- ``dictionary.txt``: the words of the rows, one a line.

The pickles beside them only repeat sizes and are not read. The project's own trainer writes smaller
files of this kind.
"""

import json
import os
import zipfile
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np

from lstm_edu._util import array_files, files
from lstm_edu._util.files import InputError, MissingError

FILES = "uni_skip.npz", "bi_skip.npz", "utable.npy", "btable.npy", "dictionary.txt"
# what the authors call the end of a sentence, and any word that has no row
END, UNKNOWN = "<eos>", "UNK"


class Model(NamedTuple):
    """What the files hold.

    Attributes
    ----------
    uni, bi : dict of arrays
        The encoders' weights by the authors' names, float32.
    utable, btable : function
        Gives the table, (n_words, word size). A file's is mapped anew each time: no more of it
        stays in memory than is being looked up.
    row : dict
        The row of each word.
    label : str
        Where it comes from.
    """

    uni: dict
    bi: dict
    utable: Callable
    btable: Callable
    row: dict
    label: str


def shapes(d, n):
    """Names and shapes of a GRU's weights, for embeddings of size d and n units;
    of W, U and b the first half is r's, the second u's.
    """
    return {"W": (d, 2 * n), "U": (n, 2 * n), "b": (2 * n,), "Wx": (d, n), "Ux": (n, n), "bx": (n,)}


def part(weights, prefix):
    """The weights of one GRU, without its prefix."""
    return {name: weights[f"{prefix}_{name}"] for name in shapes(0, 0)}


def read_model(folder):
    """Read the files of a folder, held against each other; nothing is unpickled.

    Returns
    -------
    Model

    Raises
    ------
    MissingError
        The folder or a file is not there.
    InputError
        A file is damaged, or its names, types or shapes are not as they should be.
    """
    uni_path, bi_path, utable_path, btable_path, dictionary_path = (
        os.path.join(folder, name) for name in FILES
    )
    for path in (uni_path, bi_path, utable_path, btable_path, dictionary_path):
        if not os.path.isfile(path):
            raise MissingError(f"{path}: is not there; Skip-Thought needs {', '.join(FILES)}")
    row, n_words = read_dictionary(dictionary_path)
    sizes = [read_table(path, n_words, dictionary_path) for path in (utable_path, btable_path)]
    uni, label = read_encoder(uni_path, ["encoder"], sizes[0])
    bi, _ = read_encoder(bi_path, ["encoder", "encoder_r"], sizes[1])
    n_uni, n_bi = len(uni["encoder_Ux"]), len(bi["encoder_Ux"])
    label = label or f"{n_uni:,} + 2 x {n_bi:,} units, {n_words:,} words, from files"
    return Model(uni, bi, partial(_load, utable_path), partial(_load, btable_path), row, label)


def read_dictionary(path):
    """The words of the rows.

    Returns
    -------
    row : dict of str to int
        As the authors read it: lines end with LF alone, of equal words the last counts; the
        released file has some empty ones.
    n_words : int
        Lines.
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
    """Check a table against the dictionary; returns the size of its embeddings."""
    table = _load(path)
    if table.ndim != 2 or table.dtype.kind != "f" or table.shape[1] == 0:
        raise InputError(
            f"{path}: {table.dtype} of shape {table.shape}; must be a table of floats, a row a word"
        )
    if len(table) != n_words:
        raise InputError(
            f"{path}: {len(table):,} rows, but {dictionary} has {n_words:,} lines; "
            "is one of them cut short?"
        )
    return table.shape[1]


def _load(path):
    """The table, mapped rather than read: the released ones have 2.3 GB each."""
    try:
        return np.lib.format.open_memmap(path, mode="r")
    except Exception as error:  # a file cut short, of another kind, or with objects in it
        raise InputError(
            f"{path}: not a table of numbers, or damaged or cut short ({files.why(error)})"
        ) from None


def read_encoder(path, prefixes, word_size):
    """An encoder's weights; what else the file has (decoders, words) is left where it is.

    Returns
    -------
    weights : dict of arrays
        By the authors' names, float32.
    label : str or None
        What the project's trainer noted.
    """
    try:
        with open(path, "rb") as file, zipfile.ZipFile(file) as archive:
            there = array_files.members(archive, file)
            names = [f"{prefix}_{name}" for prefix in prefixes for name in shapes(0, 0)]
            if lacking := [name for name in names if name not in there]:
                raise InputError(f"{path}: has no {', '.join(lacking)}")
            n_units = array_files.read_member(archive, there[f"{prefixes[0]}_Ux"]).shape[:1]
            weights = {}
            for prefix in prefixes:
                for name, shape in shapes(word_size, *n_units).items():
                    info = there[f"{prefix}_{name}"]
                    weights[f"{prefix}_{name}"] = _weight(archive, info, shape)
            return weights, _label(archive, there)
    except (InputError, MemoryError):
        raise
    except Exception as error:  # zip and npy readers raise a dozen kinds between them
        raise InputError(
            f"{path}: not an encoder's file, or damaged or cut short ({files.why(error)})"
        ) from None


def _weight(archive, info, shape):
    """One of the weights, whose shape is known by the others."""
    name = info.filename.removesuffix(".npy")
    array = array_files.read_member(archive, info)
    if array.shape != shape or array.dtype.kind != "f":
        raise InputError(
            f"{archive.filename}: {name} is {array.dtype} of shape {array.shape}; "
            f"must be floats of shape {shape}, by the other weights and the table"
        )
    array = np.ascontiguousarray(array, np.float32)
    if not np.isfinite(array).all():
        raise InputError(f"{archive.filename}: {name} is not finite")
    return array


def _label(archive, there):
    """What the project's trainer noted, if it made the file."""
    if "meta" not in there:
        return None
    label = json.loads(array_files.read_member(archive, there["meta"]).tobytes()).get("label")
    if not isinstance(label, str | None):
        raise ValueError("its label is no text")
    return label


def write(folder, words, uni, bi, label):
    """Write a model as the authors' files, into a folder that is made if need be.

    Parameters
    ----------
    folder : str
    words : list of str
        Those of the rows; `UNKNOWN` is one of them.
    uni, bi : dict of arrays
        ``Wemb``, the table; the encoder's weights; whatever else is to be kept.
    label : str
        Noted in the files, see `Model`.
    """
    os.makedirs(folder, exist_ok=True)
    meta = {"format": "skip-thought", "version": 1, "label": label}
    for name, encoder, table in (
        ("uni_skip.npz", uni, "utable.npy"),
        ("bi_skip.npz", bi, "btable.npy"),
    ):
        array_files.write_arrays(os.path.join(folder, name), encoder, meta)
        files.write_table(os.path.join(folder, table), encoder["Wemb"])
    files.write_text(os.path.join(folder, "dictionary.txt"), "".join(word + "\n" for word in words))
