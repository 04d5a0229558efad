"""Lambda_Q and Lambda_D together (Figs. 3 and 13): two cells over one hashing.

And what can be asked of them.
"""

import json
from collections.abc import Sequence
from itertools import islice
from types import MappingProxyType, SimpleNamespace
from typing import Any, Literal

import numpy as np
import scipy.sparse
from numpy.typing import ArrayLike, DTypeLike, NDArray

from .._util import arguments, array_files, files
from .._util.files import InputError, Path
from .._util.threads import one_blas_thread
from ..cells.cell import Cell, check_cell, describe
from ..gradients.cost import cosine
from ..gradients.relevance import COSINE, Cosine
from ..readers import iter_titles
from ..text import sentences
from ..text.batch import as_asked_for, side_by_side
from ..text.hashing import LetterTrigrams
from . import model_file
from .facts import brief

SIDES = "query", "document"
BLOCK = 1024  # texts embedded at a time; bounds memory
SCALES = 1e-9, 1e9  # of first weights: float32 holds their squares
LINES = 1 << 17  # titles of a file at a time
TASK = 16 * BLOCK  # texts that another thread is given at a time: some tenths of a second


class Side:
    """One side's cell and its weights.

    Attributes
    ----------
    cell : Cell
    weights : dict of arrays
        As they are kept: gates side by side, one row a trigram.
    """

    def __init__(self, cell, weights):
        self.cell, self.weights = cell, weights

    @property
    def params(self):
        """The weights by the paper's names and orientation.

        They are views: writing in place changes the model.
        """
        return MappingProxyType(self.cell.params(self.weights))

    @property
    def dtype(self):
        """Of the weights, and so of the embeddings."""
        return next(iter(self.weights.values())).dtype

    def embed(self, batch):
        """Embed a batch, (N, size), in the order in which its texts were given."""
        y, _ = self.cell.forward(self.weights, batch)
        return as_asked_for(batch, y)


def _read(what, texts, hashing, dtype, cell, names, *weights):
    """What ``what`` makes of some texts, and how many of these hold nothing known."""
    some = sentences.from_texts(texts, hashing, dtype, warn=False)
    with one_blas_thread():
        of_words = cell.map_sparse(lambda W: some.Wh @ W, dict(zip(names, weights)))
        return what(cell, of_words, some), sentences.n_unknown(some)


def _each_read(work, n_tasks, n_jobs) -> Any:
    """What `_read` gives for each of these arguments, in their order; by joblib if several."""
    if n_tasks < 2:  # not worth another thread
        return (_read(*given) for given in work)
    from joblib import Parallel, delayed  # here, so that importing lstm_edu stays quick

    n_jobs = n_jobs and min(n_jobs, n_tasks)  # a thread more would have nothing to do
    threads = Parallel(n_jobs, prefer="threads", return_as="generator")
    return threads(delayed(_read)(*given) for given in work)


