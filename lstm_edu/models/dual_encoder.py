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

    def similarity(self, query_vectors: ArrayLike, document_vectors: ArrayLike) -> NDArray:
        """Compute the cosines of Eq. (3), (n_queries, n_documents)."""
        given = {"query_vectors": query_vectors, "document_vectors": document_vectors}
        yq, yd = arguments.vectors(**given)
        dtype = np.result_type(yq, yd, self.dtype)
        with one_blas_thread():
            return cosine(yq.astype(dtype), yd.astype(dtype))
