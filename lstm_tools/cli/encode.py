"""`lstm-edu encode`: write the vectors of a file of texts."""

import os
from contextlib import suppress
from functools import partial
from itertools import islice
from typing import Annotated

import numpy as np
from tqdm import tqdm

from lstm_edu._util import files
from lstm_edu._util.files import InputError
from lstm_edu.models.encoder import SIDES
from lstm_edu.models.loading import load

from ..formats import trec
from ..vectors import LINES, seal, write
from .messages import check_written, tell


def encode(
    model,
    titles,
    *,
    out,
    side: Annotated[str, SIDES] = "document",
    jobs: int = 1,
    header: bool = False,
    quiet: bool = False,
):
    """Write the vectors of texts, given one per line, for rank --vectors.

    Parameters
    ----------
    model
        A file that train has written.
    titles
        Texts, or docid<TAB>text on each line.
    out : FILE
        The .npy to write, one row per line. Until it is complete, FILE.parts keeps finished blocks,
        from which the same command resumes.
    side
        Side of the model that encodes the texts.
    jobs : N
        Threads; -1 for one per core.
    quiet
        Print nothing.
    """
    check_written("--out", out, model, titles)
    path, model, folder, used = model, load(model), f"{out}.parts", []
    if model.relevance.words:
        raise InputError(f"{path}: aligns words, so a text has several vectors")
    encode = model.encode_query if side == "query" else model.encode_document
    texts = (text for _, text in trec.iter_documents(titles, header))
    begun, done = seal(model, side), tqdm(unit=" texts", unit_scale=True, disable=quiet or None)

    def blocks():
        """Yield each block of texts with its vectors, which an earlier run may have stored."""
        while block := list(islice(texts, LINES)):
            checksum = begun.copy()
            checksum.update("\n".join(block).encode())
            used.append(os.path.join(folder, f"{checksum.hexdigest()}.npy"))
            y = _kept(used[-1], (len(block), model.document.cell.size))
            if y is None:
                y = encode(block, jobs)
                files.replace(used[-1], partial(np.save, arr=y))
            done.update(len(block))
            if done.disable and not quiet:  # without a terminal, there is no progress bar
                tell(f"{(len(used) - 1) * LINES + len(block):,} texts")
            yield block, y

    try:
        with done:
            os.makedirs(folder, exist_ok=True)
            write(out, blocks(), model, side)
    except KeyboardInterrupt:
        raise KeyboardInterrupt(
            f"{folder} keeps the finished blocks; the same command goes on from there"
        ) from None
    with suppress(OSError):  # the folder stays if it contains parts of another run
        for part in {*used}:
            os.remove(part)
        os.rmdir(folder)


def _kept(part, shape):
    """Return the vectors of a block that an earlier run has stored, or None without such a file."""
    try:
        with open(part, "rb") as file:  # np.load would also open an .npz or a pickle
            y = np.lib.format.read_array(file)
    except (OSError, ValueError, EOFError):
        return None
    return y if y.shape == shape else None
