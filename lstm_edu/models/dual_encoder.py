"""The paper's model (Figs. 3 and 13): a text becomes one vector, and R(Q, D) is the cosine (3)."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._util import arguments
from .._util.threads import one_blas_thread
from ..gradients.cost import cosine
from ..gradients.relevance import COSINE
from .encoder import Encoder


class DualEncoder(Encoder[NDArray]):
    """A cell that reads queries and another that reads titles, compared by their cosine.

    Parameters
    ----------
    cell : Cell
        Such as ``LSTM(96)``, ``RNN(288)`` or ``Bidirectional(LSTM(96))``. The two sides have the
        same kind of cell, but separate weights.
    hashing : LetterTrigrams
    seed : int
        Seed of the initial weights, which are normal ("small random numbers", Algorithm 1).
    dtype : "float32" or "float64"
        float32 to train, float64 to check gradients. If weights are so large that gates are nearly
        shut, float32 is too coarse: `lstm_edu.cells.lstm.sigmoid` gives the limit.
    scale : float
        Standard deviation of the initial weights.
    tied : bool
        Whether the two sides start with equal weights, so that texts that share words are similar
        from the start, even by trigrams that training hardly touches. Training then changes each
        side separately.

    Attributes
    ----------
    query, document : Side
    training : dict
        Settings and history of the last training, and whether it is ``finished``; empty before.
    """

    relevance = COSINE

    def similarity(self, query_vectors: ArrayLike, document_vectors: ArrayLike) -> NDArray:
        """Compute the cosines of Eq. (3), (n_queries, n_documents)."""
        given = {"query_vectors": query_vectors, "document_vectors": document_vectors}
        yq, yd = arguments.vectors(**given)
        dtype = np.result_type(yq, yd, self.dtype)
        with one_blas_thread():
            return cosine(yq.astype(dtype), yd.astype(dtype))
