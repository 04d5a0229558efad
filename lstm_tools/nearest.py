"""Exact nearest-neighbour search among very many documents, block by block."""

import numpy as np

from lstm_edu._util import arguments
from lstm_edu._util.files import InputError
from lstm_edu._util.threads import two_threads
from lstm_edu.gradients.cost import normalise

BLOCK = 16_384  # documents per matrix product
QUERIES = 128  # queries per matrix product
DOUBT = 1e-5  # bound on the rounding error of a float32 cosine


def top(query_vectors, document_vectors, n=10):
    """Find the n documents with the highest cosine to each query.

    A matrix product per block finds the candidates. Their cosines are then computed one by one,
    with sums in a fixed order, so that equal documents have equal scores wherever they are stored.

    Parameters
    ----------
    query_vectors : (n_queries, size)
    document_vectors : (n_documents, size)
        May be mapped from a file larger than memory (``numpy.load(path, mmap_mode="r")``).
    n : int

    Returns
    -------
    rows : (n_queries, n) of int
        Best first; equal scores keep the given order. There are fewer columns if there are fewer
        documents.
    scores : (n_queries, n)
    """
    n, axes = arguments.integer("n", n, 1), ("n", "size")
    queries = arguments.array("query_vectors", query_vectors, *axes, finite=False)
    documents = arguments.array("document_vectors", document_vectors, *axes, finite=False)
    if queries.shape[1] != documents.shape[1]:
        shapes = f"{queries.shape}, {documents.shape}"
        raise InputError(
            f"query_vectors, document_vectors: of shapes {shapes}; must have the same size"
        )
    arguments.check_lengths("query_vectors", queries)
    half = -(-len(documents) // 2)
    found = []
    with two_threads() as threads:
        for start in range(0, max(1, len(queries)), QUERIES):
            unit = normalise(queries[start : start + QUERIES])[0]
            first, second = threads(lambda at: _best(unit, documents[at : at + half], n), (0, half))
            found.append(merge(first, (second[0] + half, second[1]), n))
    return tuple(np.concatenate(parts) for parts in zip(*found))


def _best(unit, documents, n):
    """Find the n nearest documents to each of the normalised queries, in one thread."""
    n, dtype = min(n, len(documents)), np.result_type(unit, documents)
    rows, scores = np.zeros((len(unit), n), int), np.full((len(unit), n), -np.inf, dtype)
    for start in range(0, len(documents), BLOCK):
        block = documents[start : start + BLOCK]
        arguments.check_lengths("document_vectors", block)
        block = normalise(block)[0]
        is_candidate = unit @ block.T > scores[:, -1:] - DOUBT
        for q in np.flatnonzero(is_candidate.any(axis=1)):
            found = np.flatnonzero(is_candidate[q])
            cosines = np.clip(np.einsum("m,rm->r", unit[q], block[found]), -1, 1)
            rows[q], scores[q] = merge((rows[q], scores[q]), (start + found, cosines), n)
    return rows, scores


def merge(first, second, n):
    """Merge two rankings per query; if scores are equal, ``first`` comes before ``second``."""
    rows, scores = (np.concatenate(parts, axis=-1) for parts in zip(first, second))
    order = np.argsort(-scores, axis=-1, kind="stable")[..., :n]
    return np.take_along_axis(rows, order, axis=-1), np.take_along_axis(scores, order, axis=-1)
