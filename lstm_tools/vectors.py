"""Write the vectors of very many texts to one file, of which none is kept in memory."""

import json
from itertools import islice

import numpy as np

from lstm_edu import DualEncoder
from lstm_edu._util import arguments, array_files, files
from lstm_edu.cells.cell import describe
from lstm_edu.readers import iter_titles

LINES = 1 << 17  # texts of a file at a time


def encode_titles(model, path, out, n_jobs=None):
    """Write the embeddings of a file of titles, of any size, whole or not at all.

    ``numpy.load(out, mmap_mode="r")`` gives the embeddings where they are, and
    `lstm_tools.nearest.top` searches them there.

    Parameters
    ----------
    model : DualEncoder
    path : str
        One title a line, or a pipe of them, for it is read once; raises as
        `lstm_edu.readers.read_titles`, and then ``out`` is as it was.
    out : str
        The ``.npy``, (n_titles, embedding size); another file than ``path``.
    n_jobs : int, optional
        As `lstm_edu.DualEncoder.encode_document`'s.
    """
    arguments.instance("model", model, DualEncoder, "a lstm_edu.DualEncoder")
    path, out = arguments.path("path", path), arguments.path("out", out)
    files.check_apart("out", out, path)
    titles = iter_titles(path)
    blocks = iter(lambda: list(islice(titles, LINES)), [])
    y = ((block, model.encode_document(block, n_jobs)) for block in blocks)
    write(out, y, (model.document.cell.size,), model.dtype, seal(model, "document"))


def seal(model, side):
    """Begin a checksum by which embeddings are known: all that makes them, but the texts."""
    facts = json.dumps([side, describe(model.cell), model.hashing.trigrams])
    return array_files.seal(facts, getattr(model, side).weights)


def write(path, blocks, row, dtype, seal):
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

    def write_rows(file):
        n_rows = 0
        write_header(file, n_rows)
        for texts, block in blocks:
            seal.update("\n".join([*texts, ""]).encode())
            file.write(np.ascontiguousarray(block, dtype).data)
            n_rows += len(block)
        file.write(seal.digest())
        file.seek(0)
        write_header(file, n_rows)  # as long as before: NumPy leaves room for the number of rows

    files.replace(path, write_rows)
