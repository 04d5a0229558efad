"""A model that encodes a text as one vector per word and aligns words of query and title."""

import numpy as np
from numpy.typing import DTypeLike, NDArray

from .._util import arguments
from .._util.threads import one_blas_thread
from ..cells.cell import Cell, check_cell
from ..gradients.aligned import Aligned, Words
from ..text.hashing import LetterTrigrams
from .encoder import Encoder


class AlignedEncoder(Encoder[Words]):
    """A model with a cell for queries and one for titles, whose outputs are compared word by word.

    R(Q, D) = 1/T_Q sum_t max_s cos(y_Q(t), y_D(s)), the mean over the query's words of the cosine
    with the nearest word of the title (late interaction, as in ColBERT). It is trained, saved and
    evaluated like a `DualEncoder`, but encodes a text as one vector per word.

    Parameters
    ----------
    cell : Cell
        A cell that reads word by word, such as ``Bidirectional(LSTM(96))``. With
        ``Attention(cell)`` the words' outputs come from the inner cell; u affects only the
        embedding, so it has no effect without ``with_embedding``.
    hashing, seed, dtype, scale, tied
        As for `DualEncoder`.
    with_embedding : bool
        Whether R is the mean of the formula above and (3), the cosine of the embeddings.

    Attributes
    ----------
    query, document : Side
    training : dict
        As for `DualEncoder`.
    """

    queries_at_once = 128  # fewer than DualEncoder's, because each title word needs a vector

    def __init__(
        self,
        cell: Cell,
        hashing: LetterTrigrams,
        seed: int = 0,
        dtype: DTypeLike = "float32",
        scale: float = 0.05,
        tied: bool = True,
        with_embedding: bool = False,
    ):
        self.relevance = aligned(cell, with_embedding)
        super().__init__(cell, hashing, seed, dtype, scale, tied)

    def similarity(self, queries: Words, documents: Words) -> NDArray:
        """Compute R of each query with each title as an (n_queries, n_documents) array.

        Parameters
        ----------
        queries, documents : Words
            The results of `encode_query` and `encode_document`.

        Raises
        ------
        InputError
            An argument is not `Words`, does not fit this model, or is not finite.
        """
        given = {"queries": queries, "documents": documents}
        queries, documents = (self._checked(*words) for words in given.items())
        with one_blas_thread():
            R = list(self.relevance.of_each(queries, documents))
        return np.array(R, self.dtype).reshape(len(queries.starts) - 1, len(documents.starts) - 1)

    def _checked(self, name, words):
        """Check that Words fit this model, and return them with their fields as arrays."""
        allowed = "a result of encode_query or encode_document of such a model"
        arguments.instance(name, words, Words, allowed)
        vectors = {"y": words.y}
        if self.relevance.embedding:
            vectors["embeddings"] = words.embeddings
        for part, given in vectors.items():
            vectors[part] = arguments.array(f"{name}.{part}", given, "n", "size")
            arguments.check_lengths(f"{name}.{part}", vectors[part])
        n = len(vectors["y"])
        starts = arguments.wholes(f"{name}.starts", words.starts, "n_texts + 1", high=n)
        fits = [*starts[:1], *starts[-1:]] == [0, n] and (np.diff(starts) >= 0).all()
        n_texts = len(vectors.get("embeddings", starts[1:]))
        sizes = {array.shape[1] for array in vectors.values()}
        if not fits or n_texts != len(starts) - 1 or sizes != {self.cell.size}:
            arguments.refuse(name, words, allowed)
        return Words(starts=starts.astype(np.intp), **vectors)


def aligned(cell, with_embedding):
    """Return the aligned-word relevance; reject a cell that does not read word by word."""
    check_cell(cell)
    if not cell.recurrent:
        arguments.refuse("cell", cell, "a cell that reads word by word, such as LSTM(96)")
    return Aligned(arguments.boolean("with_embedding", with_embedding))
