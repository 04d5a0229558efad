"""The paper's model (Figs. 3 and 13): a text becomes one vector, and R(Q, D) is the cosine (3)."""

import json
from itertools import islice

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._util import arguments, array_files, files
from .._util.files import Path
from .._util.threads import one_blas_thread
from ..cells.cell import describe
from ..gradients.cost import cosine
from ..gradients.relevance import COSINE
from ..readers import iter_titles
from .encoder import Encoder

LINES = 1 << 17  # titles of a file at a time


class DualEncoder(Encoder[NDArray]):
    """A cell that reads queries and another that reads titles, compared by their cosine.

    Parameters
    ----------
    cell : Cell
        Such as ``LSTM(96)``, ``RNN(288)`` or ``Bidirectional(LSTM(96))``.
        Both sides' kind of cell; each gets weights of its own.
    hashing : LetterTrigrams
    seed : int
        All weights start as normal numbers ("small random numbers", Algorithm 1).
    dtype : "float32" or "float64"
        To train, or to check gradients. Of weights so large that gates are nearly shut, float32
        makes another model: `lstm_edu.cells.lstm.sigmoid` says from where on.
    scale : float
        Standard deviation of the first weights.
    tied : bool
        Both sides start with the same weights, so that texts that share words are near each other
        from the start, by trigrams that training hardly touches, too; from there on each side
        learns its own.

    Attributes
    ----------
    query, document : Side
    training : dict
        Settings and history of the last training it has had, and whether that is ``finished``;
        empty before.
    """

    relevance = COSINE

    def encode_titles(self, path: Path, out: Path, n_jobs: int | None = None) -> None:
        """Write the embeddings of a file of titles, of any size, whole or not at all.

        Neither is ever in memory as a whole; ``numpy.load(out, mmap_mode="r")`` gives the
        embeddings where they are, and `lstm_tools.nearest.top` searches them there.

        Parameters
        ----------
        path : str
            One title a line, or a pipe of them, for it is read once; raises as
            `lstm_edu.readers.read_titles`, and then ``out`` is as it was.
        out : str
            The ``.npy``, (n_titles, embedding size); another file than ``path``.
        n_jobs : int, optional
            As `encode_document`'s.
        """
        path, out = arguments.path("path", path), arguments.path("out", out)
        files.check_apart("out", out, path)
        titles = iter_titles(path)
        blocks = iter(lambda: list(islice(titles, LINES)), [])
        y = ((block, self.encode_document(block, n_jobs)) for block in blocks)
        size, total = (self.document.cell.size,), seal(self, "document")
        files.write_blocks(out, y, size, self.dtype, total)

    def similarity(self, query_vectors: ArrayLike, document_vectors: ArrayLike) -> NDArray:
        """Compute the cosines of Eq. (3), (n_queries, n_documents)."""
        given = {"query_vectors": query_vectors, "document_vectors": document_vectors}
        yq, yd = arguments.vectors(**given)
        dtype = np.result_type(yq, yd, self.dtype)
        with one_blas_thread():
            return cosine(yq.astype(dtype), yd.astype(dtype))


def seal(model, side):
    """Begin a checksum by which embeddings are known: all that makes them, but the texts."""
    facts = json.dumps([side, describe(model.cell), model.hashing.rule, model.hashing.trigrams])
    return array_files.seal(facts, getattr(model, side).weights)
