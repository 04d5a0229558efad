"""Write the vectors of very many texts to one file, block by block."""

import json
import os
from contextlib import suppress
from functools import partial
from itertools import islice

import numpy as np
from tqdm import tqdm

from lstm_edu import DualEncoder
from lstm_edu._util import arguments, array_files, files
from lstm_edu.cells.cell import describe
from lstm_edu.models.encoder import SIDES

from .formats import trec

LINES = 1 << 17  # texts per block


def encode_titles(
    model, path, out, n_jobs=None, header=False, side="document", progress: bool | None = None
):
    """Encode the titles in a file of any size, and write the embeddings to an ``.npy`` atomically.

    ``numpy.load(out, mmap_mode="r")`` maps the embeddings, so that `lstm_tools.nearest.top` can
    search them without reading all of them into memory. A checksum of the model and the texts
    follows the array, where NumPy ignores it. Until the file is complete, the folder
    ``{out}.parts`` keeps finished blocks, from which the same call resumes.

    Parameters
    ----------
    model : DualEncoder
    path : str
        A file or pipe with one title or ``docid<TAB>title`` per line, which is read once. If
        `lstm_tools.formats.trec.iter_documents` raises an error, ``out`` stays unchanged.
    out : str
        The ``.npy`` file to write, an (n_titles, embedding size) array. It must not be ``path``.
    n_jobs : int, optional
        As for `lstm_edu.DualEncoder.encode_document`.
    header : bool
        Skip the first line, with a warning.
    side : "query" or "document"
        The side of the model that encodes the texts.
    progress : bool, optional
        Whether to show a progress bar; None shows it on a terminal.
    """
    arguments.instance("model", model, DualEncoder, "a lstm_edu.DualEncoder")
    path, out = arguments.path("path", path), arguments.path("out", out)
    side = arguments.choice("side", side, SIDES)
    is_hidden = None if arguments.boolean("progress", progress, [None]) is None else not progress
    files.check_apart("out", out, path)
    encode = model.encode_query if side == "query" else model.encode_document
    texts = (text for _, text in trec.iter_documents(path, header))
    size, folder, used = model.document.cell.size, f"{out}.parts", []

    def write_header(file, n_rows):
        descr = np.lib.format.dtype_to_descr(model.dtype)
        header = {"descr": descr, "fortran_order": False, "shape": (n_rows, size)}
        np.lib.format.write_array_header_1_0(file, header)

    def write_rows(file):
        total, n_rows = seal(model, side), 0
        write_header(file, n_rows)
        with tqdm(unit=" texts", unit_scale=True, disable=is_hidden) as done:
            while block := list(islice(texts, LINES)):
                total.update("\n".join([*block, ""]).encode())
                used.append(os.path.join(folder, f"{total.hexdigest()}.npy"))
                y = _kept(used[-1], (len(block), size))
                if y is None:
                    y = encode(block, n_jobs)
                    os.makedirs(folder, exist_ok=True)
                    files.replace(used[-1], partial(np.save, arr=y))
                file.write(np.ascontiguousarray(y, model.dtype).data)
                n_rows += len(block)
                done.update(len(block))
        file.write(total.digest())
        file.seek(0)
        # the header keeps its length, because NumPy pads it so that the number of rows can grow
        write_header(file, n_rows)

    files.replace(out, write_rows)
    with suppress(OSError):  # the folder stays if it contains parts of another run
        for part in used:
            os.remove(part)
        os.rmdir(folder)


def seal(model, side):
    """Return a SHA-256 object of one side of a model; `encode_titles` adds the texts to it."""
    cut = [model.hashing.max_words] if model.hashing.max_words else []
    facts = json.dumps([side, describe(model.cell), model.hashing.trigrams, *cut])
    return array_files.seal(facts, getattr(model, side).weights)


def _kept(part, shape):
    """Return the vectors of a block that an earlier run stored; None if missing or damaged."""
    try:
        with open(part, "rb") as file:  # np.load would also open an .npz or a pickle
            y = np.lib.format.read_array(file)
    except (OSError, ValueError, EOFError):
        return None
    return y if y.shape == shape else None