def encode(model, side, what, texts, n_jobs, give):
    """Read distinct texts, part by part; returns how many of them hold nothing known.

    Parameters
    ----------
    model : DualEncoder or AlignedEncoder
    side : Side
    what : function
        Of the cell, its weights and `lstm_edu.text.sentences.Sentences`: what these become.
    texts : list of str
    n_jobs : int, optional
        As `DualEncoder.encode_document`'s.
    give : function
        Called with a slice of the texts and what they became, in their order.
    """
    n, n_tasks, unknown = len(texts), -(-len(texts) // TASK), 0  # tasks of one size, TASK at most
    tasks = [slice(k * n // n_tasks, (k + 1) * n // n_tasks) for k in range(n_tasks)]
    # weights by themselves, not as a dictionary: joblib sends each to another machine once
    how = model.hashing, model.dtype, side.cell, list(side.weights), *side.weights.values()
    work = ((what, texts[task], *how) for task in tasks)
    with one_blas_thread():  # for all tasks: memory is kept from one to the next
        for task, (found, n_unknown) in zip(tasks, _each_read(work, n_tasks, n_jobs)):
            give(task, found)
            unknown += n_unknown
    return unknown


def checked_n_jobs(n_jobs):
    """Return None or a whole number but 0; raise InputError for anything else."""
    n_jobs = arguments.integer("n_jobs", n_jobs, -arguments.LARGEST, allow=[None])
    return arguments.refuse("n_jobs", 0, "None or another whole number") if n_jobs == 0 else n_jobs


def rows(texts):
    """Number the distinct texts in the order in which they come."""
    return {text: k for k, text in enumerate(dict.fromkeys(texts))}


def seal(model, side):
    """Begin a checksum by which embeddings are known: all that makes them, but the texts."""
    facts = json.dumps([side, describe(model.cell), model.hashing.rule, model.hashing.trigrams])
    return array_files.seal(facts, getattr(model, side).weights)


def embed_words(cell, weights, some):
    """Embeddings of `lstm_edu.text.sentences.Sentences`, (n_texts, size), from W_h W."""
    y = np.empty((len(some.starts) - 1, cell.size), some.Wh.dtype)
    for block, batch in blocks_of_words(some):
        y[block] = Side(cell, weights).embed(batch)
    return y


def blocks_of_words(some):
    """Yield which texts of `lstm_edu.text.sentences.Sentences`, of like lengths, and their batch.

    W_h W is taken once of each distinct word: every W has a row a word here, instead of one a
    trigram.
    """
    n_words = some.Wh.shape[0]
    one_each = scipy.sparse.eye_array(n_words, dtype=some.Wh.dtype, format="csr")
    some = some._replace(Wh=one_each)
    by_length = np.argsort(np.diff(some.starts), kind="stable")
    for start in range(0, len(by_length), BLOCK):
        block = by_length[start : start + BLOCK]
        yield block, side_by_side(some, block)


class DualEncoder:
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

    cell: Cell
    hashing: LetterTrigrams
    dtype: np.dtype
    query: Side
    document: Side
    training: dict
    relevance: Cosine = COSINE

    def __init__(
        self,
        cell: Cell,
        hashing: LetterTrigrams,
        seed: int = 0,
        dtype: DTypeLike = "float32",
        scale: float = 0.05,
        tied: bool = True,
    ):
        check_cell(cell)
        start(self, cell, hashing, seed, dtype, scale, tied)

    def __repr__(self):
        return brief(self)

    @property
    def n_parameters(self) -> int:
        """Parameters of both sides."""
        return sum(w.size for side in (self.query, self.document) for w in side.weights.values())

    def encode_query(self, texts: Sequence[str], n_jobs: int | None = None) -> NDArray:
        """Embed queries, (n_texts, embedding size); arguments as `encode_document`'s."""
        return self._encode(self.query, texts, n_jobs)

    def encode_document(self, texts: Sequence[str], n_jobs: int | None = None) -> NDArray:
        """Embed titles, (n_texts, embedding size).

        Parameters
        ----------
        texts : list of str
        n_jobs : int, optional
            Threads to spread more than some 16,000 different texts over, by joblib; -1 for one a
            core. If None one, or whatever ``joblib.parallel_config`` says: within
            ``joblib.parallel_config("dask")`` a cluster does it.

        Notes
        -----
        Texts of the same words get the same vector. In another call, among other texts, it is that
        vector to rounding: BLAS adds in an order that depends on the shape of the whole block.
        """
        return self._encode(self.document, texts, n_jobs)

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
        n_jobs = checked_n_jobs(n_jobs)
        files.check_apart("out", out, path)
        titles = iter_titles(path)
        blocks = iter(lambda: list(islice(titles, LINES)), [])
        y = ((block, self.encode_document(block, n_jobs)) for block in blocks)
        size, total = (self.document.cell.size,), seal(self, "document")
        files.write_blocks(out, y, size, self.dtype, total)

    def _encode(self, side, texts, n_jobs):
        """Embeddings of texts; those of the same words are read once, and so have the same bits."""
        n_jobs = checked_n_jobs(n_jobs)
        texts = [self.hashing.plain(text) for text in arguments.texts("texts", texts)]
        row = rows(texts)
        y = np.empty((len(row), side.cell.size), self.dtype)
        unknown = encode(self, side, embed_words, list(row), n_jobs, y.__setitem__)
        sentences.warn_of_unknown(unknown, len(row))
        return y[[row[text] for text in texts]]

    def similarity(self, query_vectors: ArrayLike, document_vectors: ArrayLike) -> NDArray:
        """Compute the cosines of Eq. (3), (n_queries, n_documents)."""
        given = {"query_vectors": query_vectors, "document_vectors": document_vectors}
        yq, yd = arguments.with_lengths(**given)
        dtype = np.result_type(yq, yd, self.dtype)
        with one_blas_thread():
            return cosine(yq.astype(dtype), yd.astype(dtype))

    def score(self, query: str, titles: Sequence[str]) -> NDArray:
        """Compute R(Q, D) of one query with each title, (n_titles,)."""
        query, titles = arguments.text("query", query), arguments.texts("titles", titles)
        return self.scores([query], [titles])[0]

    def scores(self, queries: Sequence[str], titles: Sequence[Sequence[str]]) -> list[NDArray]:
        """Score many queries as `score`, each with its own titles; every text is read once."""
        queries, titles = arguments.searches(queries, titles)
        plain = [list(map(self.hashing.plain, some)) for some in titles]
        row = rows(title for some in plain for title in some)
        yq, yd = self.encode_query(queries), self.encode_document(list(row))

        def of_query(y, some):
            own = rows(some)  # each once: BLAS may round products of equal vectors differently
            R = self.similarity(y, yd[[row[title] for title in own]])[0]
            return R[[own[title] for title in some]]

        return list(map(of_query, yq, plain))

    def rank(self, query: str, titles: Sequence[str]) -> list[tuple[str, float]]:
        """Rank titles, best first, with their scores; equal scores stay in the given order.

        Returns
        -------
        list of (title, score)
        """
        titles = arguments.texts("titles", titles)
        scores = self.score(query, titles)
        return [(titles[k], float(scores[k])) for k in np.argsort(-scores, kind="stable")]

    def trace(self, text: str, side: Literal["query", "document"] = "query") -> SimpleNamespace:
        """Record everything that happens while a text is read.

        Parameters
        ----------
        text : str
        side : "query" or "document"

        Returns
        -------
        SimpleNamespace
            ``words``, ``cell``, and for each of the cell's states an array (n_words, n_cells): for
            an LSTM ``i f o c y yg``, for an RNN ``y``; attention's ``a`` is (n_words,). A
            bidirectional cell's are joined, forward first, in the order of the text; its embedding
            is the forward half of the last row and the backward half of the first. With attention
            it is ``a @ y``.

        Raises
        ------
        InputError
            The text has no words, or there is no such side.
        """
        own = getattr(self, arguments.choice("side", side, SIDES))
        some = self.hashing.words(text)
        if not some:
            raise InputError("text: has no words")
        Wh = self.hashing.operator(some, self.dtype)
        known = np.unique(Wh.indices)  # the weights of no other trigram are read
        weights = own.cell.map_sparse(lambda W: W[known], own.weights)
        states = own.cell.read(own.cell.params(weights), Wh[:, known].toarray())
        by_name = {name: np.array([getattr(s, name) for s in states]) for name in own.cell.states}
        return SimpleNamespace(words=some, cell=own.cell, **by_name)

    def save(self, path: Path) -> None:
        """Write the model to one file, whole or not at all; no pickle.

        An ``.npz``, or safetensors if that is how ``path`` ends (`array_files.write_arrays`). What
        is there is replaced; of several who save to one path at once the last one's is there.
        Raises InputError, and writes nothing, if weights are not finite, which `load` would refuse.
        """
        path, (arrays, meta) = arguments.path("path", path), model_file.pack(self)
        array_files.write_arrays(path, arrays, meta)


def start(model, cell, hashing, seed, dtype, scale, tied):
    """Give a model its first weights; arguments as `DualEncoder`'s."""
    how = "lstm_edu.LetterTrigrams, such as LetterTrigrams.fit(texts)"
    arguments.instance("hashing", hashing, LetterTrigrams, how)
    dtype = arguments.float_type("dtype", dtype)
    seed, tied = arguments.seed(seed), arguments.boolean("tied", tied)
    scale = arguments.number("scale", scale, *SCALES)
    model.cell, model.hashing, model.dtype, model.training = cell, hashing, dtype, {}
    rng, shapes = np.random.default_rng(seed), cell.shapes(hashing.size)
    model.query, model.document = (
        Side(cell, {name: _normal(rng, scale, shape, dtype) for name, shape in shapes.items()})
        for _ in range(2)
    )
    if tied:
        model.document = Side(cell, {name: w.copy() for name, w in model.query.weights.items()})


def _normal(rng, scale, shape, dtype):
    """Normal numbers; drawn in float64, some rows at a time, so that a large float32 model fits."""
    try:
        w = np.empty(shape, dtype)
    except ValueError:  # more bytes than there are numbers for
        raise MemoryError(f"weights of shape {shape}") from None
    for start in range(0, len(w), BLOCK):
        rows = w[start : start + BLOCK]
        rows[...] = scale * rng.standard_normal(rows.shape)
    return w
