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

    A matrix product per block finds the candidates. Their cosines are then computed one by one in
    a fixed order of sums, so that equal documents have equal scores wherever they are.

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
            f"query_vectors, document_vectors: of shapes {shapes}; must be of one size"
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


def top_of_blocks(query_vectors, blocks, n=10):
    """Find the n nearest documents to each query, as `top` does, in blocks of documents.

    Parameters
    ----------
    query_vectors : (n_queries, size)
    blocks : iterable of (docids, document_vectors)
        Vectors as for `top`; docids of any type.
    n : int

    Returns
    -------
    docids : (n_queries, n) of object
        Best first; equal scores keep the given order.
    scores : (n_queries, n)
    """
    n = arguments.integer("n", n, 1)
    queries = arguments.array("query_vectors", query_vectors, "n_queries", "size", finite=False)
    best = np.zeros((len(queries), 0), object), np.zeros((len(queries), 0), queries.dtype)
    for name, docids, vectors in _each_block(blocks, "document_vectors"):
        rows, scores = top(queries, vectors, n)
        if len(docids) != len(vectors):
            arguments.refuse(name, docids, "docids, one for each of the document_vectors")
        best = merge(best, (np.array(docids, object)[rows], scores), n)
    return best


def top_of_scores(blocks, n=10):
    """Find the n documents with the highest given scores, such as an `AlignedEncoder`'s.

    Parameters
    ----------
    blocks : iterable of (docids, scores)
        At least one; docids of any type, scores of shape (n_queries, n_docids).
    n : int

    Returns
    -------
    docids, scores
        As `top_of_blocks`.
    """
    n, best = arguments.integer("n", n, 1), None
    for name, docids, scores in _each_block(blocks, "scores"):
        scores = arguments.array(name, scores, "n_queries", "n_docids")
        best = best or (np.zeros((len(scores), 0), object), np.zeros((len(scores), 0)))
        if scores.shape != (len(best[0]), len(docids)):
            arguments.refuse(name, scores, "a row per query and a column per docid")
        rows = np.argsort(-scores, axis=1, kind="stable")[:, :n]
        found = np.array([*docids, None], object)[rows], np.take_along_axis(scores, rows, axis=1)
        best = merge(best, found, n)
    return best or arguments.refuse("blocks", [], "at least one (docids, scores)")


def _each_block(blocks, values):
    """Yield the name of each block, its docids, and its ``values``: vectors or scores."""
    for k, block in enumerate(arguments.each("blocks", blocks, f"(docids, {values})")):
        if not isinstance(block, (tuple, list)) or len(block) != 2:
            arguments.refuse(f"blocks[{k}]", block, f"(docids, {values})")
        yield f"blocks[{k}]", list(arguments.each(f"blocks[{k}]", block[0], "docids")), block[1]


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
    """Merge two rankings per query; ties keep the documents of ``first`` first."""
    rows, scores = (np.concatenate(parts, axis=-1) for parts in zip(first, second))
    order = np.argsort(-scores, axis=-1, kind="stable")[..., :n]
    return np.take_along_axis(rows, order, axis=-1), np.take_along_axis(scores, order, axis=-1)
