"""Write the vectors of very many texts to one file, block by block."""

import json
from itertools import islice

import numpy as np

from lstm_edu import DualEncoder
from lstm_edu._util import arguments, array_files, files
from lstm_edu.cells.cell import describe
from lstm_edu.readers import iter_titles

LINES = 1 << 17  # texts per block


def encode_titles(model, path, out, n_jobs=None, header=False):
    """Encode a file of titles, of any size, and write the embeddings to an ``.npy`` atomically.

    ``numpy.load(out, mmap_mode="r")`` maps the embeddings, so that `lstm_tools.nearest.top` can
    search them without reading all into memory.

    Parameters
    ----------
    model : DualEncoder
    path : str
        A file or pipe with one title per line, which is read once. Errors are those of
        `lstm_edu.readers.read_titles`; ``out`` then stays unchanged.
    out : str
        The ``.npy`` to write, (n_titles, embedding size); it must not be ``path``.
    n_jobs : int, optional
        As for `lstm_edu.DualEncoder.encode_document`.
    header : bool
        Skip the first line, with a warning.
    """
    arguments.instance("model", model, DualEncoder, "a lstm_edu.DualEncoder")
    path, out = arguments.path("path", path), arguments.path("out", out)
    files.check_apart("out", out, path)
    titles = iter_titles(path, header)
    blocks = iter(lambda: list(islice(titles, LINES)), [])
    y = ((block, model.encode_document(block, n_jobs)) for block in blocks)
    write(out, y, model, "document")


def seal(model, side):
    """Return a SHA-256 object of one side of a model; `write` then adds the texts to it."""
    cut = [model.hashing.max_words] if model.hashing.max_words else []
    facts = json.dumps([side, describe(model.cell), model.hashing.trigrams, *cut])
    return array_files.seal(facts, getattr(model, side).weights)


def write(path, blocks, model, side):
    """Write vectors of texts to an ``.npy``, block by block.

    A checksum of the model and the texts follows the array, where NumPy ignores it.

    Parameters
    ----------
    path : str
    blocks : iterable of (texts, array)
    model : DualEncoder
    side : "query" or "document"
        The side that has encoded the texts.
    """
    total, size = seal(model, side), model.document.cell.size
    descr = np.lib.format.dtype_to_descr(model.dtype)

    def write_header(file, n_rows):
        header = {"descr": descr, "fortran_order": False, "shape": (n_rows, size)}
        np.lib.format.write_array_header_1_0(file, header)

    def write_rows(file):
        n_rows = 0
        write_header(file, n_rows)
        for texts, block in blocks:
            total.update("\n".join([*texts, ""]).encode())
            file.write(np.ascontiguousarray(block, model.dtype).data)
            n_rows += len(block)
        file.write(total.digest())
        file.seek(0)
        # the final header has the same length, because NumPy pads it for larger numbers of rows
        write_header(file, n_rows)

    files.replace(path, write_rows)
