"""A model beside the dual encoder that keeps every word's output, and aligns words with words.

What it does with them is in `lstm_edu.gradients.aligned`; what it has in common with
`lstm_edu.DualEncoder` are the same functions.
"""

import functools
from collections.abc import Sequence

import numpy as np
from numpy.typing import DTypeLike, NDArray

from .._util import arguments
from .._util.threads import one_blas_thread
from ..cells.cell import Cell, check_cell
from ..gradients.aligned import Aligned, Words
from ..text import sentences
from ..text.hashing import LetterTrigrams
from .dual_encoder import DualEncoder, Side, blocks_of_words, checked_n_jobs, encode, rows, start

QUERIES = 128  # whose lists of titles are encoded at a time: every word is a vector


class AlignedEncoder:
    """A cell that reads queries and another that reads titles, compared word by word.

    R(Q, D) = 1/T_Q sum_t max_s cos(y_Q(t), y_D(s)): of each word of the query the cosine with the
    nearest word of the title, and their mean (late interaction, ColBERT's). It is trained, saved,
    evaluated as a `DualEncoder`; what it encodes is one vector a word instead of one a text.

    Parameters
    ----------
    cell : Cell
        One that reads word by word, such as ``Bidirectional(LSTM(96))``. Of ``Attention(cell)`` the
        words' outputs are those of its cell: its u has a part in the embedding alone, so that
        without ``with_embedding`` it has none.
    hashing, seed, dtype, scale, tied
        As `DualEncoder`'s.
    with_embedding : bool
        Whether R is the mean of this and of (3), the cosine of the embeddings.

    Attributes
    ----------
    query, document : Side
    training : dict
        As `DualEncoder`'s.
    """

    cell: Cell
    hashing: LetterTrigrams
    dtype: np.dtype
    query: Side
    document: Side
    training: dict
    relevance: Aligned

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
        check_cell(cell)
        if not cell.recurrent:
            arguments.refuse("cell", cell, "a cell that reads word by word, such as LSTM(96)")
        self.relevance = Aligned(arguments.boolean("with_embedding", with_embedding))
        start(self, cell, hashing, seed, dtype, scale, tied)

    n_parameters, trace, save = DualEncoder.n_parameters, DualEncoder.trace, DualEncoder.save
    score, rank, __repr__ = DualEncoder.score, DualEncoder.rank, DualEncoder.__repr__

    def encode_query(self, texts: Sequence[str], n_jobs: int | None = None) -> Words:
        """Encode queries as every word's output, `Words`; arguments as `encode_document`'s."""
        return self._encode(self.query, texts, n_jobs)

    def encode_document(self, texts: Sequence[str], n_jobs: int | None = None) -> Words:
        """Encode titles as every word's output, to be kept and ranked again and again.

        Parameters
        ----------
        texts : list of str
        n_jobs : int, optional
            As `DualEncoder.encode_document`'s.

        Returns
        -------
        Words
            ``y``, (n_words, size), one text after the other; ``starts``, (n_texts + 1,), where
            each of them starts; ``embeddings``, (n_texts, size), or None if they have no part in R.
        """
        return self._encode(self.document, texts, n_jobs)

    def _encode(self, side, texts, n_jobs):
        """`Words` of texts; those of the same words are read once, and so have the same bits."""
        n_jobs = checked_n_jobs(n_jobs)
        texts = [self.hashing.plain(text) for text in arguments.texts("texts", texts)]
        row, parts = rows(texts), [_nothing(self.relevance, side.cell, self.dtype)]
        keep = lambda task, found: parts.append(found)
        read = functools.partial(read_words, self.relevance)  # not a method: it may travel
        unknown = encode(self, side, read, list(row), n_jobs, keep)
        sentences.warn_of_unknown(unknown, len(row))
        return chosen(self.relevance.joined(parts), [row[text] for text in texts])

    def similarity(self, queries: Words, documents: Words) -> NDArray:
        """Compute R of every query with every title, (n_queries, n_documents).

        Parameters
        ----------
        queries, documents : Words
            As `encode_query` and `encode_document` give them.

        Raises
        ------
        InputError
            They are not such, of another size, or not finite.
        """
        given = {"queries": queries, "documents": documents}
        queries, documents = (self._checked(*words) for words in given.items())
        with one_blas_thread():
            R = list(self.relevance.of_each(queries, documents))
        return np.array(R, self.dtype).reshape(len(queries.starts) - 1, len(documents.starts) - 1)

    def _checked(self, name, words):
        """Encoded texts whose parts fit together and to this model."""
        what = "what encode_query or encode_document of such a model gives"
        arguments.instance(name, words, Words, what)
        y = arguments.array(f"{name}.y", words.y, "n_words", "size")
        arguments.check_lengths(f"{name}.y", y)
        starts = arguments.wholes(f"{name}.starts", words.starts, "n_texts + 1", high=len(y))
        starts = starts.astype(np.intp)
        ends = len(starts) and (starts[0], starts[-1]) == (0, len(y))
        embeddings = words.embeddings if self.relevance.embedding else None
        if self.relevance.embedding and embeddings is not None:
            embeddings = arguments.array(f"{name}.embeddings", embeddings, "n_texts", "size")
            arguments.check_lengths(f"{name}.embeddings", embeddings)
        has_all = (embeddings is not None) == self.relevance.embedding
        of_size = all(a.shape[1] == self.cell.size for a in (y, embeddings) if a is not None)
        fits = has_all and of_size and (embeddings is None or len(embeddings) == len(starts) - 1)
        if not (ends and fits and (np.diff(starts) >= 0).all()):
            arguments.refuse(name, words, what)
        return Words(y, starts, embeddings)

    def scores(self, queries: Sequence[str], titles: Sequence[Sequence[str]]) -> list[NDArray]:
        """Score many queries as `score`, each with its own titles; some queries at a time."""
        queries, titles = arguments.searches(queries, titles)
        plain, found = [list(map(self.hashing.plain, some)) for some in titles], []
        for first in range(0, len(queries), QUERIES):
            block = slice(first, first + QUERIES)
            found += self._scores(queries[block], plain[block])
        return found

    def _scores(self, queries, titles):
        row = rows(title for some in titles for title in some)
        q, d = self.encode_query(queries), self.encode_document(list(row))

        def of_query(k, some):
            own = rows(some)  # each once, so that the same words have the same score, to the bit
            R = self.similarity(chosen(q, [k]), chosen(d, [row[title] for title in own]))[0]
            return R[[own[title] for title in some]]

        return [of_query(k, some) for k, some in enumerate(titles)]


def read_words(relevance, cell, weights, some):
    """`Words` of `lstm_edu.text.sentences.Sentences`, from W_h W."""
    which, parts = [np.zeros(0, int)], [_nothing(relevance, cell, some.Wh.dtype)]
    for block, batch in blocks_of_words(some):
        which.append(block)
        parts.append(relevance.encoded(cell, weights, batch))
    return chosen(relevance.joined(parts), np.argsort(np.concatenate(which)))


def _nothing(relevance, cell, dtype):
    """`Words` of no text."""
    y = np.zeros((0, cell.size), dtype)
    return Words(y, np.zeros(1, int), y if relevance.embedding else None)


def chosen(words, which):
    """Return some texts of `Words`, in this order."""
    which, lengths = np.array(which, int), np.diff(words.starts)
    starts = np.append(0, np.cumsum(lengths[which]))
    shift = np.repeat(words.starts[which] - starts[:-1], lengths[which])
    embeddings = None if words.embeddings is None else words.embeddings[which]
    return Words(words.y[np.arange(starts[-1]) + shift], starts, embeddings)
