"""The paper's model (Figs. 3 and 13): one vector per text; R(Q, D) is the cosine of two vectors."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._util import arguments
from .._util.threads import one_blas_thread
from ..gradients.cost import cosine
from ..gradients.relevance import COSINE
from .encoder import Encoder


class DualEncoder(Encoder[NDArray]):
    """A model with a cell for queries and one for titles; R(Q, D) is their embeddings' cosine.

    Parameters
    ----------
    cell : Cell
        Such as ``LSTM(96)``, ``RNN(288)`` or ``Bidirectional(LSTM(96))``. Both sides have this
        cell, with separate weights.
    hashing : LetterTrigrams
    seed : int
        Seed of the initial weights, which are normally distributed ("small random numbers",
        Algorithm 1).
    dtype : "float32" or "float64"
        float32 to train, float64 to check gradients. If large weights nearly shut a gate, float32
        is too coarse; `lstm_edu.cells.lstm.sigmoid` gives the limit.
    scale : float
        Standard deviation of the initial weights.
    tied : bool
        Whether both sides start with equal weights, which training then changes separately. Texts
        that share words are then similar from the start, even if their trigrams are rare in
        training.

    Attributes
    ----------
    query, document : Side
    training : dict
        Settings and history of the last training run, and whether it is ``finished``; {} before
        training.
    """

    relevance = COSINE

    def similarity(self, query_vectors: ArrayLike, document_vectors: ArrayLike) -> NDArray:
        """Compute each query's cosine with each document as an (n_queries, n_documents) array."""
        given = {"query_vectors": query_vectors, "document_vectors": document_vectors}
        yq, yd = arguments.vectors(**given)
        dtype = np.result_type(yq, yd, self.dtype)
        with one_blas_thread():
            return cosine(yq.astype(dtype), yd.astype(dtype))
